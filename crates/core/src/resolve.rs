//! From a definition to a game: names become ids, and every mistake is found at once.

mod board;
mod certainty;
mod cost;
mod effect;
mod hint;
mod name;
mod number;
mod phase;
pub(crate) mod secret;
mod set;
mod truth;
mod word;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::consequence::Consequences;
use crate::draft::Keys;
use crate::fault::{Artifact, DefinitionError, DefinitionErrors, Fault};
use crate::game::{Game, Index, Named, Options, PieceEntry};
use crate::hash;
use crate::id::{FlagId, KindId, PhaseId, PlayerId, RuleId, VariableId};
use crate::ir::Code;
use crate::layout::{Extent, Layout, VariableSlot};
use crate::lower::{self, Entries};
use crate::name::is_writable;
use crate::path::Resolver;
use crate::setup::Setup;
use crate::state::State;
use crate::typed::{Kinds, Truth, Wanted};
use crate::written::{
    Appearance, Capacity, Definition, EventKind, Life, Listing, Play, Player, Share, Standing,
    Supply, Usage,
};

use name::Compiler;

impl Game {
    /// Finds what follows from the rules, and lowers them.
    fn plan(&mut self) {
        self.sole_phase = self.options.decision_plan.then(|| sole_phase(self)).flatten();
        for (rule, shared) in lower::find_shared(self).into_iter().enumerate() {
            self.rules[rule].shared = shared;
        }
        for phase in 0..self.leaves.len() {
            let [moves_apart, apart] = counts_apart(self, PhaseId::at(phase));
            let (leaf, rules) = (&mut self.leaves[phase], &self.rules);
            let shares = |rule: &RuleId| !rules[rule.index()].shared.is_empty();
            leaf.overlaps = std::array::from_fn(|kind| leaf.by_kind[kind].iter().any(shares));
            leaf.counts = apart && !leaf.overlaps[0] && !leaf.overlaps[1];
            (leaf.counts_apart, leaf.counts_moves_apart) = (apart, moves_apart);
        }
        (self.code, self.entries) = lower::lower(self);
        self.flat.resize_with(self.code.functions.len() * 2, Default::default);
        self.consequences = Consequences::of(self);
        self.blank = State::blank(self.tag(), self.layout.words);
    }
}

impl Definition {
    /// Compiles the game. Every mistake is reported, each with its place.
    pub fn compile(self, options: Options) -> Result<Game, DefinitionErrors> {
        match self.expanded() {
            Cow::Borrowed(_) => self.compile_expanded(options),
            Cow::Owned(expanded) => {
                let mut game = expanded.compile_expanded(options)?;
                game.piles = self.piles;
                Ok(game)
            }
        }
    }

    fn compile_expanded(self, options: Options) -> Result<Game, DefinitionErrors> {
        let mut compiler = Compiler::new(&self, &options);
        if !compiler.check_extent() {
            return Err(DefinitionErrors(compiler.errors));
        }
        compiler.index_names();
        let board = compiler.board();
        let tables = compiler.tables();
        let flow = compiler.flow(&board);
        let secrets = compiler.secrets(&flow, &board);
        compiler.hints();
        if !compiler.errors.is_empty() {
            return Err(DefinitionErrors(compiler.errors));
        }
        let (index, mut tables) = (compiler.index, tables);
        let most_living = most_living(&self, &board, &flow);
        let supply = supply(&self, &mut tables.pieces, most_living);
        check_count(Artifact::Piece, tables.pieces.len(), u16::MAX as usize - 1)?;
        let layout = Layout::new(extent(&self, &board, &flow, &tables.pieces));
        check_count(Artifact::StateWord, layout.words, u16::MAX.into())?;
        let players = self.players.len();
        let keys = Keys::new(self.tiles.len(), players, self.kinds.len(), self.flags.len());
        let mut game = Game {
            rooms: crate::engine::Pool::default(),
            backend: std::sync::OnceLock::new(),
            looks_back: flow.looks_back(),
            secrets,
            definition_hash: self.hash(),
            index,
            keys,
            start: State::blank(0, layout.words),
            blank: State::blank(0, layout.words),
            layout,
            resolver: Resolver::new(board.topology, options.paths),
            mobility: tables.mobility,
            friends: tables.friends,
            all_tiles: board.all,
            exclusive: board.exclusive,
            pieces: tables.pieces,
            ephemeral: tables.ephemeral,
            serving: flow.serving,
            royals: tables.royals,
            threatening: flow.threatening,
            repetitions: tables.repetitions,
            swap: tables.swap,
            neutral: tables.neutral,
            outcomes: flow.outcomes,
            turns_pass: flow.rules.iter().all(passes_turn),
            rules: flow.rules,
            gates: flow.gates,
            leaves: flow.leaves,
            has_stops: flow.endings.iter().any(|ending| ending.play == Play::Stops),
            consequences: Consequences::default(),
            has_preprocessors: self.phases.iter().any(has_preprocessors),
            endings: flow.endings,
            requirements: flow.requirements,
            options,
            definition: self,
            piles: Vec::new(),
            sole_phase: None,
            supply,
            most_living,
            code: Code::default(),
            flat: Vec::new(),
            entries: Entries::default(),
        };
        game.plan();
        game.start = start(&game)?;
        Ok(game)
    }

    /// The definition's hash: the same on every machine and after writing and reading it, and that
    /// of [`Definition::expanded`]. How the game is drawn and weighed is left out.
    pub fn hash(&self) -> u128 {
        let mut rules = self.expanded();
        if rules.weights.is_some() || rules.picture != Appearance::default() {
            let rules = rules.to_mut();
            (rules.picture, rules.weights) = (Appearance::default(), None);
        }
        let text = serde_json::to_vec(&*rules).expect("a definition has string keys only");
        hash::of_bytes(&text)
    }
}

/// Whether every event of a rule gives the turn to a player, or is none of play.
fn passes_turn(rule: &crate::typed::Rule) -> bool {
    let gives = |effect: &crate::typed::Effect| matches!(effect, crate::typed::Effect::Turn(_));
    rule.written.listing == Listing::Aside || rule.before.iter().chain(&rule.after).any(gives)
}

fn has_preprocessors(phase: &crate::written::Phase) -> bool {
    !phase.pre.is_empty() || phase.phases.iter().any(has_preprocessors)
}

/// The phase that is active in every state, if there is one.
fn sole_phase(game: &Game) -> Option<PhaseId> {
    let mut next = 0;
    loop {
        let gate = game.gates.get(next)?;
        match (&gate.when.test, gate.leaf) {
            (Truth::Always, Some(leaf)) => return Some(leaf),
            (Truth::Always, None) => next += 1,
            (Truth::Never, _) => next = gate.skip,
            _ => return None,
        }
    }
}

/// Whether the moves of a phase and the pieces that enter can be counted without a list, if no two rules
/// accept the same and there are any, or no other events have a say; and whether all of its events are such.
fn counts_apart(game: &Game, phase: PhaseId) -> [bool; 2] {
    let leaf = &game.leaves[phase.index()];
    let played = |kind: EventKind| {
        leaf.by_kind[kind as usize].iter().any(|&rule| !game.lists(rule, Listing::Aside))
    };
    let moves = leaf.pre.is_empty()
        && (!leaf.ranked || moves_come_first(game, leaf))
        && leaf.usage == Usage::Free
        && leaf.most.is_none();
    let others = [EventKind::Roll, EventKind::Act, EventKind::Pick];
    [moves, moves && !leaf.ranked && !leaf.has_otherwise && !others.into_iter().any(played)]
}

/// Whether the moves of a phase and the pieces that enter are of its lowest rank, and no other events are.
fn moves_come_first(game: &Game, leaf: &crate::typed::Leaf) -> bool {
    let ranks = |kinds: std::ops::Range<usize>| {
        let rules = leaf.by_kind[kinds].iter().flatten();
        let plays = rules.filter(|&&rule| game.lists(rule, Listing::Play));
        plays.map(|rule| game.rules[rule.index()].written.rank).collect::<Vec<u8>>()
    };
    let (moves, others) = (ranks(0..2), ranks(2..5));
    let lowest = moves.iter().min();
    moves.iter().max() == lowest && others.iter().all(|rank| lowest.is_some_and(|one| rank > one))
}

/// How many pieces may be on the board and in hands at once, in games where new pieces could enter
/// for ever: as many as there are tiles and listed pieces.
fn most_living(definition: &Definition, board: &board::Board, flow: &phase::Flow) -> Option<usize> {
    use crate::typed::{Effect, Fate};
    let unlimited = definition.kinds.iter().any(|kind| kind.supply == Supply::Unlimited);
    let mut to_hand = false;
    for effects in flow.rules.iter().flat_map(crate::typed::Rule::effect_lists) {
        lower::fact::visit_effects(effects, &mut |effect| {
            to_hand |= matches!(effect, Effect::Capture { to: Fate::Hand(_), .. });
        });
    }
    let endless = !board.stacks.is_empty() || flow.changing && to_hand;
    (unlimited && endless).then_some(definition.tiles.len() + definition.pieces.len())
}

/// Adds enough pieces of every kind with an unlimited supply for all that can be on the board, and
/// names them.
fn supply(
    definition: &Definition,
    pieces: &mut Vec<PieceEntry>,
    most_living: Option<usize>,
) -> Vec<String> {
    let most = most_living.unwrap_or(definition.tiles.len());
    let mut names = Vec::new();
    for (kind, written) in definition.kinds.iter().enumerate() {
        if written.supply != Supply::Unlimited {
            continue;
        }
        for (owner, player) in definition.players.iter().enumerate() {
            let like = |piece: &&crate::written::Piece| {
                piece.kind == written.name && piece.owner == player.name
            };
            let listed = definition.pieces.iter().filter(like).count();
            for number in listed..most.max(listed) {
                names.push(format!("{}-{}-{}", player.name, written.name, number + 1));
                let (owner, kind) = (PlayerId::at(owner), KindId::at(kind));
                pieces.push(PieceEntry { owner, kind });
            }
        }
    }
    names
}

/// Refuses more of something, made of what the definition lists, than can be numbered.
fn check_count(what: Artifact, found: usize, most: usize) -> Result<(), DefinitionErrors> {
    if found <= most {
        return Ok(());
    }
    let fault = Fault::TooMany { what, found: found as u64, allowed: most as u64 };
    Err(DefinitionErrors(vec![DefinitionError { place: "kinds".into(), fault }]))
}

/// What the state must have room for.
fn extent(
    definition: &Definition,
    board: &board::Board,
    flow: &phase::Flow,
    pieces: &[PieceEntry],
) -> Extent {
    use crate::lower::fact::{Part, moves_nothing, uses_hand, visit, visit_effects};
    use crate::typed::{Effect, Number};
    let effects = || flow.rules.iter().flat_map(crate::typed::Rule::effect_lists);
    let (mut changing, mut trading) = (flow.changing, false);
    let mut asks_hand = false;
    for effects in effects() {
        asks_hand |= uses_hand(effects);
        visit_effects(effects, &mut |effect| {
            trading |= matches!(effect, Effect::Give { .. } | Effect::Custom(_));
            changing |= matches!(effect, Effect::Custom(_));
            trading |= matches!(effect, Effect::Capture { to: crate::typed::Fate::Hand(_), .. });
        });
    }
    for part in flow.parts() {
        visit(part, &mut |part| asks_hand |= matches!(part, Part::Number(Number::Hand(..))));
    }
    // Kinds with a supply of their own are never held in hand.
    let mut in_hand = Kinds([0; 4]);
    let mut enters = false;
    for (kind, written) in definition.kinds.iter().enumerate() {
        let puts = flow.rules.iter().any(|rule| match &rule.wants {
            Wanted::Put { kinds, .. } => kinds.contains(KindId::at(kind)),
            _ => false,
        });
        let held = written.supply == Supply::Listed && (puts || asks_hand);
        enters |= held;
        if held {
            in_hand.0[kind / 64] |= 1 << (kind % 64);
        }
    }
    let removes = flow.rules.iter().any(|rule| matches!(rule.wants, Wanted::Move(_)))
        || effects().any(|effects| !moves_nothing(effects));
    let owned = |player: usize| {
        pieces.iter().filter(|piece| trading || piece.owner.index() == player).count()
    };
    Extent {
        tiles: definition.tiles.len(),
        players: definition.players.len(),
        kinds: definition.kinds.len(),
        flags: definition.flags.len(),
        marks: definition.marks.len(),
        pieces: pieces.len(),
        most: (0..definition.players.len()).map(owned).max().unwrap_or(0),
        in_hand,
        hand_follows: !removes,
        stacks: board.stacks.clone(),
        changing,
        trading,
        by_tile: board.stacks.is_empty() && (!enters || !removes),
        dice: definition.dice.iter().map(|die| die.sides).collect(),
        variables: variable_slots(definition),
    }
}

/// What each variable may be, and how many fields it takes.
fn variable_slots(definition: &Definition) -> Vec<(VariableSlot, usize)> {
    let slots = definition.variables.iter().map(|variable| {
        let fields = match variable.share {
            Share::Common => 1,
            Share::PerPlayer => definition.players.len(),
        };
        let slot = VariableSlot {
            min: variable.min,
            max: variable.max,
            start: variable.start,
            hashed: variable.standing == Standing::Position,
            fields: Vec::new(),
        };
        (slot, fields)
    });
    slots.collect()
}

/// The start, through the same door as every other setup.
fn start(game: &Game) -> Result<State, DefinitionErrors> {
    game.state(&Setup::start(game)).map_err(|errors| {
        let refused = |error: &crate::setup::SetupError| DefinitionError {
            place: "setup".into(),
            fault: Fault::StartRefused { requirement: error.text(game) },
        };
        DefinitionErrors(errors.0.iter().map(refused).collect())
    })
}

/// Small tables about players and pieces.
struct Tables {
    mobility: Vec<crate::path::Mobility>,
    friends: Vec<u64>,
    pieces: Vec<PieceEntry>,
    ephemeral: Vec<FlagId>,
    royals: Vec<KindId>,
    repetitions: Option<(VariableId, VariableId)>,
    swap: Option<VariableId>,
    neutral: u64,
}

impl Compiler<'_> {
    /// The limits that ids and state words set; whether no limit is passed.
    fn check_extent(&mut self) -> bool {
        let d = self.definition;
        let (phases, rules) = phase::count_tree(&d.phases);
        let counts = [
            (Artifact::Player, "players", d.players.len(), 1, 64),
            (Artifact::Tile, "tiles", d.tiles.len(), 1, crate::tile_set::MAX_TILES),
            (Artifact::Direction, "directions", d.directions.len(), 0, 255),
            (Artifact::Relation, "relations", d.relations.len(), 0, 65_535),
            (Artifact::Region, "regions", d.regions.len(), 0, 255),
            (Artifact::Flag, "flags", d.flags.len(), 0, 64),
            (Artifact::Mark, "marks", d.marks.len(), 0, 64),
            (Artifact::Kind, "kinds", d.kinds.len(), 0, 255),
            (Artifact::Piece, "pieces", d.pieces.len(), 0, 4_096),
            (Artifact::Die, "dice", d.dice.len(), 0, 64),
            (Artifact::Variable, "variables", d.variables.len(), 0, 255),
            (Artifact::Action, "actions", d.actions.len(), 0, 255),
            (Artifact::Phase, "phases", phases, 1, 255),
            (Artifact::Rule, "rules", rules, 0, 4_096),
            (Artifact::Ending, "endings", d.endings.len(), 0, 255),
        ];
        // Hash keys and counts are tables over these products, and where every tile stacks, four
        // counts to a word must leave the words of a state few enough to be numbered.
        let products = [d.players.len(), d.kinds.len(), d.tiles.len()];
        let combinations = products.into_iter().fold(1usize, usize::saturating_mul);
        let limit = (Artifact::Combination, "players × kinds × tiles", combinations, 0, 1 << 17);
        for (what, place, found, least, most) in counts.into_iter().chain([limit]) {
            if found < least {
                self.fault(place, Fault::None { what });
            }
            if found > most {
                let (found, allowed) = (found as u64, most as u64);
                self.fault(place, Fault::TooMany { what, found, allowed });
            }
        }
        for die in d.dice.iter().filter(|die| die.sides == 0) {
            self.fault(&format!("dice/{}", die.name), Fault::None { what: Artifact::Side });
        }
        for variable in &d.variables {
            let place = format!("variables/{}", variable.name);
            let (found, min, max) = (variable.start, variable.min, variable.max);
            if min > max || found < min || found > max {
                self.fault(&place, Fault::OutOfBounds { found, min, max });
            }
        }
        !self.errors.iter().any(|error| matches!(error.fault, Fault::TooMany { .. }))
    }

    /// Gives every name its id and reports names used twice or unfit to be written.
    fn index_names(&mut self) {
        let d = self.definition;
        self.index = Index {
            players: self.index_of(Artifact::Player, "players", &d.players),
            tiles: self.index_of(Artifact::Tile, "tiles", &d.tiles),
            directions: self.index_of(Artifact::Direction, "directions", &d.directions),
            flags: self.index_of(Artifact::Flag, "flags", &d.flags),
            marks: self.index_of(Artifact::Mark, "marks", &d.marks),
            kinds: self.index_of(Artifact::Kind, "kinds", &d.kinds),
            pieces: self.index_of(Artifact::Piece, "pieces", &d.pieces),
            dice: self.index_of(Artifact::Die, "dice", &d.dice),
            variables: self.index_of(Artifact::Variable, "variables", &d.variables),
            actions: self.index_of(Artifact::Action, "actions", &d.actions),
        };
    }

    fn index_of<T: Named>(
        &mut self,
        what: Artifact,
        place: &str,
        list: &[T],
    ) -> std::collections::BTreeMap<String, usize> {
        let mut index = std::collections::BTreeMap::new();
        for (id, item) in list.iter().enumerate() {
            let name = item.written_name().to_owned();
            if !is_writable(&name) {
                self.fault(place, Fault::BadName { what, name: name.clone() });
            }
            if index.insert(name.clone(), id).is_some() {
                self.fault(place, Fault::Duplicate { what, name });
            }
        }
        index
    }

    fn tables(&mut self) -> Tables {
        let d = self.definition;
        let friends = d.players.iter().enumerate().map(|(me, player)| {
            let friend = |(other, one): &(usize, &Player)| {
                *other == me || (player.team.is_some() && one.team == player.team)
            };
            let friends = d.players.iter().enumerate().filter(friend);
            friends.fold(0, |mask, (other, _)| mask | 1 << (other % 64))
        });
        let friends = friends.collect();
        let mut mobility = Vec::new();
        for player in 0..d.players.len() {
            for kind in &d.kinds {
                let place = format!("kinds/{}/patterns", kind.name);
                mobility.push(self.mobility(&place, &kind.patterns, PlayerId::at(player)));
            }
        }
        let pieces = d.pieces.iter().map(|piece| {
            let place = format!("pieces/{}", piece.name);
            let owner = self.player(&place, &piece.owner).unwrap_or(PlayerId(0));
            let kind = self.kind(&place, &piece.kind).unwrap_or(KindId(0));
            PieceEntry { owner, kind }
        });
        let pieces = pieces.collect();
        self.check_setup();
        self.check_parts();
        let ephemeral = d.flags.iter().enumerate().filter(|(_, f)| f.life == Life::Ephemeral);
        let ephemeral = ephemeral.map(|(index, _)| FlagId::at(index)).collect();
        let royals = d.kinds.iter().enumerate().filter(|(_, kind)| kind.royal);
        let royals = royals.map(|(index, _)| KindId::at(index)).collect();
        let mut counting = d.variables.iter().enumerate().filter_map(|(index, variable)| {
            let within = variable.repetitions_within.as_ref()?;
            let within = self.variable(&format!("variables/{}", variable.name), within)?;
            Some((VariableId::at(index), within))
        });
        let repetitions = counting.next();
        let swap = d.variables.iter().position(|variable| variable.swaps_seats);
        let neutral = d.players.iter().enumerate().filter(|(_, player)| player.neutral);
        let neutral = neutral.fold(0, |mask, (at, _)| mask | 1 << (at % 64));
        let swap = swap.map(VariableId::at);
        Tables { mobility, friends, pieces, ephemeral, royals, repetitions, swap, neutral }
    }

    /// Names and places in the setup; its requirements are checked where it becomes a state.
    fn check_setup(&mut self) {
        let d = self.definition;
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        for placement in &d.setup {
            let place = format!("setup/{}", placement.piece);
            self.piece(&place, &placement.piece);
            let tile =
                self.tile(&place, &placement.tile).and_then(|tile| d.tiles.get(tile.index()));
            for flag in &placement.flags {
                self.flag(&place, flag);
            }
            if !seen.insert(&placement.piece) {
                self.fault(&place, Fault::SetTwice { piece: placement.piece.clone() });
            }
            let Some(tile) = tile else { continue };
            let name = tile.name.clone();
            if tile.holds == Capacity::Many && !placement.flags.is_empty() {
                self.fault(&place, Fault::FlagsOnStack { tile: name });
            } else if tile.holds == Capacity::One && !taken.insert(&placement.tile) {
                self.fault(&place, Fault::TileTaken { tile: name });
            }
        }
    }

    /// What relative directions mean, and numbers about kinds: used or not, they must make sense.
    fn check_parts(&mut self) {
        let d = self.definition;
        for player in &d.players {
            let place = format!("players/{}/directions", player.name);
            let names = player.directions.iter().map(|facing| facing.name.as_str());
            self.unique(&place, Artifact::Direction, names);
            for facing in &player.directions {
                if d.directions.contains(&facing.name) {
                    let (what, name) = (Artifact::Direction, facing.name.clone());
                    self.fault(&place, Fault::Duplicate { what, name });
                }
                self.board_direction(&format!("{place}/{}", facing.name), &facing.direction);
            }
        }
        let seats = self.seat_count();
        if seats == 0 {
            self.fault("players", Fault::None { what: Artifact::Player });
        }
        for (at, player) in d.players.iter().enumerate() {
            if player.neutral && (at < seats || player.team.is_some()) {
                let name = player.name.clone();
                self.fault("players", Fault::Neutral { name });
            }
        }
        for variable in d.variables.iter().filter(|variable| variable.swaps_seats) {
            let place = format!("variables/{}", variable.name);
            let (found, two) = (seats as i64, 2);
            if seats != 2 {
                self.fault(&place, Fault::OutOfBounds { found, min: two, max: two });
            }
            let bounds = [variable.min, variable.max - 1, variable.start];
            if let Some(&found) = bounds.iter().find(|bound| **bound != 0) {
                self.fault(&place, Fault::OutOfBounds { found, min: 0, max: 0 });
            }
            let first = d.variables.iter().find(|variable| variable.swaps_seats);
            if first != Some(variable) || variable.share == Share::PerPlayer {
                let (what, name) = (Artifact::Variable, variable.name.clone());
                self.fault(&place, Fault::Duplicate { what, name });
            }
        }
        for mark in &d.marks {
            for tile in &mark.tiles {
                self.tile(&format!("marks/{}", mark.name), tile);
            }
        }
        for kind in &d.kinds {
            let names = kind.attributes.iter().map(|attribute| attribute.name.as_str());
            self.unique(&format!("kinds/{}/attributes", kind.name), Artifact::Attribute, names);
        }
    }
}
