//! Broken input for parsers as strategies of property tests: arbitrary, and made from valid input by
//! small changes.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use senet_chance::Source;
use serde_json::Value;

use crate::mutate::{mutate_bytes, mutate_json, mutate_text};

/// Arbitrary bytes, or the given bytes with small changes.
pub fn mangled_bytes(valid: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let changed =
        any::<u64>().prop_map(move |seed| mutate_bytes(&mut Source::seeded(seed), &valid));
    prop_oneof![1 => vec(any::<u8>(), 0..200), 6 => changed]
}

/// Arbitrary text, or one of the given texts with small changes and parts of another.
pub fn mangled_text(valid: Vec<String>) -> impl Strategy<Value = String> {
    let pick = (any::<Index>(), any::<Index>(), any::<u64>());
    let changed = pick.prop_map(move |(one, other, seed)| {
        mutate_text(&mut Source::seeded(seed), &one.get(&valid)[..], &other.get(&valid)[..])
    });
    prop_oneof![1 => any::<String>(), 1 => "[ -~]{0,40}", 6 => changed]
}

/// The given JSON with some values deleted, doubled, swapped or made strange.
pub fn mangled_json(valid: Value) -> impl Strategy<Value = Value> {
    any::<u64>().prop_map(move |seed| mutate_json(&mut Source::seeded(seed), &valid, &valid))
}
