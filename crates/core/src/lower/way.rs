//! Moves by ways that are no patterns: over a hurdle, by a number of steps, to any tile.

use crate::id::{DirectionId, KindId, RuleId};
use crate::ir::{Arithmetic, NO_TILE, NumReg, Op, SetReg};
use crate::tile_set::TileSet;
use crate::typed::{Heading, Hop, Movement, Number};
use crate::written::{Comparison, Reach};

use super::Builder;
use super::generate::{Ending, Sink};
use super::question::Questions;

impl Builder<'_, '_> {
    /// Over a hurdle along one of several directions.
    pub(super) fn hop_moves(
        &mut self,
        (id, movement): (RuleId, &Movement),
        questions: &Questions,
        ending: Ending,
        hop: &Hop,
    ) {
        let blockers = self.blockers();
        self.moves_from_each((id, movement), questions, ending, |builder, targets| {
            let over = builder.set(&hop.over);
            let claimed = builder.constant_set(TileSet::EMPTY);
            for direction in builder.directions(&hop.along) {
                let landings = builder.landings(hop, direction, (over, blockers));
                let fresh = builder.and_not(landings, claimed);
                builder.push(Op::Or(claimed, claimed, landings));
                builder.add_passable(targets, movement, fresh, |builder| {
                    let slide = builder.lowering.slide(&[direction]);
                    let (between, (from, to)) = (builder.new_set(), builder.event);
                    builder.push(Op::Between(between, slide, from, to));
                    between
                });
            }
        });
    }

    /// Where a hop along a direction ends.
    fn landings(
        &mut self,
        hop: &Hop,
        direction: DirectionId,
        (over, blockers): (SetReg, SetReg),
    ) -> SetReg {
        let from = self.event.0;
        let (slide, map) = (self.lowering.slide(&[direction]), self.lowering.map(&[direction]));
        let (landings, hurdle) = (self.constant_set(TileSet::EMPTY), self.new_number());
        self.push(match hop.approach {
            Reach::Once => Op::Step(hurdle, map, from),
            Reach::Repeat => Op::FirstAlong(hurdle, slide, from, blockers),
        });
        let fits = self.has(over, hurdle);
        let body = self.nested(|builder| {
            // A way that comes round ends before it meets itself.
            let (source, way) = (builder.single(from), builder.new_set());
            builder.push(Op::Between(way, slide, from, hurdle));
            let behind = builder.or(source, way);
            let seen = match hop.landing {
                Reach::Once => {
                    let end = builder.new_number();
                    builder.push(Op::Step(end, map, hurdle));
                    builder.single(end)
                }
                Reach::Repeat => {
                    let (stops, seen) = (builder.or(blockers, behind), builder.new_set());
                    builder.push(Op::Slide(seen, slide, hurdle, stops));
                    seen
                }
            };
            builder.push(Op::AndNot(landings, seen, behind));
        });
        self.push(Op::If(fits, body, Vec::new()));
        landings
    }

    /// As many steps along one of several directions as a number says.
    pub(super) fn step_moves(
        &mut self,
        (id, movement): (RuleId, &Movement),
        questions: &Questions,
        ending: Ending,
        ways: &[(Heading, Number)],
    ) {
        self.moves_from_each((id, movement), questions, ending, |builder, targets| {
            let claimed = builder.constant_set(TileSet::EMPTY);
            for (heading, count) in ways {
                let direction = builder.direction(heading);
                let (count, from) = (builder.number(count), builder.event.0);
                let map = builder.lowering.map(&[direction]);
                let fits = builder.fits_board(count);
                let end = builder.new_number();
                builder.push(Op::Number(end, NO_TILE));
                let steps =
                    vec![Op::Move(end, from), Op::Repeat(count, vec![Op::Step(end, map, end)])];
                builder.push(Op::If(fits, steps, Vec::new()));
                let (found, source) = (builder.single(end), builder.single(from));
                let found = builder.and_not(found, source);
                let fresh = builder.and_not(found, claimed);
                builder.push(Op::Or(claimed, claimed, found));
                builder.add_passable(targets, movement, fresh, |builder| {
                    let (between, tile) =
                        (builder.constant_set(TileSet::EMPTY), builder.new_number());
                    let (one, rest) = (builder.constant_number(1), builder.new_number());
                    builder.push(Op::Arithmetic(rest, Arithmetic::Subtract, count, one));
                    builder.push(Op::Move(tile, from));
                    let pass = builder.nested(|builder| {
                        builder.push(Op::Step(tile, map, tile));
                        let single = builder.single(tile);
                        builder.push(Op::Or(between, between, single));
                    });
                    builder.push(Op::Repeat(rest, pass));
                    between
                });
            }
        });
    }

    /// Whether a number is from 1 to the number of tiles.
    fn fits_board(&mut self, count: NumReg) -> NumReg {
        let tiles = self.game.tile_count() as i64;
        let (least, most) = (self.constant_number(1), self.constant_number(tiles));
        let (fits, enough) = (self.constant_number(0), self.new_number());
        self.push(Op::Compare(enough, Comparison::AtLeast, count, least));
        let at_most = vec![Op::Compare(fits, Comparison::AtMost, count, most)];
        self.push(Op::If(enough, at_most, Vec::new()));
        fits
    }

    /// To any tile.
    pub(super) fn anywhere_moves(
        &mut self,
        (id, movement): (RuleId, &Movement),
        questions: &Questions,
        ending: Ending,
    ) {
        let every = self.every_tile();
        self.moves_from_each((id, movement), questions, ending, |builder, targets| {
            let source = builder.single(builder.event.0);
            builder.push(Op::AndNot(targets, every, source));
        });
    }

    /// Adds those of some targets that are reached past tiles that may be passed.
    fn add_passable(
        &mut self,
        targets: SetReg,
        movement: &Movement,
        fresh: SetReg,
        between: impl FnOnce(&mut Self) -> SetReg,
    ) {
        if self.lowering.is_everywhere(&movement.through, self.player) {
            return self.push(Op::Or(targets, targets, fresh));
        }
        let to = self.event.1;
        let body = self.nested(|builder| {
            let between = between(builder);
            let through = builder.set(&movement.through);
            let closed = builder.and_not(between, through);
            let (any, single) = (builder.any(closed), builder.single(to));
            let add = vec![Op::Or(targets, targets, single)];
            builder.push(Op::If(any, Vec::new(), add));
        });
        self.push(Op::ForTiles(fresh, to, body));
    }

    /// Moves of each piece that a rule is about to the targets that code finds.
    fn moves_from_each(
        &mut self,
        (id, movement): (RuleId, &Movement),
        questions: &Questions,
        ending: Ending,
        find: impl FnOnce(&mut Self, SetReg),
    ) {
        let game = self.game;
        let mask = self.meet(&questions.targets);
        let friends = match ending.sink {
            Sink::Tiles(_) => None,
            Sink::Events | Sink::Targets(_) => Some(self.own_blockers()),
        };
        let kinds: Vec<KindId> =
            game.kinds().filter(|&kind| movement.kinds.contains(kind)).collect();
        let sources = self.sources(movement, &kinds, ending);
        let from = self.event.0;
        let body = self.nested(|builder| {
            builder.where_one_moves(id, &kinds, |builder| {
                builder.guarded(&questions.of_source.clone(), |builder| {
                    let targets = builder.constant_set(TileSet::EMPTY);
                    find(builder, targets);
                    if let Some(mask) = mask {
                        builder.push(Op::And(targets, targets, mask));
                    }
                    if let Some(friends) = friends {
                        builder.push(Op::AndNot(targets, targets, friends));
                    }
                    builder.deliver(movement, targets, questions, ending);
                });
            });
        });
        self.push(Op::ForTiles(sources, from, body));
    }
}
