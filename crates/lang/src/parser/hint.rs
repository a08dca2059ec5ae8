//! Pictures and weights.

use senet_core::written::KindWeight;

use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::syntax::{ExprKind, Name, PicturePart, Table, WeightPart};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn picture(&mut self) -> Vec<PicturePart> {
        let mut parts = vec![self.picture_part()];
        while !self.failed && self.eat(",") {
            parts.push(self.picture_part());
        }
        parts
    }

    fn picture_part(&mut self) -> PicturePart {
        if self.is("tiles") {
            return self.tiles_part();
        }
        let kind = self.name("a piece and its sign, `colour` or `tiles`");
        if kind.text == "colour" && self.kind() == Some(TokenKind::Word) {
            let player = self.name("a player");
            let color = match self.quoted() {
                Some(color) => color,
                None => self.name("a colour, such as `red` or \"#c2402f\""),
            };
            return PicturePart::Color { player, color };
        }
        let player = self.eat("of").then(|| self.name("a player"));
        PicturePart::Sign { kind, player, sign: self.text("the sign of the piece in quotes") }
    }

    fn tiles_part(&mut self) -> PicturePart {
        let start = self.take().span;
        let named = self.kind() == Some(TokenKind::Word) && !self.at_statement();
        let look = named.then(|| self.name("`squares`, `spots` or `crossings`"));
        let rows = if self.is("{") { self.drawing() } else { Vec::new() };
        if look.is_none() && rows.is_empty() {
            self.complain("`squares`, `spots`, `crossings`, or the tiles in braces as they lie");
        }
        PicturePart::Tiles { span: start.to(self.last_span()), look, rows }
    }

    pub(super) fn weights(&mut self) -> Vec<WeightPart> {
        let mut parts = vec![self.weight_part()];
        while !self.failed && self.eat(",") {
            parts.push(self.weight_part());
        }
        parts
    }

    fn weight_part(&mut self) -> WeightPart {
        let name = self.name("`mobility`, `tempo`, `swing`, `stake`, `view` or a piece");
        match name.text.as_str() {
            "mobility" | "tempo" | "swing" => WeightPart::Number(name, self.whole()),
            "stake" => WeightPart::Stake(self.name("a variable")),
            "view" => {
                let player = self.name("the player who sees the tiles so");
                let start = self.span();
                self.expect("{", "and the tiles in the order of tables");
                let tiles = match self.tile_list(start).kind {
                    ExprKind::Tiles(tiles) => tiles,
                    _ => Vec::new(),
                };
                WeightPart::View(player, tiles)
            }
            _ => self.kind_weight(name),
        }
    }

    fn kind_weight(&mut self, kind: Name) -> WeightPart {
        let counted = self.kind() == Some(TokenKind::Number) || self.is("-");
        let worth = counted.then(|| self.whole());
        let mut tables = Vec::new();
        while !self.failed && KindWeight::TABLES.iter().any(|table| self.is_clause(table)) {
            let name = self.take();
            tables.push(self.table(name));
        }
        if worth.is_none() && tables.is_empty() {
            self.complain("what the piece counts: a number, or `early` and a table");
        }
        WeightPart::Kind { kind, worth, tables }
    }

    fn table(&mut self, name: Name) -> Table {
        let start = self.span();
        self.expect("{", "and a number for each tile");
        let mut numbers = Vec::new();
        while !self.failed && !self.eat("}") {
            numbers.push(self.whole());
            self.eat(",");
        }
        Table { name, numbers, span: start.to(self.last_span()) }
    }

    /// A whole number that may be negative.
    fn whole(&mut self) -> i32 {
        let sign = if self.eat("-") { -1 } else { 1 };
        if self.kind() != Some(TokenKind::Number) {
            self.complain("a whole number");
            return 0;
        }
        let digits = self.take();
        digits.text.parse().map_or_else(
            |_| {
                let found = senet_core::notation::excerpt(&digits.text);
                let message = format!("the number {found} is too great");
                self.error(Diagnostic::error("number-too-great", digits.span, message));
                0
            },
            |number: i32| sign * number,
        )
    }
}
