//! Directions, seats and players.

use std::collections::BTreeSet;

use senet_core::builder::{DIAGONALS, EIGHT, FOUR, LINES, SIX};
use senet_core::written::{Facing, Player, Seat, Who};

use super::Resolver;
use super::scope::{self, Bound, Env};
use crate::syntax::{Expr, ExprKind, Name, Operator};

/// Names for several directions.
const GROUPS: [(&str, &[&str]); 5] = [
    ("orthogonal", &FOUR),
    ("diagonal", &DIAGONALS),
    ("eight", &EIGHT),
    ("lines", &LINES),
    ("six", &SIX),
];

/// Directions with their opposites.
const OPPOSITES: [(&str, &str); 6] = [
    ("north", "south"),
    ("north-east", "south-west"),
    ("east", "west"),
    ("south-east", "north-west"),
    ("forward", "backward"),
    ("clockwise", "counter-clockwise"),
];

/// Directions relative to a player who faces a side of the board, in the order in which they are
/// written down.
const RELATIVE: [&str; 12] = [
    "forward",
    "backward",
    "forward-east",
    "forward-west",
    "backward-east",
    "backward-west",
    "left",
    "right",
    "forward-left",
    "forward-right",
    "backward-left",
    "backward-right",
];

/// The opposite of a direction.
pub(super) fn opposite(direction: &str) -> Option<&'static str> {
    OPPOSITES.iter().find_map(|(one, other)| match direction {
        _ if direction == *one => Some(*other),
        _ if direction == *other => Some(*one),
        _ => None,
    })
}

/// What a relative direction means to a player who faces a direction of the compass.
fn relative(name: &str, facing: &str) -> Option<String> {
    let back = opposite(facing)?;
    let (left, right) = match facing {
        "north" => ("west", "east"),
        "east" => ("north", "south"),
        "south" => ("east", "west"),
        "west" => ("south", "north"),
        _ => {
            return matches!(name, "forward" | "backward")
                .then(|| if name == "forward" { facing.to_owned() } else { back.to_owned() });
        }
    };
    let (ahead, side) = match name.split_once('-') {
        Some((ahead, side)) => (ahead, Some(side)),
        None => (name, None),
    };
    let turn = |word: &str| match word {
        "forward" => facing.to_owned(),
        "backward" => back.to_owned(),
        "left" => left.to_owned(),
        "right" => right.to_owned(),
        other => other.to_owned(),
    };
    let Some(side) = side else { return Some(turn(ahead)) };
    let (ahead, side) = (turn(ahead), turn(side));
    let vertical = matches!(ahead.as_str(), "north" | "south");
    let joined = if vertical { format!("{ahead}-{side}") } else { format!("{side}-{ahead}") };
    EIGHT.contains(&joined.as_str()).then_some(joined)
}

impl<'s> Resolver<'s> {
    /// Whether a name is that of a direction here.
    pub(super) fn is_direction(&self, name: &str, env: &Env<'s>) -> bool {
        matches!(scope::find(env, name), Some(Bound::Direction(_))) || self.knows_direction(name)
    }

    fn knows_direction(&self, name: &str) -> bool {
        let group = GROUPS.iter().any(|(group, _)| *group == name) || name == "all";
        group || self.definition.directions.iter().any(|one| one == name) || self.is_relative(name)
    }

    fn is_relative(&self, name: &str) -> bool {
        self.sheet.players.iter().any(|player| {
            let own = player.directions.iter().any(|(one, _)| one.text == name);
            own || player.facing.is_some() && RELATIVE.contains(&name)
        })
    }

    /// Some directions: a name, a group of them, or several with `|` between them.
    pub(super) fn directions(&mut self, expr: &'s Expr, env: &Env<'s>) -> Vec<String> {
        let (expr, env) = self.expand(expr, env);
        match &expr.kind {
            ExprKind::Binary(Operator::Union, left, right) => {
                let mut all = self.directions(left, &env);
                all.extend(self.directions(right, &env));
                all
            }
            ExprKind::Name(name) => {
                let name = Name { text: name.clone(), span: expr.span };
                self.named_directions(&name, &env)
            }
            ExprKind::Broken => Vec::new(),
            _ => {
                self.error("wrong-type", expr.span, "expected a direction");
                Vec::new()
            }
        }
    }

    fn named_directions(&mut self, name: &Name, env: &Env<'s>) -> Vec<String> {
        if let Some(Bound::Direction(direction)) = scope::find(env, &name.text) {
            return vec![direction];
        }
        if name.text == "all" {
            return self.definition.directions.clone();
        }
        if let Some((_, group)) = GROUPS.iter().find(|(group, _)| *group == name.text) {
            return group.iter().map(|one| (*one).to_owned()).collect();
        }
        if self.definition.directions.contains(&name.text) {
            return vec![name.text.clone()];
        }
        if self.is_relative(&name.text) {
            self.relative.insert(name.text.clone());
            return vec![name.text.clone()];
        }
        let mut known: BTreeSet<String> = self.definition.directions.iter().cloned().collect();
        if self.sheet.players.iter().any(|player| player.facing.is_some()) {
            known.extend(RELATIVE.map(String::from));
        }
        known.extend(GROUPS.map(|(group, _)| group.to_owned()));
        self.unknown("direction", name, known.iter().map(String::as_str));
        Vec::new()
    }

    /// Exactly one direction.
    pub(super) fn direction(&mut self, expr: &'s Expr, env: &Env<'s>) -> String {
        let mut all = self.directions(expr, env);
        if all.len() > 1 {
            let message = format!("expected one direction, but these are {}", all.len());
            self.error("wrong-type", expr.span, message);
        }
        all.pop().unwrap_or_default()
    }

    /// A direction written after a dot.
    pub(super) fn dotted(&mut self, name: &'s Name, env: &Env<'s>) -> Vec<String> {
        match scope::find(env, &name.text) {
            Some(Bound::Argument(argument, scope)) => self.directions(argument, &scope),
            _ => match self.names.lets.get(&name.text).map(|one| &one.body) {
                Some(crate::syntax::LetBody::Expr(body)) => self.directions(body, &None),
                _ => self.named_directions(name, env),
            },
        }
    }

    /// One of each two opposite directions of the board.
    pub(super) fn line_directions(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for direction in &self.definition.directions {
            let covered = opposite(direction).is_some_and(|one| lines.iter().any(|l| l == one));
            if !covered {
                lines.push(direction.clone());
            }
        }
        lines
    }

    fn is_player(&self, name: &str) -> bool {
        self.sheet.players.iter().any(|player| player.name.text == name)
    }

    /// Exactly one player.
    pub(super) fn seat(&mut self, expr: &'s Expr, env: &Env<'s>) -> Seat {
        let (expr, _) = self.expand(expr, env);
        let ExprKind::Name(name) = &expr.kind else {
            self.error("wrong-type", expr.span, "expected a player");
            return Seat::Mover;
        };
        match name.as_str() {
            "mover" => Seat::Mover,
            "next" => Seat::Next,
            "previous" => Seat::Previous,
            _ if self.is_player(name) => Seat::Player(name.clone()),
            _ => {
                let name = Name { text: name.clone(), span: expr.span };
                self.unknown_player(&name, &["mover", "next", "previous"]);
                Seat::Mover
            }
        }
    }

    /// Any of several players.
    pub(super) fn who(&mut self, expr: &'s Expr, env: &Env<'s>) -> Who {
        let (expr, _) = self.expand(expr, env);
        let ExprKind::Name(name) = &expr.kind else {
            self.error("wrong-type", expr.span, "expected a player");
            return Who::Mover;
        };
        match name.as_str() {
            "mover" | "own" => Who::Mover,
            "ally" => Who::Ally,
            "friend" => Who::Friend,
            "foe" => Who::Foe,
            "anyone" => Who::Anyone,
            _ if self.is_player(name) => Who::Player(name.clone()),
            _ => {
                let name = Name { text: name.clone(), span: expr.span };
                self.unknown_player(&name, &["mover", "foe", "ally", "friend", "anyone"]);
                Who::Mover
            }
        }
    }

    fn unknown_player(&mut self, name: &Name, words: &[&str]) {
        let sheet = self.sheet;
        let players = sheet.players.iter().map(|player| player.name.text.as_str());
        self.unknown("player", name, players.chain(words.iter().copied()));
    }

    /// The name of a player, or a complaint.
    pub(super) fn player(&mut self, name: &Name) -> String {
        if !self.is_player(&name.text) {
            self.unknown_player(name, &[]);
        }
        name.text.clone()
    }

    /// Players with the relative directions that the game uses.
    pub(super) fn players(&mut self) {
        let sheet = self.sheet;
        if sheet.players.is_empty() {
            let error =
                crate::Diagnostic::error("missing", sheet.name.span, "no players are named");
            self.report(error.help("write `players white, black`"));
        }
        for player in &sheet.players {
            let mut directions = Vec::new();
            if let Some(facing) = &player.facing {
                self.facing(facing);
                let used = RELATIVE.into_iter().filter(|name| self.relative.contains(*name));
                for name in used.collect::<Vec<_>>() {
                    match relative(name, &facing.text) {
                        Some(direction) => {
                            directions.push(Facing { name: name.to_owned(), direction });
                        }
                        None => {
                            let message = format!(
                                "`{name}` has no meaning for a player who faces {}",
                                facing.text
                            );
                            self.error("facing", facing.span, message);
                        }
                    }
                }
            }
            for (name, direction) in &player.directions {
                self.facing(direction);
                let direction = direction.text.clone();
                directions.push(Facing { name: name.text.clone(), direction });
            }
            let team = player.team.as_ref().map(|team| team.text.clone());
            self.place(format!("players/{}", player.name.text), player.name.span);
            self.definition.players.push(Player {
                name: player.name.text.clone(),
                team,
                directions,
                neutral: player.neutral,
            });
        }
    }

    fn facing(&mut self, name: &Name) {
        let compass = FOUR.contains(&name.text.as_str());
        if !compass && !self.definition.directions.contains(&name.text) {
            let known = self.definition.directions.clone();
            self.unknown("direction of the board", name, known.iter().map(String::as_str));
        }
    }
}
