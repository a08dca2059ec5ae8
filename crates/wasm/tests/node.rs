//! The same module runs in another runtime of WebAssembly: node, where it is installed.

use std::process::Command;

use senet_core::{Game, Options};

/// What the script prints, said by the interpreter.
fn expected(game: &Game, depth: u32, plies: usize) -> Vec<String> {
    let mut state = game.start();
    let count = |depth| format!("perft {depth}: {}", game.perft(&state, depth));
    let mut lines: Vec<String> = (1..=depth).map(count).collect();
    for _ in 0..plies {
        let legal = game.legal(&state);
        let Some(&event) = legal.get(legal.len() / 2) else { break };
        state = game.apply(&state, event).expect("a legal event").state;
        lines.push(format!("{:016x}", state.hash()));
    }
    let over = game.outcome(&state).is_some();
    lines.push(if over { "the game is over" } else { "play goes on" }.to_owned());
    lines
}

#[test]
fn node_plays_as_the_interpreter_does() {
    if Command::new("node").arg("--version").output().is_err() {
        println!("node is not installed: nothing to compare with");
        return;
    }
    let folder = std::env::temp_dir().join(format!("senet-node-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/count.mjs");
    let mut without_module = Vec::new();
    for entry in senet_registry::GAMES {
        let name = entry.name;
        let game = entry.definition().compile(Options::default()).expect(name);
        let Ok(wasm) = senet_wasm::emit(&game) else {
            without_module.push(name);
            continue;
        };
        let (depth, plies) = match name {
            "chess" => (4, 80),
            "othello" | "tic-tac-toe" => (5, 80),
            _ => (2, 30),
        };
        let path = folder.join(format!("{name}.wasm"));
        std::fs::write(&path, wasm.bytes).expect("a file");
        let (depths, plies_text) = (depth.to_string(), plies.to_string());
        let output =
            Command::new("node").arg(script).arg(&path).args([&depths, &plies_text]).output();
        let output = output.expect("node runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines, expected(&game, depth, plies), "{name}: {errors}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    for name in without_module {
        let game = senet_registry::find(name).expect(name).game();
        assert!(game.has_secrets(), "{name} has no module");
    }
}

#[test]
fn the_book_shows_the_script_that_is_tested() {
    let script = include_str!("data/count.mjs");
    let (_, code) = script.split_once('\n').expect("a first line of words");
    assert!(include_str!("../../../docs/wasm.md").contains(code), "docs/wasm.md differs");
}
