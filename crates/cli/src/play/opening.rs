//! What a match begins with.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use senet::{Match, PlayerId};

use super::Args;
use super::keep::{Existing, Keeper};
use super::paint::Paint;
use crate::context::Context;
use crate::failure::Failure;
use crate::opponent::Opponent;
use crate::{file, replay};

/// What a match begins with.
pub(super) struct Opening {
    pub(super) context: Context,
    pub(super) played: Match,
    /// The game as it was named, where it was named.
    pub(super) game: Option<String>,
    pub(super) seed: u64,
    pub(super) opponent: Option<Opponent>,
    pub(super) keeper: Keeper,
    pub(super) flipped: bool,
    pub(super) paint: Paint,
}

impl Opening {
    pub(super) fn new(args: &Args) -> Result<Opening, Failure> {
        let named = Path::new(&args.subject.game);
        let (loaded, game) = match &args.load {
            Some(path) => (Some(path.as_path()), Some(args.subject.game.clone())),
            None if is_match(named) => (Some(named), None),
            None => (None, Some(args.subject.game.clone())),
        };
        let (context, played) = match loaded {
            Some(path) => {
                let played = replay::open(path, game.as_deref())?;
                (Context { position: played.position() }, played)
            }
            None => {
                let context = args.subject.resolve()?;
                let played = Match::at(context.position.clone());
                (context, played)
            }
        };
        let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
        let opponent = args.opponent.opponent(context.game(), seed)?;
        let mut keeper = Keeper::new(context.game(), names(&context, opponent.as_ref()));
        let existing = if args.force { Existing::Replaced } else { Existing::Stays };
        match (&args.save, loaded) {
            (Some(path), _) if Some(path.as_path()) == loaded => {
                keeper.keep_in(path, Existing::Replaced)?;
            }
            (Some(path), _) => keeper.keep_in(path, existing)?,
            (None, Some(path)) => {
                // A match that is played on stays where it is, if it is in one of our forms.
                let _ = keeper.keep_in(path, Existing::Replaced);
            }
            (None, None) => {}
        }
        let other = opponent.as_ref().is_some_and(|opponent| opponent.person().index() > 0);
        let (flipped, paint) = (args.flip != other, Paint::of_terminal(args.ascii, args.pictures));
        Ok(Opening { context, played, game, seed, opponent, keeper, flipped, paint })
    }
}

/// What the players are called: the opponent by what it is.
fn names(context: &Context, opponent: Option<&Opponent>) -> Vec<String> {
    let game = context.game();
    let name = |player: PlayerId| match opponent {
        Some(opponent) if opponent.person() != player => opponent.name(),
        _ => game.player_name(player).to_owned(),
    };
    game.players().map(name).collect()
}

/// Whether a file is a saved match.
fn is_match(path: &Path) -> bool {
    let ending = crate::picture::extension(path);
    matches!(ending, "json" | "senet")
        && path.is_file()
        && file::read(path, file::MATCH).is_ok_and(|bytes| Match::saved_game(&bytes).is_some())
}
