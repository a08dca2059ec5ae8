//! An opponent in a game with secrets decides by what it sees.

use std::sync::Arc;

use senet_bots::{Bot, InfosetMcts, Limit, Moment};
use senet_core::observe::Recall;
use senet_core::written::{
    Card, Drawing, Effect, Ending, Number, Phase, Pile, Rule, Seat, Share, Sight, Truth, Variable,
};
use senet_core::{Builder, Game, Options, State};

const CARDS: [&str; 3] = ["jack", "queen", "king"];

/// Each player gets one of three cards; the first one folds and loses 1, or calls, and then the
/// higher card wins 2.
fn call_or_fold() -> Game {
    let cards = |count: u16| CARDS.map(|name| Card { name: name.into(), count }).to_vec();
    let deck =
        Pile { name: "deck".into(), cards: cards(1), seen_by: Sight::Nobody, ..Pile::default() };
    let hand = Pile {
        name: "hand".into(),
        cards: cards(0),
        share: Share::PerPlayer,
        seen_by: Sight::Owner,
    };
    let rank = |of: Seat| {
        let queen = Number::variable_of("hand-queen", of.clone());
        queen + Number::Is(2) * Number::variable_of("hand-king", of)
    };
    let decide = |act: &str, value: i64| {
        let (variable, of) = ("done".to_owned(), Seat::Mover);
        Rule::acts(act, act).then(Effect::Set { variable, of, to: Number::Is(value) })
    };
    let done = |value: i64| Number::variable("done").equals(value);
    let higher = rank(Seat::Next).less_than(rank(Seat::Mover));
    let drawing = Drawing { from: "deck".into(), to: "hand".into(), of: Seat::Mover };
    let mut showdown = Ending::win("showdown", Seat::Mover).of_each().when(done(2).and(higher));
    showdown.score = Number::Is(2);
    let folded: Truth = done(1);
    let written = Builder::new("call or fold")
        .players(["one", "two"])
        .tile("table")
        .variable(Variable::counter("done", 2))
        .action("fold")
        .action("call")
        .phase(
            Phase::leaf("deal")
                .when(Number::variable("hand").equals(0))
                .rule(Rule::draws("deal", drawing).then(Effect::Turn(Seat::Next))),
        )
        .phase(Phase::leaf("decide").rule(decide("fold", 1)).rule(decide("call", 2)))
        .ending(Ending::win("folded", Seat::player("two")).when(folded))
        .ending(showdown)
        .edit(|written| written.piles = vec![deck, hand])
        .build();
    written.compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn an_opponent_decides_by_its_own_card() {
    let game = Arc::new(call_or_fold());
    for mine in CARDS {
        for other in CARDS.into_iter().filter(|other| *other != mine) {
            let first = game.players().next().expect("there are two");
            let mut state: State = game.start();
            let mut recall = Recall::start(&game, &state, first);
            for card in [mine, other] {
                let event = senet_core::text::parse_event(&game, &state, card).expect("a card");
                let after = game.apply(&state, event).expect("it is in the deck").state;
                recall.follow(&game, &state, event, &after);
                state = after;
            }
            let mut bot = InfosetMcts::new(game.clone(), 3).within(Some(300));
            let moment = Moment { state: recall.known().known(), past: &[], recall: Some(&recall) };
            let thought = bot.choose(&moment, &Limit::NONE).expect("two acts are legal");
            let act = senet_core::text::format_event(&game, thought.event);
            assert_eq!(act, if mine == "jack" { "fold" } else { "call" }, "{mine} against {other}");
        }
    }
}
