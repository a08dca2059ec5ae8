//! What a match needs by itself: a flag that falls, and opponents of the server that move.

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::hall::share::Duty;
use crate::hall::{Hall, Live};
use crate::note;
use crate::table::Command;

/// How long the server waits before it tries again what the database did not take: at first, and at
/// most.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

impl Hall {
    /// Sees to what a match needs by itself: its clock, and opponents of the server.
    pub(super) fn attend<'h>(
        self: &'h Arc<Hall>,
        live: &'h Arc<Live>,
        duty: Duty,
    ) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send + 'h>> {
        Box::pin(async move {
            let table = live.table.lock().await;
            let due = table.clock.due().filter(|_| !table.is_over());
            let bot = table.bot_to_play().map(|(seat, bot)| (seat, bot.to_owned()));
            let (hall, id) = (Arc::downgrade(self), table.header.id.clone());
            let number = table.number;
            drop(table);
            let timer = due.map(|due| {
                let wait = Duration::from_millis(due.saturating_sub(self.now()) + 1);
                tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    // Who moved in time has another timer.
                    insist(&hall, &id, &Command::Flag, "clock").await;
                })
                .abort_handle()
            });
            let before =
                std::mem::replace(&mut *live.timer.lock().expect("no holder panics"), timer);
            // A timer that went off is the one who waits for this, and ends by itself.
            if let Some(before) = before.filter(|_| due.is_some()) {
                before.abort();
            }
            if let Some((seat, bot)) = bot {
                let (hall, live) = (self.clone(), live.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(duty.wait()).await;
                    if live.table.lock().await.number == number {
                        hall.think(&live, seat, &bot).await;
                    }
                });
            }
        })
    }
}

/// Carries out what nobody else would ask for again. Where the database does not answer, this is
/// tried until it does, until the match has changed, or until the server is gone.
pub(super) async fn insist(hall: &Weak<Hall>, id: &str, command: &Command, part: &str) {
    let mut wait = FIRST_WAIT;
    loop {
        let Some(hall) = hall.upgrade() else { return };
        match hall.act(id, command.clone()).await {
            Err(problem) if problem.status == 503 => {
                note::error(part, &format!("{id}: {}; trying again", problem.detail));
            }
            // The match has gone on without this.
            Ok(_) | Err(crate::problem::Problem { status: 409, .. }) => return,
            Err(problem) => return note::error(part, &format!("{id}: {}", problem.detail)),
        }
        drop(hall);
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}
