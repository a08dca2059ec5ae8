//! Reading a game file, with the games it is based on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use senet_core::{Definition, DefinitionErrors, Game, Options};

use crate::diagnostic::{Diagnostic, Severity};
use crate::parser::parse;
use crate::resolve::resolve;
use crate::sheet::{Fold, Sheet};
use crate::span::{Lines, Span};
use crate::syntax::{Item, ItemKind, Name, Test};

/// How many games may be based on one another.
const MAX_BASES: usize = 16;

/// A text and what it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The name of the file.
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl Source {
    /// A text and what it is called.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    /// A file as bytes; what is not UTF-8 is a mistake with its place.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Source, Problems> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source { name, text }),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let span = Span::new(0, at, (at + 1).min(text.len()));
                let message = "this byte is not UTF-8";
                let error = Diagnostic::error("not-utf-8", span, message);
                let diagnostics = vec![error.help("save the file as UTF-8")];
                Err(Problems { sources: vec![Source { name, text }], diagnostics })
            }
        }
    }
}

/// What a game is, in a sentence, as its file says; found without reading the rest.
pub fn summary(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("about"))?;
    line.split('"').nth(1)
}

/// Where games that others are based on are found.
pub trait Library {
    /// The source of a game.
    fn source(&self, name: &str) -> Option<Source>;
    /// The names of all games.
    fn names(&self) -> Vec<String>;
}

/// A library without games.
pub struct NoLibrary;

impl Library for NoLibrary {
    fn source(&self, _: &str) -> Option<Source> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Games by name, each with the text of its file.
pub struct Shelf<'a>(pub &'a [(&'a str, &'a str)]);

impl Library for Shelf<'_> {
    fn source(&self, name: &str) -> Option<Source> {
        let (name, text) = self.0.iter().find(|(known, _)| *known == name)?;
        Some(Source::new(format!("{name}.senet"), *text))
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| (*name).to_owned()).collect()
    }
}

impl Shelf<'_> {
    /// Reads a game of the shelf.
    ///
    /// # Panics
    ///
    /// Where there is no such game or its file is wrong: a shelf is part of a program and tested
    /// with it.
    pub fn game(&self, name: &str) -> GameFile {
        let source = self.source(name).unwrap_or_else(|| panic!("no game named {name}"));
        let reading = Reading { library: self, settings: BTreeMap::new() };
        read_with(&source, &reading).unwrap_or_else(|problems| panic!("{problems}"))
    }
}

/// What a game file says.
#[derive(Clone, Debug)]
pub struct GameFile {
    /// The rules.
    pub definition: Definition,
    /// What the game is, in a sentence.
    pub about: Option<String>,
    /// The games that it is based on, the nearest first.
    pub bases: Vec<String>,
    /// The options with their values.
    pub options: BTreeMap<String, i64>,
    /// The notation that the file names, and words about it.
    pub notation: Vec<String>,
    /// Tests.
    pub tests: Vec<Test>,
    /// Doubts.
    pub warnings: Vec<Diagnostic>,
    /// Where each part of the definition was written.
    pub places: Vec<(String, Span)>,
    /// The file, then those that it is based on.
    pub sources: Vec<Source>,
}

/// Why a source is no game: every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    /// The file, then those that it is based on.
    pub sources: Vec<Source>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.sources.iter().map(|source| Lines::of(&source.text));
        let lines: Vec<Lines<'_>> = lines.collect();
        for (index, one) in self.diagnostics.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            let file = usize::from(one.span.file);
            let name = self.sources.get(file).map_or("", |source| &source.name);
            let place = lines.get(file).map(|lines| lines.line_column(one.span.start));
            let (line, column) = place.unwrap_or((1, 1));
            write!(f, "{name}:{line}:{column}: {one}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// How a file is read.
pub struct Reading<'l> {
    /// Where games that it is based on are found.
    pub library: &'l dyn Library,
    /// Values of options.
    pub settings: BTreeMap<String, i64>,
}

/// Reads a game that is based on no other, with its options as they are.
pub fn read(source: &Source) -> Result<GameFile, Problems> {
    read_with(source, &Reading { library: &NoLibrary, settings: BTreeMap::new() })
}

/// Reads a game.
pub fn read_with(source: &Source, reading: &Reading<'_>) -> Result<GameFile, Problems> {
    let mut family = Family::of(source, reading.library);
    let sheet = family.sheet();
    let Family { sources, names: chain, diagnostics, .. } = family;
    if sheet.name.text.is_empty() && diagnostics.is_empty() {
        let error = Diagnostic::error("missing", Span::default(), "the file names no game");
        let diagnostics = vec![error.help("write `game NAME` in the first line")];
        return Err(Problems { sources, diagnostics });
    }
    let mut resolver = resolve(&sheet, &reading.settings);
    // What is missing may be in a statement that could not be read.
    let mut found = std::mem::take(&mut resolver.diagnostics);
    found.retain(|one| one.code != "missing" || diagnostics.is_empty());
    let mut all = diagnostics;
    all.append(&mut found);
    for name in reading.settings.keys() {
        if !sheet.options.iter().any(|(option, _)| option.text == *name) {
            let message = format!("the game has no option named `{name}`");
            let known = sheet.options.iter().map(|(option, _)| option.text.as_str());
            let near = senet_core::notation::nearest(name, known);
            all.push(Diagnostic::error("unknown-option", sheet.name.span, message).near(near));
        }
    }
    if all.iter().any(|one| one.severity == Severity::Error) {
        all.sort_by_key(|one| (one.span.file, one.span.start));
        return Err(Problems { sources, diagnostics: all });
    }
    all.extend(unused(&sheet, &resolver.used));
    if let Some(notation) = sheet.notation.first() {
        resolver.places.push(("notation".into(), notation.span));
    }
    let options = sheet.options.iter().map(|(name, _)| name.text.clone());
    let options = options.map(|name| (name.clone(), resolver.option(&name))).collect();
    Ok(GameFile {
        options,
        definition: resolver.definition,
        about: sheet.about.as_ref().map(|about| about.text.clone()),
        bases: chain.into_iter().skip(1).collect(),
        notation: sheet.notation.iter().map(|word| word.text.clone()).collect(),
        warnings: all,
        places: resolver.places,
        tests: sheet.tests,
        sources,
    })
}

/// Names of the file itself that nothing uses.
fn unused(sheet: &Sheet, used: &BTreeSet<String>) -> Vec<Diagnostic> {
    let repeated = sheet.variables.iter().filter_map(|variable| variable.repetitions.as_ref());
    let repeated: Vec<&str> = repeated.map(|name| name.text.as_str()).collect();
    let names = (sheet.lets.iter().map(|one| &one.name))
        .chain(sheet.regions.iter().map(|one| &one.name))
        .chain(sheet.flags.iter().map(|one| &one.name))
        .chain(sheet.marks.iter().map(|one| &one.0))
        .chain(sheet.variables.iter().map(|one| &one.name))
        .chain(sheet.options.iter().map(|one| &one.0));
    let idle = names.filter(|name| {
        let known = used.contains(&name.text) || repeated.contains(&name.text.as_str());
        name.span.file == 0 && !known
    });
    let warn = |name: &Name| {
        Diagnostic::warning("unused", name.span, format!("`{}` is never used", name.text))
    };
    let mut doubts: Vec<Diagnostic> = idle.map(warn).collect();
    doubts.dedup_by(|one, other| one.message == other.message);
    doubts
}

/// A file and those that it is based on, read but not yet understood.
pub(crate) struct Family {
    /// The texts, the file itself first.
    pub(crate) sources: Vec<Source>,
    /// The names of the games, in the same order.
    pub(crate) names: Vec<String>,
    /// The statements of each file.
    pub(crate) items: Vec<Vec<Item>>,
    /// What could not be read.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Family {
    pub(crate) fn of(source: &Source, library: &dyn Library) -> Family {
        let (sources, names, items) = (Vec::new(), Vec::new(), Vec::new());
        let mut family = Family { sources, names, items, diagnostics: Vec::new() };
        let mut next = Some(source.clone());
        while let Some(source) = next.take() {
            let base = family.add(source);
            next = base.and_then(|base| family.base(&base, library));
        }
        family
    }

    /// Adds a file; gives the game that it is based on.
    fn add(&mut self, source: Source) -> Option<Name> {
        let parsed = parse(self.sources.len() as u16, &source.text);
        let game = parsed.items.iter().find_map(|item| match &item.kind {
            ItemKind::Game { name, base } => Some((name.text.clone(), base.clone())),
            _ => None,
        });
        let (name, base) = game.unwrap_or_default();
        self.names.push(name);
        self.sources.push(source);
        self.items.push(parsed.items);
        self.diagnostics.extend(parsed.diagnostics);
        base
    }

    fn base(&mut self, base: &Name, library: &dyn Library) -> Option<Source> {
        if self.names.contains(&base.text) || self.names.len() >= MAX_BASES {
            let message =
                format!("`{}` is based on itself: {}", base.text, self.names.join(" is "));
            self.diagnostics.push(Diagnostic::error("cycle", base.span, message));
            return None;
        }
        let found = library.source(&base.text);
        if found.is_none() {
            let known = library.names();
            let near = senet_core::notation::nearest(&base.text, known.iter().map(String::as_str));
            let message = format!("there is no game named `{}`", base.text);
            self.diagnostics.push(Diagnostic::error("unknown-game", base.span, message).near(near));
        }
        found
    }

    /// Everything that the files say, those that others are based on first.
    pub(crate) fn sheet(&mut self) -> Sheet {
        let mut sheet = Sheet::default();
        for items in std::mem::take(&mut self.items).into_iter().rev() {
            Fold::new(&mut sheet, &mut self.diagnostics).all(items);
        }
        sheet
    }
}

impl GameFile {
    /// Compiles the rules. What the compiler finds wrong is told with its place in the file.
    pub fn compile(&self, options: Options) -> Result<Game, Problems> {
        self.definition.clone().compile(options).map_err(|errors| self.problems(&errors))
    }

    fn problems(&self, errors: &DefinitionErrors) -> Problems {
        let diagnostics = errors.0.iter().map(|error| {
            let message = format!("{}: {}", error.place, error.fault);
            Diagnostic::error("definition", self.place(&error.place), message)
        });
        Problems { diagnostics: diagnostics.collect(), sources: self.sources.clone() }
    }

    /// Where a part of the definition was written: the nearest place around it that is known.
    pub fn place(&self, place: &str) -> Span {
        let holds = |known: &str| {
            place.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let found = self.places.iter().filter(|(known, _)| holds(known));
        found.max_by_key(|(known, _)| known.len()).map_or(Span::default(), |(_, span)| *span)
    }
}
