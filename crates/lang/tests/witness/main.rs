//! Files of the library whose trees are counted elsewhere: a little by the oracle, further by the
//! engine. The counts are published, or found by a program that knows that game alone.

mod breakthrough;
mod clobber;
mod go;
mod lines_of_action;
mod ludo;
mod oware;

use std::collections::BTreeMap;

use senet_core::written::{Effect, Ending, Number, Putting, Set, Standing, Truth, Wanted};
use senet_core::{Definition, Game, Options, Plain, text};
use senet_lang::{NoLibrary, Reading, Source, read_with};
use senet_testkit::oracle::{Oracle, Position};
use senet_testkit::{Case, check_perft, oracle, parse_perft, witness};

/// Counts up to which the oracle and the engine count.
const BY_ORACLE: u64 = 100;
const BY_ENGINE: u64 = 200_000;

/// Published counts of positions beside the start.
const XIANGQI: &str = include_str!("xiangqi.perft");
const SHOGI: &str = include_str!("shogi.perft");

/// Published counts of whole turns.
const DRAUGHTS_TURNS: &[u64] = &[7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680];

/// A program that counts sequences of events of one game, by their length.
type Program<'p> = &'p dyn Fn(u32) -> u64;

/// A game, how many sequences of events there are by their length from 1 on, and a program that
/// counts them.
struct Witness {
    definition: Definition,
    counts: &'static [u64],
    program: Option<Program<'static>>,
}

/// A game of the library with some options chosen.
fn shipped(text: &str, settings: &[(&str, i64)]) -> Definition {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), *value));
    let settings: BTreeMap<String, i64> = settings.collect();
    let reading = Reading { library: &NoLibrary, settings };
    let file = read_with(&Source::new("game.senet", text), &reading);
    file.unwrap_or_else(|problems| panic!("{problems}")).definition
}

macro_rules! shipped {
    ($name:literal $(, $option:literal = $value:expr)*) => {
        shipped(
            include_str!(concat!("../../../../games/", $name, ".senet")),
            &[$(($option, $value)),*],
        )
    };
}

/// Go where instead of the simple rule of ko no stone may be placed so that a position comes up
/// again: the same stones with the same player to move.
fn with_superko(mut go: Definition) -> Definition {
    go.marks.clear();
    go.variables.iter_mut().for_each(|variable| variable.standing = Standing::Beside);
    for rule in &mut go.phases[0].rules {
        rule.after.retain(|effect| !matches!(effect, Effect::Mark { .. } | Effect::When { .. }));
    }
    let place = &mut go.phases[0].rules[0];
    place.wants = Wanted::Put(Putting::any().onto(Set::Empty));
    let repeats = Truth::Repeats(2);
    *place = place.clone().ensuring((!repeats).called("no position comes up again"));
    // On the smallest boards nobody can be as far ahead as the komi.
    let over = Number::variable("passes").equals(2);
    go.endings = vec![Ending::draw("two passes").when(over)];
    go
}

/// Every witness that the oracle can count; the look-ahead of international draughts is too much for
/// it.
fn all() -> Vec<Witness> {
    let known = |definition, counts, program| Witness { definition, counts, program };
    let plain = |definition, counts| known(definition, counts, None);
    vec![
        plain(shipped!("amazons"), &[80, 2_176]),
        plain(shipped!("ataxx"), &[16, 256, 6_460, 155_888]),
        known(
            shipped!("breakthrough"),
            &[22, 484, 11_132, 256_036, 6_182_818],
            Some(&breakthrough::count),
        ),
        known(shipped!("clobber"), &[49, 2_116, 80_063, 2_630_382], Some(&clobber::count)),
        plain(
            shipped!("connect-four"),
            &[7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572],
        ),
        plain(shipped!("dots-and-boxes"), &[24, 552, 12_144, 255_024]),
        plain(shipped!("draughts"), &[7, 49, 302, 1_469]),
        known(
            shipped!("go", "size" = 9),
            &[82, 6_643, 531_522],
            Some(&|depth| go::count(9, depth)),
        ),
        known(
            shipped!("go", "size" = 3),
            &[10, 91, 738, 5_281, 33_384, 179_712],
            Some(&|depth| go::count(3, depth)),
        ),
        known(
            with_superko(shipped!("go", "size" = 2)),
            &[5, 21, 68, 156, 316, 604, 1_112, 2_312, 4_544],
            Some(&|depth| go::count_with_superko(2, depth)),
        ),
        plain(shipped!("gomoku"), &[225, 50_400, 11_239_200]),
        plain(shipped!("hex"), &[121, 14_520, 1_727_880]),
        known(
            shipped!("lines-of-action"),
            &[36, 1_244, 44_952, 1_563_208],
            Some(&lines_of_action::count),
        ),
        plain(shipped!("nine-mens-morris"), &[24, 552, 12_144, 255_024]),
        known(witness::ludo::definition(), witness::ludo::COUNTS, Some(&ludo::count)),
        plain(
            shipped!("quoridor", "size" = 3, "middle" = 2, "stock" = 2),
            &[11, 77, 380, 1_528, 5_378],
        ),
        plain(shipped!("tablut"), &[80, 4_400, 353_200]),
        plain(
            shipped!("othello"),
            &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284],
        ),
        known(
            shipped!("oware"),
            &[6, 36, 190, 1_014, 5_219, 27_332, 139_157, 711_414],
            Some(&oware::count),
        ),
        plain(shipped!("shogi"), &[30, 900, 25_470, 719_731]),
        plain(shipped!("xiangqi"), &[44, 1_920, 79_666, 3_290_240]),
    ]
}

fn compiled(definition: &Definition) -> Game {
    definition.clone().compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The depths of a witness and their counts, up to a greatest.
fn depths(counts: &[u64], most: u64) -> impl Iterator<Item = (u32, u64)> {
    (1..).zip(counts.iter().copied()).take_while(move |(_, count)| *count <= most)
}

#[test]
fn programs_of_one_game_count_as_is_written() {
    for Witness { definition, counts, program } in all() {
        for (depth, count) in depths(counts, BY_ENGINE).filter(|_| program.is_some()) {
            let counted = program.map_or(0, |program| program(depth));
            assert_eq!(counted, count, "{} {depth}", definition.name);
        }
    }
}

#[test]
fn the_oracle_counts_the_witnesses() {
    for Witness { definition, counts, .. } in all() {
        let definition = definition.expanded();
        let oracle = Oracle::new(&definition);
        for (depth, count) in depths(counts, BY_ORACLE) {
            assert_eq!(oracle.perft(&oracle.start(), depth), count, "{}", definition.name);
        }
    }
}

#[test]
fn the_oracle_counts_positions_of_xiangqi_and_shogi() {
    let files = [(shipped!("xiangqi"), XIANGQI), (shipped!("shogi"), SHOGI)];
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
    for Witness { definition, counts, .. } in all() {
        let game = compiled(&definition);
        for (depth, count) in depths(counts, BY_ENGINE) {
            assert_eq!(game.perft(&game.start(), depth), count, "{}", definition.name);
        }
    }
    check_perft(&compiled(&shipped!("xiangqi")), &Plain, XIANGQI, BY_ENGINE);
    check_perft(&compiled(&shipped!("shogi")), &Plain, SHOGI, BY_ENGINE);
}

#[test]
fn oracle_and_engine_agree_on_the_witnesses() {
    for Witness { definition, .. } in all() {
        let case = Case::new(compiled(&definition), &Plain);
        let states = case.walk(3).states;
        for state in states.iter().step_by(states.len().div_ceil(4)) {
            oracle::agree_in(&case.game, state);
        }
    }
}

#[test]
fn whole_games_of_ludo_go_as_a_program_of_ludo_plays_them() {
    let game = compiled(&witness::ludo::definition());
    for seed in 0..3 {
        let mut source = senet_testkit::Source::seeded(seed);
        let (mut board, mut state) = (ludo::Board::start(), game.start());
        let mut sent_back = false;
        for _ in 0..5_000 {
            let mut expected = board.legal();
            let told = |event| text::format_event(&game, event);
            let mut legal: Vec<String> = game.legal(&state).into_iter().map(told).collect();
            legal.sort();
            expected.sort_by(|one, other| one.0.cmp(&other.0));
            assert!(expected.iter().map(|(event, _)| event).eq(&legal), "{legal:?}");
            if legal.is_empty() {
                break;
            }
            let chosen = source.below(legal.len() as u64) as usize;
            let yard = |state: &_| text::format_position(&game, state).matches("-yard=").count();
            let event = text::parse_event(&game, &state, &legal[chosen]).unwrap();
            let after = game.apply(&state, event).unwrap().state;
            sent_back |= yard(&after) > yard(&state);
            (board, state) = (expected.swap_remove(chosen).1, after);
        }
        assert!(game.outcome(&state).is_some() && sent_back, "a whole game, with captures");
    }
}

#[test]
fn a_promoted_piece_of_shogi_goes_to_the_hand_as_what_it_was() {
    let definition = shipped!("shogi");
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
    let definition = shipped!("draughts");
    let expanded = definition.expanded();
    let oracle = Oracle::new(&expanded);
    for (depth, count) in depths(DRAUGHTS_TURNS, BY_ORACLE) {
        assert_eq!(turns(oracle, &oracle.start(), depth), count);
    }
    let international = witness::international_draughts::definition();
    let witnesses = [
        (definition, DRAUGHTS_TURNS, 10_000),
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
    let definition = shipped!("shogi");
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
