//! How many requests an address may make: a bucket of tokens for each, which fills steadily.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

/// How many addresses are remembered; beyond, full buckets are forgotten.
const MOST: usize = 100_000;

/// The rate of requests that an address may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many come back in a second.
    pub second: u32,
    /// How many may be made at once.
    pub burst: u32,
}

/// The buckets of all addresses.
pub struct Limiter {
    rate: Option<Rate>,
    buckets: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Limiter {
    /// A limiter of a rate; without one, everything passes.
    pub fn new(rate: Option<Rate>) -> Limiter {
        Limiter { rate, buckets: Mutex::default() }
    }

    /// Whether a request that weighs so much may pass now.
    pub fn admits(&self, address: IpAddr, weight: f64, now: Instant) -> bool {
        let Some(rate) = self.rate else { return true };
        let (second, burst) = (f64::from(rate.second), f64::from(rate.burst));
        let filled = |(left, at): (f64, Instant)| {
            (left + now.saturating_duration_since(at).as_secs_f64() * second).min(burst)
        };
        let mut buckets = self.buckets.lock().expect("no holder panics");
        if buckets.len() >= MOST {
            buckets.retain(|_, bucket| filled(*bucket) < burst);
        }
        let bucket = buckets.entry(block(address)).or_insert((burst, now));
        let left = filled(*bucket);
        let admits = left >= weight;
        *bucket = (if admits { left - weight } else { left }, now);
        admits
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
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limiter = Limiter::new(Some(Rate { second: 2, burst: 3 }));
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let now = Instant::now();
        let passed = (0..5).filter(|_| limiter.admits(one, 1.0, now)).count();
        assert_eq!(passed, 3);
        assert!(limiter.admits(other, 1.0, now));
        assert!(limiter.admits(one, 1.0, now + Duration::from_millis(600)));
        assert!(!limiter.admits(one, 1.0, now + Duration::from_millis(700)));
    }
}
