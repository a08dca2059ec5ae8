//! The documentation is true: what the README and the book show is run, read and compared.
//!
//! - `console`: every line `$ command` runs in a folder of the page, and the lines below it are
//!   its output. A line that ends with `…` stands for any rest of the line, a line that is only
//!   `…` for any number of lines. Below `senet play`, a line such as `x> b2` is what a player types.
//!   After `<!-- needs: sql -->` it runs only in a build with that feature.
//! - `json`: it is JSON. After `<!-- file: NAME -->` it is that file of the folder; after
//!   `<!-- every: TYPE -->` it is a list that shows every word of a type.
//! - `senet`: after `<!-- file: NAME -->` it is that file of the folder; otherwise it is read, and
//!   compiled where it is a whole game.
//! - `sh`: `cargo run --release -- …` runs, and the rest is one of the commands known here.
//! - `rust`: the page is among the documentation tests of a crate.
//! - `sql`: after `<!-- file: NAME -->` it is that file of the folder, which a command asks.
//! - `text`: a picture.
//! - `js`: a script that a test of `crates/wasm` runs.
//!
//! `SENET_BLESS=1` writes what commands print into the pages, for review.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use senet::define::{
    Comparison, Derived, Domain, Effect, Fate, Landing, Listing, Number, Pattern, Seat, Set, Tile,
    Truth, Usage, Wanted, Way, Who,
};
use serde::de::DeserializeOwned;

const ELLIPSIS: &str = "…";

/// Commands that a reader runs and this test does not.
const KNOWN: [&str; 13] = [
    "git clone REPOSITORY senet && cd senet",
    "cargo test --workspace",
    "cargo install --path crates/cli",
    "cargo install --path crates/cli --features serve",
    "cargo install --path crates/cli --features sql",
    "senet play chess",
    "senet play chess --bot search --level 3",
    "senet serve",
    "mdbook build docs",
    "cargo xtask bench --peers",
    "pip install ./python",
    "cargo run --release --features serve -- serve",
    "python3 examples/server_bot.py http://127.0.0.1:7777 tic-tac-toe",
];

/// Pages whose commands only a build with the feature `sql` can run.
const WITH_SQL: [&str; 1] = ["docs/timeline.md"];

/// Where the documentation tests of pages are listed.
const DOCTESTS: &str = "crates/senet/src/lib.rs";

struct Page {
    /// The path from the root of the workspace.
    path: String,
    lines: Vec<String>,
}

/// A code block of a page.
struct Block {
    language: String,
    /// What the comment before it says: `file: NAME` or `every: TYPE`.
    note: String,
    /// The number of its first line, counted from 0.
    first: usize,
    lines: Vec<String>,
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

fn pages() -> Vec<Page> {
    let files = fs::read_dir(root().join("docs")).expect("there is a book");
    let names = files.map(|file| file.expect("it is readable").file_name());
    let names = names.map(|name| format!("docs/{}", name.to_string_lossy()));
    let mut paths: Vec<String> = names.filter(|path| path.ends_with(".md")).collect();
    paths.push("README.md".into());
    paths.sort();
    paths.into_iter().map(Page::read).collect()
}

impl Page {
    fn read(path: String) -> Page {
        let text = fs::read_to_string(root().join(&path)).expect("it is text");
        Page { path, lines: text.lines().map(str::to_owned).collect() }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut lines = self.lines.iter().enumerate();
        let mut note = String::new();
        while let Some((number, line)) = lines.next() {
            if let Some(language) = line.strip_prefix("```") {
                let inside = lines.by_ref().map(|(_, line)| line.clone());
                let lines = inside.take_while(|line| line != "```").collect();
                let (language, note) = (language.to_owned(), std::mem::take(&mut note));
                blocks.push(Block { language, note, first: number + 1, lines });
            } else if !line.is_empty() {
                let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
                note = comment.unwrap_or_default().to_owned();
            }
        }
        blocks
    }

    fn of(&self, language: &str) -> Vec<Block> {
        let mut blocks = self.blocks();
        blocks.retain(|block| block.language.split(',').next() == Some(language));
        blocks
    }

    fn place(&self, line: usize) -> String {
        format!("{}:{}", self.path, line + 1)
    }
}

impl Block {
    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// A folder in which the commands of a page run.
struct Folder(PathBuf);

impl Folder {
    fn new(page: &Page) -> Folder {
        let name = page.path.replace(['/', '.'], "-");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("it can be made");
        Folder(path)
    }

    /// What a command prints, on standard output and standard error alike.
    fn run(&self, command: &str, input: &str) -> Vec<String> {
        let binary = Path::new(env!("CARGO_BIN_EXE_senet")).parent().expect("it is in a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .env("PATH", format!("{}:{path}", binary.display()))
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut stdin = child.stdin.take().expect("it is piped");
        // A command that does not read may be gone before anything is written.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("it ends").stdout;
        let text = String::from_utf8(output).expect("it writes UTF-8");
        text.lines().map(str::to_owned).collect()
    }

    /// What a command prints; for play, with what is typed where it is typed.
    fn transcript(&self, command: &str, shown: &[String]) -> Vec<String> {
        let mut transcript = self.run(command, "");
        let mut printed = transcript.len();
        let mut input = String::new();
        for line in shown {
            let Some(text) = typed(command, line) else { continue };
            input.push_str(text);
            input.push('\n');
            let output = self.run(command, &input);
            transcript.push(line.clone());
            transcript.extend_from_slice(&output[printed.min(output.len())..]);
            printed = output.len();
        }
        transcript
    }
}

/// What a player types in a line below a command, if a player types it.
fn typed<'l>(command: &str, line: &'l str) -> Option<&'l str> {
    let plays = command.starts_with("senet play ") && !command.contains(['|', '<']);
    let (player, text) = line.split_once("> ")?;
    (plays && !player.contains(char::is_whitespace)).then_some(text)
}

/// The commands of a block, each with the lines below it.
fn commands(block: &Block) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((_, shown))) => shown.push(line.clone()),
            (None, None) => panic!("a console block begins with a command, found {line:?}"),
        }
    }
    commands
}

/// Whether the lines shown stand for the lines found.
fn fits(shown: &[String], found: &[String]) -> bool {
    let Some((line, rest)) = shown.split_first() else { return found.is_empty() };
    if line == ELLIPSIS {
        return (0..=found.len()).any(|skipped| fits(rest, &found[skipped..]));
    }
    let first = found.split_first();
    first.is_some_and(|(first, others)| stands_for(line, first) && fits(rest, others))
}

fn stands_for(shown: &str, found: &str) -> bool {
    match shown.strip_suffix(ELLIPSIS) {
        Some(beginning) => found.starts_with(beginning),
        None => shown == found,
    }
}

/// The lines found, with the rest left out where it was left out before.
fn blessed(shown: &[String], found: Vec<String>) -> Vec<String> {
    let elided = |line: &&String| line.ends_with(ELLIPSIS) && *line != ELLIPSIS;
    let known = |line: String| {
        let before = shown.iter().filter(elided).find(|shown| stands_for(shown, &line));
        before.cloned().unwrap_or(line)
    };
    found.into_iter().map(known).collect()
}

/// A page run: what is wrong, and the page as it should be.
fn run_page(page: &Page) -> (Vec<String>, Vec<String>) {
    let folder = Folder::new(page);
    let mut wrong = Vec::new();
    let mut lines = page.lines.clone();
    let mut moved = 0isize;
    for block in page.blocks() {
        if let Some(name) = block.note.strip_prefix("file: ") {
            fs::write(folder.0.join(name), block.text()).expect("it can be written");
        }
        let lacking = block.note == "needs: sql" && !cfg!(feature = "sql");
        if block.language != "console" || lacking {
            continue;
        }
        let mut right = Vec::new();
        for (command, shown) in commands(&block) {
            let found = folder.transcript(&command, &shown);
            right.push(format!("$ {command}"));
            if fits(&shown, &found) {
                right.extend(shown);
            } else {
                let (place, shown, printed) =
                    (page.place(block.first), shown.join("\n"), found.join("\n"));
                wrong.push(format!(
                    "{place}\n$ {command}\n--- shown\n{shown}\n--- found\n{printed}\n"
                ));
                right.extend(blessed(&block.lines, found));
            }
        }
        let (first, length) = (block.first.saturating_add_signed(moved), block.lines.len());
        moved += right.len() as isize - length as isize;
        lines.splice(first..first + length, right);
    }
    (wrong, lines)
}

#[test]
fn every_command_prints_what_is_shown() {
    let bless = std::env::var_os("SENET_BLESS").is_some_and(|bless| bless == "1");
    let mut wrong = Vec::new();
    for page in pages() {
        if WITH_SQL.contains(&page.path.as_str()) && !cfg!(feature = "sql") {
            continue;
        }
        let (found, mut lines) = run_page(&page);
        if bless && !found.is_empty() {
            lines.push(String::new());
            fs::write(root().join(&page.path), lines.join("\n")).expect("it can be written");
        }
        wrong.extend(found);
    }
    let hint = "SENET_BLESS=1 writes what was found into the pages; review what changed";
    assert!(wrong.is_empty() || bless, "{}\n{hint}", wrong.join("\n"));
}

#[test]
fn every_json_block_is_json() {
    for page in pages() {
        for block in page.of("json") {
            let text = block.text();
            let mut values = serde_json::Deserializer::from_str(&text).into_iter();
            let wrong = values.find_map(|value: Result<serde_json::Value, _>| value.err());
            assert!(wrong.is_none(), "{}: {wrong:?}", page.place(block.first));
        }
    }
}

#[test]
fn every_game_file_block_is_read() {
    for page in pages() {
        for block in page.of("senet").into_iter().filter(|block| !block.note.starts_with("wrong")) {
            let (place, text) = (page.place(block.first), block.text());
            if text.starts_with("game ") && !block.note.starts_with("file:") {
                let source = senet::lang::Source::new(place, text);
                let files = senet::Files::default();
                let game = senet::Game::from_source(&source, &files, Default::default());
                assert!(game.is_ok(), "{}", game.unwrap_err());
            } else {
                let found = senet::lang::parse(0, &text).diagnostics;
                let wrong = block.note.starts_with("file:") && !found.is_empty();
                assert!(found.is_empty() || wrong, "{place}: {found:?}");
            }
        }
    }
}

#[test]
fn every_word_of_the_vocabulary_is_shown() {
    let types: &[(&str, Check)] = &[
        ("Pattern", every::<Pattern>),
        ("Seat", every::<Seat>),
        ("Who", every::<Who>),
        ("Set", every::<Set>),
        ("Tile", every::<Tile>),
        ("Number", every::<Number>),
        ("Truth", every::<Truth>),
        ("Comparison", every::<Comparison>),
        ("Domain", every::<Domain>),
        ("Effect", every::<Effect>),
        ("Fate", every::<Fate>),
        ("Wanted", every::<Wanted>),
        ("Way", every::<Way>),
        ("Derived", every::<Derived>),
        ("Usage", every::<Usage>),
        ("Listing", every::<Listing>),
        ("Landing", every::<Landing>),
    ];
    let mut shown = BTreeSet::new();
    for page in pages() {
        for block in page.blocks() {
            let Some(name) = block.note.strip_prefix("every: ") else { continue };
            let place = page.place(block.first);
            let known = types.iter().find(|(known, _)| *known == name);
            let (name, check) = known.unwrap_or_else(|| panic!("{place}: no type {name}"));
            check(&block.text()).unwrap_or_else(|wrong| panic!("{place}: {wrong}"));
            shown.insert(*name);
        }
    }
    let all: BTreeSet<&str> = types.iter().map(|(name, _)| *name).collect();
    assert_eq!(shown, all);
}

type Check = fn(&str) -> Result<(), String>;

/// Whether a text is a list of a type that has each of its words.
fn every<T: DeserializeOwned>(text: &str) -> Result<(), String> {
    serde_json::from_str::<Vec<T>>(text).map_err(|error| error.to_string())?;
    let Err(words) = serde_json::from_str::<T>("\"?\"") else { return Ok(()) };
    let words = words.to_string();
    // The words stand between backticks: first the unknown one, then those that are known.
    let known = words.split('`').skip(3).step_by(2);
    let missing: Vec<&str> = known.filter(|word| !text.contains(&format!("\"{word}\""))).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("not shown: {}", missing.join(", "))) }
}

#[test]
fn every_shell_line_is_a_command_of_ours() {
    for page in pages() {
        let folder = Folder::new(&Page { path: format!("{}-sh", page.path), lines: Vec::new() });
        for block in page.of("sh") {
            let place = page.place(block.first);
            for line in block.lines.iter().filter(|line| !KNOWN.contains(&line.as_str())) {
                let arguments = line.strip_prefix("cargo run --release -- ");
                let arguments = arguments.unwrap_or_else(|| panic!("{place}: unknown {line:?}"));
                let printed = folder.run(&format!("senet {arguments} || echo failed"), "");
                assert!(!printed.contains(&"failed".to_owned()), "{place}: {printed:?}");
            }
        }
    }
}

#[test]
fn every_rust_block_is_a_doctest() {
    let listed = fs::read_to_string(root().join(DOCTESTS)).expect("it is text");
    for page in pages().iter().filter(|page| !page.of("rust").is_empty()) {
        let include = format!("include_str!(\"../../../{}\")", page.path);
        assert!(listed.contains(&include), "{}: no documentation test of {DOCTESTS}", page.path);
    }
}

#[test]
fn every_block_has_a_test_and_every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("it is text");
    for page in pages() {
        for block in page.blocks() {
            let language = block.language.split(',').next().unwrap_or_default();
            let known = match language {
                "sql" => block.note.starts_with("file: "),
                _ => ["console", "json", "sh", "rust", "senet", "text", "js", "python"]
                    .contains(&language),
            };
            assert!(known, "{}: nothing tests {language:?}", page.place(block.first));
        }
        let name = page.path.strip_prefix("docs/").filter(|name| *name != "SUMMARY.md");
        let linked = name.is_none_or(|name| summary.contains(&format!("({name})")));
        assert!(linked, "{} is not in docs/SUMMARY.md", page.path);
    }
}

#[test]
fn every_game_is_in_the_readme() {
    let readme = Page::read("README.md".into());
    for game in senet::games() {
        let summary = senet::load(game).unwrap().summary().expect("it is shipped");
        let (name, summary) = (format!("| `{game}` |"), format!("| {summary} |"));
        let row = readme.lines.iter().find(|line| line.starts_with(&name));
        assert!(row.is_some_and(|row| row.ends_with(&summary)), "no row {name} … {summary}");
    }
}

#[test]
fn every_command_is_in_the_table_of_commands() {
    let page = Page::read("docs/command.md".into());
    let folder = Folder::new(&Page { path: "commands".into(), lines: Vec::new() });
    let help = folder.run("senet --help", "");
    let commands = help.iter().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands.map_while(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        let starts = [format!("| `{name} "), format!("| `{name}` ")];
        let has_row = page.lines.iter().any(|line| starts.iter().any(|row| line.starts_with(row)));
        assert!(has_row, "docs/command.md has no row for `senet {name}`");
    }
}

#[test]
fn a_wrong_page_is_found_and_mended() {
    let page = |shown: [&str; 8]| Page {
        path: "wrong.md".into(),
        lines: shown.map(str::to_owned).to_vec(),
    };
    let (top, end) =
        (["```console", "$ echo one"], ["$ printf 'a b\\nc\\nd\\n'", "a …", "…", "```", ""]);
    let shown = |line| [top[0], top[1], line, end[0], end[1], end[2], end[3], end[4]];
    let (wrong, mended) = run_page(&page(shown("two")));
    assert_eq!(wrong.len(), 1);
    assert_eq!(mended, shown("one"));
    assert_eq!(run_page(&page(shown("one"))).0, [""; 0]);
}
