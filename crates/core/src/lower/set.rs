//! Sets and tiles: code that leaves a bitboard or a tile in a register.

use crate::id::{DirectionId, PlayerId};
use crate::ir::{Arithmetic, NO_TILE, NumReg, Op, SetReg};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Connection, Heading, Loop, Number, Seat, Set, Tile, Who};
use crate::written::Comparison;

use super::fact::{Part, constant, is_local, uses};
use super::{Bound, Builder};

impl Builder<'_, '_> {
    pub(super) fn direction(&self, heading: &Heading) -> DirectionId {
        heading[self.player.index()]
    }

    pub(super) fn directions(&self, headings: &[Heading]) -> Vec<DirectionId> {
        headings.iter().map(|heading| self.direction(heading)).collect()
    }

    pub(super) fn constant_set(&mut self, tiles: TileSet) -> SetReg {
        let id = self.lowering.constant(tiles);
        let register = self.new_set();
        self.push(Op::Constant(register, id));
        register
    }

    pub(super) fn every_tile(&mut self) -> SetReg {
        self.set(&constant(self.game, self.game.all_tiles))
    }

    /// The tiles of a set. One that depends on the state alone is found once.
    pub(super) fn set(&mut self, set: &Set) -> SetReg {
        if let Some(register) = self.recall(set) {
            return register;
        }
        let register = self.new_value(set);
        let lasting = self.pure || is_local(set);
        if lasting && uses(Part::Set(set)).only_state() {
            self.known.push((self.player, set.clone(), register));
        }
        register
    }

    /// For each tile the line through it along a direction, forth and back.
    fn line_rows(&mut self, along: &Heading) -> crate::ir::RowsId {
        let (game, direction) = (self.game, self.direction(along));
        let ray = |from: crate::TileId| {
            let next = |tile: &crate::TileId| game.topology().next(*tile, direction);
            let mut ray: TileSet = std::iter::once(from).collect();
            let mut way = std::iter::successors(next(&from), next);
            while let Some(tile) = way.next().filter(|tile| !ray.contains(*tile)) {
                ray.insert(tile);
            }
            ray
        };
        let rays: Vec<TileSet> = game.tiles().map(ray).collect();
        self.lowering.rows(|tile| {
            let back = game.tiles().filter(|from| rays[from.index()].contains(tile));
            rays[tile.index()] | back.collect()
        })
    }

    /// Where a set is known already.
    fn recall(&self, set: &Set) -> Option<SetReg> {
        let same = |(player, known, _): &&(_, Set, SetReg)| *player == self.player && known == set;
        self.known.iter().find(same).map(|(_, _, register)| *register)
    }

    fn new_value(&mut self, set: &Set) -> SetReg {
        match set {
            Set::Const(regions) => self.constant_set(regions[self.player.index()]),
            Set::Empty => {
                let (all, occupied) = (self.every_tile(), self.set(&Set::Owned(Who::Anyone)));
                self.and_not(all, occupied)
            }
            Set::Owned(who) => self.owned(self.players(*who)),
            Set::Kind(kind) => self.plane(self.game.layout.kind(*kind)),
            Set::Royal => {
                let game = self.game;
                let kinds = game.royals.iter().map(|&kind| Set::Kind(kind)).collect();
                self.set(&Set::Any(kinds))
            }
            Set::Flag(flag) => self.plane(self.game.layout.flag(*flag)),
            Set::Mark(mark) => self.plane(self.game.layout.mark(*mark)),
            Set::AtLeast(0, _) => self.every_tile(),
            Set::AtLeast(1, who) => self.set(&Set::Owned(*who)),
            Set::AtLeast(least, who) => {
                let (to, players) = (self.new_set(), self.players(*who));
                self.push(Op::Stacked { to, players, least: *least });
                to
            }
            Set::At(tile) => {
                let tile = self.tile(tile);
                self.single(tile)
            }
            Set::All(all) => self.intersection(all),
            Set::Any(any) => self.union(any),
            Set::Not(one) => {
                let (all, one) = (self.every_tile(), self.set(one));
                self.and_not(all, one)
            }
            Set::Step(set, steps) => self.steps(set, steps),
            Set::Around(set, along) => self.around(set, along),
            Set::Row(through, along) => self.row(through, along),
            Set::Ray(from, along) => {
                let (from, slide) = (self.tile(from), self.ray(along));
                let (to, nothing) = (self.new_set(), self.constant_set(TileSet::EMPTY));
                self.push(Op::Slide(to, slide, from, nothing));
                to
            }
            Set::Run { from, along, over, end } => self.run(from, along, over, end.as_deref()),
            Set::Span(one, other) => {
                let (one, other) = (self.tile_or_constant(one), self.tile_or_constant(other));
                self.span(one, other)
            }
            Set::Between(one, other) => self.between(one, other),
            Set::Reach { from, over, along, connection } => {
                self.reach(from, over, along, *connection)
            }
            Set::Line { lines, of } => {
                let player = self.player.index();
                let (of, lines) = (self.set(of), self.lowering.lines(&lines[player]));
                let to = self.new_set();
                self.push(Op::Lines(to, lines, of));
                to
            }
            Set::Attacked(who) => self.attacked_set(self.attackers(*who)),
            Set::If(truth, yes, no) => self.either(truth, yes, no),
            Set::Union(over, set) => self.union_over(over, set),
            Set::Origin(set, steps) => self.origin(set, steps),
            Set::RunOrigin { along, over, end } => self.run_origin(along, over, end),
            Set::Distant { from, along, steps } => self.distant(from, along, steps),
            Set::Local(local) => match self.bound(*local) {
                Bound::Group(register) => register,
                Bound::Tile(register) => self.single(register),
            },
        }
    }

    fn row(&mut self, through: &Tile, along: &Heading) -> SetReg {
        let (rows, tile) = (self.line_rows(along), self.tile(through));
        let row = self.new_set();
        self.push(Op::Row(row, rows, tile));
        row
    }

    fn bound(&self, local: u16) -> Bound {
        let bound = self.locals.iter().rev().find(|(name, _)| *name == local);
        bound.expect("resolve binds every name that is used").1
    }

    /// Tiles in any of some sets.
    fn union(&mut self, any: &[Set]) -> SetReg {
        let Some((first, rest)) = any.split_first() else {
            return self.constant_set(TileSet::EMPTY);
        };
        let first = self.set(first);
        rest.iter().fold(first, |all, one| {
            let one = self.set(one);
            self.or(all, one)
        })
    }

    /// The union of what a set is for each value of a loop.
    fn union_over(&mut self, over: &Loop, set: &Set) -> SetReg {
        if let Some(chosen) = self.chosen_groups(over, set).or_else(|| self.chosen(over, set)) {
            return self.set(&chosen);
        }
        let all = self.constant_set(TileSet::EMPTY);
        self.for_each(over, |builder| {
            let one = builder.set(set);
            builder.push(Op::Or(all, all, one));
        });
        all
    }

    /// The tiles of a loop for which a condition holds, written as a union of them, where the
    /// condition is lifted to a set.
    fn chosen(&self, over: &Loop, set: &Set) -> Option<Set> {
        let (Loop::Tiles(name, tiles), Set::If(condition, yes, no)) = (over, set) else {
            return None;
        };
        let itself = match &**yes {
            Set::Local(local) => local == name,
            Set::At(tile) => **tile == Tile::Local(*name),
            _ => false,
        };
        let nothing = matches!(&**no, Set::Const(none) if none.iter().all(TileSet::is_empty));
        let holds = (itself && nothing).then(|| self.lift(condition, &Tile::Local(*name)))??;
        Some(Set::All(vec![(**tiles).clone(), holds]))
    }

    /// The tiles whose distance from a tile along a direction is a number: the tile so many steps
    /// along the ray, or for 0 the tiles to which it does not lead.
    fn distant(&mut self, from: &Tile, along: &Heading, steps: &Number) -> SetReg {
        let (from, slide, steps) = (self.tile(from), self.ray(along), self.number(steps));
        let (track, sides) = self.lowering.ray_track(slide);
        let (rows, none) = (self.lowering.off_rows(slide), self.equals(steps, 0));
        // A number that is too great or too small leads nowhere, as 0 does.
        let (least, most) = (self.constant_number(0), self.constant_number(sides));
        let (steps, beyond) = {
            let at_least = self.new_number();
            self.push(Op::Arithmetic(at_least, Arithmetic::Max, steps, least));
            let beyond = self.new_number();
            self.push(Op::Compare(beyond, Comparison::Greater, at_least, most));
            (at_least, beyond)
        };
        self.push(Op::If(beyond, vec![Op::Number(steps, 0)], Vec::new()));
        let end = self.new_number();
        self.push(Op::Track { to: end, track, pips: steps, from });
        let to = self.single(end);
        let every = self.lowering.constant(self.game.all_tiles);
        let nowhere = self.equals(from, NO_TILE);
        let off =
            vec![Op::If(nowhere, vec![Op::Constant(to, every)], vec![Op::Row(to, rows, from)])];
        self.push(Op::If(none, off, Vec::new()));
        to
    }

    /// One set where a condition holds, another where it does not.
    fn either(&mut self, truth: &Condition, yes: &Set, no: &Set) -> SetReg {
        let to = self.new_set();
        self.choose(
            truth,
            |builder| {
                let yes = builder.set(yes);
                builder.push(Op::Copy(to, yes));
            },
            |builder| {
                let no = builder.set(no);
                builder.push(Op::Copy(to, no));
            },
        );
        to
    }

    /// Where some steps lead from the tiles of a set.
    fn steps(&mut self, set: &Set, steps: &[Heading]) -> SetReg {
        let mut found = self.set(set);
        for direction in self.directions(steps) {
            found = self.image(found, &[direction]);
        }
        found
    }

    /// The tiles one step away from those of a set.
    fn around(&mut self, set: &Set, along: &[Heading]) -> SetReg {
        let set = self.set(set);
        let all = self.constant_set(TileSet::EMPTY);
        self.directions(along).into_iter().fold(all, |all, direction| {
            let near = self.image(set, &[direction]);
            self.or(all, near)
        })
    }

    /// The straight line between two tiles, both left out.
    fn between(&mut self, one: &Tile, other: &Tile) -> SetReg {
        let (one, other) = (self.tile(one), self.tile(other));
        let span = self.span(Place::Register(one), Place::Register(other));
        let (first, last) = (self.single(one), self.single(other));
        let inner = self.and_not(span, first);
        self.and_not(inner, last)
    }

    /// A flood fill from the tiles of one set over those of another.
    fn reach(
        &mut self,
        from: &Set,
        over: &Set,
        along: &[Heading],
        connection: Connection,
    ) -> SetReg {
        let (from, over) = (self.set(from), self.set(over));
        let directions = self.directions(along);
        let (to, links) = (self.new_set(), self.lowering.links(&directions, connection));
        self.push(Op::Flood { to, from, over, links });
        to
    }

    /// The tiles from which some steps lead into a set.
    fn origin(&mut self, set: &Set, steps: &[Heading]) -> SetReg {
        let mut found = self.set(set);
        for direction in self.directions(steps).into_iter().rev() {
            found = self.preimage(found, direction);
        }
        found
    }

    /// The tiles from which a run over one set ends in another.
    fn run_origin(&mut self, along: &Heading, over: &Set, end: &Set) -> SetReg {
        let direction = self.direction(along);
        let (over, end) = (self.set(over), self.set(end));
        // Tiles of the run from which it goes on to its end, step by step backwards.
        let Some(map) = self.lowering.inverse(&[direction]) else {
            return self.constant_set(TileSet::EMPTY);
        };
        let before = self.new_set();
        self.push(Op::Images { to: before, from: end, over, map });
        let run = self.and(before, over);
        self.preimage(run, direction)
    }

    /// Tiles in every one of some sets. What is attacked is asked last, of few tiles.
    fn intersection(&mut self, all: &[Set]) -> SetReg {
        let (attacked, others): (Vec<&Set>, Vec<&Set>) =
            all.iter().partition(|one| matches!(one, Set::Attacked(_)));
        let mut found = None;
        for one in others {
            found = Some(match (found, one) {
                (None, one) => self.set(one),
                (Some(found), Set::Not(one)) => {
                    let one = self.set(one);
                    self.and_not(found, one)
                }
                (Some(found), one) => {
                    let one = self.set(one);
                    self.and(found, one)
                }
            });
        }
        let mut found = found.unwrap_or_else(|| self.every_tile());
        for one in attacked {
            if let Set::Attacked(who) = one {
                let players = self.attackers(*who);
                let danger = self.danger_of_row(found, players);
                found = match danger.or_else(|| self.shared_danger(players)) {
                    Some(danger) => self.and(found, danger),
                    None => self.attacked_among(found, players),
                };
            }
        }
        found
    }

    /// The player that a seat means.
    pub(super) fn seat(&self, seat: Seat) -> PlayerId {
        match seat {
            Seat::Mover => self.player,
            Seat::Ahead(seats) => {
                let players = self.game.seat_count();
                PlayerId::at((self.player.index() + usize::from(seats)) % players)
            }
            Seat::Player(player) => player,
        }
    }

    /// Those of the players meant who attack, a bit for each: neutral ones do not.
    pub(super) fn attackers(&self, who: Who) -> u64 {
        self.players(who) & !self.game.neutral
    }

    /// The players who are meant, a bit for each.
    pub(super) fn players(&self, who: Who) -> u64 {
        let friends = self.game.friends[self.player.index()];
        let everyone = u64::MAX >> (64 - self.game.layout.players);
        let players = match who {
            Who::Mover => 1 << self.player.index(),
            Who::Ally => friends & !(1 << self.player.index()),
            Who::Friend => friends,
            Who::Foe => !self.game.spared(self.player),
            Who::Player(one) => 1 << one.index(),
            Who::Anyone => u64::MAX,
        };
        players & everyone
    }

    pub(super) fn plane(&mut self, first: usize) -> SetReg {
        let register = self.new_set();
        self.push(Op::Plane(register, first));
        register
    }

    /// The tiles of some players.
    pub(super) fn owned(&mut self, players: u64) -> SetReg {
        let game = self.game;
        let mut found = None;
        for player in game.players().filter(|player| players >> player.index() & 1 == 1) {
            let plane = self.known_plane(player);
            found = Some(match found {
                None => plane,
                Some(found) => self.or(found, plane),
            });
        }
        found.unwrap_or_else(|| self.constant_set(TileSet::EMPTY))
    }

    fn known_plane(&mut self, player: crate::PlayerId) -> SetReg {
        let key = Set::Owned(Who::Player(player));
        if let Some(register) = self.recall(&key) {
            return register;
        }
        let register = self.plane(self.game.layout.owner(player));
        self.known.push((self.player, key, register));
        register
    }

    pub(super) fn and(&mut self, one: SetReg, other: SetReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::And(to, one, other));
        to
    }

    pub(super) fn or(&mut self, one: SetReg, other: SetReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::Or(to, one, other));
        to
    }

    pub(super) fn and_not(&mut self, one: SetReg, other: SetReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::AndNot(to, one, other));
        to
    }

    pub(super) fn single(&mut self, tile: NumReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::Single(to, tile));
        to
    }

    pub(super) fn image(&mut self, set: SetReg, steps: &[DirectionId]) -> SetReg {
        let map = self.lowering.map(steps);
        let to = self.new_set();
        self.push(Op::Image(to, set, map));
        to
    }

    fn preimage(&mut self, set: SetReg, direction: DirectionId) -> SetReg {
        let map = self.lowering.map(&[direction]);
        let to = self.new_set();
        self.push(Op::Preimage(to, set, map));
        to
    }

    pub(super) fn any(&mut self, set: SetReg) -> NumReg {
        let to = self.new_number();
        self.push(Op::Any(to, set));
        to
    }

    pub(super) fn has(&mut self, set: SetReg, tile: NumReg) -> NumReg {
        let to = self.new_number();
        self.push(Op::Has(to, set, tile));
        to
    }

    pub(super) fn ray(&mut self, along: &Heading) -> crate::ir::SlideId {
        let direction = self.direction(along);
        self.lowering.slide(&[direction])
    }

    /// The run from a tile along a direction over a set, where it ends as it must.
    fn run(&mut self, from: &Tile, along: &Heading, over: &Set, end: Option<&Set>) -> SetReg {
        let (from, slide) = (self.tile(from), self.ray(along));
        let (all, over) = (self.every_tile(), self.set(over));
        let outside = self.and_not(all, over);
        let stop = self.new_number();
        self.push(Op::FirstAlong(stop, slide, from, outside));
        let to = self.new_set();
        let Some(end) = end else {
            // Up to the tile that stops it, or all along the ray.
            self.push(Op::Slide(to, slide, from, outside));
            let last = self.single(stop);
            return self.and_not(to, last);
        };
        let end = self.set(end);
        let ends = self.has(end, stop);
        let nothing = self.lowering.constant(TileSet::EMPTY);
        self.push(Op::If(
            ends,
            vec![Op::Between(to, slide, from, stop)],
            vec![Op::Constant(to, nothing)],
        ));
        to
    }

    fn tile_or_constant(&mut self, tile: &Tile) -> Place {
        match tile {
            Tile::Const(tiles) => Place::Constant(tiles[self.player.index()]),
            tile => Place::Register(self.tile(tile)),
        }
    }

    /// The straight line from one tile to another; a table where one of them never changes.
    fn span(&mut self, one: Place, other: Place) -> SetReg {
        let (game, to) = (self.game, self.new_set());
        match (one, other) {
            (Place::Constant(one), Place::Constant(other)) => {
                return self.constant_set(game.span(one, other));
            }
            (Place::Register(one), Place::Constant(other)) => {
                let rows = self.lowering.spans_to(other);
                self.push(Op::Row(to, rows, one));
            }
            (Place::Constant(one), Place::Register(other)) => {
                let rows = self.lowering.spans_from(one);
                self.push(Op::Row(to, rows, other));
            }
            (Place::Register(one), Place::Register(other)) => self.push(Op::Span(to, one, other)),
        }
        to
    }

    pub(super) fn tile(&mut self, tile: &Tile) -> NumReg {
        match tile {
            Tile::From => self.event.0,
            Tile::To => self.event.1,
            Tile::Const(tiles) => self.constant_number(tiles[self.player.index()].index() as i64),
            Tile::Only(set) => {
                let (set, to) = (self.set(set), self.new_number());
                self.push(Op::Only(to, set));
                to
            }
            Tile::Steps(tile, steps) => {
                let (tile, steps) = (self.tile(tile), self.directions(steps));
                let (map, to) = (self.lowering.map(&steps), self.new_number());
                self.push(Op::Step(to, map, tile));
                to
            }
            Tile::First { from, along, at } => {
                let (from, slide, at) = (self.tile(from), self.ray(along), self.set(at));
                let to = self.new_number();
                self.push(Op::FirstAlong(to, slide, from, at));
                to
            }
            Tile::Local(local) => match self.bound(*local) {
                Bound::Tile(register) => register,
                Bound::Group(group) => {
                    let to = self.new_number();
                    self.push(Op::Only(to, group));
                    to
                }
            },
        }
    }
}

/// A tile that is known or in a register.
#[derive(Clone, Copy)]
enum Place {
    Constant(crate::TileId),
    Register(NumReg),
}
