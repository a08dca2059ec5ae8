//! Pieces, flags, marks, variables and dice, and where pieces stand at the start.

use std::collections::BTreeMap;

use senet_core::written::{
    Attribute, Die, Flag, Kind, Life, Mark, Piece, Placement, Share, Standing, Supply, Variable,
};

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::syntax::{self, Clause, EffectKind, Expr, LetBody, Name, Placing, Wants};

impl<'s> Resolver<'s> {
    /// Complains where a name is a word of the language.
    pub(super) fn declared(&mut self, what: &str, name: &Name) {
        let word = super::set::WORDS.contains(&name.text.as_str())
            && !matches!(name.text.as_str(), "light" | "dark");
        if word {
            let message =
                format!("`{}` is a word of the language and cannot name a {what}", name.text);
            self.error("reserved", name.span, message);
        }
    }

    /// Kinds, flags and marks, then the pieces that there are at the start.
    pub(super) fn pieces(&mut self) {
        let sheet = self.sheet;
        for piece in &sheet.pieces {
            self.declared("piece", &piece.name);
            self.place(format!("kinds/{}", piece.name.text), piece.name.span);
            let mut kind = Kind::new(piece.name.text.clone());
            kind.royal = piece.royal;
            kind.patterns = piece.ways.iter().flat_map(|way| self.patterns(way)).collect();
            for (name, value) in &piece.attributes {
                let value = self.integer(value).unwrap_or(0);
                kind.attributes.push(Attribute { name: name.text.clone(), value });
            }
            if self.is_unlimited(piece) {
                kind.supply = Supply::Unlimited;
            }
            if let Some(letter) = &piece.letter {
                self.names.letters.insert(letter.text.clone(), piece.name.text.clone());
            }
            self.definition.kinds.push(kind);
        }
        self.flags();
        for (name, tiles) in &sheet.marks {
            self.declared("mark", name);
            let tiles = tiles.as_ref().map(|tiles| self.constant(tiles, &None, None));
            let name = name.text.clone();
            self.definition.marks.push(Mark { name, tiles: tiles.unwrap_or_default() });
        }
        self.dice();
        self.supplies();
        self.setup();
    }

    fn flags(&mut self) {
        let sheet = self.sheet;
        for flag in &sheet.flags {
            self.declared("flag", &flag.name);
            self.place(format!("flags/{}", flag.name.text), flag.name.span);
            self.definition.flags.push(Flag {
                name: flag.name.text.clone(),
                life: if flag.fades { Life::Ephemeral } else { Life::Lasting },
                serves: flag.serves.as_ref().map(|rule| rule.text.clone()),
            });
            for kind in &flag.starts_on {
                self.kind_name(kind);
            }
        }
    }

    /// A kind that is put without a word about where from, and of which no pieces are listed, has
    /// no end.
    fn is_unlimited(&self, piece: &syntax::Piece) -> bool {
        let only = self.sheet.pieces.len() == 1;
        let named = |kinds: &[Name]| {
            kinds.iter().any(|kind| kind.text == piece.name.text) || (kinds.is_empty() && only)
        };
        let rules = self.sheet.phases.iter().flat_map(|phase| &phase.rules);
        let put = { rules }.any(|(rule, _)| match &rule.wants {
            Wants::Put(kinds, hand) => !hand && named(kinds),
            _ => false,
        });
        (put || self.is_placed(&piece.name.text)) && piece.supply.is_empty()
    }

    /// Whether some effect places pieces of a kind.
    fn is_placed(&self, kind: &str) -> bool {
        let sheet = self.sheet;
        let rules = sheet.phases.iter().flat_map(|phase| &phase.rules);
        let clauses = rules.flat_map(|(rule, _)| &rule.clauses);
        let clauses = clauses.chain(sheet.every.iter().flat_map(|every| &every.clauses));
        let effects = clauses.filter_map(|clause| match clause {
            Clause::Before(all) | Clause::Then(all) | Clause::Instead(all) => Some(all),
            _ => None,
        });
        let named = sheet.lets.iter().filter_map(|one| match &one.body {
            LetBody::Effects(all) => Some(all),
            LetBody::Expr(_) => None,
        });
        effects.chain(named).any(|all| all.iter().any(|effect| places(&effect.kind, kind)))
    }

    fn dice(&mut self) {
        let sheet = self.sheet;
        for (names, sides, seen_by) in &sheet.dice {
            let value = self.integer(sides).unwrap_or(6);
            let sides = u8::try_from(value).unwrap_or_else(|_| {
                self.error("out-of-range", sides.span, "a die has between 1 and 255 sides");
                6
            });
            for name in names {
                self.names.dice.insert(name.text.clone());
                let seen_by = self.sight(seen_by.as_ref());
                self.definition.dice.push(Die { name: name.text.clone(), sides, seen_by });
            }
        }
        let acts = sheet.acts.iter().map(|act| act.text.clone());
        self.definition.actions.extend(acts);
    }

    /// Variables, which numbers in rules name.
    pub(super) fn variables(&mut self) {
        let sheet = self.sheet;
        for variable in &sheet.variables {
            let name = variable.name.text.clone();
            self.place(format!("variables/{name}"), variable.name.span);
            self.names.variables.insert(name.clone());
            let min = self.integer(&variable.bounds.0).unwrap_or(0);
            let max = self.integer(&variable.bounds.1).unwrap_or(min);
            let start = variable.start.as_ref().and_then(|start| self.integer(start));
            let seen_by = self.sight(variable.seen_by.as_ref());
            self.definition.variables.push(Variable {
                seen_by,
                name,
                min,
                max,
                start: start.unwrap_or(min),
                share: if variable.per_player { Share::PerPlayer } else { Share::Common },
                standing: if variable.beside { Standing::Beside } else { Standing::Position },
                repetitions_within: variable.repetitions.as_ref().map(|one| one.text.clone()),
                swaps_seats: false,
            });
        }
    }

    /// Pieces that players have in hand at the start.
    fn supplies(&mut self) {
        let sheet = self.sheet;
        for piece in &sheet.pieces {
            for (player, count) in &piece.supply {
                let player = self.player(player);
                let count_at = count.span;
                let count = self.integer(count).unwrap_or(0);
                if !(0..=1024).contains(&count) {
                    self.error(
                        "out-of-range",
                        count_at,
                        "a player has between 0 and 1024 of a piece",
                    );
                    continue;
                }
                for _ in 0..count {
                    self.new_piece(&player, &piece.name.text);
                }
            }
        }
    }

    /// A further piece of a player, named by its number.
    fn new_piece(&mut self, player: &str, kind: &str) -> String {
        let prefix = format!("{player}-{kind}-");
        let like = self.definition.pieces.iter().rev();
        let last =
            like.filter_map(|piece| piece.name.strip_prefix(&prefix)?.parse::<u32>().ok()).next();
        let name = format!("{prefix}{}", last.unwrap_or(0) + 1);
        let (owner, kind) = (player.to_owned(), kind.to_owned());
        self.definition.pieces.push(Piece { name: name.clone(), owner, kind });
        name
    }

    fn put_at_start(&mut self, player: &str, kind: &str, tile: String) {
        let piece = self.new_piece(player, kind);
        let carries = |flag: &&syntax::Flag| flag.starts_on.iter().any(|one| one.text == kind);
        let flags = self.sheet.flags.iter().filter(carries).map(|flag| flag.name.text.clone());
        let flags = flags.collect();
        self.definition.setup.push(Placement { piece, tile, flags });
    }

    fn setup(&mut self) {
        let sheet = self.sheet;
        if let Some(Placing::List { player, .. }) = sheet.setup.first() {
            self.place("setup".into(), player.span);
        }
        for placing in &sheet.setup {
            match placing {
                Placing::Drawing { rows } => self.drawing(rows),
                Placing::List { player, kind, tiles } => self.list(player, kind.as_ref(), tiles),
            }
        }
    }

    fn list(&mut self, player: &Name, kind: Option<&Name>, tiles: &'s [(Expr, Option<Expr>)]) {
        let owner = self.player(player);
        let known = |name: &Name| self.definition.kinds.iter().any(|kind| kind.name == name.text);
        let only =
            (self.definition.kinds.len() == 1).then(|| self.definition.kinds[0].name.clone());
        let (kind, first) = match (kind, only) {
            (Some(kind), Some(only)) if !known(kind) => (only, self.tile_named(kind)),
            (Some(kind), _) => (self.kind_name(kind), None),
            (None, Some(only)) => (only, None),
            (None, None) => {
                self.error("missing", player.span, "the kind of piece is missing");
                return;
            }
        };
        if let Some(first) = first {
            self.put_at_start(&owner, &kind, first);
        }
        for (on, count) in tiles {
            let count = count.as_ref().map_or(Some(1), |count| self.integer(count)).unwrap_or(0);
            if !(0..=1024).contains(&count) {
                self.error("out-of-range", on.span, "a tile starts with between 0 and 1024 pieces");
                continue;
            }
            for tile in self.constant(on, &None, Some(&owner)) {
                for _ in 0..count {
                    self.put_at_start(&owner, &kind, tile.clone());
                }
            }
        }
    }

    /// Rows of letters from the top: capitals for the first player, small letters for the second,
    /// dots and numbers for empty tiles.
    fn drawing(&mut self, rows: &[Name]) {
        let top = self.names.points.values().map(|(_, row)| *row).max().unwrap_or(0);
        if rows.len() as i32 != top + 1 {
            let span = rows.first().map_or(self.sheet.name.span, |row| row.span);
            let message = format!("the drawing has {} rows, the board {}", rows.len(), top + 1);
            return self.error("drawing", span, message);
        }
        let at: BTreeMap<(i32, i32), String> =
            self.names.points.iter().map(|(name, point)| (*point, name.clone())).collect();
        let mut placed: [Vec<(i32, i32, String, String)>; 2] = [Vec::new(), Vec::new()];
        for (index, row) in rows.iter().enumerate() {
            let y = top - index as i32;
            for (x, letter) in self.letters(row) {
                let Some(tile) = at.get(&(x, y)) else {
                    let message = format!("the row reaches beyond the board at `{letter}`");
                    self.error("drawing", row.span, message);
                    break;
                };
                let capital = letter.to_uppercase();
                let Some(kind) = self.names.letters.get(&capital).cloned() else {
                    let letters: Vec<String> = self.names.letters.keys().cloned().collect();
                    let message = format!("no piece has the letter `{letter}`");
                    let error = Diagnostic::error("drawing", row.span, message);
                    self.report(error.help(format!("letters are {}", letters.join(" "))));
                    continue;
                };
                let second = letter != capital;
                placed[usize::from(second)].push((y, x, kind, tile.clone()));
            }
        }
        let sheet = self.sheet;
        for (player, mut placed) in sheet.players.iter().zip(placed) {
            let south = player.facing.as_ref().is_some_and(|facing| facing.text == "south");
            placed.sort_by_key(|(y, x, ..)| (if south { -y } else { *y }, *x));
            for (_, _, kind, tile) in placed {
                self.put_at_start(&player.name.text, &kind, tile);
            }
        }
    }

    /// The letters of a row with their columns.
    fn letters(&mut self, row: &Name) -> Vec<(i32, String)> {
        let mut letters = Vec::new();
        let (mut column, mut empty) = (0i32, 0i32);
        for c in row.text.chars() {
            if let Some(digit) = c.to_digit(10) {
                empty = empty.saturating_mul(10).saturating_add(digit as i32);
                continue;
            }
            column = column.saturating_add(std::mem::take(&mut empty));
            match c {
                '.' => column = column.saturating_add(1),
                c if c.is_whitespace() => {}
                c => {
                    letters.push((column, c.to_string()));
                    column = column.saturating_add(1);
                }
            }
        }
        letters
    }
}

/// Whether an effect, or one inside it, places pieces of a kind.
fn places(effect: &EffectKind, kind: &str) -> bool {
    let within = |all: &[syntax::Effect]| all.iter().any(|one| places(&one.kind, kind));
    match effect {
        EffectKind::Place(placed, ..) => placed.text == kind,
        EffectKind::If(_, then, otherwise) => within(then) || within(otherwise),
        EffectKind::Each(_, _, all) | EffectKind::Repeat(_, all) => within(all),
        _ => false,
    }
}
