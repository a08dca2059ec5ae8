//! What can be wrong with a definition.

use std::fmt;

/// Every mistake of a definition, found at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionErrors(pub Vec<DefinitionError>);

/// One mistake, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionError {
    /// Where it is, from the outside in, such as `phases/play/rules/mark/when`.
    pub place: String,
    /// What is wrong there.
    pub fault: Fault,
}

/// What the names of a definition are names of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the artifact of its name")]
pub enum Artifact {
    Player,
    Tile,
    Direction,
    Region,
    Flag,
    Mark,
    Kind,
    Piece,
    Die,
    Variable,
    Pile,
    Action,
    Relation,
    Phase,
    Rule,
    Preprocessor,
    Outcome,
    Ending,
    Attribute,
    Side,
    Combination,
    Binding,
    Word,
    Level,
    StateWord,
    Step,
    Position,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A name that nothing has.
    Unknown {
        /// What it should name.
        what: Artifact,
        /// The name found.
        name: String,
        /// A name that is known and looks like it.
        near: Option<String>,
    },
    /// A name that two have.
    Duplicate {
        /// What they are.
        what: Artifact,
        /// Their name.
        name: String,
    },
    /// A name that cannot be written in a position or an event.
    BadName {
        /// What it names.
        what: Artifact,
        /// The name found.
        name: String,
    },
    /// There is none, and there must be one.
    None {
        /// Of what there is none.
        what: Artifact,
    },
    /// There are more than the engine takes.
    TooMany {
        /// Of what there are too many.
        what: Artifact,
        /// How many there are.
        found: u64,
        /// How many there may be.
        allowed: u64,
    },
    /// A direction in which no relation leads.
    UnusedDirection,
    /// A second relation leaves a tile in the same direction.
    SecondRelation {
        /// The tile.
        from: String,
        /// The direction.
        direction: String,
    },
    /// A relation from a tile to itself.
    Loop {
        /// The tile.
        tile: String,
    },
    /// A relative direction that this player does not give a meaning.
    NoFacing {
        /// The relative direction.
        name: String,
        /// The player.
        player: String,
    },
    /// A region of this name that this player does not have.
    NoRegion {
        /// The region.
        name: String,
        /// The player.
        player: String,
    },
    /// A region used as one tile that has none or several.
    NotOneTile {
        /// The region.
        name: String,
        /// How many tiles it has.
        found: usize,
    },
    /// A number outside its bounds.
    OutOfBounds {
        /// The number found.
        found: i64,
        /// The least allowed.
        min: i64,
        /// The greatest allowed.
        max: i64,
    },
    /// A condition that can never hold.
    NeverHolds {
        /// The condition, in words.
        condition: String,
    },
    /// A rule that can never fire, and why.
    NeverFires {
        /// The reason.
        why: String,
    },
    /// A phase that is never reached because an earlier one is always open.
    NeverReached {
        /// The earlier phase.
        after: String,
    },
    /// A phase with both rules and phases inside.
    RulesBesidePhases,
    /// The question whether the mover is stuck, asked outside rules and endings.
    StuckOutsideRule,
    /// What decides what a rule attacks or could do asks what rules could do, or whether the mover
    /// is stuck.
    CyclicRule,
    /// How often the position has come up, asked in the midst of effects.
    RepeatsInEffect,
    /// How often the position has come up, asked in a game that looks ahead over turns.
    RepeatsInLookAhead,
    /// Movement by dice where only other movement can be asked about.
    ByDice {
        /// The rule.
        rule: String,
    },
    /// The source or target of an event, asked where there is no event.
    NoEvent {
        /// The tile, in words.
        tile: String,
    },
    /// A second piece on a tile that holds one.
    TileTaken {
        /// The tile.
        tile: String,
    },
    /// A piece set up twice.
    SetTwice {
        /// The piece.
        piece: String,
    },
    /// Flags on a tile that holds many.
    FlagsOnStack {
        /// The tile.
        tile: String,
    },
    /// The start does not meet a requirement of the game.
    StartRefused {
        /// The requirement.
        requirement: String,
    },
    /// The attacks of a player decide what that player attacks.
    CyclicAttack,
    /// A move by dice that turns dice, in a phase that must use as much of them as it can.
    EndlessTurn,
    /// A neutral player that is treated as one who takes turns.
    Neutral {
        /// The player.
        name: String,
    },
    /// Something that the player who is asked may not see.
    Unseen {
        /// What it is.
        what: String,
    },
    /// Something seen by its owner alone that belongs to nobody.
    NoOwner {
        /// Its name.
        name: String,
    },
    /// A colour that is none.
    BadColor {
        /// What was found.
        color: String,
    },
    /// A table of weights, or a player's view of the tiles, of another length than the rest.
    TableLength {
        /// How many entries it has.
        found: usize,
        /// How many it must have.
        wanted: usize,
    },
    /// A custom condition or effect that the host did not register.
    UnknownCustom {
        /// The name.
        name: String,
    },
}

impl Artifact {
    fn plural(self) -> String {
        match self {
            Artifact::Die => "dice".to_owned(),
            Artifact::StateWord => "words of a state".to_owned(),
            other => format!("{other}s"),
        }
    }
}

impl fmt::Display for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Artifact::StateWord => f.write_str("word of a state"),
            other => f.write_str(&format!("{other:?}").to_lowercase()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unknown { what, name, near: None } => write!(f, "no {what} is named `{name}`"),
            Fault::Unknown { what, name, near: Some(near) } => {
                write!(f, "no {what} is named `{name}`, did you mean `{near}`?")
            }
            Fault::Duplicate { what, name } => write!(f, "a second {what} is named `{name}`"),
            Fault::BadName { what, name } => write!(
                f,
                "`{name}` cannot name a {what}: a name has no spaces and none of @ = : + * , . /"
            ),
            Fault::None { what } => write!(f, "there is no {what}; define at least one"),
            Fault::TooMany { what, found, allowed } => {
                write!(f, "{found} {}, but at most {allowed} are allowed", what.plural())
            }
            Fault::UnusedDirection => f.write_str("no relation leads in this direction"),
            Fault::SecondRelation { from, direction } => {
                write!(f, "a second relation leaves {from} in direction {direction}")
            }
            Fault::Loop { tile } => write!(f, "a relation leads from {tile} to itself"),
            Fault::NoFacing { name, player } => {
                write!(f, "`{name}` is neither a direction nor a facing of {player}")
            }
            Fault::NoRegion { name, player } => write!(f, "{player} has no region `{name}`"),
            Fault::NotOneTile { name, found } => {
                write!(f, "region `{name}` has {found} tiles where exactly one is needed")
            }
            Fault::OutOfBounds { found, min, max } => {
                write!(f, "{found} is not between {min} and {max}")
            }
            Fault::NeverHolds { condition } => write!(f, "can never hold: {condition}"),
            Fault::NeverFires { why } => write!(f, "can never fire: {why}"),
            Fault::NeverReached { after } => {
                write!(f, "is never reached: phase `{after}` before it is always open")
            }
            Fault::RulesBesidePhases => {
                f.write_str("has both rules and phases; a phase has either")
            }
            Fault::StuckOutsideRule
            | Fault::CyclicRule
            | Fault::RepeatsInEffect
            | Fault::RepeatsInLookAhead
            | Fault::ByDice { .. } => self.fmt_question(f),
            Fault::NoEvent { tile } => write!(f, "{tile} is not known here"),
            Fault::TileTaken { tile } => {
                write!(f, "tile {tile} has room for one piece and already has one")
            }
            Fault::SetTwice { piece } => write!(f, "piece {piece} is set up twice"),
            Fault::FlagsOnStack { tile } => {
                write!(f, "pieces on tile {tile} cannot carry flags, because it holds many")
            }
            Fault::StartRefused { requirement } => {
                write!(f, "the start does not meet the requirement: {requirement}")
            }
            Fault::CyclicAttack => {
                f.write_str("`attacked` is asked inside a rule that decides what is attacked")
            }
            Fault::EndlessTurn => f.write_str(
                "a move turns dice where as much of them must be used as can be, so that there may \
                 be no end of them; turn dice in another phase",
            ),
            Fault::Neutral { .. } | Fault::Unseen { .. } | Fault::NoOwner { .. } => {
                self.fmt_player(f)
            }
            Fault::BadColor { .. } | Fault::TableLength { .. } => self.fmt_hint(f),
            Fault::UnknownCustom { name } => {
                write!(f, "no custom `{name}` is registered in the options")
            }
        }
    }
}

impl Fault {
    /// Faults about what is said beside the rules.
    fn fmt_hint(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::BadColor { color } => write!(
                f,
                "`{color}` is no colour: write one of {}, or six digits such as #c2402f",
                crate::written::COLORS.join(", ")
            ),
            Fault::TableLength { found, wanted } => {
                write!(f, "found {found} entries, expected {wanted}: one for each tile in view")
            }
            _ => Ok(()),
        }
    }

    /// Faults about who owns and who sees something.
    fn fmt_player(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Neutral { name } => write!(
                f,
                "`{name}` is neutral: it is listed after the others and has no team, turn or win"
            ),
            Fault::Unseen { what } => write!(
                f,
                "the player to move does not see `{what}`, so it cannot decide what is legal"
            ),
            Fault::NoOwner { name } => {
                write!(f, "`{name}` is seen by its owner, but belongs to no player")
            }
            _ => Ok(()),
        }
    }

    /// Faults about where a question may be asked.
    fn fmt_question(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::StuckOutsideRule => {
                f.write_str("only rules and endings may ask whether the mover is stuck")
            }
            Fault::CyclicRule => f.write_str(
                "`stuck` and `can` may not decide what a rule attacks or could do: \
                 ask them in its effects or in what it ensures",
            ),
            Fault::RepeatsInEffect => f.write_str(
                "effects have no position to compare: ask `repeats` in `when` or `ensures`",
            ),
            Fault::RepeatsInLookAhead => {
                f.write_str("`repeats` cannot be asked where a phase has a `usage` or a `most`")
            }
            Fault::ByDice { rule } => {
                write!(f, "rule `{rule}` moves by dice, of which `can` knows nothing")
            }
            other => write!(f, "{other:?}"),
        }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl fmt::Display for DefinitionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DefinitionError {}
impl std::error::Error for DefinitionErrors {}
