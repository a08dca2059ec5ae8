//! Opponents of the server: who they are, and how they play.

use std::sync::Arc;
use std::time::{Duration, Instant};

use senet::Game;
use senet::bots::{Limit, Spec};

use crate::clock::Control;
use crate::engine::{self, Engine};
use crate::hall::{Hall, Live};
use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::record::Plan;
use crate::table::Command;

/// How long an opponent may think about an event.
const THINKING: Duration = Duration::from_secs(5);

/// How long an opponent waits at least, so that people see its moves.
const PAUSE: Duration = Duration::from_millis(250);

impl Hall {
    /// Lets an opponent of the server play.
    pub(super) async fn think(self: Arc<Hall>, live: &Arc<Live>, seat: usize, bot: &str) {
        let begun = Instant::now();
        let engine = engine::find(&self.engines, bot).cloned();
        let spec = bot.parse::<Spec>().ok();
        let table = live.table.lock().await;
        let (id, ply) = (table.header.id.clone(), table.played.ply());
        let rolls = table.awaits_roll();
        let played = table.played.clone();
        drop(table);
        let proposal = if rolls {
            Some("roll".to_owned())
        } else {
            let Ok(_permit) = self.thinkers.clone().acquire_owned().await else { return };
            let thought = tokio::task::spawn_blocking(move || match (engine, spec) {
                (Some(engine), _) => engine::choose(&engine, &played),
                (None, Some(spec)) => choose(&played, spec),
                (None, None) => None,
            });
            thought.await.ok().flatten()
        };
        tokio::time::sleep(PAUSE.saturating_sub(begun.elapsed())).await;
        let Some(text) = proposal else { return };
        let proposal = Proposal::Text(text);
        let play = Command::Play { seat, ply, id: None, proposal };
        if let Err(problem) = self.act(&id, play).await
            && problem.status >= 500
        {
            crate::note::error("bot", &format!("{id}: {}", problem.detail));
        }
    }
}

/// What an opponent plays, in the plain notation.
fn choose(played: &senet::Match, spec: Spec) -> Option<String> {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).ok()?;
    let mut bot = played.game().bot(spec, u64::from_le_bytes(seed));
    let until = Instant::now() + THINKING;
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
