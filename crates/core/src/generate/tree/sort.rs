//! Rows and programs sorted into what a tree has words for.

use std::sync::Arc;

use crate::bits::{Bits, ByTile};
use crate::game::Game;
use crate::id::{FlagId, KindId, PlayerId, TileId};
use crate::make::{Journey, Program};
use crate::plan::{Movement, Spot, Test, Trait, Wanted, Way, Who};

use super::super::attack::{Attacks, Kinds, strides};
use super::super::land::{Ground, Land};
use super::super::line::Lines;
use super::super::link::Link;
use super::super::row::{Check, Row, is_royal_safety, parts};
use super::super::sight::Sight;
use super::choose::ENTRIES;
use super::node::{CODES, Code};
use super::side::{
    ByCode, Entry, Herd, Keys, Leg, Pass, RuleOf, STEPS, STRIDES, Side, Step, Tread, What, leg,
};
use super::{Able, Tree};

impl<const W: usize> Tree<W> {
    /// The tree of a game of two sides, if all its rules have words in it.
    pub(crate) fn new(
        game: &Game,
        (lines, sights): (&Lines<W>, &[Arc<Sight<W>>]),
        attacks: &[Attacks<W>],
        phases: &[Option<Vec<super::super::Side<W>>>],
    ) -> Option<Tree<W>> {
        let ([Some(sides)], [leaf], [gate]) = (phases, &*game.leaves, &*game.gates) else {
            return None;
        };
        let two = game.layout.players == 2 && game.friends == [1, 2];
        let alone = leaf.only_moves && leaf.pre.is_empty() && !leaf.has_otherwise;
        let always = matches!(gate.when.test, Test::Always);
        let first = sights.first()?.clone();
        let sights = match sights {
            [_] => [first.clone(), first],
            [_, second] => [first, second.clone()],
            _ => return None,
        };
        if !(two && alone && always && game.by_position && game.royals.len() <= 1) {
            return None;
        }
        let (lasting, fleeting) = flags(game)?;
        let sorts = [0, 1].map(|player| Sort::new(game, PlayerId::at(player), &sides[player].rows));
        let [Some(one), Some(two)] = sorts else { return None };
        let codes = one.codes.clone();
        let fits = codes == two.codes
            && codes
                .iter()
                .enumerate()
                .all(|(at, code)| *code != Code::default() && !codes[..at].contains(code));
        if !fits {
            return None;
        }
        let keeps = |kind: &KindId| one.keepers.contains(kind) || two.keepers.contains(kind);
        let bearers = together(game, |kind| !keeps(&kind))?;
        let able = Able::new(game, &codes);
        let choices = one.choices.clone();
        if choices != two.choices || one.is_long() || two.is_long() {
            return None;
        }
        let side =
            |sort: Sort<W>, foe: usize| sort.side(game, &codes, &attacks[foe], &sights, lines);
        let sides = [side(one, 1)?, side(two, 0)?];
        let flag_keys = |flag: Option<FlagId>| {
            let key = |tile| flag.map_or(0, |flag| game.keys.flag(flag, tile) as u64);
            ByTile::new(game.tiles().map(key), 0)
        };
        let turn = (game.keys.turns[0] ^ game.keys.turns[1]) as u64;
        let keys = Keys { turn, lasting: flag_keys(lasting), fleeting: flag_keys(fleeting) };
        let serves = fleeting.is_some_and(|flag| game.serving.iter().any(|(one, _)| *one == flag));
        Some(Tree { sides, sights, able, bearers, choices, lasting, fleeting, serves, keys })
    }
}

/// Some kinds, if they can be looked up together.
fn together(game: &Game, among: impl Fn(KindId) -> bool) -> Option<Kinds> {
    let kinds: Vec<KindId> = game.kinds().filter(|&kind| among(kind)).collect();
    match *Kinds::group(game, &kinds).as_slice() {
        [] => Some(Kinds::NONE),
        [kinds] => Some(kinds),
        _ => None,
    }
}

/// The flag that lasts and the one that does not, where there is at most one of each.
fn flags(game: &Game) -> Option<(Option<FlagId>, Option<FlagId>)> {
    let all = (0..game.definition.flags.len()).map(FlagId::at);
    let (fleeting, lasting): (Vec<FlagId>, Vec<FlagId>) =
        all.partition(|flag| game.ephemeral.contains(flag));
    let at_most_one = fleeting.len() <= 1 && lasting.len() <= 1;
    at_most_one.then(|| (lasting.first().copied(), fleeting.first().copied()))
}

/// What is known of a player's rules while they are sorted.
struct Sort<const W: usize> {
    player: PlayerId,
    codes: Vec<Code>,
    leap: Option<ByTile<Bits<W>, W>>,
    royal: Option<ByTile<Bits<W>, W>>,
    steps: Vec<Step<W>>,
    choices: Vec<KindId>,
    pass: Option<Pass<W>>,
    links: Vec<(Link, KindId)>,
    sweeps: bool,
    entries: Vec<Entry>,
    herds: Vec<Herd>,
    treads: Vec<Tread<W>>,
    /// Kinds that may keep a lasting flag when they move.
    keepers: Vec<KindId>,
}

/// A row with what belongs to it.
struct Case<'a, const W: usize> {
    game: &'a Game,
    row: &'a Row<W>,
    movement: &'a Movement,
    program: &'a Program,
    lasting: u64,
    fleeting: u64,
}

impl<const W: usize> Sort<W> {
    fn new(game: &Game, player: PlayerId, rows: &[Row<W>]) -> Option<Sort<W>> {
        let mut sort = Sort {
            player,
            codes: vec![Code::default(); game.layout.kinds],
            leap: None,
            royal: None,
            steps: Vec::new(),
            choices: Vec::new(),
            pass: None,
            links: Vec::new(),
            sweeps: false,
            entries: Vec::new(),
            herds: Vec::new(),
            treads: Vec::new(),
            keepers: Vec::new(),
        };
        let (lasting, fleeting) = flags(game)?;
        let bit = |flag: Option<FlagId>| flag.map_or(0, |flag| 1 << flag.index());
        for row in rows {
            let Wanted::Move(movement) = &game.rules[row.rule.index()].wants else { return None };
            let program = game.program(row.rule, player)?;
            let (lasting, fleeting) = (bit(lasting), bit(fleeting));
            let case = Case { game, row, movement, program, lasting, fleeting };
            if row.contested || program.counts || program.next == player {
                return None;
            }
            sort.row(&case)?;
        }
        Some(sort)
    }

    fn row(&mut self, case: &Case<'_, W>) -> Option<()> {
        let Case { game, row, movement, program, .. } = *case;
        if row.link.is_some() {
            return self.link(case);
        }
        if row.check == Check::Rule {
            return self.pass(case);
        }
        let usual = match row.check {
            Check::Royal => true,
            Check::Nothing => game.royals.is_empty(),
            Check::Rule | Check::RuleAlone => false,
        };
        let plain = matches!(program.journey, Journey::Usual)
            && program.elsewhere.is_empty()
            && program.clear & !case.lasting == 0;
        if !usual || !plain {
            return None;
        }
        if program.clear | program.sweep != case.lasting {
            self.keepers.extend(row.reaches.iter().map(|(kind, _)| *kind));
        }
        let open = row.source == Land::ANYWHERE
            && movement.through.is_any()
            && row.onto == Land::ANYWHERE
            && movement.choice.is_empty();
        match row.reaches.as_slice() {
            [(kind, reach)] if open && game.royals.contains(kind) => {
                let fits = reach.slides.is_empty() && self.royal.is_none() && program.set == 0;
                self.royal = Some(reach.singles.clone());
                self.codes[kind.index()] = Code::SOVEREIGN;
                self.sweeps = program.sweep != 0;
                self.enter(case, What::Royal);
                fits.then_some(())
            }
            _ if open => self.open(case),
            [(kind, _)] => self.step(case, *kind),
            _ => None,
        }
    }

    /// Whether there are too many rules.
    fn is_long(&self) -> bool {
        self.entries.len() > ENTRIES
    }

    fn enter(&mut self, case: &Case<'_, W>, what: What) {
        self.entries.push(Entry { rule: case.row.rule, what });
    }

    /// Kinds that go wherever their patterns lead.
    fn open(&mut self, case: &Case<'_, W>) -> Option<()> {
        if case.program.set | case.program.sweep != 0 {
            return None;
        }
        for (kind, reach) in &case.row.reaches {
            let code = &mut self.codes[kind.index()];
            if *code != Code::default() || !reach.apart || case.game.royals.contains(kind) {
                return None;
            }
            for &sight in &reach.slides {
                code.0 |= 1 << sight;
            }
            if reach.singles.iter().any(|tiles| !tiles.is_empty()) {
                code.0 |= 1 << Code::LEAP;
                let known = self.leap.get_or_insert_with(|| reach.singles.clone());
                (*known == reach.singles).then_some(())?;
            }
        }
        // The pieces of one kind are listed before those of the next.
        let [(kind, _)] = case.row.reaches.as_slice() else { return None };
        let (entry, plane) = (self.entries.len(), case.game.layout.kind(*kind));
        self.enter(case, What::Herd(self.herds.len()));
        self.herds.push(Herd { entry, plane, code: self.codes[kind.index()] });
        Some(())
    }

    /// The one kind that steps.
    fn step(&mut self, case: &Case<'_, W>, kind: KindId) -> Option<()> {
        let Case { game, row, movement, program, .. } = *case;
        let through = row.through.is_plain() && row.through.within == Bits::FULL;
        let guard = match (movement.through.is_any(), row.through.ground) {
            (true, _) => Bits::EMPTY,
            (_, Ground::Empty) if through => Bits::FULL,
            _ => return None,
        };
        let (empty, foe) = match row.onto.ground {
            Ground::Empty => (row.onto.within, Bits::EMPTY),
            Ground::Foe => (Bits::EMPTY, row.onto.within),
            Ground::Any => (row.onto.within, row.onto.within),
            Ground::Own | Ground::Asked => return None,
        };
        let choice = if movement.choice.is_empty() { Bits::EMPTY } else { row.onto.within };
        let sets = program.set != 0;
        let fits = row.onto.is_plain()
            && is_simple_step(row)
            && program.sweep == 0
            && (program.set == 0 || program.set == case.fleeting)
            && (!sets || choice.is_empty());
        if !fits || !self.is_stepper(game, kind) || !self.chooses(game, &movement.choice) {
            return None;
        }
        let source = row.source.within;
        let step = |legs: Vec<Leg<W>>| {
            let still = Leg { turn: 0, domain: Bits::FULL };
            let legs = [legs[0], *legs.get(1).unwrap_or(&still)];
            Step { source, legs, guard, empty, foe, choice, sets }
        };
        let steps: Vec<Step<W>> = self.legs(game, movement, kind)?.into_iter().map(step).collect();
        let mut strides = [(0, Bits::EMPTY); STRIDES];
        for (at, step) in steps.into_iter().enumerate() {
            *strides.get_mut(at)? = (self.merge(step) as u8, step.empty | step.foe);
        }
        let (entry, times) = (self.entries.len(), movement.choice.len().max(1) as u32);
        self.enter(case, What::Tread(self.treads.len()));
        let becomes = !movement.choice.is_empty();
        self.treads.push(Tread { entry, strides, times, becomes });
        let apart = self.steps.iter().enumerate().all(|(at, step)| {
            let meets = |other: &Step<W>| {
                step.turn() == other.turn()
                    && !(step.empty & other.empty | step.foe & other.foe).is_empty()
            };
            step.turn() != 0 && !self.steps[..at].iter().any(meets)
        });
        (apart && self.steps.len() <= STEPS).then_some(())
    }

    /// Adds a step, to one that differs only in its targets if there is one; gives its number.
    fn merge(&mut self, step: Step<W>) -> usize {
        let same = |other: &Step<W>| {
            (other.source, other.legs, other.guard, other.sets)
                == (step.source, step.legs, step.guard, step.sets)
                && other.foe.is_empty() == step.foe.is_empty()
                && other.empty.is_empty() == step.empty.is_empty()
                && (other.empty & step.empty | other.foe & step.foe).is_empty()
        };
        let number = self.steps.iter().position(same).unwrap_or(self.steps.len());
        match self.steps.get_mut(number) {
            Some(other) => {
                other.empty |= step.empty;
                other.foe |= step.foe;
                other.choice |= step.choice;
            }
            None => self.steps.push(step),
        }
        number
    }

    /// Whether a kind is the one that steps.
    fn is_stepper(&mut self, game: &Game, kind: KindId) -> bool {
        let free = self.codes[kind.index()] == Code::default() && !game.royals.contains(&kind);
        if free && !self.codes.contains(&Code::STEPPER) {
            self.codes[kind.index()] = Code::STEPPER;
        }
        self.codes[kind.index()] == Code::STEPPER
    }

    /// Whether a choice is the only one that there is.
    fn chooses(&mut self, game: &Game, choice: &[KindId]) -> bool {
        if self.choices.is_empty() {
            self.choices = choice.to_vec();
        }
        choice.is_empty()
            || self.choices == choice && !choice.iter().any(|kind| game.royals.contains(kind))
    }

    /// The patterns of a kind as turns of the ids, at most two for each.
    fn legs(&self, game: &Game, movement: &Movement, kind: KindId) -> Option<Vec<Vec<Leg<W>>>> {
        let mobility = match &movement.way {
            Way::Own => game.mobility(self.player, kind),
            Way::Pattern(by_player) => &by_player[self.player.index()],
            Way::First(_) | Way::Dice(_) => return None,
        };
        let steps = strides(mobility).into_iter();
        let legs = steps.map(|steps| steps.iter().map(|&one| leg(game, one)).collect());
        let legs: Vec<Vec<Leg<W>>> = legs.collect::<Option<_>>()?;
        legs.iter().all(|legs| (1..=2).contains(&legs.len())).then_some(legs)
    }

    fn pass(&mut self, case: &Case<'_, W>) -> Option<()> {
        let Case { game, row, movement, program, .. } = *case;
        let rule = &game.rules[row.rule.index()];
        let [(kind, _)] = row.reaches.as_slice() else { return None };
        let ([beside], 1) = (row.besides.as_slice(), parts(&rule.when).count()) else {
            return None;
        };
        let Test::Tile { at: Spot::Steps(..), is } = &parts(&rule.when).next()?.test else {
            return None;
        };
        let asks = |one: &Trait| match one {
            Trait::Owner(Who::Foe) => true,
            Trait::Kind(other) => other == kind,
            Trait::Flag(flag) => 1 << flag.index() == case.fleeting,
            _ => false,
        };
        let simple = is.any_of.is_empty()
            && is.none_of.is_empty()
            && is.all_of.len() == 3
            && is.all_of.iter().all(asks);
        let fits = simple
            && self.pass.is_none()
            && matches!(program.journey, Journey::Usual)
            && program.set | program.clear | program.sweep == 0
            && is_royal_safety(&rule.written.ensures)
            && movement.through.is_any()
            && movement.choice.is_empty()
            && row.onto.is_plain()
            && row.onto.ground == Ground::Empty
            && is_simple_step(row);
        if !fits || !self.is_stepper(game, *kind) {
            return None;
        }
        self.keepers.push(*kind);
        let legs = self.legs(game, movement, *kind)?;
        let single = legs.iter().all(|legs| legs.len() == 1);
        let pass = Pass {
            legs: legs.into_iter().flatten().collect(),
            source: row.source.within,
            back: beside.back,
            targets: beside.targets & row.onto.within,
        };
        let takes = |to: TileId| program.elsewhere.get(to.index()) == Some(&Some(pass.victim(to)));
        let fits = single && pass.targets.into_iter().all(takes);
        self.pass = Some(pass);
        self.enter(case, What::Pass);
        fits.then_some(())
    }

    fn link(&mut self, case: &Case<'_, W>) -> Option<()> {
        let Case { game, row, program, .. } = *case;
        let link = row.link.as_ref()?;
        let Journey::Together(one, two) = program.journey else { return None };
        let [(kind, _)] = row.reaches.as_slice() else { return None };
        let other = row.onto.flagged_kind(game, flags(game)?.0?)?;
        let fits = link.clears_the_way()
            && link.starts_unattacked()
            && link.to == (one, two)
            && game.royals.contains(kind)
            && program.set | program.clear == 0
            && program.sweep == case.lasting
            && program.elsewhere.is_empty();
        self.enter(case, What::Link(self.links.len()));
        self.links.push((link.clone(), other));
        fits.then_some(())
    }

    fn side(
        self,
        game: &Game,
        codes: &[Code],
        foe: &Attacks<W>,
        sights: &[Arc<Sight<W>>; 2],
        lines: &Lines<W>,
    ) -> Option<Side<W>> {
        let joins = |to: fn(&Link) -> TileId| {
            let leads = |tile: &TileId| {
                let span = |(link, _): &(Link, KindId)| lines.span(*tile, to(link));
                self.links.iter().all(|link| !span(link).is_empty())
            };
            game.tiles().filter(leads).fold(Bits::EMPTY, |all, tile| all | Bits::of(tile))
        };
        let joined = (joins(|link| link.to.0), joins(|link| link.to.1));
        let nowhere = || ByTile::new([], Bits::EMPTY);
        let from = attacked_from(game, codes, foe, sights)?;
        let (onto, strikes) = (onto(game, &from), strikes(game, &from[1])?);
        let (mut royals, mut rules) = (0, [None; CODES]);
        for (at, entry) in self.entries.iter().enumerate() {
            let code = match entry.what {
                What::Herd(herd) => self.herds[herd].code,
                What::Royal => {
                    royals = at;
                    Code::SOVEREIGN
                }
                What::Tread(_) | What::Pass | What::Link(_) => continue,
            };
            rules[usize::from(code.0)] = Some(entry.rule);
        }
        let code = |kind: &KindId| codes[kind.index()];
        let mut steps = [Step::NONE; STEPS];
        steps.iter_mut().zip(&self.steps).for_each(|(slot, step)| *slot = *step);
        let keys = |at: usize| {
            let kind = codes.iter().position(|code| usize::from(code.0) == at).map(KindId::at);
            let key = |tile| kind.map_or(0, |kind| game.keys.piece(self.player, kind, tile) as u64);
            ByTile::new(game.tiles().map(key), 0)
        };
        Some(Side {
            leap: self.leap.unwrap_or_else(nowhere),
            royal: self.royal.unwrap_or_else(nowhere),
            from,
            onto,
            strikes,
            steps,
            choices: self.choices.iter().map(code).collect(),
            pass: self.pass,
            links: self.links.into_iter().map(|(link, kind)| (link, code(&kind))).collect(),
            joined,
            sweeps: self.sweeps,
            entries: self.entries,
            herds: self.herds,
            treads: self.treads,
            royals,
            rules: RuleOf(rules),
            keys: ByCode(Box::new(std::array::from_fn(keys))),
        })
    }
}

/// Whether a row slides nowhere and asks nothing of its source but where it lies.
fn is_simple_step<const W: usize>(row: &Row<W>) -> bool {
    let still = row.reaches.iter().all(|(_, reach)| reach.slides.is_empty());
    still && row.source.ground == Ground::Any && row.source.is_plain()
}

/// By tile: from where a foe attacks it who leaps, who steps, and who is royal; none where what
/// pieces attack by is not what they move by.
fn attacked_from<const W: usize>(
    game: &Game,
    codes: &[Code],
    foe: &Attacks<W>,
    sights: &[Arc<Sight<W>>; 2],
) -> Option<[ByTile<Bits<W>, W>; 3]> {
    let mut slides = vec![Code::default(); codes.len()];
    for (kinds, sight) in &foe.slides {
        let at = sights.iter().position(|one| Arc::ptr_eq(one, sight))?;
        for kind in kinds.list(game) {
            slides[kind.index()].0 |= 1 << at;
        }
    }
    let mut singles: Vec<Option<&ByTile<Bits<W>, W>>> = vec![None; codes.len()];
    for (kinds, tiles) in &foe.leaps {
        for kind in kinds.list(game) {
            singles[kind.index()] = Some(tiles);
        }
    }
    let mut from = [(); 3].map(|()| None);
    for (kind, code) in codes.iter().enumerate() {
        let ability = [Code::LEAP, Code::STEP, Code::ROYAL].iter().position(|&one| code.can(one));
        if slides[kind].0 != code.0 & 3 || ability.is_some() != singles[kind].is_some() {
            return None;
        }
        if let (Some(at), Some(tiles)) = (ability, singles[kind]) {
            let known = from[at].get_or_insert(tiles);
            (**known == *tiles).then_some(())?;
        }
    }
    Some(from.map(|one| one.cloned().unwrap_or_else(|| ByTile::new([], Bits::EMPTY))))
}

/// By tile: what a foe attacks from there who leaps, and who is royal.
fn onto<const W: usize>(game: &Game, from: &[ByTile<Bits<W>, W>; 3]) -> [ByTile<Bits<W>, W>; 2] {
    [&from[0], &from[2]].map(|from| {
        let mut onto = ByTile::new([], Bits::EMPTY);
        for to in game.tiles() {
            from[to].into_iter().for_each(|tile| onto[tile].insert(to));
        }
        onto
    })
}

/// What foes attack who step, by how ids turn; none where they turn in too many ways.
fn strikes<const W: usize>(
    game: &Game,
    from: &ByTile<Bits<W>, W>,
) -> Option<[(Bits<W>, u32); STEPS]> {
    let mut strikes = [(Bits::EMPTY, 0); STEPS];
    let mut known = 0;
    for to in game.tiles() {
        for tile in from[to] {
            let turn = ((to.index() + 64 * W - tile.index()) % (64 * W)) as u32;
            let at = strikes[..known].iter().position(|(_, one)| *one == turn).unwrap_or(known);
            let strike = strikes.get_mut(at)?;
            strike.0.insert(tile);
            strike.1 = turn;
            known = known.max(at + 1);
        }
    }
    Some(strikes)
}
