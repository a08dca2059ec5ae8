//! What the OpenAPI document says about answers is true, and lists of matches tell what they should.

use serde_json::{Value, json};

use crate::client::{Client, Folder, serve, two};

/// Where a value is not as a schema says; none where it fits.
fn misfit(schemas: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return misfit(schemas, &schemas[name], value, &format!("{at} ({name})"));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let misfits: Vec<Option<String>> =
            any.iter().map(|one| misfit(schemas, one, value, at)).collect();
        let fits = misfits.iter().any(Option::is_none);
        return if fits { None } else { misfits.into_iter().flatten().next() };
    }
    let fits = match schema["type"].as_str() {
        None => return if schema.is_object() { None } else { Some(format!("{at}: no schema")) },
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("integer") => match schema["minimum"].is_null() {
            true => value.is_i64(),
            false => value.is_u64(),
        },
        Some(kind) => return Some(format!("{at}: unknown type {kind}")),
    };
    if !fits {
        return Some(format!("{at}: {value} is no {}", schema["type"]));
    }
    let required = schema["required"].as_array().into_iter().flatten();
    if let Some(missing) = { required }.find(|name| value.get(name.as_str().unwrap()).is_none()) {
        return Some(format!("{at}: {missing} is missing"));
    }
    if let Some(list) = value.as_array() {
        return list.iter().find_map(|one| misfit(schemas, &schema["items"], one, at));
    }
    value.as_object().into_iter().flatten().find_map(|(name, value)| {
        match schema["properties"].get(name) {
            Some(schema) => misfit(schemas, schema, value, &format!("{at}.{name}")),
            None => Some(format!("{at}.{name} is not described")),
        }
    })
}

/// Compares answers with the document.
struct Document(Value);

impl Document {
    fn check(&self, method: &str, path: &str, (status, told): (u16, Value)) -> Value {
        let responses = &self.0["paths"][path][method]["responses"];
        let (described, kind) = match status {
            200 | 201 => (&responses[status.to_string()], "application/json"),
            _ => (&responses["default"], "application/problem+json"),
        };
        let (schemas, schema) =
            (&self.0["components"]["schemas"], &described["content"][kind]["schema"]);
        let wrong = misfit(schemas, schema, &told, path);
        assert_eq!(wrong, None, "{method} {path} answers {status}: {told}");
        told
    }

    async fn get(&self, client: &Client, path: &str, with: &[(&str, &str)]) -> Value {
        let address = with.iter().fold(path.to_owned(), |path, (name, value)| {
            path.replace(&format!("{{{name}}}"), value)
        });
        self.check("get", path, client.get(&address).await)
    }

    async fn post(&self, client: &Client, path: &str, id: &str, body: &Value) -> Value {
        self.check("post", path, client.post(&path.replace("{id}", id), body).await)
    }
}

#[tokio::test]
async fn answers_are_as_the_document_says() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let visitor = Client::new(&server);
    let document = Document(visitor.get("/api/openapi.json").await.1);
    for path in ["/api/openapi.json", "/health", "/ready", "/api/games", "/api/matches"] {
        document.get(&visitor, path, &[]).await;
    }
    for name in ["chess", "backgammon", "kuhn-poker", "hex", "none"] {
        for path in ["/api/games/{name}", "/api/games/{name}/rules"] {
            document.get(&visitor, path, &[("name", name)]).await;
        }
    }
    let (matches, one) = ("/api/matches", "/api/matches/{id}");
    let (join, moves, actions) =
        ("/api/matches/{id}/join", "/api/matches/{id}/moves", "/api/matches/{id}/actions");
    for game in ["chess", "backgammon", "kuhn-poker", "phantom-tic-tac-toe", "battleship"] {
        let clock = json!({ "kind": "fischer", "initial": 60_000, "increment": 1_000 });
        let wanted = json!({ "game": game, "public": true, "clock": clock });
        let made = document.post(&visitor, matches, "", &wanted).await;
        let id = made["match"].as_str().unwrap();
        document.get(&visitor, matches, &[]).await;
        let invitation = json!({ "invitation": made["invitations"][0]["invitation"] });
        let joined = document.post(&visitor, join, id, &invitation).await;
        let players = [visitor.with(&made["token"]), visitor.with(&joined["token"])];
        for _ in 0..6 {
            let mover = players[0].state(id).await["mover"].as_u64().unwrap_or(0) as usize;
            let state = document.get(&players[mover], one, &[("id", id)]).await;
            document.get(&visitor, one, &[("id", id)]).await;
            let event = state["legal"][0]["event"].as_str().unwrap_or("roll");
            let sent = json!({ "ply": state["ply"], "event": event });
            document.post(&players[mover], moves, id, &sent).await;
        }
        document.post(&players[0], moves, id, &json!({ "ply": 0, "event": "e5" })).await;
        document.post(&players[0], actions, id, &json!({ "action": "undo" })).await;
        document.get(&players[1], one, &[("id", id)]).await;
        document.post(&players[0], actions, id, &json!({ "action": "resign" })).await;
        document.get(&visitor, one, &[("id", id)]).await;
    }
    let over = visitor.get("/api/matches?status=over").await;
    let over = document.check("get", matches, over);
    assert_eq!(over["matches"].as_array().unwrap().len(), 5);
    let line = json!({ "game": "chess", "moves": ["e4"], "hint": true });
    document.post(&visitor, "/api/analyse", "", &line).await;
    for (from, to) in [(52, 36), (48, 8)] {
        let line = json!({ "game": "chess", "moves": ["e4"], "from": from, "to": to });
        document.post(&visitor, "/api/explain", "", &line).await;
    }
    let read = visitor.send("POST", "/api/import", "1. e4 e5 *").await;
    document.check("post", "/api/import", read);
    let text = "game five\nplayers x, o\nboard grid 5 x 5\npiece mark\nput mark on empty\n\
                win \"four in a row\" line 4 of own\ndraw \"board full\" none empty\n";
    for text in [text.to_owned(), text.replace("empty", "emty")] {
        let told = visitor.send("POST", "/api/games", &text).await;
        document.check("post", "/api/games", told);
    }
    server.stop().await;
}

#[tokio::test]
async fn public_matches_that_are_over_are_listed_page_by_page() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let visitor = Client::new(&server);
    let mut ids = Vec::new();
    for (game, public) in
        [("chess", true), ("hex", true), ("chess", false), ("chess", true), ("hex", true)]
    {
        let arrangement = json!({ "game": game, "public": public, "name": "Al" });
        let (id, one, _) = two(&server, arrangement).await;
        let event = one.state(&id).await["legal"][0]["event"].as_str().unwrap().to_owned();
        assert_eq!(one.play(&id, 0, &event).await.0, 200);
        assert_eq!(one.act(&id, "resign").await.0, 200);
        ids.push(id);
    }
    // One that goes on is not among them.
    two(&server, json!({ "game": "chess", "public": true })).await;
    let page = async |query: &str| {
        let (status, told) = visitor.get(&format!("/api/matches?status=over{query}")).await;
        assert_eq!(status, 200, "{told}");
        let listed = told["matches"].as_array().unwrap().iter();
        let names: Vec<String> =
            listed.map(|one| one["match"].as_str().unwrap().to_owned()).collect();
        (names, told)
    };
    let wanted = |at: &[usize]| at.iter().map(|at| ids[*at].clone()).collect::<Vec<String>>();
    let (all, told) = page("").await;
    assert_eq!(all, wanted(&[4, 3, 1, 0]));
    let one = &told["matches"][0];
    assert_eq!((&one["game"], &one["result"]["winner"]), (&json!("hex"), &json!(1)));
    assert_eq!((&one["ply"], &one["seats"][0]["name"]), (&json!(1), &json!("Al")));
    assert_eq!(page("&game=chess").await.0, wanted(&[3, 0]));
    let mut rest = String::new();
    let mut found = Vec::new();
    for _ in 0..3 {
        let (names, told) = page(&format!("&most=2{rest}")).await;
        found.extend(names);
        let Some(next) = told["next"].as_str() else { break };
        rest = format!("&before={next}");
    }
    assert_eq!(found, wanted(&[4, 3, 1, 0]));
    for wrong in ["?status=all", "?game=chess", "?status=over&before=x", "?status=over&most=-1"] {
        assert_eq!(visitor.get(&format!("/api/matches{wrong}")).await.0, 400, "{wrong}");
    }
    assert_eq!(visitor.get("/api/matches?status=over&game=none").await.0, 404);
    let secrets = [one["seed"].clone(), one["token"].clone()];
    assert_eq!(secrets, [Value::Null, Value::Null]);
    server.stop().await;
}
