//! Action ids, tensors, batches and trees.

use std::sync::Arc;

use senet::chance::Source;
use senet::learn::{
    Actions, Batch, BatchOptions, Buffers, Evaluation, IllegalAction, InformationTensor, Planes,
    Tree, TreeOptions,
};
use senet::{Event, Game, Match, PlayerId, Position};

fn load(name: &str) -> Game {
    senet::load(name).expect(name)
}

/// Buffers that a batch writes to.
struct Memory {
    observations: Vec<f32>,
    masks: Vec<bool>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    players: Vec<i32>,
    finals: Vec<f32>,
}

impl Memory {
    fn of(batch: &Batch) -> Memory {
        let (games, players) = (batch.len(), batch.game().players().count());
        Memory {
            observations: vec![0.0; games * batch.planes().len()],
            masks: vec![false; games * batch.actions().len()],
            rewards: vec![0.0; games * players],
            terminated: vec![false; games],
            truncated: vec![false; games],
            players: vec![0; games],
            finals: Vec::new(),
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            players: &mut self.players,
            finals: &mut self.finals,
        }
    }
}

fn options(games: usize) -> BatchOptions {
    BatchOptions { games, history: 1, limit: Some(400), threads: 1 }
}

#[test]
fn every_legal_event_of_random_games_has_an_action_and_back() {
    for name in senet::games() {
        let game = load(name);
        let actions = Actions::of(&game);
        for number in 0..4 {
            let playout = game.start().playout(&mut Source::for_game(7, number), 300);
            for (before, step) in game.start().line(&playout.events) {
                if before.awaits_chance() {
                    assert_eq!(actions.action(step.event), None, "{name}");
                    continue;
                }
                for event in before.legal() {
                    let action = actions.action(event);
                    let action =
                        action.unwrap_or_else(|| panic!("{name}: {}", before.format(event)));
                    assert_eq!(actions.event(action), Some(event), "{name}");
                }
            }
        }
    }
}

#[test]
fn actions_are_few_and_stable() {
    let count = |name: &str| Actions::of(&load(name)).len();
    assert_eq!(count("tic-tac-toe"), 9);
    // 1792 moves of queens and knights, 16 straight promotions and 28 by capture, to 4 kinds each.
    assert_eq!(count("chess"), 1792 + (16 + 28) * 4);
    assert_eq!(Actions::of(&load("chess")).event(u32::MAX), None);
}

#[test]
fn a_tensor_shows_the_board_from_the_seat_of_the_mover() {
    let game = load("chess");
    let planes = Planes::of(&game, 1);
    assert_eq!(planes.shape()[1..], [8, 8]);
    let names: Vec<String> = planes.planes().into_iter().map(|plane| plane.name).collect();
    let tensor = |position: &Position| {
        let mut tensor = vec![9.0; planes.len()];
        planes.write(std::slice::from_ref(position), &mut tensor);
        tensor
    };
    let plane = |tensor: &[f32], name: &str| {
        let at = names.iter().position(|one| one == name).expect(name);
        tensor[at * 64..(at + 1) * 64].to_vec()
    };
    let start = tensor(&game.start());
    let rank = |tensor: &[f32], row: usize| tensor[row * 8..(row + 1) * 8].to_vec();
    assert_eq!(rank(&plane(&start, "own pawn"), 6), [1.0; 8]);
    assert_eq!(rank(&plane(&start, "foe pawn"), 1), [1.0; 8]);
    assert_eq!(plane(&start, "white to move"), [1.0; 64]);
    let after = tensor(&game.start().apply("e4").expect("legal").position);
    assert_eq!(rank(&plane(&after, "own pawn"), 1), [1.0; 8]);
    assert_eq!(plane(&after, "foe pawn")[4 * 8 + 4], 1.0);
    assert_eq!(plane(&after, "white to move"), [0.0; 64]);
}

#[test]
fn a_tensor_with_history_shows_the_positions_before() {
    let game = load("tic-tac-toe");
    let start = game.start();
    let after = start.apply("b2").expect("legal").position;
    let (one, two) = (Planes::of(&game, 1), Planes::of(&game, 2));
    assert!(two.len() > one.len());
    let mut both = vec![0.0; two.len()];
    two.write(&[after.clone(), start], &mut both);
    let mut alone = vec![0.0; two.len()];
    two.write(&[after], &mut alone);
    assert_eq!(both, alone, "nothing stands at the start");
}

#[test]
fn batches_do_not_depend_on_the_threads() {
    for name in ["tic-tac-toe", "backgammon"] {
        let game = load(name);
        let run = |threads: usize| {
            let mut batch = Batch::new(&game, BatchOptions { threads, ..options(300) });
            let mut memory = Memory::of(&batch);
            batch.reset(5, &mut memory.buffers());
            let (mut trace, mut picked) = (Vec::new(), vec![0; 300]);
            for _ in 0..30 {
                batch.step_randomly(&mut picked, &mut memory.buffers());
                trace.push((picked.clone(), memory.rewards.clone(), memory.terminated.clone()));
            }
            (trace, memory.observations, memory.masks)
        };
        assert!(run(1) == run(2), "{name}");
    }
}

/// Long enough that machine code takes over where there is any.
#[test]
fn a_batch_of_any_game_plays_as_positions_do() {
    for name in senet::games() {
        let game = load(name);
        let mut batch = Batch::new(&game, options(4));
        let mut memory = Memory::of(&batch);
        batch.reset(2, &mut memory.buffers());
        let (actions, mut picked) = (batch.actions().clone(), [0; 4]);
        for _ in 0..300 {
            let before: Vec<_> = (0..4).map(|one| batch.position(one).expect("a game")).collect();
            batch.step_randomly(&mut picked, &mut memory.buffers());
            for (one, before) in before.iter().enumerate() {
                let event = actions.event(picked[one] as u32).expect("an action");
                let after = before.apply(event).expect("legal").position;
                if memory.terminated[one] || memory.truncated[one] || after.awaits_chance() {
                    continue;
                }
                let now = batch.position(one).expect("a game");
                assert!(now == after, "{name}: {now} is not {after}");
                let mask = &memory.masks[one * actions.len()..][..actions.len()];
                let legal = actions.legal(&now);
                assert_eq!(mask.iter().filter(|&&legal| legal).count(), legal.len(), "{name}");
                assert!(legal.iter().all(|&id| mask[id as usize]), "{name}");
                let pieces = |position: &Position| position.setup().pieces.len();
                assert_eq!(pieces(&now), pieces(&after), "{name}");
            }
        }
    }
}

#[test]
fn a_tensor_shows_no_secrets() {
    let game = load("kuhn-poker");
    let deal = |cards: &str| Match::replay(game.start(), cards).expect(cards);
    let actions = Arc::new(Actions::of(&game));
    let information = InformationTensor::of(&game, &actions, 4);
    let planes = Planes::of(&game, 1);
    let tensors = |played: &Match, player: PlayerId| {
        let mut seen = (vec![0.0; planes.len()], vec![0.0; information.len()]);
        planes.write_for(player, &[played.position()], &mut seen.0);
        information.write(played, player, &mut seen.1);
        seen
    };
    let (queen, king) = (deal("jack queen bet"), deal("jack king bet"));
    let [one, two] = [0, 1].map(|seat| game.players().nth(seat).expect("a player"));
    assert!(tensors(&queen, one) == tensors(&king, one));
    let (queen, king) = (tensors(&queen, two), tensors(&king, two));
    assert!(queen.0 != king.0 && queen.1 != king.1);
    // The last row is the newest event: a bet of the other player.
    let bet = actions.action(game.start().parse_event("bet").expect("a bet")).expect("an action");
    let row = &queen.1[planes.len()..][..actions.len() + 2];
    let set: Vec<usize> = (0..row.len()).filter(|&at| row[at] != 0.0).collect();
    assert_eq!(set, [1, 2 + bet as usize]);
}

#[test]
fn a_game_that_ends_pays_and_begins_anew() {
    let game = load("tic-tac-toe");
    let mut batch = Batch::new(&game, options(2));
    let mut memory = Memory::of(&batch);
    batch.reset(1, &mut memory.buffers());
    let actions = batch.actions().clone();
    let act = |name: &str| {
        let event = game.start().parse_event(name).expect(name);
        i64::from(actions.action(event).expect(name))
    };
    for (one, other) in [("a1", "a1"), ("b1", "b1"), ("a2", "a2"), ("b2", "b2")] {
        batch.step(&[act(one), act(other)], &mut memory.buffers()).expect("legal");
        assert_eq!(memory.terminated, [false, false]);
    }
    batch.step(&[act("a3"), act("c3")], &mut memory.buffers()).expect("legal");
    assert_eq!(memory.terminated, [true, false]);
    assert_eq!(memory.rewards, [1.0, -1.0, 0.0, 0.0]);
    assert_eq!(memory.masks[..9], [true; 9], "a new game");
    assert_eq!(batch.position(0), Some(game.start()));
}

#[test]
fn an_illegal_action_moves_no_game() {
    let game = load("chess");
    let mut batch = Batch::new(&game, options(2));
    let mut memory = Memory::of(&batch);
    batch.reset(1, &mut memory.buffers());
    let legal = Actions::of(&game).legal(&game.start());
    for action in [-1, i64::MAX, 1_000_000] {
        let error = batch.step(&[legal[0].into(), action], &mut memory.buffers()).unwrap_err();
        assert_eq!(error, IllegalAction { game: 1, action });
    }
    assert_eq!(batch.position(0), Some(game.start()));
}

#[test]
fn of_several_illegal_actions_the_first_is_named_whoever_finds_it() {
    let game = load("tic-tac-toe");
    let mut batch = Batch::new(&game, BatchOptions { threads: 3, ..options(600) });
    let mut memory = Memory::of(&batch);
    batch.reset(1, &mut memory.buffers());
    let mut actions = vec![0; 600];
    (actions[17], actions[300], actions[599]) = (77, 78, 79);
    let error = batch.step(&actions, &mut memory.buffers()).unwrap_err();
    assert_eq!(error, IllegalAction { game: 17, action: 77 });
    assert!((0..600).all(|number| batch.position(number) == Some(game.start())));
    actions.fill(4);
    batch.step(&actions, &mut memory.buffers()).expect("legal actions");
    let played = game.start().apply("b2").expect("a legal move").position;
    assert!((0..600).all(|number| batch.position(number).as_ref() == Some(&played)));
}

#[test]
fn a_limit_cuts_games_off() {
    let game = load("chess");
    let mut batch = Batch::new(&game, BatchOptions { limit: Some(3), ..options(1) });
    let mut memory = Memory::of(&batch);
    batch.reset(1, &mut memory.buffers());
    let mut picked = [0];
    let mut cut = Vec::new();
    for _ in 0..6 {
        batch.step_randomly(&mut picked, &mut memory.buffers());
        cut.push(memory.truncated[0]);
    }
    assert_eq!(cut, [false, false, true, false, false, true]);
}

/// What an evaluator without an opinion says.
fn shrug(position: &Position) -> Evaluation {
    let players = position.game().players().count();
    Evaluation { priors: vec![1.0; position.legal().len()], values: vec![0.0; players] }
}

#[test]
fn a_tree_finds_the_move_that_wins() {
    let game = load("tic-tac-toe");
    let actions = Arc::new(Actions::of(&game));
    let line = ["a1", "b1", "a2", "b2"];
    let position = line
        .iter()
        .fold(game.start(), |position, event| position.apply(event).expect("legal").position);
    for batch in [1, 8] {
        let mut tree = Tree::new(&position, &actions, TreeOptions::default());
        let mut leaves = Vec::new();
        while tree.playouts() < 200 {
            tree.select(batch, &mut leaves);
            for leaf in leaves.drain(..) {
                let evaluation = shrug(&leaf.position);
                tree.expand(leaf, &evaluation);
            }
        }
        let best: Event = tree.best().expect("a move");
        assert_eq!(position.notate(best), "a3", "batches of {batch}");
    }
}

#[test]
fn a_tree_grows_through_dice_whatever_the_evaluator_says() {
    let game = load("backgammon");
    let actions = Arc::new(Actions::of(&game));
    let options = TreeOptions { noise: 0.25, seed: 3, ..TreeOptions::default() };
    let mut tree = Tree::new(&game.start(), &actions, options);
    let mut leaves = Vec::new();
    while tree.playouts() < 100 {
        tree.select(4, &mut leaves);
        for leaf in leaves.drain(..) {
            let odd = Evaluation { priors: vec![f32::NAN, -1.0], values: vec![f32::INFINITY] };
            tree.expand(leaf, &odd);
        }
    }
    // The start awaits dice: every playout went through one of their outcomes.
    let visits: u64 = tree.tally().iter().map(|(_, visits, _)| u64::from(*visits)).sum();
    assert_eq!(visits, tree.playouts());
}
