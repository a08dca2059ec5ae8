//! Edits that add words of the language whose events and effects never happen.

use senet_core::Definition;
use senet_core::written::{
    Binding, Capacity, Comparison, Derived, Die, Domain, Effect, Ending, EventKind, Fate, Flag,
    Hop, Kind, Listing, Movement, Number, Phase, Picking, Pips, Player, Preprocessor, Reach,
    Rolling, Rule, Seat, Set, Steps, Supply, Tile, Truth, Variable, Wanted, Way, Who,
};

use super::{
    Edit, each_leaf, each_move, first_move, is_open, rule, variable, with_ending, with_rule,
    with_shut,
};

/// The act of rules that are never possible.
const ACT: &str = "edited-act";

/// A die that is never rolled.
const DIE: &str = "edited-die";

/// Edits that add one word each.
pub(super) const EDITS: &[Edit] = &[
    Edit { name: "a neutral player without pieces", apply: neutral_player },
    Edit { name: "an ending that pays", apply: ending_that_pays },
    Edit { name: "an ending for who has the most", apply: ending_for_the_most },
    Edit { name: "an ending about every player", apply: ending_about_each },
    Edit { name: "a turn that is given under a condition", apply: |of| after(of, turn()) },
    Edit { name: "a turn that stays under a condition", apply: turn_that_stays },
    Edit { name: "seats that are never swapped", apply: unswapped_seats },
    Edit { name: "a capture under a condition", apply: |of| after(of, capture(Fate::Out)) },
    Edit {
        name: "a capture into the hand",
        apply: |of| after(of, capture(Fate::Hand(Seat::Mover))),
    },
    Edit { name: "tiles cleared under a condition", apply: |of| after(of, clear()) },
    Edit { name: "pieces shifted under a condition", apply: pieces_shifted },
    Edit { name: "a piece carried under a condition", apply: |of| after(of, carry()) },
    Edit { name: "pieces given under a condition", apply: |of| after(of, give()) },
    Edit { name: "a piece that becomes another", apply: piece_becomes },
    Edit { name: "a piece placed under a condition", apply: piece_placed },
    Edit { name: "a reset under a condition", apply: |of| after(of, Effect::Reset) },
    Edit { name: "an effect for each of some tiles", apply: effect_for_each },
    Edit { name: "an effect that is repeated", apply: effect_repeated },
    Edit { name: "a hop that is never possible", apply: shut_hop },
    Edit { name: "steps that are never possible", apply: shut_steps },
    Edit { name: "a move to the first piece that is never possible", apply: shut_first },
    Edit { name: "a move anywhere that is never possible", apply: shut_anywhere },
    Edit { name: "a move by dice that is never possible", apply: shut_dice },
    Edit { name: "a pick that is never possible", apply: shut_pick },
    Edit { name: "a roll that is never awaited", apply: shut_roll },
    Edit { name: "a rule of a higher rank", apply: higher_rank },
    Edit { name: "a rule for where nothing else can be played", apply: shut_otherwise },
    Edit { name: "a jump that goes on and is never possible", apply: shut_again },
    Edit { name: "a preprocessor that takes nothing", apply: shut_preprocessor },
    Edit { name: "a phase that brings a number high and never opens", apply: shut_most },
    Edit { name: "a variable that must stay as it is", apply: ensured_variable },
    Edit { name: "no piece of one more kind, ensured", apply: ensured_kind },
    Edit { name: "a flag that serves a rule", apply: serving_flag },
    Edit { name: "a royal kind without pieces", apply: royal_kind },
    Edit { name: "one more stack", apply: one_more_stack },
];

fn when(then: Vec<Effect>) -> Effect {
    Effect::When { condition: is_open(), then, otherwise: Vec::new() }
}

/// Changes every rule of play; none where there is no such rule.
fn each_play(of: &Definition, mut change: impl FnMut(&mut Rule)) -> Option<Definition> {
    let (mut edited, mut found) = (of.clone(), false);
    each_leaf(&mut edited.phases, &mut |phase| {
        for rule in phase.rules.iter_mut().filter(|rule| rule.listing == Listing::Play) {
            found |= !matches!(rule.wants, Wanted::Roll(_));
            change(rule);
        }
    });
    found.then_some(edited)
}

/// An effect after every event of play, behind a condition that never holds.
fn after(of: &Definition, effect: Effect) -> Option<Definition> {
    each_play(&with_shut(of), |rule| rule.after.insert(0, when(vec![effect.clone()])))
}

fn neutral_player(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    edited.players.push(Player {
        name: "edited-nobody".into(),
        neutral: true,
        ..Player::default()
    });
    Some(edited)
}

/// A definition with an ending that never holds.
fn shut_ending(of: &Definition, change: impl Fn(&mut Ending)) -> Option<Definition> {
    let mut edited = with_ending(&with_shut(of), is_open())?;
    edited.endings.first_mut().into_iter().for_each(change);
    Some(edited)
}

fn ending_that_pays(of: &Definition) -> Option<Definition> {
    let own = Number::Count(Set::Owned(Who::Mover));
    shut_ending(of, |ending| ending.pays = Some(own.clone()))
}

fn ending_for_the_most(of: &Definition) -> Option<Definition> {
    let own = Number::Count(Set::Owned(Who::Mover));
    shut_ending(of, |ending| ending.most = Some(own.clone()))
}

fn ending_about_each(of: &Definition) -> Option<Definition> {
    shut_ending(of, |ending| ending.of = senet_core::written::Subject::Each)
}

fn turn() -> Effect {
    Effect::Turn(Seat::Next)
}

/// Every effect that gives the turn to the next player asks first.
fn turn_that_stays(of: &Definition) -> Option<Definition> {
    let mut found = false;
    let edited = each_play(&with_shut(of), |rule| {
        for effect in &mut rule.after {
            if *effect == turn() {
                found = true;
                let (then, otherwise) = (Vec::new(), vec![turn()]);
                *effect = Effect::When { condition: is_open(), then, otherwise };
            }
        }
    })?;
    found.then_some(edited)
}

fn unswapped_seats(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    let swaps =
        Variable { swaps_seats: true, standing: Default::default(), ..variable("edited-seats", 1) };
    edited.variables.push(swaps);
    let swaps = of.variables.iter().any(|variable| variable.swaps_seats);
    (of.players.len() == 2 && !swaps).then_some(edited)
}

fn foes() -> Set {
    Set::Owned(Who::Foe)
}

fn capture(to: Fate) -> Effect {
    Effect::Capture { on: foes(), to }
}

fn clear() -> Effect {
    Effect::Clear(Set::Around(Box::new(Set::At(Box::new(Tile::To))), Vec::new()))
}

fn carry() -> Effect {
    Effect::Carry { from: Tile::To, to: Tile::From }
}

fn give() -> Effect {
    Effect::Give { on: foes(), to: Seat::Mover }
}

fn pieces_shifted(of: &Definition) -> Option<Definition> {
    let along = vec![of.directions.first()?.clone()];
    after(of, Effect::Shift { on: foes(), along })
}

fn piece_becomes(of: &Definition) -> Option<Definition> {
    let kind = of.kinds.first()?.name.clone();
    after(of, Effect::Become { on: Set::At(Box::new(Tile::To)), kind })
}

fn piece_placed(of: &Definition) -> Option<Definition> {
    let kind = of.kinds.first()?.name.clone();
    after(of, Effect::Place { kind, owner: Seat::Mover, on: Set::Empty })
}

fn effect_for_each(of: &Definition) -> Option<Definition> {
    let binding = Binding { name: "edited-tile".into(), over: Domain::Tiles(Box::new(foes())) };
    let taken = Effect::Clear(Set::At(Box::new(Tile::Name("edited-tile".into()))));
    after(of, Effect::Each(binding, vec![taken]))
}

fn effect_repeated(of: &Definition) -> Option<Definition> {
    after(of, Effect::Repeat(Number::Is(3), vec![clear()]))
}

/// A definition with a rule about moves that is never possible.
fn shut_way(of: Definition, way: Way) -> Option<Definition> {
    let movement = Movement { way, ..Movement::default() };
    with_rule(of, |_| Some(rule("edited", Wanted::Move(movement.clone()), is_open())))
}

fn shut_hop(of: &Definition) -> Option<Definition> {
    let along = of.directions.clone();
    let (approach, landing) = (Reach::Repeat, Reach::Repeat);
    let over = Set::Owned(Who::Anyone);
    shut_way(with_shut(of), Way::Hop(Hop { along, over, approach, landing }))
}

fn shut_steps(of: &Definition) -> Option<Definition> {
    let along = of.directions.clone();
    shut_way(with_shut(of), Way::Steps(Steps { along, name: None, count: Number::Is(2) }))
}

fn shut_first(of: &Definition) -> Option<Definition> {
    shut_way(with_shut(of), Way::First(vec![of.directions.first()?.clone()]))
}

fn shut_anywhere(of: &Definition) -> Option<Definition> {
    shut_way(with_shut(of), Way::Anywhere)
}

fn with_die(of: &Definition) -> Definition {
    let mut edited = with_shut(of);
    edited.dice.push(Die { name: DIE.into(), sides: 6, seen_by: Default::default() });
    edited
}

fn shut_dice(of: &Definition) -> Option<Definition> {
    let along = of.directions.first()?.clone();
    let dice = vec![DIE.into()];
    shut_way(with_die(of), Way::Dice(Pips { dice, along, landing: Default::default() }))
}

fn shut_roll(of: &Definition) -> Option<Definition> {
    let rolling = Rolling { dice: vec![DIE.into()], order: Default::default() };
    with_rule(with_die(of), |_| Some(rule("edited", Wanted::Roll(rolling.clone()), is_open())))
}

fn shut_pick(of: &Definition) -> Option<Definition> {
    let mut edited = with_shut(of);
    edited.actions.push(ACT.into());
    let picking = Picking { act: ACT.into(), onto: Set::Board };
    with_rule(edited, |_| Some(rule("edited", Wanted::Pick(picking.clone()), is_open())))
}

fn with_act(of: &Definition, change: impl Fn(&mut Rule)) -> Option<Definition> {
    let mut edited = with_shut(of);
    edited.actions.push(ACT.into());
    with_rule(edited, |_| {
        let mut act = rule("edited", Wanted::Act(ACT.into()), is_open());
        change(&mut act);
        Some(act)
    })
}

fn higher_rank(of: &Definition) -> Option<Definition> {
    with_act(of, |act| act.rank = 1)
}

fn shut_otherwise(of: &Definition) -> Option<Definition> {
    with_act(of, |act| act.listing = Listing::Otherwise)
}

/// A copy of a rule that never applies, whose piece would go on.
fn shut_again(of: &Definition) -> Option<Definition> {
    let mut copy = first_move(of, "edited")?;
    copy.when = Truth::All(vec![copy.when, is_open()]);
    copy.after.retain(|effect| *effect != turn());
    let again = Effect::Again { by: vec!["edited".into()], stop: None, otherwise: vec![turn()] };
    copy.after.push(again);
    with_rule(with_shut(of), |_| Some(copy.clone()))
}

fn shut_preprocessor(of: &Definition) -> Option<Definition> {
    let mut edited = with_shut(of);
    let mut found = false;
    each_leaf(&mut edited.phases, &mut |phase| {
        let plain = phase.usage == Default::default()
            && phase.most.is_none()
            && phase.rules.iter().all(|rule| rule.listing != Listing::Otherwise);
        let moves = phase.rules.iter().any(|rule| matches!(rule.wants, Wanted::Move(_)));
        if plain && moves {
            found = true;
            let (name, on) = ("edited".into(), EventKind::Move);
            phase.pre.push(Preprocessor {
                name,
                on,
                when: is_open(),
                derive: vec![Derived::Itself],
            });
        }
    });
    found.then_some(edited)
}

fn shut_most(of: &Definition) -> Option<Definition> {
    let mut edited = with_shut(of);
    edited.actions.push(ACT.into());
    let rules = vec![rule("edited", Wanted::Act(ACT.into()), Truth::Always)];
    let most = Some(Number::Count(Set::Owned(Who::Mover)));
    let phase = Phase { name: "edited".into(), when: is_open(), rules, most, ..Phase::default() };
    edited.phases.insert(0, phase);
    Some(edited)
}

/// What every rule about moves must ensure, and one thing more.
fn and_ensured(of: &Definition, more: &Truth) -> Option<Definition> {
    each_move(of, |rule, _| {
        rule.ensures = Truth::All(vec![std::mem::take(&mut rule.ensures), more.clone()]);
    })
}

fn ensured_variable(of: &Definition) -> Option<Definition> {
    and_ensured(&with_shut(of), &Truth::Not(Box::new(is_open())))
}

fn ensured_kind(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    edited.kinds.push(Kind { name: "edited-kind".into(), ..Kind::default() });
    let left =
        Number::Pieces { on: Set::Board, owner: Who::Anyone, kind: Some("edited-kind".into()) };
    and_ensured(&edited, &Truth::Compare { left, is: Comparison::Equal, right: Number::Is(0) })
}

fn serving_flag(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    let serves = Some(first_name(of)?);
    let flag = Flag { name: "edited-flag".into(), serves, ..Flag::default() };
    edited.flags.push(flag);
    Some(edited)
}

/// The name of the first rule of play about moves.
fn first_name(of: &Definition) -> Option<String> {
    let mut first = None;
    each_leaf(&mut of.phases.clone(), &mut |phase| {
        let moves =
            |rule: &&Rule| matches!(rule.wants, Wanted::Move(_)) && rule.listing == Listing::Play;
        first = first.take().or(phase.rules.iter().find(moves).map(|rule| rule.name.clone()));
    });
    first
}

fn royal_kind(of: &Definition) -> Option<Definition> {
    let mut edited = of.clone();
    edited.kinds.push(Kind { name: "edited-kind".into(), royal: true, ..Kind::default() });
    of.kinds.iter().any(|kind| kind.royal).then_some(edited)
}

fn one_more_stack(of: &Definition) -> Option<Definition> {
    let mut edited = super::one_more_tile(of)?;
    edited.tiles.last_mut()?.holds = Capacity::Many;
    let unlimited = of.kinds.iter().any(|kind| kind.supply == Supply::Unlimited);
    (!unlimited).then_some(edited)
}
