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

/// The trees that are counted, from the start: their depth and their leaves. The small one is counted where
/// an edit has made the game so slow that it alone takes long.
const TREE: (u32, u64) = (5, 4_865_609);
const SMALL: (u32, u64) = (3, 8_902);

/// How many seconds are long for the small tree.
const LONG: f64 = 0.02;

/// A tree of chess after each edit, the last moves counted.
pub(super) fn perft(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let plain = native::game("chess");
    let count = |game: &Game, (depth, nodes): (u32, u64)| -> Result<Work, String> {
        let clock = Clock::start();
        let counted = game.perft(&game.start(), depth);
        let seconds = clock.seconds();
        verified(counted, nodes)?;
        Ok(Work { units: nodes as f64, seconds })
    };
    for edit in edits() {
        let edited = (edit.apply)(plain.definition()).expect("every edit applies to chess");
        let edited = edited.compile(Options::default()).expect("an edit leaves a game sound");
        let edited = native::attached(Arc::new(edited));
        let slow = count(&edited, SMALL).is_ok_and(|work| work.seconds > LONG);
        let tree = if slow { SMALL } else { TREE };
        let contest = Contest::new(|times| repeat(times, || count(&edited, tree)))
            .against("chess", |times| repeat(times, || count(&plain, TREE)));
        let name = format!("edit/{}", edit.name.replace(' ', "-"));
        findings.contest(&name, &contest.hold(setting.rounds.min(5)));
    }
    findings
}
