//! Broken input for parsers: arbitrary, and made from valid input by small changes.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

/// One small change: where, and of which kind.
type Cut = (Index, Index, u8);

fn cuts() -> impl Strategy<Value = Vec<Cut>> {
    vec((any::<Index>(), any::<Index>(), any::<u8>()), 1..5)
}

/// Arbitrary bytes, or the given bytes with some removed, doubled, changed or swapped.
pub fn mangled_bytes(valid: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let changed = cuts().prop_map(move |cuts| cuts.iter().fold(valid.clone(), mangle_bytes));
    prop_oneof![1 => vec(any::<u8>(), 0..200), 6 => changed]
}

fn mangle_bytes(mut bytes: Vec<u8>, (at, other, how): &Cut) -> Vec<u8> {
    if bytes.is_empty() {
        return vec![*how];
    }
    let (at, other) = (at.index(bytes.len()), other.index(bytes.len()));
    let (low, high) = (at.min(other), at.max(other));
    match how % 6 {
        0 => bytes[at] ^= 1 << (how / 6 % 8),
        1 => drop(bytes.drain(low..high.min(low + 9))),
        2 => bytes.truncate(at),
        3 => bytes.insert(at, how.wrapping_mul(37)),
        4 => bytes.swap(at, other),
        _ => {
            let again: Vec<u8> = bytes[low..high.min(low + 9)].to_vec();
            bytes.splice(at..at, again);
        }
    }
    bytes
}

/// Arbitrary text, or one of the given texts with some letters changed, or two of them joined.
pub fn mangled_text(valid: Vec<String>) -> impl Strategy<Value = String> {
    let pick = (any::<Index>(), cuts());
    let changed = pick.prop_map(move |(which, cuts)| {
        let text: Vec<char> = which.get(&valid).chars().collect();
        cuts.iter().fold(text, mangle_letters).into_iter().collect()
    });
    prop_oneof![1 => any::<String>(), 1 => "[ -~]{0,40}", 6 => changed]
}

fn mangle_letters(mut text: Vec<char>, (at, other, how): &Cut) -> Vec<char> {
    const STRANGE: [char; 16] = [
        '/', '@', '=', ':', '+', '*', ',', '.', ' ', '\n', '9', '-', 'é', '\u{0}', '\u{202e}', '𝄞',
    ];
    let strange = STRANGE[usize::from(*how) / 5 % STRANGE.len()];
    if text.is_empty() {
        return vec![strange];
    }
    let (at, other) = (at.index(text.len()), other.index(text.len()));
    match how % 5 {
        0 => text[at] = strange,
        1 => text.insert(at, strange),
        2 => drop(text.remove(at)),
        3 => text.swap(at, other),
        _ => text.truncate(at),
    }
    text
}

/// The given JSON with some values deleted, doubled, renamed, swapped or made strange.
pub fn mangled_json(valid: Value) -> impl Strategy<Value = Value> {
    cuts().prop_map(move |cuts| {
        let mut value = valid.clone();
        cuts.iter().for_each(|cut| mangle_value(&mut value, cut));
        value
    })
}

/// Changes the node that the first index names, counted over the whole tree.
fn mangle_value(root: &mut Value, (at, other, how): &Cut) {
    let size = nodes(root);
    let donor = node(root, other.index(size)).map(|node| node.clone()).unwrap_or_default();
    let Some(target) = node(root, at.index(size)) else { return };
    match (how % 8, target) {
        (0, target) => *target = donor,
        (1, Value::Array(list)) if !list.is_empty() => {
            list.remove(other.index(list.len()));
        }
        (2, Value::Array(list)) if !list.is_empty() => {
            let again = list[other.index(list.len())].clone();
            list.push(again);
        }
        (3, Value::Object(map)) if !map.is_empty() => {
            let key = other.get(&map.keys().cloned().collect::<Vec<_>>()).clone();
            map.remove(&key);
        }
        (4, Value::Object(map)) if !map.is_empty() => {
            let key = other.get(&map.keys().cloned().collect::<Vec<_>>()).clone();
            let value = map.remove(&key).unwrap_or_default();
            map.insert(format!("{key}x"), value);
        }
        (_, Value::Number(number)) => {
            let numbers = [0, 1, -1, 2, 64, 255, 256, 65_536, i64::MAX, i64::MIN];
            *number = numbers[usize::from(how / 8) % numbers.len()].into();
        }
        (_, Value::String(text)) => match how / 8 % 4 {
            0 => text.clear(),
            1 => text.push('x'),
            2 => text.push('/'),
            _ => *text = donor.as_str().map_or("north".into(), str::to_owned),
        },
        (5, target) => *target = Value::Null,
        (_, Value::Array(list)) => list.reverse(),
        _ => {}
    }
}

fn children(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(list) => Box::new(list.iter()),
        Value::Object(map) => Box::new(map.values()),
        _ => Box::new(std::iter::empty()),
    }
}

fn nodes(value: &Value) -> usize {
    1 + children(value).map(nodes).sum::<usize>()
}

/// A node of a tree by its number, the root being 0.
fn node(value: &mut Value, number: usize) -> Option<&mut Value> {
    fn find<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
        if *left == 0 {
            return Some(value);
        }
        *left -= 1;
        match value {
            Value::Array(list) => list.iter_mut().find_map(|one| find(one, left)),
            Value::Object(map) => map.values_mut().find_map(|one| find(one, left)),
            _ => None,
        }
    }
    find(value, &mut { number })
}
