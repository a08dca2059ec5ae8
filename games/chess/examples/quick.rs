//! Quick perft.
use senet_core::*;
fn fen(game: &Game, text: &str) -> State {
    let f: Vec<&str> = text.split(' ').collect();
    let mut setup = Setup::empty(game.player(if f[1] == "w" { "white" } else { "black" }).unwrap());
    for (r, row) in f[0].split('/').enumerate() {
        let mut file = 0;
        for c in row.chars() {
            if let Some(d) = c.to_digit(10) {
                file += d as usize;
                continue;
            }
            let kind = match c.to_ascii_lowercase() {
                'p' => "pawn",
                'n' => "knight",
                'b' => "bishop",
                'r' => "rook",
                'q' => "queen",
                _ => "king",
            };
            let tile = game.tile(&format!("{}{}", (b'a' + file as u8) as char, 8 - r)).unwrap();
            let owner = game.player(if c.is_uppercase() { "white" } else { "black" }).unwrap();
            let name = game.tile_name(tile);
            let mint = match (c, name) {
                ('R', "h1") => 'K',
                ('R', "a1") => 'Q',
                ('r', "h8") => 'k',
                ('r', "a8") => 'q',
                _ => '?',
            };
            let flags =
                if f[2].contains(mint) { 1 << game.flag("mint").unwrap().index() } else { 0 };
            setup.pieces.push(Stand {
                tile,
                owner,
                kind: game.kind(kind).unwrap(),
                flags,
                piece: None,
            });
            file += 1;
        }
    }
    game.state(&setup).unwrap()
}
fn main() {
    if std::env::args().len() == 1 {
        return show();
    }
    let options = Options { move_tables: std::env::args().nth(2).is_none(), ..Options::default() };
    let t = std::time::Instant::now();
    let game = senet_chess::definition().compile(options).unwrap();
    println!("compile {:?} state {} words", t.elapsed(), game.start().words().len());
    let depth: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let cases: [(&str, [u64; 5]); 6] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            [20, 400, 8902, 197281, 4865609],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            [48, 2039, 97862, 4085603, 193690690],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            [6, 264, 9467, 422333, 15833292],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            [44, 1486, 62379, 2103487, 89941194],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            [46, 2079, 89890, 3894594, 164075551],
        ),
    ];
    for (text, counts) in cases {
        let state = fen(&game, text);
        for d in 1..=depth {
            let t = std::time::Instant::now();
            let n = game.perft(&state, d);
            let s = t.elapsed().as_secs_f64();
            println!(
                "{} d{d} {n} {} {:.2} Mnps",
                &text[..8],
                if n == counts[d as usize - 1] { "ok" } else { "WRONG" },
                n as f64 / s / 1e6
            );
        }
    }
}
#[allow(dead_code)]
fn show() {
    let game = senet_chess::game();
    let s = fen(&game, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPB1PPP/R3K2R w KQkq - 0 1");
    let e = text::parse_event(&game, &s, "e1/h1").unwrap();
    println!("{}", game.explanation_text(&game.explain(&s, e)));
    let s = fen(&game, "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1");
    let e = text::parse_event(&game, &s, "d2/f3").unwrap();
    println!("{}", game.explanation_text(&game.explain(&s, e)));
}
