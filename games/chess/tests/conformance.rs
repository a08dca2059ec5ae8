//! Chess and its variants obey the same laws as every game, and the naive oracle plays them alike.

use senet_chess::{ATOMIC, CHESS960, NOTATION};
use senet_core::{Definition, Game, Notation, Options, Plain};
use senet_testkit::{conformance, oracle};

fn compiled(definition: Definition) -> Game {
    definition.compile(Options::default()).expect("compiles")
}

conformance!(chess, senet_chess::game(), &NOTATION, "chess.txt");
conformance!(chess960, compiled(senet_chess::chess960::definition()), &CHESS960, "chess960.txt");
conformance!(
    three_check,
    compiled(senet_chess::variant("three-check")),
    &NOTATION,
    "three_check.txt"
);
conformance!(
    king_of_the_hill,
    compiled(senet_chess::variant("king-of-the-hill")),
    &NOTATION,
    "king_of_the_hill.txt"
);
conformance!(capablanca, compiled(senet_chess::variant("capablanca")), &NOTATION, "capablanca.txt");
conformance!(atomic, compiled(senet_chess::variant("atomic")), &ATOMIC, "atomic.txt");
conformance!(
    racing_kings,
    compiled(senet_chess::variant("racing-kings")),
    &Plain,
    "racing_kings.txt"
);
conformance!(horde, compiled(senet_chess::variant("horde")), &Plain, "horde.txt");
conformance!(queens_only, compiled(queens_only()), &NOTATION, "queens_only.txt");

/// Chess in which a pawn has but one kind to become.
fn queens_only() -> Definition {
    let written = serde_json::to_string(&senet_chess::definition()).expect("it can be written");
    let choice = r#"["queen","rook","bishop","knight"]"#;
    assert!(written.contains(choice));
    serde_json::from_str(&written.replace(choice, r#"["queen"]"#)).expect("it can be read")
}

/// The oracle tries every event by name, which takes it a while: a few telling positions each.
#[test]
fn oracle_and_engine_agree_where_the_rules_are_special() {
    let chess = senet_chess::game();
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        oracle::agree_in(&chess, &NOTATION.parse_position(&chess, fen).unwrap());
    }
    let atomic = compiled(senet_chess::variant("atomic"));
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    oracle::agree_in(&atomic, &ATOMIC.parse_position(&atomic, fen).unwrap());
}
