//! The interpreter: runs functions of the intermediate representation on a state.

mod edit;
mod geometry;

use crate::bitboard::{self as bits, Bits};
use crate::draft::{Draft, Identity};
use crate::event::Event;
use crate::game::Game;
use crate::id::{KindId, PlayerId, RuleId, TileId};
use crate::ir::{
    ANSWER, Arithmetic, CHOICE, FOUND, FROM, Function, NO_TILE, NumReg, Op, PIPS, SetReg, TO,
};
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::Wanted;
use crate::view::View;

/// The tiles and choices of the event that code is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    pub(crate) from: i64,
    pub(crate) to: i64,
    pub(crate) choice: i64,
    pub(crate) pips: i64,
}

impl Proposal {
    /// No event.
    pub(crate) const NONE: Proposal =
        Proposal { from: NO_TILE, to: NO_TILE, choice: NO_TILE, pips: 0 };

    pub(crate) fn of(event: Event) -> Proposal {
        let tile = |tile: TileId| tile.index() as i64;
        match event {
            Event::Move { from, to, choice } => Proposal {
                from: tile(from),
                to: tile(to),
                choice: choice.map_or(NO_TILE, |kind| kind.index() as i64),
                pips: 0,
            },
            Event::Advance { from, to, pips } => {
                Proposal { from: tile(from), to: tile(to), pips: pips.into(), ..Proposal::NONE }
            }
            Event::Put { kind, to } => {
                Proposal { to: tile(to), choice: kind.index() as i64, ..Proposal::NONE }
            }
            Event::Roll(outcome) => Proposal { choice: outcome.index() as i64, ..Proposal::NONE },
            Event::Act(_) => Proposal::NONE,
        }
    }
}

/// An event with the rule that accepts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) event: Event,
    pub(crate) rule: RuleId,
}

/// What becomes of the moves that code finds.
pub(crate) enum Output {
    /// They are counted.
    Count(u64),
    /// The first one ends the search.
    Exists(bool),
    /// They are listed: rule by rule, by source, then target, then choice.
    List(Vec<Found>),
}

/// The state that code runs on.
pub(crate) enum Store<'a, 'g> {
    Read(&'a State),
    Edit(&'a mut Draft<'g>),
}

impl Store<'_, '_> {
    #[inline(always)]
    fn state(&self) -> &State {
        match self {
            Store::Read(state) => state,
            Store::Edit(draft) => &draft.state,
        }
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        self.state().words()
    }
}

/// How a block ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    /// The innermost loop is left.
    Break,
    /// Nothing more needs to be found.
    Stop,
}

/// Registers and what is kept between operations.
pub(crate) struct Machine<'g, const W: usize> {
    game: &'g Game,
    sets: Vec<Bits<W>>,
    numbers: Vec<i64>,
    /// Where the registers of the running function begin.
    set_base: usize,
    number_base: usize,
    /// How many registers the running function has.
    set_count: usize,
    number_count: usize,
    /// Sets kept for tiles.
    kept: Vec<Bits<W>>,
    pub(crate) output: Output,
    rule: RuleId,
    /// Where the events of the running rule begin in a list, and whether they are out of order.
    rule_start: usize,
    unordered: bool,
    /// States for trials, kept so that none is made anew.
    spare: Vec<State>,
}

impl<'g, const W: usize> Machine<'g, W> {
    pub(crate) fn new(game: &'g Game) -> Self {
        Machine {
            game,
            sets: vec![[0; W]; 32],
            numbers: vec![0; 32],
            set_base: 0,
            number_base: 0,
            set_count: 0,
            number_count: 0,
            kept: vec![[0; W]; game.tile_count()],
            output: Output::Exists(false),
            rule: RuleId(0),
            rule_start: 0,
            unordered: false,
            spare: Vec::new(),
        }
    }

    /// Runs a function, with fresh registers above those in use.
    fn call(&mut self, function: &Function, proposal: Proposal, store: &mut Store<'_, 'g>) -> Flow {
        let saved = (self.set_base, self.number_base, self.set_count, self.number_count);
        self.set_base += self.set_count;
        self.number_base += self.number_count;
        self.set_count = function.sets.into();
        self.number_count = function.numbers.into();
        let sets = self.set_base + self.set_count + 1;
        if self.sets.len() < sets {
            self.sets.resize(sets, [0; W]);
        }
        let numbers = self.number_base + self.number_count + usize::from(ANSWER.0) + 1;
        if self.numbers.len() < numbers {
            self.numbers.resize(numbers, 0);
        }
        self.set_number(FROM, proposal.from);
        self.set_number(TO, proposal.to);
        self.set_number(CHOICE, proposal.choice);
        self.set_number(PIPS, proposal.pips);
        let flow = self.block(&function.body, store);
        if flow != Flow::Stop {
            self.finish_rule();
        }
        (self.set_base, self.number_base, self.set_count, self.number_count) = saved;
        flow
    }

    /// The answer of a function that answers a question.
    pub(crate) fn answer(&mut self, function: &Function, proposal: Proposal, state: &State) -> i64 {
        let (base, count) = (self.number_base, self.number_count);
        self.call(function, proposal, &mut Store::Read(state));
        self.numbers[base + count + usize::from(ANSWER.0)]
    }

    /// The set that a function finds.
    pub(crate) fn find(
        &mut self,
        function: &Function,
        proposal: Proposal,
        state: &State,
    ) -> TileSet {
        let (base, count) = (self.set_base, self.set_count);
        self.call(function, proposal, &mut Store::Read(state));
        TileSet::from_words(&self.sets[base + count + usize::from(FOUND.0)])
    }

    /// Runs a function that finds moves.
    pub(crate) fn generate(&mut self, function: &Function, state: &State) {
        self.call(function, Proposal::NONE, &mut Store::Read(state));
    }

    /// Runs a function that changes a state.
    pub(crate) fn make(&mut self, function: &Function, proposal: Proposal, draft: &mut Draft<'g>) {
        self.call(function, proposal, &mut Store::Edit(draft));
    }

    #[inline(always)]
    fn set(&self, register: SetReg) -> &Bits<W> {
        &self.sets[self.set_base + usize::from(register.0)]
    }

    #[inline(always)]
    fn put(&mut self, register: SetReg, set: Bits<W>) {
        self.sets[self.set_base + usize::from(register.0)] = set;
    }

    #[inline(always)]
    fn number(&self, register: NumReg) -> i64 {
        self.numbers[self.number_base + usize::from(register.0)]
    }

    #[inline(always)]
    fn set_number(&mut self, register: NumReg, number: i64) {
        self.numbers[self.number_base + usize::from(register.0)] = number;
    }

    /// The tile in a register.
    #[inline(always)]
    fn tile(&self, register: NumReg) -> Option<usize> {
        usize::try_from(self.number(register)).ok()
    }

    #[inline(always)]
    fn row(table: &[u64], index: usize) -> Bits<W> {
        let mut row = [0; W];
        row.copy_from_slice(&table[index * W..][..W]);
        row
    }

    fn block(&mut self, ops: &[Op], store: &mut Store<'_, 'g>) -> Flow {
        for op in ops {
            match self.op(op, store) {
                Flow::Next => {}
                flow => return flow,
            }
        }
        Flow::Next
    }

    #[inline(always)]
    fn op(&mut self, op: &Op, store: &mut Store<'_, 'g>) -> Flow {
        let code = &self.game.code;
        match *op {
            Op::Constant(to, id) => self.put(to, Self::row(&code.constants, id.index())),
            Op::Plane(to, first) => {
                let mut set = [0; W];
                set.copy_from_slice(&store.words()[first..first + W]);
                self.put(to, set);
            }
            Op::Copy(to, from) => self.put(to, *self.set(from)),
            Op::And(to, a, b) => self.put(to, bits::and(self.set(a), self.set(b))),
            Op::Or(to, a, b) => self.put(to, bits::or(self.set(a), self.set(b))),
            Op::AndNot(to, a, b) => self.put(to, bits::and_not(self.set(a), self.set(b))),
            Op::Image(to, from, map) => {
                self.put(to, geometry::image(&code.maps[map.index()], self.set(from)));
            }
            Op::Preimage(to, of, map) => {
                self.put(to, geometry::preimage(&code.maps[map.index()], self.set(of)));
            }
            Op::Images { to, from, over, map } => {
                let map = &code.maps[map.index()];
                self.put(to, geometry::images(map, self.set(from), self.set(over)));
            }
            Op::Single(to, tile) => {
                let mut set = [0; W];
                if let Some(tile) = self.tile(tile) {
                    bits::insert(&mut set, tile);
                }
                self.put(to, set);
            }
            Op::Row(to, rows, tile) => {
                let rows = &code.rows[rows.index()];
                let row = self.tile(tile).map_or([0; W], |tile| Self::row(rows, tile));
                self.put(to, row);
            }
            Op::Slide(to, slide, tile, stops) => {
                let slide = &code.slides[slide.index()];
                let seen = match self.tile(tile) {
                    Some(tile) => geometry::slide(slide, tile, self.set(stops)),
                    None => [0; W],
                };
                self.put(to, seen);
            }
            Op::Between(to, slide, one, other) => {
                let slide = &code.slides[slide.index()];
                let line = match (self.tile(one), self.tile(other)) {
                    (Some(one), Some(other)) => geometry::between(slide, one, other),
                    _ => [0; W],
                };
                self.put(to, line);
            }
            Op::Span(to, one, other) => {
                let line = match (self.tile(one), self.tile(other)) {
                    (Some(one), Some(other)) => self.game.span(TileId::at(one), TileId::at(other)),
                    _ => TileSet::EMPTY,
                };
                self.put(to, Self::row(line.words(), 0));
            }
            Op::Flood { to, from, over, links } => {
                let maps = geometry::maps(code, links);
                self.put(to, geometry::flood(maps, self.set(from), self.set(over)));
            }
            Op::Stacked { to, players, least } => {
                let set = self.stacked(players, least, store.state());
                self.put(to, set);
            }
            Op::Lines(to, lines, of) => {
                let of = *self.set(of);
                let mut all = [0; W];
                for line in code.lines[lines.index()].as_chunks::<W>().0 {
                    if bits::is_empty(&bits::and_not(line, &of)) {
                        all = bits::or(&all, line);
                    }
                }
                self.put(to, all);
            }
            Op::Travel { to, way, from, through } => {
                let through = TileSet::from_words(self.set(through));
                let found = match self.tile(from) {
                    Some(from) => {
                        self.game.travel_past(store.state(), way, TileId::at(from), &through)
                    }
                    None => TileSet::EMPTY,
                };
                self.put(to, Self::row(found.words(), 0));
            }
            Op::Load(to, tile) => {
                let set = self.tile(tile).map_or([0; W], |tile| self.kept[tile]);
                self.put(to, set);
            }
            Op::Store(tile, set) => {
                if let Some(tile) = self.tile(tile) {
                    self.kept[tile] = *self.set(set);
                }
            }
            Op::Number(to, number) => self.set_number(to, number),
            Op::Move(to, from) => self.set_number(to, self.number(from)),
            Op::Count(to, set) => self.set_number(to, bits::count(self.set(set)).into()),
            Op::First(to, set) => {
                let first = bits::lowest(self.set(set));
                self.set_number(to, first.map_or(NO_TILE, |tile| tile as i64));
            }
            Op::Only(to, set) => {
                let set = self.set(set);
                let only = bits::lowest(set).filter(|_| bits::count(set) == 1);
                self.set_number(to, only.map_or(NO_TILE, |tile| tile as i64));
            }
            Op::Has(to, set, tile) => {
                let has = self.tile(tile).is_some_and(|tile| bits::contains(self.set(set), tile));
                self.set_number(to, has.into());
            }
            Op::Any(to, set) => self.set_number(to, (!bits::is_empty(self.set(set))).into()),
            Op::HasLine(to, lines, of) => {
                let of = *self.set(of);
                let mut lines = code.lines[lines.index()].as_chunks::<W>().0.iter();
                let has = lines.any(|line| bits::is_empty(&bits::and_not(line, &of)));
                self.set_number(to, has.into());
            }
            Op::Step(to, map, tile) => {
                let images = &code.maps[map.index()].images;
                let image = self.tile(tile).map(|tile| images[tile]);
                let image = image.filter(|&image| image != u16::MAX);
                self.set_number(to, image.map_or(NO_TILE, i64::from));
            }
            Op::FirstAlong(to, slide, tile, set) => {
                let slide = &code.slides[slide.index()];
                let first = self.tile(tile);
                let first = first.and_then(|tile| geometry::first(slide, tile, self.set(set)));
                self.set_number(to, first.map_or(NO_TILE, |tile| tile as i64));
            }
            Op::Track { to, track, pips, from } => {
                let track = &code.tracks[track.index()];
                let pips = usize::try_from(self.number(pips)).unwrap_or(0);
                let target = match self.tile(from) {
                    Some(from) if pips > 0 && pips <= track.sides => {
                        track.targets[from * track.sides + pips - 1]
                    }
                    _ => u16::MAX,
                };
                let none = target == u16::MAX;
                self.set_number(to, if none { NO_TILE } else { target.into() });
            }
            Op::Field(to, field, least) => {
                self.set_number(to, least.wrapping_add(field.get(store.words()) as i64));
            }
            Op::Pieces { to, on, players, kind } => {
                let count = self.pieces(on, players, kind, store.state());
                self.set_number(to, count);
            }
            Op::Groups(to, of, links) => {
                let maps = geometry::maps(code, links);
                let mut left = *self.set(of);
                let mut count = 0;
                while let Some(tile) = bits::lowest(&left) {
                    let mut seed = [0; W];
                    bits::insert(&mut seed, tile);
                    let group = geometry::flood(maps.clone(), &seed, &left);
                    left = bits::and_not(&left, &group);
                    count += 1;
                }
                self.set_number(to, count);
            }
            Op::Arithmetic(to, what, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                let result = match what {
                    Arithmetic::Add => a.saturating_add(b),
                    Arithmetic::Subtract => a.saturating_sub(b),
                    Arithmetic::Multiply => a.saturating_mul(b),
                    Arithmetic::Min => a.min(b),
                    Arithmetic::Max => a.max(b),
                };
                self.set_number(to, result);
            }
            Op::Compare(to, is, a, b) => {
                self.set_number(to, is.holds(self.number(a), self.number(b)).into());
            }
            Op::Not(to, from) => self.set_number(to, (self.number(from) == 0).into()),
            Op::Stuck(to) => self.set_number(to, self.game.is_stuck(store.state()).into()),
            Op::MovingKind { to, player, rule, from } => {
                let game = self.game;
                let kind = match (&game.rules[rule.index()].wants, self.tile(from)) {
                    (Wanted::Move(movement), Some(from)) => {
                        let view = game.view(store.state());
                        game.moving_kind(view, player, movement, TileId::at(from))
                    }
                    _ => None,
                };
                self.set_number(to, kind.map_or(NO_TILE, |kind| kind.index() as i64));
            }
            Op::Custom { to, tiles, custom } => {
                let tile = |register| self.tile(register).map(TileId::at);
                let view = View { game: self.game, state: store.state() };
                let holds = (custom.0)(view, tile(tiles.0), tile(tiles.1));
                self.set_number(to, holds.into());
            }
            Op::Trial { to, make, check } => {
                let holds = self.trial(code.function(make), code.function(check), store.state());
                self.set_number(to, holds.into());
            }
            Op::If(truth, ref then, ref otherwise) => {
                let ops = if self.number(truth) != 0 { then } else { otherwise };
                return self.block(ops, store);
            }
            Op::ForTiles(set, tile, ref body) => {
                for at in bits::tiles(self.set(set)) {
                    self.set_number(tile, at as i64);
                    match self.block(body, store) {
                        Flow::Next => {}
                        Flow::Break => break,
                        Flow::Stop => return Flow::Stop,
                    }
                }
            }
            Op::ForGroups { of, links, group, ref body } => {
                let mut left = *self.set(of);
                while let Some(tile) = bits::lowest(&left) {
                    let mut seed = [0; W];
                    bits::insert(&mut seed, tile);
                    let found = geometry::flood(geometry::maps(code, links), &seed, &left);
                    left = bits::and_not(&left, &found);
                    self.put(group, found);
                    match self.block(body, store) {
                        Flow::Next => {}
                        Flow::Break => break,
                        Flow::Stop => return Flow::Stop,
                    }
                }
            }
            Op::Repeat(times, ref body) => {
                for _ in 0..self.number(times) {
                    match self.block(body, store) {
                        Flow::Next => {}
                        Flow::Break => break,
                        Flow::Stop => return Flow::Stop,
                    }
                }
            }
            Op::Break => return Flow::Break,
            Op::Rule(rule, ordered) => {
                self.finish_rule();
                self.unordered = !ordered;
                self.rule = rule;
                self.rule_start = match &self.output {
                    Output::List(list) => list.len(),
                    _ => 0,
                };
            }
            Op::EmitFrom(from, targets) => {
                if let Some(from) = self.tile(from) {
                    return self.emit_from(from, targets);
                }
            }
            Op::EmitImages(map, targets) => return self.emit_images(map, targets),
            Op::EmitEvent => {
                if let (Some(from), Some(to)) = (self.tile(FROM), self.tile(TO)) {
                    let choice = self.tile(CHOICE).map(KindId::at);
                    let (from, to) = (TileId::at(from), TileId::at(to));
                    return self.emit(1, |list| list(Event::Move { from, to, choice }));
                }
            }
            Op::EmitDie { from, to, pips } => {
                if let (Some(from), Some(to)) = (self.tile(from), self.tile(to)) {
                    let (from, to) = (TileId::at(from), TileId::at(to));
                    let pips = self.number(pips) as u8;
                    return self.emit(1, |list| list(Event::Advance { from, to, pips }));
                }
            }
            Op::EmitPut(kind, targets) => {
                let targets = *self.set(targets);
                return self.emit(bits::count(&targets).into(), |list| {
                    bits::tiles(&targets)
                        .for_each(|to| list(Event::Put { kind, to: TileId::at(to) }));
                });
            }
            Op::Edit(ref edit) => {
                if let Store::Edit(draft) = store {
                    self.edit(edit, draft);
                }
            }
        }
        Flow::Next
    }

    /// Takes a number of events, which are told only where they are listed.
    #[inline(always)]
    fn emit(&mut self, count: u64, tell: impl FnOnce(&mut dyn FnMut(Event))) -> Flow {
        let rule = self.rule;
        match &mut self.output {
            Output::Count(sum) => *sum += count,
            Output::Exists(exists) => {
                if count > 0 {
                    *exists = true;
                    return Flow::Stop;
                }
            }
            Output::List(list) => tell(&mut |event| list.push(Found { event, rule })),
        }
        Flow::Next
    }

    #[inline(always)]
    fn emit_from(&mut self, from: usize, targets: SetReg) -> Flow {
        let targets = *self.set(targets);
        let choices = &self.game.code.choices[self.rule.index()];
        let count = u64::from(bits::count(&targets)) * choices.len().max(1) as u64;
        self.emit(count, |list| {
            for to in bits::tiles(&targets) {
                each_choice(TileId::at(from), TileId::at(to), choices, list);
            }
        })
    }

    #[inline(always)]
    fn emit_images(&mut self, map: crate::ir::MapId, targets: SetReg) -> Flow {
        let targets = *self.set(targets);
        let choices = &self.game.code.choices[self.rule.index()];
        let count = u64::from(bits::count(&targets)) * choices.len().max(1) as u64;
        let game = self.game;
        self.emit(count, |list| {
            let images = &game.code.maps[map.index()].images;
            for (from, &to) in images.iter().enumerate().filter(|(_, to)| **to != u16::MAX) {
                if bits::contains(&targets, to.into()) {
                    each_choice(TileId::at(from), TileId(to), choices, list);
                }
            }
        })
    }

    /// Puts the events of the rule that ends into their order.
    #[inline]
    fn finish_rule(&mut self) {
        if self.unordered
            && let Output::List(list) = &mut self.output
        {
            let start = self.rule_start.min(list.len());
            list[start..].sort_by_key(|found| match found.event {
                Event::Move { from, to, .. } => (from, to),
                _ => (TileId(0), TileId(0)),
            });
        }
        self.unordered = false;
    }

    /// Whether a function holds after another has changed a state.
    fn trial(&mut self, make: &Function, check: &Function, state: &State) -> bool {
        let mut after = self.spare.pop().unwrap_or_else(|| state.clone());
        after.copy_prefix(state, self.game.layout.tail);
        let proposal = Proposal {
            from: self.number(FROM),
            to: self.number(TO),
            choice: self.number(CHOICE),
            pips: self.number(PIPS),
        };
        let mut draft = Draft { game: self.game, state: after, identity: Identity::Ignored };
        let rule = (self.rule, self.rule_start, self.unordered);
        self.unordered = false;
        self.make(make, proposal, &mut draft);
        let holds = self.answer(check, proposal, &draft.state) != 0;
        (self.rule, self.rule_start, self.unordered) = rule;
        self.spare.push(draft.state);
        holds
    }

    fn stacked(&self, players: u64, least: u16, state: &State) -> Bits<W> {
        let (game, view) = (self.game, self.game.view(state));
        let mut set = [0; W];
        for tile in game.tiles() {
            let count = of_players(game, players).map(|player| view.count_of(tile, player));
            if count.sum::<usize>() >= usize::from(least) {
                bits::insert(&mut set, tile.index());
            }
        }
        set
    }

    fn pieces(&self, on: SetReg, players: u64, kind: Option<KindId>, state: &State) -> i64 {
        let (game, view) = (self.game, self.game.view(state));
        let count = |tile, player| match kind {
            Some(kind) => view.count(tile, player, kind),
            None => view.count_of(tile, player),
        };
        let tiles = bits::tiles(self.set(on)).map(TileId::at);
        let counts =
            tiles.flat_map(|tile| of_players(game, players).map(move |player| (tile, player)));
        counts.map(|(tile, player)| count(tile, player)).sum::<usize>() as i64
    }
}

/// The players of a mask.
fn of_players(game: &Game, mask: u64) -> impl Iterator<Item = PlayerId> + use<> {
    game.players().filter(move |player| mask >> player.index() & 1 == 1)
}

#[inline(always)]
fn each_choice(from: TileId, to: TileId, choices: &[KindId], list: &mut dyn FnMut(Event)) {
    if choices.is_empty() {
        list(Event::step(from, to));
    }
    for &kind in choices {
        list(Event::Move { from, to, choice: Some(kind) });
    }
}
