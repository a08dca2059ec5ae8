//! Running the tests inside a game file.

use std::collections::BTreeMap;

use senet_core::{Event, Game, Notation, Options, State};

use crate::file::{GameFile, Library, Reading, read_with};
use crate::span::Span;
use crate::syntax::{Expect, ExprKind, Name, Test, TestKind};

/// A test that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Where it is written; the whole file where nowhere.
    pub span: Span,
    /// What is tested, in words.
    pub what: String,
    /// Why it failed.
    pub failure: Option<String>,
}

/// Runs every test of a file. Tests with other values of options read the file anew.
pub fn run_tests(file: &GameFile, library: &dyn Library, notation: &dyn Notation) -> Vec<Trial> {
    let mut games = BTreeMap::new();
    file.tests.iter().map(|test| run(file, test, library, notation, &mut games)).collect()
}

fn run(
    file: &GameFile,
    test: &Test,
    library: &dyn Library,
    notation: &dyn Notation,
    games: &mut BTreeMap<BTreeMap<String, i64>, Result<Game, String>>,
) -> Trial {
    let mut settings = file.options.clone();
    settings.extend(test.with.iter().filter_map(|(name, value)| match value.kind {
        ExprKind::Number(number) => Some((name.text.clone(), number)),
        _ => None,
    }));
    let compiled = games.entry(settings.clone()).or_insert_with(|| {
        let reading = Reading { library, settings };
        let read = read_with(&file.sources[0], &reading);
        let game = read.and_then(|file| file.compile(Options::default()));
        game.map_err(|problems| problems.to_string())
    });
    let failure = match compiled {
        Ok(game) => check(game, test, notation).err(),
        Err(problems) => Some(problems.clone()),
    };
    Trial { span: test.span, what: describe(test), failure }
}

fn describe(test: &Test) -> String {
    let from = test.from.as_ref().map(|from| format!(" from {}", from.text)).unwrap_or_default();
    match &test.kind {
        TestKind::Perft(counts) => format!("perft to depth {}{from}", counts.len()),
        TestKind::Play { events, expect } => {
            let events: Vec<&str> = events.iter().map(|event| event.text.as_str()).collect();
            let end = match expect {
                Expect::Open => "the game goes on".to_owned(),
                Expect::Over(name) => format!("over by {}", name.text),
                Expect::Refused(event, _) => format!("{} is refused", event.text),
                Expect::Legal(count) => legal_events(*count),
                Expect::Position(position) => format!("position {}", position.text),
            };
            format!(
                "{}{from}: {end}",
                if events.is_empty() { "start".into() } else { events.join(" ") }
            )
        }
    }
}

fn check(game: &Game, test: &Test, notation: &dyn Notation) -> Result<(), String> {
    let start = match &test.from {
        Some(text) => notation
            .parse_position(game, &text.text)
            .map_err(|error| format!("the position cannot be read: {error}"))?,
        None => game.start(),
    };
    match &test.kind {
        TestKind::Perft(counts) => {
            for (depth, count) in (1..).zip(counts) {
                let found = game.perft(&start, depth);
                if found != *count {
                    return Err(format!("depth {depth}: found {found}, expected {count}"));
                }
            }
            Ok(())
        }
        TestKind::Play { events, expect } => {
            let mut state = start;
            for event in events {
                state = play(game, &state, event, notation)
                    .map_err(|reason| format!("`{}` is refused: {reason}", event.text))?;
            }
            expected(game, &state, expect, notation)
        }
    }
}

fn play(game: &Game, state: &State, text: &Name, notation: &dyn Notation) -> Result<State, String> {
    let event: Event =
        notation.parse_event(game, state, &text.text).map_err(|error| error.to_string())?;
    match game.apply(state, event) {
        Ok(step) => Ok(step.state),
        Err(rejection) => {
            let reasons = rejection.reasons.iter().map(|reason| game.reason_text(*reason));
            Err(reasons.collect::<Vec<_>>().join("; "))
        }
    }
}

fn expected(
    game: &Game,
    state: &State,
    expect: &Expect,
    notation: &dyn Notation,
) -> Result<(), String> {
    let outcome = game.outcome(state).map(|outcome| game.ending_name(outcome.ending).to_owned());
    match expect {
        Expect::Open => match outcome {
            None => Ok(()),
            Some(name) => Err(format!("the game is over: {name}")),
        },
        Expect::Over(wanted) => match outcome {
            Some(name) if name == wanted.text => Ok(()),
            Some(name) => Err(format!("the game is over: {name}")),
            None => Err("the game goes on".into()),
        },
        Expect::Refused(event, words) => match play(game, state, event, notation) {
            Ok(_) => Err("it is accepted".into()),
            Err(reason) => match words {
                Some(words) if !reason.contains(&words.text) => {
                    Err(format!("it is refused for another reason: {reason}"))
                }
                _ => Ok(()),
            },
        },
        Expect::Legal(count) => {
            let found = game.legal(state).len() as u64;
            if found == *count { Ok(()) } else { Err(format!("found {}", legal_events(found))) }
        }
        Expect::Position(wanted) => {
            let found = notation.format_position(game, state);
            if found == wanted.text { Ok(()) } else { Err(format!("the position is {found}")) }
        }
    }
}

fn legal_events(count: u64) -> String {
    if count == 1 { "1 legal event".to_owned() } else { format!("{count} legal events") }
}
