//! Edits of a definition that change nothing about its play: something more that never happens, or
//! the same in other words. A game that is edited so has the same trees, and costs much the same.

mod never;
mod word;

use senet_core::Definition;
use senet_core::written::{
    BoardTile, Comparison, Effect, Ending, Flag, Kind, Listing, Mark, Movement, Number, Phase,
    Player, Putting, Region, Relation, Rule, Set, Standing, Tile, Truth, Variable, Wanted, Way,
    Who,
};
use serde_json::Value;

/// An edit of a definition; none where the definition has nothing to which it applies.
pub struct Edit {
    /// What it does, in a few words.
    pub name: &'static str,
    /// Does it.
    pub apply: fn(&Definition) -> Option<Definition>,
}

/// A variable that is always 0, because no rule changes it.
const SHUT: &str = "edited-shut";

/// A tile that no way leads to.
const SPARE: &str = "edited-spare";

/// Every edit there is.
pub fn edits() -> impl Iterator<Item = &'static Edit> {
    [EDITS, never::EDITS, word::EDITS].into_iter().flatten()
}

const EDITS: &[Edit] = &[
    Edit { name: "one more tile", apply: one_more_tile },
    Edit { name: "a phase that never opens", apply: shut_phase },
    Edit { name: "an act that is never possible", apply: shut_act },
    Edit { name: "a put that is never possible", apply: shut_put },
    Edit { name: "a copy of a rule that never applies", apply: shut_copy },
    Edit { name: "a copy of a rule for half of the board", apply: copy_for_half },
    Edit { name: "a move from a tile where nobody stands", apply: move_from_spare },
    Edit { name: "an ending about a number of pieces", apply: ending_about_pieces },
    Edit { name: "an ending about a line", apply: ending_about_line },
    Edit { name: "a condition that always holds", apply: |one| with_condition(one, always_some) },
    Edit { name: "a condition on the target", apply: |one| with_condition(one, target_exists) },
    Edit { name: "a condition on the source", apply: |one| with_condition(one, source_is_held) },
    Edit { name: "a condition on what captures", apply: |one| on_captures(one, always_some) },
    Edit { name: "a number asked of what captures", apply: |one| on_captures(one, has_pieces) },
    Edit { name: "a turn that is always somebody's", apply: somebodys_turn },
    Edit { name: "what is ensured, and a number of pieces", apply: ensured_pieces },
    Edit { name: "what is ensured, and always", apply: |one| ensured(one, and_always) },
    Edit { name: "what is ensured, denied twice", apply: |one| ensured(one, not_some) },
    Edit { name: "what is ensured, counted", apply: |one| ensured(one, counted) },
    Edit { name: "no royal kind", apply: no_royal_kind },
    Edit { name: "a rule for moves and one for captures", apply: moves_and_captures },
    Edit { name: "targets that are not one's own", apply: targets_not_own },
    Edit { name: "sources that are not empty", apply: sources_not_empty },
    Edit { name: "a variable that counts captures", apply: counts_captures },
    Edit { name: "a variable that counts events", apply: counts_events },
    Edit { name: "one more flag", apply: one_more_flag },
    Edit { name: "a mark that nobody asks for", apply: one_more_mark },
    Edit { name: "one more kind", apply: one_more_kind },
    Edit { name: "one more region", apply: one_more_region },
    Edit { name: "one more direction", apply: one_more_direction },
    Edit { name: "rules in the opposite order", apply: rules_reversed },
];

fn variable(name: &str, max: i64) -> Variable {
    let standing = Standing::Beside;
    Variable { name: name.into(), max, standing, ..Variable::default() }
}

fn is_open() -> Truth {
    let left = Number::Variable { name: SHUT.into(), of: Default::default() };
    Truth::Compare { left, is: Comparison::Equal, right: Number::Is(1) }
}

/// A definition with a variable that stays 0.
fn with_shut(of: &Definition) -> Definition {
    let mut edited = of.clone();
    edited.variables.push(variable(SHUT, 1));
    edited
}

/// Changes every leaf phase.
fn each_leaf(phases: &mut [Phase], change: &mut dyn FnMut(&mut Phase)) {
    for phase in phases {
        if phase.phases.is_empty() {
            change(phase);
        }
        each_leaf(&mut phase.phases, change);
    }
}

/// Changes every rule of play about moves; none where there is no such rule.
fn each_move(
    of: &Definition,
    mut change: impl FnMut(&mut Rule, &mut Vec<Rule>),
) -> Option<Definition> {
    let (mut edited, mut found) = (of.clone(), false);
    each_leaf(&mut edited.phases, &mut |phase| {
        let mut rules = Vec::new();
        for mut rule in std::mem::take(&mut phase.rules) {
            let mut more = Vec::new();
            if matches!(rule.wants, Wanted::Move(_)) && rule.listing == Listing::Play {
                found = true;
                change(&mut rule, &mut more);
            }
            rules.push(rule);
            rules.extend(more);
        }
        phase.rules = rules;
    });
    found.then_some(edited)
}

/// The first rule of play about moves, as a rule of another name.
fn first_move(of: &Definition, name: &str) -> Option<Rule> {
    let mut first = None;
    each_leaf(&mut of.phases.clone(), &mut |phase| {
        let moves = |rule: &&Rule| matches!(rule.wants, Wanted::Move(_));
        let found = phase.rules.iter().filter(|rule| rule.listing == Listing::Play).find(moves);
        if first.is_none() {
            first = found.cloned();
        }
    });
    first.map(|rule| Rule { name: name.into(), ..rule })
}

fn rule(name: &str, wants: Wanted, when: Truth) -> Rule {
    Rule {
        name: name.into(),
        wants,
        when,
        before: Vec::new(),
        deed: Default::default(),
        after: Vec::new(),
        ensures: Truth::Always,
        listing: Listing::Play,
        rank: 0,
        fails: Vec::new(),
        seen_by: Default::default(),
    }
}

fn one_more_tile(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    edited.tiles.push(BoardTile { name: SPARE.into(), holds: Default::default() });
    // A piece put anywhere would find it.
    first_move(of, "").map(|_| edited)
}

fn shut_phase(of: &Definition) -> Option<Definition> {
    let mut edited = with_shut(of);
    edited.actions.push("edited-act".into());
    let rules = vec![rule("edited", Wanted::Act("edited-act".into()), Truth::Always)];
    let phase = Phase { name: "edited".into(), when: is_open(), rules, ..Phase::default() };
    edited.phases.insert(0, phase);
    Some(edited)
}

/// A definition with one more rule in each leaf phase that has a rule about moves.
fn with_rule(mut edited: Definition, make: impl Fn(&Phase) -> Option<Rule>) -> Option<Definition> {
    let mut found = false;
    each_leaf(&mut edited.phases, &mut |phase| {
        let moves = phase.rules.iter().any(|rule| matches!(rule.wants, Wanted::Move(_)));
        if let Some(rule) = make(phase).filter(|_| moves) {
            found = true;
            phase.rules.insert(0, rule);
        }
    });
    found.then_some(edited)
}

fn shut_act(of: &Definition) -> Option<Definition> {
    let mut edited = with_shut(of);
    edited.actions.push("edited-act".into());
    with_rule(edited, |_| Some(rule("edited", Wanted::Act("edited-act".into()), is_open())))
}

fn shut_put(of: &Definition) -> Option<Definition> {
    let putting = Putting { onto: Set::Empty, ..Putting::default() };
    with_rule(with_shut(of), |_| Some(rule("edited", Wanted::Put(putting.clone()), is_open())))
}

fn shut_copy(of: &Definition) -> Option<Definition> {
    let copy = first_move(of, "edited")?;
    let when = Truth::All(vec![copy.when.clone(), is_open()]);
    with_rule(with_shut(of), |_| Some(Rule { when: when.clone(), ..copy.clone() }))
}

/// Events from the first half of the tiles are accepted by two rules.
fn copy_for_half(of: &Definition) -> Option<Definition> {
    let mut copy = first_move(of, "edited")?;
    let Wanted::Move(movement) = &mut copy.wants else { return None };
    let half = of.tiles.iter().take(of.tiles.len() / 2).map(|tile| tile.name.clone());
    movement.source = Set::All(vec![movement.source.clone(), Set::Tiles(half.collect())]);
    with_rule(of.clone(), |_| Some(copy.clone()))
}

fn move_from_spare(of: &Definition) -> Option<Definition> {
    let mut copy = first_move(of, "edited")?;
    let Wanted::Move(movement) = &mut copy.wants else { return None };
    let spare = Set::Tiles(vec![SPARE.into()]);
    movement.source = Set::All(vec![movement.source.clone(), spare]);
    with_rule(one_more_tile(of)?, |_| Some(copy.clone()))
}

fn with_ending(of: &Definition, when: Truth) -> Option<Definition> {
    let mut edited = of.clone();
    edited.endings.insert(
        0,
        Ending {
            name: "edited".into(),
            of: Default::default(),
            when,
            winner: None,
            score: Number::Is(1),
            most: None,
            pays: None,
            play: Default::default(),
        },
    );
    Some(edited)
}

fn ending_about_pieces(of: &Definition) -> Option<Definition> {
    let left = Number::Pieces { on: Set::Board, owner: Who::Anyone, kind: None };
    let right = Number::Is(of.pieces.len() as i64 + 1);
    let limited = of.kinds.iter().all(|kind| kind.supply == Default::default());
    limited.then(|| with_ending(of, Truth::Compare { left, is: Comparison::Equal, right }))?
}

fn ending_about_line(of: &Definition) -> Option<Definition> {
    let along = of.directions.first()?.clone();
    let held = Set::All(vec![Set::Owned(Who::Mover), Set::Empty]);
    with_ending(of, Truth::Line { length: 3, along: vec![along], of: held })
}

/// The first rule of play about moves asks one thing more.
fn with_condition(of: &Definition, condition: fn() -> Truth) -> Option<Definition> {
    let mut done = false;
    each_move(of, |rule, _| {
        if !std::mem::replace(&mut done, true) {
            rule.when = Truth::All(vec![rule.when.clone(), condition()]);
        }
    })
}

fn always_some() -> Truth {
    Truth::Some(Set::Owned(Who::Mover))
}

fn target_exists() -> Truth {
    Truth::In(Tile::To, Set::Any(vec![Set::Empty, Set::Owned(Who::Anyone)]))
}

fn source_is_held() -> Truth {
    Truth::In(Tile::From, Set::Owned(Who::Mover))
}

/// Every rule that may end on any tile asks one thing more.
fn on_captures(of: &Definition, condition: fn() -> Truth) -> Option<Definition> {
    let mut found = false;
    let edited = each_move(of, |rule, _| {
        let Wanted::Move(movement) = &rule.wants else { return };
        if movement.onto == Set::Board {
            found = true;
            rule.when = Truth::All(vec![rule.when.clone(), condition()]);
        }
    })?;
    found.then_some(edited)
}

fn has_pieces() -> Truth {
    let left = Number::Count(Set::Owned(Who::Mover));
    Truth::Compare { left, is: Comparison::Greater, right: Number::Is(0) }
}

fn somebodys_turn(of: &Definition) -> Option<Definition> {
    let turn = |player: &Player| Truth::Turn(player.name.clone());
    let somebodys = Truth::Any(of.players.iter().map(turn).collect());
    each_move(of, |rule, _| rule.when = Truth::All(vec![rule.when.clone(), somebodys.clone()]))
}

/// What rules must ensure, and that the mover has at most as many royal pieces as there are pieces.
fn ensured_pieces(of: &Definition) -> Option<Definition> {
    let most = Number::Is(of.pieces.len() as i64);
    let royal = Set::All(vec![Set::Owned(Who::Mover), Set::Royal]);
    let few = Truth::Compare { left: Number::Count(royal), is: Comparison::AtMost, right: most };
    let mut found = false;
    let edited = each_move(of, |rule, _| {
        if rule.ensures != Truth::Always {
            found = true;
            rule.ensures = Truth::All(vec![std::mem::take(&mut rule.ensures), few.clone()]);
        }
    })?;
    let limited = of.kinds.iter().all(|kind| kind.supply == Default::default());
    (found && limited).then_some(edited)
}

/// What rules must ensure, in other words.
fn ensured(of: &Definition, change: fn(Truth) -> Truth) -> Option<Definition> {
    let mut found = false;
    let edited = each_move(of, |rule, _| {
        if rule.ensures != Truth::Always {
            found = true;
            rule.ensures = change(std::mem::take(&mut rule.ensures));
        }
    })?;
    found.then_some(edited)
}

fn and_always(truth: Truth) -> Truth {
    Truth::All(vec![truth, Truth::Always])
}

fn not_some(truth: Truth) -> Truth {
    match truth {
        Truth::Called(words, one) => Truth::Called(words, Box::new(not_some(*one))),
        Truth::None(set) => Truth::Not(Box::new(Truth::Some(set))),
        other => other,
    }
}

fn counted(truth: Truth) -> Truth {
    match truth {
        Truth::Called(words, one) => Truth::Called(words, Box::new(counted(*one))),
        Truth::None(set) => {
            let (left, right) = (Number::Count(set), Number::Is(0));
            Truth::Compare { left, is: Comparison::Equal, right }
        }
        other => other,
    }
}

/// The royal kind becomes an ordinary one, and what is asked of it is asked by its name.
fn no_royal_kind(of: &Definition) -> Option<Definition> {
    let royal = of.kinds.iter().filter(|kind| kind.royal).collect::<Vec<_>>();
    let [royal] = royal[..] else { return None };
    let named = serde_json::to_value(Set::Kind(royal.name.clone())).ok()?;
    let mut written = serde_json::to_value(of).ok()?;
    name_royals(&mut written, &named);
    let mut edited: Definition = serde_json::from_value(written).ok()?;
    edited.kinds.iter_mut().for_each(|kind| kind.royal = false);
    Some(edited)
}

/// Puts the set of one kind in the place of the set of royal pieces.
fn name_royals(value: &mut Value, named: &Value) {
    match value {
        Value::String(text) if text == "royal" => *value = named.clone(),
        Value::Array(all) => all.iter_mut().for_each(|one| name_royals(one, named)),
        Value::Object(all) => all.values_mut().for_each(|one| name_royals(one, named)),
        _ => {}
    }
}

/// A rule that may go to any tile becomes two.
fn moves_and_captures(of: &Definition) -> Option<Definition> {
    let mut found = false;
    let edited = each_move(of, |rule, more| {
        let Wanted::Move(movement) = &mut rule.wants else { return };
        let plain = matches!(movement.way, Way::Own | Way::Pattern(_));
        if movement.onto != Set::Board || !plain || of.players.len() != 2 {
            return;
        }
        found = true;
        let capture = Movement { onto: Set::Owned(Who::Foe), ..movement.clone() };
        movement.onto = Set::Empty;
        let name = format!("{} edited", rule.name);
        more.push(Rule { name, wants: Wanted::Move(capture), ..rule.clone() });
    })?;
    (found && holds_one(of)).then_some(edited)
}

/// Whether every tile holds one piece.
fn holds_one(of: &Definition) -> bool {
    of.tiles.iter().all(|tile| tile.holds == Default::default())
}

fn targets_not_own(of: &Definition) -> Option<Definition> {
    let mut found = false;
    let edited = each_move(of, |rule, _| {
        let Wanted::Move(movement) = &mut rule.wants else { return };
        if movement.onto == Set::Board && matches!(movement.way, Way::Own | Way::Pattern(_)) {
            found = true;
            movement.onto = Set::Not(Box::new(Set::Owned(Who::Friend)));
        }
    })?;
    (found && holds_one(of)).then_some(edited)
}

fn sources_not_empty(of: &Definition) -> Option<Definition> {
    each_move(of, |rule, _| {
        let Wanted::Move(movement) = &mut rule.wants else { return };
        let held = Set::Not(Box::new(Set::Empty));
        movement.source = Set::All(vec![movement.source.clone(), held]);
    })
}

fn add_one(name: &str) -> Effect {
    Effect::Add { variable: name.into(), of: Default::default(), by: Number::Is(1) }
}

fn counts_captures(of: &Definition) -> Option<Definition> {
    let mut edited = each_move(of, |rule, _| {
        let effect = Effect::When {
            condition: Truth::In(Tile::To, Set::Owned(Who::Foe)),
            then: vec![add_one("edited-count")],
            otherwise: Vec::new(),
        };
        rule.before.insert(0, effect);
    })?;
    edited.variables.push(variable("edited-count", 1000));
    Some(edited)
}

fn counts_events(of: &Definition) -> Option<Definition> {
    let mut edited = each_move(of, |rule, _| rule.before.insert(0, add_one("edited-count")))?;
    edited.variables.push(variable("edited-count", 1000));
    Some(edited)
}

fn one_more_flag(of: &Definition) -> Option<Definition> {
    let clear = Effect::Flag {
        on: Set::At(Box::new(Tile::To)),
        set: Vec::new(),
        clear: vec!["edited-flag".into()],
    };
    let mut edited = each_move(of, |rule, _| rule.after.insert(0, clear.clone()))?;
    edited.flags.push(Flag { name: "edited-flag".into(), ..Flag::default() });
    Some(edited)
}

fn one_more_mark(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    let tiles = vec![of.tiles.first()?.name.clone()];
    edited.marks.push(Mark { name: "edited-mark".into(), tiles });
    Some(edited)
}

fn one_more_kind(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    edited.kinds.push(Kind { name: "edited-kind".into(), ..Kind::default() });
    Some(edited)
}

fn one_more_region(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    let tiles = vec![of.tiles.first()?.name.clone()];
    edited.regions.push(Region { name: "edited-region".into(), tiles, ..Region::default() });
    Some(edited)
}

fn one_more_direction(of: &Definition) -> Option<Definition> {
    let mut edited = one_more_tile(of)?;
    let (from, to) = (SPARE.into(), of.tiles.first()?.name.clone());
    edited.directions.push("edited-way".into());
    edited.relations.push(Relation { from, to, direction: "edited-way".into(), distance: 1 });
    Some(edited)
}

fn rules_reversed(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    let mut found = false;
    each_leaf(&mut edited.phases, &mut |phase| {
        found |= phase.rules.len() > 1;
        phase.rules.reverse();
    });
    found.then_some(edited)
}
