//! Numbers and sizes beyond all limits.

use senet_core::builder::Grid;
use senet_core::fault::{Artifact, Fault};
use senet_core::written::{
    BoardTile, Capacity, Effect, Kind, Number, Phase, Player, Putting, Rule, Seat, Set, Truth,
    Variable,
};
use senet_core::{Builder, Definition, Options};

use super::{mistakes, small, sound};

fn too_many(definition: Definition) -> Vec<(String, Artifact, u64, u64)> {
    let told = mistakes(definition).into_iter().filter_map(|error| match error.fault {
        Fault::TooMany { what, found, allowed } => Some((error.place, what, found, allowed)),
        _ => None,
    });
    told.collect()
}

#[test]
fn a_million_tiles_are_refused_with_the_limit() {
    let mut definition = small().phase(Phase::leaf("play").rule(Rule::acts("a", "a"))).build();
    definition.tiles.extend((0..1_000_000).map(|n| BoardTile::new(format!("t{n}"))));
    let found = too_many(definition);
    assert!(found.contains(&("tiles".into(), Artifact::Tile, 1_000_009, 1_024)), "{found:?}");
}

#[test]
fn nesting_of_ten_thousand_is_refused_by_reader_and_compiler() {
    let json = |depth: usize| {
        let rule = format!(
            "{{\"name\":\"a\",\"wants\":{{\"act\":\"a\"}},\"when\":{}\"always\"{}}}",
            "{\"not\":".repeat(depth),
            "}".repeat(depth)
        );
        format!(
            "{{\"name\":\"x\",\"players\":[{{\"name\":\"p\"}}],\"tiles\":[{{\"name\":\"t\"}}],\
             \"actions\":[\"a\"],\"phases\":[{{\"name\":\"p\",\"rules\":[{rule}]}}]}}"
        )
    };
    assert!(serde_json::from_str::<Definition>(&json(10_000)).is_err());
    let deep: Definition = serde_json::from_str(&json(100)).unwrap();
    let found = too_many(deep);
    assert_eq!(found[0].1, Artifact::Level, "{found:?}");
    assert!(found[0].0.starts_with("phases/p/rules/a/when"), "{found:?}");
    // Built in Rust, where no reader stops it.
    let mut truth = Truth::Always;
    for _ in 0..3_000 {
        truth = Truth::Not(Box::new(truth));
    }
    let rule = Rule::acts("a", "a").when(truth);
    let found = too_many(small().action("a").phase(Phase::leaf("play").rule(rule)).build());
    assert_eq!(found[0].1, Artifact::Level);
    let mut phase = Phase::leaf("inner").rule(Rule::acts("a", "a"));
    for _ in 0..2_000 {
        phase = Phase::branch("outer", [phase]);
    }
    assert!(!mistakes(small().action("a").phase(phase).build()).is_empty());
}

#[test]
fn variables_of_any_size_keep_their_bounds() {
    let far = 1i64 << 62;
    let play = Phase::leaf("play")
        .rule(Rule::acts("up", "up").then(Effect::add("n", far)).then(Effect::Turn(Seat::Next)))
        .rule(
            Rule::acts("down", "down")
                .then(Effect::add("n", -far))
                .then(Effect::set("m", Number::variable("n") * Number::variable("n")))
                .then(Effect::Turn(Seat::Next)),
        );
    let game = small()
        .variable(Variable::new("n", i64::MIN, i64::MAX).starting(far))
        .variable(Variable::new("m", -far, far).starting(0).per_player())
        .action("up")
        .action("down")
        .phase(play);
    sound(game.build());
}

#[test]
fn a_definition_of_format_0_1_is_refused_where_it_differs() {
    let old = r#"{"name":"x","players":[{"name":"p"}],"tiles":[{"name":"t"}],"traits":[],
        "phases":[{"name":"p","rules":[{"name":"a","on":{"act":"pass"},"if":{"always":true}}]}]}"#;
    let error = serde_json::from_str::<Definition>(old).unwrap_err();
    let told = error.to_string();
    assert!(told.contains("unknown field") && told.contains("line"), "{told}");
}

#[test]
fn states_of_too_many_words_and_pieces_are_refused() {
    let mut board = Grid::new(32, 32).board();
    board.tiles.iter_mut().for_each(|tile| tile.holds = Capacity::Many);
    let players = (0..64).map(|n| Player::new(format!("p{n}")));
    let put = Rule::puts("put", Putting::any());
    let give = Effect::Give { on: Set::Board, to: Seat::Next };
    let game = Builder::new("large")
        .board(board)
        .players(players)
        .kind(Kind::new("one").unlimited())
        .kind(Kind::new("two").unlimited())
        .phase(Phase::leaf("play").rule(put.then(give).then(Effect::becomes(Set::Board, "two"))))
        .build();
    let found = too_many(game);
    assert_eq!(found[0].1, Artifact::Piece, "{found:?}");
}

#[test]
fn the_largest_boards_compile() {
    let put = Rule::puts("put", Putting::any()).then(Effect::Turn(Seat::Next));
    let game = Builder::new("large")
        .board(Grid::new(32, 32).eight())
        .players(["red", "blue"])
        .kind(Kind::new("stone").unlimited())
        .phase(Phase::leaf("play").rule(put))
        .build();
    let game = game.compile(Options::default()).unwrap();
    assert_eq!(game.perft(&game.start(), 2), 1_024 * 1_023);
}

/// A number as the book writes it.
fn written(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn documented_limits_are_those_of_the_code() {
    let book = include_str!("../../../../docs/reference.md");
    let mut definition = Definition::default();
    let names = |count: usize| (0..count).map(|n| format!("n{n}"));
    definition.players = names(65).map(Player::new).collect();
    definition.tiles = names(1_025).map(BoardTile::new).collect();
    definition.directions = names(256).collect();
    definition.flags = names(65).map(senet_core::written::Flag::new).collect();
    definition.kinds = names(256).map(Kind::new).collect();
    definition.variables = names(256).map(|name| Variable::counter(name, 1)).collect();
    definition.actions = names(256).collect();
    definition.phases = vec![Phase::leaf("play")];
    let rules = |count| names(count).map(|name| Rule::acts(name, "n0"));
    definition.phases[0].rules = rules(4_097).collect();
    let found = too_many(definition);
    let rows = [
        (Artifact::Player, "| players |"),
        (Artifact::Tile, "| tiles |"),
        (Artifact::Direction, "| directions, "),
        (Artifact::Flag, "| flags, marks, dice |"),
        (Artifact::Kind, "| directions, regions, kinds, "),
        (Artifact::Variable, "| directions, regions, kinds, variables, "),
        (Artifact::Action, "| directions, regions, kinds, variables, actions, "),
        (Artifact::Rule, "| pieces, rules |"),
        (Artifact::Combination, "| players × kinds × tiles |"),
    ];
    for (what, row) in rows {
        let limit = found.iter().find(|one| one.1 == what);
        let (_, _, _, allowed) = limit.unwrap_or_else(|| panic!("{what} has no limit"));
        let line = book.lines().find(|line| line.starts_with(row)).expect("a row of the book");
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(cells[2].trim_end_matches(" each"), written(*allowed), "{line}");
    }
}
