//! Functions over states.

use crate::session::{KIWIPETE, ask};

#[test]
fn successors_can_be_unnested_ply_by_ply() {
    let question = "with one as (select unnest(successors(state_of('chess', ''))) as state), \
         two as (select unnest(successors(state)) as state from one) \
         select count(*), sum(legal_count(state)) from two";
    assert_eq!(ask(question).expect("it can be answered"), ["400,8902"]);
}

#[test]
fn a_state_can_be_asked() {
    let one = |expression: &str| {
        let question =
            format!("select {expression} from (select state_of('chess', '{KIWIPETE}') as state)");
        let answer = ask(&question).expect("it can be answered");
        answer.join("\n")
    };
    assert_eq!(one("legal_count(state)"), "48");
    assert_eq!(one("position_text(state)"), KIWIPETE);
    assert_eq!(one("player_to_move(state)"), "white");
    assert_eq!(one("is_check(state)"), "false");
    assert_eq!(one("outcome(state) is null"), "true");
    assert_eq!(one("perspective(state, 'e5')"), "self");
    assert_eq!(one("perspective(state, 'e5', 'black')"), "foe");
    assert_eq!(one("perspective(state, 'e4') || perspective(state, 'd6')"), "selfempty");
    assert_eq!(one("attackers(state, 'f7', 'white')"), "e5");
    assert_eq!(one("attackers(state, 'f7')"), "e5 e7 e8");
    assert_eq!(one("threatened(state, 'white') is null"), "true");
    assert_eq!(one("position_text(after(state, 'O-O')) like '%R4RK1 b kq%'"), "true");
}
