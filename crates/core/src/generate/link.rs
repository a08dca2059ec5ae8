//! Rules by which two pieces move together, one of them royal: what they ask, as sets of tiles.

use crate::bits::Bits;
use crate::condition::Comparison;
use crate::id::{DirectionId, PlayerId, TileId};
use crate::plan::{
    Area, Condition, Effect, Movement, Rule, Seat, Spot, Test, TileTest, Trait, Value, Way, Who,
};
use crate::rule::Deed;

use super::line::Lines;
use super::row::{is_plain, is_royal_safety, parts};

/// A rule that moves the piece on its source and the first piece in a direction together.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) directions: Vec<DirectionId>,
    asks: Vec<Ask>,
    /// Where the piece on the source goes, and where the other does.
    pub(crate) to: (TileId, TileId),
}

/// No tile of a line may be so.
#[derive(Clone)]
struct Ask {
    from: End,
    to: End,
    what: What,
}

/// An end of a line.
#[derive(Clone, Copy)]
enum End {
    Source,
    Target,
    Tile(TileId),
}

#[derive(Clone, Copy)]
enum What {
    /// Occupied by any but the two that move.
    Occupied,
    /// Attacked by a foe.
    Attacked,
}

impl Link {
    /// The rule's link for a player, if it is one whose every condition sets can answer.
    pub(crate) fn new(rule: &Rule, movement: &Movement, player: PlayerId) -> Option<Link> {
        let Way::First(headings) = &movement.way else { return None };
        let fits = rule.written.deed == Deed::Nothing
            && rule.before.is_empty()
            && movement.source.is_any()
            && movement.through.is_any()
            && movement.choice.is_empty()
            && is_royal_safety(&rule.written.ensures)
            && rule.written.after.iter().skip(1).all(is_plain);
        let Some(Effect::Together(moves)) = rule.after.first().filter(|_| fits) else {
            return None;
        };
        let [(Spot::From, one), (Spot::To, two)] = moves.as_slice() else { return None };
        let (End::Tile(one), End::Tile(two)) = (end(one, player)?, end(two, player)?) else {
            return None;
        };
        let asks: Option<Vec<Ask>> = parts(&rule.when).map(|part| ask(part, player)).collect();
        let directions = headings.iter().map(|heading| heading[player.index()]).collect();
        Some(Link { directions, asks: asks?, to: (one, two) })
    }
}

fn end(spot: &Spot, player: PlayerId) -> Option<End> {
    match spot {
        Spot::From => Some(End::Source),
        Spot::To => Some(End::Target),
        Spot::Tile(tile) => Some(End::Tile(*tile)),
        Spot::Only(tiles, Seat::Mover) => Some(End::Tile(tiles[player.index()])),
        _ => None,
    }
}

fn ask(condition: &Condition, player: PlayerId) -> Option<Ask> {
    match &condition.test {
        Test::Compare {
            left: Value::Tiles { area: Area::Span(from, to), is },
            is: Comparison::Equal,
            right: Value::Number(0),
        } => Some(Ask { from: end(from, player)?, to: end(to, player)?, what: what(is)? }),
        _ => None,
    }
}

fn what(test: &TileTest) -> Option<What> {
    let two_that_move = |one: &Trait| match one {
        Trait::At(spot) => matches!(**spot, Spot::From | Spot::To),
        _ => matches!(one, Trait::Empty),
    };
    match (test.all_of.as_slice(), test.any_of.as_slice(), test.none_of.as_slice()) {
        ([Trait::Threatened(Who::Foe)], [], []) => Some(What::Attacked),
        ([], [], [_, _, _]) if test.none_of.iter().all(two_that_move) => Some(What::Occupied),
        _ => None,
    }
}

/// Says whether a foe attacks a tile past what occupies the board.
pub(crate) trait Watch<const W: usize> {
    fn attacked(&self, tile: TileId, occupied: Bits<W>) -> bool;
}

impl Link {
    /// Whether its two pieces may move; none where the rule must be asked.
    #[inline(always)]
    pub(crate) fn allows<const W: usize>(
        &self,
        lines: &Lines<W>,
        occupied: Bits<W>,
        (from, to): (TileId, TileId),
        watch: &impl Watch<W>,
    ) -> Option<bool> {
        let place = |end: End| match end {
            End::Source => from,
            End::Target => to,
            End::Tile(tile) => tile,
        };
        let two = Bits::of(from) | Bits::of(to);
        for ask in &self.asks {
            let line = lines.span(place(ask.from), place(ask.to));
            let met = match ask.what {
                What::Occupied => !(line & occupied).without(two).is_empty(),
                What::Attacked => {
                    let mut attacked = false;
                    for tile in line {
                        attacked = attacked || watch.attacked(tile, occupied);
                    }
                    attacked
                }
            };
            if met {
                return Some(false);
            }
        }
        let after = Bits::of(self.to.0) | Bits::of(self.to.1);
        if !(after & occupied).without(two).is_empty() {
            return None;
        }
        Some(!watch.attacked(self.to.0, occupied.without(two) | after))
    }

    /// Whether it asks that the piece on the source is not attacked.
    pub(crate) fn starts_unattacked(&self) -> bool {
        let starts = |ask: &Ask| matches!((&ask.what, ask.from), (What::Attacked, End::Source));
        self.asks.iter().any(starts)
    }

    /// Whether what it asks makes sure that both pieces come to tiles that are free, wherever a
    /// line joins them with where they go.
    pub(crate) fn clears_the_way(&self) -> bool {
        let asks = |from: fn(&End) -> bool, to: TileId| {
            let clears = |ask: &Ask| {
                let ends = from(&ask.from) && matches!(ask.to, End::Tile(tile) if tile == to);
                ends && matches!(ask.what, What::Occupied)
            };
            self.asks.iter().any(clears)
        };
        asks(|end| matches!(end, End::Source), self.to.0)
            && asks(|end| matches!(end, End::Target), self.to.1)
    }
}
