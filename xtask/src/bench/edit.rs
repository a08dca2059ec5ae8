//! Chess after edits that change nothing, beside chess as it is: no edit may cost much.

use std::sync::Arc;

use senet_core::{Game, Options};
use senet_testkit::edit::edits;

use super::Setting;
use super::clock::Clock;
use super::contest::{Contest, Work, repeat};
use super::finding::Findings;
use super::peer::verified;
use crate::native;

/// The tree that is counted, from the start.
const DEPTH: u32 = 5;
const NODES: u64 = 4_865_609;

/// A tree of chess after each edit, the last moves counted.
pub(super) fn perft(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let plain = native::game("chess");
    let count = |game: &Game| {
        let clock = Clock::start();
        let counted = game.perft(&game.start(), DEPTH);
        let seconds = clock.seconds();
        verified(counted, NODES)?;
        Ok(Work { units: NODES as f64, seconds })
    };
    for edit in edits() {
        let edited = (edit.apply)(plain.definition()).expect("every edit applies to chess");
        let edited = edited.compile(Options::default()).expect("an edit leaves a game sound");
        let edited = native::attached(Arc::new(edited));
        let contest = Contest::new(|times| repeat(times, || count(&edited)))
            .against("chess", |times| repeat(times, || count(&plain)));
        let name = format!("edit/{}", edit.name.replace(' ', "-"));
        findings.contest(&name, &contest.hold(setting.rounds.min(5)));
    }
    findings
}
