//! The games of a server: those that ship with it, and those that people uploaded. Each is compiled
//! once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use senet::lang::{Problems, Source, line_column};
use senet::render::{self, Cell, Sheet, Spot, Style};
use senet::{Files, Game, PlayerId};
use serde_json::{Value, json};

use crate::problem::Problem;

/// How many tiles an uploaded game may have.
const MOST_TILES: usize = 1_000;

/// How many uploaded games are kept in memory.
const MOST_KEPT: usize = 256;

/// The games of a server.
#[derive(Default)]
pub struct Catalog {
    shipped: Mutex<BTreeMap<String, Arc<Shown>>>,
    uploaded: Mutex<HashMap<String, Arc<Shown>>>,
}

/// A game, and what a page needs to draw it.
pub struct Shown {
    /// The game.
    pub game: Game,
    /// What a page needs, as JSON.
    pub json: String,
}

impl Catalog {
    /// A shipped game by its name.
    ///
    /// # Errors
    /// Where no game has this name.
    pub fn shipped(&self, name: &str) -> Result<Arc<Shown>, Problem> {
        let known = || senet::games().any(|known| known == name);
        if !known() {
            let near = senet::load(name).err().map(|unknown| unknown.to_string());
            let detail = near.unwrap_or_else(|| "there is no such game".to_owned());
            return Err(Problem::new(404, "unknown_game", detail));
        }
        let mut shipped = self.shipped.lock().expect("no holder panics");
        if let Some(shown) = shipped.get(name) {
            return Ok(shown.clone());
        }
        let game = senet::load(name).map_err(|error| Problem::invalid(error.to_string()))?;
        let shown = Arc::new(Shown::new(game));
        shipped.insert(name.to_owned(), shown.clone());
        Ok(shown)
    }

    /// An uploaded game that is in memory.
    pub fn kept(&self, definition: &str) -> Option<Arc<Shown>> {
        self.uploaded.lock().expect("no holder panics").get(definition).cloned()
    }

    /// Keeps an uploaded game in memory.
    pub fn keep(&self, game: Game) -> Arc<Shown> {
        let definition = definition(&game);
        let mut uploaded = self.uploaded.lock().expect("no holder panics");
        if let Some(shown) = uploaded.get(&definition) {
            return shown.clone();
        }
        if uploaded.len() >= MOST_KEPT {
            uploaded.clear();
        }
        let shown = Arc::new(Shown::new(game));
        uploaded.insert(definition, shown.clone());
        shown
    }
}

/// The hash of a game's definition as text.
pub fn definition(game: &Game) -> String {
    format!("{:032x}", game.definition_hash())
}

/// The game of an uploaded file, or everything that is wrong with it.
///
/// # Errors
/// Where the file is no game, or is larger than a server takes.
pub fn read(text: &str) -> Result<Game, Problem> {
    let source = Source::new("game.senet", text);
    let game = Game::from_source(&source, &Files::default(), BTreeMap::new())
        .map_err(|problems| unreadable(&problems))?;
    if game.tile_count() > MOST_TILES {
        let detail = format!(
            "the board has {} tiles; this server takes games of {MOST_TILES} at most",
            game.tile_count()
        );
        return Err(Problem::new(422, "too_large", detail));
    }
    Ok(game)
}

/// What is wrong with a file, each mistake with its place.
fn unreadable(problems: &Problems) -> Problem {
    let text = problems.sources.first().map_or("", |source| source.text.as_str());
    let listed = problems.diagnostics.iter().map(|one| {
        let ((line, column), (end_line, end_column)) =
            (line_column(text, one.span.start), line_column(text, one.span.end));
        json!({
            "code": one.code,
            "message": one.message,
            "help": one.help,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
        })
    });
    let listed: Vec<Value> = listed.collect();
    let detail = match &problems.diagnostics[..] {
        [only] => only.to_string(),
        all => format!("the file has {} mistakes", all.len()),
    };
    Problem::new(422, "invalid_game", detail).with("problems", listed)
}

impl Shown {
    fn new(game: Game) -> Shown {
        let json = described(&game).to_string();
        Shown { game, json }
    }

    /// A line about the game.
    pub fn listing(&self) -> Value {
        listing(&self.game)
    }
}

fn listing(game: &Game) -> Value {
    json!({
        "name": game.name(),
        "definition": definition(game),
        "summary": game.summary(),
        "players": game.players().map(|one| game.player_name(one)).collect::<Vec<_>>(),
        "tiles": game.tile_count(),
        "shipped": game.is_shipped(),
        "secrets": game.has_secrets(),
    })
}

/// Everything about a game that does not change in a match.
pub fn described(game: &Game) -> Value {
    let mut described = listing(game);
    let players: Vec<PlayerId> = game.players().collect();
    let pictures = players.iter().map(|owner| {
        let kinds = game.kinds();
        kinds.map(|kind| render::piece_svg(game, *owner, kind)).collect::<Vec<_>>()
    });
    let color = |player: &PlayerId| {
        let [red, green, blue] = render::color(game, *player);
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    let sides = players.iter().map(|player| {
        let labels = game.tiles().map(|tile| game.label(*player, tile)).collect::<Vec<_>>();
        let mut side = sheet(&render::sheet(game, *player));
        side["labels"] = json!(labels);
        side
    });
    described["kinds"] = json!(game.kinds().map(|kind| game.kind_name(kind)).collect::<Vec<_>>());
    described["pictures"] = json!(pictures.collect::<Vec<_>>());
    described["colors"] = json!(players.iter().map(color).collect::<Vec<_>>());
    described["sides"] = json!(sides.collect::<Vec<_>>());
    described["turns"] = json!(game.plays_by_turns());
    described
}

fn sheet(sheet: &Sheet) -> Value {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let spot = |spot: &Spot| {
        let cell = match spot.cell {
            Cell::Square => "square",
            Cell::Hexagon => "hexagon",
            Cell::Spot => "spot",
            Cell::Down => "down",
            Cell::Up => "up",
            Cell::Tray => "tray",
        };
        json!({
            "cell": cell,
            "x": round(spot.middle.0),
            "y": round(spot.middle.1),
            "w": round(spot.size.0),
            "h": round(spot.size.1),
            "px": round(spot.stand.0),
            "py": round(spot.stand.1),
            "size": round(spot.piece),
            "step": round(spot.step),
            "stacks": spot.stacks,
        })
    };
    let style = match sheet.style {
        Style::Grid => "grid",
        Style::Hex => "hex",
        Style::Ring => "ring",
        Style::Graph => "graph",
        Style::Points => "points",
    };
    let links = sheet.links.iter().map(|(from, to)| [from.index(), to.index()]);
    json!({
        "style": style,
        "svg": sheet.svg,
        "width": round(sheet.size.0),
        "height": round(sheet.size.1),
        "spots": sheet.spots.iter().map(spot).collect::<Vec<_>>(),
        "links": links.collect::<Vec<_>>(),
    })
}
