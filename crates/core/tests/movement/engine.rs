//! One definition under all sixteen options, asked in every way there is.

use senet_core::builder::Board;
use senet_core::builder::Builder;
use senet_core::layers::{Capture, Layer, Metrics, Path, PathOptions, Skip};
use senet_core::written::{Kind, Pattern, Phase, Player, Reach, Rule};
use senet_core::{Definition, Game, Options, RelationId, State};

/// One journey: the relations by their place in the definition, and whose piece is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Journey {
    pub(crate) relations: Vec<usize>,
    pub(crate) capture: Option<String>,
}

/// A game compiled under all options.
pub(crate) struct Engine {
    games: Vec<(Game, State)>,
}

/// Every combination of options, the one with everything switched on first.
pub(crate) fn all_options() -> impl Iterator<Item = PathOptions> {
    (0..16).rev().map(|bits| PathOptions {
        compiled_patterns: bits & 1 != 0,
        bitboards: bits & 2 != 0,
        sliding_fast_path: bits & 4 != 0,
        adjacency_cache: bits & 8 != 0,
    })
}

/// Writes a game of one piece, called `mover`, that travels by these patterns, among stones that
/// stay where they are: whose, and where.
pub(crate) fn write(
    board: Board,
    players: Vec<Player>,
    patterns: &[Pattern],
    (owner, home): (&str, Option<&str>),
    stones: &[(String, String)],
) -> Definition {
    let kind = Kind { patterns: patterns.to_vec(), ..Kind::new("mover") };
    let mut builder = Builder::new("scene")
        .players(players)
        .board(board)
        .kind(kind)
        .kind("stone")
        .piece("mover", owner, "mover")
        .action("pass")
        .phase(Phase::leaf("play").rule(Rule::acts("rest", "pass")));
    if let Some(tile) = home {
        builder = builder.place("mover", tile);
    }
    for (owner, tile) in stones {
        builder = builder.pieces_on(owner, "stone", [tile]);
    }
    builder.build()
}

/// The game with some path options.
pub(crate) fn compile(definition: &Definition, paths: PathOptions) -> Game {
    let options = Options { paths, ..Options::default() };
    match definition.clone().compile(options) {
        Ok(game) => game,
        Err(errors) => panic!("{errors}"),
    }
}

impl Engine {
    pub(crate) fn new(definition: &Definition) -> Engine {
        let games = all_options().map(|paths| {
            let game = compile(definition, paths);
            let start = game.start();
            (game, start)
        });
        Engine { games: games.collect() }
    }

    /// The game with everything switched on, and its start.
    pub(crate) fn game(&self) -> (&Game, &State) {
        let (game, state) = &self.games[0];
        (game, state)
    }

    /// All games, and their starts.
    pub(crate) fn games(&self) -> &[(Game, State)] {
        &self.games
    }

    /// The one answer that the dispatcher, with and without metrics, and every layer alone give
    /// under all options.
    pub(crate) fn ask(&self, from: &str, to: &str) -> Option<Journey> {
        let first = dispatch(&self.games[0].0, &self.games[0].1, from, to);
        for (game, state) in &self.games {
            let options = game.options().paths;
            let place = format!("{from} to {to} with {options:?}");
            assert_eq!(dispatch(game, state, from, to), first, "dispatcher, {place}");
            for layer in Layer::ALL {
                let alone = ask_layer(game, state, layer, from, to);
                let expected = match expected_skip(game, layer, from == to) {
                    Some(skip) => Err(skip),
                    None => Ok(first.clone()),
                };
                assert_eq!(alone, expected, "{layer:?}, {place}");
            }
        }
        first
    }
}

/// What the dispatcher of one game answers: the same with metrics and without, and the same as
/// the set of targets.
pub(crate) fn dispatch(game: &Game, state: &State, from: &str, to: &str) -> Option<Journey> {
    let piece = game.piece("mover").expect("every scene has a mover");
    let [source, target] = [from, to].map(|name| game.tile(name).expect("a tile of the scene"));
    let path = game.resolve_path(state, piece, source, target);
    let mut metrics = Metrics::default();
    let observed = game.paths().resolve_observed(state, piece, source, target, &mut metrics);
    assert_eq!(path, observed, "metrics change no answer");
    let hits: u64 = Layer::ALL.map(|layer| metrics.of(layer).hits).iter().sum();
    assert_eq!(hits, u64::from(path.is_some()), "a path is one hit, none is no hit");
    let targets = game.paths().targets(state, piece, source);
    assert_eq!(targets.contains(target), path.is_some(), "targets, {from} to {to}");
    path.map(|path| journey(game, &path, from, to))
}

fn ask_layer(
    game: &Game,
    state: &State,
    layer: Layer,
    from: &str,
    to: &str,
) -> Result<Option<Journey>, Skip> {
    let piece = game.piece("mover").expect("every scene has a mover");
    let [source, target] = [from, to].map(|name| game.tile(name).expect("a tile of the scene"));
    let answer = game.paths().resolve_by(layer, state, piece, source, target)?;
    Ok(answer.map(|path| journey(game, &path, from, to)))
}

/// Reads a path, which must be a whole chain of relations from the source to the target.
fn journey(game: &Game, path: &Path<'_>, from: &str, to: &str) -> Journey {
    let relations: Vec<usize> = path.relations().map(RelationId::index).collect();
    assert_eq!(relations.len(), path.len(), "no part is missing");
    assert_eq!((game.tile_name(path.from()), game.tile_name(path.to())), (from, to));
    let mut at = from;
    let mut distance = 0;
    for relation in relations.iter().map(|&index| &game.definition().relations[index]) {
        assert_eq!(relation.from, at, "each relation leaves where the last one entered");
        at = &relation.to;
        distance += u64::from(relation.distance);
    }
    assert_eq!((at, distance), (to, path.distance()));
    let tiles: Vec<&str> = path.tiles().map(|tile| game.tile_name(tile)).collect();
    assert_eq!((tiles.first(), tiles.last()), (Some(&from), Some(&to)));
    let capture = match path.capture() {
        Capture::None => None,
        Capture::Enemy(player) => Some(game.player_name(player).to_owned()),
    };
    Journey { relations, capture }
}

/// Why a layer must pass a request on, as read from the written patterns.
pub(crate) fn expected_skip(game: &Game, layer: Layer, zero_length: bool) -> Option<Skip> {
    let options = game.options().paths;
    let patterns = &game.definition().kinds[0].patterns;
    let slides = patterns.iter().any(|pattern| match pattern {
        Pattern::Direction(_, reach) => *reach == Reach::Repeat,
        Pattern::MultiDirection(names, reach) => *reach == Reach::Repeat && !names.is_empty(),
        Pattern::Fixed(_) | Pattern::Null | Pattern::Any => false,
    });
    let travels = patterns.iter().any(|pattern| match pattern {
        Pattern::Direction(..) | Pattern::Fixed(_) => true,
        Pattern::MultiDirection(names, _) => !names.is_empty(),
        Pattern::Null | Pattern::Any => false,
    });
    match layer {
        _ if zero_length => Some(Skip::ZeroLength),
        Layer::Sliding if !options.sliding_fast_path => Some(Skip::SwitchedOff),
        Layer::Sliding if !options.bitboards => Some(Skip::NoBitboards),
        Layer::Sliding if !slides => Some(Skip::NotSliding),
        Layer::Compiled if !options.compiled_patterns => Some(Skip::SwitchedOff),
        Layer::Compiled if !travels => Some(Skip::NotCompiled),
        _ => None,
    }
}
