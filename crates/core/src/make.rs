//! Rules as short programs: what a rule to move or to put does to a state, worked out for each
//! player before any state exists.
//!
//! A program says the same as the rule's effects carried out one by one, for the rules whose
//! effects are of the usual sort; other rules have none and are carried out as written.

mod advance;
mod pen;
mod put;
mod roll;
mod tally;

use crate::bits::Bits;
use crate::deed;
use crate::draft::variable_key;
use crate::event::Event;
use crate::game::Game;
use crate::id::{FlagId, KindId, PlayerId, RuleId, TileId, VariableId};
use crate::layout::Field;
use crate::plan::{Effect, Rule, Seat, Spot, Test, TileTest, Trait, Value, Wanted, Who};
use crate::rule::Deed;
use crate::scene::Scene;
use crate::state::State;

pub(crate) use advance::Carrier;
use pen::Pen;
use put::Entrance;
pub(crate) use put::Hand;
pub(crate) use roll::{Cast, casts};
use tally::Tally;

/// How much of a state a program keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// Everything.
    All,
    /// The position and its hash, for those who look at nothing else.
    Position,
}

/// What a rule does when one player moves or puts by it.
pub(crate) struct Program {
    pub(crate) mover: PlayerId,
    /// The only kind that moves by it, if there is one.
    kind: Option<KindId>,
    pub(crate) journey: Journey,
    /// By target: the tile on which a piece is captured as well.
    pub(crate) elsewhere: Vec<Option<TileId>>,
    /// Flags set and cleared on the target.
    pub(crate) set: u64,
    pub(crate) clear: u64,
    /// Flags cleared on every tile of the mover.
    pub(crate) sweep: u64,
    /// Whether nothing follows a piece that is put but that the turn passes.
    bare: bool,
    /// What happens to variables when nothing, and when a foe, stands on the target.
    edits: [Vec<Edit>; 2],
    /// Whether a variable of the position is among them.
    pub(crate) counts: bool,
    pub(crate) next: PlayerId,
    /// What a move that captures nothing and meets no flag does, where that is all it does.
    quiet: Option<Quiet>,
    /// The word that says whose turn it is, what changes in it, and what that does to the hash.
    turn: (usize, u64, u128),
}

/// The planes that a quiet move of a kind of a player looks at, by the words where they begin.
struct Quiet {
    own: usize,
    kind: usize,
    other: usize,
    flags: Vec<Watch>,
    /// Where the keys of the piece begin.
    keys: usize,
    /// Where the planes of kinds begin, and by kind the keys of a piece that is taken.
    kinds: usize,
    taken: Vec<usize>,
    /// All changes of variables, when nothing and when a foe stands on the target, where they can
    /// be made at once.
    tallies: [Option<Vec<Tally>>; 2],
}

/// A flag that may make a move another than a quiet one: on its source or target, and on any piece
/// of the mover or of the other player, all of them or none.
struct Watch {
    plane: usize,
    own: u64,
    other: u64,
}

/// Who goes where.
pub(crate) enum Journey {
    /// The piece on the source goes to the target.
    Usual,
    /// The pieces on source and target go to these tiles.
    Together(TileId, TileId),
    /// A piece comes out of hand: for each kind how.
    Enter(Vec<Option<Entrance>>),
}

/// A change of a variable.
#[derive(Clone, Copy)]
struct Edit {
    variable: VariableId,
    seat: usize,
    field: Field,
    /// Whether it lies beside the position.
    beside: bool,
    /// What is kept of the number in the field: all of it or nothing.
    kept: u64,
    /// What is added to it, what then is taken away, and the most that it can be.
    more: u64,
    less: u64,
    most: u64,
}

/// The programs of a game: by rule, then by player.
pub(crate) fn programs(game: &Game) -> Vec<Option<Program>> {
    let players = || game.players();
    let rules = game.rules.iter().flat_map(|rule| players().map(move |player| (rule, player)));
    rules.map(|(rule, player)| Program::new(game, rule, player)).collect()
}

impl Program {
    fn new(game: &Game, rule: &Rule, mover: PlayerId) -> Option<Program> {
        let (wanted, journey) = match &rule.wants {
            Wanted::Move(movement) => {
                let by_tile = game.tiles().all(|tile| game.layout.holder(tile).is_some());
                by_tile.then_some((movement.kinds, Journey::Usual))?
            }
            Wanted::Put { kinds, .. } => {
                let usual = rule.written.deed == Deed::Usual && game.layout.holds_single();
                let entrance =
                    |kind| kinds.contains(kind).then(|| Entrance::new(game, mover, kind)).flatten();
                usual.then(|| (*kinds, Journey::Enter(game.kinds().map(entrance).collect())))?
            }
            Wanted::Roll { .. } | Wanted::Act(_) => return None,
        };
        let mut kinds = game.kinds().filter(|&kind| wanted.contains(kind));
        let kind = kinds.next().filter(|_| kinds.next().is_none());
        let mut program = Program {
            mover,
            kind,
            journey,
            elsewhere: Vec::new(),
            set: 0,
            clear: 0,
            sweep: 0,
            edits: [Vec::new(), Vec::new()],
            counts: false,
            next: mover,
            quiet: None,
            bare: false,
            turn: (0, 0, 0),
        };
        for effect in &rule.before {
            program.before(game, effect)?;
        }
        let mut after = rule.after.as_slice();
        if rule.written.deed == Deed::Nothing {
            let (first, rest) = after.split_first()?;
            let Effect::Together(moves) = first else { return None };
            let [one, two] = moves.as_slice() else { return None };
            let (Spot::From, Spot::Only(one, Seat::Mover)) = one else { return None };
            let (Spot::To, Spot::Only(two, Seat::Mover)) = two else { return None };
            program.journey = Journey::Together(one[mover.index()], two[mover.index()]);
            after = rest;
        }
        for effect in after {
            program.after(game, effect)?;
        }
        program.counts = program.edits.iter().flatten().any(|edit| !edit.beside);
        let (turns, turn) = (&game.keys.turns, game.layout.turn);
        let change = mover.index() as u64 ^ program.next.index() as u64;
        let key = turns[mover.index()] ^ turns[program.next.index()];
        let (word, _) = turn.place();
        program.turn = (word, turn.lifted(change), key);
        program.quiet = program.quiet(game);
        program.bare = program.set | program.clear | program.sweep == 0
            && program.edits[0].is_empty()
            && game.ephemeral.is_empty();
        Some(program)
    }

    fn quiet(&self, game: &Game) -> Option<Quiet> {
        let layout = &game.layout;
        let kind = self.kind?;
        let usual = matches!(self.journey, Journey::Usual) && self.elsewhere.is_empty();
        let still = self.set == 0 && !self.counts;
        let two = layout.players == 2 && self.next != self.mover && game.friends == [1, 2];
        (usual && still && two).then(|| Quiet {
            own: layout.owner(self.mover),
            kind: layout.kind(kind),
            other: layout.owner(self.next),
            flags: self.watches(game),
            keys: game.keys.first(self.mover, kind),
            kinds: layout.kind(KindId(0)),
            taken: game.kinds().map(|kind| game.keys.first(self.next, kind)).collect(),
            tallies: [0, 1].map(|taking| Tally::all(&self.edits[taking])),
        })
    }

    /// The flags that a quiet move must not meet: those that it sweeps away, and those of the other
    /// player that clear as the turn passes.
    fn watches(&self, game: &Game) -> Vec<Watch> {
        let all = |is: bool| if is { u64::MAX } else { 0 };
        let watch = |flag: FlagId| Watch {
            plane: game.layout.flag(flag),
            own: all(self.sweep != 0),
            other: all(game.ephemeral.contains(&flag)),
        };
        (0..game.definition.flags.len()).map(FlagId::at).map(watch).collect()
    }

    fn before(&mut self, game: &Game, effect: &Effect) -> Option<()> {
        match effect {
            Effect::Capture { at: Spot::Steps(to, steps), to: None }
                if matches!(**to, Spot::To)
                    && self.elsewhere.is_empty()
                    && !matches!(self.journey, Journey::Enter(_)) =>
            {
                let step = |tile, heading: &Vec<_>| {
                    let heading: &[_] = heading;
                    game.topology().next(tile, heading[self.mover.index()])
                };
                let walk = |tile| steps.iter().try_fold(tile, step);
                self.elsewhere = game.tiles().map(walk).collect();
                Some(())
            }
            Effect::When { condition, then, otherwise } if is_taking(&condition.test) => {
                for (at, effects) in [otherwise, then].into_iter().enumerate() {
                    for effect in effects {
                        let edit = self.edit(game, effect)?;
                        self.edits[at].push(edit);
                    }
                }
                Some(())
            }
            _ => self.edit_always(game, effect),
        }
    }

    fn after(&mut self, game: &Game, effect: &Effect) -> Option<()> {
        // Whose turn it is changes last, so that what is asked of it before is known.
        if self.next != self.mover {
            return None;
        }
        match effect {
            Effect::Flag { at: Spot::To, set, clear } => {
                self.set = self.set & !clear | set;
                self.clear = self.clear & !set | clear;
                Some(())
            }
            Effect::Mark { area: crate::plan::Area::Board, is, set: 0, clear } => {
                let flag = flag_of_mover(is)?;
                (*clear == 1 << flag.index()).then(|| self.sweep |= clear)
            }
            Effect::When { condition, then, otherwise } => {
                let Test::Turn(player) = &condition.test else { return None };
                let effects = if *player == self.mover { then } else { otherwise };
                effects.iter().try_for_each(|effect| self.edit_always(game, effect))
            }
            Effect::Turn(Seat::Ahead(seats)) => {
                let next = (self.mover.index() + usize::from(*seats)) % game.layout.players;
                self.next = PlayerId::at(next);
                Some(())
            }
            _ => self.edit_always(game, effect),
        }
    }

    fn edit_always(&mut self, game: &Game, effect: &Effect) -> Option<()> {
        let edit = self.edit(game, effect)?;
        self.edits.iter_mut().for_each(|edits| edits.push(edit));
        Some(())
    }

    fn edit(&self, game: &Game, effect: &Effect) -> Option<Edit> {
        let (variable, of, kept, number) = match effect {
            Effect::Set { variable, of, to: Value::Number(to) } => (*variable, *of, 0, *to),
            Effect::Add { variable, of, by: Value::Number(by) } => (*variable, *of, u64::MAX, *by),
            _ => return None,
        };
        let of = match of {
            Seat::Mover => self.mover,
            Seat::Ahead(seats) => {
                PlayerId::at((self.mover.index() + usize::from(seats)) % game.layout.players)
            }
            Seat::Player(player) => player,
        };
        let slot = game.layout.variable(variable);
        let seat = if slot.fields.len() > 1 { of.index() } else { 0 };
        // Fields hold how far a number lies above the least that it can be.
        let change = if kept == 0 { number.saturating_sub(slot.min) } else { number };
        Some(Edit {
            variable,
            seat,
            field: slot.fields[seat],
            beside: !slot.hashed,
            kept,
            more: change.max(0).unsigned_abs(),
            less: change.min(0).unsigned_abs(),
            most: slot.max.wrapping_sub(slot.min) as u64,
        })
    }
}

fn is_taking(test: &Test) -> bool {
    let Test::Tile { at: Spot::To, is } = test else { return false };
    let foe = matches!(is.all_of.as_slice(), [Trait::Owner(Who::Foe)]);
    foe && is.any_of.is_empty() && is.none_of.is_empty()
}

/// The flag, if a test asks for the mover's pieces that carry one and nothing else.
fn flag_of_mover(is: &TileTest) -> Option<FlagId> {
    match is.all_of.as_slice() {
        [Trait::Owner(Who::Mover), Trait::Flag(flag)]
            if is.any_of.is_empty() && is.none_of.is_empty() =>
        {
            Some(*flag)
        }
        _ => None,
    }
}

impl Program {
    /// Does to a state what the rule does, and gives its new hash.
    #[inline(always)]
    fn run<const W: usize>(&self, mut pen: Pen<'_, W>, event: Event) -> u128 {
        let Event::Move { from, to, choice } = event else { return pen.hash };
        if let Some(Some(tile)) = self.elsewhere.get(to.index()) {
            pen.lift(*tile);
        }
        let kind = match self.kind {
            Some(kind) => kind,
            None => pen.kind_at(from),
        };
        let taking = match self.journey {
            Journey::Usual => pen.carry((from, to), self.mover, (kind, choice.unwrap_or(kind))),
            Journey::Together(one, two) => {
                pen.change_places((from, one), (to, two));
                false
            }
            Journey::Enter(_) => false,
        };
        pen.words[self.turn.0] ^= self.turn.1;
        pen.hash ^= self.turn.2;
        self.finish(&mut pen, to, taking);
        pen.hash
    }

    /// Does what follows the deed and the turn that passes.
    #[inline(always)]
    fn finish<const W: usize>(&self, pen: &mut Pen<'_, W>, to: TileId, taking: bool) {
        if self.set | self.clear | self.sweep != 0 {
            self.run_flags(pen, to);
        }
        if self.counts || pen.care == Care::All {
            for edit in &self.edits[usize::from(taking)] {
                edit.run(pen);
            }
        }
        for &flag in &pen.game.ephemeral {
            pen.clear_all(flag, self.next);
        }
    }

    /// Does a quiet move to the position, if it is one: a piece goes or takes another, and no flag
    /// is about. Gives what it does to the hash, and whether it takes.
    #[inline(always)]
    fn run_quiet<const W: usize>(
        &self,
        game: &Game,
        words: &mut [u64],
        event: Event,
    ) -> Option<(u128, bool)> {
        let Event::Move { from, to, choice: None } = event else { return None };
        let quiet = self.quiet.as_ref()?;
        let (source, target) = (Bits::<W>::of(from), Bits::<W>::of(to));
        let moved = source | target;
        let (own, other) = (Bits::read(words, quiet.own), Bits::read(words, quiet.other));
        let mut met = own & target;
        for watch in &quiet.flags {
            let (all, others) = (Bits([watch.own; W]), Bits([watch.other; W]));
            met |= Bits::read(words, watch.plane) & (moved | own & all | other & others);
        }
        if !met.is_empty() {
            return None;
        }
        let mut change = self.turn.2;
        let taken = other & target;
        let takes = !taken.is_empty();
        if takes {
            taken.toggle(words, quiet.other);
            for (kind, &keys) in quiet.taken.iter().enumerate() {
                let plane = quiet.kinds + kind * W;
                if !(Bits::read(words, plane) & target).is_empty() {
                    target.toggle(words, plane);
                    change ^= game.keys.from(keys)[to.index()];
                    break;
                }
            }
        }
        moved.toggle(words, quiet.own);
        moved.toggle(words, quiet.kind);
        words[self.turn.0] ^= self.turn.1;
        let keys = game.keys.from(quiet.keys);
        Some((change ^ keys[from.index()] ^ keys[to.index()], takes))
    }

    /// What a quiet move does beside the position.
    #[inline(always)]
    fn run_beside<const W: usize>(
        &self,
        game: &Game,
        words: &mut [u64],
        event: Event,
        takes: bool,
    ) {
        let Event::Move { from, to, .. } = event else { return };
        let mut pen = Pen::<W> { game, words, hash: 0, care: Care::All };
        pen.carry_name(from, to);
        let tallies =
            self.quiet.as_ref().and_then(|quiet| quiet.tallies[usize::from(takes)].as_ref());
        if !tallies.is_some_and(|tallies| Tally::run_all(tallies, pen.words)) {
            for edit in &self.edits[usize::from(takes)] {
                edit.run(&mut pen);
            }
        }
    }

    #[inline(never)]
    fn run_flags<const W: usize>(&self, pen: &mut Pen<'_, W>, target: TileId) {
        if self.set | self.clear != 0 {
            let flags = pen.flags_at(target);
            pen.flip_flags(target, flags ^ (flags & !self.clear | self.set));
        }
        let mut sweep = self.sweep;
        while sweep != 0 {
            pen.clear_all(FlagId::at(sweep.trailing_zeros() as usize), self.mover);
            sweep &= sweep - 1;
        }
    }
}

impl Edit {
    #[inline(always)]
    fn run<const W: usize>(&self, pen: &mut Pen<'_, W>) {
        // What lies beside the position is no business of those who look at the position alone.
        if self.beside && pen.care == Care::Position {
            return;
        }
        let before = self.field.get(pen.words);
        let after = (before & self.kept).saturating_add(self.more).saturating_sub(self.less);
        let after = after.min(self.most);
        if !self.beside && after != before {
            pen.hash ^= variable_key(self.variable, self.seat, before);
            pen.hash ^= variable_key(self.variable, self.seat, after);
        }
        self.field.set(pen.words, after);
    }
}

impl Game {
    /// The program of a rule for a player, if it has one.
    #[inline]
    pub(crate) fn program(&self, rule: RuleId, mover: PlayerId) -> Option<&Program> {
        self.programs.get(rule.index() * self.layout.players + mover.index())?.as_ref()
    }

    /// The state after a rule carries out an event that it accepts.
    pub(crate) fn make(&self, scene: &Scene<'_>, rule: RuleId, event: Event) -> State {
        let Some(program) = self.program(rule, scene.mover) else {
            return deed::carry_out(scene, &self.rules[rule.index()], event);
        };
        let mut state = scene.state.clone();
        self.run(program, &mut state, event, Care::All);
        state
    }

    /// Carries out a legal event where the state lies, by the rule that is known to accept it if
    /// one is.
    pub(crate) fn carry_on(&self, state: &mut State, event: Event, rule: Option<RuleId>) {
        let mover = self.view(state).player();
        match rule.and_then(|rule| self.program(rule, mover)) {
            Some(program) => {
                self.run(program, state, event, Care::All);
                self.clear_idle_flags(state);
            }
            None if rule.is_some_and(|rule| self.carry_short(state, event, rule)) => {}
            None => *state = self.follow(state, event, rule).unwrap_or_else(|| state.clone()),
        }
    }

    /// Carries out a legal event where it is known beforehand what its rule comes to. Says whether
    /// it was.
    #[inline]
    fn carry_short(&self, state: &mut State, event: Event, rule: RuleId) -> bool {
        match event {
            Event::Roll(outcome) => self.carry_roll(state, outcome, rule),
            Event::Advance { .. } | Event::Act(_) => self.carry_step(state, event, rule),
            _ => false,
        }
    }

    /// The state after a legal event, written into another state, by the rule that is known to
    /// accept it if one is. What lies beside the position is left out where play never asks.
    /// Says whether the event was carried out.
    #[inline]
    pub(crate) fn follow_into(
        &self,
        state: &State,
        event: Event,
        rule: Option<RuleId>,
        after: &mut State,
    ) -> bool {
        let mover = self.view(state).player();
        match rule.and_then(|rule| self.program(rule, mover)) {
            Some(program) if self.by_position => {
                after.copy_prefix(state, self.layout.position);
                self.run(program, after, event, Care::Position);
                self.clear_idle_flags(after);
                true
            }
            _ => match self.follow(state, event, rule) {
                Some(next) => {
                    *after = next;
                    true
                }
                None => false,
            },
        }
    }

    #[inline(always)]
    fn run(&self, program: &Program, state: &mut State, event: Event, care: Care) {
        match self.layout.width {
            1 => self.run_wide::<1>(program, state, event, care),
            2 => self.run_wide::<2>(program, state, event, care),
            4 => self.run_wide::<4>(program, state, event, care),
            _ => self.run_wide::<8>(program, state, event, care),
        }
    }

    #[inline(always)]
    fn run_wide<const W: usize>(
        &self,
        program: &Program,
        state: &mut State,
        event: Event,
        care: Care,
    ) {
        if let Event::Put { .. } = event {
            return program.run_put::<W>(self, state, event, care);
        }
        if let Some((change, takes)) = program.run_quiet::<W>(self, state.words_mut(), event) {
            state.hash ^= change;
            if care == Care::All {
                program.run_beside::<W>(self, state.words_mut(), event, takes);
            }
            return;
        }
        state.hash = self.run_loud::<W>(program, state, event, care);
    }

    #[inline(never)]
    fn run_loud<const W: usize>(
        &self,
        program: &Program,
        state: &mut State,
        event: Event,
        care: Care,
    ) -> u128 {
        let hash = state.hash;
        program.run(Pen::<W> { game: self, words: state.words_mut(), hash, care }, event)
    }
}
