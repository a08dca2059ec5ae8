//! Sets that are the same in every state: ranks, files, tiles by name.

use std::collections::{BTreeMap, BTreeSet};

use senet_core::written::Region;

use super::Resolver;
use super::scope::Env;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Name, Operator, TileRange};

impl<'s> Resolver<'s> {
    /// The tiles of the board in order.
    pub(super) fn all_tiles(&self) -> Vec<String> {
        self.tile_names().cloned().collect()
    }

    fn tile_names(&self) -> impl Iterator<Item = &String> {
        self.definition.tiles.iter().map(|tile| &tile.name)
    }

    /// A set whose tiles are known before play, as one player sees it, in the order of the board or
    /// as listed.
    pub(super) fn constant(
        &mut self,
        expr: &'s Expr,
        env: &Env<'s>,
        player: Option<&str>,
    ) -> Vec<String> {
        if !self.enter(expr.span) {
            return Vec::new();
        }
        let (expr, env) = self.expand(expr, env);
        let tiles = match &expr.kind {
            ExprKind::Tiles(ranges) => self.listed(ranges),
            ExprKind::Name(name) => {
                self.constant_name(&Name { text: name.clone(), span: expr.span }, player)
            }
            ExprKind::Number(number) => {
                self.constant_name(&Name { text: number.to_string(), span: expr.span }, player)
            }
            ExprKind::Band(word, first, last) => self.band(word, first, last.as_deref(), player),
            ExprKind::Binary(operator, left, right) => {
                let left = self.constant(left, &env, player);
                let right = self.constant(right, &env, player);
                self.combined(*operator, left, &right, expr.span)
            }
            ExprKind::Complement(one) => {
                let one = self.constant(one, &env, player);
                let all = self.all_tiles().into_iter();
                all.filter(|tile| !one.contains(tile)).collect()
            }
            ExprKind::Dot(base, direction) => {
                let base = self.constant(base, &env, player);
                let directions = match direction.text.as_str() {
                    "around" => self.definition.directions.clone(),
                    _ => self.dotted(direction, &env),
                };
                let steps = base.iter().flat_map(|tile| {
                    let steps = directions.iter().map(|along| (tile.clone(), along.clone()));
                    steps.collect::<Vec<_>>()
                });
                let reached: Vec<String> =
                    steps.filter_map(|step| self.step_ends().get(&step).cloned()).collect();
                self.all_tiles().into_iter().filter(|tile| reached.contains(tile)).collect()
            }
            ExprKind::Filtered(set, truth) => {
                let mut tiles = self.constant(set, &env, player);
                tiles.retain(|tile| self.tile_holds(truth, tile).unwrap_or(false));
                tiles
            }
            ExprKind::Drawn(rows) => self.drawn(rows),
            ExprKind::Broken => Vec::new(),
            _ => {
                let message = "these tiles are not known before play";
                self.error("not-constant", expr.span, message);
                Vec::new()
            }
        };
        self.leave();
        tiles
    }

    fn combined(
        &mut self,
        operator: Operator,
        mut left: Vec<String>,
        right: &[String],
        span: Span,
    ) -> Vec<String> {
        match operator {
            Operator::Union => {
                left.extend(
                    right.iter().filter(|tile| !left.contains(tile)).cloned().collect::<Vec<_>>(),
                );
            }
            Operator::Intersection => left.retain(|tile| right.contains(tile)),
            Operator::Minus => left.retain(|tile| !right.contains(tile)),
            _ => self.error("wrong-type", span, "expected a set of tiles"),
        }
        left
    }

    fn constant_name(&mut self, name: &Name, player: Option<&str>) -> Vec<String> {
        if let Some(region) = self.names.regions.get(&name.text) {
            self.used.insert(name.text.clone());
            let own = player.and_then(|player| region.get(&Some(player.to_owned())));
            return own.or_else(|| region.get(&None)).cloned().unwrap_or_default();
        }
        match name.text.as_str() {
            "board" => self.all_tiles(),
            "nothing" => Vec::new(),
            "light" | "dark" => self.shade(name),
            _ => self.tile_named(name).into_iter().collect(),
        }
    }

    /// The tile of a name, or a complaint.
    pub(super) fn tile_named(&mut self, name: &Name) -> Option<String> {
        if self.names.tiles.contains_key(&name.text) {
            return Some(name.text.clone());
        }
        if matches!(name.text.as_str(), "from" | "to") {
            let message = format!("`{}` is no tile of the board by name", name.text);
            let error = Diagnostic::error("unknown-name", name.span, message);
            self.report(
                error.help(format!("it is a set by itself: write `{}` without braces", name.text)),
            );
            return None;
        }
        let known = self.all_tiles();
        self.unknown("tile", name, known.iter().map(String::as_str));
        None
    }

    /// Tiles of one colour of a chequered board; the lower left corner is dark.
    pub(super) fn shade(&mut self, name: &Name) -> Vec<String> {
        let parity = i32::from(name.text == "light");
        let shaded = |tile: &String| {
            let point = self.names.points.get(tile);
            point.is_some_and(|(column, row)| (column + row).rem_euclid(2) == parity)
        };
        self.all_tiles().into_iter().filter(shaded).collect()
    }

    /// Tiles by name, ranges written out.
    pub(super) fn listed(&mut self, ranges: &[TileRange]) -> Vec<String> {
        let mut tiles = Vec::new();
        for range in ranges {
            let Some(first) = self.tile_named(&range.first) else { continue };
            let Some(last) = &range.last else {
                tiles.push(first);
                continue;
            };
            let Some(last) = self.tile_named(last) else { continue };
            let (from, to) = (self.names.tiles[&first], self.names.tiles[&last]);
            let all = &self.definition.tiles;
            if from <= to {
                tiles.extend(all[from..=to].iter().map(|tile| tile.name.clone()));
            } else {
                tiles.extend(all[to..=from].iter().rev().map(|tile| tile.name.clone()));
            }
        }
        tiles
    }

    /// Tiles of ranks, files or rows. Rows are ranks counted from a player's own side.
    pub(super) fn band(
        &mut self,
        word: &Name,
        first: &'s Expr,
        last: Option<&'s Expr>,
        player: Option<&str>,
    ) -> Vec<String> {
        if word.text == "side" {
            return self.side(first);
        }
        if word.text == "ring" {
            return self.rings(first, last);
        }
        let size = self.band_size(word);
        let Some(mut low) = self.band_number(word, first, size) else { return Vec::new() };
        let mut high = match last {
            Some(last) => self.band_number(word, last, size).unwrap_or(low),
            None => low,
        };
        if low < 1 || high > size || low > high {
            let message =
                format!("there is no {} {low} to {high}: the board has 1 to {size}", word.text);
            self.error("out-of-range", first.span, message);
            return Vec::new();
        }
        if word.text == "row" && self.faces_south(player) {
            (low, high) = (size + 1 - high, size + 1 - low);
        }
        let inside = |tile: &String| {
            self.names.points.get(tile).is_some_and(|&(column, row)| {
                let at = if word.text == "file" { column + 1 } else { row + 1 };
                (low..=high).contains(&at)
            })
        };
        self.tile_names().filter(|tile| inside(tile)).cloned().collect()
    }

    /// How many bands of a sort the board has.
    fn band_size(&self, word: &Name) -> i32 {
        let (columns, rows) = self.extent();
        if word.text == "file" { columns } else { rows }
    }

    fn band_number(&mut self, word: &Name, expr: &'s Expr, size: i32) -> Option<i32> {
        if let ExprKind::Name(name) = &expr.kind {
            if name == "last" {
                return Some(size);
            }
            let letter = name.len() <= 2 && name.bytes().all(|byte| byte.is_ascii_lowercase());
            if word.text == "file" && letter && !self.names.options.contains_key(name) {
                let number =
                    name.bytes().fold(0, |sum, byte| sum * 26 + i32::from(byte - b'a') + 1);
                return Some(number);
            }
        }
        self.integer(expr).and_then(|number| i32::try_from(number).ok())
    }

    /// Tiles by how far they lie from the edge of the board: ring 1 is the edge.
    fn rings(&mut self, first: &'s Expr, last: Option<&'s Expr>) -> Vec<String> {
        let Some(low) = self.integer(first) else { return Vec::new() };
        let high = last.and_then(|last| self.integer(last)).unwrap_or(low);
        let rings = self.ring_numbers();
        let inside = |tile: &String| rings.get(tile).is_some_and(|at| (low..=high).contains(at));
        let tiles: Vec<String> = self.all_tiles().into_iter().filter(inside).collect();
        if tiles.is_empty() {
            let most = rings.values().max().copied().unwrap_or(0);
            let message = format!("there is no ring {low} to {high}: the board has 1 to {most}");
            self.error("out-of-range", first.span, message);
        }
        tiles
    }

    /// The ring of each tile: 1 where a step leaves the board, and so on inwards.
    fn ring_numbers(&self) -> BTreeMap<String, i64> {
        let directions = &self.definition.directions;
        let step =
            |tile: &String, along: &String| self.step_ends().get(&(tile.clone(), along.clone()));
        let edge = |tile: &String| directions.iter().any(|along| step(tile, along).is_none());
        let mut rings = BTreeMap::new();
        let mut now: Vec<String> = self.all_tiles().into_iter().filter(edge).collect();
        let mut ring = 1;
        while !now.is_empty() {
            for tile in &now {
                rings.insert(tile.clone(), ring);
            }
            let next =
                now.iter().flat_map(|tile| directions.iter().filter_map(|along| step(tile, along)));
            let next: BTreeSet<String> =
                next.filter(|tile| !rings.contains_key(*tile)).cloned().collect();
            now = next.into_iter().collect();
            ring += 1;
        }
        rings
    }

    /// Whether a truth about `rank`, `file` and `ring` holds of a tile; complains about other words.
    fn tile_holds(&mut self, truth: &'s Expr, tile: &str) -> Option<bool> {
        let both = |resolver: &mut Self, left: &'s Expr, right: &'s Expr| {
            Some((resolver.tile_number(left, tile)?, resolver.tile_number(right, tile)?))
        };
        match &truth.kind {
            ExprKind::Not(one) => self.tile_holds(one, tile).map(|holds| !holds),
            ExprKind::Binary(Operator::And, left, right) => {
                Some(self.tile_holds(left, tile)? & self.tile_holds(right, tile)?)
            }
            ExprKind::Binary(Operator::Or, left, right) => {
                Some(self.tile_holds(left, tile)? | self.tile_holds(right, tile)?)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = both(self, left, right)?;
                match operator {
                    Operator::Equal => Some(left == right),
                    Operator::Different => Some(left != right),
                    Operator::Less => Some(left < right),
                    Operator::AtMost => Some(left <= right),
                    Operator::Greater => Some(left > right),
                    Operator::AtLeast => Some(left >= right),
                    _ => self.no_formula(truth.span),
                }
            }
            _ => self.no_formula(truth.span),
        }
    }

    fn no_formula<T>(&mut self, span: Span) -> Option<T> {
        let message = "a region compares numbers made of `rank`, `file` and `ring` here";
        let error = Diagnostic::error("not-constant", span, message);
        self.report(error.help("such as `board where rank = file`"));
        None
    }

    fn tile_number(&mut self, number: &'s Expr, tile: &str) -> Option<i64> {
        match &number.kind {
            ExprKind::Name(name) if matches!(name.as_str(), "rank" | "file") => {
                let (column, row) = self.names.points.get(tile).copied()?;
                Some(i64::from(if name == "file" { column } else { row }) + 1)
            }
            ExprKind::Name(name) if name == "ring" => self.ring_numbers().get(tile).copied(),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.tile_number(left, tile)?, self.tile_number(right, tile)?);
                match operator {
                    Operator::Plus => left.checked_add(right),
                    Operator::Minus => left.checked_sub(right),
                    Operator::Times => left.checked_mul(right),
                    _ => self.no_formula(number.span),
                }
            }
            _ => self.integer(number),
        }
    }

    /// The tiles of a picture: every sign but a dot stands for one that belongs to it.
    fn drawn(&mut self, rows: &[Name]) -> Vec<String> {
        let (columns, high) = self.extent();
        let mut tiles = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let signs: Vec<char> = row.text.chars().filter(|c| !c.is_whitespace()).collect();
            if rows.len() as i32 != high || signs.len() as i32 != columns {
                let message = format!(
                    "the picture has {} rows of {} here, the board {high} of {columns}",
                    rows.len(),
                    signs.len()
                );
                self.error("drawing", row.span, message);
                return Vec::new();
            }
            for (column, _) in signs.iter().enumerate().filter(|(_, sign)| **sign != '.') {
                let place = (column as i32, high - 1 - index as i32);
                let at = self.names.points.iter().find(|(_, point)| **point == place);
                tiles.extend(at.map(|(name, _)| name.clone()));
            }
        }
        self.all_tiles().into_iter().filter(|tile| tiles.contains(tile)).collect()
    }

    fn extent(&self) -> (i32, i32) {
        let points = self.names.points.values();
        points.fold((0, 0), |(columns, rows), &(column, row)| {
            (columns.max(column + 1), rows.max(row + 1))
        })
    }

    fn faces_south(&self, player: Option<&str>) -> bool {
        let facing = self.sheet.players.iter().find(|one| Some(one.name.text.as_str()) == player);
        facing.and_then(|one| one.facing.as_ref()).is_some_and(|facing| facing.text == "south")
    }

    /// Tiles from which no step leads in a direction.
    fn side(&mut self, direction: &'s Expr) -> Vec<String> {
        let direction = self.direction(direction, &None);
        let at_edge =
            |tile: &String| !self.step_ends().contains_key(&(tile.clone(), direction.clone()));
        self.all_tiles().into_iter().filter(at_edge).collect()
    }

    /// Regions in the order of the file; where several in a row differ from player to player, those
    /// of the first player come first.
    pub(super) fn regions(&mut self) {
        let sheet = self.sheet;
        let mut own: Vec<(String, Region)> = Vec::new();
        for (name, tiles) in std::mem::take(&mut self.lattice) {
            self.names.regions.entry(name.clone()).or_default().insert(None, tiles.clone());
            self.definition.regions.push(Region { name, player: None, tiles });
        }
        for region in &sheet.regions {
            let name = region.name.text.clone();
            self.declared("region", &region.name);
            self.place(format!("regions/{name}"), region.name.span);
            let seats: Vec<Option<String>> = match &region.player {
                Some(player) => vec![Some(self.player(player))],
                None if self.is_seen(&region.tiles) => {
                    sheet.players.iter().map(|player| Some(player.name.text.clone())).collect()
                }
                None => vec![None],
            };
            for seat in seats {
                let tiles = self.constant(&region.tiles, &None, seat.as_deref());
                let entry = self.names.regions.entry(name.clone()).or_default();
                entry.insert(seat.clone(), tiles.clone());
                let region = Region { name: name.clone(), player: seat.clone(), tiles };
                match seat {
                    Some(seat) => own.push((seat, region)),
                    None => {
                        self.flush(&mut own);
                        self.definition.regions.push(region);
                    }
                }
            }
        }
        self.flush(&mut own);
    }

    fn flush(&mut self, own: &mut Vec<(String, Region)>) {
        for player in &self.sheet.players {
            let of = own.iter().filter(|(seat, _)| *seat == player.name.text);
            self.definition.regions.extend(of.map(|(_, region)| region.clone()));
        }
        own.clear();
    }

    /// Whether a set differs from player to player: it names rows, or a region that does.
    fn is_seen(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Band(word, ..) => word.text == "row",
            ExprKind::Name(name) => {
                self.names.regions.get(name).is_some_and(|of| !of.contains_key(&None))
            }
            ExprKind::Binary(_, left, right) => self.is_seen(left) || self.is_seen(right),
            ExprKind::Complement(one) | ExprKind::Dot(one, _) => self.is_seen(one),
            _ => false,
        }
    }

    /// The region of rows counted from a player's side, made where it is first used.
    pub(super) fn row_region(
        &mut self,
        word: &Name,
        first: &'s Expr,
        last: Option<&'s Expr>,
    ) -> String {
        let (sheet, size) = (self.sheet, self.band_size(word));
        let low = self.band_number(word, first, size).unwrap_or(1);
        let high = last.and_then(|last| self.band_number(word, last, size)).unwrap_or(low);
        let name = if low == high { format!("row-{low}") } else { format!("rows-{low}-{high}") };
        if !self.names.regions.contains_key(&name) {
            for player in &sheet.players {
                let seat = player.name.text.clone();
                let tiles = self.band(word, first, last, Some(&seat));
                let entry = self.names.regions.entry(name.clone()).or_default();
                entry.insert(Some(seat), tiles);
            }
        }
        name
    }

    /// Adds the regions that were made where they were used.
    pub(super) fn row_regions(&mut self) {
        let known: Vec<String> =
            self.definition.regions.iter().map(|one| one.name.clone()).collect();
        for player in &self.sheet.players {
            for (name, seats) in self.names.regions.iter().filter(|(name, _)| !known.contains(name))
            {
                let seat = Some(player.name.text.clone());
                if let Some(tiles) = seats.get(&seat) {
                    let (name, tiles) = (name.clone(), tiles.clone());
                    self.definition.regions.push(Region { name, player: seat, tiles });
                }
            }
        }
    }
}
