//! What a player may not know changes nothing that the player gets.

use senet_chance::Source;
use senet_core::observe::{Observation, Recall, Viewer};
use senet_core::written::Secret;
use senet_core::{Event, Game, Match, PlayerId, Setup, State, TileId};

use crate::case::Case;

/// How many states with other hidden facts are looked at, and how many games are played for them.
const SWAPS: usize = 1_000;
const GAMES: u64 = 400;

/// How many events are tried in a state.
const EVENTS: usize = 60;

/// How many legal events a state may have whose tree is counted.
const BRANCHES: usize = 40;

/// Changing what a viewer may not know changes no byte of what the viewer sees, of the legal events,
/// of explanations and refusals, of what the viewer remembers and saves, of what undoing leaves and
/// of the tree that the viewer can count. What an event then reveals is what the rules reveal.
pub fn hidden_facts_change_nothing(case: &Case) {
    hidden_facts_change_nothing_in(case, SWAPS);
}

/// The same in some states, for games in which a thousand take too long.
pub fn hidden_facts_change_nothing_in(case: &Case, most: usize) {
    let game = &case.game;
    let viewers: Vec<Viewer> =
        game.players().map(Viewer::Player).chain([Viewer::Spectator]).collect();
    let mut source = Source::seeded(7);
    let (mut swaps, mut looked) = (0, 0);
    'games: for seed in 1..=GAMES {
        for state in case.walk(seed).states {
            for &viewer in &viewers {
                looked += 1;
                let Some(other) = swapped(game, &state, viewer, &mut source) else { continue };
                if game.outcome(&state) != game.outcome(&other) {
                    continue;
                }
                same_to(case, &state, &other, viewer);
                same_after(case, [&state, &other], viewer, &mut source);
                swaps += 1;
            }
            if swaps >= most {
                break 'games;
            }
        }
    }
    assert!(swaps > 0, "{}: nothing was hidden in {looked} observations", game.name());
}

/// Checks that a viewer cannot tell two states apart.
fn same_to(case: &Case, state: &State, other: &State, viewer: Viewer) {
    let game = &case.game;
    let place = senet_core::text::format_position(game, state);
    let [one, two] = [state, other].map(|state| game.observe(state, viewer));
    let json = |seen: &Observation| serde_json::to_string(&seen.record(game)).expect("plain data");
    assert_eq!(one.text(game), two.text(game), "{viewer:?} in `{place}`");
    assert_eq!(one, two, "{viewer:?} in `{place}`");
    assert_eq!(one.hash(), two.hash(), "{viewer:?} in `{place}`");
    assert_eq!(json(&one), json(&two), "{viewer:?} in `{place}`");
    assert_eq!(one.draw(game), two.draw(game), "{viewer:?} in `{place}`");
    assert_eq!(one.table(game), two.table(game), "{viewer:?} in `{place}`");
    if let Viewer::Player(player) = viewer {
        let [one, two] = [state, other].map(|state| kept(case, state, player));
        assert_eq!(one, two, "{viewer:?} in `{place}`");
    }
    let moves = viewer == Viewer::Player(game.view(state).player());
    if !moves || game.awaits_chance(state) {
        return;
    }
    assert_eq!(game.legal(state), game.legal(other), "{viewer:?} in `{place}`");
    assert_eq!(game.legal_count(state), game.legal_count(other), "{viewer:?} in `{place}`");
    assert_eq!(game.asides(state), game.asides(other), "{viewer:?} in `{place}`");
    assert_eq!(game.perft(state, 1), game.perft(other, 1), "{viewer:?} in `{place}`");
    let universe = case.universe();
    let step = universe.len().div_ceil(EVENTS).max(1);
    for &event in universe.iter().step_by(step) {
        let [one, two] = [state, other].map(|state| answer(case, state, event));
        assert_eq!(one, two, "{viewer:?} in `{place}`");
    }
}

/// What a player is told about an event before it happens, and when it is refused: by its value and
/// by its text.
fn answer(
    case: &Case,
    state: &State,
    event: Event,
) -> (senet_core::Explanation, Vec<String>, String) {
    let game = &case.game;
    let refusal = match game.apply(state, event) {
        Ok(_) => vec!["accepted".to_owned()],
        Err(no) => no.reasons.iter().map(|&reason| game.reason_text(reason)).collect(),
    };
    let text = case.notation.format_event(game, state, event);
    let read = match case.notation.parse_event(game, state, &text) {
        Ok(event) => format!("{text}: {event:?}"),
        Err(error) => format!("{text}: {error}"),
    };
    (game.explain(state, event), refusal, read)
}

/// What a player keeps of a state: the information state, the saved log of what the player knows,
/// with an event and without it again, and the number of lines that follow from it.
fn kept(case: &Case, state: &State, player: PlayerId) -> (String, u128, Vec<Vec<u8>>, u64) {
    let game = &case.game;
    let recall = Recall::start(game, state, player);
    let known = recall.known().known().clone();
    let mut played = Match::from_state(game.clone(), known.clone());
    let mut logs = vec![played.to_bytes(), played.to_json().into_bytes()];
    let legal = game.legal(&known);
    if let Some(&event) = legal.first()
        && played.apply(event).is_ok()
    {
        logs.push(played.to_bytes());
        assert!(played.undo() && *played.state() == known, "undo restores what is known");
        logs.push(played.to_bytes());
    }
    let lines = if legal.len() <= BRANCHES { game.perft(&known, 2) } else { 0 };
    (recall.text(game), recall.hash(), logs, lines)
}

/// Checks that a viewer who cannot tell two states apart sees the same of an event in both, unless
/// what follows from it tells them apart.
fn same_after(case: &Case, states: [&State; 2], viewer: Viewer, source: &mut Source) {
    let game = &case.game;
    let [one, two] = states.map(|state| game.legal(state));
    let both: Vec<Event> = one.into_iter().filter(|event| two.contains(event)).collect();
    let Some(event) = source.pick(&both) else { return };
    let after = states.map(|state| game.apply(state, event).expect("it is legal").state);
    let [one, two] = [0, 1].map(|world| game.observe(&after[world], viewer));
    if one != two {
        return;
    }
    let told = || case.tell(states[0], event);
    let sees = |world: usize| game.glimpse(states[world], event, &after[world], viewer).text(game);
    assert_eq!(sees(0), sees(1), "{viewer:?}: {}", told());
    let Viewer::Player(player) = viewer else { return };
    let [one, two] = [0, 1].map(|world| {
        let mut recall = Recall::start(game, states[world], player);
        recall.follow(game, states[world], event, &after[world]);
        (recall.text(game), recall.hash())
    });
    assert_eq!(one, two, "{viewer:?}: {}", told());
}

/// A state that differs in facts hidden from a viewer alone; none where nothing is hidden.
fn swapped(game: &Game, state: &State, viewer: Viewer, source: &mut Source) -> Option<State> {
    let seen = game.observe(state, viewer);
    let record = seen.record(game);
    let mut setup = Setup::of(game, state);
    for (variable, of, value) in &mut setup.variables {
        let written = &game.definition().variables[variable.index()];
        let name = match written.share {
            senet_core::written::Share::Common => written.name.clone(),
            senet_core::written::Share::PerPlayer => {
                format!("{}:{}", written.name, game.player_name(*of))
            }
        };
        if record.variables.get(&name).is_some_and(Option::is_none) {
            let span = written.max.abs_diff(written.min) + 1;
            *value = written.min + source.below(span) as i64;
        }
    }
    for (die, shows) in &mut setup.dice {
        let written = &game.definition().dice[die.index()];
        if record.dice.get(&written.name).is_some_and(Option::is_none) {
            *shows = source.below(written.sides.into()) as u8 + 1;
        }
    }
    swap_pieces(game, &mut setup, &seen, source);
    setup.pieces.iter_mut().for_each(|stand| stand.piece = None);
    setup.hands.iter_mut().flatten().for_each(|held| held.piece = None);
    let other = game.state(&setup).ok()?;
    (!game.view(state).same_position(&other)).then_some(other)
}

/// Moves pieces that are not seen to other tiles that are not seen, changes kinds among pieces
/// whose kind is not, and clears flags that are not.
fn swap_pieces(game: &Game, setup: &mut Setup, seen: &Observation, source: &mut Source) {
    let mut free: Vec<TileId> = seen.unseen().iter().collect();
    for stand in &mut setup.pieces {
        if seen.unseen().contains(stand.tile) && !free.is_empty() {
            let at = source.below(free.len() as u64) as usize;
            stand.tile = free.swap_remove(at);
        }
    }
    let known = game.view(seen.known());
    for secret in &game.definition().secrets {
        match secret {
            Secret::Kinds { shown, .. } => {
                let Some(shown) = game.kind(shown) else { continue };
                let hidden: Vec<usize> = (0..setup.pieces.len())
                    .filter(|&at| known.is_kind(setup.pieces[at].tile, shown))
                    .collect();
                for &at in &hidden {
                    let other = hidden[source.below(hidden.len() as u64) as usize];
                    if setup.pieces[at].owner == setup.pieces[other].owner {
                        let kind = setup.pieces[at].kind;
                        setup.pieces[at].kind = setup.pieces[other].kind;
                        setup.pieces[other].kind = kind;
                    }
                }
            }
            Secret::Flag { flag, .. } => {
                let Some(flag) = game.flag(flag) else { continue };
                for stand in &mut setup.pieces {
                    if !known.is_flagged(stand.tile, flag) {
                        stand.flags &= !(1 << flag.index());
                    }
                }
            }
            _ => {}
        }
    }
}
