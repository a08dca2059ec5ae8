//! The witness games are counted as elsewhere: a little by the oracle, further by the engine.

mod breakthrough;
mod clobber;
mod go;
mod lines_of_action;
mod oware;

use senet_core::{Definition, Game, Options, Plain, text};
use senet_testkit::oracle::{Oracle, Position};
use senet_testkit::witness::{self, Witness};
use senet_testkit::{Case, check_perft, oracle, parse_perft};

/// Counts up to which the oracle and the engine count.
const BY_ORACLE: u64 = 100;
const BY_ENGINE: u64 = 200_000;

/// Published counts of positions beside the start.
const XIANGQI: &str = include_str!("../data/xiangqi.perft");
const SHOGI: &str = include_str!("../data/shogi.perft");

/// A program that counts sequences of events of one game, by their length.
type Program<'p> = &'p dyn Fn(u32) -> u64;

fn compiled(definition: &Definition) -> Game {
    definition.clone().compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The depths of a witness and their counts, up to a greatest.
fn depths(counts: &[u64], most: u64) -> impl Iterator<Item = (u32, u64)> {
    (1..).zip(counts.iter().copied()).take_while(move |(_, count)| *count <= most)
}

#[test]
fn programs_of_one_game_count_as_is_written() {
    let programs: [(&[u64], Program<'_>); 7] = [
        (witness::breakthrough::COUNTS, &breakthrough::count),
        (witness::clobber::COUNTS, &clobber::count),
        (witness::go::COUNTS, &|depth| go::count(9, depth)),
        (witness::go::SMALL, &|depth| go::count(3, depth)),
        (witness::go::SUPERKO, &|depth| go::count_with_superko(2, depth)),
        (witness::lines_of_action::COUNTS, &lines_of_action::count),
        (witness::oware::COUNTS, &oware::count),
    ];
    for (counts, program) in programs {
        for (depth, count) in depths(counts, BY_ENGINE) {
            assert_eq!(program(depth), count);
        }
    }
}

#[test]
fn the_oracle_counts_the_witnesses() {
    for Witness { definition, counts } in witness::all() {
        let definition = definition.expanded();
        let oracle = Oracle::new(&definition);
        for (depth, count) in depths(counts, BY_ORACLE) {
            assert_eq!(oracle.perft(&oracle.start(), depth), count, "{}", definition.name);
        }
    }
}

#[test]
fn the_oracle_counts_positions_of_xiangqi_and_shogi() {
    let files = [(witness::xiangqi::definition(), XIANGQI), (witness::shogi::definition(), SHOGI)];
    for (definition, text) in files {
        let oracle = Oracle::new(&definition);
        for line in parse_perft(text).unwrap() {
            let position = oracle.read(&line.position);
            let (depth, count) = line.counts[0];
            assert_eq!(oracle.perft(&position, depth), count, "{}", line.position);
        }
    }
}

#[test]
fn the_engine_counts_the_witnesses() {
    for Witness { definition, counts } in witness::all() {
        let game = compiled(&definition);
        for (depth, count) in depths(counts, BY_ENGINE) {
            assert_eq!(game.perft(&game.start(), depth), count, "{}", definition.name);
        }
    }
    check_perft(&compiled(&witness::xiangqi::definition()), &Plain, XIANGQI, BY_ENGINE);
    check_perft(&compiled(&witness::shogi::definition()), &Plain, SHOGI, BY_ENGINE);
}

#[test]
fn oracle_and_engine_agree_on_the_witnesses() {
    for Witness { definition, .. } in witness::all() {
        let case = Case::new(compiled(&definition), &Plain);
        let states = case.walk(3).states;
        for state in states.iter().step_by(states.len().div_ceil(4)) {
            oracle::agree_in(&case.game, state);
        }
    }
}

#[test]
fn a_promoted_piece_of_shogi_goes_to_the_hand_as_what_it_was() {
    let definition = witness::shogi::definition();
    let oracle = Oracle::new(&definition);
    for (promoted, kind) in [("tokin", "pawn"), ("horse", "bishop"), ("gold", "gold")] {
        let text = format!(
            "white a1=black:king i9=white:king i8=black:{promoted} hand.black= hand.white="
        );
        let legal = oracle.legal(&oracle.read(&text)).into_iter();
        let mut after = legal.filter(|(event, _)| oracle.tell(event) == "i9/i8");
        let after = oracle.text(&after.next().expect("the king may take").1);
        assert!(after.contains(&format!("hand.white={kind}")), "{after}");
    }
}

#[test]
fn whole_turns_of_draughts_are_counted() {
    let definition = witness::draughts::definition();
    let expanded = definition.expanded();
    let oracle = Oracle::new(&expanded);
    for (depth, count) in depths(witness::draughts::TURNS, BY_ORACLE) {
        assert_eq!(turns(oracle, &oracle.start(), depth), count);
    }
    let international = witness::international_draughts::definition();
    let witnesses = [
        (definition, witness::draughts::TURNS, 10_000),
        (international, witness::international_draughts::TURNS, 5_000),
    ];
    for (definition, counts, most) in witnesses {
        let game = compiled(&definition);
        for (depth, count) in depths(counts, most) {
            assert_eq!(game.turn_perft(&game.start(), depth), count, "{}", definition.name);
        }
    }
}

#[test]
fn a_turn_of_international_draughts_takes_the_most() {
    let game = compiled(&witness::international_draughts::definition());
    let told = |position: &str| {
        let state = text::parse_position(&game, position).unwrap();
        oracle::agree_in(&game, &state);
        let legal = game.legal(&state).into_iter();
        legal.map(|event| text::format_event(&game, event)).collect::<Vec<_>>().join(" ")
    };
    let two = "white c3=white:man d4=black:man f6=black:man b4=black:man j10=black:man";
    assert_eq!(told(two), "c3/e5", "two pieces, not one");
    let flying = "white a1=white:king e5=black:man h6=black:man j10=black:man";
    assert_eq!(told(flying), "a1/g7", "from where h6 is taken too");
    let again = "white a1=white:king e5=black:man h8=black:man j2=black:man";
    assert_eq!(told(again), "a1/f6 a1/g7", "both on one line");
}

#[test]
fn nobody_is_mated_by_a_dropped_pawn() {
    let definition = witness::shogi::definition();
    let (game, oracle) = (compiled(&definition), Oracle::new(&definition));
    let drops = |position: &str| {
        let state = text::parse_position(&game, position).unwrap();
        oracle::agree_in(&game, &state);
        let legal = oracle.legal(&oracle.read(position)).into_iter();
        let told: Vec<String> = legal.map(|(event, _)| oracle.tell(&event)).collect();
        told.iter().any(|event| event == "pawn@a8")
    };
    let hands = "hand.black=pawn hand.white=";
    let mate = format!(
        "black a9=white:king b9=white:lance b6=black:knight a7=black:gold i1=black:king {hands}"
    );
    assert!(!drops(&mate), "the gold keeps the pawn, the king has no other tile");
    let flight = format!("black a9=white:king b6=black:knight a7=black:gold i1=black:king {hands}");
    assert!(drops(&flight), "the king goes to b9");
    let taken = format!(
        "black a9=white:king b9=white:gold b6=black:knight a7=black:gold i1=black:king {hands}"
    );
    assert!(drops(&taken), "the gold takes the pawn");
}

/// How many sequences of whole turns there are: a turn goes on until the other player is to move.
fn turns(oracle: Oracle<'_>, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = oracle.legal(position);
    let below = legal.iter().map(|(_, after)| {
        let same = after.player() == position.player();
        turns(oracle, after, if same { depth } else { depth - 1 })
    });
    below.sum()
}
