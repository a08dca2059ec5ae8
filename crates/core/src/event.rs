//! What a player or chance proposes, and what comes of it.

use std::fmt;

use crate::id::{ActionId, EndingId, KindId, OutcomeId, PhaseId, PlayerId, RuleId, TileId};
use crate::state::State;
use crate::verify::Law;
use crate::written::EventKind;

/// What a player or chance proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A piece goes from a tile to a tile.
    Move {
        /// The tile it leaves.
        from: TileId,
        /// The tile it enters.
        to: TileId,
        /// The kind it becomes, where the rule asks for a choice.
        choice: Option<KindId>,
    },
    /// A piece goes from a tile to a tile and spends a die.
    Advance {
        /// The tile it leaves.
        from: TileId,
        /// The tile it enters.
        to: TileId,
        /// What the die shows that it uses.
        pips: u8,
    },
    /// A piece of a kind enters the board.
    Put {
        /// The kind that enters.
        kind: KindId,
        /// The tile it enters.
        to: TileId,
    },
    /// Chance gives an outcome.
    Roll(OutcomeId),
    /// A named act.
    Act(ActionId),
    /// A named act that names a tile.
    Pick {
        /// The act.
        action: ActionId,
        /// The tile it names.
        to: TileId,
    },
}

impl Event {
    /// A move without a choice.
    pub fn step(from: TileId, to: TileId) -> Event {
        Event::Move { from, to, choice: None }
    }

    /// The kind of this event.
    pub fn kind(self) -> EventKind {
        match self {
            Event::Move { .. } | Event::Advance { .. } => EventKind::Move,
            Event::Put { .. } => EventKind::Put,
            Event::Roll(_) => EventKind::Roll,
            Event::Act(_) => EventKind::Act,
            Event::Pick { .. } => EventKind::Pick,
        }
    }

    /// The tile where this event ends or that it names; a roll and an act without a tile have none.
    #[inline]
    pub fn target(self) -> Option<TileId> {
        match self {
            Event::Move { to, .. } | Event::Advance { to, .. } => Some(to),
            Event::Put { to, .. } | Event::Pick { to, .. } => Some(to),
            Event::Roll(_) | Event::Act(_) => None,
        }
    }

    /// The event as one number: two bits of kind, then its ids.
    pub(crate) fn encode(self) -> u64 {
        let (kind, rest) = match self {
            Event::Move { from, to, choice } => {
                let choice = choice.map_or(0, |kind| u64::from(kind.0) + 1);
                (0, u64::from(from.0) | u64::from(to.0) << 16 | choice << 32)
            }
            Event::Advance { from, to, pips } => {
                (0, u64::from(from.0) | u64::from(to.0) << 16 | u64::from(pips) << 41 | 1 << 49)
            }
            Event::Put { kind, to } => (1, u64::from(kind.0) | u64::from(to.0) << 16),
            Event::Roll(outcome) => (2, u64::from(outcome.0)),
            Event::Act(action) => (3, u64::from(action.0)),
            Event::Pick { action, to } => (3, u64::from(action.0) | 1 << 8 | u64::from(to.0) << 16),
        };
        kind | rest << 2
    }

    /// The event that a number encodes, if it encodes one.
    pub(crate) fn decode(code: u64) -> Option<Event> {
        let rest = code >> 2;
        let event = match code & 3 {
            0 if rest >> 49 == 1 => Event::Advance {
                from: TileId(rest as u16),
                to: TileId((rest >> 16) as u16),
                pips: (rest >> 41) as u8,
            },
            0 => {
                let choice = u8::try_from((rest >> 32).saturating_sub(1)).ok()?;
                Event::Move {
                    from: TileId(rest as u16),
                    to: TileId((rest >> 16) as u16),
                    choice: (rest >> 32 > 0).then_some(KindId(choice)),
                }
            }
            1 => Event::Put { kind: KindId(rest as u8), to: TileId((rest >> 16) as u16) },
            2 => Event::Roll(OutcomeId(rest as u16)),
            _ if rest >> 8 & 1 == 1 => {
                Event::Pick { action: ActionId(rest as u8), to: TileId((rest >> 16) as u16) }
            }
            _ => Event::Act(ActionId(rest as u8)),
        };
        (event.encode() == code).then_some(event)
    }
}

/// The accepted fact: what happened, by which rule, and the state after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The event as proposed.
    pub event: Event,
    /// The rule that carried it out; the first of them where a preprocessor made several.
    pub rule: RuleId,
    /// The state after it.
    pub state: State,
}

/// Why an event was refused. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The event as proposed.
    pub event: Event,
    /// The phase that was active.
    pub phase: Option<PhaseId>,
    /// The rule that came nearest to accepting it.
    pub rule: Option<RuleId>,
    /// Every reason, that of the nearest rule first.
    pub reasons: Vec<Reason>,
    /// What the turn could do instead, where it must use more of the dice.
    pub instead: Vec<Event>,
}

/// One reason for a refusal. [`crate::Game::reason_text`] puts it into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The event names something that this game does not have.
    Foreign,
    /// The game is over.
    Over(EndingId),
    /// No phase is open.
    NoPhase,
    /// No rule of the phase is about such an event.
    Unwanted(EventKind),
    /// The player to move has no such piece on the tile.
    NoPiece(TileId, PlayerId),
    /// The tile the piece leaves does not pass the rule's test.
    Source(TileId),
    /// The piece has no path to the target; the tile that blocks it, where one does.
    NoPath {
        /// The tile it leaves.
        from: TileId,
        /// The tile it cannot reach.
        to: TileId,
        /// The first piece in its way.
        blocker: Option<TileId>,
    },
    /// A tile between does not pass the rule's test.
    Through(TileId),
    /// The target does not pass the rule's test.
    Onto(TileId),
    /// The target has no room.
    Taken(TileId),
    /// No piece of this kind is left to put.
    NoneLeft(KindId),
    /// The event must say what the piece becomes.
    ChoiceMissing,
    /// The piece may not become this.
    ChoiceRefused(KindId),
    /// Other dice are to be rolled.
    OtherDice,
    /// The outcome cannot come up, such as a card that is not in its pile.
    Impossible(OutcomeId),
    /// Another act is asked for.
    OtherAct(ActionId),
    /// The move must say which die it uses.
    DieMissing,
    /// No die shows this number.
    NoDie(u8),
    /// A condition of the rule does not hold: its number in the rule, counted from the outside in.
    Condition(RuleId, u16),
    /// When all is done, a condition of the rule would not hold: its number there.
    Aftermath(RuleId, u16),
    /// The turn can use more of the dice: how many dice and pips it can, and how many this way.
    Unused {
        /// Dice and pips that can be used.
        can: (u8, u8),
        /// Dice and pips that would be used at most.
        would: (u8, u8),
    },
    /// Something else can be played.
    Avoidable,
    /// A rule that comes first has an event.
    Outranked,
    /// The turn could reach more.
    NotMost,
    /// The event cannot be divided into steps.
    Indivisible,
    /// The state after it would break a law of states, which is a bug of the engine or of custom
    /// code. Only games that verify their states say so.
    Broken(Law),
}

impl Reason {
    /// How far the rule got before it refused: the greater, the nearer to acceptance.
    pub(crate) fn progress(self) -> u8 {
        match self {
            Reason::Foreign | Reason::Over(_) | Reason::NoPhase | Reason::Unwanted(_) => 0,
            Reason::OtherDice | Reason::OtherAct(_) | Reason::NoPiece(..) => 1,
            Reason::DieMissing | Reason::Impossible(_) => 1,
            Reason::Broken(_) => 0,
            Reason::NoneLeft(_) | Reason::Indivisible | Reason::NoDie(_) => 2,
            Reason::Source(_) => 3,
            Reason::NoPath { blocker: None, .. } => 4,
            Reason::NoPath { .. } | Reason::Taken(_) => 5,
            Reason::Through(_) => 6,
            Reason::Onto(_) => 7,
            Reason::ChoiceMissing | Reason::ChoiceRefused(_) => 8,
            Reason::Condition(..) => 9,
            Reason::Aftermath(..) => 10,
            Reason::Unused { .. } | Reason::Avoidable | Reason::Outranked | Reason::NotMost => 11,
        }
    }

    /// A word for programs that tell reasons apart.
    pub fn code(self) -> &'static str {
        match self {
            Reason::Foreign => "foreign",
            Reason::Over(_) => "over",
            Reason::NoPhase => "no_phase",
            Reason::Unwanted(_) => "unwanted",
            Reason::NoPiece(..) => "no_piece",
            Reason::Source(_) => "source",
            Reason::NoPath { blocker: None, .. } => "no_path",
            Reason::NoPath { .. } => "blocked",
            Reason::Through(_) => "through",
            Reason::Onto(_) => "onto",
            Reason::Taken(_) => "taken",
            Reason::NoneLeft(_) => "none_left",
            Reason::ChoiceMissing => "choice_missing",
            Reason::ChoiceRefused(_) => "choice_refused",
            Reason::OtherDice => "other_dice",
            Reason::Impossible(_) => "impossible",
            Reason::OtherAct(_) => "other_act",
            Reason::Condition(..) => "condition",
            Reason::Aftermath(..) => "aftermath",
            Reason::DieMissing => "die_missing",
            Reason::NoDie(_) => "no_die",
            Reason::Unused { .. } => "unused_dice",
            Reason::Avoidable => "avoidable",
            Reason::Outranked => "outranked",
            Reason::NotMost => "not_most",
            Reason::Indivisible => "indivisible",
            Reason::Broken(_) => "broken",
        }
    }

    /// The tile that the reason is about, for a picture of the board.
    pub fn tile(self) -> Option<TileId> {
        match self {
            Reason::NoPiece(tile, _)
            | Reason::Source(tile)
            | Reason::Through(tile)
            | Reason::Onto(tile)
            | Reason::Taken(tile) => Some(tile),
            Reason::NoPath { blocker, .. } => blocker,
            _ => None,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.reasons.first().map_or("refused", |reason| reason.code());
        write!(f, "event refused: {code}")
    }
}

impl std::error::Error for Rejection {}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The ending that holds.
    pub ending: EndingId,
    /// Who won; with allies, the whole team won.
    pub winner: Option<PlayerId>,
    /// What each player gets, in the order of play.
    pub scores: Vec<i64>,
    /// The place of each player, from 1 on, in the order of play; equals share one.
    pub places: Vec<usize>,
}

/// The answer of a condition or a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Valid,
    /// It does not apply.
    Ignore,
    /// It does not hold, and why.
    Invalid(Reason),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_one_number_and_back() {
        let (a, b) = (TileId(3), TileId(511));
        let events = [
            Event::step(a, b),
            Event::Move { from: b, to: a, choice: Some(KindId(0)) },
            Event::Move { from: b, to: a, choice: Some(KindId(255)) },
            Event::Advance { from: a, to: b, pips: 255 },
            Event::Put { kind: KindId(7), to: b },
            Event::Roll(OutcomeId(65535)),
            Event::Act(ActionId(9)),
            Event::Pick { action: ActionId(255), to: b },
            Event::Pick { action: ActionId(0), to: TileId(0) },
        ];
        for event in events {
            assert_eq!(Event::decode(event.encode()), Some(event));
        }
    }

    #[test]
    fn a_number_with_stray_bits_is_no_event() {
        assert_eq!(Event::decode(Event::Act(ActionId(9)).encode() | 1 << 40), None);
        assert_eq!(Event::decode(u64::MAX), None);
    }
}
