//! Laws about one state of any game, however strange its definition: what fuzzing checks after
//! every event.

use std::collections::BTreeSet;

use senet_chance::Source;
use senet_core::{Event, EventKind, Game, Leaves, Reason, Setup, State, Verdict, text};

use super::board::{check_pieces, check_planes};
use crate::case::Case;

/// How far a game of a made-up definition is followed, and how much of each state is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many events are played.
    pub plies: usize,
    /// Boards on which more events than this can be written down are asked about a sample of them.
    pub events: usize,
}

impl Effort {
    /// A few thousand questions: what one case of a fuzz run may cost.
    pub const SMALL: Effort = Effort { plies: 10, events: 1_500 };
}

/// Plays a game at random and checks every state on the way.
pub fn every_state_is_sound(game: &Game, seed: u64, effort: Effort) {
    let mut source = Source::seeded(seed);
    let mut state = game.start();
    for _ in 0..effort.plies {
        a_state_is_sound(game, &state);
        doors_agree(game, &state, effort.events, &mut source);
        let mut events = game.legal(&state);
        events.extend(game.asides(&state));
        let Some(event) = source.pick(&events) else { break };
        let step = game.apply(&state, event);
        state = step.unwrap_or_else(|no| panic!("{}: {no}", tell(game, &state, event))).state;
    }
    a_state_is_sound(game, &state);
}

/// The hash is that of the facts, every fact is within its bounds, the pieces are accounted for,
/// and text and setup read back as the state.
pub fn a_state_is_sound(game: &Game, state: &State) {
    let told = || text::format_position(game, state);
    assert_eq!(game.verify(state), Ok(()), "{}", told());
    assert_eq!(state.hash128(), game.full_hash(state), "{}: hash", told());
    check_pieces(game, state);
    check_planes(game, state);
    let again = game.state(&Setup::of(game, state));
    assert_eq!(again.as_ref(), Ok(state), "{}: setup", told());
    assert_eq!(game.restore(state.words()).as_ref(), Some(state), "{}: words", told());
    let read = text::parse_position(game, &told());
    let read = read.unwrap_or_else(|error| panic!("{}: {error}", told()));
    assert!(game.view(&read).same_position(state), "{}: text", told());
    assert_eq!(read.hash128(), state.hash128(), "{}: text", told());
    assert_eq!(game.legal(&read), game.legal(state), "{}: text", told());
    assert_eq!(game.outcome(&read), game.outcome(state), "{}: text", told());
}

/// Listing, counting, judging, explaining, making and walking say the same of every event.
pub fn doors_agree(game: &Game, state: &State, most: usize, source: &mut Source) {
    let position = text::format_position(game, state);
    let legal = game.legal(state);
    assert_eq!(game.legal_count(state), legal.len() as u64, "{position}: count");
    assert_eq!(game.has_legal(state), !legal.is_empty(), "{position}: exists");
    let asides = game.asides(state);
    let mut listed: BTreeSet<Event> = legal.iter().copied().collect();
    assert_eq!(listed.len(), legal.len(), "{position}: an event is listed twice");
    listed.extend(&asides);
    assert_eq!(listed.len(), legal.len() + asides.len(), "{position}: an aside is legal too");
    let mut events = universe(game, most, source);
    events.extend(listed.iter().take(most));
    for event in events {
        let accepts = an_event_is_judged_once(game, state, event);
        let told = || tell(game, state, event);
        assert_eq!(accepts, listed.contains(&event), "{}: listed", told());
    }
    chance_agrees(game, state, &legal, &position);
    trees_agree(game, state, &legal, &position);
}

/// What `apply`, `explain` and a walker say of an event, and whether they accept it.
fn an_event_is_judged_once(game: &Game, state: &State, event: Event) -> bool {
    let told = || tell(game, state, event);
    let explanation = game.explain(state, event);
    let mut walker = game.walker();
    let accepted = walker.accept(state, event);
    judges_agree(game, state, event);
    match game.apply(state, event) {
        Ok(step) => {
            assert_eq!(explanation.accepted_by, Some(step.rule), "{}: explain", told());
            assert_eq!(explanation.reasons, [], "{}: explain", told());
            let accepted = accepted.unwrap_or_else(|| panic!("{}: walker", told()));
            assert_eq!(accepted.rule(), step.rule, "{}: walker", told());
            assert_eq!(walker.play(state, accepted), step.state, "{}: walker", told());
            a_state_is_sound(game, &step.state);
            true
        }
        Err(rejection) => {
            assert_eq!(explanation.accepted_by, None, "{}: explain", told());
            assert_eq!(explanation.reasons, rejection.reasons, "{}: explain", told());
            assert!(!rejection.reasons.is_empty(), "{}: no reason", told());
            let broken = rejection.reasons.iter().any(|one| matches!(one, Reason::Broken(_)));
            assert!(!broken, "{}: {:?}", told(), rejection.reasons);
            assert_eq!(accepted, None, "{}: walker", told());
            false
        }
    }
}

/// A rule whose every condition holds accepts, one that does not hold refuses, and the event is
/// accepted exactly if a rule accepts it.
fn judges_agree(game: &Game, state: &State, event: Event) {
    let explanation = game.explain(state, event);
    let told = || tell(game, state, event);
    for report in &explanation.rules {
        let all = report.checks.iter().all(|check| check.holds);
        match report.verdict {
            Verdict::Valid => assert!(all, "{}: {:?}", told(), report.checks),
            Verdict::Invalid(Reason::Condition(..)) => {
                assert!(!all, "{}: {:?}", told(), report.checks);
            }
            Verdict::Invalid(_) | Verdict::Ignore => {}
        }
    }
    let mut valid = explanation.rules.iter().filter(|report| report.verdict == Verdict::Valid);
    if explanation.derived.is_empty() {
        let first = valid.next().map(|report| report.rule);
        assert_eq!(explanation.accepted_by, first, "{}", told());
    }
    assert_eq!(explanation.accepted_by.is_some(), explanation.reasons.is_empty(), "{}", told());
}

/// The outcomes that chance may give are those that are legal, and their weights add up.
fn chance_agrees(game: &Game, state: &State, legal: &[Event], position: &str) {
    let chances = game.chances(state);
    assert_eq!(game.awaits_chance(state), !chances.is_empty(), "{position}: chance");
    for chance in &chances {
        assert!(legal.contains(&chance.event), "{}: chance", tell(game, state, chance.event));
        assert!(chance.probability.weight > 0);
        let written = text::format_event(game, chance.event);
        let read = text::parse_event(game, state, &written);
        assert_eq!(read, Ok(chance.event), "{position}: `{written}`");
    }
    if let Some(total) = chances.first().map(|chance| chance.probability.total) {
        let weights: u64 = chances.iter().map(|chance| chance.probability.weight).sum();
        assert_eq!(weights, total, "{position}: chance");
    }
}

/// Trees have the leaves that are made one by one.
fn trees_agree(game: &Game, state: &State, legal: &[Event], position: &str) {
    if legal.len() > 400 {
        return;
    }
    let mut leaves = Leaves::default();
    let mut second = 0;
    for &event in legal {
        let after = game.apply(state, event).expect("a legal event").state;
        leaves += Leaves { nodes: 1, sum: after.hash() };
        // A tree knows the positions on the way to a leaf.
        second += game.after(&[state.hash()]).legal(&after).len() as u64;
    }
    assert_eq!(game.perft_made(state, 1), leaves, "{position}: perft");
    assert_eq!(game.perft(state, 2), second, "{position}: perft");
}

/// Every event that can be written down, or a sample of them.
fn universe(game: &Game, most: usize, source: &mut Source) -> Vec<Event> {
    let mut count = 0u64;
    for kind in EventKind::ALL {
        game.each_possible(kind, &mut |_| count += 1);
    }
    let rarity = count / most.max(1) as u64 + 1;
    let offset = source.below(rarity);
    let (mut at, mut events) = (0u64, Vec::new());
    for kind in EventKind::ALL {
        game.each_possible(kind, &mut |event| {
            if at % rarity == offset {
                events.push(event);
            }
            at += 1;
        });
    }
    events
}

fn tell(game: &Game, state: &State, event: Event) -> String {
    let position = text::format_position(game, state);
    format!("`{position}`: {}", text::format_event(game, event))
}

/// Every state of random games keeps the laws of states.
pub fn states_are_sound(case: &Case) {
    for state in case.states(1_000) {
        a_state_is_sound(&case.game, &state);
    }
}

/// In every state of random games, whatever rules say of an event as a whole is what they say of
/// it condition by condition.
pub fn all_judges_true_means_accepted(case: &Case) {
    let (game, universe) = (&case.game, case.universe());
    let stride = 1 + universe.len() / 509;
    for (offset, state) in case.states(4_000).into_iter().enumerate() {
        let legal = game.legal(&state).into_iter().take(100);
        let others = universe.iter().skip(offset % stride).step_by(stride).copied();
        legal.chain(others).for_each(|event| judges_agree(game, &state, event));
    }
}
