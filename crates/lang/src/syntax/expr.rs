//! Expressions.

use super::Name;
use crate::span::Span;

/// An expression: a set, tile, number, truth, seat or some directions, whichever is wanted where it
/// stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A name or a word of the language.
    Name(String),
    /// A number.
    Number(i64),
    /// `NAME(…)`
    Call(Name, Vec<Expr>),
    /// `EXPR.NAME`
    Dot(Box<Expr>, Name),
    /// `EXPR of SEAT`
    Of(Box<Expr>, Box<Expr>),
    /// Two expressions with an operator between them.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `!SET`
    Complement(Box<Expr>),
    /// `-NUMBER`
    Negative(Box<Expr>),
    /// `not TRUTH`
    Not(Box<Expr>),
    /// `any SET`
    Any(Box<Expr>),
    /// `none SET`
    None(Box<Expr>),
    /// `{TILE …}`
    Tiles(Vec<TileRange>),
    /// `EXPR if TRUTH else EXPR`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `union NAME in DOMAIN where TRUTH: EXPR` and `some`, `each`.
    Bind {
        /// `union`, `some` or `each`.
        quantifier: Name,
        /// The name.
        name: Name,
        /// Its values.
        domain: Box<Expr>,
        /// Which of them count.
        filter: Option<Box<Expr>>,
        /// What is asked of each.
        body: Box<Expr>,
    },
    /// `line N of SET along DIRECTIONS`
    Line {
        /// Whether a longer line does not count.
        exact: bool,
        /// How many in a row.
        length: Box<Expr>,
        /// What each tile must be.
        of: Box<Expr>,
        /// Along which directions.
        along: Option<Box<Expr>>,
    },
    /// `rank N`, `file a`, `row N..M`, `side north`
    Band(Name, Box<Expr>, Option<Box<Expr>>),
    /// `SET where TRUTH`: the tiles of a region by their rank, file and ring.
    Filtered(Box<Expr>, Box<Expr>),
    /// `drawn { … }`: the tiles of a region as a picture, from the top.
    Drawn(Vec<Name>),
    /// `pieces(WHO KIND on SET)`
    Pieces {
        /// Whose.
        who: Box<Expr>,
        /// Of which kind.
        kind: Option<Name>,
        /// Where.
        on: Option<Box<Expr>>,
    },
    /// `turn PLAYER`
    Turn(Name),
    /// `relevant TRUTH`
    Relevant(Box<Expr>),
    /// `TRUTH "words"`
    Called(Box<Expr>, Name),
    /// What could not be read.
    Broken,
}

/// A tile, or the tiles from one to another in the order of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRange {
    /// The first tile.
    pub first: Name,
    /// The last, where it is a range.
    pub last: Option<Name>,
}

/// What stands between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the operator of its name")]
pub enum Operator {
    Or,
    And,
    In,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Union,
    Intersection,
    Minus,
    Plus,
    Times,
}
