//! Questions that make no sense, and questions that nobody waits for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use senet_timeline_sql::{Extent, Form, Purpose, QueryError, Session, Shelf};

use crate::session::ask;

fn wrong(question: &str) -> (String, Option<(u64, u64)>) {
    let error = ask(question).expect_err("it is refused");
    (error.message, error.place)
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let (message, place) = wrong("select count(* from timeline('chess', '', 2)");
    assert!(message.contains("Expected"), "{message}");
    assert_eq!(place.map(|(line, _)| line), Some(1));
    let (message, place) = wrong("select\n  plie from timeline('chess', '', 2)");
    assert!(message.contains("plie"), "{message}");
    assert_eq!(place, Some((2, 3)));
    for (question, at) in [
        ("select 1 +", (1, 11)),
        ("select * from nowhere", (1, 15)),
        ("select * from 'nowhere.jsonl'", (1, 15)),
        ("select * from timelin('chess', '', 1)", (1, 15)),
        ("select * from timeline('chess', '', 0)", (1, 15)),
        ("select * from timeline('chest', '', 1)", (1, 24)),
        ("select ply from timeline('chess', '', 1) order by pli", (1, 51)),
        ("select b.ply from timeline('chess', '', 1) a", (1, 8)),
        ("select * from timeline('chess', '', 1) where ply = 'x'", (1, 52)),
        ("select 1, sum('x')", (1, 11)),
        ("select 1, legal_count('x')", (1, 11)),
        ("select attackers(state_of('chess', ''), 'z9')", (1, 41)),
    ] {
        let (message, place) = wrong(question);
        assert_eq!(place, Some(at), "{question}: {message}");
        assert!(!message.contains('\n') && !message.contains("datafusion"), "{message}");
    }
}

#[test]
fn a_timeline_that_makes_no_sense_is_refused_at_once() {
    let cases = [
        ("timeline('chess', '', 0)", "the depth is 0, but must be 1 to 64"),
        ("timeline('chess', '', 99)", "the depth is 99"),
        ("timeline('chess', '', -1)", "the depth is"),
        ("timeline('chest', '', 2)", "did you mean `chess`"),
        ("timeline('chess', '8/8 w', 2)", "invalid position"),
        ("timeline('chess', '', 2, 'plie = 2')", "no column is named `plie`"),
        ("timeline('chess')", "timeline(game, position, depth)"),
        ("timeline(1, 2, 3)", "expected a text in single quotes"),
    ];
    for (table, part) in cases {
        let (message, _) = wrong(&format!("select * from {table}"));
        assert!(message.contains(part), "{table}: {message}");
    }
}

#[test]
fn a_state_that_is_none_is_refused() {
    for (expression, part) in [
        ("legal_count(x'00')", "not a state of any loaded game"),
        ("legal_count(x'')", "not a state of any loaded game"),
        ("legal_count('chess')", "takes a state"),
        ("legal_count()", ""),
        ("attackers(state_of('chess', ''))", "`attackers` takes 2 or 3 arguments, found 1"),
        ("attackers(state_of('chess', ''), 'z9')", "no tile of chess is named `z9`"),
        ("threatened(state_of('chess', ''), 'red')", "the players are white, black"),
        ("after(state_of('chess', ''), 'e5')", "e5"),
    ] {
        let (message, _) = wrong(&format!("select {expression}"));
        assert!(message.contains(part), "{expression}: {message}");
    }
    assert_eq!(ask("select legal_count(null) is null").expect("nothing is asked"), ["true"]);
}

#[test]
fn whoever_no_longer_waits_is_let_go_at_once() {
    for table in ["timeline('chess', '', 9) where is_check", "positions('chess', '', 9)"] {
        let session = Session::new(&Arc::new(Shelf::default()), 2).expect("there are threads");
        let begin = Instant::now();
        let wanted = || begin.elapsed() < Duration::from_secs(2);
        let question = format!("select count(*) from {table}");
        let asked = session
            .ask(&question, Purpose::Answer, Form::Csv, wanted, |_| Ok::<(), QueryError>(()));
        assert_eq!(asked.as_ref(), Ok(&Extent::CalledOff));
        // The threads end with the session.
        drop(session);
        assert!(begin.elapsed() < Duration::from_secs(6), "{table}: {:?}", begin.elapsed());
    }
}
