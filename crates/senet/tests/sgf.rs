//! SGF files: what others write is read, what we write is read again, and what is wrong is told.

use senet::notation::sgf::{self, Closing, Problem, Reader};
use senet::{Event, Game, Match};

fn first(text: &str) -> Result<sgf::Record, sgf::Error> {
    Reader::new(text).next().expect("there is a game")
}

fn load(name: &str) -> Game {
    senet::load(name).expect("it is shipped")
}

/// A match in which each move is the one in the middle of the list.
fn played(game: &Game, plies: usize) -> Match {
    let mut played = Match::new(game);
    for _ in 0..plies {
        let position = played.position();
        let legal = position.legal();
        let Some(event) = legal.get(legal.len() / 2).copied().or_else(|| position.due()) else {
            break;
        };
        played.apply(event).expect("it is legal");
    }
    played
}

#[test]
fn a_game_of_go_is_read_with_handicap_captures_passes_and_variations() {
    let text =
        "(;FF[4]GM[1]SZ[9]HA[2]PB[Carol]PW[D\\]ave]RE[W+R]AB[gc][cg]\n;W[ee]C[a \\\ncomment; (\\])]
        ;B[de](;W[dd];B[fe](;W[ce];B[]) (;W[aa]))(;W[cc]))(;GM[1];B[pd])";
    let mut games = Reader::new(text);
    let record = games.next().expect("one").expect("it can be read");
    assert_eq!(record.names, ["Carol", "D]ave"]);
    assert_eq!(record.result.as_deref(), Some("W+R"));
    let moves: Vec<String> = record.played.to_string().split(' ').map(str::to_owned).collect();
    assert_eq!(moves, ["stone@e5", "stone@d5", "stone@d6", "stone@f5", "stone@c5", "pass"]);
    let other = games.next().expect("another").expect("it can be read");
    assert_eq!(
        (other.played.game().name(), other.played.to_string().as_str()),
        ("go", "stone@p16")
    );
    assert!(games.next().is_none());
}

#[test]
fn every_game_is_written_and_read_again() {
    for name in ["go", "othello", "gomoku", "lines-of-action", "hex"] {
        let played = played(&load(name), 40);
        let names = ["Ann [1]".to_owned(), "Bob\\".to_owned()];
        let text = sgf::write_sgf(&played, &names, None).expect("SGF has the game");
        let record = first(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(record.played.position(), played.position(), "{name}");
        assert_eq!(record.played.to_string(), played.to_string(), "{name}");
        assert_eq!(record.names, names);
    }
    assert_eq!(sgf::write_sgf(&Match::new(&load("chess")), &[], None), None);
}

#[test]
fn a_position_in_which_a_match_began_is_written_and_read_again() {
    for name in ["go", "othello", "lines-of-action", "hex"] {
        let middle = played(&load(name), 9).position();
        let mut later = Match::at(middle.clone());
        let event = middle.legal()[0];
        later.apply(event).expect("it is legal");
        let text = sgf::write_sgf(&later, &[], None).expect("SGF has the game");
        let record = first(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(record.played.start().hash128(), middle.hash128(), "{name}\n{text}");
        assert_eq!(record.played.position().hash128(), later.position().hash128(), "{name}");
    }
}

#[test]
fn hex_keeps_its_sides_and_its_neighbours() {
    // In such files black joins top and bottom: a column of stones wins.
    let column: String = (1..=11)
        .map(|row| {
            format!(";B[f{row}]") + &(if row < 11 { format!(";W[a{row}]") } else { String::new() })
        })
        .collect();
    let record = first(&format!("(;GM[11]{column})")).expect("it can be read");
    let outcome = record.played.outcome().expect("black has joined the sides");
    assert_eq!(outcome.winner.map(senet::PlayerId::index), Some(0));
    // b2 touches c1 and a3, and neither a1 nor c3.
    let touches = |one: &str, other: &str| {
        let game = load("hex");
        let tile = |point: &str| {
            let record = first(&format!("(;GM[11];B[{point}])")).expect("it is on the board");
            match record.played.last().expect("it was played").event {
                Event::Put { to, .. } => to,
                event => panic!("{event:?} is no stone"),
            }
        };
        let (from, to, topology) = (tile(one), tile(other), game.rules().topology());
        topology.leaving(from).any(|relation| topology.relation(relation).to == to)
    };
    assert!(touches("b2", "c1") && touches("b2", "a3") && touches("b2", "b1"));
    assert!(!touches("b2", "a1") && !touches("b2", "c3"));
}

#[test]
fn othello_is_numbered_from_the_top_and_passes_need_not_stand_there() {
    let record = first("(;GM[2];B[fe];W[ff])").expect("black plays f5 first");
    assert_eq!(record.played.to_string(), "disc@f5 disc@f6");
    let mut game = Match::new(&load("othello"));
    let mut passed = false;
    while game.outcome().is_none() {
        let position = game.position();
        let event = match position.legal().first() {
            Some(event) => *event,
            None => {
                passed = true;
                position.due().expect("the turn passes")
            }
        };
        passed |= matches!(event, Event::Act(_));
        game.apply(event).expect("it is legal");
    }
    assert!(passed, "somebody passed in this game");
    let text = sgf::write_sgf(&game, &[], None).expect("SGF has the game");
    let without: String = text.replace(";B[]", "").replace(";W[]", "");
    assert_ne!(text, without);
    for text in [text, without] {
        assert_eq!(first(&text).expect("it can be read").played.position(), game.position());
    }
}

#[test]
fn a_board_of_another_size_is_a_game_of_its_own() {
    let record = first("(;GM[1]SZ[13];B[dd])").expect("it can be read");
    let game = record.played.game();
    assert_eq!((game.name(), game.tile_count()), ("go-13", 169));
    assert!(sgf::is_sgf_game(game));
    let source = sgf::source_of(game).expect("it is not shipped");
    let source = senet::lang::Source::new("x.senet", source);
    let again = Game::from_source(&source, &senet::Files::default(), Default::default());
    assert_eq!(again.expect("it compiles"), *game);
    let text = sgf::write_sgf(&record.played, &[], None).expect("it can be written");
    assert!(text.contains("SZ[13]") && text.contains(";B[dd]"), "{text}");
    assert_eq!(sgf::source_of(&load("go")), None);
}

#[test]
fn results_are_written() {
    let game = Match::new(&load("gomoku"));
    let black = game.game().players().next().expect("there are two");
    let written = |closing| sgf::write_sgf(&game, &[], closing).expect("SGF has the game");
    assert!(written(Some(Closing::Resigned(black))).contains("RE[B+R]"));
    assert!(written(Some(Closing::Time(black))).contains("RE[B+T]"));
    assert!(written(Some(Closing::Void)).contains("RE[Void]"));
    assert!(!written(None).contains("RE["));
    let five = "(;GM[4];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])";
    let over = first(five).expect("it can be read").played;
    assert!(sgf::write_sgf(&over, &[], None).expect("it is written").contains("RE[B+]"));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let problem = |text: &str| {
        let error = first(text).expect_err("something is wrong");
        assert!(error.to_string().starts_with(&format!("line {}", error.line)));
        (error.line, error.problem)
    };
    assert_eq!(problem("(;GM[1]"), (1, Problem::Unfinished));
    assert_eq!(problem("(;GM[1];B[aa"), (1, Problem::Unfinished));
    assert_eq!(problem("(GM[1])"), (1, Problem::NoNode));
    assert_eq!(problem("(;GM)"), (1, Problem::NoValue("GM".to_owned())));
    assert_eq!(problem("(;GM[1]\n7)"), (2, Problem::Unexpected('7')));
    assert_eq!(problem("(;GM[3])").1, Problem::Game("3".to_owned()));
    assert_eq!(problem("(;SZ[9:11])").1, Problem::Size("9:11".to_owned()));
    assert_eq!(problem("(;SZ[100])").1, Problem::Size("100".to_owned()));
    assert_eq!(problem("(;B[aa]\n;AW[bb])"), (2, Problem::LateSetup));
    assert_eq!(problem("(;B[a9])").1, Problem::Point("a9".to_owned()));
    assert_eq!(problem("(;SZ[9];B[zz])").1, Problem::Point("zz".to_owned()));
    assert!(matches!(problem("(;B[aa];W[aa])").1, Problem::Refused(_, _)));
    assert!(
        matches!(problem("(;B[aa];B[bb])").1, Problem::Refused(_, why) if why.contains("turn"))
    );
    assert!(matches!(problem("(;GM[4];B[])").1, Problem::Refused(_, _)));
    assert_eq!(problem(&format!("(;{})", ";B[]".repeat(20_001))).1, Problem::TooLong);
}

#[test]
fn deep_brackets_need_no_stack() {
    let text = format!("(;GM[1];B[aa]{}{}", "(;W[bb]".repeat(200_000), ")".repeat(200_001));
    assert!(first(&text).is_err(), "it has too many nodes");
    let variations = format!("(;GM[1];B[aa](;W[bb]){})", "(;W[cc])".repeat(100_000));
    assert_eq!(first(&variations).expect("the first branch counts").played.ply(), 2);
}
