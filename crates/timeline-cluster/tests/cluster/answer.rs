//! A cluster answers as one machine does.

use crate::process::{Cluster, ask_here};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn a_cluster_of_two_gives_the_answers_of_one_machine() {
    let cluster = Cluster::new("answer", 2);
    let count = "select ply, count(*) from timeline('chess', '', 4) group by ply order by ply";
    for partitions in [1, 2, 4, 8, 16] {
        let answer = cluster.ask(partitions, count).expect("it can be answered");
        assert_eq!(answer, ["1,20", "2,400", "3,8902", "4,197281"], "{partitions} partitions");
    }
    let breakdown = format!(
        "select ply, count(*), count(captured), count(*) filter (where rule = 'en passant'), \
         count(*) filter (where rule like 'castling%'), count(becomes), \
         count(*) filter (where is_check), count(*) filter (where outcome = 'checkmate') \
         from timeline('chess', '{KIWIPETE}', 3) group by ply order by ply"
    );
    let questions = [
        breakdown.as_str(),
        "select count(*) from timeline('tic-tac-toe', '', 9)",
        "select count(*), sum(paths) from positions('tic-tac-toe', '', 9)",
        "select piece, count(*), sum(legal_replies) from timeline('chess', '', 2) \
         group by piece order by piece",
        "select node, notation, position from timeline('tic-tac-toe', '', 2) order by node",
        "select round(sum(path_probability), 6), count(*) from timeline('backgammon', '', 2)",
        "select sum(legal_count(state)) from timeline('chess', '', 2) where ply = 2",
    ];
    for question in questions {
        let answer = cluster.ask(4, question).expect("it can be answered");
        assert_eq!(answer, ask_here(question), "{question}");
    }
}

#[test]
fn what_is_wrong_is_said_before_the_cluster_is_asked() {
    let cluster = Cluster::new("wrong", 1);
    let error = cluster.ask(2, "select plie from timeline('chess', '', 2)");
    assert!(error.expect_err("it is refused").message.contains("plie"));
    let error = cluster.ask(2, "select * from timeline('chess', '', 99)");
    assert!(error.expect_err("it is refused").message.contains("must be 1 to 64"));
}
