//! Path codes: which move was taken at every ply, as text.
//!
//! A move's number among its siblings is two hexadecimal digits; numbers from 224 on are an `e`
//! and five digits, and beyond those an `f` and fifteen. The first digit says how many follow, so
//! the code of a node is the code of its parent and the code of its move, no two nodes of a tree
//! have the same, and the order of the codes is the order of the tree, parents first.

/// Numbers below this take two digits.
const SHORT: u64 = 0xe0;
/// Numbers below this take six digits at most.
const LONG: u64 = SHORT + (1 << 20);

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Adds the code of a move to a path.
#[inline]
pub(crate) fn push(path: &mut String, index: u32) {
    let index = u64::from(index);
    if index < SHORT {
        path.push(DIGITS[(index >> 4) as usize] as char);
        return path.push(DIGITS[(index & 15) as usize] as char);
    }
    let (value, digits) = match index {
        ..LONG => (0xe << 20 | (index - SHORT), 6),
        LONG.. => (0xf << 60 | (index - LONG), 16),
    };
    for digit in (0..digits).rev() {
        path.push(DIGITS[(value >> (4 * digit) & 15) as usize] as char);
    }
}

/// The code of a path.
pub(crate) fn format(path: &[u32]) -> String {
    let mut code = String::with_capacity(2 * path.len());
    path.iter().for_each(|&index| push(&mut code, index));
    code
}

/// The path of a code, if it is one.
pub(crate) fn parse(code: &str) -> Option<Vec<u32>> {
    let mut path = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let (digits, from) = match first {
            'e' => (6, SHORT),
            'f' => (16, LONG),
            _ => (2, 0),
        };
        let (one, others) = rest.split_at_checked(digits)?;
        let known = |digit: u8| DIGITS.contains(&digit);
        if !one.bytes().all(known) {
            return None;
        }
        // The first digit of a long number says only that it is long.
        let digits = if from == 0 { one } else { &one[1..] };
        let value = u64::from_str_radix(digits, 16).ok()?;
        path.push(u32::try_from(value.checked_add(from)?).ok()?);
        rest = others;
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: [u32; 9] = [0, 1, 19, 0xdf, 0xe0, 0xe1, LONG as u32 - 1, LONG as u32, u32::MAX];

    #[test]
    fn codes_read_back_to_their_paths() {
        for one in NUMBERS {
            for two in NUMBERS {
                let path = vec![one, two, one];
                assert_eq!(parse(&format(&path)), Some(path));
            }
        }
        assert_eq!(parse(""), Some(vec![]));
    }

    #[test]
    fn codes_are_in_the_order_of_the_tree() {
        let mut paths: Vec<Vec<u32>> = vec![vec![]];
        for one in NUMBERS {
            paths.push(vec![one]);
            paths.extend(NUMBERS.iter().map(|&two| vec![one, two]));
        }
        let codes: Vec<String> = paths.iter().map(|path| format(path)).collect();
        assert!(codes.is_sorted() && codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
    }

    #[test]
    fn what_is_no_code_is_no_path() {
        for text in ["0", "0g", "e0000", "F0", "é", "f00000000000000", "ffffffffffffffff"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
