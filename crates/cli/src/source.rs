//! Game files as the command reads them: where they lie, and what is wrong with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use senet::lang::{Diagnostic, GameFile, Library, Problems, Reading, Severity, Source};
use senet::lang::{Lines, read_with};
use senet::{Files, Game};
use serde_json::{Value, json};

use crate::failure::{Code, Failure};
use crate::file;

/// No game file is longer than this.
const LIMIT: u64 = senet::lang::MAX_BYTES as u64;

/// The folders of the environment variable `SENET_PATH`.
fn folders() -> Vec<PathBuf> {
    std::env::var_os("SENET_PATH").map_or(Vec::new(), |path| std::env::split_paths(&path).collect())
}

/// The games that a file may be based on: shipped, beside it, or in a folder of `SENET_PATH`.
pub(crate) fn files(beside: Option<&Path>) -> Files {
    let own = beside.and_then(Path::parent).map(Path::to_owned);
    Files::new(own.into_iter().chain(folders()))
}

/// Whether an argument is a game file, by how it ends.
pub(crate) fn is_file(name: &str) -> bool {
    name.ends_with(".senet")
}

/// The source that an argument names: a game file, a game of `SENET_PATH`, or a shipped game.
pub(crate) fn find(name: &str) -> Result<(Source, Files), Failure> {
    if is_file(name) {
        let path = Path::new(name);
        return Ok((load(path)?, files(Some(path))));
    }
    let files = files(None);
    match files.source(name) {
        Some(source) => Ok((source, files)),
        None => Err(senet::load(name).err().map_or_else(Failure::told, Failure::from)),
    }
}

/// Reads a file as text.
pub(crate) fn load(path: &Path) -> Result<Source, Failure> {
    let bytes = file::read(path, LIMIT)?;
    Source::from_bytes(path.display().to_string(), bytes).map_err(|problems| failure(&problems))
}

/// What a game file says.
pub(crate) fn read(
    source: &Source,
    files: &Files,
    settings: BTreeMap<String, i64>,
) -> Result<GameFile, Problems> {
    read_with(source, &Reading { library: files, settings })
}

/// The game that an argument names, with those of some settings that are options of the game. The
/// others are given back: they are variables.
pub(crate) fn open(name: &str, settings: &[String]) -> Result<(Game, Vec<String>), Failure> {
    let (source, files) = find(name)?;
    let plain = read(&source, &files, BTreeMap::new()).map_err(|problems| failure(&problems))?;
    let mut chosen = BTreeMap::new();
    let mut left = Vec::new();
    for text in settings {
        let (option, value) = text.split_once('=').unwrap_or((text, ""));
        if !plain.options.contains_key(option) {
            left.push(text.clone());
            continue;
        }
        let value = match value {
            "on" => 1,
            "off" => 0,
            value => value.parse().map_err(|_| {
                Failure::params(format!("set: expected {option}=number, found `{text}`"))
            })?,
        };
        chosen.insert(option.to_owned(), value);
    }
    if chosen.is_empty()
        && !is_file(name)
        && let Ok(game) = senet::load(name)
    {
        return Ok((game, left));
    }
    let game = Game::from_source(&source, &files, chosen).map_err(|problems| failure(&problems))?;
    Ok((game, left))
}

/// Mistakes as a failure.
pub(crate) fn failure(problems: &Problems) -> Failure {
    let details = json!({ "errors": answers(problems) });
    Failure::new(Code::InvalidDefinition, shown(problems), details)
}

/// Mistakes as data, each with its place.
pub(crate) fn answers(problems: &Problems) -> Vec<Value> {
    let lines = lines(problems);
    problems.diagnostics.iter().map(|one| answer(&problems.sources, &lines, one)).collect()
}

/// The lines of each source.
fn lines(problems: &Problems) -> Vec<Lines<'_>> {
    problems.sources.iter().map(|source| Lines::of(&source.text)).collect()
}

/// One mistake as data.
fn answer(sources: &[Source], lines: &[Lines<'_>], one: &Diagnostic) -> Value {
    let file = usize::from(one.span.file);
    let (source, lines) = (sources.get(file), lines.get(file));
    let place = |byte| lines.map_or((1, 1), |lines| lines.line_column(byte));
    let ((line, column), (end_line, end_column)) = (place(one.span.start), place(one.span.end));
    json!({
        "file": source.map(|source| &source.name),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "severity": one.severity,
        "code": one.code,
        "message": one.message,
        "help": one.help,
        "replacement": one.replacement,
    })
}

/// Mistakes for people: each with its line, underlined.
pub(crate) fn shown(problems: &Problems) -> String {
    let lines = lines(problems);
    let each = problems.diagnostics.iter().map(|one| snippet(&problems.sources, &lines, one));
    each.collect::<Vec<_>>().join("\n")
}

/// One mistake with its line, underlined.
fn snippet(sources: &[Source], lines: &[Lines<'_>], one: &Diagnostic) -> String {
    use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
    let nothing = Source::default();
    let source = sources.get(usize::from(one.span.file)).unwrap_or(&nothing);
    let level = match one.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let (start, end) = bounds(&source.text, one.span.range());
    // Only the lines around the mistake are looked at, so that many mistakes of a long file stay
    // quick.
    let from = source.text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = source.text[end..].find('\n').map_or(source.text.len(), |at| end + at);
    let lines = lines.get(usize::from(one.span.file));
    let (line, _) = lines.map_or((1, 1), |lines| lines.line_column(start as u32));
    let shown = crate::output::printable(&source.text[from..to]).into_owned();
    let (start, end) = bounds(&shown, start - from..end - from);
    let snippet = Snippet::source(shown.as_str())
        .line_start(line)
        .path(source.name.as_str())
        .annotation(AnnotationKind::Primary.span(start..end.max(start)));
    let title = level.primary_title(one.message.as_str()).id(one.code);
    let mut group = Group::with_title(title).element(snippet);
    if let Some(help) = &one.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group])
}

/// A range of bytes that begins and ends with whole characters of a text.
fn bounds(text: &str, range: std::ops::Range<usize>) -> (usize, usize) {
    let whole = |at: usize| {
        let at = at.min(text.len());
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    };
    let (start, end) = (whole(range.start), whole(range.end));
    (start, end.max(start))
}
