//! A transposition table: what is known of positions that were searched before, by their hash.
//! Threads share it without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The value is this or more.
    Lower,
    /// The value is this or less.
    Upper,
    /// The value is this.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The best event, by its place in the list of legal ones; [`NO_MOVE`] where none is known.
    pub(crate) best: u16,
}

/// Says that no best event is known.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// A word over the upper half of the hash, mixed with the data, and the data. A pair that two
/// threads wrote at once does not fit together and is not believed.
type Slot = [AtomicU64; 2];

pub(crate) struct Table {
    slots: Vec<Slot>,
    /// Which search is the newest: older entries give way.
    age: AtomicU64,
}

impl Table {
    /// A table of about `bytes` bytes, with at least a thousand entries.
    pub(crate) fn of_bytes(bytes: usize) -> Table {
        let fitting = (bytes / size_of::<Slot>()).max(1024);
        let count = 1 << fitting.ilog2();
        let slots = (0..count).map(|_| Slot::default()).collect();
        Table { slots, age: AtomicU64::new(0) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = Slot::default());
        self.age = AtomicU64::new(0);
    }

    /// A new search begins.
    pub(crate) fn begin(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self, hash: u128) -> Option<Entry> {
        let slot = self.slot(hash);
        let (key, data) = (slot[0].load(Ordering::Relaxed), slot[1].load(Ordering::Relaxed));
        (key ^ data == (hash >> 64) as u64 && data != 0).then(|| decode(data))
    }

    pub(crate) fn put(&self, hash: u128, entry: Entry) {
        let slot = self.slot(hash);
        let (key, old) = (slot[0].load(Ordering::Relaxed), slot[1].load(Ordering::Relaxed));
        let age = self.age.load(Ordering::Relaxed) & 63;
        let same = key ^ old == (hash >> 64) as u64;
        let keeps = old != 0 && old >> 58 == age && !same && (old >> 32) as u8 > entry.depth;
        if keeps {
            return;
        }
        let data = encode(entry, age);
        slot[0].store((hash >> 64) as u64 ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }

    /// How many of a thousand entries are from the newest search.
    pub(crate) fn fill(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed) & 63;
        let fresh = |slot: &&Slot| {
            let data = slot[1].load(Ordering::Relaxed);
            data != 0 && data >> 58 == age
        };
        self.slots.iter().take(1000).filter(fresh).count() as u32
    }

    fn slot(&self, hash: u128) -> &Slot {
        &self.slots[hash as usize & (self.slots.len() - 1)]
    }
}

/// Value, depth, best, bound and age, from the lowest bit; never zero, as no bound is.
fn encode(entry: Entry, age: u64) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.value as u32)
        | u64::from(entry.depth) << 32
        | u64::from(entry.best) << 40
        | bound << 56
        | age << 58
}

fn decode(data: u64) -> Entry {
    let bound = match data >> 56 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        _ => Bound::Exact,
    };
    Entry { value: data as u32 as i32, depth: (data >> 32) as u8, best: (data >> 40) as u16, bound }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_by_the_whole_hash_only() {
        let table = Table::of_bytes(1 << 16);
        let entry = Entry { value: -29_990, depth: 7, bound: Bound::Upper, best: NO_MOVE };
        let hash = 0x0123_4567_89ab_cdef_0011_2233_4455_6677_u128;
        table.put(hash, entry);
        assert_eq!(table.get(hash), Some(entry));
        assert_eq!(table.get(hash ^ 1 << 64), None);
        assert_eq!(table.get(hash ^ 1), None);
    }

    #[test]
    fn a_shallow_entry_gives_way_to_a_deep_one_and_not_the_other_way_until_a_new_search() {
        let table = Table::of_bytes(0);
        let entry = |depth| Entry { value: 1, depth, bound: Bound::Exact, best: 0 };
        let (one, two) = (5, 5 | 1 << 100);
        table.put(one, entry(3));
        table.put(two, entry(2));
        assert_eq!((table.get(one), table.get(two)), (Some(entry(3)), None));
        table.begin();
        table.put(two, entry(2));
        assert_eq!((table.get(one), table.get(two)), (None, Some(entry(2))));
    }
}
