//! Explanations name phase, rule, condition and the tile that blocks, as data and in words.

use senet_core::{Event, Explanation, Game, Reason, State, Verdict, text};
use senet_testkit::{Legend, drawn, sample};

fn legend() -> Legend {
    Legend::new([
        "T white tower",
        "H white hare",
        "G white guard",
        "F white guard fresh",
        "t black tower",
        "g black guard",
    ])
}

fn board() -> (Game, State) {
    let game = sample::skirmish();
    let state = drawn(
        &game,
        "white",
        &legend(),
        "
        . . . . .
        . . . . .
        g . . . g
        F . . . F
        T . G . t
        ",
    );
    (game, state)
}

fn explain(event: &str) -> (Game, Explanation, String) {
    let (game, state) = board();
    let told = event;
    let event = text::parse_event(&game, &state, told).unwrap();
    let explanation = game.explain(&state, event);
    let words = game.explanation_text(&explanation, told);
    (game, explanation, words)
}

#[test]
fn an_accepted_event_names_its_phase_rule_and_path() {
    let (game, explanation, words) = explain("a1/b1");
    assert_eq!(explanation.accepted_by.map(|rule| game.rule_name(rule)), Some("roam"));
    assert_eq!(explanation.phase.map(|phase| game.phase_name(phase)), Some("play"));
    assert_eq!(explanation.reasons, []);
    let tiles: Vec<&str> = explanation.path.iter().map(|&tile| game.tile_name(tile)).collect();
    assert_eq!(tiles, ["a1", "b1"]);
    assert!(
        words.starts_with("a1/b1 is accepted by rule `roam`\nphase: play\npath: a1 b1"),
        "{words}"
    );
}

#[test]
fn a_blocked_way_names_the_tile_that_blocks() {
    let (game, explanation, words) = explain("a1/e1");
    assert_eq!(explanation.accepted_by, None);
    assert_eq!(explanation.blocker.map(|tile| game.tile_name(tile)), Some("c1"));
    let tiles: Vec<&str> = explanation.path.iter().map(|&tile| game.tile_name(tile)).collect();
    assert_eq!(tiles, ["a1", "b1", "c1", "d1", "e1"], "the way as it would be");
    let reason = explanation.reasons[0];
    assert_eq!(reason.code(), "blocked");
    assert_eq!(reason.tile(), game.tile("c1"));
    assert!(words.contains("refused: the way from a1 to e1 is blocked on c1"), "{words}");
    assert!(words.contains("path: a1 b1 c1 d1 e1, blocked on c1"), "{words}");
    let (game, explanation, _) = explain("a1/a2");
    assert_eq!(explanation.blocker.map(|tile| game.tile_name(tile)), Some("a2"), "a friend");
}

#[test]
fn a_refusal_lists_what_every_rule_says() {
    let (game, explanation, words) = explain("e2/e4");
    let said: Vec<(&str, bool)> = explanation
        .rules
        .iter()
        .map(|report| (game.rule_name(report.rule), report.verdict == Verdict::Ignore))
        .collect();
    assert_eq!(
        said,
        [
            ("march", false),
            ("arrive", false),
            ("take", false),
            ("take and arrive", false),
            ("double march", false),
            ("take in passing", false),
            ("roam", true)
        ]
    );
    assert_eq!(
        explanation.reasons[0],
        Reason::Through(game.tile("e3").unwrap()),
        "the nearest first"
    );
    assert!(words.contains("refused: the move may not pass e3"), "{words}");
    assert!(!words.contains("roam"), "a rule with nothing to say is not told of: {words}");
}

#[test]
fn a_condition_that_does_not_hold_is_named_in_words() {
    let (game, explanation, words) = explain("c1/b2");
    let Reason::Condition(rule, 0) = explanation.reasons[0] else { panic!("{words}") };
    assert_eq!(game.rule_name(rule), "take in passing");
    let report = explanation.rules.iter().find(|report| report.rule == rule).unwrap();
    assert_eq!(report.checks.len(), 1);
    assert!(!report.checks[0].holds);
    let asks = "the tile backward of the target is held by a foe and a guard and passing";
    assert_eq!(report.checks[0].condition, asks);
    assert!(words.contains(&format!("rule `take in passing` requires that {asks}")), "{words}");
    assert!(words.contains(&format!("  does not hold: {asks}")), "{words}");
}

#[test]
fn the_rejection_and_the_explanation_give_the_same_reasons() {
    let (game, state) = board();
    for text in ["a1/e1", "e2/e4", "c1/b2", "e1/d1", "b3/b4", "a1/a1", "tower@a4", "a2/a4"] {
        let event = text::parse_event(&game, &state, text).unwrap();
        let rejection = game.apply(&state, event).expect_err(text);
        let explanation = game.explain(&state, event);
        assert_eq!(rejection.reasons, explanation.reasons, "{text}");
        assert_eq!(rejection.event, event);
        assert_eq!(rejection.phase, explanation.phase, "{text}");
        assert!(rejection.to_string().contains(rejection.reasons[0].code()), "{rejection}");
    }
}

#[test]
fn reasons_come_in_words_and_in_codes() {
    let said = |event: &str| {
        let (game, explanation, _) = explain(event);
        let reason = explanation.reasons[0];
        (reason.code(), game.reason_text(reason))
    };
    assert_eq!(said("e1/d1"), ("no_piece", "white has no piece on e1".into()));
    assert_eq!(said("c1/e5"), ("no_path", "the piece on c1 does not reach e5".into()));
    assert_eq!(said("tower@a5"), ("unwanted", "no rule of this phase allows such a put".into()));
    let words = "the piece may not become a tower".to_owned();
    assert_eq!(said("c1/c2=tower"), ("choice_refused", words));
}

#[test]
fn explaining_changes_nothing() {
    let (game, state) = board();
    let before = state.clone();
    for event in game.legal(&state) {
        assert!(game.explain(&state, event).accepted_by.is_some());
    }
    let a1 = game.tile("a1").unwrap();
    game.explain(&state, Event::step(a1, a1));
    assert_eq!(state, before);
}
