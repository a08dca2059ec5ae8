//! The lowered rules of a game as a backend reads them: functions by what they are for, where each
//! fact of a state lives, and the keys of its hash.
//!
//! A backend carries out what [`Program`] says and nothing else, so that the rules have one source.
//! Ids are plain positions here: players, tiles, kinds and rules in the order of the definition.

use crate::draft::{count_key, die_key, hand_key, mark_key, variable_key};
use crate::game::Game;
use crate::hash::Fact;
use crate::id::{DieId, FlagId, KindId, MarkId, PhaseId, PlayerId, RuleId, TileId, VariableId};
use crate::ir::{Block, Code, Edit, FunctionId, Op, visit};
use crate::layout::Field;
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::{Closing, Wanted, Way};
use crate::written::{EventKind, Listing, Play, Subject, Usage};

pub use crate::bulk::{Bulk, Closed};
pub use crate::independence::Independent;

/// What events a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Moves by patterns.
    Move,
    /// Moves by dice.
    Advance,
    /// Pieces that enter.
    Put,
    /// Outcomes of chance, from the first to the last.
    Roll {
        /// The first.
        first: usize,
        /// The last.
        last: usize,
    },
    /// An act.
    Act(usize),
    /// An act that names a tile.
    Pick(usize),
}

/// A rule, without its code.
#[derive(Clone, Debug)]
pub struct RuleShape {
    /// What events it is about.
    pub wants: Wants,
    /// How its events are listed.
    pub listing: Listing,
    /// Its rank among the rules of its phase.
    pub rank: u8,
    /// The kinds of piece that it moves or puts, a bit for each.
    pub kinds: [u64; 4],
    /// The phase it belongs to.
    pub phase: usize,
    /// Whether other events of its phase have a say in whether it accepts one.
    pub closes: bool,
    /// The dice it may use.
    pub dice: Vec<usize>,
}

/// The code of a rule for one player.
#[derive(Clone, Copy, Debug)]
pub struct RuleFunctions {
    /// Whether the conditions of the rule hold.
    pub when: FunctionId,
    /// Whether the state after an event is as it must be, where anything is asked.
    pub ensures: Option<FunctionId>,
    /// Carries out an event.
    pub make: FunctionId,
    /// Finds the events of the rule.
    pub generate: FunctionId,
}

/// A leaf phase, without its code.
#[derive(Clone, Debug)]
pub struct PhaseShape {
    /// Its rules by kind of event, in order: moves, puts, rolls, acts, picks.
    pub rules: [Vec<usize>; 5],
    /// Whether a rule is for where there is no other event.
    pub has_otherwise: bool,
    /// Whether its rules have different ranks.
    pub ranked: bool,
    /// How much of the dice its moves must use.
    pub usage: Usage,
    /// For each kind of event, whether two rules may accept the same.
    pub overlaps: [bool; 5],
    /// Whether its events can be counted without a list.
    pub counts: bool,
    /// The same of its moves and of pieces that enter, whatever else it has. Where there are none and it has
    /// ranks or rules for where there is no other event, its events must be listed.
    pub counts_moves: bool,
    /// Whether a turn must bring a number as high as it can, for which the engine looks ahead.
    pub reaches_most: bool,
    /// Whether it makes other events of those proposed.
    pub preprocesses: bool,
}

/// Whether a function gives the turn to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Whatever happens.
    Always,
    /// It depends on the state.
    Sometimes,
    /// In no case.
    Never,
}

/// An ending, without its code.
#[derive(Clone, Copy, Debug)]
pub struct EndingShape {
    /// Whether it is asked of the player to move alone.
    pub of_mover: bool,
    /// Whether it stops play.
    pub stops: bool,
}

/// One outcome of chance.
#[derive(Clone, Debug)]
pub struct OutcomeShape {
    /// What each die shows.
    pub dice: Vec<(usize, u8)>,
    /// How many of all equally likely throws give it.
    pub weight: u64,
    /// How many throws there are.
    pub total: u64,
}

/// Where a variable lives, and between which bounds.
#[derive(Clone, Debug)]
pub struct VariableShape {
    /// The least value, which is stored as zero.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
    /// Whether the hash of a position tells its values apart.
    pub hashed: bool,
    /// One field, or one for each player.
    pub fields: Vec<Field>,
}

/// The lowered rules of one game.
#[derive(Clone, Copy)]
pub struct Program<'g> {
    game: &'g Game,
}

impl Game {
    /// The lowered rules, for backends.
    pub fn program(&self) -> Program<'_> {
        Program { game: self }
    }

    /// What the rules ask beyond their functions, which only the engine answers; a backend leaves
    /// such a game to it.
    pub fn asks_engine(&self) -> Option<&'static str> {
        if self.secrets.is_some() {
            return Some("what players do not see");
        }
        if self.rules.iter().any(|rule| !rule.lots.is_empty()) {
            return Some("chance whose odds the state decides");
        }
        if self.looks_back {
            return Some("how often a position has come up");
        }
        let most = self.leaves.iter().any(|leaf| leaf.most.is_some());
        most.then_some("the most that a turn can reach")
    }
}

impl<'g> Program<'g> {
    /// The functions and tables.
    pub fn code(self) -> &'g Code {
        &self.game.code
    }

    /// How many words of a state belong to trees: all but which piece stands where.
    pub fn tree_words(self) -> usize {
        self.game.layout.tail
    }

    /// How many words of a state equality of positions is about.
    pub fn position_words(self) -> usize {
        self.game.layout.position
    }

    /// How many players there are, those included who only own pieces.
    pub fn players(self) -> usize {
        self.game.layout.players
    }

    /// How many players take turns: the first ones.
    pub fn seats(self) -> usize {
        self.game.seat_count()
    }

    /// How many kinds of piece there are.
    pub fn kinds(self) -> usize {
        self.game.layout.kinds
    }

    /// How many flags there are.
    pub fn flags(self) -> usize {
        self.game.flags().count()
    }

    /// How many marks there are.
    pub fn marks(self) -> usize {
        self.game.marks().count()
    }

    /// The first word of an owner's plane.
    pub fn owner_plane(self, player: usize) -> usize {
        self.game.layout.owner(PlayerId::at(player))
    }

    /// The first word of a kind's plane.
    pub fn kind_plane(self, kind: usize) -> usize {
        self.game.layout.kind(KindId::at(kind))
    }

    /// The first word of a flag's plane.
    pub fn flag_plane(self, flag: usize) -> usize {
        self.game.layout.flag(FlagId::at(flag))
    }

    /// The first word of a mark's plane.
    pub fn mark_plane(self, mark: usize) -> usize {
        self.game.layout.mark(MarkId::at(mark))
    }

    /// Where the count of an owner's pieces of a kind on a tile is, if the tile holds many.
    pub fn count_field(self, tile: usize, owner: usize, kind: usize) -> Option<Field> {
        self.game.layout.count(TileId::at(tile), PlayerId::at(owner), KindId::at(kind))
    }

    /// Where the number of pieces is that a player has in hand, for kinds held in hand.
    pub fn hand_field(self, owner: usize, kind: usize) -> Option<Field> {
        self.game.layout.hand(PlayerId::at(owner), KindId::at(kind))
    }

    /// Whether the hash leaves out what is in hand, because it follows from the board.
    pub fn hand_follows(self) -> bool {
        self.game.layout.hand_follows
    }

    /// Whether there are as many pieces of a kind as are put.
    pub fn is_unlimited(self, kind: usize) -> bool {
        self.game.is_unlimited(KindId::at(kind))
    }

    /// Where the player to move is.
    pub fn turn_field(self) -> Field {
        self.game.layout.turn
    }

    /// Where what each die shows is, with its sides.
    pub fn dice(self) -> Vec<(Field, u8)> {
        let dice = self.game.definition.dice.iter().enumerate();
        dice.map(|(at, die)| (self.game.layout.die(DieId::at(at)), die.sides)).collect()
    }

    /// The variables.
    pub fn variables(self) -> Vec<VariableShape> {
        let slots = self.game.layout.variables.iter();
        let shape = |slot: &crate::layout::VariableSlot| VariableShape {
            min: slot.min,
            max: slot.max,
            hashed: slot.hashed,
            fields: slot.fields.clone(),
        };
        slots.map(shape).collect()
    }

    /// The tiles that hold one piece, by word.
    pub fn exclusive(self) -> &'g [u64] {
        &self.game.exclusive.words()[..self.game.layout.width]
    }

    /// Whether a tile holds many pieces.
    pub fn stacks(self, tile: usize) -> bool {
        self.game.layout.stacks(TileId::at(tile))
    }

    /// The tiles of the straight line between two tiles, both included, by word.
    pub fn span(self, from: usize, to: usize) -> Vec<u64> {
        let span: TileSet = self.game.span(TileId::at(from), TileId::at(to));
        span.words()[..self.game.layout.width].to_vec()
    }

    /// The start of the game.
    pub fn start(self) -> &'g State {
        &self.game.start
    }

    /// The rules.
    pub fn rules(self) -> Vec<RuleShape> {
        let shape = |rule: &crate::typed::Rule| {
            let (wants, kinds) = match &rule.wants {
                Wanted::Move(movement) => match movement.way {
                    Way::Dice(_) => (Wants::Advance, movement.kinds.0),
                    _ => (Wants::Move, movement.kinds.0),
                },
                Wanted::Put { kinds, .. } => (Wants::Put, kinds.0),
                Wanted::Roll { first, last } => {
                    (Wants::Roll { first: first.index(), last: last.index() }, [0; 4])
                }
                Wanted::Act(action) => (Wants::Act(action.index()), [0; 4]),
                Wanted::Pick { action, .. } => (Wants::Pick(action.index()), [0; 4]),
            };
            let dice = match &rule.wants {
                Wanted::Move(crate::typed::Movement { way: Way::Dice(track), .. }) => {
                    track.dice.iter().map(|die| die.index()).collect()
                }
                _ => Vec::new(),
            };
            RuleShape {
                wants,
                kinds,
                dice,
                listing: rule.written.listing,
                rank: rule.written.rank,
                phase: rule.phase.index(),
                closes: rule.closing != Closing::Nothing,
            }
        };
        self.game.rules.iter().map(shape).collect()
    }

    /// The code of a rule for a player.
    pub fn rule_functions(self, rule: usize, player: usize) -> RuleFunctions {
        let code = &self.game.entries.rules[rule][player];
        RuleFunctions {
            when: code.when,
            ensures: code.ensures,
            make: code.make,
            generate: code.generate,
        }
    }

    /// The leaf phases.
    pub fn phases(self) -> Vec<PhaseShape> {
        let index = |rules: &Vec<RuleId>| rules.iter().map(|rule| rule.index()).collect();
        let apart = &self.game.entries.apart;
        let shape = |(leaf, &apart): (&crate::typed::Leaf, &bool)| PhaseShape {
            rules: std::array::from_fn(|kind| index(&leaf.by_kind[kind])),
            has_otherwise: leaf.has_otherwise,
            ranked: leaf.ranked,
            usage: leaf.usage,
            overlaps: std::array::from_fn(|kind| leaf.overlaps[kind] && !(apart && kind < 2)),
            counts: leaf.counts || apart && leaf.counts_apart,
            counts_moves: leaf.counts_moves_apart
                && (apart || !leaf.overlaps[0] && !leaf.overlaps[1]),
            reaches_most: leaf.most.is_some(),
            preprocesses: EventKind::ALL.iter().any(|kind| leaf.pre.iter().any(|p| p.on == *kind)),
        };
        self.game.leaves.iter().zip(apart).map(shape).collect()
    }

    /// The rules of a phase about moves by dice that are independent of each other.
    pub fn independent(self, phase: usize, player: usize) -> Vec<Independent> {
        crate::independence::independent(self.game, PhaseId::at(phase), PlayerId::at(player))
    }

    /// The rule of a phase whose turns can be counted without being made, if there is one.
    pub fn bulk(self, phase: usize, player: usize) -> Option<Bulk> {
        crate::bulk::bulk(self.game, PhaseId::at(phase), PlayerId::at(player))
    }

    /// The phase that is open in every state, if there is one.
    pub fn sole_phase(self) -> Option<usize> {
        self.game.sole_phase.map(PhaseId::index)
    }

    /// Finds the open phase where a player is to move.
    pub fn open_phase(self, player: usize) -> FunctionId {
        self.game.entries.phases[player]
    }

    /// Finds the moves of play of a phase.
    pub fn moves(self, phase: usize, player: usize) -> FunctionId {
        self.game.entries.moves[phase][player]
    }

    /// Finds the puts of play of a phase.
    pub fn puts(self, phase: usize, player: usize) -> FunctionId {
        self.game.entries.puts[phase][player]
    }

    /// Whether an ending stops play where nobody is stuck; none where no ending does.
    pub fn stops(self) -> Option<FunctionId> {
        self.game.has_stops.then_some(self.game.entries.stops)
    }

    /// The same whoever is to move.
    pub fn stops_any(self) -> Option<FunctionId> {
        self.game.has_stops.then_some(self.game.entries.stops_any)
    }

    /// Whether events of play can make an ending stop play where [`Program::stops_any`] does not hold.
    /// They cannot where these endings ask for variables alone, and no rule of play writes them.
    pub fn can_come_to_stop(self) -> bool {
        self.game.consequences.can_come_to_stop
    }

    /// Whether an event of a rule can make an ending stop play where none does.
    pub fn can_stop(self, rule: usize) -> bool {
        self.game.consequences.can_stop[rule]
    }

    /// Whether events of a rule bring a piece to no tile but their target, and none of another owner.
    pub fn brings_one(self, rule: usize) -> bool {
        self.game.consequences.brings_one[rule]
    }

    /// The endings, in order.
    pub fn endings(self) -> Vec<EndingShape> {
        let shape = |ending: &crate::typed::Ending| EndingShape {
            of_mover: ending.of == Subject::Mover,
            stops: ending.play == Play::Stops,
        };
        self.game.endings.iter().map(shape).collect()
    }

    /// Whether an ending holds of a player, and the same where nobody is stuck.
    pub fn ending(self, ending: usize, player: usize) -> (FunctionId, FunctionId) {
        let entries = &self.game.entries;
        (entries.endings[ending][player], entries.endings_unstuck[ending][player])
    }

    /// Flags that clear when their owner's next turn begins.
    pub fn ephemeral(self) -> Vec<usize> {
        self.game.ephemeral.iter().map(|flag| flag.index()).collect()
    }

    /// Flags that clear where the rules they serve have no legal event.
    pub fn serving(self) -> Vec<(usize, Vec<usize>)> {
        let serving = self.game.serving.iter();
        let index = |rules: &[RuleId]| rules.iter().map(|rule| rule.index()).collect();
        serving.map(|(flag, rules)| (flag.index(), index(rules))).collect()
    }

    /// Whether a function gives the turn to somebody, be it the same player again.
    pub fn turns(self, make: FunctionId) -> Turns {
        let body = &self.game.code.function(make).body;
        let gives = |op: &Op| matches!(op, Op::Edit(Edit::Turn { .. }));
        let mut somewhere = false;
        visit(body, &mut |op| somewhere |= gives(op));
        match (body.iter().any(gives), somewhere) {
            (true, _) => Turns::Always,
            (false, true) => Turns::Sometimes,
            (false, false) => Turns::Never,
        }
    }

    /// Who is to move after a function, whatever the state was; none where that depends on it.
    pub fn next_mover(self, make: FunctionId) -> Option<usize> {
        let body = &self.game.code.function(make).body;
        let may_turn = |op: &&Op| {
            let mut found = false;
            visit(std::slice::from_ref(*op), &mut |op| {
                found |= matches!(op, Op::Edit(Edit::Turn { .. } | Edit::Custom(_)));
            });
            found
        };
        match body.iter().rev().find(may_turn) {
            Some(Op::Edit(Edit::Turn { to, .. })) => Some(to.index()),
            _ => None,
        }
    }

    /// Whether a flag that serves rules is asked for by these rules alone and is gone when its owner
    /// is to move again, so that it makes no difference to events whether it is cleared before.
    pub fn serves_alone(self, flag: usize) -> bool {
        let game = self.game;
        let plane = game.layout.flag(FlagId::at(flag));
        let Some((_, serving)) = game.serving.iter().find(|(one, _)| one.index() == flag) else {
            return false;
        };
        let reads = |id: FunctionId| reads_plane(&game.code.function(id).body, plane);
        let entries = &game.entries;
        let rules = (0..game.rules.len()).filter(|&rule| !serving.contains(&RuleId::at(rule)));
        let elsewhere = rules.flat_map(|rule| &entries.rules[rule]).any(|code| {
            let asked = [code.source, code.through, code.onto, code.when, code.make];
            asked.into_iter().chain(code.ensures).any(reads)
        });
        let passes = |rule: usize| {
            let codes = entries.rules[rule].iter();
            codes.take(game.seat_count()).enumerate().all(|(player, code)| {
                let body = &game.code.function(code.make).body;
                let passes = body.iter().any(|op| match op {
                    Op::Edit(Edit::Turn { to, .. }) => to.index() != player,
                    _ => false,
                });
                passes || self.turns(code.make) == Turns::Never
            })
        };
        let played = |rule: &usize| game.rules[*rule].written.listing != Listing::Aside;
        game.seat_count() == 2
            && game.ephemeral.iter().any(|one| one.index() == flag)
            && !elsewhere
            && !entries.gates.iter().flatten().copied().any(reads)
            && !entries.endings.iter().flatten().copied().any(reads)
            && !entries.attacks.iter().copied().any(reads)
            && (0..game.rules.len()).filter(played).all(passes)
    }

    /// What each die shows in each outcome of chance, with its weight and the sum of weights.
    pub fn outcomes(self) -> Vec<OutcomeShape> {
        let shape = |outcome: &crate::typed::Outcome| OutcomeShape {
            dice: outcome.dice.iter().map(|&(die, shows)| (die.index(), shows)).collect(),
            weight: outcome.weight,
            total: outcome.total,
        };
        self.game.outcomes.iter().map(shape).collect()
    }

    /// The key of a piece on a tile that holds one.
    pub fn piece_key(self, owner: usize, kind: usize, tile: usize) -> u128 {
        self.game.keys.piece(PlayerId::at(owner), KindId::at(kind), TileId::at(tile))
    }

    /// The key of a flag of the piece on a tile.
    pub fn flag_key(self, flag: usize, tile: usize) -> u128 {
        self.game.keys.flag(FlagId::at(flag), TileId::at(tile))
    }

    /// The key of a mark of a tile.
    pub fn mark_key(self, mark: usize, tile: usize) -> u128 {
        mark_key(MarkId::at(mark), TileId::at(tile))
    }

    /// The key of a player to move.
    pub fn turn_key(self, player: usize) -> u128 {
        self.game.keys.turns[player]
    }

    /// The key of a number of pieces on a tile that holds many.
    pub fn count_key(self, tile: usize, owner: usize, kind: usize, count: u64) -> u128 {
        count_key(TileId::at(tile), PlayerId::at(owner), KindId::at(kind), count)
    }

    /// The key of a number of pieces in hand.
    pub fn hand_key(self, player: usize, kind: usize, count: u64) -> u128 {
        hand_key(PlayerId::at(player), KindId::at(kind), count)
    }

    /// The key of what a die shows.
    pub fn die_key(self, die: usize, shows: u64) -> u128 {
        die_key(DieId::at(die), shows)
    }

    /// What the key of a variable's value is made from, before the value itself: two lanes, as
    /// [`Program::variable_key`] has them when it comes to the value.
    pub fn variable_lanes(self, variable: usize, seat: usize) -> [u64; 2] {
        let facts = [Fact::Variable as u64, variable as u64, seat as u64];
        crate::hash::lanes(facts.into_iter())
    }

    /// The key of a stored value of a variable.
    pub fn variable_key(self, variable: usize, seat: usize, value: u64) -> u128 {
        variable_key(VariableId::at(variable), seat, value)
    }
}

/// Whether code reads a plane of the state, by its first word.
fn reads_plane(block: &Block, plane: usize) -> bool {
    let mut found = false;
    visit(block, &mut |op| found |= matches!(op, Op::Plane(_, first) if *first == plane));
    found
}
