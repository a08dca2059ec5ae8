//! What is answered to people and programs alike, with names instead of ids.

use std::collections::BTreeMap;

use senet::define::Definition;
use senet::layers::Capture;
use senet::{Check, Event, Game, NamedChange, PieceId, Probability, Step, TileId, Verdict};
use serde::{Serialize, Serializer};
use serde_json::json;
use serde_json::value::RawValue;

use crate::context::Context;
use crate::failure::{Code, Failure};

/// A game that can be played.
#[derive(Serialize)]
pub(crate) struct Listing {
    pub(crate) name: String,
    pub(crate) players: Vec<String>,
    pub(crate) summary: &'static str,
    tiles: usize,
    #[serde(serialize_with = "hash_of")]
    definition: Definition,
}

impl Listing {
    pub(crate) fn new(definition: Definition, summary: &'static str) -> Listing {
        Listing {
            name: definition.name.clone(),
            players: definition.players.iter().map(|player| player.name.clone()).collect(),
            summary,
            tiles: definition.tiles.len(),
            definition,
        }
    }
}

/// A definition as its hash, which is made only where it is shown.
fn hash_of<S: Serializer>(definition: &Definition, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{:032x}", definition.hash()))
}

/// How a game ended.
#[derive(Serialize)]
pub(crate) struct Outcome {
    pub(crate) winner: Option<String>,
    pub(crate) reason: String,
    scores: BTreeMap<String, i64>,
}

impl Outcome {
    pub(crate) fn new(game: &Game, outcome: &senet::Outcome) -> Outcome {
        let names = game.players().map(|player| game.player_name(player).to_owned());
        Outcome {
            winner: outcome.winner.map(|player| game.player_name(player).to_owned()),
            reason: game.ending_name(outcome.ending).to_owned(),
            scores: names.zip(outcome.scores.iter().copied()).collect(),
        }
    }

    pub(crate) fn of(position: &senet::Position) -> Option<Outcome> {
        position.outcome().map(|outcome| Outcome::new(position.game(), &outcome))
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
        let (game, position) = (context.game(), &context.position);
        let (legal, outcome) = (position.legal().len(), Outcome::of(position));
        // A game that is over has no phase, as an explanation says too.
        let phase = position.phase().filter(|_| outcome.is_none() || legal > 0);
        Position {
            position: position.to_string(),
            player: context.player().to_owned(),
            hash: hash(position),
            phase: phase.map(|phase| game.phase_name(phase).to_owned()),
            legal,
            outcome,
        }
    }
}

/// The hash of a position as text.
pub(crate) fn hash(position: &senet::Position) -> String {
    format!("{:032x}", position.hash128())
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
    let position = &context.position;
    if !position.has_legal() {
        return Vec::new();
    }
    let aside =
        |event: Event| Aside { event: position.format(event), notation: position.notate(event) };
    position.asides().into_iter().map(aside).collect()
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
        let position = &context.position;
        let chances = position.chances();
        let legal = |event: Event| {
            let chance = chances.iter().find(|chance| chance.event == event);
            let step = position.apply(event).ok()?;
            Some(LegalEvent {
                event: position.format(event),
                notation: position.notate(event),
                position: step.position.to_string(),
                probability: chance.map(|chance| chance.probability.into()),
            })
        };
        let events = position.legal().into_iter().filter_map(legal).collect();
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
    pub(crate) fn new(context: &Context) -> Result<Turns, Failure> {
        let position = &context.position;
        let written = |turn: &senet::Turn| Turn {
            notation: position.notate_turn(turn),
            events: events_of(context, turn),
            position: turn.position.to_string(),
            board: board(context, &turn.position),
        };
        let turns = position.turns()?.iter().map(written).collect();
        Ok(Turns { player: context.player().to_owned(), turns })
    }
}

/// The pieces of a later position as the player to move now sees them.
fn board(context: &Context, later: &senet::Position) -> Option<Box<RawValue>> {
    RawValue::from_string(later.format_board(context.position.player())?).ok()
}

/// The events of a turn, each written as in the position it is played in.
fn events_of(context: &Context, turn: &senet::Turn) -> Vec<String> {
    let line = context.position.line(&turn.events);
    line.map(|(before, step)| before.format(step.event)).collect()
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

impl<'g> Applied<'g> {
    /// What came of the steps of a turn.
    pub(crate) fn new(context: &'g Context, steps: &[Step]) -> Applied<'g> {
        let (game, start) = (context.game(), &context.position);
        let events: Vec<Event> = steps.iter().map(|step| step.event).collect();
        let after = steps.last().map_or(start, |step| &step.position);
        let before = std::iter::once(start).chain(steps.iter().map(|step| &step.position));
        let written = before.zip(&events).map(|(position, event)| position.format(*event));
        let notation = match events[..] {
            [event] => start.notate(event),
            _ => {
                start.notate_turn(&senet::Turn { events: events.clone(), position: after.clone() })
            }
        };
        let changes = start.layers().diff(after).expect("a step stays in its game").into_iter();
        Applied {
            event: written.collect::<Vec<String>>().join(" "),
            notation,
            rule: steps.last().map_or("", |step| game.rule_name(step.rule)),
            position: after.to_string(),
            player: game.player_name(after.player()),
            hash: hash(after),
            changes: changes.map(|change| game.name_change(change)).collect(),
            outcome: Outcome::of(after),
        }
    }
}

/// One reason for a refusal.
#[derive(Clone, Serialize)]
pub(crate) struct Reason {
    code: &'static str,
    pub(crate) message: String,
    tile: Option<String>,
}

impl Reason {
    pub(crate) fn new(context: &Context, reason: senet::Reason) -> Reason {
        let game = context.game();
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
        let event = senet::excerpt(text.trim());
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
        let (game, told) = (context.game(), context.position.explain_event(event));
        let tile = |tile: TileId| game.tile_name(tile).to_owned();
        let report = |report: &senet::RuleReport| {
            let (verdict, reason) = match report.verdict {
                Verdict::Valid => ("valid", None),
                Verdict::Ignore => ("ignore", None),
                Verdict::Invalid(reason) => ("invalid", Some(Reason::new(context, reason))),
            };
            let rule = game.rule_name(report.rule).to_owned();
            RuleReport { rule, verdict, reason, checks: report.checks.clone() }
        };
        let plain = context.position.plain();
        let derived = told.derived.iter().map(|event| plain.format(*event));
        let event = context.position.format(event);
        let attack = |attack: &senet::Attack| Attack {
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
        let (game, view) = (context.game(), context.position.view());
        let on_tile = |tile: TileId| {
            let mine = |piece: &PieceId| view.owner_of(*piece) == view.player();
            view.pieces_at(tile).find(mine).or_else(|| view.first_at(tile))
        };
        let piece = journey.piece.or_else(|| on_tile(journey.from?));
        let from = journey.from.or_else(|| view.piece(journey.piece?).tile);
        let tile = |tile: TileId| context.position.label(tile);
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
        let layers = context.position.layers();
        let paths = layers.capabilities().paths;
        // A piece that moves by the ways of its rules has a path where one of them takes it.
        let ruled = || {
            let now = view.piece(piece);
            let stands = now.tile == Some(from) && now.owner == view.player();
            layers.route(from, journey.to).filter(|_| stands)
        };
        match paths.resolve(piece, from, journey.to).or_else(ruled) {
            Some(path) => {
                route.path = Some(path.touched().map(tile).collect());
                if let Capture::Enemy(player) = path.capture() {
                    route.capture = Some(game.player_name(player).to_owned());
                }
            }
            None => {
                let blocker = paths.blocker(piece, from, journey.to).map(tile);
                let kind = game.kind_name(view.kind_of(piece));
                route.why = Some(Why::no_path(&route, kind, blocker));
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

    fn no_path(route: &Route, kind: &str, blocker: Option<String>) -> Why {
        let (from, to) = (route.from.as_deref().unwrap_or("it"), &route.to);
        match blocker {
            _ if from == to => {
                let message = format!("the way from {from} to {to} has no length");
                Why { code: "no_length", message, tile: None }
            }
            Some(tile) => {
                let message =
                    format!("the way of the {kind} from {from} to {to} is blocked on {tile}");
                Why { code: "blocked", message, tile: Some(tile) }
            }
            None => {
                let message = format!("the {kind} does not go from {from} to {to}");
                Why { code: "no_path", message, tile: None }
            }
        }
    }
}
