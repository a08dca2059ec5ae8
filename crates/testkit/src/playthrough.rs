//! One random game written down, ply by ply, for people and for golden files.

use std::fmt::Write;

use senet_chance::Source;
use senet_core::{Event, Game, Notation, State};

/// How many plies are written down.
const PLIES: usize = 40;
/// How many legal events of a ply are listed by name.
const LISTED: usize = 40;

/// Plays a game at random and writes down each ply: the position, the board, the hash, what is
/// legal, what is chosen and what that changes; last the outcome.
pub fn playthrough(game: &Game, notation: &dyn Notation, seed: u64) -> String {
    let mut out = format!(
        "game: {}\ndefinition: {:032x}\nseed: {seed}\n",
        game.name(),
        game.definition_hash()
    );
    let mut source = Source::seeded(seed);
    let mut state = game.start();
    for ply in 0.. {
        describe(&mut out, game, notation, &state, ply);
        let event = source.draw(game, &state).or_else(|| source.pick(&game.legal(&state)));
        let Some(event) = event.filter(|_| ply < PLIES) else { break };
        let step = game.apply(&state, event).expect("a legal event is accepted");
        let name = notation.notate(game, &state, event);
        line(&mut out, format_args!("chosen: {name} by rule `{}`", game.rule_name(step.rule)));
        for change in game.diff(&state, &step.state) {
            let change = serde_json::to_string(&game.name_change(change)).expect("names only");
            line(&mut out, format_args!("change: {change}"));
        }
        state = step.state;
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string");
}

fn describe(out: &mut String, game: &Game, notation: &dyn Notation, state: &State, ply: usize) {
    line(out, format_args!("\n# ply {ply}"));
    line(out, format_args!("position: {}", notation.format_position(game, state)));
    line(out, format_args!("{}", notation.draw(game, state)));
    line(out, format_args!("hash: {:032x}", state.hash128()));
    let phase = game.active_phase(state).map_or("none", |phase| game.phase_name(phase));
    line(out, format_args!("phase: {phase}"));
    for chance in game.chances(state) {
        let name = notation.format_event(game, state, chance.event);
        let probability = chance.probability;
        line(out, format_args!("chance: {name} {}/{}", probability.weight, probability.total));
    }
    let legal = game.legal(state);
    let name = |event: &Event| notation.notate(game, state, *event);
    let mut names: Vec<String> = legal.iter().take(LISTED).map(name).collect();
    if legal.len() > LISTED {
        names.push("…".into());
    }
    line(out, format_args!("legal: {} [{}]", legal.len(), names.join(" ")));
    if let Some(outcome) = game.outcome(state) {
        let winner = outcome.winner.map_or("nobody", |winner| game.player_name(winner));
        let ending = game.ending_name(outcome.ending);
        line(out, format_args!("outcome: {winner} by `{ending}`, scores {:?}", outcome.scores));
    }
}
