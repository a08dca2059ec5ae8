//! The chess engine protocol over pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use crate::senet::{command, feed};

/// What comes out when this is typed and input then ends.
fn talk(input: &str) -> String {
    feed(&["uci"], input.as_bytes()).done()
}

fn last(output: &str) -> &str {
    output.lines().last().unwrap_or_default()
}

/// An engine that is talked to line by line.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Engine {
        let mut command = command(&["uci"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Engine { child, input, output: BufReader::new(output) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Reads until a line begins so.
    fn wait(&mut self, start: &str) -> String {
        let mut line = String::new();
        while self.output.read_line(&mut line).unwrap() > 0 {
            if line.starts_with(start) {
                return line.trim().to_owned();
            }
            line.clear();
        }
        panic!("the engine ended before it said {start}");
    }

    fn end(mut self) {
        self.input = None;
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn it_introduces_itself_and_is_ready() {
    let said = talk("uci\nisready\n");
    assert!(said.starts_with("id name Senet"), "{said}");
    assert!(said.contains("option name Hash type spin"), "{said}");
    assert!(said.ends_with("uciok\nreadyok\n"), "{said}");
}

#[test]
fn a_depth_is_searched_with_a_line_for_each_and_a_best_move() {
    let said = talk("position startpos moves e2e4 e7e5\ngo depth 4\n");
    for depth in 1..=4 {
        assert!(said.contains(&format!("info depth {depth} score cp ")), "{said}");
    }
    assert!(said.contains(" nps ") && said.contains(" pv "), "{said}");
    assert!(last(&said).starts_with("bestmove "), "{said}");
}

#[test]
fn the_same_search_says_the_same() {
    let best = || last(&talk("position startpos moves d2d4\ngo nodes 20000\n")).to_owned();
    assert_eq!(best(), best());
}

#[test]
fn mates_are_told_in_moves_and_for_both_sides() {
    let fen = "position fen 4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16";
    let said = talk(&format!("{fen}\ngo mate 2\n"));
    assert!(said.contains("score mate 2 "), "{said}");
    assert_eq!(last(&said), "bestmove b3b8 ponder d7b8");
    let said = talk(&format!("{fen} moves b3b8\ngo depth 3\n"));
    assert!(said.contains("score mate -1 "), "{said}");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mated = "position startpos moves f2f3 e7e5 g2g4 d8h4";
    assert!(talk(&format!("{mated}\ngo depth 3\n")).ends_with("mate 0\nbestmove (none)\n"));
    let stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert!(talk(&format!("{stalemate}\ngo depth 3\n")).ends_with("cp 0\nbestmove (none)\n"));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let said = talk("go depth 3 searchmoves a2a3 h2h4\n");
    let best = last(&said);
    assert!(best.starts_with("bestmove a2a3") || best.starts_with("bestmove h2h4"), "{said}");
}

#[test]
fn trees_are_counted() {
    let said = talk("go perft 3\n");
    assert!(said.contains("e2e4: 600\n") && said.contains("Nodes searched: 8902\n"), "{said}");
}

#[test]
fn the_count_of_a_tree_is_stopped() {
    let mut engine = Engine::start();
    engine.say("go perft 30\nisready");
    engine.wait("readyok");
    let start = Instant::now();
    engine.say("stop");
    assert!(engine.wait("info string ").ends_with("perft 30: stopped before the end"));
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    engine.say("go perft 2\nposition startpos moves e2e4\nd");
    engine.wait("Nodes searched: 400");
    engine.wait("fen ");
    engine.end();
}

#[test]
fn castling_of_chess960_is_king_takes_rook() {
    let said = talk(
        "setoption name UCI_Chess960 value true\n\
         position fen 4k3/8/8/8/8/8/8/R3K2R w HA - 0 1\n\
         go perft 1\nposition fen 4k3/8/8/8/8/8/8/R3K2R w HA - 0 1 moves e1h1\nd\n",
    );
    assert!(said.contains("e1h1: 1\n") && said.contains("e1a1: 1\n"), "{said}");
    assert!(said.contains("fen 4k3/8/8/8/8/8/8/R4RK1 b"), "{said}");
}

#[test]
fn variants_are_played() {
    let said = talk(
        "setoption name UCI_Variant value atomic\nposition startpos moves g1f3 e7e5 f3g5 d7d6\n\
         go depth 3\n",
    );
    assert_eq!(last(&said).split(' ').nth(1), Some("g5f7"), "{said}");
}

#[test]
fn bad_lines_are_told_and_passed_over() {
    let mut input = b"hello\nposition startpos moves e2e5\nposition fen nonsense\n".to_vec();
    input.extend(b"position\nsetoption name Hash value many\nsetoption name Nothing\n\xff\xfe\n");
    input.extend(b"setoption name UCI_Variant value go\nsetoption\ngo depth x nodes\nstop\n");
    input.extend(vec![b'a'; 1 << 20]);
    input.extend(b"\nposition startpos moves e2e4 e9\nd\nisready\n");
    let said = feed(&["uci"], &input).done();
    let told = said.lines().filter(|line| line.starts_with("info string ")).count();
    assert!(told >= 9, "{said}");
    assert!(said.contains("info string e2e5 is refused"), "{said}");
    assert!(said.contains("the line is too long"), "{said}");
    assert!(said.contains("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"), "nothing changed");
    assert!(said.ends_with("readyok\n"), "{said}");
}

#[test]
fn a_search_that_has_no_time_tells_its_score_all_the_same() {
    for limit in ["nodes 1", "movetime 1", "wtime 1 btime 1"] {
        let said = talk(&format!("position startpos moves e2e4\ngo {limit}\n"));
        assert!(said.contains(" score "), "{limit}: {said}");
        assert!(last(&said).starts_with("bestmove "), "{limit}: {said}");
    }
}

#[test]
fn an_endless_search_is_ready_and_stops_at_once() {
    let mut engine = Engine::start();
    engine.say("go infinite");
    engine.wait("info depth 4");
    engine.say("isready");
    engine.wait("readyok");
    let start = Instant::now();
    engine.say("stop");
    assert!(engine.wait("bestmove ").len() > 12);
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    engine.say("position startpos moves e2e4\ngo movetime 100");
    let start = Instant::now();
    engine.wait("bestmove ");
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    engine.end();
}

#[test]
fn an_endless_search_that_knows_all_waits_for_stop() {
    let mut engine = Engine::start();
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo infinite");
    engine.wait("info depth 1 score mate 1 ");
    engine.say("isready");
    engine.wait("readyok");
    engine.say("stop");
    assert_eq!(engine.wait("bestmove "), "bestmove a1a8");
    engine.end();
}

#[test]
fn pondering_ends_by_its_own_clock_once_the_move_was_played() {
    let mut engine = Engine::start();
    engine.say("position startpos moves e2e4 e7e5\ngo ponder wtime 300 btime 300");
    engine.wait("info depth 3 ");
    engine.say("ponderhit");
    engine.wait("bestmove ");
    engine.end();
}

#[test]
fn the_end_of_input_ends_a_search_too() {
    let start = Instant::now();
    for go in ["go infinite", "go movetime 3600000", "go wtime 9000000 btime 9000000"] {
        let said = talk(&format!("{go}\n"));
        assert!(last(&said).starts_with("bestmove "), "{said}");
    }
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(feed(&["uci"], b"go infinite\nquit\n").code, 0);
}

#[test]
fn more_threads_find_a_move_too() {
    let said = talk("setoption name Threads value 2\ngo depth 5\n");
    assert!(said.contains("info depth 5 ") && last(&said).starts_with("bestmove "), "{said}");
}

#[test]
fn a_refused_position_is_not_searched_as_the_one_before() {
    let script = b"position startpos moves e2e4\nposition fen nonsense\ngo depth 1\nquit\n";
    let shown = feed(&["uci"], script).done();
    assert!(shown.contains("info string there is no position to search"), "{shown}");
    assert!(shown.ends_with("bestmove 0000\n"), "{shown}");
}

#[test]
fn several_lines_are_told_the_best_first() {
    let said = talk("setoption name MultiPV value 3\nposition startpos moves e2e4\ngo depth 3\n");
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("info depth 3 ")).collect();
    assert_eq!(lines.len(), 3, "{said}");
    let after = |line: &str, word: &str| {
        let mut words = line.split(' ').skip_while(|one| *one != word);
        words.nth(1).unwrap_or_default().to_owned()
    };
    let values: Vec<i32> = lines.iter().map(|line| after(line, "cp").parse().unwrap()).collect();
    assert!(values.is_sorted_by(|one, two| one >= two), "{said}");
    let moves: Vec<String> = lines.iter().map(|line| after(line, "pv")).collect();
    assert!(moves[0] != moves[1] && moves[1] != moves[2] && moves[0] != moves[2], "{said}");
    assert!(last(&said).starts_with(&format!("bestmove {}", moves[0])), "{said}");
    // There are never more lines than moves.
    let said = talk(
        "setoption name MultiPV value 500\nposition fen 7k/8/8/8/8/8/8/K7 w - - 0 1\ngo depth 2\n",
    );
    assert!(said.contains("multipv 3 ") && !said.contains("multipv 4 "), "{said}");
    let said = talk("setoption name MultiPV value 2\ngo depth 2 searchmoves a2a3 h2h3\n");
    assert!(said.contains(" pv a2a3") && said.contains(" pv h2h3"), "{said}");
}

#[test]
fn strength_is_limited_on_demand() {
    let introduced = talk("uci\n");
    let elo = introduced.lines().find(|line| line.contains("UCI_Elo")).unwrap();
    let range = elo.split_once(" min ").unwrap().1;
    let (least, most) = range.split_once(" max ").unwrap();
    let limit = format!(
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {least}\n"
    );
    let said = talk(&format!("{limit}position startpos\ngo movetime 2000\n"));
    let deepest = said.lines().filter_map(|line| line.strip_prefix("info depth ")).next_back();
    let depth: u32 = deepest.and_then(|line| line.split(' ').next()?.parse().ok()).unwrap();
    assert!(depth <= 2, "the weakest level looks at few positions: {said}");
    let said = talk("setoption name UCI_Elo value 5\nsetoption name UCI_LimitStrength value x\n");
    let wanted = format!("`5` is not a number from {least} to {most}");
    assert!(said.contains(&wanted), "{said}");
    assert!(said.contains("`x` is neither true nor false"), "{said}");
    let said = introduced;
    for option in ["MultiPV type spin", "UCI_LimitStrength type check", "UCI_Elo type spin"] {
        assert!(said.contains(&format!("option name {option} default ")), "{said}");
    }
}
