//! Chess in other words: edits of the definition that never fire change no count.

use senet_chess::{NOTATION, definition, game};
use senet_core::written::{
    BoardTile, Effect, Ending, Flag, Number, Phase, Putting, Rule, Seat, Set, Tile, Truth,
    Variable, Wanted, Way, Who,
};
use senet_core::{Definition, Game, Notation, Options, text};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

type Edit = (&'static str, fn(&mut Definition));

const EDITS: [Edit; 14] = [
    ("a tile that no relation leads to", tile_apart),
    ("a phase that never opens", closed_phase),
    ("an act that is never allowed", idle_act),
    ("a put that is never allowed", idle_put),
    ("an ending that never holds", idle_ending),
    ("a condition that always holds", needless_condition),
    ("the royal check and something that always holds", royal_check_and_always),
    ("the royal check as a count", royal_check_as_count),
    ("the royal check as not some", royal_check_as_not_some),
    ("moves and captures of queens by two rules", split_rule),
    ("a double step from where no pawn stands", idle_double_step),
    ("a variable that counts captures", captures_counted),
    ("a second flag", second_flag),
    ("the leaps of a knight in its rules", leaps_in_rules),
];

#[test]
fn edits_of_chess_that_never_fire_change_no_count() {
    let chess = game();
    let kiwipete = NOTATION.parse_position(&chess, KIWIPETE).unwrap();
    let told = text::format_position(&chess, &kiwipete);
    let wrong: Vec<String> = EDITS.iter().filter_map(|edit| miscount(*edit, &told)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What an edited game counts otherwise than chess, if anything.
fn miscount((name, edit): Edit, kiwipete: &str) -> Option<String> {
    let mut edited = definition();
    edit(&mut edited);
    let game: Game = match edited.compile(Options::default()) {
        Ok(game) => game,
        Err(errors) => return Some(format!("{name}: {errors}")),
    };
    let start = [1, 2, 3].map(|depth| game.perft(&game.start(), depth));
    let state = match text::parse_position(&game, kiwipete) {
        Ok(state) => state,
        Err(error) => return Some(format!("{name}: {error}")),
    };
    let found = (start, game.perft(&state, 2));
    (found != ([20, 400, 8_902], 2_039)).then(|| format!("{name}: {found:?}"))
}

fn rules(game: &mut Definition) -> &mut Vec<Rule> {
    &mut game.phases[0].rules
}

fn rule<'d>(game: &'d mut Definition, name: &str) -> &'d mut Rule {
    let mut rules = rules(game).iter_mut();
    rules.find(|rule| rule.name == name).expect("chess has this rule")
}

/// Replaces a rule by others.
fn replace(game: &mut Definition, name: &str, by: impl Fn(Rule) -> Vec<Rule>) {
    let rules = rules(game);
    let at = rules.iter().position(|rule| rule.name == name).expect("chess has this rule");
    let by = by(rules[at].clone());
    rules.splice(at..=at, by);
}

fn tile_apart(game: &mut Definition) {
    game.tiles.push(BoardTile::from("apart"));
}

fn closed_phase(game: &mut Definition) {
    game.variables.push(Variable::counter("open", 1));
    let open = Number::variable("open").equals(1);
    let rule = Rule::acts("resign early", "resign").then(Effect::set("resigned", 1));
    game.phases.insert(0, Phase::leaf("before play").when(open).rule(rule));
}

fn idle_act(game: &mut Definition) {
    game.actions.push("pass".into());
    let crowd = Number::pieces(Set::Board, Who::Anyone).at_least(33);
    rules(game).push(Rule::acts("pass", "pass").when(crowd).then(Effect::Turn(Seat::Next)));
}

fn idle_put(game: &mut Definition) {
    let full = Number::Count(Set::Empty).equals(0);
    let putting = Putting::of(["knight"]).onto(Set::Empty);
    rules(game).push(Rule::puts("drop", putting).when(full).then(Effect::Turn(Seat::Next)));
}

fn idle_ending(game: &mut Definition) {
    let queens = Number::pieces_of_kind(Set::Board, Who::Anyone, "queen").at_least(17);
    game.endings.insert(0, Ending::draw("too many queens").when(queens));
}

fn needless_condition(game: &mut Definition) {
    let knight = rule(game, "knight move");
    *knight = knight.clone().when(Number::Count(Set::own()).at_least(1));
}

/// Writes the closing check of every rule in other words.
fn royal_check(game: &mut Definition, check: &Truth) {
    for rule in rules(game).iter_mut().filter(|rule| matches!(rule.wants, Wanted::Move(_))) {
        rule.ensures = check.clone();
    }
}

fn in_check() -> Set {
    Set::own() & Set::Royal & Set::Attacked(Who::Foe)
}

fn royal_check_and_always(game: &mut Definition) {
    royal_check(game, &Truth::All(vec![in_check().none(), Truth::Always]));
}

fn royal_check_as_count(game: &mut Definition) {
    royal_check(game, &Number::Count(in_check()).equals(0));
}

fn royal_check_as_not_some(game: &mut Definition) {
    royal_check(game, &!in_check().any());
}

fn split_rule(game: &mut Definition) {
    replace(game, "queen move", |rule| {
        let parts = [("queen step", Set::Empty), ("queen capture", Set::foe())];
        let part = |(name, onto): (&str, Set)| {
            let mut part = Rule { name: name.into(), ..rule.clone() };
            let Wanted::Move(movement) = &mut part.wants else { unreachable!("queens move") };
            movement.onto = onto;
            part
        };
        parts.map(part).into()
    });
}

fn idle_double_step(game: &mut Definition) {
    replace(game, "pawn double step", |rule| {
        let mut more = Rule { name: "pawn double step from home".into(), ..rule.clone() };
        let Wanted::Move(movement) = &mut more.wants else { unreachable!("pawns move") };
        // A pawn never stands on the first rank of its owner.
        movement.source = Set::region_of("promotion", Seat::Next);
        vec![rule, more]
    });
}

fn captures_counted(game: &mut Definition) {
    game.variables.push(Variable::counter("captures", 30));
    let count = || Effect::add("captures", 1);
    let moves = |rule: &&mut Rule| matches!(rule.wants, Wanted::Move(_));
    for rule in rules(game).iter_mut().filter(moves) {
        let count = match rule.name.as_str() {
            "en passant" => count(),
            _ => Effect::when(Tile::To.is_in(Set::foe()), [count()]),
        };
        rule.before.insert(0, count);
    }
}

fn second_flag(game: &mut Definition) {
    game.flags.push(Flag::new("moved"));
    let knight = rule(game, "knight move");
    *knight = knight.clone().then(Effect::set_flags(Set::at(Tile::To), ["moved"]));
}

fn leaps_in_rules(game: &mut Definition) {
    let knight = game.kinds.iter_mut().find(|kind| kind.name == "knight").expect("a knight");
    let leaps = std::mem::take(&mut knight.patterns);
    replace(game, "knight move", |rule| {
        let leap = |(number, leap): (usize, &_)| {
            let mut part = Rule { name: format!("knight leap {number}"), ..rule.clone() };
            let Wanted::Move(movement) = &mut part.wants else { unreachable!("knights move") };
            movement.way = Way::Pattern(Clone::clone(leap));
            part
        };
        leaps.iter().enumerate().map(leap).collect()
    });
}
