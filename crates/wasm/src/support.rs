//! Which words of sets can have tiles at all, on boards of several words.
//!
//! A board with a few tiles more than fit into a word should cost little more than one without them: what
//! rays, rows and constants keep to one word is found there alone.

use senet_core::ir::{Code, Function, Op, SetReg, visit, written_set};

/// For each register for sets its words that may have a tile.
pub(crate) fn live_words(function: &Function, code: &Code) -> Vec<Vec<bool>> {
    let (width, count) = (code.width, usize::from(function.sets.max(1)));
    if width == 1 {
        return vec![vec![true]; count];
    }
    let mut live = vec![vec![false; width]; count];
    let mut changed = true;
    while changed {
        changed = false;
        visit(&function.body, &mut |op| {
            let Some(to) = written_set(op) else { return };
            for word in 0..width {
                if !live[usize::from(to.0)][word] && may_have(op, word, &live, code) {
                    live[usize::from(to.0)][word] = true;
                    changed = true;
                }
            }
        });
    }
    live
}

/// Whether the set that an operation gives may have a tile in a word.
fn may_have(op: &Op, word: usize, live: &[Vec<bool>], code: &Code) -> bool {
    let is_live = |set: SetReg| live[usize::from(set.0)][word];
    let in_word =
        |words: &[u64]| words.iter().skip(word).step_by(code.width).any(|&bits| bits != 0);
    match *op {
        Op::Constant(_, id) => code.constants[id.index() * code.width + word] != 0,
        Op::Copy(_, from) | Op::AndNot(_, from, _) | Op::Lines(_, _, from) => is_live(from),
        Op::And(_, one, other) => is_live(one) && is_live(other),
        Op::Or(_, one, other) => is_live(one) || is_live(other),
        Op::Row(_, rows, _) => in_word(&code.rows[rows.index()]),
        Op::Slide(_, slide, ..) | Op::Between(_, slide, ..) => {
            code.slides[slide.index()].rays.iter().any(|rays| in_word(&rays.masks))
        }
        Op::Image(_, _, map) => {
            let images = code.maps[map.index()].images.iter();
            { images }.any(|&image| image != u16::MAX && usize::from(image) / 64 == word)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::live_words;
    use senet_core::ir::{Code, ConstId, FROM, Function, Op, SetReg};

    #[test]
    fn words_are_live_where_a_set_may_have_a_tile() {
        let [a, b, c] = [SetReg(1), SetReg(2), SetReg(3)];
        let code = Code { width: 2, tiles: 65, constants: vec![1, 0, 0, 1], ..Code::default() };
        let body = vec![
            Op::Plane(a, 0),
            Op::Constant(b, ConstId(0)),
            Op::And(b, a, b),
            Op::ForTiles(b, FROM, vec![Op::Or(c, c, b)]),
        ];
        let function = Function { sets: 4, numbers: 5, body: body.clone() };
        assert_eq!(live_words(&function, &code)[1..], [[true, true], [true, false], [true, false]]);
        // What a loop adds later counts from its beginning.
        let more = Op::ForTiles(a, FROM, vec![Op::Or(c, c, b), Op::Constant(b, ConstId(1))]);
        let body = body.into_iter().chain([more]).collect();
        let function = Function { sets: 4, numbers: 5, body };
        assert_eq!(live_words(&function, &code)[2..], [[true, true], [true, true]]);
    }
}
