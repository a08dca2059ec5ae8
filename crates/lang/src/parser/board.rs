//! Boards, players and pieces.

use super::Parser;
use crate::syntax::{Board, Flag, GraphLines, Name, Piece, Placing, Player, Variable};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn players(&mut self) -> Vec<Player> {
        let mut players = vec![self.player()];
        while self.eat(",") {
            players.push(self.player());
        }
        players
    }

    fn player(&mut self) -> Player {
        let name = self.name("the name of a player");
        let neutral = self.eat("neutral");
        let facing = self.eat("facing").then(|| self.name("the direction that is forward"));
        let team = self.eat("team").then(|| self.name("the name of a team"));
        let mut directions = Vec::new();
        if self.eat("(") {
            while !self.failed && !self.eat(")") {
                let relative = self.name("a name for a direction, or `)` after the last");
                self.expect("=", "and the direction that it means to this player");
                directions.push((relative, self.name("a direction of the board")));
                self.eat(",");
            }
        }
        Player { name, facing, team, directions, neutral }
    }

    pub(super) fn board(&mut self) -> Board {
        let shape = self
            .name("the shape of the board: `grid`, `hex`, `ring`, `track`, `lattice` or `graph`");
        let outline = (shape.text == "hex")
            .then(|| self.name("`rhombus`, `hexagon` or `triangle` and its size"));
        let mut board = Board {
            shape,
            outline,
            sizes: Vec::new(),
            along: None,
            prefix: None,
            holes: Vec::new(),
            stacks: false,
            wraps: Vec::new(),
            inner: false,
            lines: Vec::new(),
        };
        if board.shape.text != "graph" {
            board.sizes.push(self.prefix_number());
        }
        if self.eat("x") {
            board.sizes.push(self.prefix_number());
        }
        while !self.failed && !self.at_statement() {
            if self.eat("along") {
                board.along = Some(self.union());
            } else if self.eat("prefix") {
                board.prefix = Some(self.name("what the names of tiles start with"));
            } else if self.eat("stacks") {
                board.stacks = true;
            } else if self.eat("inner") {
                board.inner = true;
            } else if self.is("wraps") {
                let word = self.take();
                board.wraps.push(if self.is("east") || self.is("north") {
                    self.take()
                } else {
                    word
                });
            } else if board.shape.text == "graph" && self.starts_lines() {
                let lines = self.graph_lines();
                board.lines.push(lines);
            } else if self.eat("without") {
                while self.kind() == Some(TokenKind::Word) && !self.at_statement() {
                    board.holes.push(self.take());
                    self.eat(",");
                }
            } else if self.is("orthogonal") || self.is("diagonal") || self.is("lines") {
                board.along = Some(self.union());
            } else {
                self.complain(
                    "`along`, `orthogonal`, `diagonal`, `prefix`, `stacks`, `wraps` or `without`",
                );
            }
        }
        board
    }

    /// Whether a direction of a graph comes, and its lines.
    fn starts_lines(&self) -> bool {
        let words = self.kind() == Some(TokenKind::Word);
        let after = |ahead: usize| self.text_at(self.at + ahead);
        words && (after(1) == ":" || after(1) == "and" && after(3) == ":")
    }

    fn graph_lines(&mut self) -> GraphLines {
        let along = self.take();
        let back = self.eat("and").then(|| self.take());
        self.at += 1;
        let mut lines = vec![self.graph_line()];
        while !self.failed && self.eat(",") {
            lines.push(self.graph_line());
        }
        GraphLines { along, back, lines }
    }

    fn graph_line(&mut self) -> Vec<Name> {
        let mut tiles = vec![self.name("the tiles of a line, one after another")];
        let named = [TokenKind::Word, TokenKind::Number].map(Some);
        while named.contains(&self.kind()) && !self.at_statement() && !self.starts_lines() {
            let option = ["prefix", "stacks", "wraps", "without"].contains(&self.next_text());
            if option {
                break;
            }
            tiles.push(self.take());
        }
        tiles
    }

    pub(super) fn piece(&mut self) -> Piece {
        let mut piece = Piece {
            name: self.name("a kind of piece"),
            letter: None,
            royal: false,
            attributes: Vec::new(),
            supply: Vec::new(),
            ways: Vec::new(),
        };
        while !self.failed && !self.at_statement() && !self.is(":") && !self.is(",") {
            let letter = self.next_text();
            let capital = letter.starts_with(char::is_uppercase) && letter.chars().count() == 1;
            if capital || self.kind() == Some(TokenKind::Text) {
                piece.letter = self.quoted().or_else(|| Some(self.take()));
            } else if self.eat("royal") {
                piece.royal = true;
            } else if self.eat("supply") {
                piece.supply.push((self.name("a player"), self.prefix_number()));
                while self.eat(",") {
                    piece.supply.push((self.name("a player"), self.prefix_number()));
                }
            } else if WAYS.contains(&letter) {
                piece.ways.push(self.way());
                self.eat(",");
            } else if self.kind() == Some(TokenKind::Word) {
                piece.attributes.push((self.take(), self.signed()));
            } else {
                self.complain("a letter, `royal`, a way such as `step north`, or a number's name");
            }
        }
        if self.eat(":") {
            piece.ways.push(self.way());
            while self.eat(",") {
                piece.ways.push(self.way());
            }
        }
        piece
    }

    fn signed(&mut self) -> crate::syntax::Expr {
        self.union()
    }

    pub(super) fn flag(&mut self) -> Flag {
        let name = self.name("the name of a flag");
        let mut flag = Flag { name, fades: false, serves: None, starts_on: Vec::new() };
        while !self.failed && !self.at_statement() && !self.is(",") {
            if self.eat("fades") {
                flag.fades = true;
            } else if self.eat("serves") {
                flag.serves = Some(self.phrase("the name of a rule"));
            } else if self.eat("on") {
                flag.starts_on = self.names("a kind of piece that carries it at the start");
            } else {
                self.complain("`fades`, `serves RULE` or `on KIND`");
            }
        }
        flag
    }

    pub(super) fn variable(&mut self) -> Variable {
        let name = self.name("the name of a variable");
        let low = self.union();
        self.expect("..", "between the least and the greatest value");
        let bounds = (low, self.union());
        let mut variable = Variable {
            name,
            bounds,
            start: None,
            per_player: false,
            beside: false,
            repetitions: None,
            seen_by: None,
        };
        while !self.failed && !self.at_statement() && !self.is(",") {
            if self.eat("start") {
                variable.start = Some(self.union());
            } else if self.eat("each") {
                variable.per_player = true;
            } else if self.eat("beside") {
                variable.beside = true;
            } else if self.eat("repetitions") {
                self.expect("within", "and the variable that says how far back they count");
                variable.repetitions = Some(self.name("a variable"));
            } else if self.is("seen") || self.is("hidden") {
                variable.seen_by = self.seen_by();
            } else {
                let words = "`start`, `each`, `beside`, `seen by` or `repetitions within`";
                self.complain(words);
            }
        }
        variable
    }

    pub(super) fn setup(&mut self) -> Vec<Placing> {
        if let Some(text) = self.quoted() {
            return vec![Placing::Drawing { rows: rows(&text, '/', 1) }];
        }
        if self.is("{") {
            return vec![Placing::Drawing { rows: self.drawing() }];
        }
        let mut placings = vec![self.placing()];
        while self.eat(",") {
            placings.push(self.placing());
        }
        placings
    }

    /// The lines between two braces, as they are written.
    pub(super) fn drawing(&mut self) -> Vec<Name> {
        let start = self.span();
        self.at += 1;
        while self.peek().is_some() && !self.is("}") && !(self.at_statement() && self.at_keyword())
        {
            self.at += 1;
        }
        let end = self.span();
        if self.expect("}", "after the last row of the drawing") {
            let span = crate::span::Span { start: start.end, end: end.start, ..start };
            let text = Name { text: self.text[span.range()].to_owned(), span };
            return rows(&text, '\n', 0);
        }
        Vec::new()
    }

    fn placing(&mut self) -> Placing {
        let player = self.name("a player");
        let kind = self.starts_kind().then(|| self.name("a kind of piece"));
        let mut tiles = Vec::new();
        while !self.failed && !self.at_statement() && !self.is(",") {
            let on = self.placed_on();
            tiles.push(on);
        }
        Placing::List { player, kind, tiles }
    }

    /// Whether a word comes that tiles follow.
    fn starts_kind(&self) -> bool {
        let band = ["rank", "ranks", "file", "files", "row", "rows", "side", "ring"];
        let word = self.kind() == Some(TokenKind::Word) && !band.contains(&self.next_text());
        let next = self.lexemes.get(self.at + 1);
        let followed = next.is_some_and(|lexeme| match lexeme.kind {
            TokenKind::Word | TokenKind::Number => !lexeme.first || lexeme.indent > self.indent,
            TokenKind::Symbol => ["{", "(", "!"].contains(&self.text_at(self.at + 1)),
            _ => false,
        });
        word && followed
    }

    fn placed_on(&mut self) -> (crate::syntax::Expr, Option<crate::syntax::Expr>) {
        let plain = matches!(self.kind(), Some(TokenKind::Word | TokenKind::Number));
        if plain && self.text_at(self.at + 1) == "*" {
            let tile = self.prefix_number();
            self.at += 1;
            return (tile, Some(self.prefix_number()));
        }
        (self.union(), None)
    }
}

const WAYS: [&str; 9] =
    ["step", "slide", "leap", "first", "by", "stay", "hop", "steps", "anywhere"];

/// The lines of a text that are not blank, each with its place.
fn rows(text: &Name, separator: char, offset: u32) -> Vec<Name> {
    let mut at = text.span.start + offset;
    let mut rows = Vec::new();
    for line in text.text.split(separator) {
        let line_at = at;
        at += line.len() as u32 + 1;
        let line = line.split("--").next().unwrap_or("");
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        let start = line_at + (line.len() - line.trim_start().len()) as u32;
        let span = crate::span::Span { start, end: start + trimmed.len() as u32, ..text.span };
        rows.push(Name { text: trimmed.to_owned(), span });
    }
    rows
}
