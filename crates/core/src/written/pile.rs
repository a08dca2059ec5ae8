//! Piles as variables: the same game written without piles and draws.

use super::{
    Definition, Drawing, Effect, Lot, Number, Phase, Pile, Seat, Share, Sight, Variable, Wanted,
};

/// Writes piles as variables and draws as chance. A draw that names no pile is left as it is, for
/// the compiler to report.
pub(super) fn expand_piles(definition: &mut Definition) {
    let piles = std::mem::take(&mut definition.piles);
    let players = definition.players.len() as i64;
    let held = |pile: &Pile, card: Option<&str>| -> i64 {
        let of = |name: &str| card.is_none_or(|card| card == name);
        let counts = pile.cards.iter().filter(|one| of(&one.name));
        let count: i64 = counts.map(|one| i64::from(one.count)).sum();
        if pile.share == Share::PerPlayer { count.saturating_mul(players) } else { count }
    };
    let all = |card: Option<&str>| piles.iter().map(|pile| held(pile, card)).sum::<i64>().max(1);
    for pile in &piles {
        let size = pile.cards.iter().map(|card| i64::from(card.count)).sum();
        let share = pile.share;
        let number = |name: String, max: i64, start: i64, seen_by: Sight| Variable {
            share,
            seen_by,
            ..Variable::counter(name, max).starting(start)
        };
        definition.variables.push(number(pile.name.clone(), all(None), size, Sight::Everyone));
        for card in &pile.cards {
            let (name, start) = (pile.variable(&card.name), i64::from(card.count));
            let seen_by = pile.seen_by.clone();
            definition.variables.push(number(name, all(Some(&card.name)), start, seen_by));
        }
    }
    expand_draws(&mut definition.phases, &piles);
}

fn expand_draws(phases: &mut [Phase], piles: &[Pile]) {
    for phase in phases {
        expand_draws(&mut phase.phases, piles);
        for rule in &mut phase.rules {
            let Wanted::Draw(drawing) = &rule.wants else { continue };
            let named = |name: &str| piles.iter().find(|pile| pile.name == name);
            let (Some(from), Some(to)) = (named(&drawing.from), named(&drawing.to)) else {
                continue;
            };
            let lots = from.cards.iter().map(|card| lot(&card.name, from, to, drawing));
            let lots = lots.collect();
            if rule.seen_by == Sight::Everyone {
                rule.seen_by = seen(to, drawing);
            }
            rule.wants = Wanted::Chance(lots);
        }
    }
}

/// Who sees a card that is added to a pile.
fn seen(pile: &Pile, drawing: &Drawing) -> Sight {
    match (&pile.seen_by, &drawing.of) {
        (Sight::Owner, Seat::Mover) => Sight::Owner,
        (Sight::Owner, Seat::Player(name)) => Sight::Player(name.clone()),
        // The owner sees the card in the pile all the same.
        (Sight::Owner, _) => Sight::Nobody,
        (sight, _) => sight.clone(),
    }
}

fn lot(card: &str, from: &Pile, to: &Pile, drawing: &Drawing) -> Lot {
    let (source, target) = (from.variable(card), to.variable(card));
    let add = |variable: &str, of: &Seat, by: i64| {
        let by = Number::Is(by);
        Effect::Add { variable: variable.to_owned(), of: of.clone(), by }
    };
    let mover = Seat::Mover;
    Lot {
        name: card.to_owned(),
        weight: Number::variable(&source),
        then: vec![
            add(&source, &mover, -1),
            add(&from.name, &mover, -1),
            add(&target, &drawing.of, 1),
            add(&to.name, &drawing.of, 1),
        ],
    }
}
