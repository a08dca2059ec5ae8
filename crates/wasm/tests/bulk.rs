//! Results of turns by dice that machine code counts are those that the interpreter makes.

use senet_chance::{Source, playout};
use senet_core::backend::{Backend, Purpose};
use senet_core::{Game, Options, State};
use senet_registry::Shipped;
use senet_registry::lang::{Library, Reading, read_with};
use senet_wasm::Wasmtime;

type Edit = (&'static str, String);

fn edit(from: &'static str, to: &str) -> Edit {
    (from, to.to_owned())
}

const SETUP: &str = "setup white p24*2 p13*5 p8*3 p6*5, black p1*2 p12*5 p17*3 p19*5";
const ENTER: &str =
    "where from in bar or pieces(mover on bar) = 0 \"checkers on the bar enter first\"";
const ONTO: &str = "points - stack(2, foe)";
const FULL: &str = "points - stack(2, foe) - stack(4, mover)";
const CAPTURE: &str = "before capture to to bar of next then next-player";
const LINK: &str = "link white-bar backward p24,";
const OFF: &str = "p1 backward white-off";
const SHOW: &str = "show three, four as one";
const SIDES: &str = "white, black sides 6";

/// Backgammon with some of its rules in other words.
fn edited(edits: &[Edit]) -> Game {
    let mut source = Shipped.source("backgammon").unwrap();
    for (from, to) in edits {
        assert!(source.text.contains(from), "{from}");
        source.text = source.text.replace(from, to);
    }
    let file = read_with(&source, &Reading { library: &Shipped, settings: [].into() });
    let file = file.unwrap_or_else(|problems| panic!("{edits:?}: {problems:?}"));
    file.compile(Options::default()).unwrap_or_else(|errors| panic!("{edits:?}: {errors}"))
}

/// For how many players the turns of some phase are counted from sets.
fn counted(game: &Game) -> usize {
    let program = game.program();
    let phases = 0..program.phases().len();
    let counted =
        |player: &usize| phases.clone().any(|phase| program.bulk(phase, *player).is_some());
    (0..2).filter(counted).count()
}

/// States of a random game.
fn played(game: &Game, seed: u64, limit: usize) -> Vec<State> {
    let played = playout(game, &game.start(), &mut Source::seeded(seed), limit);
    let mut states = vec![game.start().clone()];
    for event in played.events {
        let next = game.apply(&states[states.len() - 1], event).unwrap().state;
        states.push(next);
    }
    states
}

fn assert_counted_alike(game: &Game, seed: u64, limit: usize, what: &str) {
    let mut session = Wasmtime::new().session(game, Purpose::Turns).unwrap();
    for state in played(game, seed, limit) {
        let count = session.turn_perft(&state, 1, u64::MAX);
        assert_eq!(count, Some(game.turn_perft(&state, 1)), "{what} {state:?}");
    }
}

#[test]
fn results_are_counted_alike_whatever_the_rules_allow() {
    // What is changed, and for how many players turns are counted from sets then.
    let games: &[(&[Edit], usize)] = &[
        (&[], 2),
        (&[edit("uses most-then-greatest", "uses most")], 2),
        (&[edit(ENTER, "")], 2),
        (&[edit(ENTER, "where pieces(mover on bar) = 0 \"none is on the bar\"")], 2),
        (&[edit(ENTER, "where from in bar or from in points \"from anywhere\"")], 2),
        (&[edit(ONTO, "points - stack(1, foe)")], 2),
        (&[edit(ONTO, "points - stack(3, foe)")], 2),
        (&[edit(ONTO, "points"), edit(CAPTURE, "then next-player")], 2),
        (&[edit(CAPTURE, "before capture to then next-player")], 2),
        // The bar and a point lead to the same.
        (&[edit(LINK, "link white-bar backward p20,")], 1),
        // Who was moved last makes a difference.
        (
            &[edit(
                CAPTURE,
                "before capture to to bar of next then if one = 0: { if to in home: ties += 1; turn next }",
            )],
            0,
        ),
        // The player may move again.
        (
            &[edit(
                CAPTURE,
                "before capture to to bar of next then if one = 0 and ties = 0: turn next",
            )],
            0,
        ),
        // Pieces stand in each other's way.
        (&[edit(ONTO, "points - stack(2, foe) - stack(6, mover)")], 0),
        // Other rules come in at any time.
        (&[edit("where homeward then borne-off", "then borne-off")], 0),
    ];
    for (edits, players) in games {
        let game = edited(edits);
        assert_eq!(counted(&game), *players, "{edits:?}");
        assert_counted_alike(&game, 7, 160, &format!("{edits:?}"));
    }
}

#[test]
fn more_results_than_a_part_of_a_word_holds_are_counted_alike() {
    // Pieces that are far apart hardly ever take each other's places.
    let men: String = (0..17).map(|at| format!("p{} ", 58 - 3 * at)).collect();
    let game = edited(&[
        edit("track 24", "track 58"),
        edit(LINK, "link white-bar backward p58,"),
        edit("p24 forward black-off", "p58 forward black-off"),
        edit("points = {p1..p24}", "points = {p1..p58}"),
        edit("outside(white) = {p7..p24", "outside(white) = {p7..p58"),
        edit("home(black) = {p24..p19}", "home(black) = {p58..p53}"),
        edit("outside(black) = {p18..p1", "outside(black) = {p52..p1"),
        (SETUP, format!("setup white {men}, black p1*17")),
        edit("let all = 15", "let all = 17"),
    ]);
    assert_eq!(counted(&game), 2);
    let start = senet_registry::backgammon::on_roll(&game);
    let mut session = Wasmtime::new().session(&game, Purpose::Turns).unwrap();
    let counts = game.chances(&start).into_iter().map(|chance| {
        let rolled = game.apply(&start, chance.event).unwrap().state;
        let count = game.turns(&rolled).unwrap().len() as u64;
        assert_eq!(session.turn_perft(&rolled, 1, u64::MAX), Some(count), "{rolled:?}");
        count
    });
    assert!(counts.max().is_some_and(|most| most >= 1 << 12));
}

/// Piles of so many pieces on random points.
fn piles(source: &mut Source, pieces: u64) -> String {
    let mut counts = [0; 24];
    let points = 2 + source.below(10);
    let chosen: Vec<usize> = (0..points).map(|_| source.below(24) as usize).collect();
    for _ in 0..pieces {
        counts[chosen[source.below(points) as usize]] += 1;
    }
    let piles = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    piles.map(|(at, count)| format!("p{}*{count} ", at + 1)).collect()
}

#[test]
fn results_of_random_races_are_counted_alike() {
    let mut source = Source::seeded(11);
    let mut counts = [0; 3];
    for seed in 0..40 {
        let mut edits = Vec::new();
        let mut one_of = |from: &'static str, words: &[&str]| {
            let word = words[source.below(words.len() as u64) as usize];
            edits.push(edit(from, word));
        };
        one_of(
            ENTER,
            &[ENTER, ENTER, "", "where from in points or pieces(mover on bar) = 0 \"so\""],
        );
        one_of(
            ONTO,
            &[ONTO, ONTO, "points", "points - stack(1, foe)", "points - stack(3, foe)", FULL],
        );
        one_of(CAPTURE, &[CAPTURE, "then next-player", "before capture to then next-player"]);
        one_of(LINK, &[LINK, LINK, "link white-bar backward p22,"]);
        one_of(OFF, &[OFF, OFF, "p1 backward p24"]);
        one_of(SHOW, &[SHOW, "show three as one", "show three as one; show four as 1", "ties = 0"]);
        one_of(SIDES, &[SIDES, "white, black sides 3", "white, black sides 9"]);
        let pieces = [12, 12, 17][source.below(3) as usize];
        let [white, black] = [0, 0].map(|_| piles(&mut source, pieces));
        edits.push((SETUP, format!("setup white {white}, black {black}")));
        edits.push(("let all = 15", format!("let all = {pieces}")));
        edits.push(edit("none points & stack(1, white) & stack(1, black)", "ties >= 0"));
        let what = format!("{seed} {edits:?}");
        let game = edited(&edits);
        counts[counted(&game)] += 1;
        assert_counted_alike(&game, seed, 80, &what);
    }
    assert!(counts.iter().all(|&count| count > 2), "{counts:?}");
}
