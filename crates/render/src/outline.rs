//! Outlines: the path language of SVG as far as we write it, in absolute places.

use tiny_skia::{Path, PathBuilder};

/// An outline as a path of the rasteriser; none where it encloses nothing.
pub(crate) fn path(d: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let mut words = words(d).into_iter().peekable();
    let mut verb = 'M';
    while let Some(word) = words.peek() {
        if let Word::Verb(found) = word {
            verb = *found;
            words.next();
        }
        let mut next = || match words.next() {
            Some(Word::Number(number)) => number,
            _ => panic!("an outline of ours lacks a number: {d}"),
        };
        match verb {
            'M' => builder.move_to(next(), next()),
            'L' => builder.line_to(next(), next()),
            'Q' => builder.quad_to(next(), next(), next(), next()),
            'C' => builder.cubic_to(next(), next(), next(), next(), next(), next()),
            'Z' => builder.close(),
            found => panic!("an outline of ours has the verb {found}: {d}"),
        }
    }
    builder.finish()
}

enum Word {
    Verb(char),
    Number(f32),
}

fn words(d: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut number = String::new();
    for letter in d.chars().chain([' ']) {
        if letter.is_ascii_digit() || matches!(letter, '-' | '.') {
            number.push(letter);
            continue;
        }
        if !number.is_empty() {
            words.push(Word::Number(number.parse().expect("an outline of ours has numbers")));
            number.clear();
        }
        if letter.is_ascii_alphabetic() {
            words.push(Word::Verb(letter));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_has_the_bounds_it_says() {
        let bounds = path("M10 20 L30 20 L30 45.5 Z M0 0 Q5 5 10 0").unwrap().bounds();
        assert_eq!((bounds.left(), bounds.top()), (0.0, 0.0));
        assert_eq!((bounds.right(), bounds.bottom()), (30.0, 45.5));
        assert!(path("").is_none());
    }
}
