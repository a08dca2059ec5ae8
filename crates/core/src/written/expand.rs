//! Words that stand for several others: the same game written without them.

use std::borrow::Cow;

use super::{Definition, Effect, Mark, Movement, Phase, Rule, Set, Tile, Truth, Wanted};

/// What a piece goes on by, with the mark that its tile carries meanwhile.
struct Going {
    by: Vec<String>,
    stop: Option<String>,
    otherwise: Vec<Effect>,
    mark: String,
}

impl Definition {
    /// The same game written without [`Effect::Again`]: the tile of the piece that goes on carries a
    /// mark, and a phase before the one of the rule lets that piece alone move. Piles are written
    /// as variables.
    pub fn expanded(&self) -> Cow<'_, Definition> {
        if self.piles.is_empty() && !self.phases.iter().any(goes_on) {
            return Cow::Borrowed(self);
        }
        let mut definition = self.clone();
        super::pile::expand_piles(&mut definition);
        let mut phases = std::mem::take(&mut definition.phases);
        expand_phases(&mut phases, &mut definition);
        definition.phases = phases;
        Cow::Owned(definition)
    }
}

/// Whether an effect of a phase lets a piece go on.
fn goes_on(phase: &Phase) -> bool {
    let effects = |rule: &Rule| rule.before.iter().chain(&rule.after).any(is_again);
    phase.rules.iter().any(effects) || phase.phases.iter().any(goes_on)
}

fn is_again(effect: &Effect) -> bool {
    match effect {
        Effect::Again { .. } => true,
        Effect::When { then, otherwise, .. } => then.iter().chain(otherwise).any(is_again),
        Effect::Each(_, inside) | Effect::Repeat(_, inside) => inside.iter().any(is_again),
        _ => false,
    }
}

fn expand_phases(phases: &mut Vec<Phase>, definition: &mut Definition) {
    for mut phase in std::mem::take(phases) {
        expand_phases(&mut phase.phases, definition);
        let mut going = Vec::new();
        for rule in &mut phase.rules {
            for effects in [&mut rule.before, &mut rule.after] {
                expand_effects(effects, definition, &mut going);
            }
        }
        for going in &going {
            phases.push(phase_of(&phase, going));
        }
        phases.push(phase);
    }
}

fn expand_effects(effects: &mut Vec<Effect>, definition: &mut Definition, all: &mut Vec<Going>) {
    for effect in std::mem::take(effects) {
        match effect {
            Effect::Again { by, stop, mut otherwise } => {
                expand_effects(&mut otherwise, definition, all);
                let same =
                    |one: &&Going| (&one.by, &one.stop, &one.otherwise) == (&by, &stop, &otherwise);
                let known = all.iter().find(same).map(|one| one.mark.clone());
                let mark = known.unwrap_or_else(|| {
                    let mark = fresh_mark(definition);
                    let otherwise = otherwise.clone();
                    all.push(Going { by: by.clone(), stop, otherwise, mark: mark.clone() });
                    mark
                });
                effects.push(clear(&mark));
                effects.push(Effect::Mark {
                    on: Set::at(Tile::To),
                    set: vec![mark.clone()],
                    clear: Vec::new(),
                });
                otherwise.insert(0, clear(&mark));
                let condition = Truth::Can { by, from: Tile::To };
                effects.push(Effect::When { condition, then: Vec::new(), otherwise });
            }
            Effect::When { condition, mut then, mut otherwise } => {
                expand_effects(&mut then, definition, all);
                expand_effects(&mut otherwise, definition, all);
                effects.push(Effect::When { condition, then, otherwise });
            }
            Effect::Each(binding, mut inside) => {
                expand_effects(&mut inside, definition, all);
                effects.push(Effect::Each(binding, inside));
            }
            Effect::Repeat(times, mut inside) => {
                expand_effects(&mut inside, definition, all);
                effects.push(Effect::Repeat(times, inside));
            }
            effect => effects.push(effect),
        }
    }
}

/// Adds a mark whose name is not taken.
fn fresh_mark(definition: &mut Definition) -> String {
    let names = std::iter::once("again".to_owned()).chain((2..).map(|n| format!("again-{n}")));
    let taken = |name: &String| definition.marks.iter().any(|mark| mark.name == *name);
    let name = { names }.find(|name| !taken(name)).unwrap_or_default();
    definition.marks.push(Mark { name: name.clone(), tiles: Vec::new() });
    name
}

fn clear(mark: &str) -> Effect {
    Effect::Mark { on: Set::Board, set: Vec::new(), clear: vec![mark.to_owned()] }
}

/// The phase in which a piece goes on.
fn phase_of(phase: &Phase, going: &Going) -> Phase {
    let named = |rule: &&Rule| going.by.contains(&rule.name);
    let mut rules: Vec<Rule> = phase.rules.iter().filter(named).cloned().collect();
    for rule in &mut rules {
        if let Wanted::Move(Movement { source, .. }) = &mut rule.wants {
            *source = match std::mem::take(source) {
                Set::Board => Set::mark(&going.mark),
                source => source & Set::mark(&going.mark),
            };
        }
        rule.before.insert(0, clear(&going.mark));
    }
    if let Some(act) = &going.stop {
        let stop = Rule::acts("stop", act).then(clear(&going.mark));
        rules.push(stop.then_all(going.otherwise.clone()));
    }
    Phase {
        name: format!("{} {}", phase.name, going.mark),
        when: phase.when.clone().and(Set::mark(&going.mark).any()),
        pre: Vec::new(),
        rules,
        usage: phase.usage,
        most: phase.most.clone(),
        phases: Vec::new(),
    }
}
