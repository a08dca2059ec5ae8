//! Phases and rules.

use senet_core::EventKind;
use senet_core::written::{
    Deed, Domain, Drawing, Effect, Hop, Landing, Listing, Movement, Order, Pattern, Phase, Picking,
    Pips, Putting, Reach, Rolling, Rule, Seat, Set, Sight, Steps, Threat, Tile, Truth, Usage,
    Wanted, Way, Who,
};

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{self, Clause, Every, ExprKind, LetBody, Name, Operator, Wants};

/// A rule while its parts are put together.
struct Draft {
    rule: Rule,
    /// Whether the turn stays with the mover.
    again: bool,
    /// What the author says about threats; found from the target where nothing is said.
    threat: Option<Threat>,
    span: Span,
}

impl<'s> Resolver<'s> {
    /// Every phase with its rules.
    pub(super) fn phases(&mut self) {
        let sheet = self.sheet;
        if sheet.phases.is_empty() && sheet.commits.is_empty() {
            let error = Diagnostic::error("missing", sheet.name.span, "the game has no rules");
            self.report(error.help("write a rule, such as `put stone on empty`"));
        }
        for phase in &sheet.phases {
            let place = format!("phases/{}", phase.name.text);
            self.place(place.clone(), phase.name.span);
            let when = phase.when.as_ref().map_or(Truth::Always, |when| self.truth(when, &None));
            let usage = phase.usage.as_ref().map_or(Usage::Free, |usage| self.usage(usage));
            let mut rules = Vec::new();
            for (rule, span) in &phase.rules {
                self.place(format!("{place}/rules/{}", rule.name.text), *span);
                self.place(format!("rules/{}", rule.name.text), *span);
                rules.push(self.rule(rule, *span));
            }
            let name = phase.name.text.clone();
            let most = phase.most.as_ref().map(|most| self.number(most, &None));
            self.definition.phases.push(Phase {
                name,
                when,
                usage,
                rules,
                most,
                ..Phase::default()
            });
        }
    }

    fn usage(&mut self, name: &Name) -> Usage {
        match name.text.as_str() {
            "most" => Usage::Most,
            "most_then_greatest" => Usage::MostThenGreatest,
            _ => {
                let error = Diagnostic::error("unknown-name", name.span, "no such usage of dice");
                self.report(error.help("write `uses most` or `uses most-then-greatest`"));
                Usage::Free
            }
        }
    }

    fn rule(&mut self, written: &'s syntax::Rule, span: Span) -> Rule {
        let sheet = self.sheet;
        let wants = self.wanted(&written.wants);
        let rule = Rule {
            name: written.name.text.clone(),
            wants,
            when: Truth::Always,
            before: Vec::new(),
            deed: Deed::Usual,
            after: Vec::new(),
            ensures: Truth::Always,
            listing: Listing::Play,
            rank: 0,
            fails: Vec::new(),
            seen_by: Sight::Everyone,
        };
        let mut draft = Draft { rule, again: false, threat: None, span };
        for clause in &written.clauses {
            self.clause(&mut draft, clause);
        }
        for first in [true, false] {
            for every in sheet.every.iter().filter(|every| every.first == first) {
                if applies(every, &draft.rule) {
                    for clause in &every.clauses {
                        self.clause(&mut draft, clause);
                    }
                }
            }
        }
        finish(draft)
    }

    fn wanted(&mut self, wants: &'s Wants) -> Wanted {
        match wants {
            Wants::Move(kinds) => {
                Wanted::Move(Movement { kinds: self.kinds(kinds), ..Movement::default() })
            }
            Wants::Put(kinds, _) => {
                Wanted::Put(Putting { kinds: self.kinds(kinds), ..Putting::default() })
            }
            Wants::Roll(dice, any) => {
                let order = if *any { Order::Ignored } else { Order::Matters };
                Wanted::Roll(Rolling { dice: self.dice_names(dice), order })
            }
            Wants::Draw(from, to, of) => {
                let (from, to) = (self.pile_name(from), self.pile_name(to));
                let of = of.as_ref().map_or(Seat::Mover, |of| self.seat(of, &None));
                Wanted::Draw(Drawing { from, to, of })
            }
            Wants::Act(name) => Wanted::Act(self.act(name)),
            Wants::Pick(name) => {
                Wanted::Pick(Picking { act: self.act(name), ..Picking::default() })
            }
        }
    }

    /// The name of an act, which is thereby one of the game's.
    pub(super) fn act(&mut self, name: &Name) -> String {
        if !self.definition.actions.contains(&name.text) {
            self.definition.actions.push(name.text.clone());
        }
        name.text.clone()
    }

    /// Kinds of piece by name; none where the game has one kind alone.
    fn kinds(&mut self, names: &[Name]) -> Vec<String> {
        let kinds: Vec<String> = names.iter().flat_map(|name| self.kinds_of(name)).collect();
        if self.definition.kinds.len() == 1 { Vec::new() } else { kinds }
    }

    /// The kinds that a name stands for: one, or those that `let` gives it.
    fn kinds_of(&mut self, name: &Name) -> Vec<String> {
        let kind = self.definition.kinds.iter().any(|kind| kind.name == name.text);
        match self.names.lets.get(&name.text).map(|one| &one.body) {
            Some(LetBody::Expr(body)) if !kind => {
                self.used.insert(name.text.clone());
                self.kinds_in(body)
            }
            _ => vec![self.kind_name(name)],
        }
    }

    fn kinds_in(&mut self, expr: &'s syntax::Expr) -> Vec<String> {
        if !self.enter(expr.span) {
            return Vec::new();
        }
        let kinds = match &expr.kind {
            ExprKind::Name(name) => self.kinds_of(&Name { text: name.clone(), span: expr.span }),
            ExprKind::Binary(Operator::Union, left, right) => {
                let mut kinds = self.kinds_in(left);
                kinds.extend(self.kinds_in(right));
                kinds
            }
            _ => {
                self.error(
                    "wrong-type",
                    expr.span,
                    "expected kinds of piece with `|` between them",
                );
                Vec::new()
            }
        };
        self.leave();
        kinds
    }

    fn clause(&mut self, draft: &mut Draft, clause: &'s Clause) {
        match clause {
            Clause::Where(truth) => {
                let truth = self.truth(truth, &None);
                draft.rule.when = std::mem::take(&mut draft.rule.when).and(truth);
            }
            Clause::Ensure(truth) => {
                let truth = self.truth(truth, &None);
                draft.rule.ensures = std::mem::take(&mut draft.rule.ensures).and(truth);
            }
            Clause::Before(effects) => {
                let effects = self.effects(effects, &None);
                draft.rule.before.extend(effects);
            }
            Clause::Then(effects) => {
                let effects = self.effects(effects, &None);
                draft.rule.after.extend(effects);
            }
            Clause::Instead(effects) => {
                let effects = self.effects(effects, &None);
                draft.rule.after.extend(effects);
                draft.rule.deed = Deed::Nothing;
            }
            Clause::Rank(rank) => {
                let value = self.integer(rank).unwrap_or(0);
                draft.rule.rank = u8::try_from(value).unwrap_or_else(|_| {
                    self.error("out-of-range", rank.span, "a rank is between 0 and 255");
                    0
                });
            }
            Clause::Fails(effects) => {
                let effects = self.effects(effects, &None);
                draft.rule.fails.extend(effects);
            }
            Clause::SeenBy(name) => draft.rule.seen_by = self.sight(Some(name)),
            Clause::Word(word) => match word.text.as_str() {
                "aside" => draft.rule.listing = Listing::Aside,
                "otherwise" => draft.rule.listing = Listing::Otherwise,
                "again" => draft.again = true,
                "harmless" => draft.threat = Some(Threat::Harmless),
                _ => draft.threat = Some(Threat::Real),
            },
            Clause::To(..) => self.target(draft, clause),
            _ => self.movement(draft, clause),
        }
    }

    fn target(&mut self, draft: &mut Draft, clause: &'s Clause) {
        let Clause::To(written, words) = clause else { return };
        let set = self.set(written, &None);
        if let Some(words) = words {
            let truth = Tile::To.is_in(set).called(words.text.clone());
            draft.rule.when = std::mem::take(&mut draft.rule.when).and(truth);
            return;
        }
        match &mut draft.rule.wants {
            Wanted::Move(movement) => movement.onto = set,
            Wanted::Put(putting) => putting.onto = set,
            Wanted::Pick(picking) => picking.onto = set,
            _ => self.error("clause", written.span, "only a move, a put or a pick has a target"),
        }
    }

    fn movement(&mut self, draft: &mut Draft, clause: &'s Clause) {
        let mut movement = match &draft.rule.wants {
            Wanted::Move(movement) => movement.clone(),
            _ => {
                let message = "only a rule about `move` has this part";
                return self.error("clause", draft.span, message);
            }
        };
        match clause {
            Clause::From(set) => movement.source = self.set(set, &None),
            Clause::Through(set) => movement.through = self.set(set, &None),
            Clause::Becoming(kinds) => {
                movement.choice = kinds.iter().flat_map(|kind| self.kinds_of(kind)).collect();
            }
            Clause::By(way, span) => movement.way = self.way(way, *span),
            _ => {}
        }
        draft.rule.wants = Wanted::Move(movement);
    }

    fn way(&mut self, way: &'s syntax::Way, span: Span) -> Way {
        match way {
            syntax::Way::First(along) => Way::First(self.directions(along, &None)),
            syntax::Way::Dice { dice, along, short } => Way::Dice(Pips {
                dice: self.dice_names(dice),
                along: self.direction(along, &None),
                landing: if *short { Landing::Short } else { Landing::Exact },
            }),
            syntax::Way::Anywhere(_) => Way::Anywhere,
            syntax::Way::Hop { along, over, approaching, landing } => {
                let reach = |far: bool| if far { Reach::Repeat } else { Reach::Once };
                Way::Hop(Hop {
                    along: self.directions(along, &None),
                    over: self.set(over, &None),
                    approach: reach(*approaching),
                    landing: reach(*landing),
                })
            }
            syntax::Way::Steps { name, along, count } => {
                self.bound_in(name, along, &None, |resolver, binding, env| {
                    let Domain::Directions(along) = binding.over else {
                        resolver.error("wrong-type", name.span, "expected directions");
                        return Way::Own;
                    };
                    let count = resolver.number(count, env);
                    Way::Steps(Steps { along, name: Some(binding.name), count })
                })
            }
            other => {
                let mut patterns = self.patterns(other);
                if patterns.len() > 1 {
                    let message = format!("expected one way, but these are {}", patterns.len());
                    let error = Diagnostic::error("clause", span, message);
                    self.report(error.help("give the ways to the piece: `piece NAME: …`"));
                }
                patterns.pop().map_or(Way::Own, Way::Pattern)
            }
        }
    }

    /// The patterns of a way of travelling.
    pub(super) fn patterns(&mut self, way: &'s syntax::Way) -> Vec<Pattern> {
        let several = |directions: Vec<String>, reach| match directions.len() {
            1 => Pattern::Direction(directions.into_iter().next().unwrap_or_default(), reach),
            _ => Pattern::MultiDirection(directions, reach),
        };
        match way {
            syntax::Way::Step(along) => {
                vec![several(self.directions(along, &None), Reach::Once)]
            }
            syntax::Way::Slide(along) => {
                vec![several(self.directions(along, &None), Reach::Repeat)]
            }
            syntax::Way::Path(steps, _) => {
                let steps = steps.iter().flat_map(|step| self.dotted(step, &None)).collect();
                vec![Pattern::Fixed(steps)]
            }
            syntax::Way::Far(near, far, along) => {
                let low = self.steps(near);
                let high = far.as_ref().map_or(low, |far| self.steps(far));
                let directions = self.directions(along, &None);
                let leaps = directions.iter().flat_map(|direction| {
                    (low..=high).map(|steps| Pattern::Fixed(vec![direction.clone(); steps]))
                });
                leaps.collect()
            }
            syntax::Way::Leaper(one, two) => leaper(self.steps(one), self.steps(two)),
            syntax::Way::Stay(_) => vec![Pattern::Null],
            syntax::Way::First(along)
            | syntax::Way::Dice { along, .. }
            | syntax::Way::Hop { along, .. }
            | syntax::Way::Steps { along, .. } => self.not_of_a_piece(along.span),
            syntax::Way::Anywhere(span) => self.not_of_a_piece(*span),
        }
    }

    fn not_of_a_piece(&mut self, span: Span) -> Vec<Pattern> {
        let message = "a piece cannot have this way of its own; write it in a rule";
        self.error("clause", span, message);
        Vec::new()
    }

    fn steps(&mut self, expr: &'s syntax::Expr) -> usize {
        let steps = self.integer(expr).unwrap_or(1);
        match usize::try_from(steps) {
            Ok(steps) if steps <= 64 => steps,
            _ => {
                self.error("out-of-range", expr.span, "a leap has between 0 and 64 steps");
                1
            }
        }
    }
}

/// Leaps of `one` steps along one axis and `two` along the other, clockwise from the north.
fn leaper(one: usize, two: usize) -> Vec<Pattern> {
    let four = senet_core::builder::FOUR;
    let (far, near) = (one.max(two), one.min(two));
    let path = |first: &str, steps: usize, second: &str, aside: usize| {
        let first = std::iter::repeat_n(first.to_owned(), steps);
        Pattern::Fixed(first.chain(std::iter::repeat_n(second.to_owned(), aside)).collect())
    };
    let mut patterns = Vec::new();
    for (at, ahead) in four.iter().enumerate() {
        let aside = four[(at + 1) % 4];
        patterns.push(path(ahead, far, aside, near));
        if near > 0 && near < far {
            patterns.push(path(ahead, near, aside, far));
        }
    }
    patterns
}

/// Whether an addition is about a rule.
fn applies(every: &Every, rule: &Rule) -> bool {
    let event = match rule.wants.kind() {
        EventKind::Move => "move",
        EventKind::Put => "put",
        EventKind::Roll => "roll",
        EventKind::Act => "act",
        EventKind::Pick => "pick",
    };
    let (kinds, choice): (&[String], bool) = match &rule.wants {
        Wanted::Move(movement) => (&movement.kinds, !movement.choice.is_empty()),
        Wanted::Put(putting) => (&putting.kinds, false),
        _ => (&[], false),
    };
    let wanted = |kind: &Name| kinds.contains(&kind.text);
    every.event.text == event
        && (every.kinds.is_empty() || every.kinds.iter().any(wanted))
        && (!every.becoming || choice)
        && !every.except.iter().any(|name| name.text == rule.name)
}

/// Adds what goes without saying.
fn finish(draft: Draft) -> Rule {
    let Draft { mut rule, again, threat, .. } = draft;
    if let Wanted::Move(movement) = &mut rule.wants {
        let found = if takes_nothing(&movement.onto) { Threat::Harmless } else { Threat::Real };
        movement.threat = threat.unwrap_or(found);
    }
    let plays = rule.listing != Listing::Aside && rule.wants.kind() != EventKind::Roll;
    if plays && !again && !rule.after.iter().any(passes) && !rule.before.iter().any(passes) {
        rule.after.push(Effect::Turn(Seat::Next));
    }
    rule
}

/// Whether no foe stands on a tile of a set.
fn takes_nothing(set: &Set) -> bool {
    match set {
        Set::Empty | Set::Owned(Who::Mover) => true,
        Set::All(all) => all.iter().any(takes_nothing),
        _ => false,
    }
}

/// Whether an effect may give the turn to somebody.
fn passes(effect: &Effect) -> bool {
    match effect {
        Effect::Turn(_) | Effect::TurnWhere(_) | Effect::Again { .. } => true,
        Effect::When { then, otherwise, .. } => then.iter().chain(otherwise).any(passes),
        Effect::Each(_, effects) | Effect::Repeat(_, effects) => effects.iter().any(passes),
        _ => false,
    }
}
