//! A game file as parsed: what was written, before any name is looked up.

mod expr;
mod hint;
mod secret;

pub use expr::{Expr, ExprKind, Operator, TileRange};
pub use hint::{PicturePart, Table, WeightPart};
pub use secret::{Commit, Deal, Pile, Sees};

use crate::span::Span;

/// A name and where it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

/// One statement of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it says.
    pub kind: ItemKind,
    /// Where it is.
    pub span: Span,
}

/// What a statement says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `game NAME is BASE`
    Game {
        /// The name of the game.
        name: Name,
        /// The game that it differs from.
        base: Option<Name>,
    },
    /// `about "…"`
    About(Name),
    /// `option NAME = VALUE`
    Choice {
        /// The option.
        name: Name,
        /// Its value unless another is chosen.
        value: Expr,
    },
    /// `players …`
    Players(Vec<Player>),
    /// `board SHAPE …`
    Board(Board),
    /// `tiles …`
    Tiles {
        /// Their names.
        names: Vec<Name>,
        /// Whether each holds any number of pieces.
        stacks: bool,
    },
    /// `link FROM DIRECTION TO`
    Link(Name, Name, Name),
    /// `region NAME(PLAYER) = SET`
    Region {
        /// The region.
        name: Name,
        /// Whose it is.
        player: Option<Name>,
        /// Its tiles.
        tiles: Expr,
    },
    /// `piece …`
    Piece(Piece),
    /// `flag …`
    Flag(Flag),
    /// `mark NAME on SET`
    Mark {
        /// The mark.
        name: Name,
        /// The tiles that carry it at the start.
        tiles: Option<Expr>,
    },
    /// `variable …`
    Variable(Variable),
    /// `dice NAME … sides N`
    Dice {
        /// The dice.
        names: Vec<Name>,
        /// How many sides each has.
        sides: Expr,
        /// Who sees what they show.
        seen_by: Option<Name>,
    },
    /// `sees WHAT on SET`
    Sees(Sees),
    /// `deck NAME: CARD …` or `pile NAME`
    Pile(Pile),
    /// `deal N from PILE to PILE`
    Deal(Deal),
    /// `commit NAME: ACT, …`
    Commit(Commit),
    /// `acts NAME, …`
    Acts(Vec<Name>),
    /// `setup …`
    Setup(Vec<Placing>),
    /// `let NAME(PARAMETERS) = …`
    Let {
        /// The name.
        name: Name,
        /// Names that stand for what it is used with.
        parameters: Vec<Name>,
        /// What it stands for.
        body: LetBody,
    },
    /// `require "what is wrong otherwise" TRUTH`
    Require {
        /// What is wrong otherwise.
        name: Name,
        /// Where it stands among those of a game that it changes.
        place: Option<Placement>,
        /// What must hold.
        holds: Expr,
    },
    /// `phase NAME when TRUTH`
    Phase {
        /// The phase.
        name: Name,
        /// When it is open.
        when: Option<Expr>,
        /// How much of the dice must be used.
        usage: Option<Name>,
        /// The number that a turn must bring as high as it can.
        most: Option<Expr>,
    },
    /// `rule NAME: …`
    Rule(Rule),
    /// `every move …`
    Every(Every),
    /// `win`, `lose` or `draw`
    Ending(Ending),
    /// `without rule NAME`
    Without {
        /// What sort of thing is left out.
        what: Name,
        /// Which.
        name: Name,
    },
    /// `test …`
    Test(Test),
    /// `notation WORD …`
    Notation(Vec<Name>),
    /// `picture …`
    Picture(Vec<PicturePart>),
    /// `weights …`
    Weights(Vec<WeightPart>),
}

/// A player as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The player's name.
    pub name: Name,
    /// Which direction is forward.
    pub facing: Option<Name>,
    /// The player's team.
    pub team: Option<Name>,
    /// Names of directions that mean something else for each player.
    pub directions: Vec<(Name, Name)>,
    /// Whether it only owns pieces.
    pub neutral: bool,
}

/// A board as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// `grid`, `hex`, `ring`, `track`, `lattice` or `graph`.
    pub shape: Name,
    /// Which hex board.
    pub outline: Option<Name>,
    /// Its sizes.
    pub sizes: Vec<Expr>,
    /// The directions that join its tiles.
    pub along: Option<Expr>,
    /// What the names of its tiles start with.
    pub prefix: Option<Name>,
    /// Tiles left out.
    pub holes: Vec<Name>,
    /// The directions in which the board goes on at its other side.
    pub wraps: Vec<Name>,
    /// Whether a lattice has no edges at its border.
    pub inner: bool,
    /// The lines of a graph.
    pub lines: Vec<GraphLines>,
    /// Whether a tile holds any number of pieces.
    pub stacks: bool,
}

/// Lines of a graph that lead in one direction: `up and down: a b c, d e f`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphLines {
    /// The direction from each tile to the next.
    pub along: Name,
    /// The direction back; the opposite of the first where it has one.
    pub back: Option<Name>,
    /// The tiles of each line.
    pub lines: Vec<Vec<Name>>,
}

/// A kind of piece as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The kind.
    pub name: Name,
    /// The letter for it in drawings.
    pub letter: Option<Name>,
    /// Whether it is royal.
    pub royal: bool,
    /// Numbers about it.
    pub attributes: Vec<(Name, Expr)>,
    /// How many each player has in hand at the start.
    pub supply: Vec<(Name, Expr)>,
    /// How it travels.
    pub ways: Vec<Way>,
}

/// A way of travelling as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// `step DIRECTIONS`
    Step(Expr),
    /// `slide DIRECTIONS`
    Slide(Expr),
    /// `leap N x M`: all leaps of N steps along one axis and M along the other.
    Leaper(Expr, Expr),
    /// `leap N DIRECTIONS` or `leap N..M DIRECTIONS`
    Far(Expr, Option<Expr>, Expr),
    /// `leap (DIRECTION …)`
    Path(Vec<Name>, Span),
    /// `first DIRECTIONS`
    First(Expr),
    /// `by dice NAME … along DIRECTION`
    Dice {
        /// The dice.
        dice: Vec<Name>,
        /// The direction.
        along: Expr,
        /// Whether it stops short at the last tile.
        short: bool,
    },
    /// `hop DIRECTIONS over SET`
    Hop {
        /// The directions.
        along: Expr,
        /// What is hopped over.
        over: Expr,
        /// Whether what is hopped over may be far off.
        approaching: bool,
        /// Whether the hop may end far beyond it.
        landing: bool,
    },
    /// `steps NAME in DIRECTIONS: NUMBER`
    Steps {
        /// A name for the direction inside the number.
        name: Name,
        /// The directions.
        along: Expr,
        /// How many steps.
        count: Expr,
    },
    /// `anywhere`
    Anywhere(Span),
    /// `stay`
    Stay(Span),
}

/// A flag as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The flag.
    pub name: Name,
    /// Whether it clears when its owner's next turn begins.
    pub fades: bool,
    /// The rule it serves.
    pub serves: Option<Name>,
    /// Kinds that carry it at the start.
    pub starts_on: Vec<Name>,
}

/// A variable as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The variable.
    pub name: Name,
    /// Its least and greatest value.
    pub bounds: (Expr, Expr),
    /// Its value at the start.
    pub start: Option<Expr>,
    /// Whether each player has one.
    pub per_player: bool,
    /// Whether it is kept beside the position.
    pub beside: bool,
    /// The variable that says how far back repetitions are counted.
    pub repetitions: Option<Name>,
    /// Who sees it: `owner`, `nobody` or a player.
    pub seen_by: Option<Name>,
}

/// Pieces placed at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placing {
    /// Rows of letters, from the top.
    Drawing {
        /// The rows.
        rows: Vec<Name>,
    },
    /// `PLAYER KIND TILES`
    List {
        /// Whose pieces.
        player: Name,
        /// Of which kind.
        kind: Option<Name>,
        /// Where, and how many on each tile.
        tiles: Vec<(Expr, Option<Expr>)>,
    },
}

/// What `let` gives a name to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LetBody {
    /// A set, tile, number, truth or some directions.
    Expr(Expr),
    /// Effects.
    Effects(Vec<Effect>),
}

/// A rule as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name; found from what it does where it is empty.
    pub name: Name,
    /// Where it stands among the rules of a game that it changes.
    pub place: Option<Placement>,
    /// Which events it judges.
    pub wants: Wants,
    /// Everything else about it.
    pub clauses: Vec<Clause>,
}

/// Where an item stands among others of its sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Before all others.
    First,
    /// After the one of this name.
    After(Name),
    /// Before the one of this name.
    Before(Name),
}

/// Which events a rule judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Pieces of these kinds that move.
    Move(Vec<Name>),
    /// Pieces of these kinds that enter, and whether they come from the hand.
    Put(Vec<Name>, bool),
    /// Dice, and whether their order is ignored.
    Roll(Vec<Name>, bool),
    /// An act.
    Act(Name),
    /// An act that names a tile.
    Pick(Name),
    /// A card drawn from a pile to a pile, and whose that is.
    Draw(Name, Name, Option<Expr>),
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Where the piece must stand.
    From(Expr),
    /// How it travels.
    By(Way, Span),
    /// What each tile on the way must be.
    Through(Expr),
    /// What the target must be, and what that is called.
    To(Expr, Option<Name>),
    /// Kinds of which one is chosen.
    Becoming(Vec<Name>),
    /// What must hold.
    Where(Expr),
    /// What happens before the move.
    Before(Vec<Effect>),
    /// What happens after it.
    Then(Vec<Effect>),
    /// What happens instead of it.
    Instead(Vec<Effect>),
    /// What must hold when all is done.
    Ensure(Expr),
    /// A word that stands for itself: `harmless`, `threatens`, `aside`, `otherwise`, `again`.
    Word(Name),
    /// The rank of the rule.
    Rank(Expr),
    /// What happens where something unseen makes the event impossible.
    Fails(Vec<Effect>),
    /// Who sees the event.
    SeenBy(Name),
}

/// What is added to many rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Every {
    /// `move`, `put`, `roll` or `act`.
    pub event: Name,
    /// Only rules of these kinds.
    pub kinds: Vec<Name>,
    /// Only rules with a choice of kinds.
    pub becoming: bool,
    /// Rules left out.
    pub except: Vec<Name>,
    /// Whether it is done before what the rules themselves say.
    pub first: bool,
    /// What is added.
    pub clauses: Vec<Clause>,
}

/// An ending as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// `win`, `lose` or `draw`.
    pub verb: Name,
    /// Why the game is over.
    pub name: Name,
    /// Where it stands among the endings of a game that it changes.
    pub place: Option<Placement>,
    /// Who wins.
    pub winner: Option<Expr>,
    /// About whom it is asked: `mover` or `each`.
    pub of: Option<Name>,
    /// When it holds.
    pub when: Expr,
    /// What it is worth.
    pub worth: Option<Expr>,
    /// The number of which the most wins.
    pub most: Option<Expr>,
    /// What each player gets.
    pub pays: Option<Expr>,
    /// Whether play may go on.
    pub goes_on: bool,
}

/// A test as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Where it is.
    pub span: Span,
    /// Values of options that the test is for.
    pub with: Vec<(Name, Expr)>,
    /// The position that it starts from.
    pub from: Option<Name>,
    /// What is tested.
    pub kind: TestKind,
}

/// What a test says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// The numbers of sequences of 1, 2, 3 … events.
    Perft(Vec<u64>),
    /// Events in a row, and how the game then stands.
    Play {
        /// The events.
        events: Vec<Name>,
        /// What is expected at their end.
        expect: Expect,
    },
}

/// What is expected at the end of a line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The game goes on.
    Open,
    /// The game is over for this reason.
    Over(Name),
    /// This event is refused, for a reason that contains this text.
    Refused(Name, Option<Name>),
    /// The number of legal events.
    Legal(u64),
    /// The position is written so.
    Position(Name),
}

/// An effect as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What it does.
    pub kind: EffectKind,
    /// Where it is.
    pub span: Span,
}

/// What an effect does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// `capture SET`
    Capture(Expr, Fate),
    /// `clear SET`
    Clear(Expr),
    /// `carry TILE -> TILE, …`
    Carry(Vec<(Expr, Expr)>),
    /// Every piece on some tiles goes one step in a direction.
    Shift(Expr, Expr),
    /// The two players change seats.
    SwapSeats,
    /// `turn next with TRUTH`
    TurnWith(Expr),
    /// `continue by RULE, … or ACT else EFFECTS`
    Continue {
        /// The rules.
        by: Vec<Name>,
        /// The act that stops.
        stop: Option<Name>,
        /// What happens where the piece cannot go on.
        otherwise: Vec<Effect>,
    },
    /// `flag SET as NAME …`, `unflag`, `mark`, `unmark`
    Label {
        /// The word.
        verb: Name,
        /// Where.
        on: Expr,
        /// Which flags or marks.
        names: Vec<Name>,
    },
    /// `change SET to KIND`
    Change(Expr, Name),
    /// `give SET to SEAT`
    Give(Expr, Expr),
    /// `place KIND of SEAT on SET`
    Place(Name, Option<Expr>, Expr),
    /// `VARIABLE of SEAT = NUMBER`, `+=`, `-=`
    Assign(Name, Option<Expr>, Name, Expr),
    /// `turn SEAT`
    Turn(Expr),
    /// `unroll DICE`
    Unroll(Vec<Name>),
    /// `show DICE as NUMBER`
    Show(Vec<Name>, Expr),
    /// `reset`
    Reset,
    /// `shuffle PILE into PILE`
    Shuffle(Name, Name),
    /// `sow TILE along DIRECTION`
    Sow {
        /// The tile.
        from: Expr,
        /// The direction.
        along: Expr,
        /// Tiles passed over.
        skip: Option<Expr>,
        /// The variable that gets the steps.
        count: Option<Name>,
    },
    /// `if TRUTH: … else: …`
    If(Expr, Vec<Effect>, Vec<Effect>),
    /// `each NAME in DOMAIN: …`
    Each(Name, Expr, Vec<Effect>),
    /// `repeat NUMBER: …`
    Repeat(Expr, Vec<Effect>),
    /// `custom "NAME"`
    Custom(Name),
    /// A name given by `let`, with arguments.
    Use(Name, Vec<Expr>),
    /// What could not be read.
    Broken,
}

/// Where captured pieces go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Out of play.
    Out,
    /// To a tile.
    Tile(Expr),
    /// To a hand; the mover's where nobody is named.
    Hand(Option<Expr>),
}
