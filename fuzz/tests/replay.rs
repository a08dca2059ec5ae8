//! Every case of the corpus keeps its law, as do some fresh ones; and what must be found is found.

use std::thread;
use std::time::Duration;

use senet_fuzz::{CANARY, Hunt, TARGETS, Target, breaks, corpus};

/// How long each target is given fresh cases.
const TIME: Duration = Duration::from_secs(2);

fn replay(target: Target) {
    let cases = corpus(target).expect("the corpus can be read");
    assert!(!cases.is_empty(), "no corpus for {}", target.name);
    for (name, case) in cases {
        if let Some(found) = breaks(target, &case) {
            panic!("{}/{name}: {}", target.name, found.message);
        }
    }
}

#[test]
fn every_case_of_the_corpus_keeps_its_law() {
    TARGETS.into_iter().for_each(replay);
}

#[test]
fn fresh_cases_keep_their_laws() {
    for target in TARGETS {
        // A panic in a thread of its own is told with the case that made it.
        let hunt = move || Hunt::new(target, 1).map(|mut hunt| hunt.run(TIME));
        let (cases, found) = thread::spawn(hunt).join().expect("ends").expect("reads the corpus");
        if let Some(found) = found {
            let case = String::from_utf8_lossy(&found.case).into_owned();
            panic!("{} after {cases} cases: {}\n{case}", target.name, found.message);
        }
    }
}

#[test]
fn sums_that_do_not_fit_are_found() {
    let largest = std::hint::black_box(u8::MAX);
    let added = std::panic::catch_unwind(|| std::hint::black_box(largest + 1));
    assert!(added.is_err(), "tests run with overflow checks");
}

#[test]
fn the_canary_is_found() {
    let (_, found) = Hunt::new(CANARY, 1).expect("reads the corpus").run(Duration::from_secs(20));
    let found = found.expect("a law that does not hold is found broken");
    assert!(found.message.contains("the canary sings"), "{}", found.message);
}
