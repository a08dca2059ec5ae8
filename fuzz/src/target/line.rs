//! Lines of protocols: requests of `senet rpc` and commands of `senet uci`.

use std::collections::BTreeMap;

use senet_chance::Source;
use senet_testkit::mutate_json;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::text::{GAMES, changed, read};
use super::{Target, shorter};

pub(super) const RPC: Target = Target {
    name: "rpc",
    law: "every line is answered by one line of JSON with a result or an error that has a code",
    fresh: fresh_request,
    check: check_request,
    smaller: shorter,
};

pub(super) const UCI: Target = Target {
    name: "uci",
    law: "every line is a command or is passed over",
    fresh: |source, corpus| changed(source, corpus, &[]),
    check: |case| {
        for line in read(case).lines() {
            senet_cli::door::uci(line);
        }
    },
    smaller: shorter,
};

/// Methods that are answered at once.
const METHODS: [&str; 20] = [
    "games",
    "position",
    "legal",
    "turns",
    "apply",
    "explain",
    "path",
    "perft",
    "render",
    "bots",
    "choose",
    "simulate",
    "match.create",
    "match.load",
    "match.show",
    "match.apply",
    "match.undo",
    "match.redo",
    "match.save",
    "match.close",
];

/// A request that is answered quickly, with small changes.
fn fresh_request(source: &mut Source, corpus: &[Vec<u8>]) -> Vec<u8> {
    if source.below(3) == 0 {
        return changed(source, corpus, &[]);
    }
    let game = GAMES[source.below(GAMES.len() as u64) as usize].start();
    let event = source.pick(&game.legal()).map_or(String::new(), |event| game.format(event));
    let method = METHODS[source.below(METHODS.len() as u64) as usize];
    let request = json!({
        "id": source.below(99),
        "method": method,
        "params": {
            "game": game.game().name(),
            "position": game.to_string(),
            "event": event,
            "depth": source.below(2),
            "from": "e2",
            "to": "e4",
            "bot": "random",
            "games": 1,
            "limit": 20,
            "match": source.below(4),
        },
    });
    let other = json!({ "id": null, "params": [[], {}, "", 1e300], "x": { "y": -1 } });
    let request = match source.below(3) {
        0 => request,
        _ => mutate_json(source, &request, &other),
    };
    request.to_string().into_bytes()
}

fn check_request(case: &[u8]) {
    let text = read(case);
    for line in text.lines().filter(|line| !line.trim().is_empty() && is_quick(line)) {
        let answer = senet_cli::door::rpc(line.as_bytes());
        assert!(is_answer(&answer), "{line}: {answer}");
    }
}

/// Whether a line is an answer: JSON with an id, and with a result or an error that has a code. The
/// id is any JSON that was sent, such as a number that no float can hold.
pub fn is_answer(line: &str) -> bool {
    let Ok(parts) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(line) else {
        return false;
    };
    let error = parts.get("error").map(|error| serde_json::from_str::<Value>(error.get()));
    let told = match (parts.contains_key("result"), error) {
        (true, None) => true,
        (false, Some(Ok(error))) => error["code"].is_string() && error["message"].is_string(),
        _ => false,
    };
    told && parts.contains_key("id")
}

/// Whether a request asks for nothing that takes as long as it says, such as the tree of a depth.
pub fn is_quick(line: &str) -> bool {
    let Ok(request) = serde_json::from_str::<Value>(line) else { return true };
    let method = request["method"].as_str().unwrap_or("");
    let params = &request["params"];
    let small = |name: &str| params[name].as_f64().unwrap_or(0.0) <= 1.0;
    let bot = params["bot"].as_str().unwrap_or("random");
    // What is not said has a default, and that of a simulation is many games.
    let short = method != "simulate" || params["games"].is_number() && params["limit"].is_number();
    METHODS.contains(&method) && small("depth") && small("games") && bot == "random" && short
}
