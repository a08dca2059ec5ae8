//! Matches written down: in Senet's own forms, as PGN, `.mat` or SGF. The ending of the file
//! decides which.

use std::path::Path;

use senet::notation::sgf::{is_sgf_game, write_sgf};
use senet::notation::{is_mat_game, pgn_notation, write_mat, write_pgn};
use senet::{Game, Match, SaveForm};

use crate::failure::Failure;
use crate::file;
use crate::picture::extension;

/// What a match is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Compact, with everything in it.
    Senet,
    /// JSON, with everything in it.
    Json,
    /// The moves of a game of chess.
    Pgn,
    /// The games of a match of backgammon.
    Mat,
    /// The moves of a game such as go.
    Sgf,
}

impl Form {
    /// The form that the ending of a file asks for, if matches of the game can be written in it. A
    /// pipe or a device without an ending gets JSON.
    pub(crate) fn of(path: &Path, game: &Game) -> Result<Form, Failure> {
        if file::is_special(path) && extension(path).is_empty() {
            return Ok(Form::Json);
        }
        Form::of_name(extension(path), game).ok_or_else(|| {
            let (shown, name) = (path.display(), game.name());
            let known: Vec<String> =
                Form::known(game).iter().map(|(name, _)| format!(".{name}")).collect();
            let known = known.join(", ");
            Failure::params(format!(
                "{shown}: the file name ending chooses the format; for {name} use one of {known}"
            ))
        })
    }

    /// The form of a name, if matches of the game can be written so.
    pub(crate) fn of_name(name: &str, game: &Game) -> Option<Form> {
        let known = Form::known(game);
        known.into_iter().find(|(known, _)| *known == name).map(|(_, form)| form)
    }

    /// The names of the forms that are text.
    pub(crate) fn text_names(game: &Game) -> Vec<&'static str> {
        let known = Form::known(game).into_iter();
        known.filter(|(_, form)| form.is_text()).map(|(name, _)| name).collect()
    }

    pub(crate) fn is_text(self) -> bool {
        self != Form::Senet
    }

    /// The forms that matches of a game can be written in, by name.
    fn known(game: &Game) -> Vec<(&'static str, Form)> {
        let mut known = vec![("json", Form::Json), ("senet", Form::Senet)];
        if pgn_notation(game).is_some() {
            known.push(("pgn", Form::Pgn));
        } else if is_mat_game(game) {
            known.push(("mat", Form::Mat));
        } else if is_sgf_game(game) {
            known.push(("sgf", Form::Sgf));
        }
        known
    }

    /// The form of saved matches that this is, if it is one.
    pub(crate) fn saved(self) -> Option<SaveForm> {
        match self {
            Form::Senet => Some(SaveForm::Compact),
            Form::Json => Some(SaveForm::Json),
            Form::Pgn | Form::Mat | Form::Sgf => None,
        }
    }

    /// A match in this form, with the names of those who play, in the order of play.
    pub(crate) fn write(self, played: &Match, names: &[String]) -> Vec<u8> {
        let text = match self {
            Form::Senet => return played.save(),
            Form::Pgn => write_pgn(played, names, None),
            Form::Mat => write_mat(played, names),
            Form::Sgf => write_sgf(played, names, None),
            Form::Json => None,
        };
        text.unwrap_or_else(|| played.to_json()).into_bytes()
    }
}
