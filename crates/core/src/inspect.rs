//! How a rule is carried out, for people: what its lowered code does, and the code itself.

use std::fmt::{self, Write};

use crate::game::Game;
use crate::id::{PlayerId, RuleId};
use crate::ir::{Block, Op};
use crate::lower::{Finding, each_condition, findings};
use crate::typed::Condition;

/// How the events of a rule are found for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The rule.
    pub rule: RuleId,
    /// The player to move.
    pub player: PlayerId,
    /// What the code does, in the order in which it does it.
    pub methods: Vec<Method>,
    /// Each condition of the rule in words, with how often it is asked.
    pub conditions: Vec<(String, Frequency)>,
    /// What must hold after an event of the rule, in words.
    pub ensures: Option<String>,
    /// How many operations the code has.
    pub operations: usize,
    /// The code, an operation a line.
    pub code: String,
}

/// A way of finding events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// All pieces take a step at once.
    WholeSet,
    /// Targets are found for each piece.
    PieceByPiece,
    /// Targets are found for each piece and number of a die.
    ByDice,
    /// Pieces enter on a whole set of tiles.
    PutOnSet,
    /// Royal safety by check masks and pins.
    Masks,
    /// Candidates are found one by one.
    OneByOne,
    /// Some candidates are accepted as sets, the others are tried on a copy of the state.
    TrialInDoubt,
    /// Every candidate is tried on a copy of the state.
    Trial,
    /// The rule is asked once; it has no tiles to look for.
    AskedOnce,
}

/// How often a condition is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frequency {
    /// Once, for all candidates.
    Once,
    /// Once for each piece that could move.
    PerSource,
    /// Once: it was lifted to the set of targets for which it holds.
    Lifted,
    /// Of every candidate.
    PerCandidate,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::WholeSet => "all pieces step at once, as sets",
            Method::PieceByPiece => "targets are a set for each piece",
            Method::ByDice => "a target for each piece and number of a die",
            Method::PutOnSet => "pieces enter on a set of tiles",
            Method::Masks => "royal safety by check masks and pins",
            Method::OneByOne => "candidates are found one by one",
            Method::TrialInDoubt => {
                "candidates whose safety is in doubt are tried on a copy of the state"
            }
            Method::Trial => "each candidate is tried on a copy of the state",
            Method::AskedOnce => "asked once",
        })
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Frequency::Once => "once",
            Frequency::PerSource => "once for each piece",
            Frequency::Lifted => "once, lifted to a set of targets",
            Frequency::PerCandidate => "for each candidate, for no set of targets says it",
        })
    }
}

impl Game {
    /// How the events of the rules of a name, or of all rules, are found for each player, as if each
    /// rule were alone.
    pub fn inspect(&self, name: Option<&str>) -> Vec<Inspection> {
        let rules = (0..self.rules.len()).map(RuleId::at);
        let named = |&rule: &RuleId| name.is_none_or(|name| self.rule_name(rule) == name);
        let rules: Vec<RuleId> = rules.filter(named).collect();
        findings(self, &rules).into_iter().map(|one| self.inspection(one)).collect()
    }

    fn inspection(&self, Finding { rule, player, function, asked }: Finding) -> Inspection {
        let mut methods = Vec::new();
        find_methods(&function.body, &mut methods);
        if methods.is_empty() {
            methods.push(Method::AskedOnce);
        }
        settle(&mut methods);
        let mut conditions = Vec::new();
        each_condition(&self.rules[rule.index()].when, &mut |condition: &Condition| {
            let asked = asked.iter().find(|(number, _)| *number == condition.number);
            let words = self.written_condition(rule, condition.number);
            if let (Some((_, asked)), Some(words)) = (asked, words) {
                conditions.push((words.to_string(), *asked));
            }
        });
        let mut code = String::new();
        let operations = write_block(&function.body, 0, &mut code);
        let closing = self.rules[rule.index()].ensures.is_some();
        let ensures = closing.then(|| self.rules[rule.index()].written.ensures.to_string());
        Inspection { rule, player, methods, conditions, ensures, operations, code }
    }
}

/// Finds what code does, leaving out what is for states that play does not lead to.
fn find_methods(block: &Block, into: &mut Vec<Method>) {
    for op in block.iter().take_while(|op| !matches!(op, Op::Rare)) {
        match op {
            Op::EmitImages(..) => into.push(Method::WholeSet),
            Op::EmitFrom(..) => into.push(Method::PieceByPiece),
            Op::EmitEvent => into.push(Method::OneByOne),
            Op::EmitDie { .. } | Op::EmitDice { .. } => into.push(Method::ByDice),
            Op::EmitPut(..) | Op::EmitPick(..) => into.push(Method::PutOnSet),
            Op::Load(..) => into.push(Method::Masks),
            Op::Trial { .. } => into.push(Method::Trial),
            Op::If(_, yes, no) => [yes, no].into_iter().for_each(|one| find_methods(one, into)),
            Op::ForTiles(_, _, body) | Op::ForGroups { body, .. } | Op::Repeat(_, body) => {
                find_methods(body, into);
            }
            _ => {}
        }
    }
}

/// Puts methods into order. Candidates that are found one by one only to be tried are no method of
/// their own.
fn settle(methods: &mut Vec<Method>) {
    use Method::{OneByOne, PieceByPiece, PutOnSet, Trial, TrialInDoubt, WholeSet};
    methods.sort();
    methods.dedup();
    let sets = methods.iter().any(|one| [WholeSet, PieceByPiece, PutOnSet].contains(one));
    if sets && methods.contains(&Trial) {
        methods.retain(|one| *one != OneByOne);
        methods.iter_mut().filter(|one| **one == Trial).for_each(|one| *one = TrialInDoubt);
    }
}

/// Writes a block, nested ones further in; says how many operations it has.
fn write_block(block: &Block, depth: usize, into: &mut String) -> usize {
    let indent = "  ".repeat(depth);
    let mut count = block.len();
    let line = |into: &mut String, text: &str| {
        let _ = writeln!(into, "{indent}{text}");
    };
    for op in block {
        match op {
            Op::If(truth, then, otherwise) => {
                line(into, &format!("if n{}", truth.0));
                count += write_block(then, depth + 1, into);
                if !otherwise.is_empty() {
                    line(into, "else");
                    count += write_block(otherwise, depth + 1, into);
                }
            }
            Op::ForTiles(set, tile, body) => {
                line(into, &format!("for n{} in tiles of s{}", tile.0, set.0));
                count += write_block(body, depth + 1, into);
            }
            Op::ForGroups { of, group, body, .. } => {
                line(into, &format!("for s{} in groups of s{}", group.0, of.0));
                count += write_block(body, depth + 1, into);
            }
            Op::Repeat(times, body) => {
                line(into, &format!("repeat n{}", times.0));
                count += write_block(body, depth + 1, into);
            }
            op => line(into, &plain(op)),
        }
    }
    count
}

/// An operation in one line, its registers as `s1` and `n1`.
fn plain(op: &Op) -> String {
    let text = format!("{op:?}");
    let text = text.replace("SetReg(", "s(").replace("NumReg(", "n(");
    let mut short = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let register = matches!(letter, 's' | 'n') && letters.peek() == Some(&'(');
        short.push(letter);
        if register {
            letters.next();
            short.extend(letters.by_ref().take_while(|&one| one != ')'));
        }
    }
    short
}
