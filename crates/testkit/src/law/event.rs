//! Laws about events: which are accepted, what refusals say, what chance gives.

use std::collections::BTreeSet;

use senet_core::{Event, Game, Leaves, Match, State, text};

use crate::case::Case;

/// Of all events that can be written down, `apply` accepts exactly those that `legal` and `asides`
/// list, and they list each once.
pub fn legal_is_exactly_what_apply_accepts(case: &Case) {
    let (game, universe) = (&case.game, case.universe());
    let mut walker = game.walker();
    for state in case.states(universe.len()) {
        let mut legal = game.legal(&state);
        assert_eq!(game.has_legal(&state), !legal.is_empty());
        assert_eq!(game.legal_count(&state), legal.len() as u64);
        legal.extend(game.asides(&state));
        let listed: BTreeSet<Event> = legal.iter().copied().collect();
        assert_eq!(listed.len(), legal.len(), "{}: some event is listed twice", game.name());
        let mut accepted = 0;
        for &event in &universe {
            let accepts = game.apply(&state, event).is_ok();
            assert_eq!(accepts, listed.contains(&event), "{}", case.tell(&state, event));
            let known = walker.accept(&state, event).is_some();
            assert_eq!(known, accepts, "{}", case.tell(&state, event));
            accepted += usize::from(accepts);
        }
        assert_eq!(accepted, legal.len(), "{}: a legal event cannot be written", game.name());
    }
}

/// A refused event leaves state and match as they were, says why in words, and is explained by
/// the same reasons.
pub fn a_refused_event_changes_nothing(case: &Case) {
    let (game, universe) = (&case.game, case.universe());
    // A prime stride visits events of every kind, tile and choice over the states.
    let stride = 1 + universe.len() / 1_009;
    for (offset, state) in case.states(universe.len() / stride * 4).into_iter().enumerate() {
        let mut played = Match::from_state(game.clone(), state.clone());
        for &event in universe.iter().skip(offset % stride).step_by(stride) {
            let told = || case.tell(&state, event);
            let before = state.words().to_vec();
            let explanation = game.explain(&state, event);
            match game.apply(&state, event) {
                Ok(step) => {
                    assert_eq!(explanation.accepted_by, Some(step.rule), "{}", told());
                    assert_eq!(step.event, event, "{}", told());
                    assert_eq!(explanation.reasons, [], "{}", told());
                }
                Err(rejection) => {
                    assert_eq!(explanation.accepted_by, None, "{}", told());
                    assert_eq!(explanation.reasons, rejection.reasons, "{}", told());
                    assert!(!rejection.reasons.is_empty(), "{}: no reason", told());
                    for &reason in &rejection.reasons {
                        assert!(!game.reason_text(reason).trim().is_empty(), "{}", told());
                    }
                    assert_eq!(played.apply(event).err(), Some(rejection), "{}", told());
                    assert_eq!((played.ply(), played.len()), (0, 0), "{}", told());
                    assert_eq!(played.state(), &state, "{}", told());
                }
            }
            assert!(!game.explanation_text(&explanation, "it").is_empty(), "{}", told());
            assert_eq!(state.words(), before, "{}", told());
        }
    }
}

/// Where chance is awaited, the weights of its outcomes add up to the whole, and every outcome is
/// accepted.
pub fn chance_sums_to_one(case: &Case) {
    let game = &case.game;
    for state in case.states(50) {
        let chances = game.chances(&state);
        assert_eq!(game.awaits_chance(&state), !chances.is_empty());
        let legal = game.legal(&state);
        if legal.iter().any(|event| matches!(event, Event::Roll(_))) {
            assert!(!chances.is_empty(), "{}: a roll is legal and not awaited", game.name());
        }
        let Some(total) = chances.first().map(|chance| chance.probability.total) else { continue };
        assert_eq!(chances.iter().map(|chance| chance.probability.weight).sum::<u64>(), total);
        let events: BTreeSet<Event> = chances.iter().map(|chance| chance.event).collect();
        assert_eq!(events.len(), chances.len(), "{}: an outcome is listed twice", game.name());
        for chance in &chances {
            assert_eq!(chance.probability.total, total);
            assert!(chance.probability.weight > 0, "{}", case.tell(&state, chance.event));
            assert!(legal.contains(&chance.event), "{}", case.tell(&state, chance.event));
        }
    }
}

/// A walker lists, counts and picks what `legal` lists, playing it does what `apply` does to every
/// word of the state, and where there is an event no ending that stops play holds.
pub fn picking_finds_what_legal_lists(case: &Case) {
    let game = &case.game;
    let (mut walker, mut list) = (game.walker(), Vec::new());
    for state in case.states(10_000) {
        let legal = game.legal(&state);
        assert_eq!(game.legal_count(&state), legal.len() as u64);
        assert_eq!(walker.count(&state), legal.len() as u64);
        walker.legal(&state, &mut list);
        assert_eq!(list.iter().map(|one| one.event()).collect::<Vec<_>>(), legal);
        for (at, &event) in legal.iter().enumerate() {
            let picked = walker.pick(&state, |count| {
                assert_eq!(count, legal.len() as u64);
                at as u64
            });
            assert_eq!(picked, Some(list[at]), "{}", case.tell(&state, event));
            let accepted = walker.accept(&state, event);
            assert_eq!(picked, accepted, "{}", case.tell(&state, event));
            let step = game.apply(&state, event).expect("a legal event");
            assert_eq!(list[at].rule(), step.rule, "{}", case.tell(&state, event));
            let played = walker.play(&state, list[at]);
            assert_eq!(played, step.state, "{}", case.tell(&state, event));
        }
        for beyond in [legal.len() as u64, u64::MAX] {
            assert_eq!(walker.pick(&state, |_| beyond), None);
        }
        if legal.is_empty() {
            assert_eq!(walker.pick(&state, |_| panic!("there is none")), None);
        } else {
            assert_eq!(game.outcome_with_events(&state), game.outcome(&state));
        }
    }
}

/// `perft`, `perft_made` and `divide` count the sequences that `apply` walks one by one.
pub fn perft_counts_what_apply_reaches(case: &Case) {
    fn count(game: &Game, state: &State, depth: u32) -> Leaves {
        if depth == 0 {
            return Leaves { nodes: 1, sum: game.full_hash(state) as u64 };
        }
        let steps = game.legal(state).into_iter().map(|event| game.apply(state, event));
        let below = steps.map(|step| count(game, &step.expect("legal").state, depth - 1));
        below.fold(Leaves::default(), |all, one| Leaves {
            nodes: all.nodes + one.nodes,
            sum: all.sum.wrapping_add(one.sum),
        })
    }
    let game = &case.game;
    for state in case.states(30_000) {
        assert_eq!(game.perft(&state, 0), 1);
        let first = game.perft(&state, 1);
        for depth in 1..=if first < 100 { 2 } else { 1 } {
            let leaves = count(game, &state, depth);
            let nodes = leaves.nodes;
            assert_eq!(game.perft_made(&state, depth), leaves);
            assert_eq!(game.perft(&state, depth), nodes);
            assert_eq!(game.divide(&state, depth).iter().map(|(_, n)| n).sum::<u64>(), nodes);
        }
    }
}

/// As many whole turns are counted as are listed, over all outcomes of chance.
pub fn turns_are_counted_as_they_are_listed(case: &Case) {
    let game = &case.game;
    let turns = |state: &State| game.turns(state).expect("turns that end");
    let listed = |state: &State| turns(state).len() as u64;
    for state in case.states(3_000) {
        let count = match game.awaits_chance(&state) {
            true => {
                let outcomes = turns(&state).into_iter().map(|outcome| outcome.state);
                outcomes
                    .filter(|after| !game.awaits_chance(after))
                    .map(|after| listed(&after))
                    .sum()
            }
            false => listed(&state),
        };
        assert_eq!(game.turn_perft(&state, 1), count, "{}", text::format_position(game, &state));
    }
}

/// Whole turns end in different positions, and their events lead there.
pub fn turns_are_distinct_and_replay(case: &Case) {
    let game = &case.game;
    for state in case.states(3_000) {
        let turns = game.turns(&state).expect("turns that end");
        for (index, turn) in turns.iter().enumerate() {
            let idle = turn.events.is_empty() && game.due(&state).is_none();
            assert!(!idle, "{}: a turn of no events", game.name());
            let mut now = state.clone();
            for &event in &turn.events {
                let step = game.apply(&now, event);
                now = step.unwrap_or_else(|no| panic!("{}: {no}", case.tell(&now, event))).state;
            }
            if let Some(due) = game.due(&now).filter(|_| now != turn.state) {
                now = game.apply(&now, due).expect("what is due is accepted").state;
            }
            assert_eq!(now, turn.state, "{}", text::format_position(game, &state));
            let twin = turns[..index].iter().any(|one| game.view(&one.state).same_position(&now));
            assert!(!twin, "{}: two turns to one position", text::format_position(game, &state));
        }
    }
}
