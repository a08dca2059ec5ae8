//! Chess and Capablanca's chess: trees counted and games played at random.

use std::sync::Arc;
use std::time::Instant;

use senet_core::{Game, State};

use super::clock::Clock;
use super::contest::{Contest, Standing, Work, merge, repeat};
use super::finding::Findings;
use super::peer::{self, verified};
use super::{Setting, playout};
use crate::native;
use crate::perft::{self, Entry};
use crate::report::{Report, Row};

/// The most leaves of a tree that is counted, and of one in which every leaf is made.
const COUNTED: u64 = 16_000_000;
const MADE: u64 = 5_000_000;

/// The same without machine code.
const INTERPRETED: u64 = 1_000_000;

/// Whether the last moves are counted or made, and how the rules are carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Counted,
    Made,
    /// Counted without machine code.
    Interpreted,
}

/// A tree of known size.
struct Tree {
    game: Arc<Game>,
    state: State,
    fen: String,
    depth: u32,
    nodes: u64,
}

impl Tree {
    fn new(name: &str, entry: &Entry, most: u64) -> Tree {
        let known = senet_registry::find(name).expect("a registered game");
        let game = native::game(name);
        let state = known.notation.parse_position(&game, &entry.position);
        let (depth, nodes) = entry.deepest(most);
        let state = state.expect("published positions are sound");
        Tree { game, state, fen: entry.position.clone(), depth, nodes }
    }

    fn count(&self, form: Form) -> Result<Work, String> {
        let clock = Clock::start();
        let counted = match form {
            Form::Counted | Form::Interpreted => self.game.perft(&self.state, self.depth),
            Form::Made => self.game.perft_made(&self.state, self.depth).nodes,
        };
        let seconds = clock.seconds();
        verified(counted, self.nodes)?;
        Ok(Work { units: self.nodes as f64, seconds })
    }
}

/// Six positions, the last moves counted.
pub(super) fn perft(setting: &Setting<'_>) -> Findings {
    six(setting, "chess/perft", COUNTED, Form::Counted)
}

/// Six positions, every leaf made and its hash kept.
pub(super) fn made(setting: &Setting<'_>) -> Findings {
    six(setting, "chess/made", MADE, Form::Made)
}

/// The same without machine code, the last moves counted.
pub(super) fn interpreted(setting: &Setting<'_>) -> Findings {
    six(setting, "chess/interpreted", INTERPRETED, Form::Interpreted)
}

fn six(setting: &Setting<'_>, name: &str, most: u64, form: Form) -> Findings {
    let mut findings = Findings::default();
    let entries = match perft::published(setting.root, "chess") {
        Ok(entries) => entries,
        Err(problem) => {
            findings.leave_out(name, &problem);
            return findings;
        }
    };
    let hold = |entry: &Entry| {
        let mut tree = Tree::new("chess", entry, most);
        if form == Form::Interpreted {
            tree.game = senet_registry::find("chess").expect("a registered game").game();
        }
        contest(setting, &tree, form)
    };
    let contests: Vec<Vec<Standing>> = entries.iter().map(hold).collect();
    findings.contest(name, &merge(&contests));
    let mut report = Report::default();
    for (entry, standings) in entries.iter().zip(&contests) {
        report.push(detail(entry, entry.deepest(most), standings));
    }
    findings.detail(&format!("{name}: millions of leaves each second"), report);
    findings
}

fn contest(setting: &Setting<'_>, tree: &Tree, form: Form) -> Vec<Standing> {
    let question = match form {
        Form::Counted | Form::Interpreted => "chess-perft",
        Form::Made => "chess-made",
    };
    let question = format!("{question} {} {}", tree.depth, tree.fen);
    let libraries = setting.peers.libraries();
    let stockfish = setting.peers.stockfish();
    let contest = Contest::new(|times| repeat(times, || tree.count(form))).against(
        "cozy-chess",
        move |times| {
            let libraries = libraries.clone()?;
            repeat(times, || peer::ask_known(&libraries, &question, tree.nodes))
        },
    );
    let contest = match form {
        Form::Made => contest,
        Form::Counted | Form::Interpreted => contest.against("stockfish", move |times| {
            let stockfish = stockfish.clone()?;
            repeat(times, || peer::count(&stockfish, &tree.fen, tree.depth, tree.nodes))
        }),
    };
    contest.hold(setting.rounds)
}

fn detail(entry: &Entry, (depth, nodes): (u32, u64), standings: &[Standing]) -> Row {
    let row = Row::default()
        .text("position", &entry.name)
        .number("depth", f64::from(depth), 0)
        .number("leaves", nodes as f64, 0);
    standings.iter().filter(|standing| standing.problem.is_none()).fold(row, |row, standing| {
        row.number(standing.name, standing.rates.summary().median / 1e6, 1)
    })
}

/// Capablanca's chess, to two depths.
pub(super) fn capablanca(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let entries = perft::published(setting.root, "capablanca").unwrap_or_default();
    let Some(entry) = entries.first() else {
        findings.leave_out("capablanca/perft", "no published numbers");
        return findings;
    };
    // The deeper tree takes the other program seconds.
    for (depth, rounds) in [(4, setting.rounds), (5, setting.rounds.min(3))] {
        let tree = Tree::new("capablanca", entry, entry.nodes[depth - 1]);
        let engine = setting.peers.fairy_stockfish();
        let contest = Contest::new(|times| repeat(times, || tree.count(Form::Counted))).against(
            "fairy-stockfish",
            |times| {
                let engine = engine.clone()?;
                repeat(times, || peer::count(&engine, &tree.fen, tree.depth, tree.nodes))
            },
        );
        let standings = contest.hold(rounds);
        findings.contest(&format!("capablanca/perft-{depth}"), &standings);
    }
    findings
}

/// Random games to their ends, which are the same here and in the program that asks cozy-chess:
/// mate, stalemate, insufficient material and seventy-five moves.
pub(super) fn playouts(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let game = native::game("chess");
    let libraries = setting.peers.libraries();
    let open_spiel =
        setting.peers.open_spiel().and_then(|peer| playout::OpenSpiel::new(peer, "chess"));
    let contest = Contest::new(playout::ours(&game, 20, playout::Unit::Event))
        .against("cozy-chess", |times| {
            let question = format!("chess-playout {} 1", 200 * times);
            let (plies, seconds) = peer::ask(&libraries.clone()?, &question)?;
            Ok(Work { units: plies as f64, seconds })
        })
        .against("openspiel", |times| open_spiel.clone()?.rollout(20 * times));
    findings.contest("chess/playout", &contest.hold(setting.rounds));
    findings
}

/// Two threads and one on the same tree.
pub(super) fn threads(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    let entries = perft::published(setting.root, "chess").unwrap_or_default();
    let Some(entry) = entries.iter().find(|entry| entry.name == "kiwipete") else {
        findings.leave_out("threads/perft", "no published numbers");
        return findings;
    };
    let tree = Tree::new("chess", entry, 200_000_000);
    let count = |threads: usize| {
        let begin = Instant::now();
        let nodes = perft::leaves(&tree.game, &tree.state, tree.depth, threads);
        let seconds = begin.elapsed().as_secs_f64();
        verified(nodes, tree.nodes)?;
        Ok(Work { units: nodes as f64, seconds })
    };
    let contest = Contest::new(|times| repeat(times, || count(2)))
        .against("one thread", |times| repeat(times, || count(1)));
    findings.contest("threads/perft", &contest.hold(setting.rounds));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_is_no_measurement() {
        let nodes = vec![20, 401];
        let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        let tree = Tree::new("chess", &Entry { name: "start".to_owned(), position, nodes }, 1000);
        let error = Err("counted 400, expected 401".to_owned());
        assert_eq!(tree.count(Form::Counted).map(drop), error);
        assert_eq!(tree.count(Form::Made).map(drop), error);
    }
}
