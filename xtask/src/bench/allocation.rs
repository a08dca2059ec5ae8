//! That allocations are counted while the benches run.

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use senet_testkit::allocation::{allocations, usage};

    #[test]
    fn every_call_is_counted() {
        assert_eq!(allocations(|| drop(black_box(Box::new(7)))).1, 1);
        assert_eq!(allocations(|| drop(black_box(vec![0_u8; 99]))).1, 1);
        assert_eq!(allocations(|| black_box(7)).1, 0);
    }

    #[test]
    fn bytes_are_held_until_they_are_freed() {
        let (kept, used) = usage(|| {
            drop(black_box(vec![0_u8; 1000]));
            black_box(vec![0_u8; 100])
        });
        assert_eq!((used.calls, used.peak, used.kept), (2, 1000, 100));
        let ((), used) = usage(|| drop(kept));
        assert_eq!((used.calls, used.peak, used.kept), (0, 0, -100));
    }
}
