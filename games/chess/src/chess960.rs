//! Chess960: the pieces of the first rank stand in one of 960 orders.

use senet_core::{Builder, Definition};

use crate::variant;

/// The number of the order of chess itself.
pub const CLASSIC: u16 = 518;

/// Chess960 from the classic start; every other start is a position of it.
pub fn definition() -> Definition {
    numbered(CLASSIC).expect("the classic start is one of them")
}

/// Chess960 from the start of a number, 0 to 959.
pub fn numbered(number: u16) -> Option<Definition> {
    let rank = rank(number)?;
    let place = |definition: &mut Definition| {
        for (player, home) in [("white", 0), ("black", 7)] {
            for (file, kind) in rank.iter().enumerate() {
                let count = rank[..file].iter().filter(|other| *other == kind).count() + 1;
                let name = format!("{player}-{kind}-{count}");
                let placed = definition.setup.iter_mut().find(|placed| placed.piece == name);
                placed.expect("both ranks have the same pieces").tile = tile(file, home);
            }
        }
    };
    Some(Builder::from(variant("chess960")).edit(place).build())
}

/// The name of a tile by file and rank, both from 0.
fn tile(file: usize, rank: usize) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

/// The kinds of the first rank of a start, from the west, by the numbering of Reinhard Scharnagl.
pub fn rank(number: u16) -> Option<[&'static str; 8]> {
    if number >= 960 {
        return None;
    }
    let mut rank = [""; 8];
    let number = usize::from(number);
    let (number, light) = (number / 4, number % 4);
    let (number, dark) = (number / 4, number % 4);
    let (knights, queen) = (number / 6, number % 6);
    rank[light * 2 + 1] = "bishop";
    rank[dark * 2] = "bishop";
    let free = |rank: &[&str; 8], nth: usize| {
        (0..8).filter(|&file| rank[file].is_empty()).nth(nth).expect("as many files as pieces")
    };
    rank[free(&rank, queen)] = "queen";
    let pairs = (0..5).flat_map(|one| (one + 1..5).map(move |two| (one, two)));
    let (first, second) = { pairs }.nth(knights).expect("ten pairs of five files");
    let (first, second) = (free(&rank, first), free(&rank, second));
    rank[first] = "knight";
    rank[second] = "knight";
    for kind in ["rook", "king", "rook"] {
        rank[free(&rank, 0)] = kind;
    }
    Some(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_518_is_the_classic_order() {
        let classic = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"];
        assert_eq!(rank(CLASSIC), Some(classic));
        assert_eq!(rank(960), None);
    }

    #[test]
    fn all_960_orders_differ_and_put_the_king_between_the_rooks() {
        let ranks: std::collections::BTreeSet<_> = (0..960).filter_map(rank).collect();
        assert_eq!(ranks.len(), 960);
        for rank in ranks {
            let royal: Vec<_> =
                rank.iter().filter(|kind| ["rook", "king"].contains(kind)).collect();
            assert_eq!(royal, [&"rook", &"king", &"rook"]);
            let bishops: Vec<_> = (0..8).filter(|&file| rank[file] == "bishop").collect();
            assert_eq!((bishops[0] + bishops[1]) % 2, 1);
        }
    }
}
