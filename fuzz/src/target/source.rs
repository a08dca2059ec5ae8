//! Game files: each is a game, or every mistake in it has a place in the file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use senet::lang::{Library, Problems, Reading, Source as Text, format, read_with};
use senet::{Files, Game};
use senet_chance::Source;

use super::text::changed;
use super::{Target, shorter};

pub(super) const GAME: Target = Target {
    name: "game",
    law: "a game file is a game that can be played and stays the same when it is formatted, or each of \
          its mistakes has a place",
    fresh,
    check,
    smaller: shorter,
};

static FILES: LazyLock<Files> = LazyLock::new(Files::default);

/// Files of shipped games, with small changes.
fn fresh(source: &mut Source, corpus: &[Vec<u8>]) -> Vec<u8> {
    let names = FILES.names();
    let mut seeds = Vec::new();
    for _ in 0..2 {
        let name = &names[source.below(names.len() as u64) as usize];
        seeds.extend(FILES.source(name).map(|text| text.text));
    }
    changed(source, corpus, &seeds)
}

fn check(case: &[u8]) {
    let text = match Text::from_bytes("case.senet", case.to_vec()) {
        Ok(text) => text,
        Err(problems) => return check_problems(&problems),
    };
    let reading = Reading { library: &*FILES, settings: BTreeMap::new() };
    let read = read_with(&text, &reading).map_err(|problems| check_problems(&problems));
    if let Ok(neat) = format(&text.text) {
        assert_eq!(format(&neat).as_deref(), Ok(neat.as_str()), "written neatly again, it stays");
        let again = read_with(&Text::new("case.senet", &neat), &reading);
        let game = read.as_ref().ok().map(|file| &file.definition);
        assert_eq!(again.as_ref().ok().map(|file| &file.definition), game, "it is the same game");
    }
    match Game::from_source(&text, &FILES, BTreeMap::new()) {
        Ok(game) => {
            assert!(read.is_ok(), "what cannot be read is no game");
            let start = game.start();
            assert_eq!(start.legal_count(), start.legal().len() as u64);
        }
        Err(problems) => check_problems(&problems),
    }
}

fn check_problems(problems: &Problems) {
    assert!(!problems.diagnostics.is_empty(), "refused without a mistake");
    for one in &problems.diagnostics {
        let source = problems.sources.get(usize::from(one.span.file));
        let end = source.map_or(0, |source| source.text.len());
        assert!(one.span.start <= one.span.end && one.span.end as usize <= end, "{one:?}");
        assert!(!one.message.is_empty() && !one.code.is_empty(), "{one:?}");
    }
    assert!(!problems.to_string().is_empty());
}
