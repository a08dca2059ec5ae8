//! What the targets that read text share.

use std::sync::LazyLock;

use senet::Game;
use senet_chance::Source;
use senet_testkit::mutate_text;

/// Every shipped game.
pub(super) static GAMES: LazyLock<Vec<Game>> =
    LazyLock::new(|| senet::games().filter_map(|name| senet::load(name).ok()).collect());

/// The game of a name.
pub(super) fn game(name: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.name() == name)
}

/// A case as text; bytes that are none are replaced.
pub(super) fn read(case: &[u8]) -> String {
    String::from_utf8_lossy(case).into_owned()
}

/// One of the corpus or of some seeds, with small changes.
pub(super) fn changed(source: &mut Source, corpus: &[Vec<u8>], seeds: &[String]) -> Vec<u8> {
    let pick = |source: &mut Source| {
        let at = source.below((seeds.len() + corpus.len()).max(1) as u64) as usize;
        match seeds.get(at) {
            Some(seed) => seed.clone(),
            None => corpus.get(at - seeds.len()).map_or(String::new(), |case| read(case)),
        }
    };
    let (one, other) = (pick(source), pick(source));
    match source.below(8) {
        0 => one.into_bytes(),
        1 => (0..source.below(60)).map(|_| source.below(256) as u8).collect(),
        _ => mutate_text(source, &one, &other).into_bytes(),
    }
}
