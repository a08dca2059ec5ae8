//! Timelines in files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use senet_timeline::{Request, Shape, Timeline};
use senet_timeline_sql::{Form, Purpose, QueryError, Session, Shelf};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("it can be made");
    folder
}

fn session() -> (Arc<Shelf>, Session) {
    let shelf = Arc::new(Shelf::default());
    let session = Session::new(&shelf, 2).expect("there are threads");
    (shelf, session)
}

fn tree(shelf: &Shelf, game: &str, depth: u32, shape: Shape) -> Timeline {
    let subject = shelf.find(game).expect("it is registered");
    let request = Request { shape, ..Request::below(subject.game.start(), depth) };
    Timeline::new(subject, request).expect("it makes sense")
}

fn asked(session: &Session, question: &str) -> String {
    let mut answer = String::new();
    let written = session.ask(
        question,
        Purpose::Answer,
        Form::Csv,
        || true,
        |text| {
            answer.push_str(text);
            Ok::<(), QueryError>(())
        },
    );
    written.expect("it can be answered");
    answer.lines().skip(1).collect::<Vec<&str>>().join(";")
}

#[test]
fn the_files_of_a_folder_have_all_rows_in_their_order() {
    for (game, depth) in [("chess", 3), ("backgammon", 2), ("tic-tac-toe", 5)] {
        let (shelf, session) = session();
        let folder = scratch(&format!("saved-{game}"));
        let tree = tree(&shelf, game, depth, Shape::Tree);
        let saved = session.save(&tree, &folder, || true).expect("it can be written");
        let saved = saved.expect("nobody calls it off");
        session.name("tree", &tree).expect("the name is free");
        let rows: u64 = saved.iter().map(|one| one.rows).sum();
        assert_eq!(asked(&session, "select count(*) from tree"), rows.to_string(), "{game}");
        let mut nodes = Vec::new();
        for one in &saved {
            let path = folder.join(&one.file);
            assert_eq!(fs::metadata(&path).expect("it is there").len(), one.bytes);
            nodes.push(asked(&session, &format!("select node from '{}'", path.display())));
        }
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), saved.len());
        let nodes: Vec<&str> = nodes.iter().flat_map(|nodes| nodes.split(';')).collect();
        assert_eq!(nodes.len() as u64, rows);
        assert!(nodes.is_sorted(), "{game}");
    }
}

#[test]
fn merged_positions_are_one_file() {
    let (shelf, session) = session();
    let folder = scratch("saved-merged");
    let tree = tree(&shelf, "tic-tac-toe", 9, Shape::Distinct);
    let saved = session.save(&tree, &folder, || true).expect("it can be written");
    let rows: Vec<u64> = saved.expect("nobody calls it off").iter().map(|one| one.rows).collect();
    assert_eq!(rows, [5477]);
}

#[test]
fn who_no_longer_wants_files_gets_none() {
    let (shelf, session) = session();
    let folder = scratch("saved-unwanted");
    let tree = tree(&shelf, "chess", 4, Shape::Tree);
    assert_eq!(session.save(&tree, &folder, || false).as_ref(), Ok(&None));
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let (shelf, session) = session();
    let tree = tree(&shelf, "tic-tac-toe", 2, Shape::Tree);
    let error = session.save(&tree, Path::new("/nowhere/at/all"), || true);
    assert!(error.expect_err("it is refused").message.contains("No such file"));
}
