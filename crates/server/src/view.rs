//! What leaves the server about a match: the board by [`known`], and beside it legal moves, the
//! list of moves and results. All of it is what the viewer may know (`sight.rs`); explanations are
//! made in `told.rs`.

use senet::{Event, Glimpse, Position, TileId};
use serde_json::{Value, json};

use crate::draw;
use crate::record::{Offer, Plan};
use crate::sight::{self, Viewer};
use crate::table::{Move, Table, hash_of};

/// How many of the last moves an update repeats, so that who missed one need not ask.
const REPEATED: usize = 12;

/// How much of the list of moves is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Its end.
    Tail,
}

/// What a viewer knows of a position.
pub fn known(whole: &Position, viewer: &Viewer) -> Value {
    let eyes = viewer.eyes(whole);
    let rules = whole.game().rules();
    if !whole.game().has_secrets() {
        return position(whole);
    }
    let observation = whole.observe(eyes);
    let mut told = position(&whole.known_to(eyes));
    let record = observation.record(rules);
    let hands = record.hands.iter().filter(|(_, hand)| hand.is_none());
    let mut hidden: Vec<String> = hands.map(|(player, _)| format!("hand of {player}")).collect();
    let mut facts = Vec::new();
    for (name, value) in &record.variables {
        match value {
            Some(0) => {}
            Some(value) => facts.push(format!("{name} {value}")),
            None => hidden.push(name.clone()),
        }
    }
    let dice = record.dice.iter().filter(|(_, shown)| shown.is_none());
    hidden.extend(dice.map(|(name, _)| name.clone()));
    told["unseen"] = observation.unseen().iter().map(TileId::index).collect();
    told["hidden"] = json!(hidden);
    told["facts"] = json!(facts);
    told["text"] = json!(observation.text(rules));
    told["hash"] = json!(format!("{:032x}", observation.hash()));
    told
}

/// A position, with everything that there is to know about it.
pub fn position(position: &Position) -> Value {
    let (game, view) = (position.game(), position.view());
    let stack = |tile: TileId| {
        let owners = game.players().flat_map(|owner| game.kinds().map(move |kind| (owner, kind)));
        let sorts = owners.filter_map(|(owner, kind)| {
            let count = view.count(tile, owner, kind);
            (count > 0).then(|| json!([owner.index(), kind.index(), count]))
        });
        sorts.collect::<Vec<Value>>()
    };
    let tiles = game.tiles().filter(|tile| view.occupied().contains(*tile));
    let pieces = tiles.map(|tile| json!([tile.index(), stack(tile)]));
    let hand = |player| {
        let kinds = game.kinds().map(|kind| (kind, view.hand(player, kind)));
        let held = kinds.filter(|(_, count)| *count > 0);
        held.map(|(kind, count)| json!([kind.index(), count])).collect::<Vec<Value>>()
    };
    let dice = game.dice().filter_map(|die| view.die(die)).collect::<Vec<u8>>();
    let marked = game.marks().filter_map(|mark| {
        let tiles: Vec<usize> = view.marked(mark).iter().map(TileId::index).collect();
        (!tiles.is_empty()).then(|| json!({ "mark": game.mark_name(mark), "tiles": tiles }))
    });
    let royals = position.layers().threatened_royals(position.player());
    json!({
        "player": position.player().index(),
        "pieces": pieces.collect::<Vec<Value>>(),
        "hands": game.players().map(hand).collect::<Vec<_>>(),
        "dice": dice,
        "cube": cube(position),
        "marks": marked.collect::<Vec<Value>>(),
        "check": royals.iter().map(TileId::index).collect::<Vec<_>>(),
        "text": position.to_string(),
        "facts": position.facts(),
        "hash": hash_of(position),
    })
}

/// The cube that doubles: what it shows and whose it is.
fn cube(position: &Position) -> Value {
    let (game, view) = (position.game(), position.view());
    let Some(cube) = game.variable("cube") else { return Value::Null };
    let owns = game.variable("owns");
    let owner = owns.and_then(|owns| game.players().find(|one| view.variable(owns, *one) > 0));
    json!({
        "value": view.variable(cube, position.player()),
        "owner": owner.map(senet::PlayerId::index),
    })
}

/// The legal events of a position, as a board wants them.
pub fn legal(position: &Position) -> Vec<Value> {
    let game = position.game();
    let by_turns = game.plays_by_turns() && !game.has_secrets();
    let listed = position.legal().into_iter().filter(|event| !matches!(event, Event::Roll(_)));
    let told = |event: Event| {
        let (from, kind) = match event {
            Event::Move { from, choice, .. } => (Some(from), choice),
            Event::Advance { from, .. } => (Some(from), None),
            Event::Put { kind, .. } => (None, Some(kind)),
            Event::Roll(_) | Event::Act(_) | Event::Pick { .. } => (None, None),
        };
        let mut told = json!({
            "event": position.format(event),
            "notation": position.notate(event),
            "from": from.map(TileId::index),
            "to": position.landing(event).map(TileId::index),
            "kind": kind.map(senet::KindId::index),
        });
        if by_turns {
            let after = position.apply(event).ok();
            let ends = after.is_some_and(|step| step.position.player() != position.player());
            told["ends"] = json!(ends);
        }
        told
    };
    listed.map(told).collect()
}

/// What the player may say beside playing. Giving up and agreeing are the server's business.
fn asides(table: &Table, position: &Position) -> Vec<Value> {
    let game = table.game();
    let served = ["resign", "agree-draw", "flag"].map(|name| game.action(name).map(Event::Act));
    let said = position.asides().into_iter().filter(|event| !served.contains(&Some(*event)));
    let told = |event: Event| json!({ "event": position.format(event), "notation": position.notate(event) });
    said.map(told).collect()
}

/// Everything that a viewer gets about a match.
pub fn state(table: &Table, viewer: &Viewer, extent: Extent, now: u64) -> Value {
    let whole = table.position();
    let mover = table.mover();
    let mine = mover.filter(|seat| viewer.seats().contains(seat));
    let seen = table.seen_by(viewer);
    let from = match extent {
        Extent::Whole => 0,
        Extent::Tail => seen.len().saturating_sub(REPEATED),
    };
    let moves = seen[from..].iter().map(|(one, glimpse)| played(table, one, *glimpse));
    let last = seen.iter().rev().find(|(one, _)| !matches!(one.event, Event::Roll(_)));
    let mut state = json!({
        "match": table.header.id,
        "game": table.header.game,
        "definition": table.header.definition,
        "number": table.number_for(viewer),
        "ply": seen.len(),
        "status": status(table),
        "you": viewer.seats(),
        "seats": seats(table, now),
        "clock": { "control": table.clock.control(), "running": table.clock.running() },
        "mover": mover,
        "position": known(&whole, viewer),
        "moves": { "from": from, "list": moves.collect::<Vec<Value>>() },
        "last": last.map(|(_, glimpse)| tiles_of(*glimpse)),
        "offer": table.offer.map(|(seat, offer)| json!({ "seat": seat, "offer": offer })),
        "result": result(table),
        "next": table.next,
        "draw": table.may_be_drawn(),
        "commitment": draw::commitment(&table.header.seed),
    });
    if mine.is_some() {
        let told = table.told();
        state["legal"] = json!(legal(&told));
        state["asides"] = json!(asides(table, &told));
        state["roll"] = json!(table.awaits_roll());
    }
    // The seed is the promise kept: it is shown when nothing is left to draw. Where cards stay hidden
    // after the end, the seed would tell them.
    let game = table.game();
    if table.is_over() && game.dice().next().is_some() && !game.has_secrets() {
        state["seed"] = json!(table.header.seed);
    }
    state
}

fn status(table: &Table) -> &'static str {
    match (table.is_over(), table.is_full()) {
        (true, _) => "over",
        (false, true) => "playing",
        (false, false) => "waiting",
    }
}

/// Who sits where, with the time that is left.
pub fn seats(table: &Table, now: u64) -> Vec<Value> {
    let game = table.game();
    let seat = |player: senet::PlayerId| {
        let at = player.index();
        let kind = match &table.header.seats[at] {
            Plan::Bot { .. } => "bot",
            Plan::Anyone => "anyone",
            Plan::Invited { .. } => "invited",
        };
        json!({
            "player": game.player_name(player),
            "name": table.seats[at].as_ref().map(|seat| &seat.name),
            "taken": table.seats[at].is_some(),
            "kind": kind,
            "left": table.clock.left(at, now),
        })
    };
    game.players().map(seat).collect()
}

/// A move as a viewer sees it listed.
pub fn played(table: &Table, one: &Move, glimpse: Glimpse) -> Value {
    // The hash of a position with secrets could be compared with those of guesses.
    let hash = (!table.game().has_secrets()).then_some(&one.hash);
    json!({
        "player": one.player.index(),
        "seat": one.seat,
        "notation": sight::text(table.game(), one, glimpse),
        "roll": matches!(one.event, Event::Roll(_)),
        "hash": hash,
        "name": table.game().player_name(one.player),
    })
}

/// The tiles of an event, as far as they are seen: where it came from and where it went.
fn tiles_of(glimpse: Glimpse) -> Value {
    let (from, to) = match glimpse {
        Glimpse::Whole(Event::Move { from, to, .. } | Event::Advance { from, to, .. }) => {
            (Some(from), Some(to))
        }
        Glimpse::Whole(Event::Put { to, .. } | Event::Pick { to, .. }) => (None, Some(to)),
        Glimpse::Part { from, to } => (from, to),
        Glimpse::Whole(Event::Roll(_) | Event::Act(_)) | Glimpse::Nothing => (None, None),
    };
    json!({ "from": from.map(TileId::index), "to": to.map(TileId::index) })
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
    let Some(outcome) = table.outcome() else { return Value::Null };
    json!({
        "winner": outcome.winner.map(senet::PlayerId::index),
        "reason": game.ending_name(outcome.ending),
        "scores": outcome.scores,
        "text": game.outcome_text(&outcome),
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
