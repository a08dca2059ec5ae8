//! Positions as objects of JSON, from the side of the player on roll.
//!
//! `{"points":[…],"bar":[0,0],"off":[0,0],"dice":[3,1]}`: 24 signed counts, the mover's above
//! zero and his ace point first; then the mover's and the opponent's. What may be said besides is
//! `player`, `cube`, `owner`, `limit`, `score`, `length`, `crawford`, `jacoby`, `beavers` and
//! `left`. Everything but the points may be left out.

use senet_core::notation::{PositionError, excerpt, nearest};
use serde_json::{Map, Value, json};

use crate::position::{Faults, Offer, Position, Side};

/// The names that mean something.
const NAMES: [&str; 14] = [
    "points", "bar", "off", "dice", "left", "player", "cube", "owner", "limit", "score", "length",
    "crawford", "jacoby", "beavers",
];

/// Reads a position with `checkers` checkers a side, or lists every reason why the text is not one.
pub fn parse(text: &str, checkers: u8) -> Result<Position, PositionError> {
    let mut faults = Faults::default();
    let mut position = Position::empty();
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(fields)) => {
            Reader { fields: &fields, faults: &mut faults }.read(&mut position, checkers);
        }
        Ok(_) => faults.add(Some(0), "no object", "expected a JSON object".to_owned()),
        Err(error) => {
            let at = error.column().saturating_sub(1);
            faults.add(Some(at), "no JSON", format!("not a JSON object: {error}"));
        }
    }
    if faults.0.is_empty() {
        position.check(checkers, &mut faults);
        position.find_winner();
    }
    faults.finish(position)
}

struct Reader<'r> {
    fields: &'r Map<String, Value>,
    faults: &'r mut Faults,
}

impl Reader<'_> {
    fn wrong(&mut self, kind: &str, place: &str, found: &Value, allowed: &str) {
        let found = excerpt(&found.to_string());
        self.faults.add(None, kind, format!("{place}: expected {allowed}, found {found}"));
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    fn read(&mut self, position: &mut Position, checkers: u8) {
        for name in self.fields.keys().filter(|name| !NAMES.contains(&name.as_str())) {
            let near = nearest(name, NAMES.into_iter());
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use {}", NAMES.join(", ")),
            };
            let message = format!("no field is named `{}`, {hint}", excerpt(name));
            self.faults.add(None, "unknown field", message);
        }
        if let Some(player) = self.get("player").cloned() {
            match player.as_str().and_then(Side::named) {
                Some(side) => position.turn = side,
                None => self.wrong("bad turn", "player", &player, "\"white\" or \"black\""),
            }
        }
        let mover = position.turn;
        self.points(position);
        for (name, kind) in [("bar", "bad bar"), ("off", "bad tray")] {
            let Some([own, other]) = self.pair(name, kind, 127) else { continue };
            for (side, count) in [(mover, own), (mover.other(), other)] {
                let half = position.half_mut(side);
                *(if name == "bar" { &mut half.bar } else { &mut half.off }) = count as u8;
            }
        }
        if self.get("off").is_none() {
            position.bear_off_the_rest(checkers);
        }
        self.dice(position);
        self.cube(position);
        self.terms(position);
    }

    fn points(&mut self, position: &mut Position) {
        let mover = position.turn;
        let allowed = "a list of 24 counts";
        let Some(points) = self.get("points").cloned() else {
            return self.wrong("missing field", "points", &Value::Null, allowed);
        };
        let Some(list) = points.as_array().filter(|list| list.len() == 24) else {
            return self.wrong("wrong number of points", "points", &points, allowed);
        };
        for (index, value) in list.iter().enumerate() {
            let Some(count) = value.as_i64().filter(|count| (-127..=127).contains(count)) else {
                let place = format!("points[{index}]");
                self.wrong("bad count", &place, value, "a count of checkers");
                continue;
            };
            match count {
                0.. => position.half_mut(mover).points[index] = count as u8,
                _ => position.half_mut(mover.other()).points[23 - index] = -count as u8,
            }
        }
    }

    /// Two counts: the mover's and the opponent's.
    fn pair(&mut self, name: &str, kind: &str, most: i64) -> Option<[u16; 2]> {
        let value = self.get(name)?.clone();
        let Some([own, other]) = value.as_array().map(Vec::as_slice) else {
            self.wrong(kind, name, &value, "a list of two counts, the mover's first");
            return None;
        };
        let mut count = |index: usize, value: &Value| {
            let count = value.as_i64().filter(|count| (0..=most).contains(count));
            if count.is_none() {
                let negative = value.as_i64().is_some_and(|count| count < 0);
                let kind = if negative { "negative count" } else { kind };
                let allowed = format!("a count from 0 to {most}");
                self.wrong(kind, &format!("{name}[{index}]"), value, &allowed);
            }
            count.unwrap_or(0) as u16
        };
        Some([count(0, own), count(1, other)])
    }

    /// A whole number in bounds.
    fn number(&mut self, name: &str, kind: &str, most: u64) -> Option<u64> {
        let value = self.get(name)?.clone();
        let number = value.as_u64().filter(|number| *number <= most);
        if number.is_none() {
            self.wrong(kind, name, &value, &format!("a number from 0 to {most}"));
        }
        number
    }

    fn dice(&mut self, position: &mut Position) {
        let Some(value) = self.get("dice").cloned() else { return };
        let allowed = "two numbers from 1 to 6, or none before the roll";
        let Some(list) = value.as_array() else {
            return self.wrong("bad die", "dice", &value, allowed);
        };
        let mut faces = Vec::new();
        for (index, face) in list.iter().enumerate() {
            match face.as_u64().filter(|face| (1..=6).contains(face)) {
                Some(face) => faces.push(face as u8),
                None => self.wrong("bad die", &format!("dice[{index}]"), face, "1 to 6"),
            }
        }
        if faces.len() != list.len() {
            return;
        }
        let alike = faces.iter().all(|face| Some(face) == faces.first());
        match faces[..] {
            [] => {}
            [one, two] => position.dice = Some([one, two]),
            [one] => (position.dice, position.left) = (Some([one; 2]), Some(1)),
            [one, _, _] if alike => (position.dice, position.left) = (Some([one; 2]), Some(3)),
            [one, _, _, _] if alike => position.dice = Some([one; 2]),
            _ => return self.wrong("bad die", "dice", &value, allowed),
        }
        if let Some(left) = self.number("left", "bad die", 4) {
            match (left, alike && !faces.is_empty()) {
                (1..=3, true) => position.left = Some(left as u8),
                (4, true) => position.left = None,
                _ => self.wrong("bad die", "left", &json!(left), "1 to 4 dice of a double"),
            }
        }
    }

    /// The power of two that a field is.
    fn power(&mut self, name: &str) -> Option<u8> {
        let value = self.get(name)?.clone();
        let power = value.as_u64().filter(|value| value.is_power_of_two() && *value <= 1 << 15);
        if power.is_none() {
            self.wrong("bad cube", name, &value, "a power of two from 1 to 32768");
        }
        power.map(|value| value.ilog2() as u8)
    }

    fn cube(&mut self, position: &mut Position) {
        if let Some(most) = self.power("limit") {
            position.cube.most = most;
        }
        if let Some(doublings) = self.power("cube") {
            position.cube.doublings = doublings;
        }
        let Some(owner) = self.get("owner").cloned() else { return };
        position.cube.owner = match owner.as_str() {
            Some("mover") => Some(position.turn),
            Some("opponent") => Some(position.turn.other()),
            named => match named.and_then(Side::named) {
                Some(side) => Some(side),
                None => {
                    let allowed = "\"mover\", \"opponent\", a player or null";
                    return self.wrong("bad cube owner", "owner", &owner, allowed);
                }
            },
        };
    }

    fn terms(&mut self, position: &mut Position) {
        let mover = position.turn;
        if let Some(length) = self.number("length", "bad match length", (1 << 15) - 1) {
            position.length = length as u16;
        }
        if let Some([own, other]) = self.pair("score", "bad score", (1 << 15) - 1) {
            position.score[mover.index()] = own;
            position.score[mover.other().index()] = other;
        }
        for name in ["crawford", "jacoby", "beavers"] {
            let Some(value) = self.get(name).cloned() else { continue };
            let Some(truth) = value.as_bool() else {
                self.wrong("bad rules", name, &value, "true or false");
                continue;
            };
            match name {
                "crawford" => position.crawford = truth,
                "jacoby" => position.jacoby = truth,
                _ => position.beavers = truth,
            }
        }
    }
}

/// The checkers alone, as a side sees them.
pub fn board(position: &Position, side: Side) -> Value {
    let (own, other) = (position.half(side), position.half(side.other()));
    json!({
        "points": position.points_of(side),
        "bar": [own.bar, other.bar],
        "off": [own.off, other.off],
    })
}

/// Writes a position, with everything that differs from the start of a game for money. What waits
/// for an answer has no room in it.
pub fn format(position: &Position) -> String {
    let mover = position.turn;
    let mut value = board(position, mover);
    let mut put = |name: &str, field: Value| value[name] = field;
    if let Some(dice) = position.dice {
        put("dice", json!(dice));
    }
    if let Some(left) = position.left {
        put("left", json!(left));
    }
    put("player", json!(mover.name()));
    put("cube", json!(position.cube.value()));
    put(
        "owner",
        match position.cube.owner {
            None => Value::Null,
            Some(side) if side == mover => json!("mover"),
            Some(_) => json!("opponent"),
        },
    );
    put("limit", json!(1u64 << position.cube.most));
    put("score", json!([mover, mover.other()].map(|side| position.score[side.index()])));
    put("length", json!(position.length));
    put("crawford", json!(position.crawford));
    put("jacoby", json!(position.jacoby));
    put("beavers", json!(position.beavers));
    value.to_string()
}

/// What a text of this form, or an ID, leaves out of a position, where that matters.
pub fn left_out(position: &Position) -> Option<&'static str> {
    match position.offer {
        Some(Offer::Resignation(..)) => Some("a resignation that waits for its answer"),
        Some(_) => Some("a double that waits for its answer"),
        None if position.opening => Some("that the opening roll is still to come"),
        None => None,
    }
}
