//! How many requests an address or the holder of a token may make, and how many matches an address
//! may arrange: a bucket for each, which fills steadily.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What is said to who asks too much.
pub const DETAIL: &str = "too many requests; wait a moment";

/// How many sources are remembered; beyond, full buckets are forgotten.
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
    buckets: Mutex<HashMap<Source, (f64, Instant)>>,
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
        if buckets.len() >= MOST {
            buckets.retain(|_, bucket| filled(*bucket) < burst);
        }
        let mut all = true;
        for source in sources {
            let bucket = buckets.entry(source).or_insert((burst, now));
            let left = filled(*bucket);
            let admits = left >= weight;
            *bucket = (if admits { left - weight } else { left }, now);
            all &= admits;
        }
        all
    }
}

/// The addresses that count as one: of version 6, a network of 64 bits.
fn block(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
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
}
