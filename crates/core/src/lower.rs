//! Lowering: typed rules become functions of the intermediate representation, one for each rule
//! and player, with seats, headings, regions and constants folded in.

mod alone;
mod attack;
mod dice;
pub(crate) mod fact;
mod generate;
mod group;
mod make;
pub(crate) mod normal;
mod number;
mod overlap;
mod pattern;
mod probe;
mod put;
mod question;
pub(crate) mod rest;
mod safety;
mod secret;
mod set;
mod sure;
mod table;
mod truth;
mod way;
mod zone;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::game::Game;
use crate::id::{KindId, PlayerId, RuleId};
use crate::ir::{ANSWER, Block, Code, FIRST_FREE, FOUND, Function, FunctionId, NumReg, Op, SetReg};
use crate::typed::{Condition, Ending, Local, Rule, Set, Tile, Truth, Wanted};
use crate::written::{Listing, Play, Subject};

pub(crate) use alone::{Finding, findings};
pub(crate) use fact::each_condition;
pub(crate) use overlap::find_shared;

/// The functions of one rule for one player.
#[derive(Clone, Debug)]
pub(crate) struct RuleCode {
    /// Whether the source of a move is one of the rule's.
    pub(crate) source: FunctionId,
    /// The tiles that may lie between source and target.
    pub(crate) through: FunctionId,
    /// For a hop, the tiles that it may go over; for steps, how many along each direction.
    pub(crate) way: Vec<FunctionId>,
    /// Whether the target is one of the rule's.
    pub(crate) onto: FunctionId,
    pub(crate) when: FunctionId,
    /// None where nothing is asked when all is done.
    pub(crate) ensures: Option<FunctionId>,
    pub(crate) make: FunctionId,
    /// What happens where the event turns out to be impossible.
    pub(crate) fails: FunctionId,
    /// How likely each of the outcomes is that have names.
    pub(crate) weights: Vec<FunctionId>,
    /// Finds the events that the rule accepts, whatever the other rules of the phase say; nothing
    /// where nobody asks for them alone.
    pub(crate) generate: FunctionId,
    /// Each condition of the rule's `when` with its number.
    pub(crate) conditions: Vec<(u16, FunctionId)>,
    /// For conditions that no tile is attacked, the tiles that are.
    pub(crate) attacked: Vec<(u16, FunctionId)>,
}

/// Functions by what they are for; those in lists by player are for the player judged.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// By rule, then player.
    pub(crate) rules: Vec<Vec<RuleCode>>,
    /// By phase, then player to move: finds the moves that its rules of play accept.
    pub(crate) moves: Vec<Vec<FunctionId>>,
    /// The same for pieces that enter.
    pub(crate) puts: Vec<Vec<FunctionId>>,
    /// By phase: whether both find every event once, but in code that is rarely run.
    pub(crate) apart: Vec<bool>,
    /// By gate, then player to move.
    pub(crate) gates: Vec<Vec<FunctionId>>,
    /// By player to move: the number of the open leaf phase, or none.
    pub(crate) phases: Vec<FunctionId>,
    /// By phase, then preprocessor, then player to move.
    pub(crate) preprocessors: Vec<Vec<Vec<FunctionId>>>,
    /// By ending, then player judged.
    pub(crate) endings: Vec<Vec<FunctionId>>,
    /// The same where nobody is stuck.
    pub(crate) endings_unstuck: Vec<Vec<FunctionId>>,
    /// By ending, then player judged: what it is worth.
    pub(crate) scores: Vec<Vec<FunctionId>>,
    /// By ending, then player: the number of which the most wins.
    pub(crate) ranking: Vec<Option<Vec<FunctionId>>>,
    /// By ending, then player: what that player gets.
    pub(crate) pays: Vec<Option<Vec<FunctionId>>>,
    /// Whether an ending stops play where nobody is stuck.
    pub(crate) stops: FunctionId,
    /// The same whoever is to move.
    pub(crate) stops_any: FunctionId,
    /// By phase, then player whose turn it is: the number that a turn must bring as high as it
    /// can.
    pub(crate) most: Vec<Option<Vec<FunctionId>>>,
    /// By requirement, then player to move.
    pub(crate) requirements: Vec<Vec<FunctionId>>,
    /// By secret of the board, then player who looks: the tiles on which it is seen.
    pub(crate) sights: Vec<Vec<FunctionId>>,
    /// By player: the tiles attacked.
    pub(crate) attacks: Vec<FunctionId>,
    /// By player: the tiles attacked from one tile.
    pub(crate) attacks_from: Vec<FunctionId>,
    /// By player: whether a tile is attacked.
    pub(crate) probes: Vec<FunctionId>,
    /// Whether any candidates are tried on copies of the state.
    pub(crate) tries: bool,
}

/// A truth that may be known already.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Known(bool),
    Asked(NumReg),
}

/// How a question whether the mover is stuck is lowered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stuck {
    /// In an ending: the rules are asked.
    Ask,
    /// In a rule: the rules are asked, and while they are, it counts as true.
    InRule,
    AssumeNot,
}

/// Lowers a game: holds the tables while functions are made.
pub(crate) struct Lowering<'g> {
    game: &'g Game,
    code: Code,
    entries: Entries,
    tables: table::Index,
    /// The kinds that rules keep safe.
    guarded: Vec<KindId>,
    /// Whether the last function that finds events finds each once.
    apart: bool,
    /// What each player attacks by, once somebody has asked.
    attacks: BTreeMap<PlayerId, Rc<attack::Attacks>>,
    /// Whether ways of travelling lead to a tile twice, once somebody has asked.
    ambiguous: RefCell<BTreeMap<attack::Travel, bool>>,
}

/// One function being made.
struct Builder<'l, 'g> {
    lowering: &'l mut Lowering<'g>,
    game: &'g Game,
    /// The player judged.
    player: PlayerId,
    /// The player to move, where that is known.
    to_move: Option<PlayerId>,
    stuck: Stuck,
    sets: u16,
    numbers: u16,
    /// The block being filled.
    block: Block,
    locals: Vec<(Local, Bound)>,
    /// The registers with source and target of the event.
    event: (NumReg, NumReg),
    /// Sets that are known where code is now, so that none is found twice.
    known: Vec<(PlayerId, Set, SetReg)>,
    /// Whether the state stays as it is while the function runs.
    pure: bool,
    /// What foes attack, where it is found once for all who ask.
    danger: Option<safety::Danger>,
    /// Rules by which nobody attacks where code is now.
    asleep: Vec<(PlayerId, RuleId)>,
    /// For each rule those before it whose events it must leave to them.
    earlier: Vec<(RuleId, Vec<RuleId>)>,
}

#[derive(Clone, Copy)]
enum Bound {
    Tile(NumReg),
    Group(SetReg),
}

/// All the code of a game.
pub(crate) fn lower(game: &Game) -> (Code, Entries) {
    let mut lowering = Lowering::new(game);
    lowering.rules();
    lowering.phases();
    lowering.endings();
    lowering.sights();
    (lowering.code, lowering.entries)
}

fn choices(rule: &Rule) -> Vec<KindId> {
    match &rule.wants {
        Wanted::Move(movement) => movement.choice.clone(),
        _ => Vec::new(),
    }
}

impl<'g> Lowering<'g> {
    /// The lowering of a game that has what players attack and all functions of its rules but those
    /// that find events, which need the others.
    fn new(game: &'g Game) -> Self {
        let code = Code {
            width: game.layout.width,
            tiles: game.tile_count(),
            choices: game.rules.iter().map(choices).collect(),
            ..Code::default()
        };
        let mut lowering = Lowering {
            game,
            code,
            entries: Entries::default(),
            guarded: safety::guarded(game),
            apart: true,
            tables: table::Index::default(),
            attacks: BTreeMap::new(),
            ambiguous: RefCell::default(),
        };
        lowering.attacks();
        let nothing = lowering.builder(PlayerId::at(0)).finish();
        for rule in (0..game.rules.len()).map(RuleId::at) {
            let players = lowering.players();
            let of_players = players.map(|player| lowering.prepare_rule(rule, player, nothing));
            let of_players: Vec<RuleCode> = of_players.collect();
            lowering.entries.rules.push(of_players);
        }
        lowering
    }

    fn builder(&mut self, player: PlayerId) -> Builder<'_, 'g> {
        Builder {
            game: self.game,
            lowering: self,
            player,
            to_move: None,
            stuck: Stuck::InRule,
            // Registers for answers are never used for anything else.
            sets: FOUND.0 + 1,
            numbers: ANSWER.0 + 1,
            block: Vec::new(),
            locals: Vec::new(),
            event: (crate::ir::FROM, crate::ir::TO),
            known: Vec::new(),
            pure: true,
            danger: None,
            asleep: Vec::new(),
            earlier: Vec::new(),
        }
    }

    fn players(&self) -> impl Iterator<Item = PlayerId> + use<> {
        self.game.players()
    }

    /// A function that answers a condition.
    fn question(&mut self, player: PlayerId, condition: &Condition) -> FunctionId {
        let mut builder = self.builder(player);
        builder.answer(condition);
        builder.finish()
    }

    /// The same where the player judged is to move.
    fn question_of_mover(&mut self, player: PlayerId, condition: &Condition) -> FunctionId {
        let mut builder = self.builder(player);
        builder.to_move = Some(player);
        builder.answer(condition);
        builder.finish()
    }

    fn rules(&mut self) {
        let game = self.game;
        let rules = (0..game.rules.len()).map(RuleId::at);
        for rule in rules.filter(|&rule| alone::is_asked_alone(game, rule)) {
            for player in self.players() {
                let generate = self.generate(player, &[rule]);
                self.entries.rules[rule.index()][player.index()].generate = generate;
            }
        }
        for leaf in &game.leaves {
            let (mut moves, mut puts) = (Vec::new(), Vec::new());
            let mut apart = true;
            for player in self.players() {
                for (kind, functions) in [(0, &mut moves), (1, &mut puts)] {
                    let plays = |rule: &&RuleId| game.lists(**rule, Listing::Play);
                    let rules: Vec<RuleId> =
                        leaf.by_kind[kind].iter().filter(plays).copied().collect();
                    functions.push(self.generate(player, &rules));
                    apart &= self.apart && rules.len() == leaf.by_kind[kind].len();
                }
            }
            self.entries.moves.push(moves);
            self.entries.puts.push(puts);
            self.entries.apart.push(apart);
        }
    }

    /// All functions of a rule but the one that finds its events.
    fn prepare_rule(&mut self, id: RuleId, player: PlayerId, generate: FunctionId) -> RuleCode {
        let game = self.game;
        let rule = &game.rules[id.index()];
        let [source, through, onto] = self.movement(player, rule);
        let way = self.way(player, rule);
        let when = self.question_of_mover(player, &rule.when);
        let ensures = rule.ensures.as_ref().map(|ensures| self.question(player, ensures));
        let make = self.make(player, id);
        let fails = if game.secrets.is_none() { make } else { self.make_failure(player, id) };
        let weights = rule.lots.iter().map(|lot| self.weight(player, lot)).collect();
        let mut conditions = Vec::new();
        each_condition(&rule.when, &mut |one| {
            let whole = std::ptr::eq(one, &rule.when);
            let function = if whole { when } else { self.question_of_mover(player, one) };
            conditions.push((one.number, function));
        });
        let mut attacked = Vec::new();
        each_condition(&rule.when, &mut |one| {
            if let Some(set) = fact::attacked_tiles(one) {
                let mut builder = self.builder(player);
                builder.to_move = Some(player);
                let found = builder.set(set);
                builder.push(Op::Copy(FOUND, found));
                attacked.push((one.number, builder.finish()));
            }
        });
        RuleCode {
            source,
            through,
            way,
            onto,
            when,
            ensures,
            make,
            fails,
            weights,
            generate,
            conditions,
            attacked,
        }
    }

    /// Where a rule may begin, what it may pass and where it may end.
    fn movement(&mut self, player: PlayerId, rule: &Rule) -> [FunctionId; 3] {
        let all = fact::constant(self.game, self.game.all_tiles);
        let (source, through, onto) = match &rule.wants {
            Wanted::Move(movement) => (&movement.source, &movement.through, &movement.onto),
            Wanted::Put { onto, .. } | Wanted::Pick { onto, .. } => (&all, &all, onto),
            Wanted::Roll { .. } | Wanted::Act(_) => (&all, &all, &all),
        };
        let asks =
            |tile: Tile, set: &Set| Condition { number: 0, test: Truth::In(tile, set.clone()) };
        let source = self.question_of_mover(player, &asks(Tile::From, source));
        let onto = self.question_of_mover(player, &asks(Tile::To, onto));
        let mut builder = self.builder(player);
        builder.to_move = Some(player);
        let found = builder.set(through);
        builder.push(Op::Copy(FOUND, found));
        [source, builder.finish(), onto]
    }

    /// What the way of a rule asks, one function for each part.
    fn way(&mut self, player: PlayerId, rule: &Rule) -> Vec<FunctionId> {
        let Wanted::Move(movement) = &rule.wants else { return Vec::new() };
        let function = |part: fact::Part<'_>| {
            let mut builder = self.builder(player);
            builder.to_move = Some(player);
            match part {
                fact::Part::Number(number) => {
                    let number = builder.number(number);
                    builder.push(Op::Move(ANSWER, number));
                }
                fact::Part::Set(set) => {
                    let found = builder.set(set);
                    builder.push(Op::Copy(FOUND, found));
                }
                fact::Part::Tile(_) | fact::Part::Truth(_) => {}
            }
            builder.finish()
        };
        movement.way.parts().into_iter().map(function).collect()
    }

    fn phases(&mut self) {
        let game = self.game;
        for gate in &game.gates {
            let functions = self.of_mover(&gate.when);
            self.entries.gates.push(functions);
        }
        for player in self.players() {
            let mut builder = self.builder(player);
            builder.to_move = Some(player);
            builder.push(Op::Number(ANSWER, crate::ir::NO_TILE));
            let inside: Vec<usize> = game.gates.iter().flat_map(|g| g.inside.clone()).collect();
            let roots = (0..game.gates.len()).filter(|gate| !inside.contains(gate));
            builder.first_open(&roots.collect::<Vec<_>>());
            let function = builder.finish();
            self.entries.phases.push(function);
        }
        for leaf in &game.leaves {
            let preprocessors = leaf.pre.iter().map(|pre| self.of_mover(&pre.when)).collect();
            self.entries.preprocessors.push(preprocessors);
            let most = self.of_each(leaf.most.as_ref());
            self.entries.most.push(most);
        }
        for requirement in &game.requirements {
            let functions = self.of_mover(&requirement.holds);
            self.entries.requirements.push(functions);
        }
    }

    /// Functions that answer a condition where each player is to move.
    fn of_mover(&mut self, condition: &Condition) -> Vec<FunctionId> {
        self.players().map(|player| self.question_of_mover(player, condition)).collect()
    }

    /// Functions that answer a number about each player.
    fn of_each(&mut self, number: Option<&crate::typed::Number>) -> Option<Vec<FunctionId>> {
        let players = self.players();
        let about = |player| {
            let mut builder = self.builder(player);
            let number = builder.number(number?);
            builder.push(Op::Move(ANSWER, number));
            Some(builder.finish())
        };
        players.map(about).collect()
    }

    fn endings(&mut self) {
        let game = self.game;
        for ending in &game.endings {
            let ranking = self.of_each(ending.most.as_ref());
            let pays = self.of_each(ending.pays.as_ref());
            self.entries.ranking.push(ranking);
            self.entries.pays.push(pays);
            let (mut asked, mut unstuck, mut scores) = (Vec::new(), Vec::new(), Vec::new());
            for player in self.players() {
                let whole = self.ending(player, &ending.when, Stuck::Ask);
                asked.push(whole);
                // An ending that asks no rules does not ask who is stuck.
                let uses = fact::uses(fact::Part::Truth(&ending.when));
                unstuck.push(match uses.rules || uses.attacks {
                    true => self.ending(player, &ending.when, Stuck::AssumeNot),
                    false => whole,
                });
                let mut builder = self.builder(player);
                let score = builder.number(&ending.score);
                builder.push(Op::Move(ANSWER, score));
                scores.push(builder.finish());
            }
            self.entries.endings.push(asked);
            self.entries.endings_unstuck.push(unstuck);
            self.entries.scores.push(scores);
        }
        self.entries.stops = self.stops(|ending| ending.of);
        self.entries.stops_any = self.stops(|_| Subject::Each);
    }

    fn ending(&mut self, player: PlayerId, when: &Condition, stuck: Stuck) -> FunctionId {
        let mut builder = self.builder(player);
        builder.stuck = stuck;
        builder.answer(when);
        builder.finish()
    }

    /// Whether an ending that stops play holds of those it is asked about, where nobody is stuck.
    fn stops(&mut self, of: impl Fn(&Ending) -> Subject) -> FunctionId {
        let game = self.game;
        let mut builder = self.builder(PlayerId::at(0));
        builder.stuck = Stuck::AssumeNot;
        builder.push(Op::Number(ANSWER, 0));
        let turn = builder.new_number();
        builder.push(Op::Field(turn, game.layout.turn, 0));
        for ending in game.endings.iter().filter(|ending| ending.play == Play::Stops) {
            for player in game.seats() {
                builder.player = player;
                let body = builder.nested(|builder| {
                    builder.when_holds(&ending.when, |builder| builder.push(Op::Number(ANSWER, 1)));
                });
                if body.is_empty() {
                    continue;
                }
                match of(ending) {
                    Subject::Each => builder.extend(body),
                    Subject::Mover => {
                        let is = builder.equals(turn, player.index() as i64);
                        builder.push(Op::If(is, body, Vec::new()));
                    }
                }
            }
        }
        builder.finish()
    }
}

impl Builder<'_, '_> {
    fn push(&mut self, op: Op) {
        if matches!(&op, Op::Edit(edit) if edit.moves_pieces()) {
            self.forget_pieces();
        }
        self.block.push(op);
    }

    /// Forgets the sets that depend on where pieces stand.
    fn forget_pieces(&mut self) {
        self.known.retain(|(_, set, _)| matches!(set, Set::Const(_)));
    }

    fn extend(&mut self, block: Block) {
        self.block.extend(block);
    }

    fn new_set(&mut self) -> SetReg {
        self.sets += 1;
        SetReg(self.sets - 1)
    }

    fn new_number(&mut self) -> NumReg {
        self.numbers += 1;
        NumReg(self.numbers - 1)
    }

    fn constant_number(&mut self, number: i64) -> NumReg {
        let register = self.new_number();
        self.push(Op::Number(register, number));
        register
    }

    fn equals(&mut self, register: NumReg, number: i64) -> NumReg {
        let (constant, is) = (self.constant_number(number), self.new_number());
        self.push(Op::Compare(is, crate::written::Comparison::Equal, register, constant));
        is
    }

    /// The code of a block inside this one. What it comes to know is forgotten after it.
    fn nested(&mut self, fill: impl FnOnce(&mut Self)) -> Block {
        let outer = std::mem::take(&mut self.block);
        let known: Vec<SetReg> = self.known.iter().map(|(_, _, register)| *register).collect();
        fill(self);
        self.known.retain(|(_, _, register)| known.contains(register));
        std::mem::replace(&mut self.block, outer)
    }

    /// Code that runs where a condition holds; none at all where it is known not to.
    fn when_holds(&mut self, condition: &Condition, fill: impl FnOnce(&mut Self)) {
        match self.truth(condition) {
            Answer::Known(true) => fill(self),
            Answer::Known(false) => {}
            Answer::Asked(register) => {
                let body = self.nested(fill);
                self.push(Op::If(register, body, Vec::new()));
            }
        }
    }

    /// Leaves the answer to a condition where callers look for it.
    fn answer(&mut self, condition: &Condition) {
        match self.truth(condition) {
            Answer::Known(holds) => self.push(Op::Number(ANSWER, holds.into())),
            Answer::Asked(register) => self.push(Op::Move(ANSWER, register)),
        }
    }

    /// The first leaf among some gates that is open, by its number.
    fn first_open(&mut self, gates: &[usize]) {
        let Some((&first, rest)) = gates.split_first() else { return };
        let gate = &self.game.gates[first];
        let inside = |builder: &mut Self| match gate.leaf {
            Some(leaf) => builder.push(Op::Number(ANSWER, leaf.index() as i64)),
            None => builder.first_open(&gate.inside),
        };
        match self.truth(&gate.when) {
            Answer::Known(true) => inside(self),
            Answer::Known(false) => {}
            Answer::Asked(open) => {
                let body = self.nested(inside);
                self.push(Op::If(open, body, Vec::new()));
            }
        }
        // A gate that is open may have nothing open inside: the search goes on.
        if rest.is_empty() {
            return;
        }
        let body = self.nested(|builder| builder.first_open(rest));
        let none = self.equals(ANSWER, crate::ir::NO_TILE);
        self.push(Op::If(none, body, Vec::new()));
    }

    fn finish(self) -> FunctionId {
        let function = Function { sets: self.sets, numbers: self.numbers, body: self.block };
        let functions = &mut self.lowering.code.functions;
        functions.push(function);
        FunctionId((functions.len() - 1) as u16)
    }
}

/// Keeps the registers of an event below those that code uses.
const _: () = assert!(ANSWER.0 >= FIRST_FREE);
