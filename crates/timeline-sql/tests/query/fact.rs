//! Facts that others have published, out of SQL.

use crate::session::{KIWIPETE, ask, ask_with};

/// The columns of the published tables: nodes, captures, en passants, castles, promotions, checks
/// and mates by ply.
fn breakdown(position: &str, depth: u32) -> Vec<String> {
    let question = format!(
        "select ply, count(*), count(captured), count(*) filter (where rule = 'en passant'), \
         count(*) filter (where rule like 'castling%'), count(becomes), \
         count(*) filter (where is_check), count(*) filter (where outcome = 'checkmate') \
         from timeline('chess', '{position}', {depth}) group by ply order by ply"
    );
    ask(&question).expect("it can be answered")
}

#[test]
fn the_published_breakdown_of_the_start_comes_out_of_sql() {
    let expected = [
        "1,20,0,0,0,0,0,0",
        "2,400,0,0,0,0,0,0",
        "3,8902,34,0,0,0,12,0",
        "4,197281,1576,0,0,0,469,8",
        "5,4865609,82719,258,0,0,27351,347",
    ];
    assert_eq!(breakdown("", 5), expected);
}

#[test]
fn the_published_breakdown_of_kiwipete_comes_out_of_sql() {
    let expected = [
        "1,48,8,0,2,0,0,0",
        "2,2039,351,1,91,0,3,0",
        "3,97862,17102,45,3162,0,993,1",
        "4,4085603,757163,1929,128013,15172,25523,43",
    ];
    assert_eq!(breakdown(KIWIPETE, 4), expected);
}

#[test]
fn rows_are_counted_alike_in_any_number_of_threads() {
    let question = "select ply, count(*) from timeline('chess', '', 4) group by ply order by ply";
    let one = ask_with(1, question).expect("it can be answered");
    assert_eq!(one, ["1,20", "2,400", "3,8902", "4,197281"]);
    for threads in [2, 4, 8, 16] {
        assert_eq!(ask_with(threads, question).as_ref(), Ok(&one));
    }
    let all = "select count(*) from timeline('tic-tac-toe', '', 9)";
    assert_eq!(ask(all).expect("it can be answered"), ["549945"]);
}

#[test]
fn distinct_positions_are_the_published_ones() {
    let ttt = "select count(*), sum(paths) from positions('tic-tac-toe', '', 9)";
    assert_eq!(ask(ttt).expect("it can be answered"), ["5477,549945"]);
    let chess = "select ply, count(*) from positions('chess', '', 3) group by ply order by ply";
    assert_eq!(ask(chess).expect("it can be answered"), ["1,20", "2,400", "3,5362"]);
    let same = "select count(distinct position) from timeline('chess', '', 3) where ply = 3";
    assert_eq!(ask(same).expect("it can be answered"), ["5362"]);
}

#[test]
fn the_rolls_of_backgammon_have_their_probabilities() {
    let question = "select count(*), round(sum(path_probability), 9) \
         from timeline('backgammon', '', 1) where probability is not null";
    let answer = ask(question).expect("it can be answered");
    assert!(answer[0].ends_with(",1.0"), "{answer:?}");
}

#[test]
fn a_filter_on_the_ply_bounds_the_depth() {
    let question = "select count(*) from timeline('chess', '', 60) where ply <= 2";
    assert_eq!(ask(question).expect("it can be answered"), ["420"]);
    let some = "select notation from timeline('chess', '', 60) limit 1";
    assert_eq!(ask(some).expect("it can be answered").len(), 1);
}
