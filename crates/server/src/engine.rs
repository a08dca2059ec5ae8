//! Chess engines of others as opponents: programs that speak UCI, one process for each move.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use senet::notation::pgn_notation;
use senet::{Game, Match};

/// How the names of engines begin where opponents are named.
const PREFIX: &str = "uci:";

/// How long an engine thinks about a move, in milliseconds.
const THINKING: u64 = 500;

/// How long an engine may take altogether.
const PATIENCE: Duration = Duration::from_secs(10);

/// An engine that the operator of a server offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// What players call it.
    pub name: String,
    /// The program.
    pub program: PathBuf,
}

impl Engine {
    /// The name of the engine among opponents.
    pub fn bot(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }
}

/// Whether an opponent is an engine at all.
pub fn is_engine(bot: &str) -> bool {
    bot.starts_with(PREFIX)
}

/// The engine that is meant by the name of an opponent.
pub fn find<'e>(engines: &'e [Engine], bot: &str) -> Option<&'e Engine> {
    let name = bot.strip_prefix(PREFIX)?;
    engines.iter().find(|engine| engine.name == name)
}

/// Whether engines can play a game: chess with the moves of chess.
pub fn plays(game: &Game) -> bool {
    game.name() == "chess" && pgn_notation(game).is_some()
}

/// What an engine plays where a match is now; none where it gives no move in time.
pub fn choose(engine: &Engine, played: &Match) -> Option<String> {
    let mut child = Command::new(&engine.program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| crate::note::error("engine", &format!("{}: {error}", engine.name)))
        .ok()?;
    let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
    let (sender, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut found = BufReader::new(output).lines().map_while(Result::ok);
        let best = found.find_map(|line| line.strip_prefix("bestmove ").map(str::to_owned));
        // Who waited too long is gone.
        let _ = sender.send(best);
    });
    let position = played.position();
    let asked = format!("uci\nisready\nposition fen {position}\ngo movetime {THINKING}\n");
    let sent = input.write_all(asked.as_bytes()).and_then(|()| input.flush());
    let best = sent.ok().and_then(|()| lines.recv_timeout(PATIENCE).ok().flatten());
    let _ = input.write_all(b"quit\n");
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    let best = best?;
    let written = best.split_whitespace().next()?;
    let event = position.parse_event(written).ok().filter(|event| position.accepts(*event))?;
    Some(position.plain().format(event))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program that answers every question with one line.
    fn saying(name: &str, line: &str) -> Engine {
        let program = std::env::temp_dir().join(format!("senet-{name}-{}", std::process::id()));
        let script = format!(
            "#!/bin/sh\nwhile read -r word rest; do\n\
             if [ \"$word\" = go ]; then echo '{line}'; fi\ndone\n"
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Engine { name: name.to_owned(), program }
    }

    #[test]
    fn an_engine_plays_a_legal_move_or_none() {
        let played = Match::new(&senet::load("chess").unwrap());
        let cases = [
            ("fair", "bestmove e2e4 ponder e7e5", Some("e2/e4")),
            ("illegal", "bestmove e2e5", None),
            ("silly", "bestmove (none)", None),
        ];
        for (name, line, move_) in cases {
            let engine = saying(name, line);
            assert_eq!(choose(&engine, &played).as_deref(), move_, "{line}");
            let _ = std::fs::remove_file(engine.program);
        }
        let absent = Engine { name: "absent".into(), program: "/nowhere/engine".into() };
        assert_eq!(choose(&absent, &played), None);
    }
}
