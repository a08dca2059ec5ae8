//! Games with secrets: the tests in their files, the law that nothing hidden leaks, and information
//! states compared with those of another program.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use senet_core::observe::Recall;
use senet_core::{Event, EventKind, Game, Options, Plain, State};
use senet_lang::{GameFile, Library, Reading, Source, read_with, run_tests};
use senet_testkit::{Case, law, oracle};

macro_rules! games {
    ($($test:ident $name:literal)*) => {
        const GAMES: &[(&str, &str)] = &[$(
            ($name, include_str!(concat!("../../../games/", $name, ".senet"))),
        )*];

        $(
            mod $test {
                #[test]
                fn passes_its_own_tests() {
                    super::passes_its_own_tests($name);
                }

                #[test]
                fn hidden_facts_change_nothing() {
                    super::law::hidden_facts_change_nothing(&super::case($name));
                }

                #[test]
                fn obeys_the_laws_of_every_game() {
                    super::obeys_the_laws(&super::case($name));
                }

                #[test]
                fn is_played_and_seen_as_the_oracle_says() {
                    super::oracle::agree(&super::case($name));
                }
            }
        )*
    };
}

games! {
    phantom_tic_tac_toe "phantom-tic-tac-toe"
    kuhn_poker "kuhn-poker"
    leduc_poker "leduc-poker"
    liars_dice "liars-dice"
    rock_paper_scissors "rock-paper-scissors"
    battleship "battleship"
    small_stratego "small-stratego"
}

/// The game that others differ from.
struct Shelf;

impl Library for Shelf {
    fn source(&self, name: &str) -> Option<Source> {
        let text = include_str!("../../../games/chess.senet");
        (name == "chess").then(|| Source::new("chess.senet", text))
    }

    fn names(&self) -> Vec<String> {
        vec!["chess".to_owned()]
    }
}

/// Its events are many, so that fewer states are looked at.
mod dark_chess {
    #[test]
    fn passes_its_own_tests() {
        super::passes_its_own_tests("dark-chess");
    }

    #[test]
    fn hidden_facts_change_nothing() {
        super::law::hidden_facts_change_nothing_in(&super::case("dark-chess"), 150);
    }

    #[test]
    fn obeys_the_laws_of_every_game() {
        super::obeys_the_laws(&super::case("dark-chess"));
    }

    #[test]
    fn is_played_and_seen_as_the_oracle_says() {
        let case = super::case("dark-chess");
        for state in case.walk(3).states.iter().skip(12).step_by(30).take(2) {
            super::oracle::agree_in(&case.game, state);
        }
    }
}

const DARK_CHESS: &str = include_str!("../../../games/dark-chess.senet");

fn file(name: &str) -> GameFile {
    let all = GAMES.iter().copied().chain([("dark-chess", DARK_CHESS)]);
    let (_, text) = { all }.find(|(one, _)| *one == name).expect("it is listed");
    let source = Source::new(format!("{name}.senet"), text);
    let reading = Reading { library: &Shelf, settings: BTreeMap::new() };
    read_with(&source, &reading).unwrap_or_else(|problems| panic!("{problems}"))
}

fn game(name: &str) -> Game {
    file(name).definition.compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn case(name: &str) -> Case {
    Case::new(game(name), &Plain)
}

fn passes_its_own_tests(name: &str) {
    for trial in run_tests(&file(name), &Shelf, &Plain) {
        assert_eq!(trial.failure, None, "{name}: {}", trial.what);
    }
}

fn obeys_the_laws(case: &Case) {
    law::legal_is_exactly_what_apply_accepts(case);
    law::a_refused_event_changes_nothing(case);
    law::undo_restores(case);
    law::incremental_hash_equals_full_hash(case);
    law::replay_is_identity(case);
    law::saved_matches_load_at_every_step(case);
    law::definition_written_and_read_back_is_the_same_game(case);
    law::same_seed_gives_same_bytes(case);
    law::chance_sums_to_one(case);
    law::position_text_round_trips(case);
    law::event_text_round_trips(case);
    law::every_option_combination_agrees(case);
    law::perft_counts_what_apply_reaches(case);
    law::picking_finds_what_legal_lists(case);
    law::states_are_sound(case);
}

/// An event as both programs can write it.
fn token(game: &Game, event: Event) -> String {
    match event {
        Event::Put { to, .. } => game.tile_name(to).to_owned(),
        Event::Roll(outcome) => match (game.outcome_name(outcome), game.faces(outcome)) {
            (Some(name), _) => name.to_owned(),
            (None, faces) => faces.iter().map(|(_, face)| face.to_string()).collect(),
        },
        event => senet_core::text::format_event(game, event),
    }
}

/// Every history that a player has to decide in, with its information state.
fn decisions(
    game: &Game,
    state: &State,
    recalls: &[Recall],
    history: &str,
    depth: usize,
    into: &mut BTreeMap<String, (usize, u128)>,
) {
    if game.outcome(state).is_some() {
        return;
    }
    let events = game.legal(state);
    let chance = events.iter().any(|event| event.kind() == EventKind::Roll);
    if !chance {
        let player = game.view(state).player().index();
        into.insert(history.to_owned(), (player, recalls[player].hash()));
    }
    if depth == 0 {
        return;
    }
    for event in events {
        let after = game.apply(state, event).expect("it is legal").state;
        let mut recalls = recalls.to_vec();
        recalls.iter_mut().for_each(|recall| recall.follow(game, state, event, &after));
        let history = format!("{history} {}", token(game, event));
        decisions(game, &after, &recalls, &history, depth - 1, into);
    }
}

/// How many histories, how many information states, and a digest of which histories share one.
fn partition(name: &str, depth: usize) -> String {
    let game = game(name);
    let start = game.start();
    let recalls: Vec<Recall> =
        game.players().map(|player| Recall::start(&game, &start, player)).collect();
    let mut all = BTreeMap::new();
    decisions(&game, &start, &recalls, "", depth, &mut all);
    let mut classes: BTreeMap<(usize, u128), usize> = BTreeMap::new();
    let mut digest = 0xcbf2_9ce4_8422_2325u64;
    let mut line = String::new();
    for (history, information) in &all {
        let next = classes.len();
        let class = *classes.entry(*information).or_insert(next);
        line.clear();
        writeln!(line, "{} {history} {class}", information.0).expect("a text takes it");
        for byte in line.bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{name} {depth} {} {} {digest:016x}", all.len(), classes.len())
}

/// The numbers in the file are those of OpenSpiel; `xtask/src/oracle/secret.py` makes them.
#[test]
fn information_states_partition_histories_as_those_of_openspiel_do() {
    for line in include_str!("data/openspiel.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (name, depth) = (words.next().unwrap(), words.next().unwrap().parse().unwrap());
        assert_eq!(partition(name, depth), line);
    }
}
