//! The plain text of events, positions and reasons, for any game.
//!
//! An event is `a1/b2` (a move), `a1/b2=kind` (a move with a choice), `a1/b2:3` (a move by a die
//! that shows 3), `kind@b2` (a put), `act@b2` (an act that names a tile),
//! `roll:6-5` (dice; `roll:one:6,two:5` where other dice of the game can show the same; `roll:jack`
//! where outcomes have names) or the name of an act. A position is the player to move, then, separated by
//! spaces, `tile=owner:kind+flag+flag` or `tile=owner:kind*3,owner:kind` for what stands where,
//! `hand.player=kind*2,kind` for every hand where the board does not tell it, `mark.name=a1,b2` for
//! marks of tiles, `die.name=5` for dice that show something, and `var.name=3` or `var.name:player=3` for
//! variables that are not at their start.

use crate::event::{Event, Reason};
use crate::game::Game;
use crate::id::{DieId, OutcomeId, PlayerId, TileId, VariableId};
use crate::name::nearest;
use crate::notation::{EventError, PositionError, PositionReason, excerpt, expected};
use crate::setup::{Held, Setup, Stand, flags_of};
use crate::state::State;
use crate::written::{Share, Variable};

/// After this many mistakes in one position the rest of the text is not looked at.
const ENOUGH: usize = 32;

/// Writes an event; one that names what the game does not have as `?`.
pub fn format_event(game: &Game, event: Event) -> String {
    if !game.knows(event) {
        return "?".to_owned();
    }
    match event {
        Event::Move { from, to, choice } => {
            let (equals, choice) = choice.map_or(("", ""), |kind| ("=", game.kind_name(kind)));
            [game.tile_name(from), "/", game.tile_name(to), equals, choice].concat()
        }
        Event::Advance { from, to, pips } => {
            format!("{}/{}:{pips}", game.tile_name(from), game.tile_name(to))
        }
        Event::Put { kind, to } => [game.kind_name(kind), "@", game.tile_name(to)].concat(),
        Event::Roll(outcome) => format_roll(game, outcome),
        Event::Act(action) => game.action_name(action).to_owned(),
        Event::Pick { action, to } => {
            format!("{}@{}", game.action_name(action), game.tile_name(to))
        }
    }
}

/// Writes dice: their faces, with their names where other dice can show the same.
fn format_roll(game: &Game, outcome: OutcomeId) -> String {
    if let Some(name) = game.outcome_name(outcome) {
        return format!("roll:{name}");
    }
    let dice = game.faces(outcome);
    let faces = |dice: &[(DieId, u8)]| dice.iter().map(|(_, face)| *face).collect::<Vec<u8>>();
    let alike = |other: &[(DieId, u8)]| other != dice && faces(other) == faces(dice);
    if game.outcomes.iter().any(|other| alike(&other.dice)) {
        let named = dice.iter().map(|(die, face)| format!("{}:{face}", game.die_name(*die)));
        return format!("roll:{}", named.collect::<Vec<_>>().join(","));
    }
    let faces = dice.iter().map(|(_, face)| face.to_string());
    format!("roll:{}", faces.collect::<Vec<_>>().join("-"))
}

/// Reads an event in a state. Dice may be left without `roll:`, in any order where it is ignored.
pub fn parse_event(game: &Game, state: &State, text: &str) -> Result<Event, EventError> {
    let text = text.trim();
    let at = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let tile = |name: &str| {
        let near = || nearest(name, game.tiles().map(|tile| game.tile_name(tile)));
        game.tile(name).ok_or_else(|| EventError::new(at(name), name, "a tile", near()))
    };
    let kind = |name: &str| {
        let near = || nearest(name, game.kinds().map(|kind| game.kind_name(kind)));
        game.kind(name).ok_or_else(|| EventError::new(at(name), name, "a kind of piece", near()))
    };
    if let Some((from, rest)) = text.split_once('/') {
        if let Some((to, pips)) = rest.split_once(':') {
            let bad = || EventError::new(at(pips), pips, "what a die shows", None);
            let pips = pips.parse().map_err(|_| bad())?;
            return Ok(Event::Advance { from: tile(from)?, to: tile(to)?, pips });
        }
        let (to, choice) = match rest.split_once('=') {
            Some((to, choice)) => (to, Some(kind(choice)?)),
            None => (rest, None),
        };
        return Ok(Event::Move { from: tile(from)?, to: tile(to)?, choice });
    }
    if let Some((put, to)) = text.split_once('@') {
        if let Some(action) = game.action(put).filter(|_| game.kind(put).is_none()) {
            return Ok(Event::Pick { action, to: tile(to)? });
        }
        return Ok(Event::Put { kind: kind(put)?, to: tile(to)? });
    }
    if let Some(action) = game.action(text) {
        return Ok(Event::Act(action));
    }
    if let Some(event) = parse_roll(game, state, text) {
        return Ok(event);
    }
    let near = nearest(text, game.actions().map(|action| game.action_name(action)));
    let allowed = "from/to, from/to=kind, from/to:pips, kind@tile, act@tile, roll:faces or the name of an act";
    Err(EventError::new(0, text, allowed, near))
}

/// The outcome that these faces mean where dice are awaited, or else anywhere in the game.
fn parse_roll(game: &Game, state: &State, text: &str) -> Option<Event> {
    let text = text.strip_prefix("roll:").unwrap_or(text);
    let named = |outcome: &OutcomeId| game.outcome_name(*outcome) == Some(text);
    if let Some(outcome) = (0..game.outcomes.len()).map(OutcomeId::at).find(named) {
        return Some(Event::Roll(outcome));
    }
    if text.contains(':') {
        return parse_named_roll(game, text);
    }
    let faces = text.split(['-', ',']);
    let faces: Option<Vec<u8>> = faces.take(65).map(|face| face.parse().ok()).collect();
    let faces = faces?;
    let shows = |outcome: OutcomeId, faces: &[u8]| {
        let dice = game.faces(outcome);
        dice.len() == faces.len() && dice.iter().zip(faces).all(|((_, one), two)| one == two)
    };
    let awaited = game.chances(state).into_iter().filter_map(|chance| match chance.event {
        Event::Roll(outcome) => Some(outcome),
        _ => None,
    });
    let awaited: Vec<OutcomeId> = awaited.collect();
    let all: Vec<OutcomeId> = (0..game.outcomes.len()).map(OutcomeId::at).collect();
    let mut greatest_first = faces.clone();
    greatest_first.sort_unstable_by(|a, b| b.cmp(a));
    let orders = [&faces, &greatest_first];
    let found = [&awaited, &all].into_iter().find_map(|known| {
        let find = |faces: &&Vec<u8>| known.iter().find(|&&outcome| shows(outcome, faces));
        orders.iter().find_map(find)
    });
    found.map(|&outcome| Event::Roll(outcome))
}

/// The outcome in which these dice show these faces.
fn parse_named_roll(game: &Game, text: &str) -> Option<Event> {
    let one = |part: &str| {
        let (name, face) = part.split_once(':')?;
        Some((game.die(name)?, face.parse().ok()?))
    };
    let dice: Vec<(DieId, u8)> = text.split(',').take(65).map(one).collect::<Option<_>>()?;
    let at = game.outcomes.iter().position(|outcome| outcome.dice == dice)?;
    Some(Event::Roll(OutcomeId::at(at)))
}

/// Writes a position.
pub fn format_position(game: &Game, state: &State) -> String {
    let view = game.view(state);
    let mut words = vec![game.player_name(view.seat()).to_owned()];
    for tile in view.occupied().iter() {
        let mut stands = Vec::new();
        for owner in game.players() {
            for kind in game.kinds() {
                let count = view.count(tile, owner, kind);
                if count > 0 {
                    let flags = flags_of(game, view.flags_at(tile));
                    let flags: String =
                        flags.map(|flag| format!("+{}", game.flag_name(flag))).collect();
                    let many = if count > 1 { format!("*{count}") } else { String::new() };
                    let (owner, kind) = (game.player_name(owner), game.kind_name(kind));
                    stands.push(format!("{owner}:{kind}{flags}{many}"));
                }
            }
        }
        words.push(format!("{}={}", game.tile_name(tile), stands.join(",")));
    }
    for player in game.players().filter(|_| game.has_hands() && !game.layout.hand_follows) {
        let held = |kind| match view.hand(player, kind) {
            0 => None,
            1 => Some(game.kind_name(kind).to_owned()),
            count => Some(format!("{}*{count}", game.kind_name(kind))),
        };
        let held: Vec<String> = game.kinds().filter_map(held).collect();
        words.push(format!("hand.{}={}", game.player_name(player), held.join(",")));
    }
    for mark in game.marks() {
        let tiles: Vec<&str> = view.marked(mark).iter().map(|tile| game.tile_name(tile)).collect();
        if !tiles.is_empty() {
            words.push(format!("mark.{}={}", game.mark_name(mark), tiles.join(",")));
        }
    }
    for (die, shows) in game.dice().filter_map(|die| Some((die, view.die(die)?))) {
        words.push(format!("die.{}={shows}", game.die_name(die)));
    }
    for variable in game.variables() {
        let slot = game.layout.variable(variable);
        for seat in (0..slot.fields.len()).map(PlayerId::at) {
            let value = view.variable(variable, seat);
            if value != slot.start {
                let whose = match slot.fields.len() {
                    1 => String::new(),
                    _ => format!(":{}", game.player_name(seat)),
                };
                words.push(format!("var.{}{whose}={value}", game.variable_name(variable)));
            }
        }
    }
    words.join(" ")
}

/// Reads a position. Every mistake is reported.
pub fn parse_position(game: &Game, text: &str) -> Result<State, PositionError> {
    let mut reader = Reader { game, text, setup: Setup::empty(PlayerId(0)), reasons: Vec::new() };
    let mut words = text.split_whitespace();
    match words.next() {
        Some(name) => match game.player(name) {
            Some(player) => reader.setup.player = player,
            None => reader.wrong(name, "unknown player", "the name of the player to move"),
        },
        None => reader.wrong(text, "empty text", "the name of the player to move"),
    }
    for word in words {
        if reader.reasons.len() >= ENOUGH {
            break;
        }
        reader.word(word);
    }
    if !reader.reasons.is_empty() {
        return Err(PositionError { reasons: reader.reasons });
    }
    game.state(&reader.setup).map_err(|errors| PositionError::of_setup(game, &errors))
}

struct Reader<'t> {
    game: &'t Game,
    text: &'t str,
    setup: Setup,
    reasons: Vec<PositionReason>,
}

impl Reader<'_> {
    fn wrong(&mut self, part: &str, kind: &str, allowed: &str) {
        let at = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let message = format!("at byte {at}: {}", expected(allowed, &excerpt(part)));
        self.reasons.push(PositionReason { kind: kind.to_owned(), message, at: Some(at) });
    }

    fn word(&mut self, word: &str) {
        let Some((name, value)) = word.split_once('=') else {
            return self.wrong(word, "malformed word", "tile=owner:kind, die.name=n or var.name=n");
        };
        if let Some(name) = name.strip_prefix("die.") {
            return self.die(name, value);
        }
        if let Some(name) = name.strip_prefix("var.") {
            return self.variable(name, value);
        }
        if let Some(name) = name.strip_prefix("hand.") {
            return self.hand(name, value);
        }
        if let Some(name) = name.strip_prefix("mark.") {
            return self.mark(name, value);
        }
        let Some(tile) = self.game.tile(name) else {
            return self.wrong(name, "unknown tile", "a tile of this game");
        };
        for stand in value.split(',') {
            self.stand(tile, stand);
        }
    }

    fn hand(&mut self, name: &str, value: &str) {
        let Some(player) = self.game.player(name) else {
            return self.wrong(name, "unknown player", "a player of this game");
        };
        let most = self.game.pieces.len();
        let mut held = self.setup.hands.take().unwrap_or_default();
        for one in value.split(',').filter(|one| !one.is_empty()) {
            let (name, count) = one.split_once('*').unwrap_or((one, "1"));
            let kind = self.game.kind(name);
            let Some(kind) = kind.filter(|&k| self.game.layout.hand(player, k).is_some()) else {
                self.wrong(name, "unknown kind", "a kind that is held in hand");
                break;
            };
            match count.parse::<usize>() {
                Ok(count) if count > 0 && held.len() + count <= most => {
                    held.extend(std::iter::repeat_n(Held { player, kind, piece: None }, count));
                }
                _ => {
                    self.wrong(one, "bad count", &format!("a count of 1 to {most}"));
                    break;
                }
            }
        }
        self.setup.hands = Some(held);
    }

    fn mark(&mut self, name: &str, value: &str) {
        let Some(mark) = self.game.mark(name) else {
            return self.wrong(name, "unknown mark", "a mark of this game");
        };
        for name in value.split(',') {
            match self.game.tile(name) {
                Some(tile) => self.setup.marks.push((mark, tile)),
                None => return self.wrong(name, "unknown tile", "a tile of this game"),
            }
        }
    }

    fn die(&mut self, name: &str, value: &str) {
        let Some(die) = self.game.die(name) else {
            return self.wrong(name, "unknown die", "a die of this game");
        };
        let sides = self.game.definition.dice[die.index()].sides;
        match value.parse() {
            Ok(shows) if shows > 0 && shows <= sides => self.setup.dice.push((die, shows)),
            _ => self.wrong(value, "die out of bounds", &format!("1 to {sides}")),
        }
    }

    fn variable(&mut self, name: &str, value: &str) {
        let (name, whose) = name.split_once(':').map_or((name, None), |(n, p)| (n, Some(p)));
        let Some(variable) = self.game.variable(name) else {
            return self.wrong(name, "unknown variable", "a variable of this game");
        };
        let slot = self.game.layout.variable(variable);
        let (min, max, seats) = (slot.min, slot.max, slot.fields.len());
        let of = match whose {
            None if seats == 1 => PlayerId(0),
            Some(name) if seats > 1 => match self.game.player(name) {
                Some(player) => player,
                None => return self.wrong(name, "unknown player", "a player of this game"),
            },
            None => return self.wrong(name, "whose variable", "var.name:player=n"),
            Some(name) => return self.wrong(name, "whose variable", "var.name=n"),
        };
        match value.parse() {
            Ok(number) if (min..=max).contains(&number) => {
                self.setup.variables.push((variable, of, number));
            }
            _ => self.wrong(value, "variable out of bounds", &format!("{min} to {max}")),
        }
    }

    fn stand(&mut self, tile: TileId, text: &str) {
        let (one, count) = text.split_once('*').map_or((text, None), |(one, n)| (one, Some(n)));
        let mut parts = one.split('+');
        let piece = parts.next().unwrap_or(one);
        let Some((owner, kind)) = piece.split_once(':') else {
            return self.wrong(piece, "malformed piece", "owner:kind");
        };
        let Some(owner) = self.game.player(owner) else {
            return self.wrong(owner, "unknown player", "a player of this game");
        };
        let Some(kind) = self.game.kind(kind) else {
            return self.wrong(kind, "unknown kind", "a kind of this game");
        };
        let mut flags = 0;
        for name in parts {
            match self.game.flag(name) {
                Some(flag) => flags |= 1 << flag.index(),
                None => return self.wrong(name, "unknown flag", "a flag of this game"),
            }
        }
        let most = self.game.pieces.len();
        let count = match count.map(str::parse::<usize>) {
            None => 1,
            Some(Ok(count)) if count > 0 && count <= most => count,
            Some(_) => return self.wrong(text, "bad count", &format!("a count of 1 to {most}")),
        };
        if self.setup.pieces.len() + count > most {
            let pieces = if most == 1 { "piece" } else { "pieces" };
            return self.wrong(text, "too many pieces", &format!("at most {most} {pieces}"));
        }
        let stand = Stand { tile, owner, kind, flags, piece: None };
        self.setup.pieces.extend(std::iter::repeat_n(stand, count));
    }
}

/// The variables that are not as they were at the start, a line for each.
pub fn facts(game: &Game, state: &State) -> Vec<String> {
    let view = game.view(state);
    let fact = |(variable, written): (VariableId, &Variable)| {
        let value = |player| view.variable(variable, player);
        if game.players().all(|player| value(player) == written.start) {
            return None;
        }
        let own = |player| format!("{} {}", game.player_name(player), value(player));
        let told = match written.share {
            Share::PerPlayer => game.players().map(own).collect::<Vec<_>>().join(", "),
            Share::Common => {
                game.players().next().map_or(String::new(), |one| value(one).to_string())
            }
        };
        Some(format!("{}: {told}", written.name))
    };
    game.variables().zip(&game.definition().variables).filter_map(fact).collect()
}

impl Game {
    /// A reason for a refusal, in words.
    pub fn reason_text(&self, reason: Reason) -> String {
        let tile = |tile: TileId| self.tile_name(tile);
        match reason {
            Reason::Foreign => "the event names something that the game does not have".into(),
            Reason::Over(ending) => format!("the game is over: {}", self.ending_name(ending)),
            Reason::NoPhase => "no phase is open".into(),
            Reason::Unwanted(kind) => format!("no rule of this phase allows such a {kind}"),
            Reason::NoPiece(at, player) => {
                format!("{} has no piece on {}", self.player_name(player), tile(at))
            }
            Reason::Source(at) => format!("this rule does not move the piece on {}", tile(at)),
            Reason::NoPath { from, to, blocker: None } => {
                format!("the piece on {} does not reach {}", tile(from), tile(to))
            }
            Reason::NoPath { from, to, blocker: Some(by) } => {
                format!("the way from {} to {} is blocked on {}", tile(from), tile(to), tile(by))
            }
            Reason::Through(at) => format!("the move may not pass {}", tile(at)),
            Reason::Onto(at) => format!("the move may not end on {}", tile(at)),
            Reason::Taken(at) => format!("{} is taken", tile(at)),
            Reason::NoneLeft(kind) => format!("no {} is left to place", self.kind_name(kind)),
            Reason::ChoiceMissing => "the move must say what the piece becomes".into(),
            Reason::ChoiceRefused(kind) => {
                format!("the piece may not become a {}", self.kind_name(kind))
            }
            Reason::OtherDice => "other dice must be rolled now".into(),
            Reason::Impossible(outcome) => {
                let name = self.outcome_name(outcome).unwrap_or("this");
                format!("{name} cannot come up now")
            }
            Reason::OtherAct(action) => {
                format!("the answer that is due is {}", self.action_name(action))
            }
            Reason::DieMissing => "the move must say which die it uses".into(),
            Reason::NoDie(pips) => format!("no die shows {pips}"),
            Reason::Unused { can, would } if can.0 > would.0 => {
                format!(
                    "{} dice can be used, but this move would leave only {} usable",
                    can.0, would.0
                )
            }
            Reason::Unused { can, .. } => {
                format!("the die that shows {} can be used and must be", can.1)
            }
            Reason::Avoidable => "another move is possible, so this one is not allowed".into(),
            Reason::NotMost => "another move makes more of the turn".into(),
            Reason::Outranked => "a rule with priority has a legal move".into(),
            Reason::Condition(rule, number) => {
                let name = self.rules.get(rule.index()).map_or("", |rule| &rule.written.name);
                match self.written_condition(rule, number) {
                    Some(words) => format!("rule `{name}` requires that {words}"),
                    None => format!("a condition of rule `{name}` does not hold"),
                }
            }
            Reason::Aftermath(rule, _) => {
                let written = self.rules.get(rule.index()).map(|rule| &rule.written);
                written.map_or(String::new(), |rule| {
                    format!("after rule `{}` it must be true that {}", rule.name, rule.ensures)
                })
            }
            Reason::Broken(law) => format!("the engine made a mistake: {law}; please report it"),
            Reason::Indivisible => "the move has no path that can be divided into steps".into(),
        }
    }
}
