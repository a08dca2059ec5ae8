//! What answers are, as JSON schemas for the OpenAPI document: one table, and what makes schemas of
//! it. A test of the server compares real answers with them.

use serde_json::{Map, Value, json};

/// The objects that are sent, each with its fields: a name, with `?` where the field may be absent,
/// and a type, with `?` where it may be null. A type is `text`, `whole`, `integer`, `flag`, `any`,
/// the name of an object, or a list of one of these.
const OBJECTS: &[(&str, &str)] = &[
    ("Status", "status text"),
    ("Document", "openapi text, info any, paths any, components any"),
    (
        "Listing",
        "name text, definition text, summary text?, players [text], tiles whole, shipped flag, \
         secrets flag",
    ),
    ("Games", "games [Listing]"),
    (
        "Game",
        "name text, definition text, summary text?, players [text], tiles whole, shipped flag, \
         secrets flag, kinds [text], pictures [any], colors [text], sides [Side], turns flag, \
         forms [text]",
    ),
    (
        "Side",
        "style text, svg text, width any, height any, spots [any], links [any], labels [text]",
    ),
    ("Rules", "phases [any], endings [any], start text"),
    (
        "Matches",
        "engines? [text], waiting? [Open], playing? [Open], matches? [Finished], next? text?",
    ),
    ("Open", "match text, game text, control Control, ply whole, seats [Seat]"),
    (
        "Finished",
        "match text, game text, definition text, created whole, ended whole, control Control, \
         ply whole, seats [Seat], result Result",
    ),
    ("Control", "kind text, initial? whole, increment? whole, delay? whole, time? whole"),
    ("Seat", "player text, name text?, taken flag, kind text, left whole"),
    ("Result", "winner whole?, reason text, text text, scores? [any]"),
    (
        "Arranged",
        "match text, page text, token text?, seats [whole], invitations [Invitation], \
         commitment text",
    ),
    ("Invitation", "seat whole, invitation text, link text"),
    ("Joined", "match text, token text, seats [whole]"),
    ("Played", "match text, ply whole, move Listed?"),
    ("Acted", "match text, number whole, next text?"),
    ("Listed", "player whole, seat whole?, notation text, roll flag, hash text?, name text"),
    (
        "State",
        "match text, ply whole, number whole, game text, definition text, status text, \
         seats [Seat], clock Timing, mover whole?, last Ends?, offer Standing?, result Result?, \
         next text?, draw flag, commitment text, seed? text, position Board, moves Moves, \
         you [whole], legal? [Legal], asides? [Said], roll? flag",
    ),
    ("Timing", "control Control, running whole?"),
    ("Ends", "from whole?, to whole?"),
    ("Standing", "seat whole, offer text, agreed? [whole]"),
    ("Moves", "from whole, list [Listed]"),
    (
        "Board",
        "player whole, pieces [any], hands [any], dice [whole], cube Cube?, piles? [Pile], \
         marks [Marked], check [whole], text? text, facts [text], hash text, unseen? [whole], \
         hidden? [text]",
    ),
    ("Cube", "value integer, owner whole?"),
    ("Pile", "pile text, owner whole?, count integer, cards? [text]"),
    ("Marked", "mark text, tiles [whole]"),
    ("Legal", "event text, notation? text, from? whole, to? whole, kind? whole, ends? flag"),
    ("Said", "event text, notation text"),
    ("Import", "game text, position text?, moves [Said]"),
    (
        "Analysis",
        "position Board, legal [Legal], chances [Said], moves [any], last Ends?, result text?, \
         opening? [Known], hint? Hint?",
    ),
    ("Known", "event text, notation text, count whole, wins [whole], draws whole"),
    ("Hint", "notation text, event text, from whole?, to whole?"),
    (
        "Explanation",
        "event text, accepted flag, phase text?, rule text?, reasons [Reason], rules [any], \
         path [whole], blocker whole?, attacks [any], tiles [text], text text",
    ),
    ("Reason", "code text, message text, tile whole?"),
    (
        "Problem",
        "type text, title text, status whole, code text, detail text, explanation? Explanation, \
         state? State, problems? [any], choices? [text]",
    ),
];

/// A reference to a schema.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The schemas of all objects that are sent.
pub(super) fn sent() -> Map<String, Value> {
    OBJECTS.iter().map(|(name, fields)| ((*name).to_owned(), object(fields))).collect()
}

fn object(fields: &str) -> Value {
    let (mut required, mut properties) = (Vec::new(), Map::new());
    for field in fields.split(", ") {
        let (name, kind) = field.split_once(' ').unwrap_or((field, "any"));
        let plain = name.trim_end_matches('?');
        if plain == name {
            required.push(name);
        }
        properties.insert(plain.to_owned(), schema(kind));
    }
    json!({ "type": "object", "required": required, "properties": properties })
}

fn schema(kind: &str) -> Value {
    if let Some(kind) = kind.strip_suffix('?') {
        return json!({ "anyOf": [schema(kind), { "type": "null" }] });
    }
    if let Some(of) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        return json!({ "type": "array", "items": schema(of) });
    }
    match kind {
        "any" => json!({}),
        "text" => json!({ "type": "string" }),
        "flag" => json!({ "type": "boolean" }),
        "integer" => json!({ "type": "integer" }),
        "whole" => json!({ "type": "integer", "minimum": 0 }),
        name => reference(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_that_is_named_is_there() {
        let known = sent();
        let text = json!(known).to_string();
        for name in text.split("#/components/schemas/").skip(1) {
            let name = name.split('"').next().unwrap_or_default();
            assert!(known.contains_key(name), "{name}");
        }
    }
}
