//! The game as written.
//!
//! The right to castle is a *mint* flag that lives on the rook; a king that moves takes it from
//! its rooks. So positions with the same rights are the same positions. Castling is written as the
//! king taking his own rook, from wherever they stand, which serves every start of Chess960 too.

use senet_core::builder::{DIAGONALS, EAST, EIGHT, FOUR, WEST};
use senet_core::{
    Builder, Definition, Effect, Ending, Flag, Grid, Kind, Movement, Number, Pattern, Phase,
    Player, Rule, Seat, Set, Tile, Truth, Variable, Who,
};

/// What the boards of chess and of its larger sisters differ in.
pub(crate) struct Shape {
    /// The kinds on the first rank at the start, from the west.
    pub(crate) rank: &'static [&'static str],
    /// The kinds that a pawn may become, in the order they are listed.
    pub(crate) promotions: &'static [&'static str],
    /// Kinds beyond those of chess.
    pub(crate) more: fn() -> Vec<Kind>,
}

/// The shape of chess itself.
const CHESS: Shape = Shape {
    rank: &["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"],
    promotions: &["queen", "rook", "bishop", "knight"],
    more: Vec::new,
};

/// Chess by the laws of FIDE.
pub fn definition() -> Definition {
    shaped("chess", &CHESS)
}

/// The rules of chess on a board of some shape.
pub(crate) fn shaped(name: &str, shape: &Shape) -> Definition {
    let builder = start(board(Builder::new(name), shape.rank.len()), shape.rank);
    endings(play(kinds(builder, shape), shape)).build()
}

/// Board, players and the regions that rules speak of.
fn board(builder: Builder, files: usize) -> Builder {
    let facing = |name: &str, ahead: &str, behind: &str| {
        Player::new(name)
            .facing("forward", ahead)
            .facing("backward", behind)
            .facing("forward-east", format!("{ahead}-east"))
            .facing("forward-west", format!("{ahead}-west"))
    };
    let rank = |rank: usize| (0..files).map(move |file| tile(file, rank));
    let all = (0..8).flat_map(|rank| (0..files).map(move |file| (file, rank)));
    let light = all.filter(|(file, rank)| (file + rank) % 2 == 1);
    let mut builder = builder
        .player(facing("white", "north", "south"))
        .player(facing("black", "south", "north"))
        .board(Grid::new(files as u16, 8).eight())
        .region("light", light.map(|(file, rank)| tile(file, rank)));
    for (player, home, pawns, last) in [("white", 0, 1, 7), ("black", 7, 6, 0)] {
        builder = builder
            .region_of(player, "pawn-start", rank(pawns))
            .region_of(player, "promotion", rank(last))
            .region_of(player, "king-east", [tile(files - 2, home)])
            .region_of(player, "rook-east", [tile(files - 3, home)])
            .region_of(player, "king-west", [tile(2, home)])
            .region_of(player, "rook-west", [tile(3, home)]);
    }
    builder
}

/// The leaps of a knight.
pub(crate) fn leaps() -> impl Iterator<Item = Pattern> {
    let turns = FOUR.iter().zip(FOUR.iter().cycle().skip(1));
    let steps = turns.flat_map(|(one, two)| [[*one, *one, *two], [*one, *two, *two]]);
    steps.map(|steps| Pattern::leap(&steps))
}

fn kinds(builder: Builder, shape: &Shape) -> Builder {
    let worth = |kind: Kind, value: i64| kind.attribute("worth", value);
    let knight = leaps().fold(Kind::new("knight"), Kind::travels);
    let builder = builder
        .kind(worth(Kind::new("pawn"), 100))
        .kind(worth(knight, 320))
        .kind(worth(Kind::new("bishop").travels(Pattern::slides(&DIAGONALS)), 330))
        .kind(worth(Kind::new("rook").travels(Pattern::slides(&FOUR)), 500))
        .kind(worth(Kind::new("queen").travels(Pattern::slides(&EIGHT)), 900))
        .kind(Kind::new("king").travels(Pattern::steps(&EIGHT)).royal());
    (shape.more)()
        .into_iter()
        .fold(builder, Builder::kind)
        .flag(Flag::new("mint"))
        .flag(Flag::ephemeral("passing").serving("en passant"))
        .variable(Variable::counter("clock", 1000).beside())
        .variable(Variable::new("move", 1, 9999).starting(1).beside())
        .variable(Variable::new("repetitions", 1, 1000).beside().repetitions_within("clock"))
        .variable(Variable::counter("claimed", 2))
        .variable(Variable::counter("agreed", 1))
        .variable(Variable::counter("resigned", 1).per_player())
}

/// The pieces of a first rank, pawns before them, and the rooks mint.
fn start(mut builder: Builder, rank: &[&str]) -> Builder {
    for (player, home, pawns) in [("white", 0, 1), ("black", 7, 6)] {
        for (file, kind) in rank.iter().enumerate() {
            let count = rank[..file].iter().filter(|other| other == &kind).count() + 1;
            let name = format!("{player}-{kind}-{count}");
            let flags: &[&str] = if *kind == "rook" { &["mint"] } else { &[] };
            builder = builder.piece(name.clone(), player, *kind).place_flagged(
                name,
                tile(file, home),
                flags.iter().copied(),
            );
        }
        builder = builder.pieces_on(player, "pawn", (0..rank.len()).map(|file| tile(file, pawns)));
    }
    builder
}

fn play(builder: Builder, shape: &Shape) -> Builder {
    let pieces = ["knight", "bishop", "rook", "queen", "king"].map(String::from).into_iter();
    let pieces = pieces.chain((shape.more)().into_iter().map(|kind| kind.name));
    let pieces = pieces.map(|kind| piece_rule(&kind));
    let phase = pawn_rules(shape).into_iter().chain(pieces).chain(castling_rules());
    let phase = phase.map(|rule| rule.ensuring(royal_is_safe()));
    let phase = phase.chain(asides()).fold(Phase::leaf("play"), Phase::rule);
    ["resign", "agree-draw", "claim-draw"].into_iter().fold(builder, Builder::action).phase(phase)
}

/// The one closing check: pins and discovered attacks follow from it.
fn royal_is_safe() -> Truth {
    in_check().none().called("the own king is not attacked")
}

fn in_check() -> Set {
    Set::own() & Set::Royal & Set::Attacked(Who::Foe)
}

fn pawn_rules(shape: &Shape) -> Vec<Rule> {
    let promotions = || shape.promotions.iter().copied();
    let pawn = || Movement::of(["pawn"]);
    let ahead = || pawn().by(Pattern::step("forward")).harmless();
    let aslant = || pawn().by(Pattern::steps(&["forward-east", "forward-west"]));
    let last = || Set::region("promotion");
    let passed = || Tile::To.then(&["backward"]);
    let passing = Set::foe() & Set::kind("pawn") & Set::flag("passing");
    let double = pawn()
        .by(Pattern::leap(&["forward", "forward"]))
        .source(Set::region("pawn-start"))
        .through(Set::Empty)
        .onto(Set::Empty)
        .harmless();
    let rules = [
        Rule::moves("pawn step", ahead().onto(Set::Empty - last())),
        Rule::moves("pawn double step", double)
            .then(Effect::set_flags(Set::at(Tile::To), ["passing"])),
        Rule::moves("pawn capture", aslant().onto(Set::foe() - last())),
        Rule::moves("en passant", aslant().onto(Set::Empty).harmless())
            .when(passed().is_in(passing).called("a pawn just passed by a double step"))
            .before(Effect::capture(Set::at(passed()))),
        Rule::moves("promotion", ahead().onto(Set::Empty & last()).choosing(promotions())),
        Rule::moves(
            "promotion by capture",
            aslant().onto(Set::foe() & last()).choosing(promotions()),
        ),
    ];
    rules.map(|rule| rule.then(Effect::set("clock", 0)).then_all(end_of_turn())).into()
}

/// A rule for the pieces of a kind that move by their own patterns.
fn piece_rule(kind: &str) -> Rule {
    let taking = Tile::To.is_in(Set::foe());
    let count = Effect::either(taking, [Effect::set("clock", 0)], [Effect::add("clock", 1)]);
    let rule = Rule::moves(format!("{kind} move"), Movement::of([kind])).before(count);
    let rule = match kind {
        "rook" => rule.then(Effect::clear_flags(Set::at(Tile::To), ["mint"])),
        "king" => rule.then(forfeit_castling()),
        _ => rule,
    };
    rule.then_all(end_of_turn())
}

fn castling_rules() -> Vec<Rule> {
    let wing = |name: &str, direction: &str, king: &str, rook: &str| {
        let king = || Tile::only(king, Seat::Mover);
        let rook = || Tile::only(rook, Seat::Mover);
        let in_the_way = || !Set::Empty - Set::at(Tile::From) - Set::at(Tile::To);
        let mint_rook = Set::own() & Set::kind("rook") & Set::flag("mint");
        let way = || Set::span(Tile::From, king());
        let movement = Movement::of(["king"]).to_first([direction]).onto(mint_rook).harmless();
        Rule::moves(name, movement)
            .when((way() & in_the_way()).none().called("nothing stands in the king's way"))
            .when(
                (Set::span(Tile::To, rook()) & in_the_way())
                    .none()
                    .called("nothing stands in the rook's way"),
            )
            .when(
                (way() & Set::Attacked(Who::Foe))
                    .none()
                    .called("no tile of the king's way is attacked"),
            )
            .by_effects_alone()
            .then(Effect::Together(vec![(Tile::From, king()), (Tile::To, rook())]))
            .then(forfeit_castling())
            .then(Effect::add("clock", 1))
            .then_all(end_of_turn())
    };
    vec![
        wing("castling east", EAST, "king-east", "rook-east"),
        wing("castling west", WEST, "king-west", "rook-west"),
    ]
}

/// A king that moves takes the right to castle from his rooks.
fn forfeit_castling() -> Effect {
    Effect::clear_flags(Set::own() & Set::flag("mint"), ["mint"])
}

pub(crate) fn end_of_turn() -> [Effect; 2] {
    let black = Truth::turn("black");
    [Effect::when(black, [Effect::add("move", 1)]), Effect::Turn(Seat::Next)]
}

fn asides() -> Vec<Rule> {
    let clock = || Number::variable("clock").at_least(100);
    let repeated = || Number::variable("repetitions").at_least(3);
    vec![
        Rule::acts("resign", "resign").then(Effect::set("resigned", 1)).aside(),
        Rule::acts("agree to a draw", "agree-draw").then(Effect::set("agreed", 1)).aside(),
        Rule::acts("claim a draw", "claim-draw")
            .when(clock().or(repeated()))
            .then(Effect::either(
                repeated(),
                [Effect::set("claimed", 2)],
                [Effect::set("claimed", 1)],
            ))
            .aside(),
    ]
}

fn endings(builder: Builder) -> Builder {
    let variable = |name: &str, value: i64| Number::variable(name).equals(value);
    let check = in_check().any();
    builder
        .ending(Ending::win("resignation", Seat::Next).of_each().when(variable("resigned", 1)))
        .ending(Ending::draw("agreement").when(variable("agreed", 1)))
        .ending(Ending::draw("fifty moves").when(variable("claimed", 1)))
        .ending(Ending::draw("threefold repetition").when(variable("claimed", 2)))
        .ending(Ending::win("checkmate", Seat::Next).when(Truth::Stuck.and(check)))
        .ending(Ending::draw("stalemate").when(Truth::Stuck))
        .ending(Ending::draw("insufficient material").when(insufficient()).may_go_on())
        .ending(
            Ending::draw("seventy-five moves")
                .when(Number::variable("clock").at_least(150))
                .may_go_on(),
        )
        .ending(
            Ending::draw("fivefold repetition")
                .when(Number::variable("repetitions").at_least(5))
                .may_go_on(),
        )
}

/// No sequence of moves can give mate: bare kings, one minor piece, or bishops that all stand on
/// tiles of one colour.
fn insufficient() -> Truth {
    let all = || Number::pieces(Set::Board, Who::Anyone);
    let count = |kind: &str| Number::pieces_of_kind(Set::Board, Who::Anyone, kind);
    let on_light = || Set::region("light") & Set::kind("bishop");
    let bishops_only = all().equals(count("bishop") + 2);
    let one_colour = on_light().none().or(Number::Count(on_light()).equals(count("bishop")));
    Truth::any([
        all().equals(2),
        Truth::all([all().equals(3), count("knight").equals(1)]),
        bishops_only.and(one_colour),
    ])
}

/// The name of a tile by file and rank, both from 0.
pub(crate) fn tile(file: usize, rank: usize) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}
