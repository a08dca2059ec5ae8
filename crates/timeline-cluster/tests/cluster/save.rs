//! Timelines that a cluster writes into files.

use std::fs;
use std::sync::Arc;
use std::thread::{scope, sleep};
use std::time::Duration;

use senet_timeline::{Request, Timeline};
use senet_timeline_sql::{Saved, Shelf};

use crate::process::{Cluster, ask_here};

fn tree(shelf: &Shelf, game: &str, depth: u32) -> Timeline {
    let subject = shelf.find(game).expect("it is registered");
    let request = Request::below(subject.game.start(), depth);
    Timeline::new(subject, request).expect("it makes sense")
}

fn rows(saved: &[Saved]) -> u64 {
    saved.iter().map(|one| one.rows).sum()
}

#[test]
fn executors_write_the_files_of_a_folder() {
    let cluster = Cluster::new("save", 2);
    let folder = cluster.scratch();
    let shelf = Arc::new(Shelf::default());
    let session = cluster.session(&shelf, 4);
    let saved = session.save(&tree(&shelf, "chess", 4), &folder, || true);
    let saved = saved.expect("it can be written").expect("nobody calls it off");
    assert_eq!((rows(&saved), saved.len() > 1), (20 + 400 + 8902 + 197_281, true));
    let question = |table: &str| {
        format!(
            "select ply, count(*), count(captured), count(distinct position), \
             sum(legal_replies) from {table} group by ply order by ply"
        )
    };
    let files = format!("'{}/'", folder.display());
    assert_eq!(ask_here(&question(&files)), ask_here(&question("timeline('chess', '', 4)")));
}

#[test]
fn an_executor_may_die_while_it_writes() {
    let cluster = Cluster::new("save-fault", 3);
    let folder = cluster.scratch();
    let shelf = Arc::new(Shelf::default());
    let session = cluster.session(&shelf, 8);
    let tree = tree(&shelf, "chess", 4);
    let saved = scope(|scope| {
        let saved = scope.spawn(|| session.save(&tree, &folder, || true));
        while fs::read_dir(&folder).expect("it is there").next().is_none() {
            assert!(!saved.is_finished(), "a file is there before the end");
            sleep(Duration::from_millis(2));
        }
        cluster.kill(0);
        saved.join().expect("it ends")
    });
    let saved = saved.expect("it can be written").expect("nobody calls it off");
    assert_eq!(rows(&saved), 20 + 400 + 8902 + 197_281);
    assert!(saved.iter().all(|one| folder.join(&one.file).exists()));
}

#[cfg(unix)]
#[test]
fn executors_whose_disk_is_full_leave_no_file_of_a_final_name() {
    let cluster = Cluster::starved("save-full", 2);
    let folder = cluster.scratch();
    let shelf = Arc::new(Shelf::default());
    let session = cluster.session(&shelf, 2);
    let error = session.save(&tree(&shelf, "chess", 4), &folder, || true);
    let error = error.expect_err("there is no room");
    assert!(error.message.contains("too large"), "{error}");
    let left = fs::read_dir(&folder).expect("it is there").flatten();
    let whole = left.filter(|one| one.path().extension().is_some_and(|ending| ending == "parquet"));
    assert_eq!(whole.count(), 0);
}
