//! Executors that die.

use std::thread::{scope, sleep};
use std::time::Duration;

use crate::process::{Cluster, ask_here};

/// A question of two stages: every executor counts its rows, then the counts of each group meet.
const QUESTION: &str = "select piece, \"to\", count(*), sum(legal_replies) \
     from timeline('chess', '', 4) group by piece, \"to\" order by piece, \"to\"";

/// Asks while an executor dies, as soon as it has got to a stage.
fn survives(name: &str, stage: usize) {
    let cluster = Cluster::new(name, 3);
    let expected = ask_here(QUESTION);
    let answer = scope(|scope| {
        let answer = scope.spawn(|| cluster.ask(8, QUESTION));
        let died = loop {
            match (0..3).find(|one| cluster.has_results(*one, stage)) {
                Some(reached) => break Some(reached),
                None if answer.is_finished() => break None,
                None => sleep(Duration::from_millis(2)),
            }
        };
        let died = died.expect("an executor gets to the stage before the answer is there");
        cluster.kill(died);
        answer.join().expect("it ends")
    });
    assert_eq!(answer.expect("it can be answered"), expected);
}

#[test]
fn an_executor_may_die_in_the_first_stage() {
    survives("first", 1);
}

#[test]
fn an_executor_may_die_in_a_later_stage() {
    survives("later", 2);
}
