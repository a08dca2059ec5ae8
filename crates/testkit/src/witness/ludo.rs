//! Ludo.

use senet_core::written::{
    Effect, Ending, Fate, Movement, Number, Phase, Player, Rolling, Rule, Seat, Set, Tile, Who,
};
use senet_core::{Builder, Definition};

/// Counted by a program that knows ludo alone.
pub const COUNTS: &[u64] = &[6, 6, 36, 36, 216, 217, 1_302];

/// The players, in order of play.
pub const PLAYERS: [&str; 4] = ["red", "green", "yellow", "blue"];

/// How many tiles the ring has, and how many the column before each player's home.
pub const RING: usize = 52;
/// See [`RING`].
pub const COLUMN: usize = 5;

/// Four men each start in a yard. A six lets one enter at the player's own place of the ring; a man
/// goes as many steps as the die shows, once around and up a column into the home, which must be
/// met exactly. No two men of a player share a tile before it, and a man of another player is sent
/// back to his yard. After a six the player rolls again; who cannot move passes.
pub fn definition() -> Definition {
    let six = || Number::die("die").equals(6);
    let next = || Effect::Turn(Seat::Next);
    let enters = Movement::any().source(Set::region("yard")).anywhere().onto(Set::region("start"));
    let pass = Rule::acts("pass", "pass").otherwise().then(Effect::unroll(["die"])).then(next());
    let move_on =
        |name: &str| sending_back(Rule::moves(name, Movement::any().by_dice(["die"], "onward")));
    let moves = Phase::leaf("move")
        .rule(sending_back(Rule::moves("enter", enters).when(six())).then(Effect::unroll(["die"])))
        .rule(move_on("move and roll again").when(six()))
        .rule(move_on("move").when(!six()).then(next()))
        .rule(pass);
    let home = Number::pieces(Set::region("home"), Who::Mover);
    let mut builder = Builder::new("ludo");
    for player in PLAYERS {
        builder = builder.player(Player::new(player).facing("onward", way(player)));
    }
    let mut builder = board(builder).kind("man");
    for player in PLAYERS {
        let yard = format!("{player}-yard");
        builder = builder.pieces_on(player, "man", std::iter::repeat_n(yard, 4));
    }
    builder
        .die("die", 6)
        .action("pass")
        .phase(
            Phase::leaf("roll")
                .when(Number::die("die").equals(0))
                .rule(Rule::rolls("roll", Rolling::of(["die"]))),
        )
        .phase(moves)
        .ending(Ending::win("all men are home", Seat::Mover).of_each().when(home.equals(4)))
        .build()
}

/// The name of a player's own direction.
fn way(player: &str) -> String {
    format!("{player}-way")
}

/// A tile of the ring.
fn ring(number: usize) -> String {
    format!("r{}", number % RING + 1)
}

/// The tiles of a player's way from the first of the ring to the home.
fn tiles_of(at: usize, player: &str) -> Vec<String> {
    let first = at * RING / PLAYERS.len();
    let round = (0..RING - 1).map(|step| ring(first + step));
    let column = (1..=COLUMN).map(|step| format!("{player}-{step}"));
    round.chain(column).chain([format!("{player}-home")]).collect()
}

fn board(builder: Builder) -> Builder {
    let mut builder = builder.tiles((0..RING).map(ring));
    for player in PLAYERS {
        builder = builder.tiles((1..=COLUMN).map(|step| format!("{player}-{step}")));
    }
    for end in ["yard", "home"] {
        builder = builder.stacks(PLAYERS.map(|player| format!("{player}-{end}")));
    }
    for (at, player) in PLAYERS.into_iter().enumerate() {
        let tiles = tiles_of(at, player);
        builder = builder.direction(way(player));
        for pair in tiles.windows(2) {
            builder = builder.relation(&pair[0], way(player), &pair[1]);
        }
        for (name, tile) in [
            ("start", tiles[0].clone()),
            ("yard", format!("{player}-yard")),
            ("home", format!("{player}-home")),
        ] {
            builder = builder.region_of(player, name, [tile]);
        }
    }
    builder
}

/// Whoever stands on the target goes back to his yard.
fn sending_back(mut rule: Rule) -> Rule {
    for player in PLAYERS {
        let caught = Set::at(Tile::To) & Set::foe() & Set::Owned(Who::player(player));
        // A home holds many, and nobody is sent away from there.
        let caught = caught - Set::region("home");
        let to = Fate::Tile(Tile::named(format!("{player}-yard")));
        rule = rule.before(Effect::Capture { on: caught, to });
    }
    rule
}
