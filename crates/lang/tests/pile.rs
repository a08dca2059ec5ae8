//! Decks and piles: every draw has its exact probability, whatever was drawn before.

use senet_core::observe::Viewer;
use senet_core::{Game, Options, State, text};
use senet_lang::{Source, read};

const DRAWS: &str = "\
game draws
players one, two
tiles table
deck cards: low x 3 high
pile hand each seen by owner
pile shown
variable rounds 0..2
deal 1 from cards to hand
phase turn-over when cards > 0
  rule turn over: draw cards to shown
phase decide
  act gather where rounds = 0 then shuffle shown into cards; rounds += 1
  act stop then rounds = 2
draw \"stopped\" rounds = 2
";

fn game(text: &str) -> Game {
    let file = read(&Source::new("draws.senet", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
    file.compile(Options::default()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// What chance can do, each with its probability as weight and total.
fn chances(game: &Game, state: &State) -> Vec<(String, u64, u64)> {
    let chance = |one: &senet_core::Chance| {
        let chance = one.probability;
        (text::format_event(game, one.event), chance.weight, chance.total)
    };
    game.chances(state).iter().map(chance).collect()
}

fn after(game: &Game, state: &State, event: &str) -> State {
    let event = text::parse_event(game, state, event).unwrap_or_else(|wrong| panic!("{wrong}"));
    game.apply(state, event).unwrap_or_else(|wrong| panic!("{wrong}")).state
}

fn odds(all: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    all.iter().map(|(name, weight, total)| ((*name).to_owned(), *weight, *total)).collect()
}

#[test]
fn repeated_cards_are_as_likely_as_there_are_of_them_until_the_pile_is_empty() {
    let game = game(DRAWS);
    let start = game.start();
    assert_eq!(chances(&game, &start), odds(&[("roll:low", 3, 4), ("roll:high", 1, 4)]));
    let dealt = after(&game, &start, "roll:low");
    assert_eq!(chances(&game, &dealt), odds(&[("roll:low", 2, 3), ("roll:high", 1, 3)]));
    let both = after(&game, &dealt, "roll:low");
    assert_eq!(chances(&game, &both), odds(&[("roll:low", 1, 2), ("roll:high", 1, 2)]));
    let high = after(&game, &both, "roll:high");
    assert_eq!(chances(&game, &high), odds(&[("roll:low", 1, 1)]), "what is gone is impossible");
    let refused =
        text::parse_event(&game, &high, "roll:high").map(|event| game.apply(&high, event));
    assert!(refused.is_err() || refused.is_ok_and(|step| step.is_err()));
    let empty = after(&game, &high, "roll:low");
    assert!(chances(&game, &empty).is_empty(), "an empty pile gives nothing");
    assert_eq!(game.legal(&empty).len(), 2, "play goes on without it");
}

#[test]
fn a_pile_that_is_shuffled_back_is_drawn_as_before() {
    let game = game(DRAWS);
    let mut state = game.start();
    for event in ["roll:low", "roll:low", "roll:high", "roll:low", "gather"] {
        state = after(&game, &state, event);
    }
    assert_eq!(chances(&game, &state), odds(&[("roll:low", 1, 2), ("roll:high", 1, 2)]));
    let told = text::format_position(&game, &state);
    assert!(told.contains("var.cards=2") && !told.contains("var.shown="), "{told}");
}

#[test]
fn only_the_owner_sees_which_card_was_dealt() {
    let game = game(DRAWS);
    let [low, high] = ["roll:low", "roll:high"].map(|card| after(&game, &game.start(), card));
    let players: Vec<_> = game.players().collect();
    let sees = |state: &State, viewer: Viewer| game.observe(state, viewer).text(&game);
    let owner = Viewer::Player(players[0]);
    assert_ne!(sees(&low, owner), sees(&high, owner));
    for viewer in [Viewer::Player(players[1]), Viewer::Spectator] {
        assert_eq!(sees(&low, viewer), sees(&high, viewer));
    }
}

#[test]
fn every_order_of_a_deck_is_as_likely_as_its_cards_say() {
    let game = game(DRAWS);
    // Of the four places of the deck, the high card is in each as often as in any other.
    let mut sums = [0u64; 4];
    let mut stack = vec![(game.start(), 24u64, Vec::<String>::new())];
    while let Some((state, mass, drawn)) = stack.pop() {
        let chances = game.chances(&state);
        if drawn.len() == 4 || chances.is_empty() {
            let place = drawn.iter().position(|card| card == "roll:high").expect("it is drawn");
            sums[place] += mass;
            continue;
        }
        for chance in chances {
            let share = mass * chance.probability.weight;
            assert_eq!(share % chance.probability.total, 0);
            let next = game.apply(&state, chance.event).unwrap().state;
            let mut drawn = drawn.clone();
            drawn.push(text::format_event(&game, chance.event));
            stack.push((next, share / chance.probability.total, drawn));
        }
    }
    assert_eq!(sums, [6, 6, 6, 6]);
}
