//! Backgammon: whole turns counted over all rolls, and games played at random.

use super::clock::Clock;
use super::contest::{Contest, Work, repeat};
use super::finding::Findings;
use super::peer::{self, verified};
use super::{Setting, playout};
use crate::native;

/// The distinct results of two turns over twenty-one rolls from the start.
const RESULTS: u64 = 202_782;

/// Two turns over all rolls. bkgm makes every result; where the rules allow it, those of the last turn are
/// counted here without being made, as in a perft.
pub(super) fn turns(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let game = native::game("backgammon");
    let start = senet_registry::backgammon::on_roll(&game);
    let count = || {
        let clock = Clock::start();
        let results = game.turn_perft(&start, 2);
        let seconds = clock.seconds();
        verified(results, RESULTS)?;
        Ok(Work { units: results as f64, seconds })
    };
    let libraries = setting.peers.libraries();
    let contest = Contest::new(|times| repeat(times, count)).against("bkgm", |times| {
        let libraries = libraries.clone()?;
        repeat(times, || peer::ask_known(&libraries, "backgammon-turns 2", RESULTS))
    });
    findings.contest("backgammon/turns", &contest.hold(setting.rounds));
    findings
}

/// Random games, in turns.
pub(super) fn playouts(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let game = native::game("backgammon");
    let libraries = setting.peers.libraries();
    let open_spiel = setting.peers.open_spiel();
    let open_spiel = open_spiel.and_then(|peer| playout::OpenSpiel::new(peer, "backgammon"));
    let contest = Contest::new(playout::ours(&game, 10, playout::Unit::Turn))
        .against("bkgm", |times| {
            let question = format!("backgammon-playout {} 1", 200 * times);
            let (turns, seconds) = peer::ask(&libraries.clone()?, &question)?;
            Ok(Work { units: turns as f64, seconds })
        })
        .against("openspiel", |times| open_spiel.clone()?.rollout(20 * times));
    findings.contest("backgammon/playout", &contest.hold(setting.rounds));
    findings
}
