//! Counts allocations while the benches run.

pub(super) use senet_testkit::allocation::allocations;

#[global_allocator]
static ALLOCATOR: senet_testkit::allocation::Counting = senet_testkit::allocation::Counting;

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn every_call_is_counted() {
        assert_eq!(allocations(|| drop(black_box(Box::new(7)))).1, 1);
        assert_eq!(allocations(|| drop(black_box(vec![0_u8; 99]))).1, 1);
        assert_eq!(allocations(|| black_box(7)).1, 0);
    }
}
