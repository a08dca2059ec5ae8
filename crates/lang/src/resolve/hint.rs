//! Pictures and weights.

use senet_core::notation::nearest;
use senet_core::written::{COLORS, KindWeight, Sign, TileLook, TileOrder, Tint, Weights};

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Name, PicturePart, TileRange, WeightPart};

impl<'s> Resolver<'s> {
    /// What the game says beside its rules.
    pub(super) fn hints(&mut self) {
        let sheet = self.sheet;
        for part in &sheet.picture {
            self.picture(part);
        }
        for part in &sheet.weights {
            self.weight(part);
        }
        self.views();
    }

    fn picture(&mut self, part: &'s PicturePart) {
        match part {
            PicturePart::Sign { kind, player, sign } => self.sign(kind, player.as_ref(), sign),
            PicturePart::Color { player, color } => {
                let player = self.player_named(player);
                if !Tint::is_color(&color.text) {
                    let found = senet_core::notation::excerpt(&color.text);
                    let error = Diagnostic::error(
                        "unknown-name",
                        color.span,
                        format!("`{found}` is no colour"),
                    );
                    let near = nearest(&color.text, COLORS.into_iter());
                    let help = format!("write {}, or \"#c2402f\"", COLORS.join(", "));
                    self.report(error.near(near).help(help));
                }
                let tints = &mut self.definition.picture.colors;
                tints.retain(|tint| tint.player != player);
                tints.push(Tint { player, color: color.text.clone() });
            }
            PicturePart::Tiles { span, look, rows } => {
                self.place("picture/tiles".into(), *span);
                if let Some(look) = look {
                    self.tile_look(look);
                }
                if !rows.is_empty() {
                    self.definition.picture.rows = rows.iter().map(|row| self.row(row)).collect();
                }
            }
        }
    }

    fn sign(&mut self, kind: &Name, player: Option<&Name>, sign: &Name) {
        self.place(format!("picture/{}", kind.text), kind.span);
        let kind = self.kind_name(kind);
        let player = player.map(|player| self.player_named(player));
        let mut letters = sign.text.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            let message = format!("the sign of a piece is one character, found \"{}\"", sign.text);
            return self.error("sign", sign.span, message);
        };
        if letter.is_control() || letter.is_whitespace() {
            return self.error("sign", sign.span, "this sign would not be seen");
        }
        let signs = &mut self.definition.picture.signs;
        signs.retain(|one| one.kind != kind || one.player != player);
        signs.push(Sign { kind, player, sign: letter });
    }

    fn tile_look(&mut self, look: &Name) {
        self.definition.picture.tiles = match look.text.as_str() {
            "squares" => Some(TileLook::Squares),
            "spots" => Some(TileLook::Spots),
            "crossings" => Some(TileLook::Crossings),
            _ => {
                self.unknown("look of tiles", look, ["squares", "spots", "crossings"].into_iter());
                None
            }
        };
    }

    /// The tiles of a row of a drawing, with empty names for dots.
    fn row(&mut self, row: &Name) -> Vec<String> {
        let base = row.text.as_ptr() as usize;
        let mut tiles = Vec::new();
        for word in row.text.split_whitespace() {
            if word == "." {
                tiles.push(String::new());
                continue;
            }
            let start = row.span.start + (word.as_ptr() as usize - base) as u32;
            let span = crate::Span { start, end: start + word.len() as u32, ..row.span };
            let name = Name { text: word.to_owned(), span };
            tiles.extend(self.tile_named(&name));
        }
        tiles
    }

    fn player_named(&mut self, name: &Name) -> String {
        let sheet = self.sheet;
        let known = || sheet.players.iter().map(|player| player.name.text.as_str());
        if !known().any(|player| player == name.text) {
            self.unknown("player", name, known());
        }
        name.text.clone()
    }

    fn weight(&mut self, part: &'s WeightPart) {
        let mut weights = self.definition.weights.take().unwrap_or_default();
        match part {
            WeightPart::Number(name, number) => match name.text.as_str() {
                "mobility" => weights.mobility = *number,
                "tempo" => weights.tempo = *number,
                _ => weights.swing = Some(*number),
            },
            WeightPart::Stake(name) => {
                self.place("weights/stake".into(), name.span);
                weights.stake = Some(name.text.clone());
            }
            WeightPart::View(player, tiles) => self.view(&mut weights, player, tiles),
            WeightPart::Kind { kind, worth, tables } => {
                self.place(format!("weights/{}", kind.text), kind.span);
                let mut weight =
                    KindWeight { kind: self.kind_name(kind), worth: *worth, ..Default::default() };
                for table in tables {
                    let place = format!("weights/{}/{}", kind.text, table.name.text);
                    self.place(place, table.name.span);
                    if let Some(numbers) = weight.table_mut(&table.name.text) {
                        numbers.clone_from(&table.numbers);
                    }
                }
                weights.kinds.retain(|one| one.kind != weight.kind);
                weights.kinds.push(weight);
            }
        }
        self.definition.weights = Some(weights);
    }

    fn view(&mut self, weights: &mut Weights, player: &Name, tiles: &[TileRange]) {
        self.place(format!("weights/view {}", player.text), player.span);
        let player = self.player_named(player);
        let tiles = self.listed(tiles);
        weights.views.retain(|view| view.player != player);
        weights.views.push(TileOrder { player, tiles });
    }

    /// Where no view is written, tables are drawn as the first player sees the board: from the top,
    /// and the other way round for a player who faces south.
    fn views(&mut self) {
        let Some(weights) = &mut self.definition.weights else { return };
        let drawn = weights.kinds.iter().any(|kind| kind.tables().iter().any(|t| !t.is_empty()));
        if !drawn || !weights.views.is_empty() {
            return;
        }
        let mut tiles: Vec<(&str, (i32, i32))> = Vec::new();
        for tile in &self.definition.tiles {
            tiles.extend(self.names.points.get(&tile.name).map(|at| (tile.name.as_str(), *at)));
        }
        for player in &self.sheet.players {
            let south = player.facing.as_ref().is_some_and(|facing| facing.text == "south");
            tiles.sort_by_key(|(_, (x, y))| (if south { *y } else { -*y }, *x));
            let player = player.name.text.clone();
            let tiles = tiles.iter().map(|(name, _)| (*name).to_owned()).collect();
            weights.views.push(TileOrder { player, tiles });
        }
    }
}
