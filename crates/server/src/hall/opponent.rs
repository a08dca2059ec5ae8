//! Opponents of the server: who they are, and how they play.

use std::sync::Arc;
use std::time::{Duration, Instant};

use senet::bots::{Limit, Spec};
use senet::{Game, Match};

use crate::clock::Control;
use crate::engine::{self, Engine};
use crate::hall::attend::insist;
use crate::hall::{Hall, Live};
use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::record::Plan;
use crate::table::Command;

/// How long an opponent may think about an event.
const THINKING: Duration = Duration::from_secs(5);

/// The same where no people play.
const THINKING_ALONE: Duration = Duration::from_secs(1);

/// How long an opponent waits at least, so that people see its moves.
const PAUSE: Duration = Duration::from_millis(250);

/// Who decides about a move.
#[derive(Clone, Debug)]
enum Mind {
    /// A program of the operator.
    Engine(Engine),
    /// An opponent of Senet.
    Bot(Spec),
    /// Whatever is legal.
    Any,
}

impl Hall {
    /// Lets an opponent of the server play.
    pub(super) async fn think(self: Arc<Hall>, live: &Arc<Live>, seat: usize, bot: &str) {
        let begun = Instant::now();
        let table = live.table.lock().await;
        let (id, ply) = (table.header.id.clone(), table.played.ply());
        let rolls = table.awaits_roll();
        let alone = table.seats.iter().flatten().all(|seat| seat.token.is_none());
        let played = table.played.clone();
        drop(table);
        let text = match rolls {
            true => Some("roll".to_owned()),
            // Where nobody plays, one opponent at a time thinks, and not for long.
            false if alone => {
                let Ok(_turn) = self.shows.acquire().await else { return };
                self.thought(&id, played, (bot, THINKING_ALONE)).await
            }
            false => self.thought(&id, played, (bot, THINKING)).await,
        };
        tokio::time::sleep(PAUSE.saturating_sub(begun.elapsed())).await;
        let Some(text) = text else {
            return crate::note::error("bot", &format!("{id}: {bot} finds no move"));
        };
        let play = Command::Play { seat, ply, id: None, proposal: Proposal::Text(text) };
        let hall = Arc::downgrade(&self);
        drop(self);
        insist(&hall, &id, &play, "bot").await;
    }

    /// What an opponent plays, in the plain notation. Where it fails another decides, for people wait
    /// for the move.
    async fn thought(
        &self,
        id: &str,
        played: Match,
        (bot, most): (&str, Duration),
    ) -> Option<String> {
        let engine = engine::find(&self.engines, bot).cloned().map(Mind::Engine);
        let own = engine.or_else(|| bot.parse().ok().map(Mind::Bot));
        let instead = engine::is_engine(bot).then(|| "search".parse().ok().map(Mind::Bot));
        let _permit = self.thinkers.acquire().await.ok()?;
        for mind in [own, instead.flatten(), Some(Mind::Any)].into_iter().flatten() {
            let (decides, played) = (mind.clone(), played.clone());
            let thought = tokio::task::spawn_blocking(move || decides.choose(&played, most)).await;
            // A panic of an opponent is no reason to leave people waiting.
            if let Some(text) = thought.ok().flatten() {
                return Some(text);
            }
            if !matches!(mind, Mind::Any) {
                let message = format!("{id}: {bot} gives no move; the server moves instead");
                crate::note::error("bot", &message);
            }
        }
        None
    }
}

impl Mind {
    fn choose(&self, played: &Match, most: Duration) -> Option<String> {
        match self {
            Mind::Engine(engine) => engine::choose(engine, played),
            Mind::Bot(spec) => choose(played, *spec, most),
            Mind::Any => {
                let position = played.position();
                let event = position.legal().into_iter().next()?;
                Some(position.plain().format(event))
            }
        }
    }
}

/// What an opponent plays, in the plain notation.
fn choose(played: &Match, spec: Spec, most: Duration) -> Option<String> {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).ok()?;
    let mut bot = played.game().bot(spec, u64::from_le_bytes(seed));
    let until = Instant::now() + most;
    let stop = move || Instant::now() >= until;
    let limit = Limit { stop: &stop, ..Limit::NONE };
    let thought = bot.choose(played, &limit).ok()??;
    Some(played.position().plain().format(thought.event))
}

/// Whether a header is one that a server takes.
///
/// # Errors
/// Where a time or an opponent is not allowed, with what is.
pub fn check(
    engines: &[Engine],
    game: &Game,
    control: Control,
    seats: &[Plan],
) -> Result<(), Problem> {
    control.check().map_err(Problem::invalid)?;
    seats.iter().try_for_each(|plan| match plan {
        Plan::Bot { bot } if engine::is_engine(bot) => {
            let known = engine::find(engines, bot).filter(|_| engine::plays(game));
            let detail = || format!("no engine {bot} of this server plays {}", game.name());
            known.map(|_| ()).ok_or_else(|| Problem::invalid(detail()))
        }
        Plan::Bot { bot } => {
            let spec = bot.parse::<Spec>();
            spec.map(|_| ()).map_err(|error| Problem::invalid(error.to_string()))
        }
        _ => Ok(()),
    })
}
