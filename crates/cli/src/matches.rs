//! `senet match`: saved matches and files of other programs, written for other programs.

use std::path::PathBuf;

use senet::{Game, Match};
use serde_json::json;

use crate::export::Form;
use crate::failure::Failure;
use crate::output::Output;
use crate::{file, picture, replay};

const EXAMPLES: &str = "\
Examples:
  senet match export match.json --to pgn
  senet match export match.senet --out game.pgn --player white=Carol --player black=Dave
  senet match export one.json two.json --out games.pgn
  senet match export money.senet --out money.mat
  senet match export game.sgf --out game.senet

A game of an SGF file is read like a saved match.";

/// Exports saved matches as PGN, .mat, SGF, JSON or in the compact form.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    Export(Export),
}

/// Writes saved matches in another format, each after all its steps were checked.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
struct Export {
    /// The saved matches; more than one only as PGN.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format: json, senet, and pgn for chess, mat for backgammon or sgf for go, gomoku, hex,
    /// othello and lines-of-action. The ending of --out chooses it by default.
    #[arg(long, value_name = "FORMAT", required_unless_present = "out")]
    to: Option<String>,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists.
    #[arg(long, requires = "out")]
    force: bool,
    /// The name of a player, such as white=Carol.
    #[arg(long, value_name = "PLAYER=NAME")]
    player: Vec<String>,
    /// The game, where the match is of a definition file.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let Action::Export(export) = &args.action;
    let open = |path: &PathBuf| replay::open(path, export.game.as_deref());
    let matches: Vec<Match> = export.files.iter().map(open).collect::<Result<_, _>>()?;
    let mut bytes = Vec::new();
    for (number, played) in matches.iter().enumerate() {
        let form = export.form(played.game())?;
        if matches.len() > 1 && form != Form::Pgn {
            let message = "only PGN has room for several matches: export one at a time";
            return Err(Failure::params(message));
        }
        if number > 0 {
            bytes.push(b'\n');
        }
        bytes.extend(form.write(played, &export.names(played.game())?));
    }
    let Some(path) = &export.out else {
        return export.print(&bytes, output);
    };
    if path.is_file() && !export.force {
        let message = format!("{} exists: use --force to replace it", path.display());
        return Err(Failure::params(message));
    }
    file::write(path, &bytes)?;
    picture::said(path, output)
}

impl Export {
    fn form(&self, game: &Game) -> Result<Form, Failure> {
        match (&self.to, &self.out) {
            (Some(name), _) => Form::of_name(name, game).ok_or_else(|| {
                let (name, game) = (senet::excerpt(name), game.name());
                Failure::params(format!("--to: matches of {game} are not written as `{name}`"))
            }),
            (None, Some(path)) => Form::of(path, game),
            (None, None) => Ok(Form::Json),
        }
    }

    /// The names of the players, in the order of play.
    fn names(&self, game: &Game) -> Result<Vec<String>, Failure> {
        let mut names: Vec<String> =
            game.players().map(|player| game.player_name(player).to_owned()).collect();
        for text in &self.player {
            let named = text.split_once('=').and_then(|(player, name)| {
                game.player(player).filter(|_| !name.is_empty()).map(|player| (player, name))
            });
            let Some((player, name)) = named else {
                let players = names.join(" or ");
                let found = senet::excerpt(text);
                let message = format!("--player: `{found}` is not PLAYER=NAME with {players}");
                return Err(Failure::params(message));
            };
            names[player.index()] = name.to_owned();
        }
        Ok(names)
    }

    /// Prints what is text.
    fn print(&self, bytes: &[u8], output: &mut Output) -> Result<(), Failure> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(Failure::params(
                "the compact format is not text: write it with --out FILE",
            ));
        };
        if output.is_json() {
            return Ok(output.json(&json!({ "form": self.to, "match": text }))?);
        }
        Ok(output.text(text)?)
    }
}
