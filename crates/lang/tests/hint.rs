//! How games are drawn and weighed: what files say beside the rules.

use senet_core::Options;
use senet_core::written::{TileLook, Tint};
use senet_lang::{GameFile, Problems, Reading, Shelf, Source, format, read, read_json, read_with};

const RACE: &str = "\
game race
players white facing north, black facing south
board grid 2 x 3
piece man M: step north
piece tower T: slide orthogonal
setup white man a1, black tower b3
variable stake 0..9
rule go: move
win \"home\" any own & row 3
";

fn file(text: &str) -> GameFile {
    read(&Source::new("race.senet", text)).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn wrong(lines: &str) -> String {
    let told = |problems: Problems| problems.to_string();
    match read(&Source::new("race.senet", format!("{RACE}{lines}"))) {
        Ok(file) => file.compile(Options::default()).map(drop).map_err(told),
        Err(problems) => Err(told(problems)),
    }
    .expect_err("it is wrong")
}

#[test]
fn a_file_says_how_it_is_drawn() {
    let text = format!(
        "{RACE}picture man \"●\", tower of black \"♜\", colour white \"#c2402f\", colour black blue\n\
         picture tiles spots {{\n  b3 . a3\n  b2 b1 a1\n}}\n"
    );
    let picture = file(&text).definition.picture;
    let signs: Vec<(&str, Option<&str>, char)> = { picture.signs.iter() }
        .map(|one| (one.kind.as_str(), one.player.as_deref(), one.sign))
        .collect();
    assert_eq!(signs, [("man", None, '●'), ("tower", Some("black"), '♜')]);
    let tint = |player: &str, color: &str| Tint { player: player.into(), color: color.into() };
    assert_eq!(picture.colors, [tint("white", "#c2402f"), tint("black", "blue")]);
    assert_eq!(picture.tiles, Some(TileLook::Spots));
    assert_eq!(picture.rows, [["b3", "", "a3"], ["b2", "b1", "a1"]]);
    assert_eq!(format(&text).unwrap(), text);
}

#[test]
fn tables_are_drawn_as_the_first_player_sees_the_board() {
    let text = format!(
        "{RACE}weights man 100 early {{\n  5 6\n  3 4\n  1 -2\n}}, tempo 7, mobility 3, stake stake\n\
         weights swing 250, tower 450\n"
    );
    let weights = file(&text).definition.weights.expect("it has weights");
    assert_eq!((weights.tempo, weights.mobility, weights.swing), (7, 3, Some(250)));
    assert_eq!(weights.stake.as_deref(), Some("stake"));
    let man = &weights.kinds[0];
    assert_eq!(
        (man.kind.as_str(), man.worth, &man.early[..]),
        ("man", Some(100), &[5, 6, 3, 4, 1, -2][..])
    );
    let seen = |at: usize| weights.views[at].tiles.join(" ");
    assert_eq!(seen(0), "a3 b3 a2 b2 a1 b1");
    assert_eq!(seen(1), "a1 b1 a2 b2 a3 b3", "black faces south");
}

#[test]
fn pictures_and_weights_change_no_hash_and_are_part_of_json() {
    let plain = file(RACE).definition;
    let told = file(&format!("{RACE}picture man \"●\"\nweights man 100\n")).definition;
    assert_ne!(plain, told);
    assert_eq!(plain.hash(), told.hash());
    let json = serde_json::to_vec(&told).unwrap();
    assert_eq!(read_json(&json).unwrap(), told);
    let slip = String::from_utf8(json).unwrap().replace("\"worth\":100", "\"wroth\":100");
    let wrong = &read_json(slip.as_bytes()).unwrap_err()[0];
    assert_eq!(
        (wrong.path.as_str(), wrong.near.as_deref()),
        ("/weights/kinds/0/wroth", Some("worth"))
    );
    let game = told.compile(Options::default()).unwrap();
    assert_eq!(
        game.definition_hash(),
        plain.compile(Options::default()).unwrap().definition_hash()
    );
}

#[test]
fn what_is_wrong_with_pictures_and_weights_is_told_in_its_place() {
    assert!(
        wrong("picture men \"●\"\n").contains("race.senet:10:9: there is no piece named `men`")
    );
    assert!(wrong("picture man \"xy\"\n").contains("race.senet:10:13: the sign of a piece is one"));
    assert!(wrong("picture colour white rad\n").contains("race.senet:10:22: `rad` is no colour"));
    assert!(wrong("picture colour grey red\n").contains("race.senet:10:16: there is no player"));
    assert!(wrong("picture tiles spot\n").contains("did you mean `spots`"));
    assert!(wrong("picture tiles {\n  a1 a9\n}\n").contains("race.senet:11:6: "));
    assert!(wrong("picture tiles {\n  a1 a1\n}\n").contains("a second tile is named `a1`"));
    let short = wrong("weights man 100 early {1 2 3}\n");
    assert!(short.contains("race.senet:10:17: "), "{short}");
    assert!(short.contains("found 3 entries, expected 6"), "{short}");
    assert!(wrong("weights men 5\n").contains("race.senet:10:9: there is no piece named `men`"));
    assert!(wrong("weights man\n").contains("expected what the piece counts"));
    assert!(wrong("weights stake steak\n").contains("no variable is named `steak`"));
    assert!(wrong("weights man 99999999999\n").contains("the number 99999999999 is too great"));
}

#[test]
fn a_variant_keeps_what_its_game_says_unless_the_board_is_another() {
    let base = format!(
        "{RACE}picture man \"●\", tiles spots\nweights man 100 early {{1 2 3 4 5 6}}, tempo 4\n"
    );
    let shelf = [("race", base.as_str())];
    let variant = |lines: &str| {
        let source = Source::new("other.senet", format!("game other is race\n{lines}"));
        let reading = Reading { library: &Shelf(&shelf), settings: Default::default() };
        read_with(&source, &reading).unwrap_or_else(|wrong| panic!("{wrong}")).definition
    };
    let same = variant("weights tempo 9\n");
    assert_eq!(same.picture, file(&base).definition.picture);
    let weights = same.weights.expect("it has those of its game");
    assert_eq!((weights.tempo, weights.kinds.len()), (9, 1));
    let wide = variant("board grid 4 x 3\nsetup white man a1, black tower b3\n");
    assert_eq!((wide.picture.signs.len(), wide.picture.tiles), (1, None));
    assert_eq!(wide.weights, None);
    let plain = variant("without weights, picture\n");
    assert_eq!((plain.weights, plain.picture), (None, Default::default()));
}

#[test]
fn one_statement_lists_several_of_a_sort() {
    let apart = "\
game list
players a, b
board grid 4 x 4
tiles x, y
link x east y
link y west x
region one = {a1}
region two(a) = rank 1
region two(b) = rank 4
piece man
piece dog
setup a man a2, b dog b3
flag tired
flag ill
mark hot
mark cold on {b2}
variable n 0..9
variable m 1..3 start 2 each
let four = 4
let near(s) = s.around
rule go: move man step north to empty & near(own) then n += four; m += 1; mark one as hot, cold
rule rest: move dog step south then flag to as tired, ill
rule wait: pass
win \"two\" any two & own & (tired | ill)
draw \"late\" n = 9
";
    let together = "\
game list
players a, b
board grid 4 x 4
tiles x, y
link x east y, y west x
region one = {a1}, two(a) = rank 1, two(b) = rank 4
piece man, dog
setup a man a2, b dog b3
flag tired, ill
mark hot, cold on {b2}
variable n 0..9, m 1..3 start 2 each
let four = 4, near(s) = s.around
rule go: move man step north to empty & near(own) then n += four; m += 1; mark one as hot, cold
rule rest: move dog step south then flag to as tired, ill
rule wait: pass
win \"two\" any two & own & (tired | ill)
draw \"late\" n = 9
";
    assert_eq!(format(together).unwrap(), together);
    assert_eq!(file(apart).definition, file(together).definition);
    let shelf = [("list", apart)];
    let variant = |lines: &str| {
        let source = Source::new("other.senet", format!("game other is list\n{lines}"));
        let reading = Reading { library: &Shelf(&shelf), settings: Default::default() };
        read_with(&source, &reading).unwrap_or_else(|wrong| panic!("{wrong}")).definition
    };
    let one = variant("without rule go, rest, ending \"two\", flag tired, ill, weights\n");
    let other = variant(
        "without rule go\nwithout rule rest\nwithout ending \"two\"\nwithout flag tired\nwithout flag ill\n",
    );
    assert_eq!(one, other);
    assert_eq!(one.phases[0].rules.len(), 1);
}
