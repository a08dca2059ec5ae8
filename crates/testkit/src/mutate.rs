//! Small changes of valid input, drawn from a seeded source.

use senet_chance::Source;
use serde_json::Value;

/// Letters and bytes that mean something to some parser, or should mean nothing to any.
const STRANGE: [&str; 26] = [
    "/",
    "@",
    "=",
    ":",
    "+",
    "*",
    ",",
    ".",
    " ",
    "\n",
    "9",
    "-",
    "0",
    "é",
    "\0",
    "\u{202e}",
    "𝄞",
    "\"",
    "{",
    "}",
    "(",
    ")",
    "\t",
    "\r",
    "\u{feff}",
    "18446744073709551616",
];

/// A text with some letters removed, doubled, moved, or taken from another text.
pub fn mutate_text(source: &mut Source, text: &str, other: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=source.below(4) {
        let at = source.below(letters.len() as u64 + 1) as usize;
        let end = letters.len().min(at + 1 + source.below(12) as usize);
        match source.below(7) {
            0 => drop(letters.drain(at..end)),
            1 => {
                let again: Vec<char> = letters[at..end].to_vec();
                letters.splice(at..at, again);
            }
            2 if end < letters.len() => {
                let to = source.below(letters.len() as u64) as usize;
                letters.swap(at, to);
            }
            3 => letters.truncate(at),
            4 => {
                let others: Vec<char> = other.chars().collect();
                let from = source.below(others.len() as u64 + 1) as usize;
                let to = others.len().min(from + source.below(40) as usize);
                letters.splice(at..end, others[from..to].iter().copied());
            }
            _ => {
                let strange = STRANGE[source.below(STRANGE.len() as u64) as usize];
                letters.splice(at..at, strange.chars());
            }
        }
    }
    letters.into_iter().collect()
}

/// Bytes with some removed, doubled, changed or swapped.
pub fn mutate_bytes(source: &mut Source, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=source.below(4) {
        let at = source.below(bytes.len() as u64 + 1) as usize;
        let end = bytes.len().min(at + 1 + source.below(9) as usize);
        match source.below(6) {
            0 if at < end => bytes[at] ^= 1 << source.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.truncate(at),
            3 if at < end => {
                let other = source.below(bytes.len() as u64) as usize;
                bytes.swap(at, other);
            }
            4 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            _ => bytes.insert(at, source.below(256) as u8),
        }
    }
    bytes
}

/// JSON with some values deleted, doubled, swapped, taken from another, or made strange.
pub fn mutate_json(source: &mut Source, value: &Value, other: &Value) -> Value {
    let mut value = value.clone();
    for _ in 0..=source.below(4) {
        let donor = if source.below(3) == 0 { other } else { &value };
        let at = source.below(nodes(donor) as u64) as usize;
        let donor = node(&mut donor.clone(), at).cloned().unwrap_or_default();
        let at = source.below(nodes(&value) as u64) as usize;
        if let Some(target) = node(&mut value, at) {
            change(source, target, donor);
        }
    }
    value
}

fn change(source: &mut Source, target: &mut Value, donor: Value) {
    const NUMBERS: [i64; 14] =
        [0, 1, -1, 2, 3, 7, 64, 255, 256, 65_536, 1 << 32, 1 << 62, i64::MAX, i64::MIN];
    let how = source.below(8);
    match target {
        Value::Array(list) if how < 2 && !list.is_empty() => {
            list.remove(source.below(list.len() as u64) as usize);
        }
        Value::Array(list) if how < 4 && !list.is_empty() => {
            let again = list[source.below(list.len() as u64) as usize].clone();
            list.push(again);
        }
        Value::Array(list) if how == 4 => list.push(donor),
        Value::Array(list) if how == 5 => list.reverse(),
        Value::Object(map) if how < 3 && !map.is_empty() => {
            let key = map.keys().nth(source.below(map.len() as u64) as usize).cloned();
            map.remove(&key.unwrap_or_default());
        }
        Value::Number(number) if how < 6 => {
            *number = NUMBERS[source.below(NUMBERS.len() as u64) as usize].into();
        }
        Value::String(text) if how == 0 => text.push('x'),
        Value::Bool(truth) => *truth = !*truth,
        target => *target = donor,
    }
}

/// How many values a value has in it, itself included.
pub fn nodes(value: &Value) -> usize {
    let inside = match value {
        Value::Array(list) => list.iter().map(nodes).sum(),
        Value::Object(map) => map.values().map(nodes).sum(),
        _ => 0,
    };
    1 + inside
}

/// A value inside a value by its number, the outermost being 0.
pub fn node(value: &mut Value, number: usize) -> Option<&mut Value> {
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
