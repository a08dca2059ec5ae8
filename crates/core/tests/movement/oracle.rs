//! What the charter means, written down a second time: plain recursion over the names of a
//! definition, with nothing of the engine in it.
//!
//! An oracle can be given a [`Flaw`]. It then is a deliberately wrong resolver, and the suite must
//! tell it from the engine.

use std::collections::BTreeMap;

use senet_core::Definition;
use senet_core::written::{Capacity, Pattern, Piece, Player, Reach};

use crate::engine::Journey;

/// One mistake that a resolver could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Slides on over pieces of its own side.
    IgnoresFriendlyBlocker,
    /// Slides on over pieces of the other side.
    PassesThroughEnemy,
    /// Takes the shortest path of all patterns instead of the first pattern's.
    GlobalShortest,
    /// Returns the way up to whatever ends a ray before the target.
    PartialPrefix,
    /// Picks a way as if the board were empty and then finds it blocked.
    SelectsBeforeFiltering,
    /// Of two rays of one length takes the direction declared last.
    WrongTie,
    /// Lands on pieces of its own side.
    CapturesFriend,
    /// Goes round a ring through its own source.
    LoopsPastSource,
    /// Refuses a leap over an occupied tile.
    InspectsLeaptTiles,
    /// Takes the last pattern that leads there.
    LastPatternWins,
    /// Takes an ally for an enemy.
    AllyIsEnemy,
    /// Lets pieces on tiles that hold many block and be captured.
    StackBlocks,
    /// Repeats directions that may be taken once.
    OnceRepeats,
    /// Lets a leap end where its steps run off the board.
    LeapStopsShort,
}

/// Resolves paths on a definition as it is set up.
pub(crate) struct Oracle<'d> {
    definition: &'d Definition,
    /// The relation that leaves a tile in a direction.
    steps: BTreeMap<(&'d str, &'d str), usize>,
    /// Whose piece stands on a tile that blocks.
    standing: BTreeMap<&'d str, &'d str>,
    flaw: Option<Flaw>,
}

/// One question.
#[derive(Clone, Copy)]
struct Request<'q> {
    owner: &'q Player,
    from: &'q str,
    to: &'q str,
}

/// A way through the board, before anyone looks at its end.
struct Way {
    relations: Vec<usize>,
    leaps: bool,
}

impl<'d> Oracle<'d> {
    pub(crate) fn new(definition: &'d Definition) -> Self {
        Oracle::flawed(definition, None)
    }

    pub(crate) fn flawed(definition: &'d Definition, flaw: Option<Flaw>) -> Self {
        let steps = definition.relations.iter().enumerate();
        let steps = steps.map(|(index, one)| ((one.from.as_str(), one.direction.as_str()), index));
        let exclusive = |name: &str| {
            let tile = definition.tiles.iter().find(|tile| tile.name == name);
            tile.is_some_and(|tile| tile.holds == Capacity::One)
        };
        let standing = definition.setup.iter().filter_map(|placement| {
            let blocks = exclusive(&placement.tile) || flaw == Some(Flaw::StackBlocks);
            let piece = definition.pieces.iter().find(|piece| piece.name == placement.piece)?;
            blocks.then_some((placement.tile.as_str(), piece.owner.as_str()))
        });
        Oracle { definition, steps: steps.collect(), standing: standing.collect(), flaw }
    }

    /// The path of the first pattern that leads from tile to tile past whatever stands there.
    pub(crate) fn resolve(&self, piece: &str, from: &str, to: &str) -> Option<Journey> {
        if from == to && !self.has(Flaw::LoopsPastSource) {
            return None;
        }
        let (piece, owner) = self.piece(piece);
        let request = Request { owner, from, to };
        let kind = self.definition.kinds.iter().find(|kind| kind.name == piece.kind)?;
        if self.has(Flaw::SelectsBeforeFiltering) {
            let open = Oracle { standing: BTreeMap::new(), ..Oracle::new(self.definition) };
            let way = kind.patterns.iter().find_map(|pattern| open.way(pattern, request))?;
            return self.obstacle(&way, request).is_none().then(|| self.land(way, request))?;
        }
        let mut found = kind.patterns.iter().filter_map(|pattern| {
            let way = self.way(pattern, request)?;
            self.land(way, request)
        });
        match self.flaw {
            Some(Flaw::GlobalShortest) => found.min_by_key(|journey| journey.relations.len()),
            Some(Flaw::LastPatternWins) => found.next_back(),
            _ => found.next(),
        }
    }

    /// The first tile that stops the first pattern that would lead there on an empty board.
    pub(crate) fn blocker(&self, piece: &str, from: &str, to: &str) -> Option<&str> {
        if from == to || self.resolve(piece, from, to).is_some() {
            return None;
        }
        let open = Oracle { standing: BTreeMap::new(), ..Oracle::new(self.definition) };
        let (piece, owner) = self.piece(piece);
        let request = Request { owner, from, to };
        let kind = self.definition.kinds.iter().find(|kind| kind.name == piece.kind)?;
        let way = kind.patterns.iter().find_map(|pattern| open.way(pattern, request))?;
        self.obstacle(&way, request)
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    fn piece(&self, name: &str) -> (&'d Piece, &'d Player) {
        let piece = self.definition.pieces.iter().find(|piece| piece.name == name);
        let piece = piece.expect("a piece of the definition");
        let owner = self.definition.players.iter().find(|player| player.name == piece.owner);
        (piece, owner.expect("a player of the definition"))
    }

    /// How one pattern leads to the target, whoever stands on it.
    fn way(&self, pattern: &Pattern, request: Request<'_>) -> Option<Way> {
        match pattern {
            Pattern::Null | Pattern::Any => None,
            Pattern::Direction(name, reach) => self.ray(name, *reach, request),
            Pattern::MultiDirection(names, reach) => {
                let mut best: Option<Way> = None;
                for way in names.iter().filter_map(|name| self.ray(name, *reach, request)) {
                    let better = best.as_ref().is_none_or(|best| {
                        let (found, least) = (way.relations.len(), best.relations.len());
                        found < least || (found == least && self.has(Flaw::WrongTie))
                    });
                    if better {
                        best = Some(way);
                    }
                }
                best
            }
            Pattern::Fixed(names) => {
                let relations = self.leap(request.from, names, request)?;
                let last =
                    relations.last().map(|&index| self.definition.relations[index].to.as_str());
                let arrives = last.unwrap_or(request.from) == request.to;
                (arrives && !relations.is_empty()).then_some(Way { relations, leaps: true })
            }
        }
    }

    fn ray(&self, name: &str, reach: Reach, request: Request<'_>) -> Option<Way> {
        let reach = if self.has(Flaw::OnceRepeats) { Reach::Repeat } else { reach };
        let direction = self.meaning(name, request.owner);
        let seen = match self.flaw {
            Some(Flaw::LoopsPastSource) => Vec::new(),
            _ => vec![request.from],
        };
        let relations = self.follow(request.from, direction, reach, seen, request)?;
        Some(Way { relations, leaps: false })
    }

    /// The relations from a tile along a direction to the target.
    fn follow<'q>(
        &'q self,
        at: &str,
        direction: &str,
        reach: Reach,
        mut seen: Vec<&'q str>,
        request: Request<'q>,
    ) -> Option<Vec<usize>> {
        let index = *self.steps.get(&(at, direction))?;
        let next = self.definition.relations[index].to.as_str();
        if next == request.to {
            return Some(vec![index]);
        }
        let ends = seen.contains(&next) || reach == Reach::Once || self.stops(next, request.owner);
        seen.push(next);
        let rest = match ends {
            true => None,
            false => self.follow(next, direction, reach, seen, request),
        };
        match rest {
            Some(rest) => Some([vec![index], rest].concat()),
            None => self.has(Flaw::PartialPrefix).then(|| vec![index]),
        }
    }

    /// The relations of a leap from a tile.
    fn leap(&self, at: &str, names: &[String], request: Request<'_>) -> Option<Vec<usize>> {
        let Some((name, later)) = names.split_first() else {
            return Some(Vec::new());
        };
        let Some(&index) = self.steps.get(&(at, self.meaning(name, request.owner))) else {
            return self.has(Flaw::LeapStopsShort).then(Vec::new);
        };
        let next = self.definition.relations[index].to.as_str();
        let inspected = self.has(Flaw::InspectsLeaptTiles) && !later.is_empty();
        if inspected && self.standing.contains_key(next) {
            return None;
        }
        let rest = self.leap(next, later, request)?;
        Some([vec![index], rest].concat())
    }

    /// Looks at the end of a way: a friend forbids it, an enemy is taken.
    fn land(&self, way: Way, request: Request<'_>) -> Option<Journey> {
        let standing = self.standing.get(request.to).filter(|_| request.from != request.to);
        let capture = match standing {
            Some(owner) if self.is_friend(owner, request.owner) => {
                self.has(Flaw::CapturesFriend).then_some(Some((*owner).to_owned()))?
            }
            Some(owner) => Some((*owner).to_owned()),
            None => None,
        };
        Some(Journey { relations: way.relations, capture })
    }

    /// The first tile of a way that stops it.
    fn obstacle(&self, way: &Way, request: Request<'_>) -> Option<&'d str> {
        let entered = way.relations.iter().map(|&index| &self.definition.relations[index]);
        let mut entered = entered.map(|relation| relation.to.as_str());
        entered.find(|tile| match self.standing.get(tile) {
            None => false,
            Some(owner) if *tile == request.to => self.is_friend(owner, request.owner),
            Some(_) => !way.leaps,
        })
    }

    /// Whether what stands on a tile ends a ray there.
    fn stops(&self, tile: &str, mover: &Player) -> bool {
        let Some(owner) = self.standing.get(tile) else {
            return false;
        };
        match self.flaw {
            Some(Flaw::IgnoresFriendlyBlocker) => !self.is_friend(owner, mover),
            Some(Flaw::PassesThroughEnemy) => self.is_friend(owner, mover),
            _ => true,
        }
    }

    fn is_friend(&self, owner: &str, mover: &Player) -> bool {
        let team = |name: &str| {
            let player = self.definition.players.iter().find(|player| player.name == name);
            player.and_then(|player| player.team.as_deref())
        };
        let allied = mover.team.is_some() && team(owner) == mover.team.as_deref();
        owner == mover.name || (allied && !self.has(Flaw::AllyIsEnemy))
    }

    /// The direction of the board that a name in a pattern means to a player.
    fn meaning<'n>(&self, name: &'n str, player: &'n Player) -> &'n str {
        if self.definition.directions.iter().any(|direction| direction == name) {
            return name;
        }
        let facing = player.directions.iter().find(|facing| facing.name == name);
        facing.map_or(name, |facing| &facing.direction)
    }
}
