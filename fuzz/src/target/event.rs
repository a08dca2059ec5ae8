//! Events: moves as people write them (SAN, plays of backgammon) and any events of any game. The
//! first line of a case names the game, the second is a position or empty, and every further one is
//! an event or a turn. Each is played or refused with its reasons.

use senet::Position;
use senet::notation::TurnError;
use senet_chance::Source;
use senet_core::EventKind;

use super::position::random_position;
use super::text::{GAMES, changed, game, read};
use super::{Target, shorter};

pub(super) const SAN: Target = Target {
    name: "san",
    law: "a text of a move of chess is played, refused with a reason, or says why it is none",
    fresh: |source, corpus| {
        let seeds = seeds(source, &["chess", "chess960", "atomic", "capablanca"]);
        changed(source, corpus, &seeds)
    },
    check,
    smaller: shorter,
};

pub(super) const PLAY: Target = Target {
    name: "play",
    law: "a text of a play of backgammon is played, refused with a reason, or says why it is none",
    fresh: |source, corpus| {
        let seeds = seeds(source, &["backgammon", "hypergammon"]);
        changed(source, corpus, &seeds)
    },
    check,
    smaller: shorter,
};

pub(super) const EVENT: Target = Target {
    name: "event",
    law: "any event of any game is accepted into a sound state, or refused with a reason",
    fresh: |source, corpus| {
        let names: Vec<&str> = GAMES.iter().map(senet::Game::name).collect();
        let mut seeds = seeds(source, &names);
        seeds.push(anything(source));
        changed(source, corpus, &seeds)
    },
    check,
    smaller: shorter,
};

/// Cases of random positions with moves of theirs.
fn seeds(source: &mut Source, names: &[&str]) -> Vec<String> {
    let mut cases = Vec::new();
    for _ in 0..2 {
        let Some(game) = source.pick(names).and_then(game) else { continue };
        let position = random_position(game, source);
        let mut lines = vec![game.name().to_owned(), position.to_string()];
        let mut now = position;
        for _ in 0..4 {
            let turns = now.turns().unwrap_or_default();
            if let Some(turn) = source.pick(&(0..turns.len()).collect::<Vec<_>>()) {
                let turn = &turns[turn];
                lines.push(now.notate_turn(turn));
                lines.extend(turn.events.first().map(|&event| now.format(event)));
                now = turn.position.clone();
            }
        }
        cases.push(lines.join("\n"));
    }
    cases
}

/// Any events that can be written down, from the start of a game.
fn anything(source: &mut Source) -> String {
    let at = source.below(GAMES.len() as u64) as usize;
    let game = &GAMES[at];
    let mut events = Vec::new();
    for kind in EventKind::ALL {
        game.rules().each_possible(kind, &mut |event| events.push(event));
    }
    let mut lines = vec![game.name().to_owned(), String::new()];
    for _ in 0..30 {
        let legal = game.start().legal();
        let from = if source.below(3) == 0 { &legal } else { &events };
        let event = source.pick(from);
        lines.extend(event.map(|event| senet_core::text::format_event(game.rules(), event)));
    }
    lines.join("\n")
}

fn check(case: &[u8]) {
    let text = read(case);
    let mut lines = text.lines();
    let Some(game) = lines.next().and_then(game) else { return };
    let position = match lines.next() {
        None => return,
        Some("") => game.start(),
        Some(text) => match game.position(text) {
            Ok(position) => position,
            Err(_) => return,
        },
    };
    let mut now = position;
    for line in lines.take(40) {
        now = check_plain(now, line);
        now = check_event(now, line);
        now = check_turn(now, line);
    }
}

/// An event in the plain text of any game.
fn check_plain(position: Position, line: &str) -> Position {
    let rules = position.game().rules();
    let Ok(event) = senet_core::text::parse_event(rules, position.state(), line) else {
        return position;
    };
    match rules.apply(position.state(), event) {
        Ok(step) => {
            assert_eq!(rules.verify(&step.state), Ok(()), "{position}: {line}");
            assert!(position.accepts(event), "{position}: {line}");
            position.apply(event).map_or(position, |step| step.position)
        }
        Err(rejection) => {
            assert!(!rejection.reasons.is_empty(), "{position}: {line}: no reason");
            let explanation = rules.explain(position.state(), event);
            assert_eq!(explanation.reasons, rejection.reasons, "{position}: {line}");
            assert!(!rules.explanation_text(&explanation, "it").is_empty());
            position
        }
    }
}

fn check_event(position: Position, line: &str) -> Position {
    match position.parse_event(line) {
        Err(error) => assert!(error.at <= line.len() && !error.to_string().is_empty()),
        Ok(event) => {
            position.format(event);
            if position.accepts(event) {
                let notated = position.notate(event);
                assert_eq!(position.parse_event(&notated), Ok(event), "{position}: {notated}");
            }
        }
    }
    match position.apply(line) {
        Ok(step) => {
            assert!(position.accepts(step.event), "{position}: {line}");
            step.position
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "{position}: {line}");
            position
        }
    }
}

fn check_turn(position: Position, line: &str) -> Position {
    match position.parse_turn(line) {
        Ok(turn) => {
            let played = position.line(&turn.events()).last();
            let played = played.map_or_else(|| position.clone(), |(_, step)| step.position);
            // What was found to be a turn is played as its events are.
            if let (Ok(steps), true) = (position.apply_turn(&turn), !turn.events().is_empty()) {
                assert_eq!(steps.last().map(|step| &step.position), Some(&played), "{line}");
            }
            played
        }
        Err(TurnError::Refused(refusal)) => {
            assert!(!refusal.reason.is_empty(), "{position}: {line}");
            position
        }
        Err(TurnError::Text(error)) => {
            assert!(error.at <= line.len() && error.to_string().len() < 2_000);
            position
        }
    }
}
