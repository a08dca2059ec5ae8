//! Who wins, what each player gets, and which place.

use senet_core::written::Ending;

use super::*;

/// The winner, the scores and the places of red, blue and gold, by one ending.
fn ends(ending: Ending) -> (Option<String>, Vec<i64>, Vec<usize>) {
    let definition = table().phase(Phase::leaf("play").rule(rook())).ending(ending).build();
    let oracle = Oracle::new(&definition);
    let outcome = oracle.outcome(&oracle.read(POSITION)).expect("an ending that always holds");
    (outcome.winner, outcome.scores, outcome.places)
}

#[test]
fn who_has_the_most_wins() {
    let own = || Number::Count(Set::own());
    let tiles = ends(Ending::most("tiles", own()));
    assert_eq!(tiles, (None, vec![0, 0, 0], vec![1, 1, 3]), "red and blue are on three tiles each");
    let pieces = ends(Ending::most("pieces", Number::pieces(Set::Board, Who::Mover)).worth(2));
    assert_eq!(pieces, (Some("red".into()), vec![2, -2, 2], vec![1, 2, 3]), "the whole team wins");
    let few = ends(Ending::most("few", Number::Is(0) - own()));
    assert_eq!(few.0.as_deref(), Some("gold"));
    let friends = ends(Ending::most("friends", Number::Count(Set::Owned(Who::Friend))));
    assert_eq!(friends.0.as_deref(), Some("red"), "allies may share the most");
}

#[test]
fn each_player_gets_what_the_number_says_of_him() {
    let own = || Number::Count(Set::own());
    let paid = ends(Ending::win("paid", Seat::player("gold")).paying(own()));
    assert_eq!(paid, (Some("gold".into()), vec![3, 3, 1], vec![1, 1, 3]));
    let both = ends(Ending::most("both", Number::variable("score")).paying(own()));
    assert_eq!(both, (Some("blue".into()), vec![3, 3, 1], vec![2, 1, 2]), "places by the most");
}

#[test]
fn the_turn_passes_over_players() {
    let next = |truth: Truth| {
        let text = after([Effect::turn_where(truth)]);
        text.split(' ').next().map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(next(Truth::Always), "blue");
    assert_eq!(next(Set::own().then(&[EAST]).none()), "gold", "asked about that player");
    assert_eq!(next(Truth::Never), "red", "it stays");
    assert_eq!(next(Tile::only("home", Seat::Mover).is_in(Set::own())), "red", "only red's is");
}

#[test]
fn lines_of_exactly_so_many() {
    let it = Asked::new();
    let row = Set::tiles(["a1", "b1", "c1", "a2", "b2", "d3"]);
    assert_eq!(it.tiles(&row.clone().exact_lines(2, &[EAST])), "a2 b2");
    assert_eq!(it.tiles(&row.clone().exact_lines(3, &[EAST])), "a1 b1 c1");
    assert_eq!(it.tiles(&row.clone().lines(2, &[EAST])), "a1 b1 c1 a2 b2");
    assert_eq!(it.tiles(&row.exact_lines(1, &[EAST])), "d3");
    assert_eq!(it.tiles(&nothing().exact_lines(2, &[EAST])), "");
}
