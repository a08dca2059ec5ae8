//! Facts about games, positions and what is applied to them.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use senet::chance::Source;
use senet::define::{CustomCondition, Customs, Options, Truth};
use senet::{ApplyError, Event, Game, GameError, Match, Position, Reason};

fn chess() -> Game {
    senet::load("chess").expect("chess is shipped")
}

fn after(game: &Game, moves: &[&str]) -> Position {
    let play = |position: Position, text: &&str| position.apply(*text).unwrap().position;
    moves.iter().fold(game.start(), play)
}

#[test]
fn every_listed_game_loads() {
    for name in senet::games() {
        let game = senet::load(name).unwrap();
        assert_eq!(game.name(), name);
        assert!(game.summary().is_some());
        assert!(game.start().has_legal());
    }
}

#[test]
fn a_slip_in_a_name_is_answered_with_the_name() {
    let error = senet::load("backgamon").unwrap_err();
    assert_eq!(error.near.as_deref(), Some("backgammon"));
    assert_eq!(error.to_string(), "no game is named `backgamon`, did you mean `backgammon`?");
}

#[test]
fn a_game_from_json_is_the_same_game_with_its_weights() {
    let shipped = chess();
    let json = serde_json::to_vec(shipped.definition()).unwrap();
    let read = Game::from_json(&json).unwrap();
    assert_eq!(read, shipped);
    assert_eq!(read.start().perft(2), 400);
    assert!(shipped.weights().is_some() && read.weights() == shipped.weights());
}

#[test]
fn a_broken_definition_is_told_with_its_place() {
    match Game::from_json("{\n  \"name\": 3\n}").unwrap_err() {
        GameError::Json { line, .. } => assert_eq!(line, 2),
        other => panic!("{other}"),
    }
    let missing = Game::from_file("no/such/file.json").unwrap_err();
    assert!(matches!(missing, GameError::Io { .. }), "{missing}");
    let mut definition = senet::load("tic-tac-toe").unwrap().definition().clone();
    definition.players.clear();
    assert!(Game::compile(definition).is_err());
}

#[test]
fn legal_is_exactly_what_apply_accepts_from_event_and_text() {
    for name in senet::games() {
        let game = senet::load(name).unwrap();
        let mut source = Source::seeded(3);
        let position = game.start().playout(&mut source, 12).position;
        for event in position.legal() {
            let step = position.apply(event).unwrap();
            assert_eq!(step.event, event);
            let text = position.format(event);
            assert_eq!(position.apply(&text).unwrap().position, step.position, "{name} {text}");
            assert_eq!(position.parse_event(&position.notate(event)).unwrap(), event);
        }
    }
}

#[test]
fn position_text_reads_back_to_the_position() {
    for name in senet::games() {
        let game = senet::load(name).unwrap();
        let position = game.start().playout(&mut Source::seeded(5), 20).position;
        assert_eq!(game.position(&position.to_string()).unwrap(), position);
        assert_eq!(game.at(position.state()).unwrap().state(), position.state(), "{name}");
        assert_eq!(game.setup(&position.setup()).unwrap(), position);
    }
}

#[test]
fn a_transposition_is_the_same_position() {
    let game = chess();
    let one = after(&game, &["Nf3", "Nf6", "Nc3"]);
    let other = after(&game, &["Nc3", "Nf6", "Nf3"]);
    assert_eq!(one, other);
    assert_eq!(HashSet::from([one.clone(), other]).len(), 1);
    assert_ne!(one, after(&game, &["Nf3", "Nf6", "Na3"]));
}

#[test]
fn positions_of_two_games_are_never_equal() {
    let (chess, hill) = (chess(), senet::load("king-of-the-hill").unwrap());
    assert_ne!(chess.start(), hill.start());
    let error = chess.start().layers().diff(&hill.start()).unwrap_err();
    assert_eq!((error.asked.as_str(), error.found.as_str()), ("chess", "king-of-the-hill"));
}

#[test]
fn a_state_of_another_game_is_an_error() {
    let (chess, dice) = (chess(), senet::load("backgammon").unwrap());
    let error = chess.at(dice.start().state()).unwrap_err();
    assert_eq!(error.to_string(), "these words are not a state of `chess`");
    assert!(dice.at(chess.start().state()).is_err());
    assert!(chess.restore(&[1, 2, 3]).is_err());
}

/// Whether a position survives an event of another game.
fn survives(position: &Position, event: Event) {
    let known = position.game().knows(event);
    match position.apply(event) {
        Err(ApplyError::Foreign(found)) => assert!(!known && found == event),
        Err(ApplyError::Refused(refused)) => assert!(!refused.to_string().is_empty()),
        Err(ApplyError::Text(error)) => panic!("{error}"),
        Ok(_) => assert!(known && position.accepts(event)),
    }
    let explanation = position.explain_event(event);
    assert!(!explanation.to_string().is_empty());
    assert_eq!(explanation.reasons.contains(&Reason::Foreign), !known);
    assert!(!position.format(event).is_empty());
    let _ = (position.notate(event), position.landing(event));
    let layers = position.layers();
    let _ = (layers.simulate(event), layers.filter_legal(&[event]));
}

#[test]
fn an_event_of_another_game_is_an_error_and_never_a_panic() {
    let games: Vec<Game> = senet::games().map(|name| senet::load(name).unwrap()).collect();
    let mut events = HashSet::new();
    for game in &games {
        let playout = game.start().playout(&mut Source::seeded(1), 60);
        events.extend(playout.events);
        events.extend(game.start().legal());
        events.extend(game.start().asides());
    }
    for game in &games {
        let position = game.start().playout(&mut Source::seeded(2), 7).position;
        events.iter().for_each(|&event| survives(&position, event));
    }
    let small = senet::load("tic-tac-toe").unwrap().start();
    let e4 = chess().start().parse_event("e2e4").unwrap();
    assert_eq!(small.apply(e4), Err(ApplyError::Foreign(e4)));
    assert_eq!(small.format(e4), "?");
    assert!(small.explain(e4).unwrap().reasons.contains(&Reason::Foreign));
}

#[test]
fn a_text_means_the_only_piece_that_may_do_it() {
    let game = chess();
    // The knight on b5 is free, that on d1 is pinned by the rook on a1.
    let pinned = game.position("7k/8/8/1N6/8/8/8/r2NK3 w - - 0 1").unwrap();
    let step = pinned.apply("Nc3").unwrap();
    assert_eq!(pinned.format(step.event), "b5c3");
    assert_eq!(Match::at(pinned).apply("Nc3").unwrap().event, step.event);
    // Both knights are free.
    let free = game.position("7k/8/8/8/8/8/K7/1N1N4 w - - 0 1").unwrap();
    let error = free.apply("Nc3").unwrap_err();
    assert!(matches!(error, ApplyError::Text(_)), "{error}");
    assert!(error.to_string().contains("Nbc3, Ndc3"), "{error}");
    assert_eq!(free.readings("Nc3").len(), 2);
}

#[test]
fn a_refusal_says_the_event_and_why() {
    let refused = match chess().start().apply("e2e5") {
        Err(ApplyError::Refused(refused)) => refused,
        other => panic!("{other:?}"),
    };
    assert!(refused.to_string().starts_with("e2e5 is refused: "), "{refused}");
    assert_eq!(refused.reasons().len(), refused.rejection().reasons.len());
    assert_eq!(refused.position(), &chess().start());
}

static ASKED: AtomicUsize = AtomicUsize::new(0);

#[test]
fn a_typed_move_is_judged_once() {
    let mut definition = senet::load("tic-tac-toe").unwrap().definition().clone();
    for phase in &mut definition.phases {
        for rule in &mut phase.rules {
            let counted = Truth::Custom { name: "counted".into() };
            let when = std::mem::replace(&mut rule.when, counted.clone());
            rule.when = Truth::All(vec![counted, when]);
        }
    }
    let mut customs = Customs::default();
    let count = CustomCondition(|_, _, _| {
        ASKED.fetch_add(1, Ordering::Relaxed);
        true
    });
    customs.conditions.insert("counted".into(), count);
    let options = Options { customs, ..Options::default() };
    let game = Game::compile_with(definition, options).unwrap();
    let asked = |ask: &dyn Fn()| {
        ASKED.store(0, Ordering::Relaxed);
        ask();
        ASKED.load(Ordering::Relaxed)
    };
    let start = game.start();
    let mark = start.legal()[4];
    let event = asked(&|| assert!(start.apply(mark).is_ok()));
    let text = asked(&|| assert!(start.apply("mark@b2").is_ok()));
    let played = asked(&|| assert!(Match::new(&game).apply("mark@b2").is_ok()));
    assert_eq!([event, text, played], [1, 1, 1]);
}

#[test]
fn perft_stops_when_it_is_asked_to() {
    let asked = std::sync::atomic::AtomicU32::new(0);
    let soon = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 3;
    let chess = senet::load("chess").expect("chess").start();
    let mut budget = senet::Budget::until(&soon);
    assert_eq!(chess.perft_within(40, &mut budget), Err(senet::Stopped::Asked));
}
