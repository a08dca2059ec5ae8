//! A page that plays one game without a server: the board, the rules of the game as a WebAssembly
//! module, and a simple opponent. Its scripts are plain ones, so that it also opens from a disk.

use senet::{Game, Unsupported};
use serde_json::{Value, json};

use crate::catalog;

/// The scripts of the page, in the order in which they need each other.
const SCRIPTS: [&str; 6] = [
    include_str!("../../../web/page.js"),
    include_str!("../../../web/look.js"),
    include_str!("../../../web/picture.js"),
    include_str!("../../../web/board.js"),
    include_str!("../../../web/rules.js"),
    include_str!("../../../web/offline.js"),
];

/// The files of the page, by name.
///
/// # Errors
/// Where a rule of the game has no WebAssembly form.
pub fn files(game: &Game) -> Result<Vec<(&'static str, Vec<u8>)>, Unsupported> {
    let told = json!({
        "game": catalog::described(game),
        "layout": layout(game),
        "module": base64(&game.to_wasm()?),
    });
    let page = include_bytes!("../../../web/offline.html").to_vec();
    Ok(vec![
        ("index.html", page),
        ("senet.css", include_bytes!("../../../web/senet.css").to_vec()),
        ("icon.svg", include_bytes!("../../../web/icon.svg").to_vec()),
        ("senet.js", script().into_bytes()),
        ("game.js", format!("globalThis.SENET = {told};\n").into_bytes()),
    ])
}

/// All scripts as one. Browsers load no modules from a disk, so what they say about modules is left
/// out.
fn script() -> String {
    let lines = SCRIPTS.iter().flat_map(|script| script.lines());
    let kept = lines.filter(|line| !line.starts_with("import ") && *line != "// @ts-check");
    let plain = kept.map(|line| line.strip_prefix("export ").unwrap_or(line));
    let body: String = plain.flat_map(|line| [line, "\n"]).collect();
    format!("\"use strict\";\n{{\n{body}}}\n")
}

/// A number of a state: its word, the bits below it, and its own.
macro_rules! field {
    ($place:expr) => {{
        let place = $place;
        json!([place.word(), place.shift(), place.bits()])
    }};
}

/// Where each fact lies in the words of a state.
fn layout(game: &Game) -> Value {
    let rules = game.rules();
    let program = rules.program();
    let (players, kinds) = (program.players(), program.kinds());
    let sorts = || (0..players).flat_map(|owner| (0..kinds).map(move |kind| (owner, kind)));
    let tiles = game.tile_count();
    let counts = (0..tiles).flat_map(|tile| {
        sorts().filter_map(move |(owner, kind)| {
            let place = program.count_field(tile, owner, kind)?;
            Some(json!({ "tile": tile, "owner": owner, "kind": kind, "field": field!(place) }))
        })
    });
    let hands = sorts().filter_map(|(owner, kind)| {
        let place = program.hand_field(owner, kind)?;
        Some(json!({ "owner": owner, "kind": kind, "field": field!(place) }))
    });
    let marks = game.marks().map(
        |mark| json!({ "name": game.mark_name(mark), "word": program.mark_plane(mark.index()) }),
    );
    json!({
        "words": program.tree_words(),
        "width": tiles.div_ceil(64),
        "tiles": tiles,
        "owners": (0..players).map(|owner| program.owner_plane(owner)).collect::<Vec<_>>(),
        "kinds": (0..kinds).map(|kind| program.kind_plane(kind)).collect::<Vec<_>>(),
        "marks": marks.collect::<Vec<_>>(),
        "counts": counts.collect::<Vec<_>>(),
        "hands": hands.collect::<Vec<_>>(),
        "turn": field!(program.turn_field()),
        "dice": program.dice().into_iter().map(|(place, _)| field!(place)).collect::<Vec<_>>(),
        "outcomes": outcomes(game),
        "actions": game.actions().map(|action| game.action_name(action)).collect::<Vec<_>>(),
        "endings": endings(game),
        "repetitions": repetitions(game),
    })
}

/// The variable that counts how often a position has come up, and the one that says how far back to
/// look; nothing where the game has none.
fn repetitions(game: &Game) -> Value {
    let written = &game.definition().variables;
    let shapes = game.rules().program().variables();
    let told = |at: usize| {
        let shape = shapes.get(at)?;
        let fields: Vec<Value> = shape.fields.iter().map(|place| field!(*place)).collect();
        Some(json!({ "min": shape.min, "max": shape.max, "fields": fields }))
    };
    let counting = written.iter().position(|one| one.repetitions_within.is_some());
    let found = counting.and_then(|at| {
        let name = written[at].repetitions_within.as_ref()?;
        let within = written.iter().position(|one| one.name == *name)?;
        Some(json!({ "times": told(at)?, "within": told(within)? }))
    });
    found.unwrap_or(Value::Null)
}

/// What chance may give, with its weight.
fn outcomes(game: &Game) -> Vec<Value> {
    let outcomes = game.rules().program().outcomes();
    let told = outcomes.iter().map(|outcome| {
        let shown: Vec<String> = outcome.dice.iter().map(|(_, pips)| pips.to_string()).collect();
        json!({ "shown": shown.join("-"), "dice": outcome.dice, "weight": outcome.weight })
    });
    told.collect()
}

/// How the game may end, and who wins then, by the player about whom it was asked.
fn endings(game: &Game) -> Vec<Value> {
    use senet::define::Seat;
    let count = game.players().count();
    let winner = |seat: &Seat, player: usize| match seat {
        Seat::Mover => Some(player),
        Seat::Next => Some((player + 1) % count),
        Seat::Previous => Some((player + count - 1) % count),
        Seat::Player(name) => game.player(name).map(senet::PlayerId::index),
    };
    let told = game.definition().endings.iter().map(|ending| {
        let wins = |player| ending.winner.as_ref().and_then(|seat| winner(seat, player));
        json!({ "name": ending.name, "winners": (0..count).map(wins).collect::<Vec<_>>() })
    });
    told.collect()
}

/// Bytes in the letters that `atob` reads.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        let word = word << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let letter = char::from(LETTERS[(word >> (18 - 6 * at)) as usize & 63]);
            text.push(if at <= chunk.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_others_write_them() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn the_script_is_no_module() {
        let text = script();
        let modular = |line: &str| line.starts_with("import ") || line.starts_with("export ");
        assert!(!text.lines().any(modular));
        assert!(text.contains("customElements.define"));
    }
}
