//! Measures games after edits that change nothing, beside the games as they are:
//! `edit GAME DEPTH [WORDS]`, where only edits whose name contains the words are measured.

use cpu_time::ProcessTime;
use senet_core::backend::{Backend, Purpose, Session};
use senet_core::{Game, Options, State};
use senet_testkit::edit::edits;
use senet_wasm::Wasmtime;

/// How often each is measured; the fastest counts.
const ROUNDS: usize = 4;

/// How many games are played at random in one round.
const GAMES: u64 = 200;

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "chess".into());
    let depth: u32 = args.next().and_then(|depth| depth.parse().ok()).unwrap_or(4);
    let words = args.next().unwrap_or_default();
    let definition = senet_registry::find(&name).expect("a game of the registry").definition();
    let plain = definition.clone().compile(Options::default()).expect("a sound definition");
    let mut plain = Works::new(&plain, depth);
    for edit in edits().filter(|edit| edit.name.contains(&words)) {
        let Some(edited) = (edit.apply)(&definition) else { continue };
        let edited = match edited.compile(Options::default()) {
            Ok(edited) => edited,
            Err(why) => {
                println!("{:60} does not compile: {why}", edit.name);
                continue;
            }
        };
        let mut edited = Works::new(&edited, depth);
        let line: String = (0..edited.all.len()).map(|at| edited.compare(&mut plain, at)).collect();
        println!("{:60}{line}", edit.name);
    }
}

/// A session, or why there is none.
type Opened = Result<Box<dyn Session>, String>;

/// What is measured of a game.
struct Works {
    start: State,
    depth: u32,
    words: usize,
    all: [(Purpose, Opened); 4],
}

impl Works {
    fn new(game: &Game, depth: u32) -> Works {
        let backend = Wasmtime::new();
        let all = [Purpose::Count, Purpose::Make, Purpose::Random, Purpose::Turns];
        let all = all.map(|purpose| (purpose, backend.session(game, purpose)));
        // Past the first throws of dice.
        let mut start = game.start();
        while game.awaits_chance(&start) {
            let rolled = game.legal(&start)[1];
            start = game.apply(&start, rolled).expect("a legal throw").state;
        }
        Works { start, depth, words: game.program().tree_words(), all }
    }

    /// An answer that edits do not change, and the CPU time it takes.
    fn work(&mut self, at: usize) -> Option<(u64, f64)> {
        let (start, depth) = (&self.start, self.depth);
        let (purpose, session) = &mut self.all[at];
        let session = session.as_mut().ok()?;
        let begin = ProcessTime::now();
        let answer = match purpose {
            Purpose::Count => session.perft(start, depth, u64::MAX)?,
            Purpose::Make => session.perft_made(start, depth - 1, u64::MAX)?.nodes,
            Purpose::Turns => session.turn_perft(start, 2, u64::MAX)?,
            Purpose::Random | Purpose::Play => (0..GAMES)
                .map(|game| {
                    let mut source = [1, 2, 3, game + 1];
                    let mut words = start.words()[..self.words].to_vec();
                    let played = session.playout(&mut words, &mut source, 500);
                    u64::from(played.map_or(0, |played| played.events))
                })
                .sum(),
        };
        Some((answer, begin.elapsed().as_secs_f64()))
    }

    fn compare(&mut self, plain: &mut Works, at: usize) -> String {
        if let Err(why) = &self.all[at].1 {
            return format!("  {:?}: {why}", self.all[at].0);
        }
        let [mut least, mut least_plain] = [f64::INFINITY; 2];
        let mut same = true;
        for _ in 0..ROUNDS {
            let (Some(edited), Some(plain)) = (self.work(at), plain.work(at)) else {
                return format!("  {:?}: -", self.all[at].0);
            };
            same &= edited.0 == plain.0;
            (least, least_plain) = (least.min(edited.1), least_plain.min(plain.1));
        }
        let differs = if same { "" } else { " (another answer)" };
        format!("  {:?} {:5.2}{differs}", self.all[at].0, least_plain / least)
    }
}
