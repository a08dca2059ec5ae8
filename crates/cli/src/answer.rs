//! What is answered to people and programs alike, with names instead of ids.

use std::collections::BTreeMap;

use senet_core::{
    Capture, Check, Event, Game, NamedChange, PieceId, Probability, State, TileId, Verdict, text,
};
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::shelf::Edition;

/// A game that can be played.
#[derive(Serialize)]
pub(crate) struct Listing {
    pub(crate) name: String,
    pub(crate) players: Vec<String>,
    pub(crate) summary: &'static str,
    tiles: usize,
    definition: String,
}

impl Listing {
    pub(crate) fn new(edition: &Edition) -> Listing {
        let game = &edition.game;
        Listing {
            name: game.name().to_owned(),
            players: game.players().map(|player| game.player_name(player).to_owned()).collect(),
            summary: edition.summary,
            tiles: game.tile_count(),
            definition: format!("{:032x}", game.definition_hash()),
        }
    }
}

/// How a game ended.
#[derive(Serialize)]
pub(crate) struct Outcome {
    pub(crate) winner: Option<String>,
    pub(crate) reason: String,
    scores: BTreeMap<String, i64>,
}

impl Outcome {
    pub(crate) fn new(game: &Game, outcome: &senet_core::Outcome) -> Outcome {
        let names = game.players().map(|player| game.player_name(player).to_owned());
        Outcome {
            winner: outcome.winner.map(|player| game.player_name(player).to_owned()),
            reason: game.ending_name(outcome.ending).to_owned(),
            scores: names.zip(outcome.scores.iter().copied()).collect(),
        }
    }

    pub(crate) fn of(game: &Game, state: &State) -> Option<Outcome> {
        game.outcome(state).map(|outcome| Outcome::new(game, &outcome))
    }

    /// The outcome in words.
    pub(crate) fn text(&self) -> String {
        match &self.winner {
            Some(winner) => format!("{winner} {}: {}", wins(winner), self.reason),
            None => format!("draw: {}", self.reason),
        }
    }
}

/// The verb for a winner: a name in the plural wins otherwise than one in the singular.
pub(crate) fn wins(name: &str) -> &'static str {
    let plural = name.len() > 2 && name.ends_with('s') && !name.ends_with("ss");
    if plural { "win" } else { "wins" }
}

/// A position and what is known of it.
#[derive(Serialize)]
pub(crate) struct Position {
    position: String,
    player: String,
    hash: String,
    phase: Option<String>,
    /// How many events are legal.
    legal: usize,
    pub(crate) outcome: Option<Outcome>,
}

impl Position {
    pub(crate) fn new(context: &Context) -> Position {
        let (game, state) = (&context.edition.game, &context.state);
        let (legal, outcome) = (game.legal(state).len(), Outcome::of(game, state));
        // A game that is over has no phase, as an explanation says too.
        let phase = game.active_phase(state).filter(|_| outcome.is_none() || legal > 0);
        Position {
            position: context.position(),
            player: context.player().to_owned(),
            hash: hash(state),
            phase: phase.map(|phase| game.phase_name(phase).to_owned()),
            legal,
            outcome,
        }
    }
}

/// The hash of a position as text.
pub(crate) fn hash(state: &State) -> String {
    format!("{:032x}", state.hash128())
}

/// Every legal event of a position.
#[derive(Serialize)]
pub(crate) struct Legal {
    pub(crate) player: String,
    /// Whether a royal piece of the player is attacked.
    pub(crate) check: bool,
    pub(crate) events: Vec<LegalEvent>,
    /// What the player may say instead.
    pub(crate) asides: Vec<Aside>,
}

/// What a player may say at the board without playing, such as to resign.
#[derive(Serialize)]
pub(crate) struct Aside {
    pub(crate) event: String,
    notation: String,
}

/// Everything that a player may say instead of playing; nothing where nothing is left to play.
pub(crate) fn asides(context: &Context) -> Vec<Aside> {
    let Context { edition: Edition { game, notation, .. }, state } = context;
    if !game.has_legal(state) {
        return Vec::new();
    }
    let aside = |event: Event| Aside {
        event: notation.format_event(game, state, event),
        notation: notation.notate(game, state, event),
    };
    game.asides(state).into_iter().map(aside).collect()
}

/// A legal event, and the position after it.
#[derive(Serialize)]
pub(crate) struct LegalEvent {
    pub(crate) event: String,
    pub(crate) notation: String,
    pub(crate) position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) probability: Option<Odds>,
}

/// An exact probability.
#[derive(Serialize)]
pub(crate) struct Odds {
    pub(crate) weight: u64,
    pub(crate) total: u64,
}

impl From<Probability> for Odds {
    fn from(odds: Probability) -> Odds {
        Odds { weight: odds.weight, total: odds.total }
    }
}

impl Legal {
    pub(crate) fn new(context: &Context) -> Legal {
        let Context { edition: Edition { game, notation, .. }, state } = context;
        let chances = game.chances(state);
        let legal = |event: Event| {
            let chance = chances.iter().find(|chance| chance.event == event);
            let step = game.apply(state, event).ok()?;
            Some(LegalEvent {
                event: notation.format_event(game, state, event),
                notation: notation.notate(game, state, event),
                position: notation.format_position(game, &step.state),
                probability: chance.map(|chance| chance.probability.into()),
            })
        };
        let events = game.legal(state).into_iter().filter_map(legal).collect();
        let (player, check) = (context.player().to_owned(), context.is_check());
        Legal { player, check, events, asides: asides(context) }
    }
}

/// Every whole turn of a position.
#[derive(Serialize)]
pub(crate) struct Turns {
    pub(crate) player: String,
    pub(crate) turns: Vec<Turn>,
}

/// A whole turn, and the position after it.
#[derive(Serialize)]
pub(crate) struct Turn {
    pub(crate) notation: String,
    pub(crate) events: Vec<String>,
    pub(crate) position: String,
    /// The pieces alone as the player sees them, in games that have a form for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Box<RawValue>>,
}

impl Turns {
    pub(crate) fn new(context: &Context) -> Turns {
        let Context { edition: Edition { game, notation, .. }, state } = context;
        let written = |turn: &senet_core::Turn| Turn {
            notation: notation.notate_turn(game, state, turn),
            events: events_of(context, turn),
            position: notation.format_position(game, &turn.state),
            board: board(context, &turn.state),
        };
        let turns = game.turns(state).iter().map(written).collect();
        Turns { player: context.player().to_owned(), turns }
    }
}

/// The pieces of a later state as the player to move now sees them.
fn board(context: &Context, later: &State) -> Option<Box<RawValue>> {
    let Context { edition: Edition { game, notation, .. }, state } = context;
    let text = notation.format_board(game, later, game.view(state).player())?;
    RawValue::from_string(text).ok()
}

/// The events of a turn, each written as in the state it is played in.
fn events_of(context: &Context, turn: &senet_core::Turn) -> Vec<String> {
    let Context { edition: Edition { game, notation, .. }, state } = context;
    let mut now = state.clone();
    let write = |&event: &Event| {
        let text = notation.format_event(game, &now, event);
        if let Some(step) = game.attempt(&now, event) {
            now = step.state;
        }
        text
    };
    turn.events.iter().map(write).collect()
}

/// What came of an event.
#[derive(Serialize)]
pub(crate) struct Applied<'g> {
    pub(crate) event: String,
    pub(crate) notation: String,
    rule: &'g str,
    pub(crate) position: String,
    player: &'g str,
    hash: String,
    pub(crate) changes: Vec<NamedChange<'g>>,
    pub(crate) outcome: Option<Outcome>,
}

/// Carries out the events of a turn, or what happens by itself where there are none, and says what
/// came of it, with the state after it.
pub(crate) fn apply<'c>(
    context: &'c Context,
    events: &[Event],
) -> Result<(Applied<'c>, State), Failure> {
    let Context { edition: Edition { game, notation, .. }, state } = context;
    let due: Vec<Event> = game.due(state).filter(|_| events.is_empty()).into_iter().collect();
    let events = if events.is_empty() { &due } else { events };
    let (mut now, mut rule) = (state.clone(), "");
    let mut written = Vec::new();
    for &event in events {
        written.push(notation.format_event(game, &now, event));
        let step = game.apply(&now, event).map_err(|rejection| context.refusal(&rejection))?;
        (now, rule) = (step.state, game.rule_name(step.rule));
    }
    let notation_of = match events {
        [event] => notation.notate(game, state, *event),
        _ => {
            let turn = senet_core::Turn { events: events.to_vec(), state: now.clone() };
            notation.notate_turn(game, state, &turn)
        }
    };
    let changes = game.diff(state, &now).into_iter();
    let applied = Applied {
        event: written.join(" "),
        notation: notation_of,
        rule,
        position: notation.format_position(game, &now),
        player: game.player_name(game.view(&now).player()),
        hash: hash(&now),
        changes: changes.map(|change| game.name_change(change)).collect(),
        outcome: Outcome::of(game, &now),
    };
    Ok((applied, now))
}

/// One reason for a refusal.
#[derive(Clone, Serialize)]
pub(crate) struct Reason {
    code: &'static str,
    pub(crate) message: String,
    tile: Option<String>,
}

impl Reason {
    pub(crate) fn new(context: &Context, reason: senet_core::Reason) -> Reason {
        let game = &context.edition.game;
        Reason {
            code: reason.code(),
            message: context.reason_text(reason),
            tile: reason.tile().map(|tile| game.tile_name(tile).to_owned()),
        }
    }
}

/// Why an event is accepted or refused.
#[derive(Serialize)]
pub(crate) struct Explanation {
    event: String,
    pub(crate) accepted: bool,
    phase: Option<String>,
    rule: Option<String>,
    reasons: Vec<Reason>,
    rules: Vec<RuleReport>,
    derived: Vec<String>,
    path: Vec<String>,
    blocker: Option<String>,
    /// The attacks because of which it is refused.
    attacks: Vec<Attack>,
    /// Where the text names no one piece: what is to be said of each that it may mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    readings: Vec<Explanation>,
    /// Of a whole turn: its events, one after the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) steps: Vec<Explanation>,
    /// The same in words.
    pub(crate) text: String,
}

/// What one rule says of an event.
#[derive(Serialize)]
struct RuleReport {
    rule: String,
    verdict: &'static str,
    reason: Option<Reason>,
    checks: Vec<Check>,
}

/// A piece that attacks a tile.
#[derive(Serialize)]
struct Attack {
    from: String,
    kind: String,
    on: String,
}

impl Explanation {
    /// Explains what a text means, or everything that it may mean, none of which is legal.
    pub(crate) fn of(context: &Context, text: &str, events: &[Event]) -> Explanation {
        let mut readings: Vec<Explanation> =
            events.iter().map(|event| Explanation::new(context, *event)).collect();
        // A piece that could get there if the position were another is told of first.
        readings.sort_by_key(|one| one.reasons.first().is_some_and(|why| why.code == "no_path"));
        if let [_] = readings[..] {
            return readings.remove(0);
        }
        let reasons = readings.iter().filter_map(|one| one.reasons.first().cloned());
        let reasons: Vec<Reason> = reasons.collect();
        let mut because: Vec<&str> = Vec::new();
        for reason in &reasons {
            if !because.contains(&reason.message.as_str()) {
                because.push(&reason.message);
            }
        }
        let event = senet_core::excerpt(text.trim());
        let first = format!("{event} is refused: {}", because.join(", "));
        let texts = readings.iter().map(|one| one.text.as_str());
        let text = std::iter::once(first.as_str()).chain(texts).collect::<Vec<_>>().join("\n");
        let phase = readings.first().and_then(Explanation::phase);
        Explanation { reasons, readings, ..Explanation::bare(event, false, phase, text) }
    }

    /// The same as a failure.
    pub(crate) fn refusal(&self) -> Failure {
        let message = self.text.lines().next().unwrap_or_default();
        let details = json!({
            "event": self.event,
            "phase": self.phase,
            "rule": self.rule,
            "reasons": self.reasons,
        });
        Failure::new(Code::Rejected, message, details)
    }

    /// The phase that was active.
    pub(crate) fn phase(&self) -> Option<String> {
        self.phase.clone()
    }

    /// An explanation that is words alone.
    pub(crate) fn bare(
        event: String,
        accepted: bool,
        phase: Option<String>,
        text: String,
    ) -> Explanation {
        Explanation {
            event,
            accepted,
            phase,
            rule: None,
            reasons: Vec::new(),
            rules: Vec::new(),
            derived: Vec::new(),
            path: Vec::new(),
            blocker: None,
            attacks: Vec::new(),
            readings: Vec::new(),
            steps: Vec::new(),
            text,
        }
    }

    pub(crate) fn new(context: &Context, event: Event) -> Explanation {
        let Context { edition: Edition { game, notation, .. }, state } = context;
        let told = context.explain(event);
        let tile = |tile: TileId| game.tile_name(tile).to_owned();
        let report = |report: &senet_core::RuleReport| {
            let (verdict, reason) = match report.verdict {
                Verdict::Valid => ("valid", None),
                Verdict::Ignore => ("ignore", None),
                Verdict::Invalid(reason) => ("invalid", Some(Reason::new(context, reason))),
            };
            let rule = game.rule_name(report.rule).to_owned();
            RuleReport { rule, verdict, reason, checks: report.checks.clone() }
        };
        let derived = told.derived.iter().map(|event| text::format_event(game, *event));
        let event = notation.format_event(game, state, event);
        let attack = |attack: &senet_core::Attack| Attack {
            from: tile(attack.from),
            kind: game.kind_name(attack.kind).to_owned(),
            on: tile(attack.on),
        };
        Explanation {
            text: context.explanation_text(&told, &event),
            event,
            attacks: told.attacks.iter().map(attack).collect(),
            accepted: told.accepted_by.is_some(),
            phase: told.phase.map(|phase| game.phase_name(phase).to_owned()),
            rule: told.accepted_by.map(|rule| game.rule_name(rule).to_owned()),
            reasons: told.reasons.iter().map(|reason| Reason::new(context, *reason)).collect(),
            rules: told.rules.iter().map(report).collect(),
            derived: derived.collect(),
            path: told.path.iter().copied().map(tile).collect(),
            blocker: told.blocker.map(tile),
            readings: Vec::new(),
            steps: Vec::new(),
        }
    }
}

/// How a piece travels from tile to tile, or why it does not.
#[derive(Serialize)]
pub(crate) struct Route {
    piece: Option<String>,
    from: Option<String>,
    to: String,
    pub(crate) path: Option<Vec<String>>,
    /// Whose piece landing takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) capture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<Why>,
}

/// Why there is no path.
#[derive(Serialize)]
pub(crate) struct Why {
    code: &'static str,
    pub(crate) message: String,
    tile: Option<String>,
}

/// Which journey is asked about: a piece, the tile it leaves, or both.
pub(crate) struct Journey {
    pub(crate) piece: Option<PieceId>,
    pub(crate) from: Option<TileId>,
    pub(crate) to: TileId,
}

impl Route {
    /// Without a piece, the one on the tile travels, the mover's before another's; without a
    /// tile, the piece leaves the one it stands on.
    pub(crate) fn new(context: &Context, journey: &Journey) -> Route {
        let Context { edition: Edition { game, .. }, state } = context;
        let view = game.view(state);
        let on_tile = |tile: TileId| {
            let mine = |piece: &PieceId| game.owner(*piece) == view.player();
            view.pieces_at(tile).find(mine).or_else(|| view.first_at(tile))
        };
        let piece = journey.piece.or_else(|| on_tile(journey.from?));
        let from = journey.from.or_else(|| view.piece(journey.piece?).tile);
        let tile = |tile: TileId| game.tile_name(tile).to_owned();
        let mut route = Route {
            piece: piece.map(|piece| game.piece_name(piece).to_owned()),
            from: from.map(tile),
            to: tile(journey.to),
            path: None,
            capture: None,
            why: None,
        };
        let (Some(piece), Some(from)) = (piece, from) else {
            route.why = Some(Why::nobody(&route));
            return route;
        };
        // A piece that moves by the ways of its rules has a path where one of them takes it.
        let ruled = || {
            let stands = view.piece(piece).tile == Some(from) && game.owner(piece) == view.player();
            game.route(state, from, journey.to).filter(|_| stands)
        };
        match game.resolve_path(state, piece, from, journey.to).or_else(ruled) {
            Some(path) => {
                route.path = Some(path.tiles().map(tile).collect());
                if let Capture::Enemy(player) = path.capture() {
                    route.capture = Some(game.player_name(player).to_owned());
                }
            }
            None => {
                let blocker = game.paths().blocker(state, piece, from, journey.to).map(tile);
                route.why = Some(Why::no_path(&route, blocker));
            }
        }
        route
    }
}

impl Why {
    fn nobody(route: &Route) -> Why {
        match (&route.piece, &route.from) {
            (Some(piece), _) => {
                let message = format!("{piece} is not on the board");
                Why { code: "off_board", message, tile: None }
            }
            (None, from) => {
                let tile = from.clone();
                let message = format!("no piece stands on {}", tile.as_deref().unwrap_or("it"));
                Why { code: "no_piece", message, tile }
            }
        }
    }

    fn no_path(route: &Route, blocker: Option<String>) -> Why {
        let (piece, from) = (route.piece.as_deref(), route.from.as_deref());
        let (piece, from, to) = (piece.unwrap_or("it"), from.unwrap_or("it"), &route.to);
        match blocker {
            _ if from == to => {
                let message = format!("the way from {from} to {to} has no length");
                Why { code: "no_length", message, tile: None }
            }
            Some(tile) => {
                let message =
                    format!("the way of {piece} from {from} to {to} is blocked on {tile}");
                Why { code: "blocked", message, tile: Some(tile) }
            }
            None => {
                let message = format!("no pattern of {piece} leads from {from} to {to}");
                Why { code: "no_path", message, tile: None }
            }
        }
    }
}
