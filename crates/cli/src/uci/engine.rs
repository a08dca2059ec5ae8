//! The engine behind the protocol: a position, options, and a search in a thread of its own.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};

use senet::bots::Search;
use senet::{Game, Match, excerpt};

use super::clock::Clock;
use super::command::{Command, Go};
use super::job::{Count, Job, say};
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
    /// How many lines are told.
    lines: usize,
    limit_strength: bool,
    elo: u64,
}

/// The ratings of the levels of the search, from the first on, as `cargo xtask rating` measured
/// them by games with Stockfish.
static RATINGS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let lines = include_str!("rating.txt").lines();
    lines.map(|line| line.parse().expect("a tested file")).collect()
});

/// The lowest and the highest rating that can be asked for.
fn rating_range() -> (u64, u64) {
    (RATINGS.first().copied().unwrap_or(0), RATINGS.last().copied().unwrap_or(0))
}

impl Settings {
    /// The level to play at, where the strength is limited: the strongest that is not rated above
    /// what is asked for.
    fn level(&self) -> Option<u8> {
        let level = RATINGS.partition_point(|rating| *rating <= self.elo).max(1);
        self.limit_strength.then_some(level as u8)
    }
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

/// A search, or the count of a tree, that goes on. Its thread gives the search back.
struct Running {
    clock: Arc<Clock>,
    thread: JoinHandle<Search>,
    ends_by: EndsBy,
}

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndsBy {
    /// The next command.
    Command,
    /// The next command, or its own end where no command comes any more: it has a depth or a count.
    CommandOrItself,
    /// `stop`, or its own end: other commands wait for the count of a tree, as with other engines.
    StopOrItself,
}

impl Engine {
    pub(super) fn new() -> Result<Engine, Failure> {
        let settings = Settings {
            hash: 16,
            threads: 1,
            overhead: 10,
            chess960: false,
            variant: "chess",
            lines: 1,
            limit_strength: false,
            elo: rating_range().1,
        };
        let game = shelf::open(settings.variant)?;
        let played = Match::new(&game);
        let search = Some(make_search(&game, &settings));
        Ok(Engine { settings, game, played, lost: false, search, running: None })
    }

    /// Says a line to the other program.
    pub(super) fn say(&self, line: impl AsRef<str>) -> Result<(), Failure> {
        Ok(say(line.as_ref())?)
    }

    /// Input is at its end: a search to a depth or a count is awaited, any other is stopped.
    pub(super) fn close(mut self) -> Result<(), Failure> {
        if self.running.as_ref().is_some_and(|running| running.ends_by == EndsBy::Command) {
            self.stop();
        }
        if let Some(running) = self.running.take() {
            let _ = running.thread.join();
        }
        Ok(())
    }

    pub(super) fn quit(mut self) -> Result<(), Failure> {
        self.make_ready();
        Ok(())
    }

    /// Stops the search, or waits for the count of a tree, before something else begins.
    fn make_ready(&mut self) {
        match self.running.take() {
            Some(running) if running.ends_by == EndsBy::StopOrItself => {
                self.search = running.thread.join().ok();
            }
            running => {
                self.running = running;
                self.stop();
            }
        }
    }

    /// Stops what goes on, if anything does, and waits until it has answered.
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
                self.make_ready();
                self.renew()
            }
            Command::Position(fen, moves) => {
                self.make_ready();
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
                self.make_ready();
                self.option(&name, &value)
            }
            Command::Go(_) if self.lost => {
                self.refuse("there is no position to search: the last one was refused")?;
                self.say("bestmove 0000")
            }
            Command::Go(go) => {
                self.make_ready();
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
        self.say("option name MultiPV type spin default 1 min 1 max 500")?;
        self.say("option name Ponder type check default false")?;
        self.say("option name Clear Hash type button")?;
        self.say("option name UCI_LimitStrength type check default false")?;
        let (least, most) = rating_range();
        self.say(format!("option name UCI_Elo type spin default {most} min {least} max {most}"))?;
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
                format!("option {name}: `{found}` is not a number from {least} to {most}")
            })
        };
        let truth = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => {
                let found = excerpt(value);
                Err(format!("option {name}: `{found}` is neither true nor false"))
            }
        };
        let key = name.to_ascii_lowercase();
        let done = match key.as_str() {
            "hash" => number(1, 4096).map(|size| self.settings.hash = size as usize),
            "threads" => number(1, 64).map(|count| self.settings.threads = count as usize),
            "move overhead" => number(0, 5000).map(|time| self.settings.overhead = time),
            "multipv" => number(1, 500).map(|lines| self.settings.lines = lines as usize),
            "uci_limitstrength" => truth().map(|limit| self.settings.limit_strength = limit),
            "uci_elo" => {
                number(rating_range().0, rating_range().1).map(|elo| self.settings.elo = elo)
            }
            "uci_chess960" => truth().map(|chess960| self.settings.chess960 = chess960),
            "uci_variant" => {
                let known = VARIANTS.iter().find(|(name, _)| *name == value);
                let allowed = VARIANTS.map(|(name, _)| name).join(", ");
                let found = excerpt(value);
                known
                    .map(|(_, game)| self.settings.variant = game)
                    .ok_or_else(|| format!("option {name}: no variant `{found}`; use {allowed}"))
            }
            "clear hash" => Ok(()),
            // To ponder or not is the other program's business.
            "ponder" => return Ok(()),
            _ => Err(format!("unknown option: {}", excerpt(name))),
        };
        match done {
            Err(why) => self.refuse(&why),
            Ok(()) if ["threads", "move overhead", "multipv"].contains(&key.as_str()) => Ok(()),
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
        self.search = Some(make_search(&self.game, &self.settings));
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
        let search = match self.search.take() {
            Some(search) => search,
            None => make_search(&self.game, &self.settings),
        };
        let context = Context { position: self.played.position() };
        if let Some(depth) = go.perft {
            let clock = Arc::new(Clock::new(&Go::default(), 0, 0));
            let count = Count { search, position: context.position, depth, clock: clock.clone() };
            let thread = thread::Builder::new().spawn(|| count.run())?;
            self.running = Some(Running { clock, thread, ends_by: EndsBy::StopOrItself });
            return Ok(());
        }
        let only = go.only.iter().filter_map(|text| context.parse_event(text).ok()).collect();
        let player = context.position.player().index();
        let clock = Arc::new(Clock::new(&go, player, self.settings.overhead));
        let limits = [go.depth.is_some(), go.nodes.is_some(), go.mate.is_some()];
        let bounded = limits.contains(&true) || clock.is_timed();
        let endless = go.infinite || go.ponder || !bounded;
        let (played, threads) = (self.played.branch(), self.settings.threads);
        let lines = self.settings.lines;
        let ends_by = match limits.contains(&true) && !endless {
            true => EndsBy::CommandOrItself,
            false => EndsBy::Command,
        };
        let clock_here = clock.clone();
        let job =
            Job { search, context, played, only, go, clock: clock_here, threads, lines, endless };
        let thread = thread::Builder::new().stack_size(64 << 20).spawn(|| job.run())?;
        self.running = Some(Running { clock, thread, ends_by });
        Ok(())
    }
}

/// A search for a game, with what the game says about its looks.
fn make_search(game: &Game, settings: &Settings) -> Search {
    let search = game.search().remembering(settings.hash << 20);
    match settings.level() {
        Some(level) => search.at_level(level, RandomState::new().hash_one("seed")),
        None => search,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_chooses_the_strongest_level_that_is_not_above_it() {
        assert!(RATINGS.len() >= 2 && RATINGS.len() <= usize::from(senet::bots::LEVELS));
        assert!(RATINGS.is_sorted(), "{RATINGS:?}");
        let mut settings = Engine::new().expect("chess is shipped").settings;
        assert_eq!(settings.level(), None, "full strength by default");
        settings.limit_strength = true;
        let (least, most) = rating_range();
        for (elo, level) in [(least, 1), (most, RATINGS.len()), (RATINGS[1], 2)] {
            settings.elo = elo;
            assert_eq!(settings.level().map(usize::from), Some(level), "{elo}");
        }
    }
}
