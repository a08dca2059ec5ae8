//! Positions: FEN, EPD, XGID, gnubg IDs, JSON and the plain text of any game. A text is a position that is
//! written and read back as itself, or every reason why it is none.

use senet::notation::chess;
use senet::notation::epd::Epd;
use senet::{Game, Position};
use senet_chance::Source;

use super::text::{GAMES, changed, game, read};
use super::{Target, shorter};

pub(super) const FEN: Target = Target {
    name: "fen",
    law: "a text is a position of chess that reads back as itself, or it says why not",
    fresh: |source, corpus| fresh(source, corpus, "fen"),
    check: |case| check(&["chess", "chess960", "three-check", "atomic", "capablanca"], case),
    smaller: shorter,
};

pub(super) const XGID: Target = Target {
    name: "xgid",
    law: "a text is a position of backgammon that reads back as itself, or it says why not",
    fresh: |source, corpus| fresh(source, corpus, "xgid"),
    check: |case| check(&["backgammon", "hypergammon", "nackgammon"], case),
    smaller: shorter,
};

pub(super) const GNUBG: Target = Target {
    name: "gnubg",
    law: "a gnubg ID is a position of backgammon that reads back as itself, or it says why not",
    fresh: |source, corpus| fresh(source, corpus, "gnubgid"),
    check: |case| check(&["backgammon", "hypergammon", "nackgammon"], case),
    smaller: shorter,
};

pub(super) const OBJECT: Target = Target {
    name: "object",
    law: "an object of JSON is a position of backgammon that reads back as itself, or it says why not",
    fresh: |source, corpus| fresh(source, corpus, "json"),
    check: |case| check(&["backgammon", "hypergammon", "nackgammon"], case),
    smaller: shorter,
};

pub(super) const EPD: Target = Target {
    name: "epd",
    law: "a line of EPD has a position and operations that read back, or it says why not",
    fresh: |source, corpus| fresh(source, corpus, "epd"),
    check: check_epd,
    smaller: shorter,
};

pub(super) const PLAIN: Target = Target {
    name: "position",
    law: "a plain text is a position of a game that reads back as itself, or it says why not",
    fresh: |source, corpus| fresh(source, corpus, "plain"),
    check: check_plain,
    smaller: shorter,
};

/// Positions of random games in one of the forms of their notations, with small changes.
fn fresh(source: &mut Source, corpus: &[Vec<u8>], form: &str) -> Vec<u8> {
    let writes = |game: &&Game| game.notation().forms().contains(&form) || form == "plain";
    let games: Vec<&Game> = GAMES.iter().filter(writes).collect();
    assert!(!games.is_empty(), "no notation writes {form}");
    let mut seeds = Vec::new();
    for _ in 0..2 {
        let game = games[source.below(games.len() as u64) as usize];
        let position = random_position(game, source);
        seeds.push(position.format_as(form).unwrap_or_else(|| position.to_string()));
    }
    changed(source, corpus, &seeds)
}

/// A position of a random game.
pub(super) fn random_position(game: &Game, source: &mut Source) -> Position {
    let mut position = game.start();
    for _ in 0..source.below(60) {
        let rules = game.rules();
        let legal = position.legal();
        let drawn = source.draw(rules, position.state());
        let Some(event) = drawn.or_else(|| source.pick(&legal)) else { break };
        match position.apply(event) {
            Ok(step) => position = step.position,
            Err(_) => break,
        }
    }
    position
}

fn check(games: &[&str], case: &[u8]) {
    let text = read(case);
    for game in games.iter().filter_map(|name| game(name)) {
        check_in(game, &text);
    }
}

fn check_epd(case: &[u8]) {
    let text = read(case);
    for (name, notation) in [("chess", &chess::NOTATION), ("chess960", &chess::CHESS960)] {
        let Some(game) = game(name) else { continue };
        match Epd::parse(game.rules(), notation, &text) {
            Ok(line) => {
                let written = line.format(game.rules(), notation);
                let again = Epd::parse(game.rules(), notation, &written);
                let again = again.unwrap_or_else(|error| panic!("{name}: {written}: {error}"));
                assert_eq!(again.format(game.rules(), notation), written, "{name}");
            }
            Err(error) => assert!(!error.reasons.is_empty(), "{name}: no reason"),
        }
    }
}

fn check_plain(case: &[u8]) {
    let text = read(case);
    for game in GAMES.iter() {
        check_in(&game.clone().with_notation(&senet::notation::Plain), &text);
    }
}

fn check_in(game: &Game, text: &str) {
    match game.position(text) {
        Ok(position) => {
            let written = position.to_string();
            let again = game.position(&written);
            let again = again.unwrap_or_else(|error| panic!("{}: {written}: {error}", game.name()));
            assert_eq!(again.to_string(), written, "{}", game.name());
            assert_eq!(again, position, "{}: {written}", game.name());
            let rules = game.rules();
            assert_eq!(rules.verify(position.state()), Ok(()), "{}: {written}", game.name());
            for form in game.notation().forms() {
                position.format_as(form);
            }
            assert!(!position.draw().is_empty());
            let legal = position.legal();
            assert_eq!(position.legal_count(), legal.len() as u64, "{written}");
            for event in legal.into_iter().take(40) {
                position.notate(event);
                assert!(position.apply(event).is_ok(), "{written}: {event:?}");
            }
        }
        Err(error) => {
            assert!(!error.reasons.is_empty(), "{}: no reason", game.name());
            for reason in &error.reasons {
                assert!(!reason.kind.is_empty() && !reason.message.is_empty());
                assert!(reason.at.is_none_or(|at| at <= text.len()), "{reason:?}");
                assert!(reason.message.len() < 2_000, "{}", reason.message.len());
            }
        }
    }
}
