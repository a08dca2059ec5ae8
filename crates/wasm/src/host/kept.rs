//! The modules that a process keeps.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use senet_core::backend::Purpose;

use super::Native;

/// How many modules are kept. A host that compiles games of strangers must not keep all of them.
const MOST_MODULES: usize = 128;

/// Modules by definition and purpose, each with the number of the request that asked for it last.
#[derive(Default)]
pub(super) struct Modules {
    slots: BTreeMap<(u128, Purpose), (u64, Slot)>,
    requests: u64,
}

/// A module that is compiled when it is first asked for.
pub(super) type Slot = Arc<OnceLock<Result<Native, String>>>;

impl Modules {
    /// The place of a module. The one that was not asked for longest makes room for a new one; who runs
    /// it goes on.
    pub(super) fn slot(&mut self, key: (u128, Purpose)) -> Slot {
        if self.slots.len() >= MOST_MODULES && !self.slots.contains_key(&key) {
            let oldest = self.slots.iter().min_by_key(|(_, (request, _))| *request);
            if let Some(key) = oldest.map(|(key, _)| *key) {
                self.slots.remove(&key);
            }
        }
        self.requests += 1;
        let (request, slot) = self.slots.entry(key).or_default();
        *request = self.requests;
        slot.clone()
    }

    /// Whether a module is kept and compiled.
    pub(super) fn is_compiled(&self, key: (u128, Purpose)) -> bool {
        self.slots.get(&key).is_some_and(|(_, slot)| slot.get().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_that_were_used_last_are_kept() {
        let mut modules = Modules::default();
        let first = modules.slot((0, Purpose::Play));
        for definition in 1..3 * MOST_MODULES as u128 {
            modules.slot((definition, Purpose::Play));
            assert!(Arc::ptr_eq(&first, &modules.slot((0, Purpose::Play))));
            assert!(modules.slots.len() <= MOST_MODULES);
        }
        let (oldest, newest) = ((1, Purpose::Play), (3 * MOST_MODULES as u128 - 1, Purpose::Play));
        assert!(!modules.slots.contains_key(&oldest) && modules.slots.contains_key(&newest));
    }
}
