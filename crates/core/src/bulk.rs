//! Turns by dice whose results can be counted without being made.
//!
//! Where one rule alone moves pieces for a whole turn, along ways that stay as they are, a result is
//! known by which pieces went where. That takes little of the rules: targets are told apart by their
//! sources, two numbers lead to the same tile in either order, and a move changes nothing else that
//! another depends on.

use crate::game::Game;
use crate::id::{PhaseId, PlayerId, RuleId, TileId};
use crate::independence::{clear_of, independent, is_last_die, none_of_own, source_tiles};
use crate::ir::FunctionId;
use crate::lower::fact::{Part, conjuncts, outline, uses};
use crate::lower::normal::bare;
use crate::lower::rest::keeps;
use crate::tile_set::TileSet;
use crate::typed::{Condition, Effect, Movement, Rule, Seat, Set, Tile, Track, Truth, Wanted, Way};
use crate::written::Listing;

/// A rule whose moves by dice make up whole turns, which the player to move ends by using the last die.
/// Sets of tiles are by word.
///
/// Where no piece of the player stands on tiles that must be clear, the rule moves pieces on its sources
/// to where a number leads, if the target is open; which are open stays as it is for the turn. No other
/// rule of the phase moves a piece as long as one of the player's stands on tiles that keep it closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bulk {
    /// The rule.
    pub rule: usize,
    /// Tiles whose pieces it moves.
    pub sources: Vec<u64>,
    /// Tiles on which no piece of the player may stand; then none comes to stand there.
    pub clear: Vec<u64>,
    /// For each other rule of play what keeps it closed.
    pub closing: Vec<Closed>,
    /// The players of whom a move takes a piece off its target, a bit for each.
    pub captures: u64,
}

/// What keeps a rule closed for a whole turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// A piece of the player on one of these tiles, by word.
    By(Vec<u64>),
    /// That a function answers that a condition does not hold, which no move changes.
    Unless(FunctionId),
}

/// The rule of a phase whose turns can be counted for a player, if there is one.
pub(crate) fn bulk(game: &Game, phase: PhaseId, player: PlayerId) -> Option<Bulk> {
    // A piece is known by its tile and its owner alone.
    if game.flags().next().is_some() && !game.exclusive.is_empty() {
        return None;
    }
    let lasting = independent(game, phase, player).into_iter().filter(|one| one.stays);
    lasting.map(|one| RuleId::at(one.rule)).find_map(|id| {
        let plays = |one: &&RuleId| {
            let listing = game.rules[one.index()].written.listing;
            **one != id && listing == Listing::Play
        };
        let others = game.leaves[phase.index()].rules.iter().filter(plays);
        let closing = others.map(|other| closing(game, *other, player));
        let closing: Vec<Closed> = closing.collect::<Option<_>>()?;
        let rule = &game.rules[id.index()];
        let Wanted::Move(movement) = &rule.wants else { return None };
        let Way::Dice(track) = &movement.way else { return None };
        let source = source_tiles(game, &movement.source, player)?;
        let asked = asked_of_source(game, rule, player)?;
        let sources = source & asked.within;
        let captures = match &rule.before[..] {
            [] => 0,
            // An independent move does nothing before but to capture on its target.
            [_] => !game.spared(player),
            _ => return None,
        };
        let ways = Ways { game, player, movement, track, sources };
        let words = |tiles: &TileSet| tiles.words()[..game.layout.width].to_vec();
        (ends_turn(game, rule, track, player) && ways.are_plain()).then(|| Bulk {
            rule: id.index(),
            sources: words(&sources),
            clear: words(&asked.clear),
            closing,
            captures: captures & ((1 << game.layout.players) - 1),
        })
    })
}

/// What keeps a rule closed that may move pieces otherwise.
fn closing(game: &Game, id: RuleId, player: PlayerId) -> Option<Closed> {
    let rule = &game.rules[id.index()];
    let parts = conjuncts(&rule.when);
    let tiles = parts.iter().find_map(|one| clear_of(game, one, player));
    if let Some(tiles) = tiles {
        return Some(Closed::By(tiles.words()[..game.layout.width].to_vec()));
    }
    let plays = |id: &RuleId| game.rules[id.index()].written.listing != Listing::Aside;
    let steady = |one: &&&Condition| {
        let mut others = game.leaves[rule.phase.index()].rules.iter().filter(|id| plays(id));
        others.all(|other| keeps(&game.rules[other.index()], one))
    };
    let number = parts.iter().find(steady)?.number;
    let code = &game.entries.rules[id.index()][player.index()];
    let asked = code.conditions.iter().find(|(one, _)| *one == number);
    asked.map(|(_, function)| Closed::Unless(*function))
}

/// What is asked of a source: that it lies within some tiles, if others are clear.
struct OfSource {
    within: TileSet,
    clear: TileSet,
}

/// What the conditions of an independent rule ask of a source, if that does not depend on the pieces
/// beyond it. Conditions on the target are part of which targets are open, and all others hold for the
/// whole turn.
fn asked_of_source(game: &Game, rule: &Rule, player: PlayerId) -> Option<OfSource> {
    let mut all = OfSource { within: game.all_tiles, clear: TileSet::EMPTY };
    for one in conjuncts(&rule.when) {
        let parts = match &one.test {
            Truth::Any(any) => any.iter().collect(),
            _ => vec![one],
        };
        let is_clear = parts.iter().find_map(|part| clear_of(game, part, player));
        if let Some(clear) = is_clear {
            all.clear = all.clear | clear;
            continue;
        }
        if parts.iter().any(|part| none_of_own(game, part).is_some()) {
            return None;
        }
        let asks_event = |part: &&Condition| {
            let asked = uses(Part::Truth(part));
            asked.from || asked.to
        };
        if !parts.iter().any(asks_event) {
            continue;
        }
        let tiles = parts.iter().map(|part| match &bare(part).test {
            Truth::In(Tile::From, Set::Const(regions)) => Some(regions[player.index()]),
            _ => None,
        });
        match tiles.collect::<Option<Vec<TileSet>>>() {
            Some(tiles) => {
                let any = tiles.into_iter().fold(TileSet::EMPTY, |any, tiles| any | tiles);
                all.within = all.within & any;
            }
            None if parts.len() > 1 => return None,
            None => {}
        }
    }
    Some(all)
}

/// Whether somebody else has the turn after a move of a rule that uses the last die.
fn ends_turn(game: &Game, rule: &Rule, track: &Track, player: PlayerId) -> bool {
    let Some(Effect::When { condition, then, .. }) = rule.after.last() else { return false };
    let players = game.seat_count();
    let next = match then.last() {
        Some(Effect::Turn(Seat::Ahead(by))) => (player.index() + usize::from(*by)) % players,
        Some(Effect::Turn(Seat::Player(next))) => next.index(),
        _ => return false,
    };
    let asked = conjuncts(condition);
    asked.len() == 1 && asked.iter().all(|one| is_last_die(one, track)) && next != player.index()
}

/// Where numbers lead from the sources of a rule.
struct Ways<'a> {
    game: &'a Game,
    player: PlayerId,
    movement: &'a Movement,
    track: &'a Track,
    sources: TileSet,
}

impl Ways<'_> {
    fn target(&self, from: TileId, pips: u8) -> Option<TileId> {
        let target = self.track.target(self.player, from, pips);
        let onto = outline(self.game, self.player, &self.movement.onto);
        target.filter(|&to| self.sources.contains(from) && onto.contains(to))
    }

    fn targets(&self, from: TileId) -> impl Iterator<Item = TileId> {
        (1..=self.track.sides).filter_map(move |pips| self.target(from, pips))
    }

    /// Whether a number leads to a tile from one other alone, two numbers lead to different tiles and, one
    /// after the other, to the same in either order, and nothing leads back.
    fn are_plain(&self) -> bool {
        let numbers = || 1..=self.track.sides;
        let is_told_apart = |pips: u8| {
            let mut taken = TileSet::EMPTY;
            self.game.tiles().filter_map(|from| self.target(from, pips)).all(|to| {
                let is_new = !taken.contains(to);
                taken.insert(to);
                is_new
            })
        };
        let meet = |from: TileId, one: u8, two: u8| {
            let (Some(by_one), Some(by_two)) = (self.target(from, one), self.target(from, two))
            else {
                return true;
            };
            let ends = self.target(by_one, two).zip(self.target(by_two, one));
            by_one != by_two && ends.is_none_or(|(one, two)| one == two)
        };
        numbers().all(is_told_apart)
            && self.game.tiles().all(|from| {
                numbers().all(|one| numbers().skip(one.into()).all(|two| meet(from, one, two)))
            })
            && self.lead_on()
    }

    /// Whether no way leads back to where it began: tiles that nothing leads to any more are taken away
    /// until none is left.
    fn lead_on(&self) -> bool {
        let mut left = self.game.all_tiles;
        while !left.is_empty() {
            let led_to = left.iter().flat_map(|from| self.targets(from));
            let led_to = led_to.fold(TileSet::EMPTY, |mut tiles, to| {
                tiles.insert(to);
                tiles
            });
            let rest = left & led_to;
            if rest == left {
                return false;
            }
            left = rest;
        }
        true
    }
}
