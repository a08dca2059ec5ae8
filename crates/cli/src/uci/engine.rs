//! The engine behind the protocol: a position, options, and a search in a thread of its own.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use senet::bots::{Limit, Search, Thought};
use senet::{Event, Game, Match, excerpt};

use super::clock::Clock;
use super::command::{Command, Go};
use crate::context::Context;
use crate::failure::Failure;
use crate::shelf;

/// The variants by the names that the protocol has for them.
const VARIANTS: [(&str, &str); 4] = [
    ("chess", "chess"),
    ("3check", "three-check"),
    ("kingofthehill", "king-of-the-hill"),
    ("atomic", "atomic"),
];

/// What may be set.
struct Settings {
    /// How much the search remembers, in MiB.
    hash: usize,
    threads: usize,
    overhead: u64,
    chess960: bool,
    variant: &'static str,
}

/// The engine.
pub(super) struct Engine {
    settings: Settings,
    game: Game,
    played: Match,
    /// Whether the last position was refused, so that there is none to search.
    lost: bool,
    /// At hand while nothing is searched.
    search: Option<Search>,
    running: Option<Running>,
}

/// A search that goes on.
struct Running {
    clock: Arc<Clock>,
    thread: JoinHandle<Search>,
    /// Whether it is worth waiting for when nobody can stop it any more: it has a depth or a count.
    counted: bool,
}

impl Engine {
    pub(super) fn new() -> Result<Engine, Failure> {
        let settings =
            Settings { hash: 16, threads: 1, overhead: 10, chess960: false, variant: "chess" };
        let game = shelf::open(settings.variant)?;
        let played = Match::new(&game);
        let search = Some(make_search(&game, settings.hash)?);
        Ok(Engine { settings, game, played, lost: false, search, running: None })
    }

    /// Says a line to the other program.
    pub(super) fn say(&self, line: impl AsRef<str>) -> Result<(), Failure> {
        Ok(say(line.as_ref())?)
    }

    /// Input is at its end: a search to a depth or a count is awaited, any other is stopped.
    pub(super) fn close(mut self) -> Result<(), Failure> {
        if self.running.as_ref().is_some_and(|running| !running.counted) {
            self.stop();
        }
        if let Some(running) = self.running.take() {
            let _ = running.thread.join();
        }
        Ok(())
    }

    pub(super) fn quit(mut self) -> Result<(), Failure> {
        self.stop();
        Ok(())
    }

    /// Stops the search, if one goes on, and waits until it has answered.
    fn stop(&mut self) {
        let Some(running) = self.running.take() else { return };
        running.clock.stop();
        running.thread.thread().unpark();
        self.search = running.thread.join().ok();
    }

    pub(super) fn obey(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.say("readyok"),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::PonderHit => {
                if let Some(running) = &mut self.running {
                    running.clock.hit();
                    running.thread.thread().unpark();
                }
                Ok(())
            }
            Command::NewGame => {
                self.stop();
                self.renew()
            }
            Command::Position(fen, moves) => {
                self.stop();
                match self.set(fen.as_deref(), &moves) {
                    Ok(played) => {
                        (self.played, self.lost) = (played, false);
                        Ok(())
                    }
                    Err(failure) => {
                        self.lost = true;
                        self.refuse(&failure.message)
                    }
                }
            }
            Command::Option(name, value) => {
                self.stop();
                self.option(&name, &value)
            }
            Command::Go(_) if self.lost => {
                self.refuse("there is no position to search: the last one was refused")?;
                self.say("bestmove 0000")
            }
            Command::Go(go) => {
                self.stop();
                self.go(*go)
            }
            Command::Display => self.display(),
            Command::Unknown(words) => self.refuse(&format!("unknown command: {words}")),
            Command::Quit => Ok(()),
        }
    }

    /// Says why something was not done.
    fn refuse(&self, why: &str) -> Result<(), Failure> {
        self.say(format!("info string {}", why.replace('\n', "; ")))
    }

    fn introduce(&self) -> Result<(), Failure> {
        self.say(format!("id name Senet {}", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the Senet authors")?;
        self.say("option name Hash type spin default 16 min 1 max 4096")?;
        self.say("option name Threads type spin default 1 min 1 max 64")?;
        self.say("option name Move Overhead type spin default 10 min 0 max 5000")?;
        self.say("option name Ponder type check default false")?;
        self.say("option name Clear Hash type button")?;
        self.say("option name UCI_Chess960 type check default false")?;
        let variants = VARIANTS.map(|(name, _)| format!("var {name}")).join(" ");
        self.say(format!("option name UCI_Variant type combo default chess {variants}"))?;
        self.say("uciok")
    }

    fn option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let number = |least: u64, most: u64| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| {
                let found = excerpt(value);
                format!("option {name}: found `{found}`, allowed is {least} to {most}")
            })
        };
        let done = match name.to_ascii_lowercase().as_str() {
            "hash" => number(1, 4096).map(|size| self.settings.hash = size as usize),
            "threads" => number(1, 64).map(|count| self.settings.threads = count as usize),
            "move overhead" => number(0, 5000).map(|time| self.settings.overhead = time),
            "uci_chess960" => match value {
                "true" | "false" => {
                    self.settings.chess960 = value == "true";
                    Ok(())
                }
                _ => Err(format!(
                    "option {name}: found `{}`, allowed is true or false",
                    excerpt(value)
                )),
            },
            "uci_variant" => {
                let known = VARIANTS.iter().find(|(name, _)| *name == value);
                let allowed = VARIANTS.map(|(name, _)| name).join(", ");
                let found = excerpt(value);
                known
                    .map(|(_, game)| self.settings.variant = game)
                    .ok_or_else(|| format!("option {name}: found `{found}`, allowed is {allowed}"))
            }
            "clear hash" => Ok(()),
            // To ponder or not is the other program's business.
            "ponder" => return Ok(()),
            _ => Err(format!("unknown option: {}", excerpt(name))),
        };
        match done {
            Err(why) => self.refuse(&why),
            Ok(()) if ["threads", "move overhead"].contains(&&*name.to_ascii_lowercase()) => Ok(()),
            Ok(()) => self.renew(),
        }
    }

    /// Starts anew with the settings as they are.
    fn renew(&mut self) -> Result<(), Failure> {
        let name = match self.settings.variant {
            "chess" if self.settings.chess960 => "chess960",
            variant => variant,
        };
        if self.game.name() != name {
            self.game = shelf::open(name)?;
            (self.played, self.lost) = (Match::new(&self.game), false);
        }
        self.search = None;
        self.search = Some(make_search(&self.game, self.settings.hash)?);
        Ok(())
    }

    /// A match at a position. Nothing changes where a move is illegal.
    fn set(&self, fen: Option<&str>, moves: &[String]) -> Result<Match, Failure> {
        let mut played = Match::at(Context::new(&self.game, fen)?.position);
        for text in moves {
            played.apply(text)?;
        }
        Ok(played)
    }

    fn display(&self) -> Result<(), Failure> {
        let position = self.played.position();
        self.say(position.draw().trim_end())?;
        self.say(format!("fen {position}"))
    }

    fn go(&mut self, go: Go) -> Result<(), Failure> {
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        let search = match self.search.take() {
            Some(search) => search,
            None => make_search(&self.game, self.settings.hash)?,
        };
        let context = Context { position: self.played.position() };
        let only = go.only.iter().filter_map(|text| context.parse_event(text).ok()).collect();
        let player = context.position.player().index();
        let clock = Arc::new(Clock::new(&go, player, self.settings.overhead));
        let limits = [go.depth.is_some(), go.nodes.is_some(), go.mate.is_some()];
        let bounded = limits.contains(&true) || clock.is_timed();
        let endless = go.infinite || go.ponder || !bounded;
        let (played, threads) = (self.played.branch(), self.settings.threads);
        let counted = limits.contains(&true) && !endless;
        let job = Job { search, context, played, only, go, clock: clock.clone(), threads, endless };
        let thread = thread::Builder::new().stack_size(64 << 20).spawn(|| job.run())?;
        self.running = Some(Running { clock, thread, counted });
        Ok(())
    }

    /// Counts trees move by move, as other engines do.
    fn perft(&self, depth: u32) -> Result<(), Failure> {
        let position = self.played.position();
        let mut sum = if depth == 0 { 1 } else { 0 };
        for (event, nodes) in position.divide(depth) {
            self.say(format!("{}: {nodes}", position.format(event)))?;
            sum += nodes;
        }
        self.say(format!("\nNodes searched: {sum}\n"))
    }
}

/// One search with all it needs.
struct Job {
    search: Search,
    context: Context,
    played: Match,
    only: Vec<Event>,
    go: Go,
    clock: Arc<Clock>,
    threads: usize,
    endless: bool,
}

impl Job {
    /// Searches, answers, and gives the search back.
    fn run(self) -> Search {
        let stop = || self.clock.is_over();
        let depth = match (self.go.depth, self.go.mate) {
            (Some(depth), _) => Some(depth),
            (None, Some(moves)) => Some(moves.saturating_mul(2).saturating_sub(1).max(1)),
            // Where there is nothing to choose, time is not spent on it.
            (None, None) if self.clock.is_timed() && self.context.position.legal_count() == 1 => {
                Some(1)
            }
            (None, None) => None,
        };
        let limit = Limit { depth, nodes: self.go.nodes, stop: &stop, threads: self.threads };
        let mut told = false;
        let thought = self.search.think(&self.played, &limit, &self.only, &mut |thought| {
            told = true;
            // Where nobody listens, nobody waits.
            if say(&self.report(thought)).is_err() {
                self.clock.stop();
            }
            let mate = self.go.mate.zip(thought.end_in());
            let found =
                mate.is_some_and(|(moves, end)| end > 0 && (end as u32).div_ceil(2) <= moves);
            if !self.endless && (self.clock.is_late() || found) {
                self.clock.stop();
            }
        });
        let thought = thought.expect("the search is of this game");
        // A search that was stopped before its first depth was done has a score all the same.
        if let Some(thought) = thought.as_ref().filter(|_| !told) {
            let _ = say(&self.report(thought));
        }
        while (self.go.infinite || self.clock.is_pondering()) && !self.clock.is_stopped() {
            thread::park();
        }
        let _ = say(&self.answer(thought.as_ref()));
        self.search
    }

    /// The line about a depth that was searched.
    fn report(&self, thought: &Thought) -> String {
        let time = self.clock.elapsed();
        let speed = thought.nodes as f64 / time.as_secs_f64().max(1e-6);
        let score = match thought.end_in() {
            Some(plies) if plies > 0 => format!("mate {}", (plies + 1) / 2),
            Some(plies) => format!("mate {}", plies / 2),
            None => format!("cp {}", thought.value),
        };
        let line = self.written(&thought.line).join(" ");
        format!(
            "info depth {} score {score} nodes {} nps {} hashfull {} time {} pv {line}",
            thought.depth,
            thought.nodes,
            speed as u64,
            self.search.fill(),
            time.as_millis(),
        )
    }

    /// The line that ends a search.
    fn answer(&self, thought: Option<&Thought>) -> String {
        let Some(thought) = thought else {
            let score = if self.context.is_check() { "mate 0" } else { "cp 0" };
            return format!("info depth 0 score {score}\nbestmove (none)");
        };
        let line = if thought.line.is_empty() { &[thought.event][..] } else { &thought.line };
        match &self.written(line)[..] {
            [best, reply, ..] => format!("bestmove {best} ponder {reply}"),
            [best] => format!("bestmove {best}"),
            [] => "bestmove (none)".to_owned(),
        }
    }

    /// A line of events as text.
    fn written(&self, line: &[Event]) -> Vec<String> {
        let steps = self.context.position.line(line);
        steps.map(|(before, step)| before.format(step.event)).collect()
    }
}

/// A search for a game, with what the game says about its looks.
fn make_search(game: &Game, megabytes: usize) -> Result<Search, Failure> {
    Ok(game.search()?.remembering(megabytes << 20))
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
