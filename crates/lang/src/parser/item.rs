//! Statements.

use super::Parser;
use crate::syntax::{Ending, Expr, ExprKind, ItemKind, LetBody, Name};

/// What a variant may leave out.
const SORTS: [&str; 10] = [
    "ending", "flag", "mark", "picture", "piece", "region", "require", "rule", "variable",
    "weights",
];

/// Whether another of its sort may follow a statement after a comma.
fn goes_on(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Let { body, .. } => matches!(body, LetBody::Expr(_)),
        ItemKind::Choice { .. }
        | ItemKind::Region { .. }
        | ItemKind::Piece(_)
        | ItemKind::Flag(_)
        | ItemKind::Mark { .. }
        | ItemKind::Variable(_)
        | ItemKind::Link(..)
        | ItemKind::Without { .. } => true,
        _ => false,
    }
}

impl Parser<'_> {
    /// Reads the statement that starts here. Where the same word would start the next one, a comma
    /// may stand instead: `option size = 9, stock = 10`.
    pub(super) fn listed(&mut self) -> Vec<ItemKind> {
        let word = self.take();
        let mut kinds = vec![self.item(word.clone())];
        while !self.failed && kinds.last().is_some_and(goes_on) && self.eat(",") {
            kinds.push(match kinds.last() {
                Some(ItemKind::Without { what, .. }) => self.without(Some(what.clone())),
                _ => self.item(word.clone()),
            });
        }
        kinds
    }

    fn item(&mut self, word: Name) -> ItemKind {
        match word.text.as_str() {
            "game" => {
                let name = self.name("the name of the game");
                let base = self.eat("is").then(|| self.name("the game that it differs from"));
                ItemKind::Game { name, base }
            }
            "about" => ItemKind::About(self.text("a sentence in quotes")),
            "option" => self.choice(),
            "players" | "player" => ItemKind::Players(self.players()),
            "board" => ItemKind::Board(self.board()),
            "tiles" => {
                let names = self.names("the name of a tile");
                ItemKind::Tiles { names, stacks: self.eat("stacks") }
            }
            "link" => {
                let from = self.name("the tile that the step leaves");
                let direction = self.name("the direction of the step");
                ItemKind::Link(from, direction, self.name("the tile that the step enters"))
            }
            "region" => self.region(),
            "piece" => ItemKind::Piece(self.piece()),
            "flag" => ItemKind::Flag(self.flag()),
            "mark" => {
                let name = self.name("the name of a mark");
                ItemKind::Mark { name, tiles: self.eat("on").then(|| self.union()) }
            }
            "variable" => ItemKind::Variable(self.variable()),
            "dice" => {
                let names = self.names("the name of a die");
                self.expect("sides", "and how many sides the dice have");
                let sides = self.prefix_number();
                ItemKind::Dice { names, sides, seen_by: self.seen_by() }
            }
            "sees" => ItemKind::Sees(self.sees()),
            "deck" => ItemKind::Pile(self.deck()),
            "pile" => ItemKind::Pile(self.pile()),
            "deal" => ItemKind::Deal(self.deal()),
            "commit" => ItemKind::Commit(self.commit()),
            "acts" => ItemKind::Acts(self.names("the name of an act")),
            "setup" => ItemKind::Setup(self.setup()),
            "let" => self.definition(),
            "require" => {
                let name = self.text("what is wrong otherwise, in quotes");
                let place = self.placement();
                ItemKind::Require { name, place, holds: self.expr() }
            }
            "phase" => self.phase(),
            "rule" => ItemKind::Rule(self.rule()),
            "every" => ItemKind::Every(self.every()),
            "win" | "lose" | "draw" => ItemKind::Ending(self.ending(word)),
            "without" => self.without(None),
            "test" => ItemKind::Test(self.test()),
            "notation" => self.notation(),
            "picture" => ItemKind::Picture(self.picture()),
            "weights" => ItemKind::Weights(self.weights()),
            _ => {
                self.at -= 1;
                ItemKind::Rule(self.nameless_rule())
            }
        }
    }

    /// What is left out; without a word about its sort, it is of the same sort as what comes before
    /// it.
    fn without(&mut self, same: Option<Name>) -> ItemKind {
        let named = SORTS.contains(&self.next_text());
        let what = match same {
            Some(same) if !named => same,
            _ => self.name("`rule`, `ending`, `require`, `region`, `flag` or `piece`"),
        };
        let whole = matches!(what.text.as_str(), "picture" | "weights");
        let name = if whole { what.clone() } else { self.phrase("the name of what is left out") };
        ItemKind::Without { what, name }
    }

    fn choice(&mut self) -> ItemKind {
        let name = self.name("the name of the option");
        self.expect("=", "and the value of the option");
        ItemKind::Choice { name, value: self.union() }
    }

    fn notation(&mut self) -> ItemKind {
        let mut words = vec![self.name("the name of a notation")];
        while !self.failed && !self.at_statement() {
            words.push(self.name("a word"));
        }
        ItemKind::Notation(words)
    }

    fn region(&mut self) -> ItemKind {
        let name = self.name("the name of a region");
        let player = self.eat("(").then(|| {
            let player = self.name("the player whose region it is");
            self.expect(")", "after the player");
            player
        });
        if self.is("drawn") && self.text_at(self.at + 1) == "{" {
            let start = self.take().span;
            let rows = self.drawing();
            let tiles = Expr { kind: ExprKind::Drawn(rows), span: start.to(self.last_span()) };
            return ItemKind::Region { name, player, tiles };
        }
        self.expect("=", "and the tiles of the region, or `drawn` and a picture of it");
        let mut tiles = self.union();
        if self.eat_clause("where") {
            let truth = self.expr();
            let span = tiles.span.to(truth.span);
            let kind = ExprKind::Filtered(Box::new(tiles), Box::new(truth));
            tiles = Expr { kind, span };
        }
        ItemKind::Region { name, player, tiles }
    }

    fn definition(&mut self) -> ItemKind {
        let name = self.name("a name");
        let mut parameters = Vec::new();
        if self.eat("(") {
            while !self.failed && !self.eat(")") {
                parameters.push(self.name("a parameter, or `)` after the last"));
                self.eat(",");
            }
        }
        let body = if self.eat("=") {
            LetBody::Expr(self.condition())
        } else {
            self.expect(":", "and effects, or `=` and an expression");
            LetBody::Effects(self.effects())
        };
        ItemKind::Let { name, parameters, body }
    }

    fn phase(&mut self) -> ItemKind {
        let name = match self.quoted() {
            Some(name) => name,
            None => {
                let mut name = self.name("the name of the phase");
                let ends = ["when", "uses", "reaching"];
                while !ends.contains(&self.next_text()) && !self.at_statement() && !self.failed {
                    let next = self.name("`when`, `uses`, `reaching` or the end of the name");
                    name.text = format!("{} {}", name.text, next.text);
                    name.span = name.span.to(next.span);
                }
                name
            }
        };
        let when = self.eat("when").then(|| self.expr());
        let usage = self.eat("uses").then(|| {
            let mut usage = self.name("`most` or `most-then-greatest`");
            usage.text = usage.text.replace('-', "_");
            usage
        });
        let most = self.eat("reaching").then(|| self.union());
        ItemKind::Phase { name, when, usage, most }
    }

    fn ending(&mut self, verb: Name) -> Ending {
        let name = self.text("why the game is over, in quotes");
        let place = self.placement();
        let winner = self.eat("for").then(|| self.seat());
        let of = self.eat("of").then(|| self.name("`mover` or `each`"));
        self.eat("when");
        let when = self.condition();
        let most = self.eat("most").then(|| self.union());
        let worth = self.eat("worth").then(|| self.union());
        let pays = self.eat("pays").then(|| self.union());
        let goes_on = self.eat("may");
        if goes_on {
            self.expect("go", "after `may`");
            self.expect("on", "after `may go`");
        }
        Ending { verb, name, place, winner, of, when, worth, most, pays, goes_on }
    }
}
