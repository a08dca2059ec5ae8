//! Every turn that the engine finds, found again by brute force.

use std::collections::BTreeSet;

use senet_backgammon::game;
use senet_core::setup::Stand;
use senet_core::{Game, PlayerId, Setup, State};
use senet_testkit::Source;
use senet_testkit::backgammon::{Board, Side, Theme};

/// How many positions are compared.
const POSITIONS: u64 = 20_000;

/// The tile on which a player's checkers are `pips` pips from being off; 25 is the bar.
fn tile(player: usize, pips: usize) -> String {
    let name = ["white", "black"][player];
    match pips {
        0 => format!("{name}-off"),
        25 => format!("{name}-bar"),
        _ if player == 0 => format!("p{pips}"),
        _ => format!("p{}", 25 - pips),
    }
}

fn player_id(game: &Game, player: usize) -> PlayerId {
    game.players().nth(player).expect("two players")
}

/// The state in which a player has rolled in a position, or with no dice is on roll.
fn state(game: &Game, board: &Board, mover: usize, dice: [u8; 2]) -> State {
    let mut setup = Setup::empty(player_id(game, mover));
    for (player, side) in [(mover, &board.mover), (1 - mover, &board.other)] {
        for (pips, &count) in side.iter().enumerate() {
            let stand = Stand {
                tile: game.tile(&tile(player, pips)).expect("a tile"),
                owner: player_id(game, player),
                kind: game.kind("checker").expect("the kind"),
                flags: 0,
                piece: None,
            };
            setup.pieces.extend(std::iter::repeat_n(stand, count.into()));
        }
    }
    let [low, high] = [dice[0].min(dice[1]), dice[0].max(dice[1])];
    let shown = if low == high { [high; 4] } else { [high, low, 0, 0] };
    let names = ["one", "two", "three", "four"].map(|name| game.die(name).expect("a die"));
    setup.dice = names.into_iter().zip(shown).collect();
    if dice == [0, 0] {
        setup.dice.clear();
    }
    setup.variables.push((game.variable("opening").expect("a variable"), player_id(game, 0), 0));
    game.state(&setup).expect("a position")
}

/// The board of a state as a player sees it.
fn board(game: &Game, state: &State, mover: usize) -> Board {
    let view = game.view(state);
    let side = |player: usize| -> Side {
        std::array::from_fn(|pips| {
            let tile = game.tile(&tile(player, pips)).expect("a tile");
            view.count_of(tile, player_id(game, player)) as u8
        })
    };
    Board { mover: side(mover), other: side(1 - mover) }
}

#[test]
fn brute_force_and_engine_reach_the_same_positions() {
    let game = game();
    let mut source = Source::seeded(20);
    // How often each number of dice could be used: of two, and of a double.
    let mut plain = [0; 3];
    let mut double = [0; 5];
    for number in 0..POSITIONS {
        let theme = Theme::ALL[number as usize % Theme::ALL.len()];
        let position = theme.board(&mut source, 15);
        let dice = [1 + source.below(6) as u8, 1 + source.below(6) as u8];
        let mover = (number / 6 % 2) as usize;
        let start = state(&game, &position, mover, dice);
        assert_eq!(board(&game, &start, mover), position);
        let turns = game.turns(&start).unwrap();
        let found: BTreeSet<Board> =
            turns.iter().map(|turn| board(&game, &turn.state, mover)).collect();
        let expected = position.results(dice);
        assert_eq!(found, expected, "{theme:?} {dice:?} {position:?}");
        assert_eq!(turns.len(), expected.len(), "{theme:?} {dice:?}: distinct positions");
        let used = turns.iter().map(|turn| turn.events.len()).max().unwrap_or(0);
        if dice[0] == dice[1] { double[used] += 1 } else { plain[used] += 1 }
    }
    // The themes would not be worth much if some case were rare.
    assert!(plain.iter().chain(&double).all(|&times| times >= 20), "{plain:?} {double:?}");
}

/// Counting makes no states, so it could err on its own.
#[test]
fn turns_are_counted_as_they_are_listed() {
    let game = game();
    let mut source = Source::seeded(21);
    for number in 0..1_200 {
        let theme = Theme::ALL[number % Theme::ALL.len()];
        let position = theme.board(&mut source, 15);
        let start = state(&game, &position, number / 6 % 2, [0, 0]);
        let rolls = game.chances(&start).into_iter();
        let rolled = rolls.map(|roll| game.apply(&start, roll.event).unwrap().state);
        let listed = rolled.map(|rolled| game.turns(&rolled).unwrap());
        let listed: usize = listed.map(|turns| turns.len()).sum();
        assert_eq!(game.turn_perft(&start, 1), listed as u64, "{theme:?} {position:?}");
    }
}
