//! Statements about cards and about who sees what.

use super::{Effect, Expr, Name};

/// What players see of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sees {
    /// `pieces`, `kinds`, `flag`, `mark` or `hand`.
    pub what: Name,
    /// Which flag or mark; who sees hands.
    pub name: Option<Name>,
    /// On which tiles.
    pub on: Option<Expr>,
    /// The kind that pieces elsewhere look like.
    pub shown: Option<Name>,
}

/// A pile of cards as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pile {
    /// The pile.
    pub name: Name,
    /// Its cards at the start, and how many of each.
    pub cards: Vec<(Name, Option<Expr>)>,
    /// Whether each player has one.
    pub each: bool,
    /// Who sees the cards in it.
    pub seen_by: Option<Name>,
}

/// Cards dealt to every player in turn, before anything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// How many cards.
    pub count: Expr,
    /// The pile that they leave.
    pub from: Name,
    /// The pile of each player that they are added to.
    pub to: Name,
}

/// A choice that all players make at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The variable that holds what was chosen, once all have.
    pub name: Name,
    /// When players choose.
    pub when: Option<Expr>,
    /// The acts of which each player chooses one.
    pub acts: Vec<Name>,
    /// What happens when all have chosen.
    pub then: Vec<Effect>,
}
