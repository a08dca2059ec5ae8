//! Several servers on one database: what another has written is taken over.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use crate::hall::{Hall, Live};
use crate::problem::Problem;
use crate::store::Notice;
use crate::table::Table;

/// How long a server waits for another that has made a move to let an opponent answer it.
const STANDBY: Duration = Duration::from_secs(12);

/// Who sees to what a match needs by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// This server, at once.
    Mine,
    /// Another server, unless it fails.
    Another,
}

impl Duty {
    /// How long this server waits.
    pub(super) fn wait(self) -> Duration {
        match self {
            Duty::Mine => Duration::ZERO,
            Duty::Another => STANDBY,
        }
    }
}

impl Hall {
    /// Takes over what other servers write, for as long as there is a database.
    pub(super) async fn hear(self: Arc<Hall>, mut notices: mpsc::Receiver<Notice>) {
        while let Some(notice) = notices.recv().await {
            let changed: Vec<Arc<Live>> = {
                let all = self.live.lock().expect("no holder panics");
                match &notice {
                    Notice::Changed(id) => all.get(id).cloned().into_iter().collect(),
                    Notice::Missed => all.values().cloned().collect(),
                }
            };
            for live in changed {
                self.refresh(&live).await;
            }
        }
    }

    /// Takes over what another server has written about a match; whether there was anything.
    pub(super) async fn refresh(self: &Arc<Hall>, live: &Arc<Live>) -> bool {
        let mut table = live.table.lock().await;
        match self.catch_up(&mut table).await {
            Ok(false) => false,
            Ok(true) => {
                live.away.forget();
                self.tell(live, &table);
                drop(table);
                self.attend(live, Duty::Another).await;
                true
            }
            Err(problem) => {
                crate::note::error("refresh", &problem.detail);
                false
            }
        }
    }

    /// Whether something was refused because this server had not heard yet what another one wrote;
    /// it has now.
    pub async fn was_behind(self: &Arc<Hall>, id: &str, problem: &Problem) -> bool {
        if !self.store.is_shared() || !matches!(problem.status, 403 | 409) {
            return false;
        }
        match self.live(id).await {
            Ok(live) => self.refresh(&live).await,
            Err(_) => false,
        }
    }

    /// Reads the records of a match that are not known here yet; whether there are any.
    pub(super) async fn catch_up(&self, table: &mut Table) -> Result<bool, Problem> {
        let records = self.store.records(&table.header.id, table.number).await?;
        let mut after = table.clone();
        for record in &records {
            after.fold(record)?;
        }
        *table = after;
        Ok(!records.is_empty())
    }
}
