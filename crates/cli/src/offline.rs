//! `senet export`: a game as a page that needs no server.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::context::Subject;
use crate::failure::Failure;
use crate::file;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet export chess --web chess-page
  senet export my-game.senet --web my-game-page

Open index.html of the folder in a browser, from the disk or from any web server. The page has the
board, the rules as a WebAssembly module and a simple opponent; it loads nothing from elsewhere.";

/// Writes a game as a page that is played in a browser without a server.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The folder to write; it is made where there is none.
    #[arg(long, value_name = "FOLDER")]
    web: PathBuf,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let game = context.game();
    if args.subject.position.is_some() {
        return Err(Failure::params(
            "a page begins at the start of the game: leave --position out",
        ));
    }
    let files = senet_server::offline::files(game)
        .map_err(|error| Failure::params(format!("{} cannot be exported: {error}", game.name())))?;
    fs::create_dir_all(&args.web).map_err(|error| file::trouble("make", &args.web, &error))?;
    let mut bytes = 0;
    for (name, content) in &files {
        file::write(&args.web.join(name), content)?;
        bytes += content.len();
    }
    let page = args.web.join("index.html").display().to_string();
    match output.is_json() {
        true => Ok(output.json(&json!({ "page": page, "files": files.len(), "bytes": bytes }))?),
        false => Ok(output.line(format!("{bytes} bytes in {} files: open {page}", files.len()))?),
    }
}
