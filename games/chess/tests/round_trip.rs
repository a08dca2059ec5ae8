//! Random games: what every notation writes, it reads back.

use std::sync::LazyLock;

use senet_chess::epd::{Epd, Operand, Operation};
use senet_chess::pgn::{Reader, Record, Rules, Tags, Termination, Tree};
use senet_chess::{CHESS960, NOTATION, game};
use senet_core::{Game, Notation, State};
use senet_testkit::Source;

static GAME: LazyLock<Game> = LazyLock::new(game);

/// The states of a random game, the first included.
fn states(source: &mut Source, start: State, plies: usize) -> Vec<State> {
    let mut states = vec![start];
    while states.len() <= plies {
        let state = &states[states.len() - 1];
        let Some(event) = source.pick(&GAME.legal(state)) else { break };
        states.push(GAME.apply(state, event).unwrap().state);
    }
    states
}

#[test]
fn positions_and_events_of_random_games_read_back() {
    let mut source = Source::seeded(1);
    for _ in 0..12 {
        for state in states(&mut source, GAME.start(), 150).iter().step_by(3) {
            let fen = NOTATION.format_position(&GAME, state);
            let read = NOTATION.parse_position(&GAME, &fen).unwrap();
            assert_eq!(NOTATION.format_position(&GAME, &read), fen);
            assert_eq!(read.hash128(), state.hash128(), "{fen}");
            let legal = GAME.legal(state);
            let mut seen = Vec::new();
            for &event in &legal {
                let written = [
                    NOTATION.notate(&GAME, state, event),
                    NOTATION.format_event(&GAME, state, event),
                    CHESS960.format_event(&GAME, state, event),
                ];
                for text in &written {
                    assert_eq!(NOTATION.parse_event(&GAME, state, text), Ok(event), "{text} {fen}");
                }
                seen.push(written[0].clone());
            }
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), legal.len(), "{fen}");
        }
    }
}

#[test]
fn trees_grown_at_random_read_back() {
    let rules = Rules::new(&GAME, &NOTATION);
    let mut source = Source::seeded(2);
    for _ in 0..20 {
        let mut tree = Tree::new();
        let mut states = vec![GAME.start()];
        for word in 0..60 {
            let parent = if source.below(3) > 0 {
                tree.len() - 1
            } else {
                source.below(tree.len() as u64) as usize
            };
            let Some(event) = source.pick(&GAME.legal(&states[parent])) else { continue };
            let first = tree.children(parent).next().is_none();
            let node = tree.add(parent, event);
            states.push(GAME.apply(&states[parent], event).unwrap().state);
            let said = [
                "good",
                "a longer remark on this move",
                "1. e4 (no move)",
                "; } brace",
                "two  spaces",
            ];
            if source.below(4) == 0 {
                tree.node_mut(node).after.push(said[word % 5].into());
            }
            if !first && source.below(3) == 0 {
                tree.node_mut(node).before.push(said[word % 5].into());
            }
            if source.below(5) == 0 {
                tree.node_mut(node).nags.push(source.below(256) as u8);
            }
        }
        let tags = Tags(vec![("Event".into(), "random \"tree\"".into())]);
        let record = Record {
            tags,
            game: "chess".into(),
            start: GAME.start(),
            tree,
            result: Termination::Draw,
        };
        let written = record.format(&rules).unwrap();
        let read = Reader::new(written.as_bytes(), "random.pgn", &rules).next_record().unwrap();
        assert_eq!(read.unwrap_or_else(|error| panic!("{error}\n{written}")), record, "{written}");
    }
}

#[test]
fn lines_with_operations_read_back() {
    let mut source = Source::seeded(3);
    for state in states(&mut source, GAME.start(), 200).iter().step_by(5) {
        let legal = GAME.legal(state);
        let best: Vec<Operand> = legal.iter().take(3).map(|&event| Operand::Move(event)).collect();
        let epd = Epd {
            state: state.clone(),
            operations: vec![
                Operation { opcode: "bm".into(), operands: best },
                Operation {
                    opcode: "id".into(),
                    operands: vec![Operand::Text("a \"b\" \\".into())],
                },
            ],
        };
        let written = epd.format(&GAME, &NOTATION);
        let read = Epd::parse(&GAME, &NOTATION, &written).unwrap();
        assert_eq!(read.operations, epd.operations);
        assert_eq!(read.state.hash128(), state.hash128());
        assert_eq!(read.format(&GAME, &NOTATION), written);
    }
}
