//! Facts about matches.

use senet::chance::Source;
use senet::{ApplyError, LoadProblem, Match};

#[test]
fn undo_restores_and_redo_repeats() {
    let game = senet::load("chess").unwrap();
    let mut played = Match::new(&game);
    played.apply("e4").unwrap();
    let after = played.position();
    assert!(played.undo() && played.position() == game.start());
    assert!(!played.undo());
    assert!(played.redo() && played.position() == after);
    assert!(!played.redo());
    assert!(!played.goto(2));
}

#[test]
fn a_branch_does_not_see_what_the_other_plays() {
    let game = senet::load("tic-tac-toe").unwrap();
    let mut one = Match::replay(game.start(), "b2 a1").unwrap();
    let mut other = one.branch();
    one.apply("c3").unwrap();
    other.apply("a3").unwrap();
    assert_eq!((one.to_string(), other.to_string()), ("b2 a1 c3".into(), "b2 a1 a3".into()));
}

#[test]
fn a_match_saved_and_loaded_is_the_same_match() {
    for name in senet::games() {
        let game = senet::load(name).unwrap();
        let mut played = Match::new(&game);
        for event in game.start().playout(&mut Source::seeded(11), 40).events {
            played.apply(event).unwrap();
        }
        played.undo();
        for saved in [played.save(), played.to_json().into_bytes()] {
            assert_eq!(Match::saved_game(&saved).as_deref(), Some(name));
            let loaded = Match::load(&game, &saved).unwrap();
            assert_eq!(loaded.position(), played.position());
            assert_eq!(loaded.len(), played.len());
        }
    }
}

#[test]
fn match_text_replays_to_the_same_match() {
    for name in ["chess", "backgammon", "tic-tac-toe"] {
        let game = senet::load(name).unwrap();
        let mut played = Match::new(&game);
        for event in game.start().playout(&mut Source::seeded(4), 30).events {
            played.apply(event).unwrap();
        }
        let again = Match::replay(game.start(), &played.to_string()).unwrap();
        assert_eq!(again.position(), played.position(), "{name}: {played}");
    }
}

#[test]
fn a_match_of_another_game_does_not_load() {
    let (chess, atomic) = (senet::load("chess").unwrap(), senet::load("atomic").unwrap());
    let saved = Match::replay(chess.start(), "e4 e5").unwrap().save();
    let error = Match::load(&atomic, &saved).unwrap_err();
    assert!(matches!(error.problem, LoadProblem::OtherGame { .. }), "{error}");
}

#[test]
fn a_refused_event_leaves_the_match_as_it_is() {
    let (chess, small) = (senet::load("chess").unwrap(), senet::load("tic-tac-toe").unwrap());
    let mut played = Match::new(&small);
    let e4 = chess.start().parse_event("e4").unwrap();
    assert_eq!(played.apply(e4), Err(ApplyError::Foreign(e4)));
    played.apply("b2").unwrap();
    assert!(matches!(played.apply("b2"), Err(ApplyError::Refused(_))));
    assert!(matches!(played.apply("z9"), Err(ApplyError::Text(_))));
    assert_eq!(played.to_string(), "b2");
}

#[test]
fn a_replay_names_the_move_that_fails() {
    let game = senet::load("chess").unwrap();
    let error = Match::replay(game.start(), "e4 e5 Ke3").unwrap_err();
    assert_eq!((error.number, error.text.as_str()), (3, "Ke3"));
    assert!(error.to_string().starts_with("move 3, `Ke3`: e1e3 is refused: "), "{error}");
}

#[test]
fn a_match_counts_repetitions() {
    let game = senet::load("chess").unwrap();
    let around = "Nf3 Nf6 Ng1 Ng8 ";
    let played = Match::replay(game.start(), &around.repeat(4)).unwrap();
    let outcome = played.outcome().expect("five times the same position");
    assert_eq!(game.outcome_text(&outcome), "draw: fivefold repetition");
}

#[cfg(feature = "bots")]
#[test]
fn a_bot_refuses_a_match_of_another_game() {
    use senet::bots::{Limit, Spec};

    let (chess, small) = (senet::load("chess").unwrap(), senet::load("tic-tac-toe").unwrap());
    let mut bot = small.bot("search:2".parse::<Spec>().unwrap(), 1);
    assert!(bot.choose(&Match::new(&small), &Limit::NONE).unwrap().is_some());
    let error = bot.choose(&Match::new(&chess), &Limit::NONE).unwrap_err();
    assert_eq!(error.found, "chess");
    let search = small.search();
    assert!(search.think(&Match::new(&chess), &Limit::NONE, &[], &mut |_| ()).is_err());
}

/// Wherever a match of backgammon is written, within a turn or between two, what is written reads back.
#[test]
fn a_file_of_backgammon_has_whole_turns() {
    let game = senet::load("backgammon").unwrap();
    let games = senet::notation::mat_games();
    for seed in 0..3 {
        let mut source = Source::for_game(seed, 0);
        let mut played = Match::new(&game);
        for _ in 0..60 {
            // Rolls are listed like moves, so that one of them is as good as any.
            let legal = played.position().legal();
            if legal.is_empty() {
                break;
            }
            played.apply(legal[source.below(legal.len() as u64) as usize]).unwrap();
            let text = senet::notation::write_mat(&played, &[]).unwrap();
            let mut reader = senet::notation::mat_reader(&games, text.as_bytes(), "match.mat");
            while let Some(record) = reader.next_game() {
                record.unwrap_or_else(|error| panic!("{error}\n{text}"));
            }
        }
    }
}
