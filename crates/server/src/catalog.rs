//! The games of a server: those that ship with it, and those that people uploaded. Each is compiled
//! once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use senet::define::Definition;
use senet::lang::{Problems, Reading, Source, line_column, read_with};
use senet::render::{self, Cell, Sheet, Spot, Style};
use senet::{Event, Files, Game, PlayerId, notation};
use serde_json::{Value, json};
use tokio::runtime::RuntimeFlavor;
use tokio::sync::Semaphore;

use crate::problem::Problem;
use crate::view::Phrases;

/// How many tiles, rules and endings, and pieces an uploaded game may have.
const MOST_TILES: usize = 1_000;
const MOST_RULES: usize = 500;
const MOST_PIECES: usize = 4_000;

/// What an uploaded game may [weigh](weight), and all that are kept in memory. A game takes about ten
/// bytes for each unit at most.
const MOST_WEIGHT: usize = 6_000_000;
const MOST_KEPT_WEIGHT: usize = 4 * MOST_WEIGHT;

/// What all weigh that are in memory, also because somebody plays them.
const MOST_LIVE_WEIGHT: usize = 8 * MOST_WEIGHT;

/// How long the moves of an uploaded game may take to list, how many events are tried, and how long
/// all of that may take.
const LISTING: Duration = Duration::from_millis(500);
const MOST_TRIED: usize = 60;
const TRYING: Duration = Duration::from_secs(2);

/// How long an uploaded game may take to compile.
const COMPILING: Duration = Duration::from_secs(10);

/// How many uploaded games are kept in memory.
const MOST_KEPT: usize = 256;

/// The games of a server.
pub struct Catalog {
    /// Who may compile: one at a time, so that uploads leave a processor to those who play.
    compiler: Arc<Semaphore>,
    shipped: Mutex<BTreeMap<String, Arc<Shown>>>,
    uploaded: Mutex<Uploaded>,
}

/// Uploaded games that are in memory, with what each weighs.
#[derive(Default)]
struct Uploaded {
    /// All of them.
    known: HashMap<String, (Weak<Shown>, usize)>,
    /// Those that stay in case somebody asks for them again.
    kept: Vec<(Arc<Shown>, usize)>,
}

impl Uploaded {
    fn get(&self, definition: &str) -> Option<Arc<Shown>> {
        self.known.get(definition)?.0.upgrade()
    }
}

/// A game, and what a page needs to draw it.
pub struct Shown {
    /// The game.
    pub game: Game,
    /// What a page needs, as JSON.
    pub json: String,
    /// The texts of its events that never change.
    pub phrases: Phrases,
    /// The file of an uploaded game.
    pub source: Option<Arc<str>>,
}

impl Default for Catalog {
    fn default() -> Catalog {
        let (shipped, uploaded) = (Mutex::default(), Mutex::default());
        Catalog { compiler: Arc::new(Semaphore::new(1)), shipped, uploaded }
    }
}

impl Catalog {
    /// The game of a file that is uploaded, or everything that is wrong with it.
    ///
    /// # Errors
    /// Where the file is no game, is larger than a server takes, or takes too long to compile or to
    /// play.
    pub async fn check(&self, source: Arc<str>) -> Result<Game, Problem> {
        self.read_with(source, |text| {
            let game = read(text)?;
            check_pace(&game, LISTING)?;
            Ok(game)
        })
        .await
    }

    /// The game of a file that was checked before.
    ///
    /// # Errors
    /// Where the file takes too long to compile.
    pub async fn compile(&self, source: Arc<str>) -> Result<Game, Problem> {
        self.read_with(source, read).await
    }

    async fn read_with(
        &self,
        source: Arc<str>,
        read: fn(&str) -> Result<Game, Problem>,
    ) -> Result<Game, Problem> {
        let slow = |_| Problem::new(422, "too_slow", "the game takes too long to compile");
        let compiled = async {
            let permit = self.compiler.clone().acquire_owned().await;
            let done = tokio::task::spawn_blocking(move || {
                let game = read(&source);
                // Also a game that nobody waits for any more keeps others waiting.
                drop(permit);
                game
            });
            // The compiler has no known input on which it panics; if one is found, the server goes on.
            done.await.unwrap_or_else(|_| {
                Err(Problem::new(422, "invalid_game", "the file cannot be compiled on this server"))
            })
        };
        tokio::time::timeout(COMPILING, compiled).await.map_err(slow)?
    }

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
        self.uploaded.lock().expect("no holder panics").get(definition)
    }

    /// Keeps an uploaded game in memory.
    ///
    /// # Errors
    /// Where the games that are played already take all the memory there is for such games.
    pub fn keep(&self, game: Game, source: Arc<str>) -> Result<Arc<Shown>, Problem> {
        let definition = definition(&game);
        let mut uploaded = self.uploaded.lock().expect("no holder panics");
        if let Some(shown) = uploaded.get(&definition) {
            return Ok(shown);
        }
        let weight = weight(game.definition());
        let kept: usize = uploaded.kept.iter().map(|(_, weight)| weight).sum();
        if uploaded.kept.len() >= MOST_KEPT || kept + weight > MOST_KEPT_WEIGHT {
            uploaded.kept.clear();
        }
        uploaded.known.retain(|_, (shown, _)| shown.strong_count() > 0);
        let live: usize = uploaded.known.values().map(|(_, weight)| weight).sum();
        if live + weight > MOST_LIVE_WEIGHT {
            let detail = "too many large games are played here at the moment; try again later";
            return Err(Problem::new(503, "crowded", detail));
        }
        let shown = Arc::new(Shown { source: Some(source), ..Shown::new(game) });
        uploaded.known.insert(definition, (Arc::downgrade(&shown), weight));
        uploaded.kept.push((shown.clone(), weight));
        Ok(shown)
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
    let reading = Reading { library: &Files::default(), settings: BTreeMap::new() };
    let file = read_with(&source, &reading).map_err(|problems| unreadable(&problems))?;
    let definition = &file.definition;
    let rules: usize = definition.phases.iter().map(|phase| phase.rules.len()).sum();
    let sizes = [
        ("tiles", definition.tiles.len(), MOST_TILES),
        ("rules and endings", rules + definition.endings.len(), MOST_RULES),
        ("pieces", definition.pieces.len(), MOST_PIECES),
    ];
    let large = |detail: String| Err(Problem::new(422, "too_large", detail));
    if let Some((what, count, most)) = sizes.into_iter().find(|(_, count, most)| count > most) {
        return large(format!("the game has {count} {what}; this server takes {most} at most"));
    }
    if weight(definition) > MOST_WEIGHT {
        return large("so many rules on so large a board take too much memory".to_owned());
    }
    Game::of_file(&file).map_err(|problems| unreadable(&problems))
}

/// Whether the moves of a game are listed quickly: at the start, and after some random events.
fn check_pace(game: &Game, most: Duration) -> Result<(), Problem> {
    let (mut position, begun) = (game.start(), Instant::now());
    let mut seed = [0; MOST_TRIED];
    let _ = getrandom::fill(&mut seed);
    for (ply, random) in seed.into_iter().enumerate() {
        let listed = || {
            let asked = Instant::now();
            (position.legal(), asked.elapsed())
        };
        let (events, took) = listed();
        // What else the machine does may slow it down once.
        if took > most && listed().1 > most {
            let most = most.as_millis();
            let detail = format!("the moves after {ply} events take more than {most} ms to list");
            return Err(Problem::new(422, "too_slow", detail));
        }
        let chances: Vec<Event> = position.chances().iter().map(|chance| chance.event).collect();
        let choice = if chances.is_empty() { events } else { chances };
        let next = choice.get(usize::from(random) % choice.len().max(1));
        let Some(after) = next.and_then(|event| position.apply(*event).ok()) else { break };
        position = after.position;
        if begun.elapsed() > TRYING {
            break;
        }
    }
    Ok(())
}

/// Does something with a game that may take long where the game was uploaded: other tasks go on
/// meanwhile.
pub(crate) fn aside<T>(shown: &Shown, work: impl FnOnce() -> T) -> T {
    let several = || {
        let runtime = tokio::runtime::Handle::try_current();
        runtime.is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread)
    };
    match shown.source.is_some() && several() {
        true => tokio::task::block_in_place(work),
        false => work(),
    }
}

/// What a game takes of memory, roughly: its rules, written out, for each of its tiles.
fn weight(definition: &Definition) -> usize {
    let Definition { kinds, phases, endings, requirements, .. } = definition;
    let rules = json!([kinds, phases, endings, requirements]).to_string();
    definition.tiles.len() * rules.len()
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
        let (json, phrases) = (described(&game).to_string(), Phrases::new(&game));
        Shown { game, json, phrases, source: None }
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
    described["forms"] = json!(forms(game));
    described
}

/// The forms of files in which a match of a game can be saved; none of a game with secrets.
fn forms(game: &Game) -> Vec<&'static str> {
    let known = [
        ("json", true),
        ("pgn", notation::pgn_notation(game).is_some()),
        ("mat", notation::is_mat_game(game)),
        ("sgf", notation::sgf::is_sgf_game(game)),
    ];
    let fits = known.into_iter().filter(|(_, fits)| *fits && !game.has_secrets());
    fits.map(|(name, _)| name).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A game on the largest board with so many endings.
    fn with_endings(count: usize) -> Result<Game, Problem> {
        let ending = |number: usize| format!("win \"{number}\" line {} of own\n", 3 + number % 20);
        let endings: String = (0..count).map(ending).collect();
        let board = "players a, b\nboard grid 31 x 32\npiece stone\nput stone on empty\n";
        read(&format!("game lines-{count}\n{board}{endings}"))
    }

    #[test]
    fn shipped_games_are_far_from_the_bounds() {
        for name in senet::games() {
            let game = senet::load(name).expect(name);
            assert!(weight(game.definition()) < MOST_WEIGHT / 4, "{name}");
        }
    }

    #[test]
    fn games_whose_moves_take_long_to_list_are_refused() {
        for name in senet::games() {
            let game = senet::load(name).expect(name);
            assert_eq!(check_pace(&game, LISTING), Ok(()), "{name}");
        }
        let game = with_endings(1).expect("a game that fits");
        let problem = check_pace(&game, Duration::ZERO).unwrap_err();
        assert_eq!((problem.status, problem.code), (422, "too_slow"), "{}", problem.detail);
    }

    #[test]
    fn games_that_take_much_memory_are_refused() {
        assert!(with_endings(1).is_ok());
        let problem = with_endings(200).unwrap_err();
        assert_eq!((problem.status, problem.code), (422, "too_large"));
    }

    #[test]
    fn only_so_much_memory_is_kept_for_uploaded_games() {
        let catalog = Catalog::default();
        let keep = |count: usize| {
            let game = with_endings(count).expect("a game that fits");
            catalog.keep(game, "".into())
        };
        for count in 31..=36 {
            assert!(keep(count).is_ok());
        }
        let uploaded = catalog.uploaded.lock().expect("no holder panics");
        assert!((1..6).contains(&uploaded.kept.len()), "{}", uploaded.kept.len());
        let alive = uploaded.known.values().filter(|(shown, _)| shown.strong_count() > 0);
        assert!(alive.map(|(_, weight)| weight).sum::<usize>() <= MOST_KEPT_WEIGHT);
        drop(uploaded);
        // Those that are played stay in memory, and count.
        let played: Vec<_> = (21..=36).map(keep).collect();
        let refused = played.iter().find_map(|one| one.as_ref().err()).expect("they are too many");
        assert_eq!((refused.status, refused.code), (503, "crowded"));
        assert!(keep(21).is_ok_and(|again| Arc::ptr_eq(&again, played[0].as_ref().unwrap())));
        drop(played);
        assert!(keep(20).is_ok());
    }
}
