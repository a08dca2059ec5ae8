//! Phases, rules and endings, by names.

use senet_core::EventKind;
use senet_core::written::{
    Derived, Ending, Listing, Lot, Movement, Number, Phase, Play, Player, Putting, Rule, Subject,
    Truth, Wanted, Way,
};

use super::context::{Context, Stuck};
use super::{Man, Oracle, Position, Proposal};

impl Proposal {
    fn kind(&self) -> EventKind {
        match self {
            Proposal::Move(..) | Proposal::Advance(..) => EventKind::Move,
            Proposal::Put(..) => EventKind::Put,
            Proposal::Roll(_) | Proposal::Chance(_) => EventKind::Roll,
            Proposal::Act(_) => EventKind::Act,
            Proposal::Pick(..) => EventKind::Pick,
        }
    }
}

impl<'d> Oracle<'d> {
    /// What is asked about an event, or about the position alone.
    pub(super) fn context<'a>(
        self,
        position: &'a Position,
        proposal: Option<&'a Proposal>,
    ) -> Context<'a>
    where
        'd: 'a,
    {
        let (from, to) = match proposal {
            Some(Proposal::Move(from, to, _) | Proposal::Advance(from, to, _)) => {
                (Some(from.as_str()), Some(to.as_str()))
            }
            Some(Proposal::Put(_, to) | Proposal::Pick(_, to)) => (None, Some(to.as_str())),
            _ => (None, None),
        };
        let mover = position.player.as_str();
        let (stuck, names) = (Stuck::InRule, Vec::new());
        Context { oracle: self, position, mover, from, to, stuck, names }
    }

    pub(super) fn phase(self, position: &Position) -> Option<&'d Phase> {
        fn find<'d>(context: &Context<'_>, phases: &'d [Phase]) -> Option<&'d Phase> {
            phases.iter().filter(|phase| context.holds(&phase.when)).find_map(|phase| {
                if phase.phases.is_empty() { Some(phase) } else { find(context, &phase.phases) }
            })
        }
        find(&self.context(position, None), &self.definition.phases)
    }

    /// The position after an event where everyone sees everything, if the rules accept it.
    pub(super) fn attempt_open(self, position: &Position, proposal: &Proposal) -> Option<Position> {
        let phase = self.phase(position)?;
        let context = self.context(position, Some(proposal));
        let mut pre = phase.pre.iter();
        let pre = pre.find(|pre| pre.on == proposal.kind() && context.holds(&pre.when));
        let Some(pre) = pre else {
            return Some(self.settle(self.carry_out(position, proposal)?));
        };
        let mut events = Vec::new();
        for derived in &pre.derive {
            match derived {
                Derived::Itself => events.push(proposal.clone()),
                Derived::Act(name) => events.push(Proposal::Act(name.clone())),
                Derived::EachStep => events.extend(self.each_step(position, proposal)?),
            }
        }
        let mut now = position.clone();
        for (index, event) in events.iter().enumerate() {
            if index > 0 && self.stops(&now) {
                return None;
            }
            now = self.carry_out(&now, event)?;
        }
        Some(self.settle(now))
    }

    /// Clears, at the end of a turn, flags that serve a rule which accepts nothing.
    pub(super) fn settle(self, mut now: Position) -> Position {
        if !std::mem::take(&mut now.turned) {
            return now;
        }
        for flag in &self.definition.flags {
            let Some(name) = &flag.serves else { continue };
            let carried = now.pieces.iter().any(|man| man.flags.contains(&flag.name));
            let rules = self.rules().into_iter().filter(|rule| rule.name == *name);
            let fires = |rule: &Rule| {
                self.proposals(&now).iter().any(|event| self.accepts(&now, rule, event))
            };
            if carried && (self.stops(&now) || !rules.into_iter().any(fires)) {
                now.pieces.iter_mut().for_each(|man| {
                    man.flags.remove(&flag.name);
                });
            }
        }
        now
    }

    /// Whether an event is said beside play.
    pub(super) fn is_aside(self, position: &Position, proposal: &Proposal) -> bool {
        let rules = self.phase(position).map_or(&[][..], |phase| &phase.rules);
        let rule = rules.iter().find(|rule| self.accepts(position, rule, proposal));
        rule.is_some_and(|rule| rule.listing == Listing::Aside)
    }

    fn each_step(self, position: &Position, proposal: &Proposal) -> Option<Vec<Proposal>> {
        let Proposal::Move(from, to, choice) = proposal else { return None };
        let context = self.context(position, Some(proposal));
        let kind = self.moving_kind(&context, &Movement::any())?;
        let kind = self.definition.kinds.iter().find(|one| one.name == kind)?;
        let path = self.path(position, &position.player, &kind.patterns, (from, to))?;
        let steps = path.windows(2).map(|pair| {
            let choice = choice.clone().filter(|_| pair[1] == *to);
            Proposal::Move(pair[0].clone(), pair[1].clone(), choice)
        });
        Some(steps.collect())
    }

    fn carry_out(self, position: &Position, proposal: &Proposal) -> Option<Position> {
        let phase = self.phase(position)?;
        let rule = phase.rules.iter().find(|rule| self.accepts(position, rule, proposal))?;
        Some(self.after(position, rule, proposal))
    }

    pub(super) fn accepts(self, position: &Position, rule: &Rule, proposal: &Proposal) -> bool {
        self.accepts_short(position, rule, proposal) && self.reaches_most(position, rule, proposal)
    }

    /// Whether a rule accepts an event, whatever the turn must reach.
    pub(super) fn accepts_short(
        self,
        position: &Position,
        rule: &Rule,
        proposal: &Proposal,
    ) -> bool {
        self.accepts_alone(position, rule, proposal)
            && self.uses_enough(position, rule, proposal)
            && !self.is_outranked(position, rule)
            && (rule.listing != Listing::Otherwise || !self.has_play(position, rule))
    }

    /// Whether a rule of play of a lower rank in the same phase accepts some event.
    fn is_outranked(self, position: &Position, rule: &Rule) -> bool {
        let Some(phase) = self.phase(position).filter(|phase| phase.rules.contains(rule)) else {
            return false;
        };
        let lower = |one: &&Rule| one.rank < rule.rank && one.listing == Listing::Play;
        let mut lower = phase.rules.iter().filter(lower).peekable();
        if lower.peek().is_none() {
            return false;
        }
        let events = self.proposals(position);
        lower.any(|one| {
            events.iter().any(|event| {
                self.accepts_alone(position, one, event) && self.uses_enough(position, one, event)
            })
        })
    }

    /// Whether a rule accepts an event, whatever else its phase allows.
    pub(super) fn accepts_alone(
        self,
        position: &Position,
        rule: &Rule,
        proposal: &Proposal,
    ) -> bool {
        let after = || self.after(position, rule, proposal);
        let context = self.context(position, Some(proposal));
        self.takes_candidate(position, rule, proposal) && {
            let past = self.past_with(position);
            let oracle = Oracle { past: &past, ..self };
            Context { oracle, position: &after(), ..context }.holds(&rule.ensures)
        }
    }

    /// Whether a rule would take an event if it asked nothing of the state after it.
    pub(super) fn takes_candidate(
        self,
        position: &Position,
        rule: &Rule,
        proposal: &Proposal,
    ) -> bool {
        let context = self.context(position, Some(proposal));
        let wants = match (&rule.wants, proposal) {
            (Wanted::Move(movement), Proposal::Move(_, _, choice)) => {
                self.accepts_move(&context, movement, choice.as_deref())
            }
            (Wanted::Move(movement), Proposal::Advance(_, _, pips)) => {
                self.accepts_advance(&context, movement, *pips)
            }
            (Wanted::Put(putting), Proposal::Put(kind, to)) => {
                self.accepts_put(&context, putting, kind, to)
            }
            (Wanted::Roll(rolling), Proposal::Roll(dice)) => {
                rolling.dice.iter().eq(dice.iter().map(|(name, _)| name))
            }
            (Wanted::Chance(lots), Proposal::Chance(name)) => {
                let drawn = |lot: &&Lot| lot.name == *name;
                lots.iter().find(drawn).is_some_and(|lot| context.number(&lot.weight) > 0)
            }
            (Wanted::Act(name), Proposal::Act(act)) => name == act,
            (Wanted::Pick(picking), Proposal::Pick(act, to)) => {
                picking.act == *act && context.contains(&picking.onto, to)
            }
            _ => false,
        };
        wants && context.holds(&rule.when)
    }

    /// The kind that a movement rule moves from a tile: the first that it is about.
    pub(super) fn moving_kind(self, context: &Context<'_>, movement: &Movement) -> Option<String> {
        let here = context.men_at(context.from?);
        let about = |kind: &str| {
            let named = movement.kinds.is_empty() || movement.kinds.iter().any(|one| one == kind);
            named && here.iter().any(|man| man.owner == context.mover && man.kind == kind)
        };
        let mut kinds = self.definition.kinds.iter();
        kinds.find(|kind| about(&kind.name)).map(|kind| kind.name.clone())
    }

    fn accepts_move(
        self,
        context: &Context<'_>,
        movement: &Movement,
        choice: Option<&str>,
    ) -> bool {
        let chosen = match choice {
            None => movement.choice.is_empty(),
            Some(kind) => movement.choice.iter().any(|one| one == kind),
        };
        chosen && self.leads(context, movement)
    }

    /// Whether a movement rule, by no dice, leads from source to target.
    pub(super) fn leads(self, context: &Context<'_>, movement: &Movement) -> bool {
        let (Some(from), Some(to)) = (context.from, context.to) else { return false };
        let Some(path) = self.way(context, context, movement) else { return false };
        context.contains(&movement.source, from)
            && path[1..path.len() - 1].iter().all(|tile| context.contains(&movement.through, tile))
            && context.contains(&movement.onto, to)
    }

    /// The tiles that a movement rule leads over, source and target included. What it hops over
    /// and how many steps it takes are asked of the board as it is, even where somebody is
    /// supposed to stand on the target.
    pub(super) fn way(
        self,
        context: &Context<'_>,
        real: &Context<'_>,
        movement: &Movement,
    ) -> Option<Vec<String>> {
        let (from, to) = (context.from?, context.to?);
        let kind = self.moving_kind(context, movement)?;
        let kind = self.definition.kinds.iter().find(|one| one.name == kind);
        let patterns = match &movement.way {
            Way::Own => kind.map_or(&[][..], |kind| &kind.patterns),
            Way::Pattern(pattern) => std::slice::from_ref(pattern),
            Way::Dice(_) => return None,
            Way::Hop(_) | Way::Steps(_) | Way::Anywhere => {
                let to_friend = |man: &&Man| self.spares(context.mover, &man.owner);
                let kept = !self.stacks(to) && context.men_at(to).iter().any(to_friend);
                return if kept || from == to {
                    None
                } else {
                    self.other_way(context, real, movement)
                };
            }
            Way::First(directions) => {
                return directions.iter().find_map(|direction| {
                    let mut way = context.walk(from, direction);
                    let blocks =
                        |tile: &String| !self.stacks(tile) && !context.men_at(tile).is_empty();
                    let first = way.iter().position(blocks)?;
                    way.truncate(first + 1);
                    way.insert(0, from.to_owned());
                    (way[first + 1] == to).then_some(way)
                });
            }
        };
        self.path(context.position, context.mover, patterns, (from, to))
    }

    fn accepts_put(self, context: &Context<'_>, putting: &Putting, kind: &str, to: &str) -> bool {
        let mut pieces = context.position.pieces.iter();
        (self.is_unlimited(kind) && self.has_supply(context.position)
            || pieces.any(|man| man.is_in_hand(context.mover, kind)))
            && (putting.kinds.is_empty() || putting.kinds.iter().any(|one| one == kind))
            && (self.stacks(to) || context.men_at(to).is_empty())
            && context.contains(&putting.onto, to)
    }

    /// Whether the rules accept nothing.
    pub(super) fn is_stuck(self, position: &Position) -> bool {
        let known = self.known(position);
        let accepted = |one: &Proposal| self.attempt_by(position, &known, one).is_some();
        !self.proposals(&known).iter().any(accepted)
    }

    /// Whether an ending stops play, if the mover is not stuck.
    pub(super) fn stops(self, position: &Position) -> bool {
        let stopping = self.definition.endings.iter().filter(|one| one.play == Play::Stops);
        let mut subjects = stopping.map(|one| self.subject(position, one, Stuck::AssumeNot));
        subjects.any(|subject| subject.is_some())
    }

    fn subject(self, position: &Position, ending: &Ending, stuck: Stuck) -> Option<String> {
        let holds = |mover: &&str, when: &Truth| {
            Context { mover, stuck, ..self.context(position, None) }.holds(when)
        };
        let found = match ending.of {
            Subject::Mover => {
                Some(position.player.as_str()).filter(|mover| holds(mover, &ending.when))
            }
            Subject::Each => {
                let mut players = self.seats().map(|one| one.name.as_str());
                players.find(|player| holds(player, &ending.when))
            }
        };
        found.map(str::to_owned)
    }

    /// The ending that holds, who wins, and what each player gets and which place.
    pub fn outcome(self, position: &Position) -> Option<Outcome> {
        let endings = self.definition.endings.iter();
        let mut holding = endings
            .filter_map(|ending| Some((ending, self.subject(position, ending, Stuck::Ask)?)));
        let (ending, subject) = holding.next()?;
        let context = Context { mover: &subject, ..self.context(position, None) };
        let players: Vec<&Player> = self.seats().collect();
        let about_each = |number: &Number| {
            let about = |player: &&Player| self.about(position, &player.name).number(number);
            players.iter().map(about).collect::<Vec<i64>>()
        };
        let ranking = ending.most.as_ref().map(about_each);
        let winner = match &ranking {
            Some(numbers) => {
                let most = numbers.iter().max()?;
                let best = players.iter().zip(numbers).filter(|(_, number)| *number == most);
                let best: Vec<&str> = best.map(|(player, _)| player.name.as_str()).collect();
                let allies = best.iter().all(|one| self.friends(best[0], one));
                allies.then(|| best[0].to_owned())
            }
            None => ending.winner.as_ref().map(|seat| context.seat(seat)),
        };
        let worth = context.number(&ending.score);
        let score = |player: &&Player| match &winner {
            None => 0,
            Some(winner) if self.friends(winner, &player.name) => worth,
            Some(_) => worth.saturating_neg(),
        };
        let paid = ending.pays.as_ref().map(about_each);
        let scores = paid.unwrap_or_else(|| players.iter().map(score).collect());
        let by = ranking.unwrap_or_else(|| scores.clone());
        let place = |one: &i64| by.iter().filter(|other| *other > one).count() + 1;
        let places: Vec<usize> = by.iter().map(place).collect();
        let held = |player: &Player| {
            let seat = self.holder(position, &player.name);
            let at = players.iter().position(|one| one.name == seat);
            at.map_or((0, players.len() + 1), |at| (scores[at], places[at]))
        };
        let (scores, places) = self.definition.players.iter().map(held).unzip();
        let winner = winner.map(|seat| self.holder(position, &seat));
        Some(Outcome { ending: ending.name.clone(), winner, scores, places })
    }
}

/// How a game ended, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The ending that holds.
    pub ending: String,
    /// Who won.
    pub winner: Option<String>,
    /// What each player gets.
    pub scores: Vec<i64>,
    /// The place of each player.
    pub places: Vec<usize>,
}
