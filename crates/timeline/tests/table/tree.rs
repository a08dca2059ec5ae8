//! The rows of whole trees, against numbers that others have published.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::{Int32Type, Int64Type};
use arrow::record_batch::RecordBatch;
use senet_core::builder::{FOUR, Grid};
use senet_core::written::{Kind, Movement, Pattern, Phase, Rule, Truth};
use senet_core::{Builder, Options, Plain};
use senet_timeline::{Request, Shape, Subject, Timeline};

use crate::subject::{KIWIPETE, batches, request, subject, text, timeline, truth};

/// Rows by ply, counted where a test of a row holds.
fn by_ply(batches: &[RecordBatch], test: impl Fn(&RecordBatch, usize) -> bool) -> Vec<u64> {
    let mut plies: BTreeMap<i32, u64> = BTreeMap::new();
    for batch in batches {
        let ply = batch.column_by_name("ply").expect("it is asked for").as_primitive::<Int32Type>();
        for row in 0..batch.num_rows() {
            *plies.entry(ply.value(row)).or_default() += u64::from(test(batch, row));
        }
    }
    plies.into_values().collect()
}

/// Nodes, captures, en passants, castles, promotions, checks and mates by ply.
fn breakdown(position: &str, depth: u32) -> Vec<Vec<u64>> {
    let columns = ["ply", "captured", "rule", "becomes", "is_check", "outcome"];
    let timeline = timeline("chess", position, depth, &columns);
    let batches = batches(&timeline, 2);
    let rule = |start: &'static str| {
        move |batch: &RecordBatch, row: usize| {
            text(batch, row, "rule").is_some_and(|rule| rule.starts_with(start))
        }
    };
    vec![
        by_ply(&batches, |_, _| true),
        by_ply(&batches, |batch, row| text(batch, row, "captured").is_some()),
        by_ply(&batches, rule("en passant")),
        by_ply(&batches, rule("castling")),
        by_ply(&batches, |batch, row| text(batch, row, "becomes").is_some()),
        by_ply(&batches, |batch, row| truth(batch, row, "is_check")),
        by_ply(&batches, |batch, row| text(batch, row, "outcome") == Some("checkmate")),
    ]
}

#[test]
fn rows_by_ply_from_the_start_of_chess_are_the_published_ones() {
    let timeline = timeline("chess", "", 5, &["ply"]);
    let rows = by_ply(&batches(&timeline, 2), |_, _| true);
    assert_eq!(rows, [20, 400, 8902, 197_281, 4_865_609]);
}

#[test]
fn the_breakdown_of_the_start_is_the_published_one() {
    let expected = [
        vec![20, 400, 8902, 197_281],
        vec![0, 0, 34, 1576],
        vec![0, 0, 0, 0],
        vec![0, 0, 0, 0],
        vec![0, 0, 0, 0],
        vec![0, 0, 12, 469],
        vec![0, 0, 0, 8],
    ];
    assert_eq!(breakdown("", 4), expected);
}

#[test]
fn the_breakdown_of_kiwipete_is_the_published_one() {
    let expected = [
        vec![48, 2039, 97_862],
        vec![8, 351, 17_102],
        vec![0, 1, 45],
        vec![2, 91, 3162],
        vec![0, 0, 0],
        vec![0, 3, 993],
        vec![0, 0, 1],
    ];
    assert_eq!(breakdown(KIWIPETE, 3), expected);
}

#[test]
fn transpositions_are_merged_and_their_paths_counted() {
    let count = |game: &str, depth: u32| {
        let (subject, request) = request(game, "", depth, &["ply", "paths"]);
        let request = Request { shape: Shape::Distinct, ..request };
        let timeline = Arc::new(Timeline::new(subject, request).expect("it makes sense"));
        let batches = batches(&timeline, 2);
        let mut paths: BTreeMap<i32, i64> = BTreeMap::new();
        for batch in &batches {
            let ply = batch["ply"].as_primitive::<Int32Type>();
            let count = batch["paths"].as_primitive::<Int64Type>();
            for row in 0..batch.num_rows() {
                *paths.entry(ply.value(row)).or_default() += count.value(row);
            }
        }
        (by_ply(&batches, |_, _| true), paths.into_values().collect::<Vec<i64>>())
    };
    assert_eq!(count("chess", 3), (vec![20, 400, 5362], vec![20, 400, 8902]));
    let (positions, paths) = count("tic-tac-toe", 9);
    assert_eq!(positions, [9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    // Games that end early do not go on, so the paths are the nodes of the tree.
    assert_eq!(paths.iter().sum::<i64>() + 1, 549_946);
}

#[test]
fn the_tree_of_tic_tac_toe_has_as_many_nodes_as_is_known() {
    let timeline = timeline("tic-tac-toe", "", 9, &[]);
    let rows: usize = batches(&timeline, 2).iter().map(RecordBatch::num_rows).sum();
    assert_eq!(rows + 1, 549_946);
}

#[test]
fn the_same_rows_come_in_the_same_order_whatever_the_threads() {
    let (subject, request) = request("chess", KIWIPETE, 3, &[]);
    let request = Request { columns: None, ..request };
    let timeline = Arc::new(Timeline::new(subject, request).expect("it makes sense"));
    let one = batches(&timeline, 1);
    for threads in [2, 5] {
        assert_eq!(batches(&timeline, threads), one);
    }
}

#[test]
fn codes_make_the_rows_a_tree() {
    let timeline = timeline("chess", KIWIPETE, 3, &["node", "parent", "ply", "move_index"]);
    let mut open: Vec<String> = vec![String::new()];
    let mut last = String::new();
    for batch in batches(&timeline, 2) {
        let ply = batch["ply"].as_primitive::<Int32Type>();
        for row in 0..batch.num_rows() {
            let node = text(&batch, row, "node").expect("every row has one");
            let parent = text(&batch, row, "parent").expect("every row has one");
            let ply = ply.value(row) as usize;
            open.truncate(ply);
            assert_eq!(open[ply - 1], parent, "the parent of {node} came before it");
            assert!(node > last.as_str(), "{node} after {last}");
            assert!(node.starts_with(parent) && node.len() > parent.len());
            open.push(node.to_owned());
            node.clone_into(&mut last);
        }
    }
}

#[test]
fn only_what_was_asked_for_is_in_the_table() {
    let timeline = timeline("chess", "", 1, &["to", "from"]);
    let batch = &batches(&timeline, 1)[0];
    let names: Vec<&String> = batch.schema_ref().fields().iter().map(|one| one.name()).collect();
    assert_eq!(names, ["to", "from"]);
    let (subject, _) = subject("chess", "");
    let request = Request::below(subject.game.start(), 1);
    let timeline = Timeline::new(subject, request).expect("it makes sense");
    assert!(timeline.columns().iter().all(|column| column.name() != "state"));
}

/// A stone on nine tiles that never comes back to where it was.
fn wandering() -> Subject {
    let walk = Rule::moves("walk", Movement::any()).ensuring(!Truth::Repeats(2));
    let definition = Builder::new("wandering")
        .players(["red", "blue"])
        .board(Grid::new(3, 3))
        .kind(Kind::new("stone").travels(Pattern::steps(&FOUR)))
        .pieces_on("red", "stone", ["a1"])
        .phase(Phase::leaf("play").rule(walk))
        .build();
    let game = definition.compile(Options::default()).expect("a sound definition");
    Subject { game: Arc::new(game), notation: &Plain }
}

#[test]
fn what_came_before_decides_what_is_legal() {
    let subject = wandering();
    let start = subject.game.start();
    // Ways from a corner of nine tiles that meet no tile twice, counted by hand up to the third step.
    assert_eq!(
        (1..4).map(|depth| subject.game.perft(&start, depth)).collect::<Vec<_>>(),
        [2, 4, 8]
    );
    let columns = ["ply", "legal_replies"].map(str::to_owned).to_vec();
    for shape in [Shape::Tree, Shape::Distinct] {
        let request =
            Request { shape, columns: Some(columns.clone()), ..Request::below(start.clone(), 8) };
        let timeline = Arc::new(Timeline::new(subject.clone(), request).expect("it makes sense"));
        for threads in [1, 2] {
            let batches = batches(&timeline, threads);
            let rows = by_ply(&batches, |_, _| true);
            let last = by_ply(&batches, |batch, row| {
                let replies = batch.column_by_name("legal_replies").expect("it is asked for");
                replies.as_primitive::<Int32Type>().value(row) == 0
            });
            if shape == Shape::Tree {
                let counts = (1..=8).map(|depth| subject.game.perft(&start, depth));
                assert_eq!(rows, counts.collect::<Vec<_>>());
            }
            assert_eq!(last.last(), rows.last(), "after nine tiles there is none left");
        }
    }
}
