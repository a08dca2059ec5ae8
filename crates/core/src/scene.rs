//! Answers to conditions: a state, the player judged, and the tiles of the event proposed.

use crate::event::{Event, Reason, Verdict};
use crate::game::Game;
use crate::id::{KindId, PlayerId, RuleId, TileId};
use crate::plan::{
    Area, Condition, Heading, Movement, Seat, Spot, Test, TileTest, Trait, Value, Who,
};
use crate::state::State;
use crate::tile_set::TileSet;
use crate::view::View;

/// How [`Test::Stuck`] is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// By looking for an event that the rules accept.
    Ask,
    /// As false, where an event is about to be judged anyway.
    AssumeNot,
}

/// All that a condition may look at.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) game: &'a Game,
    pub(crate) state: &'a State,
    pub(crate) mover: PlayerId,
    pub(crate) from: Option<TileId>,
    pub(crate) to: Option<TileId>,
    /// The rule whose condition is asked, for the reason of a refusal.
    pub(crate) rule: RuleId,
    pub(crate) stuck: Stuck,
}

impl<'a> Scene<'a> {
    /// A scene without an event, judged for the player to move.
    pub(crate) fn of_state(game: &'a Game, state: &'a State) -> Scene<'a> {
        let mover = game.view(state).player();
        let (rule, stuck) = (RuleId(u16::MAX), Stuck::AssumeNot);
        Scene { game, state, mover, from: None, to: None, rule, stuck }
    }

    /// A scene in which an event is proposed.
    pub(crate) fn of_event(game: &'a Game, state: &'a State, event: Event) -> Scene<'a> {
        let (from, to) = match event {
            Event::Move { from, to, .. } | Event::Advance { from, to, .. } => {
                (Some(from), Some(to))
            }
            Event::Put { to, .. } => (None, Some(to)),
            Event::Roll(_) | Event::Act(_) => (None, None),
        };
        Scene { from, to, ..Scene::of_state(game, state) }
    }

    #[inline]
    pub(crate) fn view(&self) -> View<'a> {
        self.game.view(self.state)
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&self, condition: &Condition) -> bool {
        match &condition.test {
            Test::All(all) => all.iter().all(|one| self.holds(one)),
            Test::Any(any) => any.iter().any(|one| self.holds(one)),
            Test::Not(one) => !self.holds(one),
            Test::Called(one) | Test::Relevant(one) => self.holds(one),
            test => self.is_so(test),
        }
    }

    /// What a condition answers.
    pub(crate) fn judge(&self, condition: &Condition) -> Verdict {
        let refused = Verdict::Invalid(Reason::Condition(self.rule, condition.number));
        let holds = match &condition.test {
            Test::All(all) => {
                let answers = all.iter().map(|one| self.judge(one));
                return answers
                    .into_iter()
                    .find(|v| *v != Verdict::Valid)
                    .unwrap_or(Verdict::Valid);
            }
            Test::Any(any) => return self.judge_any(any, refused),
            Test::Not(one) => !self.holds(one),
            Test::Called(one) => match self.judge(one) {
                Verdict::Invalid(_) => false,
                answer => return answer,
            },
            Test::Relevant(one) => {
                return if self.holds(one) { Verdict::Valid } else { Verdict::Ignore };
            }
            test => self.is_so(test),
        };
        if holds { Verdict::Valid } else { refused }
    }

    /// Whether a test holds that is not made of conditions.
    fn is_so(&self, test: &Test) -> bool {
        match test {
            Test::Always => true,
            Test::Turn(player) => self.view().player() == *player,
            Test::Compare { left, is, right } => is.holds(self.value(left), self.value(right)),
            Test::Tile { at, is } => self.spot(at).is_some_and(|tile| self.passes(is, tile)),
            Test::Line { lines, is } => {
                let marked = self.select(is, self.game.all_tiles);
                lines.iter().any(|line| marked & *line == *line)
            }
            Test::Stuck => self.stuck == Stuck::Ask && self.game.is_stuck(self.state),
            Test::Custom(custom) => (custom.0)(self.view(), self.from, self.to),
            Test::Never
            | Test::All(_)
            | Test::Any(_)
            | Test::Not(_)
            | Test::Called(_)
            | Test::Relevant(_) => false,
        }
    }

    /// Valid if one is; otherwise refused as a whole, or nothing to say if none refuses.
    fn judge_any(&self, any: &[Condition], whole: Verdict) -> Verdict {
        let mut answer = Verdict::Ignore;
        for one in any {
            match self.judge(one) {
                Verdict::Valid => return Verdict::Valid,
                Verdict::Invalid(_) => answer = whole,
                Verdict::Ignore => {}
            }
        }
        answer
    }

    pub(crate) fn value(&self, value: &Value) -> i64 {
        match value {
            Value::Number(number) => *number,
            Value::Variable(variable, of) => self.view().variable(*variable, self.seat(*of)),
            Value::Die(die) => self.view().die(*die).unwrap_or(0).into(),
            Value::Tiles { area, is } => self.select(is, self.area(area)).len() as i64,
            Value::Pieces { area: Area::Board, owner, kind } if self.game.layout.holds_single() => {
                self.count_board(*owner, *kind)
            }
            Value::Pieces { area, owner, kind } => {
                let view = self.view();
                if self.game.layout.holds_single() {
                    let tiles = self.area(area) & self.owned(*owner);
                    let kinds = kind.map_or(tiles, |kind| tiles & view.of_kind(kind));
                    return kinds.len() as i64;
                }
                let count = |tile, player| match kind {
                    Some(kind) => view.count(tile, player, *kind),
                    None => view.count_of(tile, player),
                };
                let tiles = self.area(area) & self.owned(*owner);
                let players = || self.game.players().filter(|&player| self.is(player, *owner));
                let counts = tiles.iter().flat_map(|tile| players().map(move |p| count(tile, p)));
                counts.sum::<usize>() as i64
            }
            Value::Sum(values) => {
                values.iter().fold(0, |sum, value| sum.saturating_add(self.value(value)))
            }
        }
    }

    /// How many pieces there are on a board whose tiles hold one each.
    #[inline]
    fn count_board(&self, owner: Who, kind: Option<KindId>) -> i64 {
        let (words, layout) = (self.state.words(), &self.game.layout);
        let players = self.among(owner);
        let mut count = 0;
        for word in 0..layout.width {
            let mut tiles = 0;
            for player in (0..layout.players).filter(|player| players >> player & 1 == 1) {
                tiles |= words[player * layout.width + word];
            }
            if let Some(kind) = kind {
                tiles &= words[layout.kind(kind) + word];
            }
            count += tiles.count_ones();
        }
        count.into()
    }

    /// The players who are meant, a bit for each.
    #[inline]
    fn among(&self, who: Who) -> u64 {
        let friends = self.game.friends[self.mover.index()];
        match who {
            Who::Mover => 1 << self.mover.index(),
            Who::Ally => friends & !(1 << self.mover.index()),
            Who::Friend => friends,
            Who::Foe => !friends,
            Who::Player(one) => 1 << one.index(),
            Who::Anyone => u64::MAX,
        }
    }

    pub(crate) fn seat(&self, seat: Seat) -> PlayerId {
        match seat {
            Seat::Mover => self.mover,
            Seat::Ahead(seats) => {
                PlayerId::at((self.mover.index() + seats as usize) % self.game.layout.players)
            }
            Seat::Player(player) => player,
        }
    }

    /// Whether a player is one of those meant.
    pub(crate) fn is(&self, player: PlayerId, who: Who) -> bool {
        self.among(who) >> player.index() & 1 == 1
    }

    /// The tiles held by any of those meant.
    fn owned(&self, who: Who) -> TileSet {
        let view = self.view();
        let players = self.game.players().filter(|&player| self.is(player, who));
        players.fold(TileSet::EMPTY, |tiles, player| tiles | view.owned(player))
    }

    /// The kind of the mover's piece that a movement rule would move from a tile: where several
    /// stand there, the first that the rule is about.
    pub(crate) fn moving_kind(&self, movement: &Movement, from: TileId) -> Option<KindId> {
        let view = self.view();
        if !self.game.layout.stacks(from) {
            let kind = view.kind_at(from).filter(|_| view.is_owned(from, self.mover));
            return kind.filter(|&kind| movement.kinds.contains(kind));
        }
        let mine = |&kind: &KindId| view.count(from, self.mover, kind) > 0;
        self.game.kinds().filter(mine).find(|&kind| movement.kinds.contains(kind))
    }

    /// The mover's tiles on which a piece that a movement rule is about may stand.
    pub(crate) fn movers(&self, movement: &Movement) -> TileSet {
        let view = self.view();
        let named = self.game.kinds().filter(|&kind| movement.kinds.contains(kind));
        let kinds = named.fold(TileSet::EMPTY, |all, kind| all | view.of_kind(kind));
        self.select(&movement.source, view.owned(self.mover) & kinds)
    }

    pub(crate) fn area(&self, area: &Area) -> TileSet {
        match area {
            Area::Board => self.game.all_tiles,
            Area::Region(regions, seat) => regions[self.seat(*seat).index()],
            Area::At(spot) => self.spot(spot).into_iter().collect(),
            Area::Span(from, to) => self.span(from, to).unwrap_or_default(),
            Area::Beyond(spot, along) => self.beyond(spot, along).unwrap_or_default(),
            Area::Around(spot) => {
                let topology = self.game.topology();
                let near = |tile| topology.leaving(tile).map(|one| topology.relation(one).to);
                self.spot(spot).into_iter().flat_map(near).collect()
            }
        }
    }

    /// The tiles along a direction from a spot.
    fn beyond(&self, spot: &Spot, along: &Heading) -> Option<TileSet> {
        let start = self.spot(spot)?;
        let mut ray = TileSet::EMPTY;
        let mut tile = start;
        while let Some(next) = self.step(tile, along) {
            if next == start || ray.contains(next) {
                break;
            }
            ray.insert(next);
            tile = next;
        }
        Some(ray)
    }

    /// The tiles of the straight line between two spots, by the first direction that joins them.
    fn span(&self, from: &Spot, to: &Spot) -> Option<TileSet> {
        let (from, to) = (self.spot(from)?, self.spot(to)?);
        let topology = self.game.topology();
        let mut directions = self.game.directions();
        if from == to {
            return Some(std::iter::once(from).collect());
        }
        directions.find_map(|direction| {
            let mut span: TileSet = std::iter::once(from).collect();
            let mut tile = from;
            while tile != to {
                tile = topology.next(tile, direction).filter(|&next| !span.contains(next))?;
                span.insert(tile);
            }
            Some(span)
        })
    }

    pub(crate) fn spot(&self, spot: &Spot) -> Option<TileId> {
        match spot {
            Spot::From => self.from,
            Spot::To => self.to,
            Spot::Tile(tile) => Some(*tile),
            Spot::Only(tiles, seat) => Some(tiles[self.seat(*seat).index()]),
            Spot::Steps(spot, steps) => {
                steps.iter().try_fold(self.spot(spot)?, |tile, heading| self.step(tile, heading))
            }
            Spot::First { from, along, is } => {
                let start = self.spot(from)?;
                let mut tile = start;
                // A ring brings the ray back to its start; a tail into a ring never does, so the
                // number of tiles bounds the walk.
                for _ in 0..self.game.tile_count() {
                    tile = self.step(tile, along).filter(|&tile| tile != start)?;
                    if self.passes(is, tile) {
                        return Some(tile);
                    }
                }
                None
            }
        }
    }

    fn step(&self, tile: TileId, heading: &Heading) -> Option<TileId> {
        let topology = self.game.topology();
        let relation = topology.step(tile, heading[self.mover.index()])?;
        Some(topology.relation(relation).to)
    }

    /// Whether a tile passes a test.
    pub(crate) fn passes(&self, test: &TileTest, tile: TileId) -> bool {
        let has = |one: &Trait| self.has(one, tile);
        test.all_of.iter().all(has)
            && (test.any_of.is_empty() || test.any_of.iter().any(has))
            && !test.none_of.iter().any(has)
    }

    fn has(&self, one: &Trait, tile: TileId) -> bool {
        let view = self.view();
        match one {
            Trait::Empty => view.owner_at(tile).is_none(),
            Trait::Owner(who) => {
                self.game.players().any(|p| view.is_owned(tile, p) && self.is(p, *who))
            }
            Trait::Kind(kind) => view.is_kind(tile, *kind),
            Trait::Flag(flag) => view.is_flagged(tile, *flag),
            Trait::In(regions) => regions[self.mover.index()].contains(tile),
            Trait::AtLeast(count, who) => {
                let players = self.game.players().filter(|&player| self.is(player, *who));
                players.map(|p| view.count_of(tile, p)).sum::<usize>() >= usize::from(*count)
            }
            Trait::Royal => self.game.royals.iter().any(|&kind| view.is_kind(tile, kind)),
            Trait::Threatened(who) => {
                let mut players = self.game.players().filter(|&player| self.is(player, *who));
                players.any(|player| self.game.is_threatened(self.state, tile, player))
            }
            Trait::At(spot) => self.spot(spot) == Some(tile),
            Trait::Beside(test) => {
                let topology = self.game.topology();
                let mut near = topology.leaving(tile).map(|one| topology.relation(one).to);
                near.any(|tile| self.passes(test, tile))
            }
        }
    }

    /// The tiles of a set that pass a test.
    pub(crate) fn select(&self, test: &TileTest, among: TileSet) -> TileSet {
        let mut tiles = among;
        for one in &test.all_of {
            tiles = tiles & self.having(one, tiles);
        }
        if !test.any_of.is_empty() {
            let any = test.any_of.iter();
            tiles = any.fold(TileSet::EMPTY, |any, one| any | self.having(one, tiles));
        }
        test.none_of.iter().fold(tiles, |tiles, one| tiles.without(self.having(one, tiles)))
    }

    /// The tiles of a set that have a trait.
    fn having(&self, one: &Trait, among: TileSet) -> TileSet {
        let view = self.view();
        match one {
            Trait::Empty => among.without(view.occupied()),
            Trait::Owner(who) => among & self.owned(*who),
            Trait::Kind(kind) => among & view.of_kind(*kind),
            Trait::Flag(flag) => among & view.flagged(*flag),
            Trait::In(regions) => among & regions[self.mover.index()],
            Trait::Royal => {
                let royals = self.game.royals.iter().map(|&kind| view.of_kind(kind));
                among & royals.fold(TileSet::EMPTY, |all, kind| all | kind)
            }
            Trait::AtLeast(..) | Trait::Threatened(_) | Trait::At(_) | Trait::Beside(_) => {
                among.iter().filter(|&tile| self.has(one, tile)).collect()
            }
        }
    }
}
