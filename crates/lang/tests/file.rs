//! Game files: what is wrong with them is told at once and in its place, and nothing panics.

use senet_core::Options;
use senet_lang::{
    NoLibrary, Problems, Reading, Shelf, Source, format, line_column, read, read_with,
};

const RACE: &str = "\
game race
players white facing north, black facing south
board grid 4 x 4
piece man
setup white rank 1, black rank 4
rule step: move man step forward to empty
win \"home\" any own & row 4
";

fn wrong(text: &str) -> Problems {
    match read(&Source::new("test.senet", text)) {
        Ok(file) => file.compile(Options::default()).expect_err("it is wrong"),
        Err(problems) => problems,
    }
}

/// Line, column, code and message of each mistake.
fn told(text: &str) -> Vec<(usize, usize, &'static str, String)> {
    let problems = wrong(text);
    let told = problems.diagnostics.iter().map(|one| {
        let (line, column) = line_column(&problems.sources[0].text, one.span.start);
        (line, column, one.code, one.to_string())
    });
    told.collect()
}

#[test]
fn a_game_is_read_compiled_and_counted() {
    let file = read(&Source::new("race.senet", RACE)).unwrap();
    let game = file.compile(Options::default()).unwrap();
    assert_eq!((game.name(), game.perft(&game.start(), 2)), ("race", 16));
}

#[test]
fn every_mistake_is_told_in_one_run() {
    let text = "game x\nplayers a, b\nboard grid 3 x 3\npiece mark\nruel go: move\n\
        put mrak on empty\nwin \"w\" line 3 of onw\ndraw \"d\" none (empty\n";
    let codes: Vec<_> = told(text).into_iter().map(|(line, _, code, _)| (line, code)).collect();
    let expected =
        [(5, "unknown-statement"), (6, "unknown-name"), (7, "unknown-name"), (9, "syntax")];
    assert_eq!(codes, expected);
}

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    let cases = [
        (RACE.replace("rule", "rul"), "did you mean `rule`?"),
        (RACE.replace("to empty", "to emtpy"), "did you mean `empty`?"),
        (RACE.replace("step forward", "step forwrad"), "did you mean `forward`?"),
        (RACE.replace("piece man", "piece men"), "did you mean `men`?"),
        (RACE.replace("black rank", "blakc rank"), "did you mean `black`?"),
        (RACE.replace("grid", "gird"), "did you mean `grid`?"),
        (RACE.replace("any own", "own"), "write `any` or `none` before a set"),
        (RACE.replace("any own & row 4", "count(own) > own"), "write `count(own)`"),
        (RACE.replace("to empty", "to empty-own"), "put spaces around the minus"),
    ];
    for (text, expected) in cases {
        let told = told(&text);
        assert!(
            told.iter().any(|(.., message)| message.contains(expected)),
            "{expected}: {told:?}"
        );
    }
}

#[test]
fn what_the_compiler_finds_is_told_in_its_place() {
    let text = RACE.replace("row 4", "row 4\nrule never: move man to empty & foe");
    let found = told(&text);
    assert_eq!(found[0].0, 8, "{found:?}");
}

#[test]
fn a_name_may_not_stand_for_itself() {
    for more in
        ["let a = b\nlet b = a\n", "let a = a & a\n", "let a(x) = a(x) | x\nlet b = a(own)\n"]
    {
        let rule = "rule again: move man to a\n"
            .replace("to a", if more.contains("(x)") { "to b" } else { "to a" });
        let told = told(&format!("{RACE}{more}{rule}"));
        assert!(told.iter().any(|(.., code, _)| *code == "too-large"), "{told:?}");
    }
}

#[test]
fn a_word_that_ends_expressions_is_no_name() {
    let over = format!("{RACE}let over = own\nwin \"two\" count(over & rank 2) = 2\n");
    assert!(wrong_or_right(&over), "a word that stands before arguments may be a name");
    let text = format!("{RACE}let instead = own\nwin \"two\" count(instead) = 2\n");
    let (line, column, code, message) = told(&text).remove(0);
    assert_eq!((line, column, code), (8, 5, "reserved"), "{message}");
}

#[test]
fn names_written_out_too_often_are_refused() {
    let mut text = RACE.to_owned();
    text.push_str("let a0 = own & foe\n");
    for at in 1..30 {
        text.push_str(&format!("let a{at} = a{} | a{}\n", at - 1, at - 1));
    }
    text.push_str("rule more: move man to a29\n");
    assert!(told(&text).iter().any(|(.., code, _)| *code == "too-large"));
}

#[test]
fn bound_names_of_two_lets_do_not_meet() {
    let text = format!(
        "{RACE}let near(t) = some d in orthogonal: t.d in foe\n\
         let all-near(s) = each d in s: near(d)\nrule bold: move man slide eight where all-near(own)\n"
    );
    let file = read(&Source::new("race.senet", text)).unwrap();
    assert!(file.compile(Options::default()).is_ok());
}

#[test]
fn a_variant_changes_adds_and_leaves_out() {
    let variant = "game wide is race\nboard grid 5 x 4\nwithout ending \"home\"\n\
        rule jump (first): move man leap 2 forward to empty\nlose \"stuck\" stuck\n";
    let shelf = Shelf(&[("race", RACE), ("wide", variant)]);
    let file = shelf.game("wide");
    assert_eq!(file.bases, ["race"]);
    let game = file.compile(Options::default()).unwrap();
    assert_eq!((game.tile_count(), game.legal(&game.start()).len()), (20, 10));
    assert_eq!(file.definition.phases[0].rules[0].name, "jump");
    assert_eq!(file.definition.endings[0].name, "stuck");
}

#[test]
fn a_game_based_on_itself_is_refused() {
    let shelf = Shelf(&[("a", "game a is b\n"), ("b", "game b is a\n")]);
    let reading = Reading { library: &shelf, settings: Default::default() };
    let problems = read_with(&Source::new("a.senet", "game a is b\n"), &reading).unwrap_err();
    assert!(problems.diagnostics.iter().any(|one| one.code == "cycle"));
    let problems = read_with(&Source::new("c.senet", "game c is aa\n"), &reading).unwrap_err();
    assert!(problems.to_string().contains("did you mean `a`?"), "{problems}");
}

#[test]
fn options_are_chosen_and_checked() {
    let text =
        RACE.replace("board grid 4 x 4", "option size = 4, height = 4\nboard grid size x height");
    let source = Source::new("race.senet", text);
    let with = |name: &str, value| {
        let settings = [(name.to_owned(), value)].into();
        read_with(&source, &Reading { library: &NoLibrary, settings })
    };
    assert_eq!(with("size", 6).unwrap().definition.tiles.len(), 24);
    assert_eq!(with("height", 7).unwrap().definition.tiles.len(), 28);
    assert!(with("szie", 6).unwrap_err().to_string().contains("did you mean `size`?"));
    assert!(with("size", 1_000_000).is_err());
    assert!(with("size", -1).is_err());
}

#[test]
fn the_target_in_braces_is_told_to_be_a_set_by_itself() {
    let wrong = read(&Source::new("race.senet", format!("{RACE}win \"there\" any own & {{to}}\n")));
    let wrong = wrong.unwrap_err().to_string();
    assert!(wrong.contains("write `to` without braces"), "{wrong}");
}

#[test]
fn any_bytes_are_answered() {
    let deep = |open: &str, close: &str| {
        format!("{RACE}rule deep: move man to {}own{}\n", open.repeat(10_000), close.repeat(10_000))
    };
    let cases = [
        String::new(),
        "\0".into(),
        "game".into(),
        "\u{feff}".into(),
        "\"".into(),
        "game x is x".into(),
        deep("(", ")"),
        deep("!", ""),
        deep("any ", ""),
        format!("{RACE}rule deep: move man then {}", "{".repeat(10_000)),
        format!("{RACE}rule deep: move man where {}always", "not ".repeat(10_000)),
        format!("{RACE}let deep: {}turn next", "if always: ".repeat(10_000)),
        format!("{RACE}setup {{{}", "x\n".repeat(1000)),
        "board grid 99999999999999999999 x 3".into(),
        "board grid 65535 x 65535".into(),
        "game x\nplayers a\nboard hex hexagon 200\n".into(),
    ];
    for text in cases {
        let _ = wrong_or_right(&text);
        let _ = format(&text);
    }
    assert_eq!(wrong(&" ".repeat(50 << 20)).diagnostics[0].code, "file-too-large");
}

/// Line, column and code of the first mistake.
fn first(text: &str) -> (usize, usize, &'static str) {
    let (line, column, code, _) = told(text).remove(0);
    (line, column, code)
}

#[test]
fn bad_input_is_told_with_line_and_column() {
    let deep = |open: &str| format!("{RACE}rule deep: move man to {}own\n", open.repeat(10_000));
    let braces = format!("{RACE}rule deep: move man then {}", "{".repeat(10_000));
    let cases = [
        (deep("("), (8, 125, "too-deep")),
        (deep("!"), (8, 125, "too-deep")),
        (braces, (8, 126, "too-deep")),
        ("x".repeat(50 << 20), (1, 1, "file-too-large")),
        ("game x\nplayers a\0, b\n".into(), (2, 10, "unknown-character")),
        // A tab is one column.
        ("game x\nplayers\ta,\t;\n".into(), (2, 12, "syntax")),
        ("game x\r\nplayers a,, b\r\n".into(), (2, 11, "syntax")),
        // A lone carriage return ends no line.
        ("game x\rplayers a\r".into(), (1, 8, "syntax")),
        ("\u{feff}gmae x\n".into(), (1, 1, "unknown-statement")),
        ("game x\ngame x\n".into(), (2, 6, "second")),
        ("game x is x\n".into(), (1, 11, "cycle")),
        (format!("{RACE}piece man\n"), (8, 7, "second")),
    ];
    let (texts, expected): (Vec<String>, Vec<(usize, usize, &str)>) = cases.into_iter().unzip();
    assert_eq!(texts.iter().map(|text| first(text)).collect::<Vec<_>>(), expected);
    let games = [("one", "game one is two\n"), ("two", "game two is one\n")];
    let reading = Reading { library: &Shelf(&games), settings: Default::default() };
    let wrong = read_with(&Source::new("one.senet", games[0].1), &reading).unwrap_err();
    assert!(
        wrong.to_string().contains("two.senet:1:13: `one` is based on itself: one is two"),
        "{wrong}"
    );
}

#[test]
fn a_byte_that_is_no_text_is_found_on_its_line_also_after_letters_of_several_bytes() {
    let bytes = b"game x -- \xc3\xa9\r\nabout \"\xe2\x82\"\n".to_vec();
    let wrong = Source::from_bytes("x.senet", bytes).unwrap_err().to_string();
    assert_eq!(wrong, "x.senet:2:8: this byte is not UTF-8; save the file as UTF-8");
}

fn wrong_or_right(text: &str) -> bool {
    read(&Source::new("any", text)).is_ok_and(|file| file.compile(Options::default()).is_ok())
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_place() {
    let problems = Source::from_bytes("x.senet", b"game x\nplayers \xff".to_vec()).unwrap_err();
    assert_eq!(problems.to_string(), "x.senet:2:9: this byte is not UTF-8; save the file as UTF-8");
}

#[test]
fn line_ends_and_marks_of_other_systems_make_no_difference() {
    let plain = read(&Source::new("a", RACE)).unwrap().definition;
    let other = format!("\u{feff}{}", RACE.replace('\n', "\r\n").replace(" facing", "\tfacing"));
    assert_eq!(read(&Source::new("a", other)).unwrap().definition, plain);
}

/// The codes of the doubts about a game.
fn doubts(text: &str) -> Vec<&'static str> {
    let file = read(&Source::new("doubt.senet", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
    file.compile(Options::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
    senet_lang::lint(&file).into_iter().map(|one| one.code).collect()
}

#[test]
fn what_is_probably_not_meant_is_told() {
    assert_eq!(doubts(RACE), [""; 0]);
    let ending = "win \"home\" any own & row 4\n";
    let step = "rule step: move man step forward to empty\n";
    let cases = [
        (RACE.replace(ending, ""), "no-ending"),
        (RACE.replace(step, "rule step: move man step forward to empty again\n"), "no-turn"),
        (format!("{RACE}region hill = {{b2}}\n"), "unused"),
        (format!("{RACE}let near = own.north\n"), "unused"),
        (format!("{RACE}piece rock\nsetup white rock b2\n").replace("white rank", "white man rank").replace("black rank", "black man rank"), "idle-piece"),
        (RACE.replace("to empty", "to empty where count(own) > 1 where count(own) > 1"), "asked-twice"),
        (RACE.replace("piece man", "tiles cellar\npiece man"), "unreached-tile"),
        (
            RACE.replace(step, &format!("variable age 0..9\nphase young when age < 3\n{step}phase old\nrule late: move man step forward to empty then age += 1\n")),
            "no-exit",
        ),
    ];
    for (text, code) in cases {
        assert!(doubts(&text).contains(&code), "{code}: {:?}\n{text}", doubts(&text));
    }
}

#[test]
fn a_rule_or_phase_that_can_never_come_up_is_a_mistake() {
    let never = format!("{RACE}rule never: move man to empty & foe\n");
    assert!(told(&never).iter().any(|(line, .., message)| *line == 8 && message.contains("never")));
    let shadowed = format!("{RACE}phase late\nrule other: pass\n");
    assert!(told(&shadowed).iter().any(|(.., message)| message.contains("never reached")));
}

#[test]
fn boards_of_every_shape_are_made() {
    let tiles = |board: &str| {
        let text = format!(
            "game shape\nplayers a, b\nboard {board}\npiece mark\nput mark on empty\ndraw \"full\" none empty\n"
        );
        let file =
            read(&Source::new("shape.senet", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
        let definition =
            file.compile(Options::default()).expect("it compiles").definition().clone();
        (definition.tiles.len(), definition.relations.len())
    };
    assert_eq!(tiles("grid 4 x 3"), (12, 2 * (9 + 8) + 4 * 6));
    assert_eq!(tiles("grid 9 x 1"), (9, 16));
    assert_eq!(tiles("grid 1 x 9"), (9, 16));
    assert_eq!(tiles("hex rhombus 5 x 1"), (5, 8));
    assert_eq!(tiles("grid 1 x 1"), (1, 0));
    assert_eq!(tiles("grid 4 x 3 orthogonal without b2"), (11, 2 * 17 - 8));
    assert_eq!(tiles("grid 4 x 3 orthogonal wraps"), (12, 48));
    assert_eq!(tiles("grid 4 x 3 orthogonal wraps east"), (12, 48 - 8));
    assert_eq!(tiles("hex rhombus 3"), (9, 32));
    assert_eq!(tiles("hex hexagon 3"), (19, 84));
    assert_eq!(tiles("hex triangle 4").0, 10);
    assert_eq!(tiles("ring 12"), (12, 24));
    assert_eq!(tiles("track 9"), (9, 16));
    assert_eq!(tiles("lattice 3 x 2"), (35, 2 * (30 + 28)));
    assert_eq!(tiles("lattice 3 x 2 inner"), (15, 2 * (12 + 10)));
    assert_eq!(tiles("graph east: a b c, d e f  in and out: a e"), (6, 10));
}

#[test]
fn regions_are_by_ring_by_picture_and_by_formula() {
    let region = |written: &str| {
        let text =
            format!("{RACE}region hill {written}\nlose \"hill\" any own & hill & foe.north\n");
        let file = read(&Source::new("race.senet", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
        file.definition.regions.iter().find(|one| one.name == "hill").unwrap().tiles.join(" ")
    };
    assert_eq!(region("= ring 2"), "b2 c2 b3 c3");
    assert_eq!(region("= board where rank = file"), "a1 b2 c3 d4");
    assert_eq!(region("= ring 1 where rank + file = 5 and not rank > 2"), "d1");
    assert_eq!(region("drawn {\n  x . . .\n  . . . .\n  . x . .\n  . . . .\n}"), "b2 a4");
    let wrong = told(&format!("{RACE}region hill drawn {{\n  x .\n}}\n"));
    assert!(wrong.iter().any(|(.., code, _)| *code == "drawing"), "{wrong:?}");
    let wrong = told(&format!("{RACE}region hill = board where own\n"));
    assert!(wrong.iter().any(|(.., code, _)| *code == "not-constant"), "{wrong:?}");
}

#[test]
fn games_on_graphs_and_lattices_pass_their_tests() {
    let games = [
        ("dots-and-boxes", include_str!("../../../games/dots-and-boxes.senet")),
        ("nine-mens-morris", include_str!("../../../games/nine-mens-morris.senet")),
        ("quoridor", include_str!("../../../games/quoridor.senet")),
    ];
    let shelf = Shelf(&games);
    for (name, text) in games {
        let file = read(&Source::new(name, text)).unwrap_or_else(|wrong| panic!("{wrong}"));
        file.compile(Options::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
        for trial in senet_lang::run_tests(&file, &shelf, &senet_core::Plain) {
            assert_eq!(trial.failure, None, "{name}: {}", trial.what);
        }
    }
}
