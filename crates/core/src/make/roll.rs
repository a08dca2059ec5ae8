//! Rolls where the state lies: what each outcome makes the dice show, worked out beforehand.

use crate::deed;
use crate::draft::Draft;
use crate::event::Event;
use crate::game::Game;
use crate::id::{OutcomeId, RuleId};
use crate::plan::{Closing, Condition, Effect, Rule, Test, Value, Wanted};
use crate::rule::{Deed, EventKind, Listing};
use crate::scene::Scene;
use crate::state::State;

/// Throws of more sorts than this are looked for and not looked up.
const THROWS: u64 = 4096;

/// What a rule of rolling does.
pub(crate) struct Cast {
    /// Whether it accepts every outcome that it waits for, whatever else there is.
    pub(crate) certain: bool,
    /// The outcome of each throw, by the number of the throw; none where there are too many.
    pub(crate) throws: Vec<OutcomeId>,
    /// What the dice then show, where rolling does nothing else.
    shows: Option<Shows>,
}

/// What dice show after each outcome, if none shows anything before.
struct Shows {
    first: OutcomeId,
    /// The word of the dice and their bits in it.
    word: usize,
    mask: u64,
    /// For each outcome the bits, and what they do to the hash.
    faces: Vec<(u64, u128)>,
}

/// What the rules of rolling do, by rule.
pub(crate) fn casts(game: &Game) -> Vec<Option<Cast>> {
    let ids = (0..game.rules.len()).map(RuleId::at);
    ids.map(|id| cast(game, &game.rules[id.index()])).collect()
}

fn cast(game: &Game, rule: &Rule) -> Option<Cast> {
    let Wanted::Roll { first, last } = rule.wants else { return None };
    let outcomes = || (first.0..=last.0).map(OutcomeId);
    let weight = |outcome: OutcomeId| game.outcomes[outcome.index()].weight;
    let few = outcomes().map(weight).sum::<u64>() <= THROWS;
    let throws = outcomes().flat_map(|one| std::iter::repeat_n(one, weight(one) as usize));
    let pre = &game.leaves[rule.phase.index()].pre;
    Some(Cast {
        certain: rule.ensures.is_none()
            && rule.closing == Closing::Nothing
            && rule.written.listing == Listing::Play
            && !pre.iter().any(|pre| pre.on == EventKind::Roll),
        throws: if few { throws.collect() } else { Vec::new() },
        shows: Shows::new(game, rule, (first, last)),
    })
}

impl Shows {
    fn new(game: &Game, rule: &Rule, (first, last): (OutcomeId, OutcomeId)) -> Option<Shows> {
        let alone = rule.before.iter().chain(&rule.after).all(is_about_dice);
        if !alone || rule.written.deed != Deed::Usual || !game.serving.is_empty() {
            return None;
        }
        let mut places = game.dice().map(|die| game.layout.die(die).place());
        let (word, mut mask) = places.next()?;
        for (other, bits) in places {
            (other == word).then(|| mask |= bits)?;
        }
        let mut draft = Draft { game, state: game.start.clone() };
        game.dice().for_each(|die| draft.set_die(die, 0));
        let before = draft.state;
        let scene = Scene::of_state(game, &before);
        let face = |outcome: u16| {
            let after = deed::carry_out(&scene, rule, Event::Roll(OutcomeId(outcome)));
            (after.words()[word] & mask, after.hash ^ before.hash)
        };
        Some(Shows { first, word, mask, faces: (first.0..=last.0).map(face).collect() })
    }
}

/// Whether an effect makes dice show something that follows from what dice show.
fn is_about_dice(effect: &Effect) -> bool {
    fn is_value(value: &Value) -> bool {
        matches!(value, Value::Die(_) | Value::Number(_))
    }
    fn is_test(condition: &Condition) -> bool {
        match &condition.test {
            Test::Always | Test::Never => true,
            Test::All(all) | Test::Any(all) => all.iter().all(is_test),
            Test::Not(one) | Test::Called(one) => is_test(one),
            Test::Compare { left, right, .. } => is_value(left) && is_value(right),
            _ => false,
        }
    }
    match effect {
        Effect::Show { value, .. } => is_value(value),
        Effect::Unroll(_) => true,
        Effect::When { condition, then, otherwise } => {
            is_test(condition) && then.iter().chain(otherwise).all(is_about_dice)
        }
        _ => false,
    }
}

impl Game {
    /// Carries out a roll that a rule accepts. Says whether it was: whatever else happens is left
    /// to the rule.
    #[inline]
    pub(crate) fn carry_roll(&self, state: &mut State, outcome: OutcomeId, rule: RuleId) -> bool {
        let cast = self.casts.get(rule.index()).and_then(Option::as_ref);
        let Some(shows) = cast.and_then(|cast| cast.shows.as_ref()) else { return false };
        let word = &mut state.words_mut()[shows.word];
        let face = outcome.index().checked_sub(shows.first.index());
        let Some(&(bits, change)) = face.and_then(|face| shows.faces.get(face)) else {
            return false;
        };
        if *word & shows.mask != 0 {
            return false;
        }
        *word |= bits;
        state.hash ^= change;
        true
    }
}
