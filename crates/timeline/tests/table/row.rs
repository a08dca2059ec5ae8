//! What single rows say.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{Float64Type, Int32Type};
use arrow::util::display::array_value_to_string;
use senet_core::State;
use senet_timeline::{Column, Record, Request, Root, Timeline, binary};

use crate::subject::{KIWIPETE, batches, subject, timeline, truth};

/// The cells of the row of a move, as text; what is null is a dash.
fn row(game: &str, position: &str, event: &str, columns: &[&str]) -> Vec<String> {
    let asked: Vec<&str> = columns.iter().copied().chain(["event"]).collect();
    let timeline = timeline(game, position, 1, &asked);
    for batch in batches(&timeline, 1) {
        let events = batch["event"].as_string_view();
        let Some(row) = events.iter().position(|one| one == Some(event)) else { continue };
        let cell = |column: &&str| {
            let column = batch.column_by_name(column).expect("it is asked for");
            match column.is_null(row) {
                true => "-".to_owned(),
                false => array_value_to_string(column, row).expect("it can be shown"),
            }
        };
        return columns.iter().map(cell).collect();
    }
    panic!("{event} is legal");
}

#[test]
fn a_double_step_sets_a_flag_only_where_it_serves() {
    let columns = ["player", "notation", "rule", "piece", "piece_name", "from", "to", "flags_set"];
    let position = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let white = ["white", "e4", "pawn double step", "pawn", "white-pawn-5", "e2", "e4"];
    assert_eq!(row("chess", position, "e2e4", &columns), [&white[..], &["passing"]].concat());
    let at_start = row("chess", "", "e2e4", &["rule", "captured", "flags_set", "flags_cleared"]);
    assert_eq!(at_start, ["pawn double step", "-", "-", "-"]);
}

#[test]
fn castling_says_where_the_king_comes_to_and_what_is_lost() {
    let columns = ["notation", "piece", "from", "to", "captured", "flags_set", "flags_cleared"];
    let expected = ["O-O", "king", "e1", "g1", "-", "-", "mint"];
    assert_eq!(row("chess", KIWIPETE, "e1g1", &columns), expected);
}

#[test]
fn en_passant_captures_what_stands_beside() {
    let position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    let columns = ["notation", "to", "captured", "flags_set", "flags_cleared"];
    assert_eq!(row("chess", position, "e5d6", &columns), ["exd6", "d6", "pawn", "-", "passing"]);
}

#[test]
fn a_promotion_says_what_the_pawn_becomes() {
    let position = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    let columns = ["notation", "piece", "becomes", "captured", "is_check", "threatened"];
    let expected = ["exd8=Q+", "pawn", "queen", "rook", "true", "h8"];
    assert_eq!(row("chess", position, "e7d8q", &columns), expected);
}

#[test]
fn a_mate_ends_the_game() {
    let position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let columns = ["notation", "is_check", "legal_replies", "outcome", "winner"];
    let expected = ["Ra8#", "true", "0", "checkmate", "white"];
    assert_eq!(row("chess", position, "a1a8", &columns), expected);
}

#[test]
fn every_column_of_every_game_is_what_the_game_says() {
    for entry in senet_registry::GAMES {
        let (subject, start) = subject(entry.name, "");
        let columns = Column::ALL.iter().map(|column| column.name().to_owned()).collect();
        let game = &subject.game;
        // A wide tree has enough rows at its first level.
        let depth = if game.legal(&start).len() > 100 { 1 } else { 2 };
        let request = Request { columns: Some(columns), ..Request::below(start.clone(), depth) };
        let timeline = Arc::new(Timeline::new(subject.clone(), request).expect("it makes sense"));
        let mut rows = Vec::new();
        for batch in batches(&timeline, 1) {
            for row in 0..batch.num_rows() {
                rows.push((batch.clone(), row));
            }
        }
        let mut rows = rows.iter();
        let mut check = |before: &State, event| {
            let after = game.apply(before, event).expect("it is legal").state;
            let (batch, row) = rows.next().expect("every move has a row");
            let hash = batch["position"].as_fixed_size_binary().value(*row);
            assert_eq!(hash, after.hash128().to_be_bytes());
            let state = batch["state"].as_binary_view().value(*row);
            assert_eq!(binary::read(game, state).as_ref(), Some(&after));
            let replies = batch["legal_replies"].as_primitive::<Int32Type>().value(*row);
            assert_eq!(replies as u64, game.legal_count(&after));
            let position = batch["position_text"].as_string_view().value(*row);
            assert_eq!(position, entry.notation.format_position(game, &after));
            let royals = game.threatened_royals(&after, game.view(&after).player());
            assert_eq!(truth(batch, *row, "is_check"), !royals.is_empty());
            after
        };
        for event in game.legal(&start) {
            let after = check(&start, event);
            if depth == 2 {
                game.legal(&after).into_iter().for_each(|event| {
                    check(&after, event);
                });
            }
        }
        assert!(rows.next().is_none(), "every row is a move");
    }
}

#[test]
fn chance_says_how_likely_each_outcome_is() {
    for entry in senet_registry::GAMES {
        let (subject, start) = subject(entry.name, "");
        if !subject.game.awaits_chance(&start) {
            continue;
        }
        let timeline = timeline(entry.name, "", 1, &["probability", "path_probability"]);
        let mut sum = 0.0;
        for batch in batches(&timeline, 1) {
            let columns = [&batch["probability"], &batch["path_probability"]];
            let [one, path] = columns.map(AsArray::as_primitive::<Float64Type>);
            assert_eq!(one, path);
            sum += one.iter().flatten().sum::<f64>();
        }
        assert!((sum - 1.0).abs() < 1e-9, "{}: {sum}", entry.name);
    }
}

#[test]
fn rows_below_positions_of_a_game_say_which_and_what_was_played() {
    let (subject, start) = subject("chess", "");
    let game = subject.game.clone();
    let mut state = start;
    let mut roots = Vec::new();
    for (ply, text) in ["e4", "e5"].iter().enumerate() {
        let event = subject.notation.parse_event(&game, &state, text).expect("it is a move");
        let (played, result) = (Some(event), "1-0".to_owned());
        let record = Record { number: 7, ply: ply as i32, played, result };
        roots.push(Root { state: state.clone(), record: Some(record) });
        state = game.apply(&state, event).expect("it is legal").state;
    }
    let columns = ["root", "record", "record_ply", "played", "result", "notation", "node"];
    let columns = Some(columns.map(str::to_owned).to_vec());
    let prune = Some("not played".to_owned());
    let request = Request { roots, columns, prune, ..Request::below(state, 1) };
    let request = Request { roots: request.roots[..2].to_vec(), ..request };
    let timeline = Arc::new(Timeline::new(subject, request).expect("it makes sense"));
    let rows: Vec<String> = batches(&timeline, 2)
        .iter()
        .flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)))
        .map(|(batch, row)| {
            let cell =
                |column: &ArrayRef| array_value_to_string(column, row).expect("it can be shown");
            batch.columns().iter().map(cell).collect::<Vec<String>>().join(" ")
        })
        .collect();
    assert_eq!(rows, ["0 7 0 true 1-0 e4 000c", "1 7 1 true 1-0 e5 010c"]);
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    let (subject, start) = subject("chess", "");
    let game = &subject.game;
    let mut bytes = Vec::new();
    binary::write(game, &start, &mut bytes);
    assert_eq!(binary::read(game, &bytes), Some(start));
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            // Some bits are facts that may be otherwise; nothing else is taken.
            if let Some(state) = binary::read(game, &bytes) {
                assert!(game.legal_count(&state) < 1000);
            }
            bytes[at] ^= 1 << bit;
        }
    }
    assert_eq!(binary::read(game, &bytes[..bytes.len() - 1]), None);
    assert_eq!(binary::read(game, &[]), None);
}
