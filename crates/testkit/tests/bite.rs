//! The laws bite: what breaks one is caught by it.

use senet_core::notation::PositionError;
use senet_core::written::{Effect, Rule};
use senet_core::{Builder, Definition, Event, Game, Notation, Options, Plain, State, text};
use senet_testkit::oracle::Oracle;
use senet_testkit::{Case, law, sample};

/// Forgets whose turn it is.
struct Forgetful;

impl Notation for Forgetful {
    fn format_position(&self, game: &Game, state: &State) -> String {
        let text = text::format_position(game, state);
        text.split_once(' ').map_or("", |(_, rest)| rest).to_owned()
    }

    fn parse_position(&self, game: &Game, text: &str) -> Result<State, PositionError> {
        text::parse_position(game, &format!("white {text}"))
    }
}

#[test]
#[should_panic(expected = "a1=white:tower")]
fn a_position_text_that_forgets_something_is_caught() {
    law::position_text_round_trips(&Case::new(sample::skirmish(), &Forgetful));
}

/// Writes only where a piece goes.
struct Curt;

impl Notation for Curt {
    fn notate(&self, game: &Game, _state: &State, event: Event) -> String {
        match event {
            Event::Move { to, .. } => game.tile_name(to).to_owned(),
            other => text::format_event(game, other),
        }
    }
}

#[test]
#[should_panic(expected = "skirmish in")]
fn an_ambiguous_event_text_is_caught() {
    law::event_text_round_trips(&Case::new(sample::skirmish(), &Curt));
}

/// A game in which an act changes nothing.
fn idle() -> Definition {
    Builder::from(sample::errand_definition())
        .action("wait")
        .edit(|game| game.phases[1].phases[1].rules.push(Rule::acts("wait", "wait")))
        .build()
}

#[test]
#[should_panic(expected = "an event that changes nothing")]
fn an_event_that_changes_nothing_is_caught() {
    let game = idle().compile(Options::default()).unwrap();
    law::diff_is_empty_between_equals_only(&Case::new(game, &Plain));
}

#[test]
fn the_oracle_sees_a_rule_that_is_changed() {
    let game = sample::skirmish();
    let changes: [fn(&mut Definition); 4] = [
        |game| game.kinds[1].patterns.truncate(6),
        |game| game.phases[0].rules.truncate(6),
        |game| game.players[0].directions[0].direction = "south".into(),
        |game| game.phases[0].rules[6].after = vec![Effect::add("quiet", 3)],
    ];
    for change in changes {
        let definition = Builder::from(sample::skirmish_definition()).edit(change).build();
        let oracle = Oracle::new(&definition);
        let mut said: Vec<(String, String)> = oracle
            .legal(&oracle.start())
            .into_iter()
            .map(|(event, after)| (oracle.tell(&event), oracle.text(&after)))
            .collect();
        said.sort();
        let mut plays: Vec<(String, String)> = game
            .legal(&game.start())
            .into_iter()
            .map(|event| {
                let after = game.apply(&game.start(), event).unwrap().state;
                (text::format_event(&game, event), text::format_position(&game, &after))
            })
            .collect();
        plays.sort();
        assert_ne!(said, plays);
    }
}
