//! Shogi.

use senet_core::builder::{DIAGONALS, EIGHT, FOUR, NORTH, SOUTH};
use senet_core::{
    Builder, Definition, Effect, Ending, Fate, Grid, Kind, Movement, Pattern, Phase, Player,
    Putting, Rule, Seat, Set, Tile, Truth, Who,
};

/// Published counts.
pub const COUNTS: &[u64] = &[30, 900, 25_470, 719_731];

/// Kinds that promote, what they become, and how many rows of the far side they may not stay on.
const PROMOTING: [(&str, &str, usize); 6] = [
    ("pawn", "tokin", 1),
    ("lance", "promoted-lance", 1),
    ("knight", "promoted-knight", 2),
    ("silver", "promoted-silver", 0),
    ("bishop", "horse", 0),
    ("rook", "dragon", 0),
];

/// The steps of a gold general.
const GOLD: [&str; 6] = ["ahead", "ahead-east", "ahead-west", "east", "west", "behind"];

/// Japanese chess without the rules about repetition. Who cannot move has lost, but nobody may be
/// mated by a dropped pawn.
pub fn definition() -> Definition {
    let builder = setup(kinds(board(Builder::new("shogi"))));
    let phase = rules().into_iter().fold(Phase::leaf("play"), Phase::rule);
    builder.phase(phase).ending(Ending::win("no move", Seat::Previous).when(Truth::Stuck)).build()
}

fn row(row: usize) -> impl Iterator<Item = String> {
    ('a'..='i').map(move |file| format!("{file}{row}"))
}

fn board(builder: Builder) -> Builder {
    let player = |name: &str, ahead: &str, behind: &str| {
        let sides = ["east", "west"];
        let player = Player::new(name).facing("ahead", ahead).facing("behind", behind);
        sides.into_iter().fold(player, |player, side| {
            player
                .facing(format!("ahead-{side}"), format!("{ahead}-{side}"))
                .facing(format!("behind-{side}"), format!("{behind}-{side}"))
        })
    };
    let mut builder = builder
        .player(player("black", NORTH, SOUTH))
        .player(player("white", SOUTH, NORTH))
        .board(Grid::new(9, 9).eight());
    for rows in 1..=3 {
        let name = format!("last-{rows}");
        builder = builder
            .region_of("black", name.clone(), (10 - rows..=9).flat_map(row))
            .region_of("white", name, (1..=rows).flat_map(row));
    }
    builder
}

fn kinds(builder: Builder) -> Builder {
    let golden = |name: &str| Kind::new(name).travels(Pattern::steps(&GOLD));
    let silver = ["ahead", "ahead-east", "ahead-west", "behind-east", "behind-west"];
    let leap = |side: &str| Pattern::leap(&["ahead", side]);
    builder
        .kind(Kind::new("king").travels(Pattern::steps(&EIGHT)).royal())
        .kind(Kind::new("rook").travels(Pattern::slides(&FOUR)))
        .kind(Kind::new("bishop").travels(Pattern::slides(&DIAGONALS)))
        .kind(golden("gold"))
        .kind(Kind::new("silver").travels(Pattern::steps(&silver)))
        .kind(Kind::new("knight").travels(leap("ahead-east")).travels(leap("ahead-west")))
        .kind(Kind::new("lance").travels(Pattern::slide("ahead")))
        .kind(Kind::new("pawn").travels(Pattern::step("ahead")))
        .kind(
            Kind::new("dragon").travels(Pattern::slides(&FOUR)).travels(Pattern::steps(&DIAGONALS)),
        )
        .kind(
            Kind::new("horse").travels(Pattern::slides(&DIAGONALS)).travels(Pattern::steps(&FOUR)),
        )
        .kind(golden("promoted-silver"))
        .kind(golden("promoted-knight"))
        .kind(golden("promoted-lance"))
        .kind(golden("tokin"))
}

fn setup(mut builder: Builder) -> Builder {
    let back = ["lance", "knight", "silver", "gold", "king", "gold", "silver", "knight", "lance"];
    for (player, home, pieces, pawns) in
        [("black", 1, ["b2", "h2"], 3), ("white", 9, ["h8", "b8"], 7)]
    {
        for (kind, tile) in back.into_iter().zip(row(home)) {
            builder = builder.pieces_on(player, kind, [tile]);
        }
        builder = builder
            .pieces_on(player, "bishop", [pieces[0]])
            .pieces_on(player, "rook", [pieces[1]])
            .pieces_on(player, "pawn", row(pawns));
    }
    builder
}

/// Tiles from which a kind could never move on.
fn dead(rows: usize) -> Set {
    if rows == 0 { Set::Tiles(Vec::new()) } else { Set::region(format!("last-{rows}")) }
}

fn rules() -> Vec<Rule> {
    let zone = || Set::region("last-3");
    let promotes = || Tile::From.is_in(zone()).or(Tile::To.is_in(zone()));
    let constant =
        ["king", "gold", "tokin", "promoted-lance", "promoted-knight", "promoted-silver"];
    let constant = constant.into_iter().chain(["horse", "dragon"]);
    let mut rules = vec![moves("move", Movement::of(constant))];
    for (kind, becomes, rows) in PROMOTING {
        let stay = Movement::of([kind]).onto(!dead(rows));
        let promote = Movement::of([kind]).choosing([becomes]);
        rules.push(moves(&format!("move a {kind}"), stay));
        rules.push(moves(&format!("promote a {kind}"), promote).when(promotes()));
    }
    for (kind, _, rows) in PROMOTING.into_iter().chain([("gold", "", 0)]) {
        let drop = Putting::of([kind]).onto(Set::Empty - dead(rows));
        let rule = finish(Rule::puts(format!("drop a {kind}"), drop));
        rules.push(match kind {
            "pawn" => rule.when(only_pawn_of_its_file()).ensuring(no_mate()),
            _ => rule,
        });
    }
    rules
}

/// What is taken goes to the hand as what it was before it was promoted.
fn moves(name: &str, movement: Movement) -> Rule {
    let taken = || Set::at(Tile::To) & Set::foe();
    let demote = |(kind, promoted, _): (&str, &str, usize)| {
        Effect::becomes(taken() & Set::kind(promoted), kind)
    };
    let take = Effect::Capture { on: taken(), to: Fate::Hand(Seat::Mover) };
    let rule = PROMOTING.into_iter().map(demote).fold(Rule::moves(name, movement), Rule::before);
    finish(rule.before(take))
}

fn finish(rule: Rule) -> Rule {
    let safe = (Set::own() & Set::Royal & Set::Attacked(Who::Foe)).none();
    rule.then(Effect::Turn(Seat::Next)).ensuring(safe.called("the own king is not attacked"))
}

fn only_pawn_of_its_file() -> Truth {
    let file = Set::ray(Tile::To, NORTH) | Set::ray(Tile::To, SOUTH);
    (file & Set::own() & Set::kind("pawn")).none().called("no other own pawn stands on the file")
}

fn no_mate() -> Truth {
    let check = (Set::foe() & Set::Royal & Set::Attacked(Who::Mover)).any();
    (!Truth::Stuck.and(check)).called("the dropped pawn does not mate")
}
