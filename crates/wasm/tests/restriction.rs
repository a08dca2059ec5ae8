//! What lets modules leave out tiles of loops that find events: code after a loop reads nothing of it.

use senet_core::ir::{Block, FROM, NumReg, Op, TO, visit};
use senet_core::{Game, Options};
use senet_testkit::{Source, random, sample};

/// The register that an operation writes, as it is printed.
fn written(op: &Op) -> Option<String> {
    let printed = format!("{op:?}");
    let silent = ["Emit", "If", "Rule", "Store", "Break", "Rare", "Edit", "Repeat"];
    if silent.iter().any(|name| printed.starts_with(name)) {
        return None;
    }
    let mut registers = printed.match_indices("Reg(").map(|(at, _)| {
        let end = printed[at..].find(')').map_or(printed.len(), |end| at + end + 1);
        printed[at - 3..end].to_owned()
    });
    match op {
        Op::ForTiles(..) | Op::ForGroups { .. } => registers.nth(1),
        _ => registers.next(),
    }
}

/// Checks the loops of a block over sources and targets, with all code that may run after it. A block that
/// is repeated may run before itself. Gives how many such loops there are.
fn check(game: &Game, (block, repeated): (&Block, bool), after: &str) -> usize {
    let mut found = 0;
    for (at, op) in block.iter().enumerate() {
        let (inside, repeats) = match op {
            Op::If(_, yes, no) => (vec![yes, no], false),
            Op::ForTiles(_, _, body) | Op::Repeat(_, body) | Op::ForGroups { body, .. } => {
                (vec![body], true)
            }
            _ => continue,
        };
        let again = if repeated { &block[..at] } else { &[] };
        let rest = format!("{:?}{again:?}{after}", &block[at + 1..]);
        if let Op::ForTiles(_, tile, body) = op
            && finds(*tile, body)
        {
            found += 1;
            visit(body, &mut |op| {
                let event = ["NumReg(0)", "NumReg(1)", "NumReg(2)"];
                let register = written(op).filter(|name| !event.contains(&name.as_str()));
                let read = register.filter(|register| rest.contains(register));
                assert_eq!(read, None, "{}: {op:?}", game.name());
            });
        }
        found += inside.iter().map(|&block| check(game, (block, repeats), &rest)).sum::<usize>();
    }
    found
}

/// Whether a loop over tiles finds events from them or onto them.
fn finds(tile: NumReg, body: &Block) -> bool {
    let mut emits = false;
    visit(body, &mut |op| emits |= matches!(op, Op::EmitFrom(FROM, _) | Op::EmitEvent));
    emits && (tile == FROM || tile == TO)
}

fn check_all(game: &Game) -> usize {
    let functions = game.program().code().functions.iter();
    functions.map(|function| check(game, (&function.body, false), "")).sum()
}

#[test]
fn loops_that_find_events_leave_nothing_behind() {
    let shipped = senet_registry::GAMES.iter().map(|entry| {
        entry.definition().compile(Options::default()).expect("a shipped game compiles")
    });
    let drawn = (0..300).filter_map(|seed| {
        let mut source = Source::seeded(seed);
        random::definition(&mut |bound| source.below(bound)).compile(Options::default()).ok()
    });
    let games = shipped.chain(sample::all()).chain(drawn);
    let found: usize = games.map(|game| check_all(&game)).sum();
    assert!(found > 1000, "{found} loops");
}
