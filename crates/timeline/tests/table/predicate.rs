//! Which moves are left out.

use std::sync::Arc;

use arrow::record_batch::RecordBatch;
use senet_timeline::{Error, Request, Shape, Timeline};

use crate::subject::{KIWIPETE, batches, request};

fn pruned(position: &str, depth: u32, prune: &str) -> Result<Arc<Timeline>, Error> {
    let (subject, request) = request("chess", position, depth, &["ply", "notation"]);
    let request = Request { prune: Some(prune.to_owned()), ..request };
    Ok(Arc::new(Timeline::new(subject, request)?))
}

fn count(position: &str, depth: u32, prune: &str) -> usize {
    let timeline = pruned(position, depth, prune).expect("it makes sense");
    let rows = |threads| batches(&timeline, threads).iter().map(RecordBatch::num_rows).sum();
    assert_eq!(rows(1), rows(3));
    rows(2)
}

#[test]
fn a_move_is_left_out_with_all_that_is_below_it() {
    assert_eq!(count("", 1, "false"), 20);
    assert_eq!(count("", 1, "piece = 'pawn'"), 4);
    assert_eq!(count("", 2, "piece = 'pawn'"), 4 + 4 * 4);
    assert_eq!(count("", 2, "player = 'white' and piece = 'pawn'"), 4 + 4 * 20);
    assert_eq!(count(KIWIPETE, 1, "captured is null"), 8);
    assert_eq!(count(KIWIPETE, 1, "captured is not null"), 40);
    assert_eq!(count(KIWIPETE, 2, "ply = 2 and not is_check"), 48 + 3);
}

#[test]
fn words_mean_what_they_mean_in_sql() {
    assert_eq!(count("", 1, "not (piece IN ('pawn', 'king') OR \"to\" = 'a3')"), 17);
    assert_eq!(count("", 1, "piece not in ('pawn')"), 16);
    assert_eq!(count("", 1, "move_index >= 4 and move_index <> 19"), 5);
    assert_eq!(count("", 1, "captured = 'pawn' or not captured = 'pawn'"), 20);
    assert_eq!(count("", 1, "notation = 'it''s'"), 20);
}

#[test]
fn what_cannot_be_read_says_where() {
    let cases = [
        ("", 0, "expected a column"),
        ("peice = 'pawn'", 0, "did you mean `piece`"),
        ("ply = 2 and peace = 1", 12, "did you mean"),
        ("ply", 3, "expected a comparison"),
        ("ply = 'a'", 6, "compared with a text"),
        ("ply = 1)", 7, "expected `and`"),
        ("(ply = 1", 8, "expected `)`"),
        ("piece = 'pawn", 8, "not closed"),
        ("ply is 1", 7, "expected `null`"),
        ("ply = 1 ;", 8, "unexpected `;`"),
        ("ply in (1, 'a')", 14, "a number"),
        ("é", 0, "unexpected `é`"),
    ];
    for (text, at, part) in cases {
        match pruned("", 1, text).err() {
            Some(Error::Predicate { at: found, message }) => {
                assert_eq!(found, at, "{text}: {message}");
                assert!(message.contains(part), "{text}: {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let deep = "(".repeat(100_000);
    assert!(matches!(pruned("", 1, &deep).err(), Some(Error::Predicate { .. })));
}

#[test]
fn a_request_that_makes_no_sense_is_refused() {
    let refuse = |change: fn(&mut Request)| {
        let (subject, mut request) = request("chess", "", 1, &["ply"]);
        change(&mut request);
        Timeline::new(subject, request).err().expect("it is refused").to_string()
    };
    assert_eq!(refuse(|one| one.depth = 0), "the depth is 0, but must be 1 to 64");
    assert_eq!(refuse(|one| one.depth = 99), "the depth is 99, but must be 1 to 64");
    let named = |one: &mut Request| one.columns = Some(vec!["play".into()]);
    assert_eq!(refuse(named), "no column is named `play`, did you mean `ply`?");
    let twice = |one: &mut Request| one.columns = Some(vec!["ply".into(), "ply".into()]);
    assert_eq!(refuse(twice), "column `ply` is named twice");
    assert_eq!(refuse(|one| one.roots.clear()), "there is no position to start from");
}

#[test]
fn positions_are_merged_after_pruning() {
    let (subject, request) = request("chess", "", 3, &["ply"]);
    let prune = Some("piece <> 'knight'".to_owned());
    let request = Request { shape: Shape::Distinct, prune, ..request };
    let timeline = Arc::new(Timeline::new(subject, request).expect("it makes sense"));
    let merged: usize = batches(&timeline, 1).iter().map(RecordBatch::num_rows).sum();
    assert!(merged < count("", 3, "piece <> 'knight'"));
}
