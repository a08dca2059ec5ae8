//! Moves by dice that leave each other alone.
//!
//! In a turn of several dice most moves neither make each other possible nor impossible, and come to
//! the same in whatever order they are played. Where that follows from the rules, a backend need not
//! follow both orders, nor try a move to know that another can be made after it.

use crate::game::Game;
use crate::id::{DieId, PhaseId, PlayerId, RuleId, TileId};
use crate::lower::fact::{Part, conjuncts, effect_parts, outline, uses, visit, visit_effects};
use crate::lower::normal::{beside_own, gather, none_of};
use crate::tile_set::TileSet;
use crate::typed::{
    Condition, Effect, Fate, Heading, Movement, Number, Rule, Set, Tile, Track, Truth, Wanted, Way,
    Who,
};
use crate::written::{Comparison, Deed, Listing, Play};

/// A rule about moves by dice that are independent of each other: after one of a phase's independent
/// moves, every other of a piece that has not moved is still legal while dice are left for it, and two
/// of them in either order give the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Independent {
    /// The rule.
    pub rule: usize,
    /// Whether the player's turn goes on in the phase after each of its moves as long as a die is left.
    pub stays: bool,
}

/// The rules of a phase whose moves are independent for a player.
pub(crate) fn independent(game: &Game, phase: PhaseId, player: PlayerId) -> Vec<Independent> {
    let leaf = &game.leaves[phase.index()];
    let plain = game.sole_kind().is_some()
        && game.ephemeral.is_empty()
        && game.serving.is_empty()
        && leaf.pre.is_empty()
        && !leaf.ranked;
    let mut among: Vec<RuleId> = match plain {
        true => leaf.by_kind[0].clone(),
        false => Vec::new(),
    };
    // What others do decides what lasts: rules are left out until those that stay agree.
    loop {
        let asked = Asked { game, player, among: &among };
        let mut kept: Vec<RuleId> = among.iter().copied().filter(|&id| asked.fits(id)).collect();
        if kept.len() == among.len() {
            kept.retain(|&id| asked.ends_as_before(id));
        }
        if kept.len() == among.len() {
            let stays = |id: &RuleId| asked.stays(&game.rules[id.index()]);
            let shape = |id: &RuleId| Independent { rule: id.index(), stays: stays(id) };
            return among.iter().map(shape).collect();
        }
        among = kept;
    }
}

/// Rules that are asked whether they leave each other alone.
struct Asked<'a> {
    game: &'a Game,
    player: PlayerId,
    among: &'a [RuleId],
}

/// A rule about moves by dice, in its parts.
#[derive(Clone, Copy)]
struct Advance<'a> {
    rule: &'a Rule,
    movement: &'a Movement,
    track: &'a Track,
}

impl<'a> Advance<'a> {
    fn new(rule: &'a Rule) -> Option<Advance<'a>> {
        match &rule.wants {
            Wanted::Move(movement) => match &movement.way {
                Way::Dice(track) => Some(Advance { rule, movement, track }),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'a> Asked<'a> {
    fn advances(&self) -> impl Iterator<Item = Advance<'a>> + Clone {
        let game = self.game;
        self.among.iter().filter_map(|id| Advance::new(&game.rules[id.index()]))
    }

    fn fits(&self, id: RuleId) -> bool {
        let Some(advance) = Advance::new(&self.game.rules[id.index()]) else { return false };
        let Advance { rule, movement, track } = advance;
        let plain = rule.ensures.is_none()
            && rule.fails.is_empty()
            && rule.lots.is_empty()
            && rule.written.deed == Deed::Usual
            && rule.written.listing == Listing::Play
            && movement.choice.is_empty()
            && self.is_everywhere(&movement.through)
            && self.game.sole_kind().is_some_and(|kind| movement.kinds.contains(kind))
            && source_tiles(self.game, &movement.source, self.player).is_some()
            && self.ways_of(advance).all(|(from, to)| self.stacks(from) && self.stacks(to));
        let same_dice = self.advances().all(|one| one.track.dice == track.dice);
        let before = self.among.iter().take_while(|one| **one != id);
        let before = before.filter_map(|one| Advance::new(&self.game.rules[one.index()]));
        plain
            && same_dice
            && before.clone().all(|one| !self.shares(one, advance))
            && rule.before.iter().all(|effect| self.only_captures(effect))
            && rule.after.iter().all(|effect| self.happens_last(effect, track))
            && forgets_move(&rule.after)
            && self.is_open_throughout(track)
            && lasts_onto(&movement.onto)
            && conjuncts(&rule.when).into_iter().all(|one| self.lasts(one, advance))
    }

    /// Whether the turn goes on after every move of a rule while dice are left.
    fn stays(&self, rule: &Rule) -> bool {
        Advance::new(rule).is_some_and(|advance| {
            rule.after.iter().all(|effect| match effect {
                Effect::When { condition, otherwise, .. } => {
                    needs_no_dice(condition, advance.track) && otherwise.is_empty()
                }
                _ => false,
            })
        })
    }

    /// Whether a tile holds many pieces, which carry no flags.
    fn stacks(&self, tile: TileId) -> bool {
        !self.game.exclusive.contains(tile)
    }

    fn is_everywhere(&self, set: &Set) -> bool {
        matches!(set, Set::Const(regions) if regions[self.player.index()] == self.game.all_tiles)
    }

    /// Where a rule might move a piece from a tile by a number.
    fn target(&self, advance: Advance<'_>, from: TileId, pips: u8) -> Option<TileId> {
        let target = advance.track.target(self.player, from, pips);
        target.filter(|&to| outline(self.game, self.player, &advance.movement.onto).contains(to))
    }

    /// Every move that rules might make, as source and target.
    fn ways(&self) -> impl Iterator<Item = (TileId, TileId)> {
        self.advances().flat_map(move |advance| self.ways_of(advance))
    }

    /// Those that one of them might make.
    fn ways_of(&self, advance: Advance<'a>) -> impl Iterator<Item = (TileId, TileId)> {
        self.game.tiles().flat_map(move |from| {
            let targets =
                (1..=advance.track.sides).filter_map(move |pips| self.target(advance, from, pips));
            targets.map(move |to| (from, to))
        })
    }

    /// Whether two rules might move the same piece by the same number in different ways.
    fn shares(&self, one: Advance<'_>, other: Advance<'_>) -> bool {
        let same = one.rule.before == other.rule.before && one.rule.after == other.rule.after;
        let both = |from: TileId, pips: u8| {
            let targets = [one, other].map(|rule| self.target(rule, from, pips));
            targets.iter().all(Option::is_some) && !(same && targets[0] == targets[1])
        };
        let sides = one.track.sides.max(other.track.sides);
        self.game.tiles().any(|from| (1..=sides).any(|pips| both(from, pips)))
    }

    /// Whether an effect before a move takes a foe off the target, to a tile that no move leads to.
    fn only_captures(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Capture { on: Set::At(tile), to } if **tile == Tile::To => match to {
                Fate::Out => true,
                Fate::Tile(Tile::Const(tiles)) => {
                    let home = tiles[self.player.index()];
                    self.stacks(home) && self.ways().all(|(_, to)| to != home)
                }
                Fate::Tile(_) | Fate::Hand(_) => false,
            },
            _ => false,
        }
    }

    /// Whether an effect does nothing while there are dice for another independent move.
    fn happens_last(&self, effect: &Effect, track: &Track) -> bool {
        match effect {
            Effect::When { condition, otherwise, .. } => {
                let last = needs_no_dice(condition, track) || self.needs_no_piece(condition);
                last && otherwise.iter().all(|effect| self.happens_last(effect, track))
            }
            _ => false,
        }
    }

    /// Whether a condition fails where the player has a piece that might move.
    fn needs_no_piece(&self, condition: &Condition) -> bool {
        self.tiles_left(condition).is_some()
    }

    /// The tiles on which no piece may be left for a condition to hold, where these are all from which
    /// one might move.
    fn tiles_left(&self, condition: &Condition) -> Option<TileSet> {
        conjuncts(condition).into_iter().find_map(|one| {
            let tiles = clear_of(self.game, one, self.player)?;
            self.ways().all(|(from, _)| tiles.contains(from)).then_some(tiles)
        })
    }

    /// Whether a rule ends a turn as those before it do.
    fn ends_as_before(&self, id: RuleId) -> bool {
        let rules = self.among.iter().zip(self.advances());
        let mut before = rules.clone().take_while(|(one, _)| **one != id);
        let this = rules.clone().find(|(one, _)| **one == id);
        this.is_some_and(|(_, this)| before.all(|(_, one)| self.ends_alike(one, this)))
    }

    /// Whether it makes no difference by which of two rules the last die is used: they do the same then.
    /// What one of them does where no piece is left cannot follow a move of the other that leaves one.
    fn ends_alike(&self, one: Advance<'a>, other: Advance<'a>) -> bool {
        let left = |effect: &Effect| match effect {
            Effect::When { condition, .. } => self.tiles_left(condition),
            _ => None,
        };
        let last = |effect: &'a Effect| match effect {
            Effect::When { otherwise, .. } if left(effect).is_some() => otherwise.iter(),
            _ => std::slice::from_ref(effect).iter(),
        };
        let is_moot = |effect: &Effect, after: Advance<'a>| {
            left(effect).is_none_or(|tiles| {
                after.rule.after.contains(effect)
                    || self.ways_of(after).all(|(_, to)| tiles.contains(to))
            })
        };
        let [mine, others] = [one, other].map(|rule| rule.rule.after.iter().flat_map(last));
        mine.eq(others)
            && one.rule.after.iter().all(|effect| is_moot(effect, other))
            && other.rule.after.iter().all(|effect| is_moot(effect, one))
    }

    /// Whether neither the open phase nor the endings that stop play depend on what moves change while
    /// dice are left.
    fn is_open_throughout(&self, track: &Track) -> bool {
        let game = self.game;
        let stops = game.endings.iter().filter(|ending| ending.play == Play::Stops);
        let asked = game.gates.iter().map(|gate| &gate.when).chain(stops.map(|end| &end.when));
        asked.into_iter().all(|condition| self.is_steady(condition, track))
    }

    /// Whether a condition stays as it is while pieces move by dice of a track and some are left.
    fn is_steady(&self, condition: &Condition, track: &Track) -> bool {
        let first: Option<&DieId> = track.dice.first();
        let mut steady = true;
        // Whether the first die shows anything is the same as long as any does.
        let (mut dice, mut zero_tests) = (0, 0);
        // No piece leaves the board as a whole.
        let (mut sets, mut boards) = (0, 0);
        visit(Part::Truth(condition), &mut |part| match part {
            Part::Tile(_) => steady = false,
            Part::Set(_) => sets += 1,
            Part::Number(Number::Die(_)) => dice += 1,
            Part::Number(Number::Hand(..)) => steady = false,
            Part::Number(Number::Pieces(on, ..)) => {
                boards += usize::from(self.is_everywhere(on) && self.keeps_all());
            }
            Part::Number(_) => {}
            Part::Truth(one) => match &one.test {
                Truth::Stuck | Truth::Repeats(_) | Truth::Can(..) | Truth::Custom(_) => {
                    steady = false;
                }
                Truth::Compare(Number::Die(die), is, Number::Is(0)) if first == Some(die) => {
                    let asks = [Comparison::Equal, Comparison::Different, Comparison::Greater];
                    zero_tests += usize::from(asks.contains(is));
                }
                _ => {}
            },
        });
        steady && dice == zero_tests && sets == boards
    }

    /// Whether no move takes a piece out of play.
    fn keeps_all(&self) -> bool {
        self.advances()
            .flat_map(|one| &one.rule.before)
            .all(|effect| !matches!(effect, Effect::Capture { to: Fate::Out | Fate::Hand(_), .. }))
    }

    /// Whether a condition of a move that holds does so after any other independent move.
    fn lasts(&self, condition: &Condition, advance: Advance<'_>) -> bool {
        match &condition.test {
            Truth::All(all) | Truth::Any(all) => all.iter().all(|one| self.lasts(one, advance)),
            Truth::Called(one) | Truth::Relevant(one) => self.lasts(one, advance),
            Truth::In(Tile::From, Set::Const(_)) => true,
            // A piece that has not moved stands where it stood, and no piece of the player is taken.
            Truth::In(Tile::From, set) | Truth::Some(set) if holds_own(self.game, set) => true,
            Truth::In(Tile::To, set) => lasts_onto(set),
            _ => match none_of_own(self.game, condition) {
                Some(on) => on.iter().any(|on| self.stays_clear(on, advance)),
                None => self.is_steady(condition, advance.track),
            },
        }
    }

    /// Tiles on which the player has no piece where a move of a rule is legal.
    fn clear(&self, rule: &Rule) -> TileSet {
        let asked = conjuncts(&rule.when).into_iter();
        let asked = asked.filter_map(|one| clear_of(self.game, one, self.player));
        asked.fold(TileSet::EMPTY, |clear, tiles| clear | tiles)
    }

    /// Whether no move leads the player's pieces from elsewhere onto the tiles of a set, for each source
    /// of a rule.
    fn stays_clear(&self, on: &Set, advance: Advance<'_>) -> bool {
        let enters = |tiles: TileSet, clear: TileSet| {
            let mut moves = self.ways().filter(|(from, _)| !clear.contains(*from));
            moves.any(|(from, to)| tiles.contains(to) && !tiles.contains(from))
        };
        match on {
            Set::Const(regions) => !enters(regions[self.player.index()], TileSet::EMPTY),
            Set::Ray(tile, along) if **tile == Tile::From => {
                let moves = |from: &TileId| {
                    (1..=advance.track.sides)
                        .any(|pips| self.target(advance, *from, pips).is_some())
                };
                let mut sources = self.game.tiles().filter(moves);
                sources.all(|from| !enters(self.ray(from, along), self.clear(advance.rule)))
            }
            _ => false,
        }
    }

    /// The tiles along a direction from a tile, that tile left out.
    fn ray(&self, from: TileId, along: &Heading) -> TileSet {
        let (topology, direction) = (self.game.topology(), along[self.player.index()]);
        let mut tiles = TileSet::EMPTY;
        let mut at = from;
        while let Some(next) = topology.next(at, direction) {
            if next == from || tiles.contains(next) {
                break;
            }
            tiles.insert(next);
            at = next;
        }
        tiles
    }
}

/// Whether effects are the same whatever move they follow, so that it makes no difference which is the
/// last.
fn forgets_move(effects: &[Effect]) -> bool {
    let mut forgets = true;
    visit_effects(effects, &mut |effect| {
        let asks = |part: Part<'_>| uses(part).from || uses(part).to;
        forgets &= !matches!(effect, Effect::Custom(_));
        forgets &= !effect_parts(effect).into_iter().any(asks);
    });
    forgets
}

/// Whether a target stays in a set whatever other independent moves do.
fn lasts_onto(set: &Set) -> bool {
    match set {
        Set::Const(_) => true,
        Set::All(all) | Set::Any(all) => all.iter().all(lasts_onto),
        // Foes are only taken away from where moves lead.
        Set::Not(one) => matches!(**one, Set::Owned(Who::Foe) | Set::AtLeast(_, Who::Foe)),
        _ => false,
    }
}

/// The sets of which a condition says that the player judged has no piece on a tile that all of them have.
pub(crate) fn none_of_own(game: &Game, condition: &Condition) -> Option<Vec<Set>> {
    beside_own(game, none_of(condition)?)
}

/// The tiles that never change on which a condition says that a player has no piece.
pub(crate) fn clear_of(game: &Game, condition: &Condition, player: PlayerId) -> Option<TileSet> {
    within(game, &none_of_own(game, condition)?, player)
}

/// The tiles of an intersection of sets that never change.
fn within(game: &Game, sets: &[Set], player: PlayerId) -> Option<TileSet> {
    sets.iter().try_fold(game.all_tiles, |tiles, set| match set {
        Set::Const(regions) => Some(tiles & regions[player.index()]),
        _ => None,
    })
}

/// Whether every tile on which the player judged has a piece is in a set.
fn holds_own(game: &Game, set: &Set) -> bool {
    let own = vec![Set::Owned(Who::Mover), set.clone()];
    beside_own(game, own).is_some_and(|others| others.is_empty())
}

/// The tiles whose pieces a rule may move, where they never change.
pub(crate) fn source_tiles(game: &Game, source: &Set, player: PlayerId) -> Option<TileSet> {
    let mut parts = vec![Set::Owned(Who::Mover)];
    gather(source, &mut parts);
    within(game, &beside_own(game, parts)?, player)
}

/// Whether a condition holds only where no die of a track is left.
fn needs_no_dice(condition: &Condition, track: &Track) -> bool {
    conjuncts(condition).into_iter().any(|one| is_last_die(one, track))
}

/// Whether a condition says that no die of a track is left; dice that are spent move up.
pub(crate) fn is_last_die(condition: &Condition, track: &Track) -> bool {
    let Truth::Compare(Number::Die(die), Comparison::Equal, Number::Is(0)) = &condition.test else {
        return false;
    };
    track.dice.first() == Some(die)
}
