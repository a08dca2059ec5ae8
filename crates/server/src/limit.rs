//! How many requests an address or the holder of a token may make, and how many matches an address
//! may arrange: a bucket for each, which fills steadily. How many connections an address may have.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::mem;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What is said to who asks too much.
pub const DETAIL: &str = "too many requests; wait a moment";

/// How many sources are remembered at most.
const MOST: usize = 100_000;

/// How often an address or the holder of a token may do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How often in a period.
    pub count: u32,
    /// The period.
    pub period: Duration,
    /// How often at once.
    pub burst: u32,
}

impl Rate {
    /// So often in a second, and four times as often at once.
    pub fn per_second(count: u32) -> Rate {
        Rate { count, period: Duration::from_secs(1), burst: count.saturating_mul(4) }
    }

    /// So often in an hour, all of it at once if need be.
    pub fn per_hour(count: u32) -> Rate {
        Rate { count, period: Duration::from_secs(3_600), burst: count }
    }
}

/// Where requests come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source(u64, Sort);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sort {
    Address,
    Token,
}

/// The buckets of all sources.
pub struct Limiter {
    rate: Option<Rate>,
    keys: RandomState,
    buckets: Mutex<Buckets>,
}

/// What is left in a bucket, and when that was.
type Bucket = (f64, Instant);

/// The buckets that were used last: when half of [`MOST`] were used, those of the half before, which
/// were not used since, are forgotten.
#[derive(Default)]
struct Buckets {
    used: HashMap<Source, Bucket>,
    before: HashMap<Source, Bucket>,
}

impl Buckets {
    /// The bucket of a source, which is the given one if none is remembered.
    fn of(&mut self, source: Source, new: Bucket) -> &mut Bucket {
        if self.used.len() >= MOST / 2 && !self.used.contains_key(&source) {
            mem::swap(&mut self.used, &mut self.before);
            // What was swapped in may be the bucket that is asked for.
            let kept = self.used.remove(&source);
            self.used.clear();
            self.used.extend(kept.map(|bucket| (source, bucket)));
        }
        let before = &mut self.before;
        self.used.entry(source).or_insert_with(|| before.remove(&source).unwrap_or(new))
    }
}

impl Limiter {
    /// A limiter of a rate; without one, everything passes.
    pub fn new(rate: Option<Rate>) -> Limiter {
        Limiter { rate, keys: RandomState::new(), buckets: Mutex::default() }
    }

    /// An address as a source.
    pub fn address(&self, address: IpAddr) -> Source {
        Source(self.keys.hash_one(block(address)), Sort::Address)
    }

    /// The holder of a token as a source.
    pub fn token(&self, token: &str) -> Source {
        Source(self.keys.hash_one(token), Sort::Token)
    }

    /// Whether a request that weighs so much may pass now, by all of its sources.
    pub fn admits(
        &self,
        sources: impl IntoIterator<Item = Source>,
        weight: f64,
        now: Instant,
    ) -> bool {
        let Some(rate) = self.rate else { return true };
        let second = f64::from(rate.count) / rate.period.as_secs_f64();
        let burst = f64::from(rate.burst);
        let filled = |(left, at): (f64, Instant)| {
            (left + now.saturating_duration_since(at).as_secs_f64() * second).min(burst)
        };
        let mut buckets = self.buckets.lock().expect("no holder panics");
        let mut all = true;
        for source in sources {
            let bucket = buckets.of(source, (burst, now));
            let left = filled(*bucket);
            let admits = left >= weight;
            *bucket = (if admits { left - weight } else { left }, now);
            all &= admits;
        }
        all
    }
}

/// How many connections each source has.
pub struct Crowd {
    most: Option<u32>,
    counts: Mutex<HashMap<Source, u32>>,
}

/// One connection of a source, for as long as it lasts.
pub struct Place {
    crowd: Arc<Crowd>,
    source: Source,
}

impl Crowd {
    /// So many connections for each source at most; without a bound, any number.
    pub fn new(most: Option<u32>) -> Arc<Crowd> {
        Arc::new(Crowd { most, counts: Mutex::default() })
    }

    /// Another connection of a source; none where it has too many.
    pub fn enter(self: &Arc<Crowd>, source: Source) -> Option<Place> {
        let most = self.most.unwrap_or(u32::MAX);
        let mut counts = self.counts.lock().expect("no holder panics");
        let count = counts.entry(source).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place { crowd: self.clone(), source })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.crowd.counts.lock().expect("no holder panics");
        let left = counts.get(&self.source).map_or(0, |count| count - 1);
        match left {
            0 => counts.remove(&self.source),
            left => counts.insert(self.source, left),
        };
    }
}

/// The addresses that count as one: of version 6, a network of 64 bits.
fn block(address: IpAddr) -> IpAddr {
    // A socket for both versions shows addresses of version 4 as those of version 6.
    match address.to_canonical() {
        four @ IpAddr::V4(_) => four,
        IpAddr::V6(six) => {
            let network = u128::from(six) & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limiter = Limiter::new(Some(Rate { burst: 3, ..Rate::per_second(2) }));
        let [one, other] = [1, 2].map(|last| limiter.address(IpAddr::from([10, 0, 0, last])));
        let now = Instant::now();
        let passed = (0..5).filter(|_| limiter.admits([one], 1.0, now)).count();
        assert_eq!(passed, 3);
        assert!(limiter.admits([other], 1.0, now));
        assert!(limiter.admits([one], 1.0, now + Duration::from_millis(600)));
        assert!(!limiter.admits([one], 1.0, now + Duration::from_millis(700)));
    }

    #[test]
    fn a_source_has_only_so_many_connections_at_once() {
        let (limiter, crowd) = (Limiter::new(None), Crowd::new(Some(2)));
        let [one, other] = [1, 2].map(|last| limiter.address(IpAddr::from([10, 0, 0, last])));
        let places = [crowd.enter(one), crowd.enter(one)];
        assert!(places.iter().all(Option::is_some));
        assert!(crowd.enter(one).is_none());
        assert!(crowd.enter(other).is_some());
        drop(places);
        assert!(crowd.enter(one).is_some());
        assert!(crowd.counts.lock().expect("no holder panics").is_empty());
    }

    #[test]
    fn networks_of_version_6_are_one_source_and_addresses_of_version_4_are_many() {
        let limiter = Limiter::new(None);
        let source = |text: &str| limiter.address(text.parse().unwrap());
        assert_ne!(source("::ffff:10.0.0.1"), source("::ffff:10.0.0.2"));
        assert_eq!(source("::ffff:10.0.0.1"), source("10.0.0.1"));
        assert_eq!(source("2001:db8::1"), source("2001:db8::2"));
        assert_ne!(source("2001:db8::1"), source("2001:db8:0:1::1"));
    }

    #[test]
    fn what_may_be_done_in_an_hour_comes_back_in_an_hour() {
        let limiter = Limiter::new(Some(Rate::per_hour(6)));
        let one = limiter.address(IpAddr::from([10, 0, 0, 1]));
        let now = Instant::now();
        assert_eq!((0..9).filter(|_| limiter.admits([one], 1.0, now)).count(), 6);
        let later = now + Duration::from_secs(1_201);
        assert_eq!((0..9).filter(|_| limiter.admits([one], 1.0, later)).count(), 2);
    }

    #[test]
    fn a_token_is_limited_whatever_address_it_comes_from() {
        let limiter = Limiter::new(Some(Rate { burst: 3, ..Rate::per_second(1) }));
        let token = limiter.token("secret");
        let now = Instant::now();
        let from = |last| limiter.address(IpAddr::from([10, 0, 0, last]));
        let passed = (0..5).filter(|at| limiter.admits([from(*at), token], 1.0, now)).count();
        assert_eq!(passed, 3);
    }

    #[test]
    fn only_so_many_sources_are_remembered_and_those_used_last() {
        let limiter = Limiter::new(Some(Rate { burst: 2, ..Rate::per_second(1) }));
        let from = |number: u32| limiter.address(IpAddr::from(number.to_be_bytes()));
        let now = Instant::now();
        let first = from(0);
        assert!(limiter.admits([first], 2.0, now));
        for number in 1..=2 * MOST as u32 {
            assert!(limiter.admits([from(number)], 1.0, now));
            if number % 1_000 == 0 {
                assert!(!limiter.admits([first], 1.0, now), "forgotten after {number} others");
            }
        }
        let buckets = limiter.buckets.lock().expect("no holder panics");
        let count = buckets.used.len() + buckets.before.len();
        assert!((MOST / 2..=MOST).contains(&count), "{count} sources");
    }
}
