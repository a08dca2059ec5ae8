//! Backgammon compared with gnubg: legal moves, position IDs and match IDs.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use senet_chance::Source;
use senet_core::{Game, State};
use senet_registry::backgammon::position::{Position, Side};
use senet_registry::backgammon::{NOTATION, game, gnubg, on_roll};
use serde_json::{Value, json};

use super::Args;
use crate::python;
use crate::report::{Report, Row};

/// What is compared.
const QUANTITIES: [&str; 4] = ["legal moves", "position ids", "match ids", "boards read"];

/// How many differences are shown.
const SHOWN: usize = 10;

/// A position with its question and our own answer to it.
struct Case {
    text: String,
    question: Value,
    answers: [Value; 4],
}

/// Compares and prints a table of what was compared; every difference goes to stderr.
pub(super) fn run(args: &Args, root: &Path) -> ExitCode {
    let cases = cases(args.positions.unwrap_or(1_000), args.seed);
    let theirs = match program().and_then(|program| ask(&program, &cases)) {
        Ok(theirs) => theirs,
        Err(error) => {
            eprintln!("oracle: gnubg: {error}");
            return ExitCode::from(3);
        }
    };
    let mut differences = Vec::new();
    let mut results = 0;
    for (case, theirs) in cases.iter().zip(&theirs) {
        results += case.answers[0].as_array().map_or(0, Vec::len);
        for ((quantity, ours), theirs) in QUANTITIES.iter().zip(&case.answers).zip(theirs) {
            if ours != theirs {
                differences.push((*quantity, case, ours, theirs));
            }
        }
    }
    let mut report = Report::default();
    for quantity in QUANTITIES {
        let differ = differences.iter().filter(|difference| difference.0 == quantity).count();
        let row = Row::default().text("quantity", quantity);
        let row = row.number("positions", cases.len() as f64, 0);
        report.push(row.number("differences", differ as f64, 0));
    }
    if differences.is_empty() && !args.write(root, &report) {
        return ExitCode::FAILURE;
    }
    let told = json!({
        "positions": cases.len(),
        "results": results,
        "differences": differences.iter().map(|(quantity, case, ours, theirs)| {
            json!({ "quantity": quantity, "position": case.text, "senet": ours, "gnubg": theirs })
        }).collect::<Vec<Value>>(),
    });
    let text = if args.json {
        format!("{told}\n")
    } else {
        format!("{}{results} distinct results of legal moves in all\n", report.table())
    };
    let _ = io::stdout().lock().write_all(text.as_bytes());
    for (quantity, case, ours, theirs) in differences.iter().take(SHOWN) {
        eprintln!("oracle: {quantity}: {}\n    senet  {ours}\n    gnubg  {theirs}", case.text);
    }
    if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The program, installed where it is missing.
fn program() -> Result<String, String> {
    let places = ["gnubg", "/usr/games/gnubg"];
    let runs = |place: &&&str| {
        let quiet = || Stdio::null();
        let mut command = Command::new(**place);
        let status = command.arg("--version").stdout(quiet()).stderr(quiet()).status();
        status.is_ok_and(|status| status.success())
    };
    if let Some(place) = places.iter().find(runs) {
        return Ok((*place).to_owned());
    }
    python::run(Command::new("apt-get").args(["install", "-y", "gnubg"]))?;
    let found = places.iter().find(runs).map(|place| (*place).to_owned());
    found.ok_or_else(|| "the package gnubg has no program".to_owned())
}

/// Asks gnubg about every position: what it answers, in the order of [`QUANTITIES`].
fn ask(program: &str, cases: &[Case]) -> Result<Vec<[Value; 4]>, String> {
    let folder = python::target()?.join("gnubg");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let [script, questions, answers] =
        ["script.py", "questions.jsonl", "answers.jsonl"].map(|name| folder.join(name));
    let lines: String = cases.iter().map(|case| format!("{}\n", case.question)).collect();
    let write = |path: &Path, text: &str| fs::write(path, text).map_err(|error| error.to_string());
    write(&script, include_str!("backgammon.py"))?;
    write(&questions, &lines)?;
    write(&answers, "")?;
    let mut command = Command::new(program);
    command.args(["-t", "-q", "-p"]).arg(&script).env("HOME", &folder);
    python::run(command.env("SENET_QUESTIONS", &questions).env("SENET_ANSWERS", &answers))?;
    let file = fs::File::open(&answers).map_err(|error| error.to_string())?;
    let read = |line: io::Result<String>| {
        let value: Value = line.ok().and_then(|line| serde_json::from_str(&line).ok())?;
        let moves = value["moves"].as_array()?.iter();
        let moves = moves.filter_map(|one| serde_json::from_str(one.as_str()?).ok());
        let read = json!([value["board"], value["dice"]]);
        let (id, key) = (value["id"].clone(), value["match"].clone());
        Some([sorted(moves.collect()), id, key, read])
    };
    let all: Option<Vec<[Value; 4]>> = BufReader::new(file).lines().map(read).collect();
    let all = all.filter(|all| all.len() == cases.len());
    all.ok_or_else(|| format!("not every answer is in {}", answers.display()))
}

/// A list in an order that does not depend on who made it.
fn sorted(values: Vec<Value>) -> Value {
    let texts: BTreeSet<String> = values.iter().map(Value::to_string).collect();
    texts.into_iter().map(Value::String).collect()
}

/// Positions of random games, each once, every one with dice to play. Half of them are of a match
/// at some score with the cube somewhere.
fn cases(wanted: u64, seed: u64) -> Vec<Case> {
    let game = game();
    let mut source = Source::seeded(seed);
    let mut seen = BTreeSet::new();
    let mut cases = Vec::new();
    while (cases.len() as u64) < wanted {
        let mut state = on_roll(&game);
        while game.outcome(&state).is_none() && (cases.len() as u64) < wanted {
            let rolled = source.draw(&game, &state);
            let event = rolled.or_else(|| source.pick(&game.legal(&state)));
            let Some(step) = event.and_then(|event| game.apply(&state, event).ok()) else { break };
            state = step.state;
            let fresh = rolled.is_some() && source.below(6) == 0;
            if fresh && seen.insert(state.hash128()) {
                cases.push(case(&game, &state, &mut source));
            }
        }
    }
    cases
}

fn case(game: &Game, state: &State, source: &mut Source) -> Case {
    let mut position = NOTATION.position(game, state);
    if source.below(2) == 0 {
        agree(&mut position, source);
    }
    let state = NOTATION.state(game, &position).expect("only cube and score differ");
    let mover = position.turn;
    let board = |position: &Position| {
        let counts = |side: Side| {
            let half = position.half(side);
            half.points.iter().copied().chain([half.bar]).collect::<Vec<u8>>()
        };
        json!([counts(mover.other()), counts(mover)])
    };
    let turns = game.turns(&state).expect("a turn uses at most four dice");
    let played = turns.iter().filter(|turn| !turn.events.is_empty());
    let results = played.map(|turn| board(&NOTATION.position(game, &turn.state)));
    let (id, key) = (gnubg::position_id(&position), gnubg::match_id(&position));
    let answers = [
        sorted(results.collect()),
        json!(id),
        json!(key),
        json!([board(&position), position.dice]),
    ];
    let question = json!({ "board": board(&position), "id": format!("{id}:{key}") });
    Case { text: senet_registry::backgammon::xgid::format(&position), question, answers }
}

/// Gives a position a score and a cube.
fn agree(position: &mut Position, source: &mut Source) {
    position.length = [3, 5, 7, 25][source.below(4) as usize];
    position.score = [(); 2].map(|()| source.below(position.length.into()) as u16);
    let near = position.score.iter().filter(|&&score| score + 1 == position.length).count();
    position.crawford = near == 1 && source.below(2) == 0;
    if !position.crawford {
        position.cube.doublings = source.below(4) as u8;
    }
    position.cube.owner = match position.cube.doublings {
        0 => None,
        _ => Some(Side::BOTH[source.below(2) as usize]),
    };
}
