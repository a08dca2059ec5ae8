//! Modules answer as the interpreter does: lists in order, states word by word, counts of trees.
#![cfg(feature = "host")]

use std::sync::Arc;

use senet_core::backend::{Backend, PLACES, PackedEvent, Purpose, Session};
use senet_core::{Event, Game, Hint, Options, Plain, State, TileSet, Walker};
use senet_registry::lang::{Library, Source as Text, read};
use senet_testkit::{Case, Source, oracle, random, sample};
use senet_wasm::Wasmtime;

/// Compares a session with the interpreter in one state: the list, the count, and each state after.
fn agree_in(game: &Game, session: &mut dyn Session, state: &State) {
    let legal = game.legal(state);
    let mut packed = Vec::new();
    session.legal(state, &mut packed).expect("room for the list");
    let listed: Vec<_> = packed.iter().map(|&word| game.unpacked(word)).collect();
    let written = || serde_json::to_string(game.definition()).expect("a definition");
    assert_eq!(listed, legal, "{}", written());
    assert_eq!(session.count(state), Some(legal.len() as u64), "{}", game.name());
    // The targets of some events, and tiles that may be the target of none.
    let tiles = legal.iter().filter_map(|event| event.target()).step_by(5);
    for tile in tiles.chain(game.tiles().step_by(11)).take(6) {
        let mut onto = Vec::new();
        session.legal_onto(state, tile, &mut onto).expect("room for the list");
        let onto = onto.into_iter().map(|word| game.unpacked(word));
        let onto: Vec<_> = onto.filter(|event| event.target() == Some(tile)).collect();
        let mut wanted = legal.clone();
        wanted.retain(|event| event.target() == Some(tile));
        assert_eq!(onto, wanted, "{} {tile:?}", game.name());
    }
    let named = packed.iter().zip(&legal).filter(|(_, event)| event.target().is_some());
    for (&word, &event) in named.take(40) {
        agree_on_attempt(game, session, state, (word, event));
    }
    let words = game.program().tree_words();
    let events: Vec<Event> = legal.clone();
    for (number, (&word, event)) in packed.iter().zip(legal).take(40).enumerate() {
        let step = game.apply(state, event).expect("a legal event");
        let mut found = vec![0; words];
        if number < PLACES {
            session.place(number, state, word).expect("room for a state");
        }
        let hash = session.play(state, word, &mut found).expect("room for a state");
        assert_eq!(found, step.state.words()[..words], "{} {event:?}", game.name());
        assert_eq!(hash, step.state.hash128(), "{} {event:?}", game.name());
    }
    let places = events.len().min(PLACES);
    let done = if places > 0 { session.advance(places).expect("room for lists") } else { 0 };
    assert!(done > 0 || places == 0);
    for (number, &event) in events[..done].iter().enumerate() {
        let after = game.apply(state, event).expect("a legal event").state;
        let (mut found, mut next) = (vec![0; words], Vec::new());
        let (hash, ending) = session.placed(number, &mut found, &mut next).expect("it was played");
        assert_eq!(found, after.words()[..words], "{} {event:?}", game.name());
        assert_eq!(hash, after.hash128(), "{} {event:?}", game.name());
        let next: Vec<_> = next.into_iter().map(|word| game.unpacked(word)).collect();
        assert_eq!(next, game.legal(&after), "{} {event:?}", game.name());
        let outcome = match next.is_empty() {
            true => game.outcome(&after),
            false => game.outcome_with_events(&after),
        };
        let (found, known) =
            (ending.map(|(ending, _)| ending), outcome.map(|one| one.ending.index()));
        assert_eq!(found, known, "{} {event:?}", game.name());
    }
}

/// Compares what a session makes of an event whose rule it is not told, and of one that is not legal.
fn agree_on_attempt(
    game: &Game,
    session: &mut dyn Session,
    state: &State,
    (word, event): (PackedEvent, Event),
) {
    let step = game.apply(state, event).expect("a legal event");
    let mut found = vec![0; game.program().tree_words()];
    let told = session.attempt(state, word & !0xffff, &mut found);
    let known = (step.rule.index(), step.state.hash128());
    assert_eq!(told, Some(Some(known)), "{} {event:?}", game.name());
    assert_eq!(found, step.state.words()[..found.len()], "{} {event:?}", game.name());
    let unknown = word | 0x7ffe_0000;
    assert_eq!(session.attempt(state, unknown & !0xffff, &mut found), Some(None));
}

/// The same game, played by a backend.
fn with_backend(game: &Game, backend: &Arc<Wasmtime>) -> Game {
    let fast = game.definition().clone().compile(Options::default()).expect("it was compiled");
    assert_eq!(fast.definition_hash(), game.definition_hash(), "{}", game.name());
    fast.attach(backend.clone());
    fast
}

/// Compares whole steps with those of a game that has a backend: which rule accepts an event, and which
/// piece then stands where.
fn agree_on_steps(game: &Game, fast: &Game, state: &State) {
    let (mut walker, mut legal) = (fast.walker(), Vec::new());
    walker.legal(state, &mut legal);
    for accepted in legal.into_iter().take(40) {
        let step = game.apply(state, accepted.event()).expect("a legal event");
        assert_eq!(fast.apply(state, accepted.event()).as_ref(), Ok(&step), "{}", game.name());
        assert_eq!(walker.play(state, accepted), step.state, "{} {accepted:?}", game.name());
    }
    agree_on_hints(game, &mut walker, state);
    // A piece that stays where it is plays nothing, wherever that is not a move of the game.
    for tile in game.tiles().take(8) {
        let stays = Event::step(tile, tile);
        let legal = game.legal(state).contains(&stays);
        assert_eq!(fast.apply(state, stays).is_ok(), legal, "{}", game.name());
    }
}

/// Compares moves that are said by what goes where with steps: one alone, and one after another. Gives how
/// many were played.
fn agree_on_hints(game: &Game, walker: &mut Walker<'_>, state: &State) -> usize {
    let all: TileSet = game.tiles().collect();
    let some: TileSet = game.tiles().step_by(2).collect();
    let legal = game.legal(state);
    let mut played = 0;
    for &event in legal.iter().take(30) {
        let Event::Move { from, to, choice } = event else { continue };
        let Some(kind) = game.view(state).kind_at(from) else { continue };
        let alone = TileSet::from_iter([from]);
        for sources in [&all, &some, &alone] {
            let hint = Hint { kind, from: sources, to, choice };
            let known = sole(game, state, hint);
            let (mut after, mut events) = (state.clone(), Vec::new());
            let done = walker.replay(&mut after, &[hint], &mut events);
            assert_eq!(done, events.len());
            if done == 1 {
                assert_eq!(known, Some(events[0]), "{} {hint:?}", game.name());
                let step = game.apply(state, events[0]).expect("a legal event");
                assert_eq!(after, step.state, "{} {hint:?}", game.name());
                played += 1;
            }
            assert!(done == 1 || after == *state, "{} {hint:?}", game.name());
        }
    }
    played
}

/// The only legal move that a hint fits.
fn sole(game: &Game, state: &State, hint: Hint<'_>) -> Option<Event> {
    let fits = |event: &Event| match *event {
        Event::Move { from, to, choice } => {
            (to, choice) == (hint.to, hint.choice)
                && hint.from.contains(from)
                && game.view(state).is_kind(from, hint.kind)
        }
        _ => false,
    };
    let fitting: Vec<Event> = game.legal(state).into_iter().filter(fits).collect();
    (fitting.len() == 1).then(|| fitting[0])
}

/// Random games said by what goes where, with a word that fits no move or several in their middle. Gives how
/// many moves were played together.
fn agree_on_sequences(game: &Game, fast: &Game) -> usize {
    let (mut walker, all) = (fast.walker(), game.tiles().collect::<TileSet>());
    let mut together = 0;
    for number in 0..12 {
        let mut source = Source::for_game(3, number);
        let (mut state, mut hints, mut states) = (game.start(), Vec::new(), Vec::new());
        for _ in 0..100 {
            let legal = game.legal(&state);
            let Some(event) = source.pick(&legal) else { break };
            let (Event::Move { from, to, choice }, view) = (event, game.view(&state)) else {
                break;
            };
            let Some(kind) = view.kind_at(from) else { break };
            hints.push(Hint { kind, from: &all, to, choice });
            states.push(state.clone());
            state = game.apply(&state, event).expect("a legal event").state;
        }
        states.push(state);
        let mut at = 0;
        while at < hints.len() {
            let (mut after, mut events) = (states[at].clone(), Vec::new());
            let done = walker.replay(&mut after, &hints[at..], &mut events);
            // A game that goes another way is another game.
            let mut wanted = states[at].clone();
            for (hint, &event) in hints[at..].iter().zip(&events) {
                assert_eq!(sole(game, &wanted, *hint), Some(event), "{}", game.name());
                wanted = game.apply(&wanted, event).expect("a legal event").state;
            }
            assert_eq!((after, done), (wanted, events.len()), "{}", game.name());
            together = together.max(done);
            at += done + 1;
        }
    }
    together
}

#[test]
fn moves_that_are_said_by_what_goes_where_are_played_alike() {
    // Rules that move two pieces, that explode, that promote, that stack, and boards of several words.
    for (name, least) in [
        ("chess", 15),
        ("atomic", 10),
        ("capablanca", 10),
        ("xiangqi", 10),
        ("breakthrough", 10),
        ("draughts", 0),
        ("backgammon", 0),
        ("three-check", 10),
    ] {
        let entry = senet_registry::find(name).expect(name);
        let game = entry.definition().compile(Options::default()).expect(name);
        let backend = Arc::new(Wasmtime::new());
        let fast = with_backend(&game, &backend);
        backend.compile(&fast, Purpose::Play).expect(name);
        let together = agree_on_sequences(&game, &fast);
        assert!(together >= least, "{name}: {together}");
        let mut played = 0;
        let case = Case::new(game, &Plain);
        for state in case.walk(5).states.iter().take(40) {
            played += agree_on_hints(&case.game, &mut fast.walker(), state);
        }
        assert!(played >= least, "{name}: {played}");
    }
}

/// Sessions that walk trees, by counting the last events and by making them.
struct Trees {
    counting: Box<dyn Session>,
    making: Box<dyn Session>,
}

impl Trees {
    fn new(game: &Game, backend: &Wasmtime) -> Result<Trees, String> {
        let counting = backend.session(game, Purpose::Count)?;
        Ok(Trees { counting, making: backend.session(game, Purpose::Make)? })
    }

    /// Compares trees below a state with those of the interpreter, as long as they are small.
    fn agree_in(&mut self, game: &Game, state: &State) {
        for depth in 1..=2 {
            let nodes = game.perft(state, depth);
            if nodes > 2_000 {
                break;
            }
            let written = || serde_json::to_string(game.definition()).expect("a definition");
            assert_eq!(self.counting.perft(state, depth, u64::MAX), Some(nodes), "{}", written());
            let leaves = game.perft_made(state, depth);
            let made = self.making.perft_made(state, depth, u64::MAX);
            assert_eq!(made, Some(leaves), "{}", written());
        }
    }
}

/// Plays games at random and compares every state on the way.
fn agree(game: &Game, games: u64, plies: usize) -> Result<(), String> {
    let backend = Arc::new(Wasmtime::new());
    let mut session = backend.session(game, Purpose::Play)?;
    let mut trees = Trees::new(game, &backend)?;
    let fast = with_backend(game, &backend);
    for number in 0..games {
        let mut source = Source::for_game(7, number);
        let mut state = game.start();
        for ply in 0..plies {
            agree_in(game, &mut *session, &state);
            agree_on_steps(game, &fast, &state);
            if ply % 8 == 0 {
                trees.agree_in(game, &state);
            }
            let legal = game.legal(&state);
            let Some(event) = source.pick(&legal) else { break };
            state = game.apply(&state, event).expect("a legal event").state;
        }
    }
    let start = game.start();
    for depth in 1..=3 {
        let nodes = game.perft(&start, depth);
        if nodes > 100_000 {
            break;
        }
        let counted = trees.counting.perft(&start, depth, u64::MAX);
        assert_eq!(counted, Some(nodes), "{}", game.name());
        let leaves = game.perft_made(&start, depth);
        assert_eq!(trees.making.perft_made(&start, depth, u64::MAX), Some(leaves));
    }
    Ok(())
}

#[test]
fn shipped_games_are_played_alike() {
    for entry in senet_registry::GAMES {
        let game = entry.definition().compile(Options::default()).expect(entry.name);
        // What players do not see is left to the engine.
        if game.has_secrets() {
            continue;
        }
        let plies = if game.tile_count() > 64 { 60 } else { 120 };
        agree(&game, 2, plies).unwrap_or_else(|why| panic!("{}: {why}", entry.name));
    }
}

/// A game from its text, played alike by the oracle, the interpreter and the module.
fn agree_on_text(text: &str) {
    let file = read(&Text::new("test", text)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let game = file.compile(Options::default()).unwrap_or_else(|why| panic!("{text}: {why}"));
    agree(&game, 3, 40).unwrap_or_else(|why| panic!("{text}: {why}"));
    let case = Case::new(game, &Plain);
    for state in case.walk(3).states.iter().take(40).step_by(2) {
        oracle::agree_in(&case.game, state);
    }
}

#[test]
fn tiles_at_a_distance_are_those_whose_distance_is_measured() {
    // Distances of 0, below and beyond what there is, around a ring and along lines that end.
    for board in ["ring 7 prefix t", "track 7 prefix t"] {
        let along = if board.starts_with("ring") { "clockwise" } else { "forward" };
        for asked in ["= steps - 3", "!= steps - 3", "= 12 - steps - steps"] {
            agree_on_text(&format!(
                "game far\nplayers one, two\nboard {board}\nmark spot\npiece stone\n\
                 variable steps 0..30\nput stone on empty\n  then steps += 1\n  \
                 then unmark board as spot\n  then mark union tile in board where \
                 distance(to, {along}, tile) {asked}: tile as spot\n\
                 draw \"full\" none empty\n"
            ));
        }
    }
}

#[test]
fn what_is_ensured_is_tried_where_it_is_not_known_before() {
    let text = senet_registry::Shipped.source("oware").expect("a shipped game").text;
    let text = text.split("test perft").next().unwrap_or_default();
    let ensured = "ensure any theirs & seeds";
    let edits: &[(&str, &str)] = &[
        ("", ""),
        (ensured, "ensure any side & seeds"),
        (ensured, "ensure any theirs & stack(5, anyone)"),
        (ensured, "ensure any theirs & seeds and any side & seeds"),
        (ensured, "ensure any theirs & seeds and count(theirs & seeds) >= 5"),
        ("if any theirs & (seeds - prize):", "if any theirs & seeds:"),
        ("if any theirs & (seeds - prize):", "if any side & (seeds - prize):"),
        ("skip to count steps", "count steps"),
        ("put pointer on side & seeds", "put pointer on seeds"),
    ];
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        agree_on_text(&text.replacen(from, to, 1));
    }
}

#[test]
fn samples_are_played_alike() {
    for game in sample::all() {
        if let Err(why) = agree(&game, 6, 60) {
            assert!(why.contains("has no WebAssembly form"), "{}: {why}", game.name());
        }
    }
}

#[test]
fn random_definitions_are_played_alike() {
    let (mut played, mut left) = (0, 0);
    for seed in 0..1500 {
        let mut source = Source::seeded(seed);
        let definition = random::definition(&mut |bound| source.below(bound));
        let Ok(game) = definition.compile(Options::default()) else { continue };
        let backend = Arc::new(Wasmtime::new());
        let mut session = match backend.session(&game, Purpose::Play) {
            Ok(session) => session,
            Err(why) => {
                println!("no module: {why}");
                left += 1;
                continue;
            }
        };
        // Most of the time goes into compiling modules.
        let trees = (seed % 3 == 0).then(|| Trees::new(&game, &backend));
        let mut trees = trees.map(|trees| trees.expect("what can be played has trees"));
        let fast = with_backend(&game, &backend);
        let case = Case::new(game, &senet_core::Plain);
        for state in case.walk(seed).states.iter().take(12) {
            agree_in(&case.game, &mut *session, state);
            agree_on_steps(&case.game, &fast, state);
            if let Some(trees) = &mut trees {
                trees.agree_in(&case.game, state);
            }
        }
        played += 1;
    }
    // What looks ahead or back over whole positions is left to the interpreter.
    assert!(played > 150, "{played} played, {left} without a module");
}

#[test]
fn random_games_of_stones_are_played_alike() {
    for seed in 0..120 {
        let mut source = Source::seeded(seed);
        let definition = random::stones(&mut |bound| source.below(bound));
        let game = definition.compile(Options::default()).expect("a sound definition");
        let mut session = Wasmtime::new().session(&game, Purpose::Play).expect("a module");
        let case = Case::new(game, &senet_core::Plain);
        for state in case.walk(seed).states.iter().take(12) {
            agree_in(&case.game, &mut *session, state);
        }
    }
}

#[test]
fn a_tree_that_is_too_large_is_not_answered() {
    let entry = senet_registry::find("chess").expect("chess");
    let game = entry.definition().compile(Options::default()).expect("chess");
    let mut session = Wasmtime::new().session(&game, Purpose::Count).expect("a session");
    assert_eq!(session.perft(&game.start(), 6, 1_000), None);
    assert_eq!(session.perft(&game.start(), 3, 1_000), Some(8_902));
}
