//! Opponents as people write them: `search:3`, `mcts@4`, `random`.

use senet::bots::Spec;

use super::text::{changed, read};
use super::{Target, shorter};

pub(super) const OPPONENT: Target = Target {
    name: "opponent",
    law: "a text is an opponent that reads back as itself, or it says what to write",
    fresh: |source, corpus| changed(source, corpus, &[]),
    check,
    smaller: shorter,
};

fn check(case: &[u8]) {
    match read(case).parse::<Spec>() {
        Ok(spec) => {
            let written = spec.to_string();
            assert_eq!(written.parse::<Spec>().as_ref(), Ok(&spec), "{written}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
