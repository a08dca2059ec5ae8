//! What leaves the server about a match: the board by [`known`], and beside it legal moves, the
//! list of moves and results. All of it is what the viewer may know (`sight.rs`); explanations are
//! made in `told.rs`.

mod pile;
mod playable;

use std::borrow::Cow;

use senet::{Event, Glimpse, Position, TileId};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::clock::Control;
use crate::record::{Offer, Plan};
use crate::sight::{self, Viewer};
use crate::table::{Move, Table, hash_of};

pub use playable::{Phrases, Playable, legal};

/// How many bytes a text of a match usually has at most.
const USUAL: usize = 4 * 1024;

/// How many bytes a text has beside what all see and legal events.
const BESIDE: usize = 256;

/// How many of the last moves an update repeats, so that who missed one need not ask.
const REPEATED: usize = 4;

/// How much of a match is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The end of the list of moves, and what a board needs of the position.
    Tail,
}

/// A position as a board wants it. What is only said of a game with secrets is left out elsewhere.
#[derive(Serialize)]
pub struct Board {
    player: usize,
    pieces: Pieces,
    /// For each player the kinds in hand, and how many of each.
    hands: Vec<Vec<[usize; 2]>>,
    dice: Vec<u8>,
    cube: Option<Cube>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    piles: Vec<pile::Shown>,
    marks: Vec<Marked>,
    /// The tiles of royal pieces that are attacked.
    check: Vec<usize>,
    /// The position in the notation of the game. Updates leave it out: it is long, and says what the
    /// rest says.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    facts: Vec<String>,
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    unseen: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<Vec<String>>,
}

/// What stands on a board: for each tile with pieces the tile, and owner, kind and count of each
/// sort of piece there.
struct Pieces(Vec<(usize, [usize; 3])>);

impl Serialize for Pieces {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Sorts<'a>(&'a [(usize, [usize; 3])]);
        impl Serialize for Sorts<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.iter().map(|(_, sort)| sort))
            }
        }
        let tiles = self.0.chunk_by(|one, other| one.0 == other.0);
        serializer.collect_seq(tiles.map(|sorts| (sorts[0].0, Sorts(sorts))))
    }
}

/// A cube that doubles: what it shows, and whose it is.
#[derive(Serialize)]
struct Cube {
    value: i64,
    owner: Option<usize>,
}

/// Where a mark lies.
#[derive(Serialize)]
struct Marked {
    mark: String,
    tiles: Vec<usize>,
}

/// What a viewer knows of a position.
pub fn known(whole: &Position, viewer: &Viewer, extent: Extent) -> Board {
    let eyes = viewer.eyes(whole);
    let rules = whole.game().rules();
    if !whole.game().has_secrets() {
        return position(whole, extent);
    }
    let observation = whole.observe(eyes);
    let record = observation.record(rules);
    let hands = record.hands.iter().filter(|(_, hand)| hand.is_none());
    let mut hidden: Vec<String> = hands.map(|(player, _)| format!("hand of {player}")).collect();
    let unseen = record.variables.iter().filter(|(_, value)| value.is_none());
    let unseen: Vec<String> = unseen.map(|(name, _)| name.clone()).collect();
    let piles = pile::shown(&whole.known_to(eyes), &unseen);
    // Cards are shown as cards.
    let said = |name: &str| !pile::counts(whole, name);
    hidden.extend(unseen.into_iter().filter(|name| said(name)));
    let told = record.variables.iter().filter_map(|(name, value)| Some((name, (*value)?)));
    let told = told.filter(|(name, value)| *value != 0 && said(name));
    let facts = told.map(|(name, value)| format!("{name} {value}")).collect();
    let dice = record.dice.iter().filter(|(_, shown)| shown.is_none());
    hidden.extend(dice.map(|(name, _)| name.clone()));
    Board {
        facts,
        text: (extent == Extent::Whole).then(|| observation.text(rules)),
        hash: format!("{:032x}", observation.hash()),
        unseen: Some(observation.unseen().iter().map(TileId::index).collect()),
        hidden: Some(hidden),
        piles,
        ..position(&whole.known_to(eyes), extent)
    }
}

/// A position, with everything that there is to know about it.
pub fn position(position: &Position, extent: Extent) -> Board {
    let (game, view) = (position.game(), position.view());
    let sorts = |tile: TileId| {
        let owners = game.players().flat_map(|owner| game.kinds().map(move |kind| (owner, kind)));
        owners.filter_map(move |(owner, kind)| {
            let count = view.count(tile, owner, kind);
            (count > 0).then(|| (tile.index(), [owner.index(), kind.index(), count]))
        })
    };
    let hand = |player| {
        let kinds = game.kinds().map(|kind| (kind, view.hand(player, kind)));
        let held = kinds.filter(|(_, count)| *count > 0);
        held.map(|(kind, count)| [kind.index(), count]).collect()
    };
    let marked = game.marks().filter_map(|mark| {
        let tiles: Vec<usize> = view.marked(mark).iter().map(TileId::index).collect();
        (!tiles.is_empty()).then(|| Marked { mark: game.mark_name(mark).to_owned(), tiles })
    });
    let royals = position.layers().threatened_royals(position.player());
    Board {
        player: position.player().index(),
        pieces: Pieces(view.occupied().iter().flat_map(sorts).collect()),
        hands: game.players().map(hand).collect(),
        dice: game.dice().filter_map(|die| view.die(die)).collect(),
        cube: cube(position),
        piles: pile::shown(position, &[]),
        marks: marked.collect(),
        check: royals.iter().map(TileId::index).collect(),
        text: (extent == Extent::Whole).then(|| position.to_string()),
        facts: position.facts(),
        hash: hash_of(position),
        unseen: None,
        hidden: None,
    }
}

/// The cube of a position.
fn cube(position: &Position) -> Option<Cube> {
    let (game, view) = (position.game(), position.view());
    let cube = game.variable("cube")?;
    let owns = game.variable("owns");
    let owner = owns.and_then(|owns| game.players().find(|one| view.variable(owns, *one) > 0));
    Some(Cube {
        value: view.variable(cube, position.player()),
        owner: owner.map(senet::PlayerId::index),
    })
}

/// What the player may say beside playing. Giving up and agreeing are the server's business.
fn asides(table: &Table, position: &Position) -> Vec<Value> {
    let game = table.game();
    let served = ["resign", "agree-draw", "flag"].map(|name| game.action(name).map(Event::Act));
    let said = position.asides().into_iter().filter(|event| !served.contains(&Some(*event)));
    let told = |event: Event| json!({ "event": position.format(event), "notation": position.notate(event) });
    said.map(told).collect()
}

/// What of a match is the same for all who see the same.
#[derive(Serialize)]
struct Common<'a> {
    r#match: &'a str,
    ply: usize,
    game: &'a str,
    definition: &'a str,
    status: &'static str,
    seats: Vec<Place<'a>>,
    clock: Timing,
    mover: Option<usize>,
    last: Option<Ends>,
    offer: Option<Offered<'a>>,
    result: Value,
    next: Option<&'a str>,
    draw: bool,
    commitment: &'a str,
    /// The seed is the promise kept: it is shown when nothing is left to draw. Where cards stay
    /// hidden after the end, the seed would tell them.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<&'a str>,
    position: Board,
    moves: Moves<'a>,
}

/// What each viewer gets beside that.
#[derive(Serialize)]
struct Own<'a> {
    number: u64,
    you: &'a [usize],
    /// What follows is only for the player to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    asides: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<bool>,
}

/// Who sits where, with the time that is left.
#[derive(Serialize)]
pub struct Place<'a> {
    player: &'a str,
    name: Option<&'a str>,
    taken: bool,
    kind: &'static str,
    left: u64,
}

/// How the time is counted, and whose runs.
#[derive(Serialize)]
struct Timing {
    control: Control,
    running: Option<usize>,
}

/// What is offered, by whom, and in a match of more than two who wants it too.
#[derive(Serialize)]
struct Offered<'a> {
    seat: usize,
    offer: Offer,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreed: Option<&'a [usize]>,
}

/// Where an event came from and where it went, as far as that is seen.
#[derive(Serialize)]
struct Ends {
    from: Option<usize>,
    to: Option<usize>,
}

/// What of a match is the same for all who see the same, as the text of an object of JSON that is
/// not closed yet. It is made once for all of them.
pub struct Scene(Vec<u8>);

#[derive(Serialize)]
struct Moves<'a> {
    from: usize,
    list: Vec<Listed<'a>>,
}

impl Scene {
    /// What a viewer sees of a match at a time.
    pub fn new(table: &Table, viewer: &Viewer, extent: Extent, now: u64) -> Scene {
        let most = match extent {
            Extent::Whole => usize::MAX,
            Extent::Tail => REPEATED,
        };
        let (from, seen) = table.last_seen_by(viewer, most);
        let list = seen.iter().map(|(one, glimpse)| played(table, one, *glimpse));
        let game = table.game();
        let reveals = table.is_over() && game.dice().next().is_some() && !game.has_secrets();
        let common = Common {
            r#match: &table.header.id,
            ply: table.ply_for(viewer),
            game: &table.header.game,
            definition: &table.header.definition,
            status: status(table),
            seats: seats(table, now),
            clock: Timing { control: table.clock.control(), running: table.clock.running() },
            mover: table.mover(),
            last: table.last_move_seen_by(viewer).map(tiles_of),
            offer: table.offer.as_ref().map(|standing| Offered {
                seat: standing.by,
                offer: standing.offer,
                agreed: (table.seats.len() > 2).then_some(&standing.agreed[..]),
            }),
            result: result(table),
            next: table.next.as_deref(),
            draw: table.may_be_drawn(),
            commitment: &table.commitment,
            seed: reveals.then_some(&table.header.seed),
            position: known(&table.position(), viewer, extent),
            moves: Moves { from, list: list.collect() },
        };
        let mut text = Vec::with_capacity(USUAL);
        write(&mut text, &common);
        text.pop();
        Scene(text)
    }
}

/// A value as text.
fn raw(value: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("the value has a text")
}

/// Writes a value as JSON. Keys are names and numbers are finite, so that nothing can go wrong.
fn write(text: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(text, value).expect("the value has a text");
}

/// How many bytes everything that a viewer gets about a match usually has at most.
pub fn usual_size(table: &Table, (viewer, scene): (&Viewer, &Scene), phrases: &Phrases) -> usize {
    let legal = if plays(table, viewer) { phrases.size() } else { 0 };
    scene.0.len() + BESIDE + legal
}

/// Whether a viewer is to play.
fn plays(table: &Table, viewer: &Viewer) -> bool {
    table.mover().is_some_and(|seat| viewer.seats().contains(&seat))
}

/// Writes everything that a viewer gets about a match, as JSON.
pub fn write_state(
    text: &mut Vec<u8>,
    table: &Table,
    (viewer, scene): (&Viewer, &Scene),
    phrases: &Phrases,
) {
    let told = plays(table, viewer).then(|| table.told());
    let own = Own {
        number: table.number_for(viewer),
        you: viewer.seats(),
        asides: told.as_ref().map(|told| asides(table, told)),
        roll: told.as_ref().map(|_| table.awaits_roll()),
    };
    text.extend(&scene.0);
    let end = text.len();
    write(text, &own);
    text[end] = b',';
    if let Some(position) = told {
        text.pop();
        text.extend(b",\"legal\":");
        playable::write_legal(text, &position, phrases);
        text.push(b'}');
    }
}

fn status(table: &Table) -> &'static str {
    match (table.is_over(), table.is_full()) {
        (true, _) => "over",
        (false, true) => "playing",
        (false, false) => "waiting",
    }
}

/// Who sits where, with the time that is left.
pub fn seats(table: &Table, now: u64) -> Vec<Place<'_>> {
    let game = table.game();
    let seat = |player: senet::PlayerId| {
        let at = player.index();
        let kind = match &table.header.seats[at] {
            _ if table.bot_at(at).is_some() => "bot",
            Plan::Invited { .. } => "invited",
            _ => "anyone",
        };
        Place {
            player: game.player_name(player),
            name: table.seats[at].as_ref().map(|seat| seat.name.as_str()),
            taken: table.seats[at].is_some(),
            kind,
            left: table.clock.left(at, now),
        }
    };
    game.players().map(seat).collect()
}

/// A move in a list.
#[derive(Serialize)]
pub struct Listed<'a> {
    player: usize,
    seat: Option<usize>,
    notation: Cow<'a, str>,
    roll: bool,
    hash: Option<&'a str>,
    name: &'a str,
}

/// A move as a viewer sees it listed.
pub fn played<'a>(table: &'a Table, one: &'a Move, glimpse: Glimpse) -> Listed<'a> {
    Listed {
        player: one.player.index(),
        seat: one.seat,
        notation: sight::text(table.game(), one, glimpse),
        roll: matches!(one.event, Event::Roll(_)),
        // The hash of a position with secrets could be compared with those of guesses.
        hash: (!table.game().has_secrets()).then_some(&one.hash),
        name: table.game().player_name(one.player),
    }
}

/// The tiles of an event, as far as they are seen: where it came from and where it went.
fn tiles_of(glimpse: Glimpse) -> Ends {
    let (from, to) = match glimpse {
        Glimpse::Whole(Event::Move { from, to, .. } | Event::Advance { from, to, .. }) => {
            (Some(from), Some(to))
        }
        Glimpse::Whole(Event::Put { to, .. } | Event::Pick { to, .. }) => (None, Some(to)),
        Glimpse::Part { from, to } => (from, to),
        Glimpse::Whole(Event::Roll(_) | Event::Act(_)) | Glimpse::Nothing => (None, None),
    };
    Ends { from: from.map(TileId::index), to: to.map(TileId::index) }
}

/// What everybody may read about a match that is over.
pub fn summary(table: &Table, ended: u64) -> Value {
    json!({
        "match": table.header.id,
        "game": table.header.game,
        "definition": table.header.definition,
        "created": table.header.created,
        "ended": ended,
        "control": table.header.control,
        "ply": table.ply_for(&Viewer::Spectator),
        "seats": seats(table, ended),
        "result": result(table),
    })
}

/// How a match ended, in words and as data.
fn result(table: &Table) -> Value {
    let game = table.game();
    let name = |seat: usize| game.players().nth(seat).map(|player| game.player_name(player));
    if let Some((reason, winner)) = table.closed {
        let text = match winner.and_then(name) {
            Some(winner) => format!("{winner} wins: {}", reason.text()),
            None => reason.text().to_owned(),
        };
        return json!({ "winner": winner, "reason": reason.text(), "text": text });
    }
    let Some(outcome) = &table.outcome else { return Value::Null };
    json!({
        "winner": outcome.winner.map(senet::PlayerId::index),
        "reason": game.ending_name(outcome.ending),
        "scores": outcome.scores,
        "text": game.outcome_text(outcome),
    })
}

/// What a player offers, in words.
pub fn offer_text(offer: Offer) -> &'static str {
    match offer {
        Offer::Draw => "a draw",
        Offer::Undo => "to take the last move back",
        Offer::Rematch => "a rematch",
    }
}
