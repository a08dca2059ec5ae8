//! Short functions, and the code that is written for them.

use super::*;
use crate::id::ActionId;
use crate::ir::{ConstId, MapId, NO_TILE, RowsId};
use crate::written::Comparison;

const S: [SetReg; 8] =
    [SetReg(0), SetReg(1), SetReg(2), SetReg(3), SetReg(4), SetReg(5), SetReg(6), SetReg(7)];
const N: [NumReg; 3] = [NumReg(5), NumReg(6), NumReg(7)];

/// The flat code of a function over an empty and a full constant, in words.
fn flat(body: Block) -> Vec<String> {
    flat_for(body, Purpose::Tell)
}

fn flat_for(body: Block, purpose: Purpose) -> Vec<String> {
    let code = Code { width: 1, tiles: 64, constants: vec![0, u64::MAX], ..Code::default() };
    let flat = flatten(&code, &Function { sets: 8, numbers: 8, body }, purpose);
    flat.code.iter().map(|inst| format!("{inst:?}").replace("Reg", "")).collect()
}

#[test]
fn sets_that_are_read_once_need_no_instruction_of_their_own() {
    let body = vec![
        Op::Plane(S[1], 0),
        Op::Plane(S[2], 1),
        Op::Constant(S[3], ConstId(0)),
        Op::Row(S[4], RowsId(0), N[0]),
        Op::Or(S[3], S[3], S[4]),
        Op::And(S[5], S[3], S[1]),
        Op::AndNot(S[6], S[1], S[2]),
        Op::Any(N[1], S[6]),
        Op::If(N[1], vec![Op::EmitFrom(N[0], S[5])], Vec::new()),
    ];
    let wanted = [
        "RowAnd(Set(4), RowsId(0), Num(5), Set(1))",
        "AndNot(Set(5), Set(1), Set(2))",
        "UnlessAny(Set(5), 4)",
        "EmitFrom(Num(5), Set(4))",
    ];
    assert_eq!(flat(body), wanted);
}

#[test]
fn a_register_that_keeps_changing_is_written_before_code_parts() {
    let body = vec![
        Op::Constant(S[1], ConstId(0)),
        Op::Number(N[0], 3),
        Op::ForTiles(
            S[2],
            N[1],
            vec![Op::Single(S[3], N[1]), Op::Or(S[1], S[1], S[3]), Op::Number(N[0], NO_TILE)],
        ),
        Op::Store(N[0], S[1]),
    ];
    let wanted = [
        "Copy(Set(3), Set(2))",
        "Move(Num(7), Num(5))",
        "NextOf(Set(4), Set(1), Num(8), 6)",
        "SingleOr(Set(3), Num(8), Set(3))",
        "Move(Num(7), Num(6))",
        "Again(Set(4), Num(8), 3)",
        "Store(Num(7), Set(3))",
    ];
    assert_eq!(flat(body), wanted);
}

#[test]
fn a_set_is_used_up_by_a_loop_only_where_it_was_just_found() {
    let inner = || vec![Op::ForTiles(S[3], N[1], vec![Op::EmitEvent])];
    let found = Op::And(S[3], S[1], S[2]);
    let used_up = |code: &[String]| !code.iter().any(|inst| inst.starts_with("NextOf"));
    let just_found = [vec![found.clone()], inner()].concat();
    assert!(used_up(&flat(just_found.clone())));
    assert!(used_up(&flat(vec![Op::Repeat(N[0], just_found)])));
    assert!(!used_up(&flat(vec![found, Op::Repeat(N[0], inner())])));
}

#[test]
fn what_is_known_beforehand_is_not_asked() {
    let ask = |body| {
        vec![
            Op::Number(N[0], 0),
            Op::Number(N[1], 0),
            Op::Compare(N[2], Comparison::Equal, N[0], N[1]),
            Op::If(N[2], vec![Op::EmitEvent], body),
        ]
    };
    assert_eq!(flat(ask(vec![Op::EmitPick(ActionId(0), S[1])])), ["EmitEvent"]);
    // A number that changes after it was compared is compared as it was.
    let body = vec![
        Op::Count(N[0], S[1]),
        Op::Compare(N[2], Comparison::Equal, N[0], N[1]),
        Op::Number(N[0], 5),
        Op::If(N[2], vec![Op::EmitEvent], Vec::new()),
        Op::Store(N[0], S[1]),
    ];
    let code = flat(body);
    let at = |name: &str| code.iter().position(|inst| inst.starts_with(name));
    assert!(at("Compare") < at("Move"));
}

#[test]
fn loops_that_only_count_are_one_instruction_also_where_a_set_is_seldom_not_empty() {
    let body = vec![
        Op::Plane(S[1], 0),
        Op::Plane(S[2], 1),
        Op::Plane(S[3], 2),
        Op::Seldom(vec![S[3]]),
        Op::And(S[4], S[1], S[2]),
        Op::ForTiles(
            S[4],
            N[0],
            vec![
                Op::Row(S[5], RowsId(0), N[0]),
                Op::And(S[6], S[5], S[2]),
                Op::Has(N[1], S[3], N[0]),
                Op::If(N[1], vec![Op::And(S[6], S[6], S[3])], Vec::new()),
                Op::EmitFrom(N[0], S[6]),
            ],
        ),
    ];
    let code = flat_for(body, Purpose::Count);
    assert!(code[0].starts_with("UnlessAny"), "{code:?}");
    let at = |name: &str| code.iter().position(|inst| inst.starts_with(name));
    assert!(at("UnlessHas") < at("TallyFrom") && at("TallyFrom") < at("TallyRows"), "{code:?}");
    assert_eq!(
        code.last().map(String::as_str),
        Some("TallyRows(Set(1), Set(2), RowsId(0), Set(2), 1)")
    );
}

#[test]
fn what_a_loop_reads_keeps_its_place_until_the_loop_ends() {
    let body = vec![
        Op::Row(S[1], RowsId(0), N[0]),
        Op::ForTiles(
            S[2],
            N[1],
            vec![
                Op::Image(S[3], S[1], MapId(0)),
                Op::Row(S[4], RowsId(0), N[1]),
                Op::Store(N[1], S[4]),
                Op::Store(N[1], S[3]),
            ],
        ),
        Op::Row(S[5], RowsId(0), N[0]),
        Op::Store(N[0], S[5]),
    ];
    let wanted = [
        "Row(Set(2), RowsId(0), Num(5))",
        "NextOf(Set(3), Set(1), Num(6), 7)",
        "Image(Set(4), Set(2), MapId(0))",
        "Row(Set(5), RowsId(0), Num(6))",
        "Store(Num(6), Set(5))",
        "Store(Num(6), Set(4))",
        "Again(Set(3), Num(6), 2)",
        "Row(Set(2), RowsId(0), Num(5))",
        "Store(Num(5), Set(2))",
    ];
    assert_eq!(flat(body), wanted);
}
