//! Positions as XGID, as gnubg's IDs and as JSON.

use senet_backgammon::position::{Offer, Position, Side, Win};
use senet_backgammon::{NOTATION, game, gnubg, object, xgid};
use senet_core::Notation;
use senet_core::notation::PositionError;

const START: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";

fn kinds(error: &PositionError) -> Vec<&str> {
    error.reasons.iter().map(|reason| reason.kind.as_str()).collect()
}

fn xgid(text: &str) -> Position {
    xgid::parse(text, 15).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// XGIDs and what gnubg 1.07 gives for them.
const PAIRS: [(&str, &str); 9] = [
    ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10", "4HPwATDgc/ABMA:cImlAAAAAAAE"),
    ("-a----E-C---eE---c-e-a--B-:0:0:1:00:1:2:0:5:10", "yOfgAyDgc/ABMA:cAmgACAACAAE"),
    ("-a----E-C---eE---c-e-a--B-:0:0:1:D:1:2:0:5:10", "yOfgAyDgc/ABMA:cBGgACAACAAE"),
    ("-a----E-C---eE---c-e-a--B-:1:-1:1:00:1:2:0:5:10", "yOfgAyDgc/ABMA:QQmgACAACAAE"),
    ("-b----E-C---eE---c-e----B-:0:0:1:00:2:4:1:5:10", "4HPwATDgc/ABMA:8AmgAEAAEAAE"),
    ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10", "4HPwATDgc/ABMA:cAkAAAAAAAAA"),
    ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA:cAkAAAAAAAAE"),
    (
        "-a----E-C---eE---c-e-a--B-:1:-1:1:00:1:2:0:5:10 resign=gammon",
        "yOfgAyDgc/ABMA:QUGgACAACAAE",
    ),
    ("-a----E-C---eE---c-e-a--B-:1:-1:1:B:0:0:3:0:10", "yOfgAyDgc/ABMA:QRkAAAAAAAAA"),
];

#[test]
fn an_xgid_and_the_ids_of_gnubg_say_the_same() {
    for (one, two) in PAIRS {
        let position = xgid(one);
        assert_eq!(gnubg::format(&position), two, "{one}");
        assert_eq!(xgid::format(&position), format!("XGID={one}"));
        let back = gnubg::parse(two, 15).unwrap();
        assert_eq!(Position { beavers: position.beavers, ..back }, position, "{two}");
    }
}

#[test]
fn gnubg_numbers_the_points_of_the_player_on_roll() {
    // After 65 played 24/18 13/8 from the second pair, O on roll.
    let position = gnubg::parse("4PPgQSDI5+ADIA:MAGgACAACAAE", 15).unwrap();
    assert_eq!(position.turn, Side::Black);
    assert_eq!(position.half(Side::White).points[17], 1);
    assert_eq!(position.half(Side::Black).points[3], 1);
    let doubled = gnubg::parse("4PPgQSDI5+ADIA:MBmgACAACAAE", 15).unwrap();
    assert_eq!(doubled.offer, Some(Offer::Double));
    let raccoon = gnubg::parse("yOfgAyDgc/ABMA:QhEAAAAAAAAA", 15).unwrap();
    assert_eq!(raccoon.offer, Some(Offer::Raccoon));
    assert_eq!(gnubg::match_id(&raccoon), "QhEAAAAAAAAA");
    let resigned = gnubg::parse("yOfgAyDgc/ABMA:QUGgACAACAAE", 15).unwrap();
    assert_eq!(resigned.offer, Some(Offer::Resignation(Side::White, Win::Gammon)));
}

#[test]
fn an_xgid_may_be_written_loosely() {
    let start = xgid(START);
    for text in [
        "xgid=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        " -b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0 ",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:0:0:0:0:0:10",
    ] {
        assert_eq!(xgid(text), start, "{text}");
    }
    assert_eq!(xgid::format(&start), START);
}

#[test]
fn every_mistake_of_an_xgid_is_named() {
    let wrong = |text: &str| {
        let error = xgid::parse(text, 15).err().unwrap_or_else(|| panic!("{text} is read"));
        assert!(error.reasons.iter().all(|reason| !reason.message.is_empty()));
        kinds(&error).into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let with = |fields: &str| wrong(&format!("-b----E-C---eE---c-e----B-:{fields}"));
    assert_eq!(with("0:0:1:71:0:0:0:0:10"), ["bad die"]);
    assert_eq!(
        with("11:2:3:07:x:0:9:0:10"),
        ["bad cube", "bad cube owner", "bad turn", "bad die", "bad score", "bad rules"]
    );
    assert_eq!(with("0:0:1:00:5:0:0:5:10"), ["bad score"]);
    assert_eq!(with("0:0:1:00:1:0:1:5:10"), ["impossible crawford game"]);
    assert_eq!(with("0:0:1:00"), ["missing field"; 4]);
    assert_eq!(with("0:0:1:00:0:0:0:0:10:7"), ["extra field"]);
    assert_eq!(with("0:0:1:00:0:0:0:0:10 hello"), ["unknown word"]);
    let rest = ":0:0:1:00:0:0:0:0:10";
    assert_eq!(wrong(&format!("-b----F-C---eE---c-e----B-{rest}")), ["too many checkers"]);
    assert_eq!(wrong(&format!("-b----P-----------------B-{rest}")), ["too many checkers"]);
    assert_eq!(wrong(&format!("Ab----E-C---eE---c-e----B-{rest}")), ["wrong side on the bar"]);
    assert_eq!(wrong(&format!("-b----E-C---eE---c-e----Bb{rest}")), ["wrong side on the bar"]);
    assert_eq!(wrong(&format!("-b----E-C---eE---c-e----?-{rest}")), ["unknown letter"]);
    assert_eq!(wrong(&format!("-b----E-C---eE---c-e----{rest}")), ["wrong number of points"]);
    assert_eq!(wrong(&format!("--------------------------{rest}")), ["both sides off"]);
}

#[test]
fn a_damaged_id_of_gnubg_is_named() {
    let wrong = |text: &str| kinds(&gnubg::parse(text, 15).unwrap_err()).join(", ");
    assert_eq!(wrong("4HPwATDgc/ABM"), "damaged id");
    assert_eq!(wrong("4HPwATDgc/AB!A"), "damaged id");
    assert_eq!(wrong("4HPwATDgc/ABMB"), "damaged id");
    assert_eq!(wrong("//////////////"), "damaged id");
    assert_eq!(wrong("4HPwATDgc/ABMA:cImlAAAAAA"), "damaged id");
    assert_eq!(wrong("4HPwATDgc/ABMA:cImlAAAAAAAE:x"), "extra field");
    assert_eq!(wrong(""), "damaged id");
    // A die of 7, and a cube owner of 2.
    assert_eq!(wrong("4HPwATDgc/ABMA:cIm/AAAAAAAE"), "bad die");
    assert_eq!(wrong("4HPwATDgc/ABMA:YAkAAAAAAAAE"), "bad cube owner");
    // Sixteen checkers of X; there is room for them where O has borne one off.
    let mut position = xgid(START);
    position.half_mut(Side::Black).points[5] -= 1;
    position.half_mut(Side::White).points[5] += 1;
    assert_eq!(wrong(&gnubg::position_id(&position)), "too many checkers");
    let mut position = xgid(START);
    position.half_mut(Side::White).points[5] -= 1;
    position.half_mut(Side::White).points[0] += 1;
    assert_eq!(wrong(&gnubg::position_id(&position)), "both sides on a point");
}

#[test]
fn an_object_is_seen_from_the_mover() {
    let text = r#"{"points":[-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2],
        "bar":[0,0],"off":[0,0],"dice":[3,1]}"#;
    let position = object::parse(text, 15).unwrap();
    assert_eq!(position, Position { dice: Some([3, 1]), ..xgid(START) });
    let black = text.replace('{', r#"{"player":"black","cube":4,"owner":"opponent","#);
    let black = object::parse(&black, 15).unwrap();
    assert_eq!(black.turn, Side::Black);
    assert_eq!(black.cube.owner, Some(Side::White));
    assert_eq!(object::parse(&object::format(&black), 15).unwrap(), black);
}

#[test]
fn every_mistake_of_an_object_is_named() {
    let wrong = |text: &str| {
        let error = object::parse(text, 15).err().unwrap_or_else(|| panic!("{text} is read"));
        kinds(&error).into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let points = r#""points":[-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2]"#;
    let with = |more: &str| wrong(&format!("{{{points},{more}}}"));
    assert_eq!(with(r#""dice":[7,1]"#), ["bad die"]);
    assert_eq!(with(r#""dice":[3,1,2]"#), ["bad die"]);
    assert_eq!(with(r#""dice":"31""#), ["bad die"]);
    assert_eq!(with(r#""cube":3"#), ["bad cube"]);
    assert_eq!(with(r#""bar":[-1,0]"#), ["negative count"]);
    assert_eq!(with(r#""off":[1,0]"#), ["too many checkers"]);
    assert_eq!(with(r#""bar":[1]"#), ["bad bar"]);
    assert_eq!(with(r#""colour":1"#), ["unknown field"]);
    assert_eq!(with(r#""length":5,"score":[5,0]"#), ["bad score"]);
    assert_eq!(wrong(r#"{"bar":[0,0]}"#), ["missing field"]);
    assert_eq!(wrong(r#"{"points":[1,2]}"#), ["wrong number of points"]);
    assert_eq!(wrong("{"), ["no JSON"]);
    let off = r#"{"points":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"off":[0,0]}"#;
    assert_eq!(wrong(off), ["too few checkers", "too few checkers", "both sides off"]);
}

#[test]
fn a_game_reads_every_form_and_writes_xgid() {
    let game = game();
    let plain = NOTATION.parse_position(&game, START).unwrap();
    for text in [
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:cAkAAAAAAAAE",
        "GNUBGID=4HPwATDgc/ABMA:cAkAAAAAAAAE",
        r#"{"points":[-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2]}"#,
    ] {
        let read = NOTATION.parse_position(&game, text).unwrap();
        assert_eq!(NOTATION.format_position(&game, &read), START, "{text}");
        assert_eq!(read, plain);
    }
    for form in NOTATION.forms() {
        let text = NOTATION.format_as(&game, &plain, form).unwrap();
        let read = NOTATION.parse_position(&game, &text).unwrap();
        assert_eq!(read.hash128(), plain.hash128(), "{text}");
    }
    let start = game.start();
    assert_eq!(NOTATION.format_position(&game, &start), format!("{START} opening"));
    let read = NOTATION.parse_position(&game, &format!("{START} opening")).unwrap();
    assert_eq!(read.hash128(), start.hash128());
    let raccoon = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:R:0:0:3:0:10";
    assert_eq!(kinds(&NOTATION.parse_position(&game, raccoon).unwrap_err()), ["raccoon"]);
    let long = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5000:10";
    let error = NOTATION.parse_position(&game, long).unwrap_err();
    assert_eq!(kinds(&error), ["variable out of bounds"]);
}
