//! Pictures against those that were looked at: SVG to the letter, PNG by its pixels, and the
//! pixels against another program's reading of the SVG.

use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};
use senet_core::Builder;
use senet_core::builder::Grid;
use senet_core::builder::Track;
use senet_core::written::{Kind, Phase, Player, Rule};
use senet_core::written::{Movement, Pattern};
use senet_core::{Definition, Event, Game, Options, State};
use senet_render::{Film, Layout, Marks, Picture, Style, Theme, ends};
use senet_testkit::{check_golden, sample};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// How far a pixel may be from another, summed over its four bytes and all pixels, on average.
const TOLERANCE: f64 = 0.6;

fn compiled(definition: Definition) -> Game {
    definition.compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A board of squares with every shape that has a name.
fn gallery() -> Game {
    let kinds = [
        "king",
        "queen",
        "rook",
        "bishop",
        "knight",
        "pawn",
        "archbishop",
        "chancellor",
        "stone",
        "dame",
        "wizard",
    ];
    let mut builder = Builder::new("gallery")
        .player(Player::new("white"))
        .player(Player::new("black"))
        .board(Grid::new(kinds.len() as u16, 2));
    for (column, kind) in (b'a'..).zip(kinds) {
        let tile = |row: u8| [format!("{}{row}", char::from(column))];
        builder = builder
            .kind(Kind::new(kind).travels(Pattern::slide("north")))
            .pieces_on("white", kind, tile(1))
            .pieces_on("black", kind, tile(2));
    }
    compiled(builder.phase(Phase::leaf("play").rule(Rule::moves("go", Movement::any()))).build())
}

/// A long track, as the game of the pharaohs has it.
fn track() -> Game {
    let builder = Builder::new("track")
        .player(Player::new("red"))
        .player(Player::new("blue"))
        .board(Track::open(30).board().prefixed("h"))
        .kind(Kind::new("dancer").travels(Pattern::step("forward")))
        .pieces_on("red", "dancer", ["h1", "h3", "h5"])
        .pieces_on("blue", "dancer", ["h2", "h4", "h12"]);
    compiled(builder.phase(Phase::leaf("play").rule(Rule::moves("go", Movement::any()))).build())
}

/// Checks a picture as SVG and as PNG.
fn check(name: &str, picture: &Picture<'_>) {
    check_golden(ROOT, &format!("{name}.svg"), &picture.svg());
    let drawn = Pixmap::decode_png(&picture.png()).expect("what is written can be read");
    let path = Path::new(ROOT).join("tests/data").join(format!("{name}.png"));
    if std::env::var_os("SENET_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, picture.png()).expect("the golden can be written");
    }
    let golden = Pixmap::load_png(&path).expect("the golden is there; SENET_BLESS=1 writes it");
    let distance = distance(&golden, &drawn);
    assert!(distance < TOLERANCE, "{name}.png is {distance} from the golden");
    let distance = self::distance(&read(&picture.svg()), &drawn);
    assert!(distance < TOLERANCE, "{name}: SVG and PNG are {distance} apart");
}

/// The pixels that resvg makes of SVG.
fn read(svg: &str) -> Pixmap {
    let mut fonts = fontdb::Database::new();
    for font in ["OpenSans-Regular.ttf", "OpenSans-Semibold.ttf"] {
        fonts.load_font_data(std::fs::read(Path::new(ROOT).join("font").join(font)).unwrap());
    }
    let options = usvg::Options { fontdb: std::sync::Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).expect("it is SVG");
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width() * 2, size.height() * 2).expect("it has a size");
    resvg::render(&tree, Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
    pixels
}

/// How far two pictures are apart: the mean difference of a byte.
fn distance(one: &Pixmap, two: &Pixmap) -> f64 {
    let sizes = [one.width().abs_diff(two.width()), one.height().abs_diff(two.height())];
    // A size that is no whole number may be rounded either way.
    assert!(sizes.iter().all(|by| *by <= 2), "{} by {}", two.width(), two.height());
    let (width, height) = (one.width().min(two.width()), one.height().min(two.height()));
    let row = |pixels: &Pixmap, y: u32| {
        let across = pixels.width() as usize * 4;
        pixels.data()[y as usize * across..][..width as usize * 4].to_vec()
    };
    let mut sum = 0;
    for y in 0..height {
        let pairs = row(one, y).into_iter().zip(row(two, y));
        sum += pairs.map(|(one, two)| u64::from(one.abs_diff(two))).sum::<u64>();
    }
    sum as f64 / f64::from(width * height * 4)
}

fn event(game: &Game, from: &str, to: &str) -> Event {
    Event::step(game.tile(from).unwrap(), game.tile(to).unwrap())
}

/// A sample at its start.
fn at_start(game: Game) -> (Game, State) {
    let start = game.start();
    (game, start)
}

#[test]
fn every_shape_is_as_it_was_seen() {
    let (game, start) = at_start(gallery());
    check("shapes", &Picture::new(&game, &start));
    check("shapes-dark", &Picture::new(&game, &start).theme(Theme::Dark));
}

#[test]
fn squares_hexagons_rings_graphs_and_tracks_are_drawn() {
    let styles = [
        (sample::skirmish(), Style::Grid),
        (sample::league(), Style::Hex),
        (sample::errand(), Style::Ring),
        (sample::dash(), Style::Graph),
        (track(), Style::Grid),
    ];
    for (game, style) in styles {
        let (game, start) = at_start(game);
        assert_eq!(Layout::of(&game).style(), style, "{}", game.name());
        check(game.name(), &Picture::new(&game, &start));
    }
}

#[test]
fn marks_lie_on_the_tiles_they_are_about() {
    let (game, start) = at_start(sample::skirmish());
    let event = event(&game, "a1", "a3");
    let told = game.explain(&start, event);
    let mut marks = Marks::default().explaining(&told);
    assert_eq!(marks.blockers, [game.tile("a2").unwrap()]);
    marks.last = vec![game.tile("d4").unwrap(), game.tile("d5").unwrap()];
    marks.targets = [game.tile("d2").unwrap(), game.tile("c4").unwrap()].into_iter().collect();
    marks.threats = game.threats(&start, game.player("black").unwrap());
    let picture = Picture::new(&game, &start).marks(marks).caption("a1a3 is refused");
    check("marks", &picture);
    check("marks-flipped", &picture.flipped(true).theme(Theme::Dark));
}

#[test]
fn boards_without_squares_are_marked_too() {
    for (game, theme) in [
        (sample::league(), Theme::Dark),
        (sample::errand(), Theme::Dark),
        (sample::dash(), Theme::Light),
    ] {
        let (game, start) = at_start(game);
        let event = game.legal(&start)[0];
        let after = game.apply(&start, event).unwrap().state;
        let mut marks = Marks::default().after(event);
        let legal = game.legal(&after);
        let legal: Vec<Event> =
            legal.into_iter().filter(|event| ends(*event).1.is_some()).collect();
        marks.arrows =
            legal.iter().filter_map(|event| Some((ends(*event).0?, ends(*event).1?))).collect();
        marks.targets = legal.iter().filter_map(|event| ends(*event).1).take(3).collect();
        marks.selected = legal.iter().find_map(|event| ends(*event).0);
        let tiles: Vec<_> = game.tiles().collect();
        marks.paths.push(tiles[tiles.len() - 3..].to_vec());
        marks.blockers.push(tiles[tiles.len() - 2]);
        let name = format!("{}-marked", game.name());
        let caption = format!("{} after the first of its moves", game.name());
        check(&name, &Picture::new(&game, &after).marks(marks).theme(theme).caption(caption));
    }
}

#[test]
fn a_flipped_board_is_the_same_board_from_the_other_side() {
    let game = sample::skirmish();
    let (layout, flipped) = (Layout::of(&game), Layout::of(&game).flipped());
    let corner = game.tile("a1").unwrap();
    let other = game.tile("e5").unwrap();
    assert_eq!(layout.place(corner), flipped.place(other));
    assert_eq!(flipped.flipped().place(corner), layout.place(corner));
}

#[test]
fn no_two_tiles_lie_in_one_place() {
    for game in sample::all().into_iter().chain([gallery(), track()]) {
        let layout = Layout::of(&game);
        let places: Vec<_> = game.tiles().map(|tile| layout.place(tile)).collect();
        for (at, one) in places.iter().enumerate() {
            let near = |two: &&senet_render::Place| (one.x - two.x).hypot(one.y - two.y) < 0.8;
            assert!(!places[..at].iter().any(|two| near(&two)), "{}", game.name());
            let (width, height) = layout.size();
            assert!((0.0..=width).contains(&one.x) && (0.0..=height).contains(&one.y));
        }
    }
}

#[test]
fn a_film_has_a_picture_for_every_moment_and_the_same_bytes_each_time() {
    let (game, start) = at_start(sample::skirmish());
    let event = event(&game, "c2", "c3");
    let after = game.apply(&start, event).unwrap().state;
    let filmed = || {
        let mut film = Film::new(Vec::new());
        film.add(&Picture::new(&game, &start), 50).unwrap();
        let marks = Marks::default().after(event);
        film.add(&Picture::new(&game, &after).marks(marks), 70).unwrap();
        film.add(&Picture::new(&game, &after).caption("higher"), 70).unwrap();
        film.finish().unwrap()
    };
    let bytes = filmed();
    assert_eq!(bytes, filmed());
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut frames = options.read_info(&bytes[..]).unwrap();
    let mut seen = Vec::new();
    while let Some(frame) = frames.read_next_frame().unwrap() {
        seen.push((frame.delay, frame.width, frame.height));
    }
    assert_eq!(seen.iter().map(|frame| frame.0).collect::<Vec<_>>(), [50, 70, 70]);
    assert!(seen[1].1 < seen[0].1 / 2, "only what changed is written again");
}

#[test]
fn a_long_board_is_drawn_in_little_memory() {
    let step = Movement::of(["man"]).by(Pattern::step("clockwise"));
    let definition = Builder::new("ring")
        .player(Player::new("white"))
        .board(Track::ring(512))
        .kind(Kind::new("man"))
        .pieces_on("white", "man", ["1"])
        .phase(Phase::leaf("play").rule(Rule::moves("go", step)))
        .build();
    let game = compiled(definition);
    let state = game.start();
    let png = Picture::new(&game, &state).png();
    let pixels = Pixmap::decode_png(&png).unwrap();
    assert!(pixels.width() as u64 * pixels.height() as u64 <= 17_000_000);
}

/// A board of six tiles in a ring, with hints about how it is drawn.
fn hinted(picture: serde_json::Value) -> Game {
    let mut definition = Builder::new("hinted")
        .player(Player::new("south"))
        .player(Player::new("north"))
        .board(Track::ring(6).board().prefixed("h"))
        .kind(Kind::new("wizard").travels(Pattern::step("clockwise")))
        .kind(Kind::new("witch").travels(Pattern::step("clockwise")))
        .pieces_on("south", "wizard", ["h1"])
        .pieces_on("north", "witch", ["h4"])
        .phase(Phase::leaf("play").rule(Rule::moves("go", Movement::any())))
        .build();
    definition.picture = serde_json::from_value(picture).expect("a picture");
    compiled(definition)
}

#[test]
fn a_game_says_which_signs_and_colours_its_pieces_have() {
    let plain = hinted(serde_json::json!({}));
    let told = hinted(serde_json::json!({
        "signs": [
            { "kind": "wizard", "sign": "♞" },
            { "kind": "witch", "sign": "Z" },
            { "kind": "witch", "player": "north", "sign": "☾" },
        ],
        "colors": [{ "player": "south", "color": "#102030" }, { "player": "north", "color": "red" }],
    }));
    let [south, north] = [0, 1].map(|at| told.players().nth(at).expect("two players"));
    let [wizard, witch] = ["wizard", "witch"].map(|name| told.kind(name).expect("a kind"));
    assert_eq!(senet_render::glyph(&plain, south, wizard), 'W');
    assert_eq!(senet_render::glyph(&told, south, wizard), '♞');
    assert_eq!(senet_render::glyph(&told, south, witch), 'Z');
    assert_eq!(senet_render::glyph(&told, north, witch), '☾');
    assert_eq!(senet_render::color(&told, south), [0x10, 0x20, 0x30]);
    let red = senet_render::color(&told, north);
    assert!(red[0] > red[1] && red[0] > red[2]);
    let horse = senet_render::piece_svg(&told, south, wizard);
    assert!(!horse.contains("<text"), "a sign with a drawing is drawn: {horse}");
    let moon = senet_render::piece_svg(&told, north, witch);
    assert!(!moon.contains('☾') && moon.contains("<text"), "the font has no moon: {moon}");
    // What is written on a dark piece is light.
    let letter = senet_render::piece_svg(&told, south, witch);
    assert!(letter.contains("#fdfbf5"), "{letter}");
}

#[test]
fn a_game_says_where_its_tiles_lie() {
    let rows = serde_json::json!([["h6", "h5", "h4"], ["h1", "", "h3"]]);
    let game = hinted(serde_json::json!({ "rows": rows, "tiles": "spots" }));
    let layout = Layout::of(&game);
    let at = |name: &str| {
        let place = layout.place(game.tile(name).expect("a tile"));
        (place.x, place.y)
    };
    assert_eq!((layout.style(), at("h6"), at("h4")), (Style::Graph, (0.5, 0.5), (2.5, 0.5)));
    assert_eq!((at("h1"), at("h3")), ((0.5, 1.5), (2.5, 1.5)));
    assert!(at("h2").1 > 2.0, "a tile that is not drawn lies below");
    let squares = hinted(serde_json::json!({ "rows": rows }));
    assert_eq!(Layout::of(&squares).style(), Style::Grid);
    let state = game.start();
    check("hinted", &Picture::new(&game, &state));
}

#[test]
fn crossings_are_lines_with_names_along_the_edges() {
    let mut definition = Builder::new("crossings")
        .player(Player::new("black"))
        .player(Player::new("white"))
        .board(Grid::new(4, 4))
        .kind(Kind::new("stone").travels(Pattern::step("north")))
        .pieces_on("black", "stone", ["b2"])
        .pieces_on("white", "stone", ["c3"])
        .phase(Phase::leaf("play").rule(Rule::moves("go", Movement::any())))
        .build();
    definition.picture =
        serde_json::from_value(serde_json::json!({ "tiles": "crossings" })).unwrap();
    let game = compiled(definition);
    let state = game.start();
    let picture = Picture::new(&game, &state);
    let svg = picture.svg();
    assert_eq!(svg.matches("<path").count(), 8, "four lines across and four down: {svg}");
    assert_eq!(svg.matches("<text").count(), 8, "four letters and four numbers");
    check("crossings", &picture);
}
