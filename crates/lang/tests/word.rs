//! Words of rules in files, and what they mean in a definition.

use senet_core::written::{Effect, Number, Set, Truth, Wanted};
use senet_core::{Definition, Game, Options, text};
use senet_lang::{Source, read};

fn compiled(text: &str) -> Game {
    let file = read(&Source::new("test.senet", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
    file.compile(Options::default()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn definition(text: &str) -> Definition {
    let file = read(&Source::new("test.senet", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
    file.definition
}

/// The legal events after some others, as text.
fn legal(game: &Game, events: &[&str]) -> String {
    let mut state = game.start();
    for event in events {
        let event = text::parse_event(game, &state, event).unwrap();
        state = game.apply(&state, event).unwrap().state;
    }
    let events = game.legal(&state).into_iter().map(|event| text::format_event(game, event));
    events.collect::<Vec<_>>().join(" ")
}

const TABLE: &str = "\
game table
players red, blue
board grid 3 x 2
piece stone
setup red stone a1, blue stone c1
";

#[test]
fn an_act_picks_a_tile() {
    let game = compiled(&format!("{TABLE}rule remove one: pick remove on foe then clear to\n"));
    assert_eq!(legal(&game, &[]), "remove@c1");
    assert_eq!(legal(&game, &["remove@c1"]), "remove@a1", "the turn passes as after a move");
    let told = definition(&format!("{TABLE}pick remove on foe \"of the foe\" then clear to\n"));
    let rule = &told.phases[0].rules[0];
    assert_eq!(rule.name, "remove");
    assert!(matches!(&rule.wants, Wanted::Pick(picking) if picking.onto == Set::Board));
    assert!(rule.when.to_string().contains("of the foe"), "words make it a condition");
}

#[test]
fn neutral_players_own_pieces_and_have_no_turn() {
    let text = TABLE.replace("players red, blue", "players red, blue, nobody neutral");
    let text = text.replace("blue stone c1", "blue stone c1, nobody stone b1");
    let game = compiled(&format!("{text}rule step: move stone step orthogonal\n"));
    assert_eq!(legal(&game, &[]), "a1/a2");
    assert_eq!(legal(&game, &["a1/a2"]), "c1/c2");
    assert!(legal(&game, &["a1/a2", "c1/c2"]).starts_with("a2/"));
}

#[test]
fn players_swap_seats_and_sets_shift() {
    let text = format!(
        "{TABLE}rule step: move stone step orthogonal to empty\n\
         rule swap: act swap where turn blue then swap seats, again\n\
         rule push: act push then shift own along north\n"
    );
    let game = compiled(&text);
    let swap = game.definition().variables.iter().find(|variable| variable.swaps_seats);
    assert_eq!(swap.map(|variable| variable.name.as_str()), Some("swapped"));
    let push = text::parse_event(&game, &game.start(), "push").unwrap();
    let pushed = game.apply(&game.start(), push).unwrap().state;
    assert!(text::format_position(&game, &pushed).contains("a2=red:stone"));
    let swap = text::parse_event(&game, &pushed, "swap").unwrap();
    let swapped = game.apply(&pushed, swap).unwrap().state;
    assert_eq!(game.player_name(game.view(&swapped).player()), "red");
    assert_eq!(game.player_name(game.view(&swapped).seat()), "blue");
}

#[test]
fn a_piece_continues_by_rules() {
    let text = "\
game jumps
players red, blue
board grid 6 x 2
piece stone
setup red stone a1, blue stone b1 d1
rule jump over: move stone hop orthogonal over foe to empty
  then capture between(from, to); continue by jump-over or halt
rule wait: act wait where not can(jump-over, only(own))
";
    let game = compiled(text);
    assert_eq!(legal(&game, &[]), "a1/c1");
    assert_eq!(legal(&game, &["a1/c1"]), "c1/e1 halt");
    let slip = text.replace("continue by jump-over", "continue by jmup-over");
    let wrong = read(&Source::new("test.senet", &slip)).expect_err("no such rule");
    assert!(wrong.to_string().contains("jump over"), "{wrong}");
}

#[test]
fn endings_by_the_most_of_a_number_and_turns_that_reach_it() {
    let text = format!(
        "{TABLE}phase play reaching count(own)\n\
         rule step: move stone step orthogonal\n  \
         ensure not repeats(2)\n  then turn next with any own\n\
         draw \"most\" count(empty) > 4 most count(own) worth 2 pays pieces(own)\n\
         win \"two\" line exactly 2 of own\n"
    );
    let it = definition(&text.replace("phase play reaching count(own)\n", ""));
    let ending = &it.endings[0];
    assert_eq!(ending.most, Some(Number::Count(Set::own())));
    assert_eq!((ending.winner.clone(), ending.score.clone()), (None, Number::Is(2)));
    assert!(ending.pays.is_some());
    assert!(it.endings[1].when.to_string().contains("exactly"), "{}", it.endings[1].when);
    let rule = &it.phases[0].rules[0];
    assert_eq!(rule.ensures, !Truth::Repeats(2));
    assert_eq!(rule.after, [Effect::TurnWhere(Set::own().any())], "no other turn is added");
    let most = &definition(&text.replace("  ensure not repeats(2)\n", "")).phases[0].most;
    assert_eq!(*most, Some(Number::Count(Set::own())));
}
