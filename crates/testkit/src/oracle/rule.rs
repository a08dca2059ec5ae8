//! Phases, rules and endings, by names.

use senet_core::{
    Condition, Derived, Ending, EventKind, Listing, Movement, Phase, Play, Putting, Rule, Spot,
    Subject, Threat, TileTest, Trait, Wanted, Way,
};

use super::condition::{Scene, Stuck};
use super::{Oracle, Position, Proposal};

impl Proposal {
    fn kind(&self) -> EventKind {
        match self {
            Proposal::Move(..) | Proposal::Advance(..) => EventKind::Move,
            Proposal::Put(..) => EventKind::Put,
            Proposal::Roll(_) => EventKind::Roll,
            Proposal::Act(_) => EventKind::Act,
        }
    }
}

impl<'d> Oracle<'d> {
    /// Every rule of every phase.
    pub(super) fn rules(self) -> Vec<&'d Rule> {
        fn collect<'d>(phases: &'d [Phase], rules: &mut Vec<&'d Rule>) {
            for phase in phases {
                rules.extend(&phase.rules);
                collect(&phase.phases, rules);
            }
        }
        let mut rules = Vec::new();
        collect(&self.definition.phases, &mut rules);
        rules
    }

    pub(super) fn scene<'a>(
        self,
        position: &'a Position,
        proposal: Option<&'a Proposal>,
    ) -> Scene<'a>
    where
        'd: 'a,
    {
        let (from, to) = match proposal {
            Some(Proposal::Move(from, to, _) | Proposal::Advance(from, to, _)) => {
                (Some(from.as_str()), Some(to.as_str()))
            }
            Some(Proposal::Put(_, to)) => (None, Some(to.as_str())),
            _ => (None, None),
        };
        let mover = position.player.as_str();
        Scene { oracle: self, position, mover, from, to, stuck: Stuck::AssumeNot }
    }

    pub(super) fn phase(self, position: &Position) -> Option<&'d Phase> {
        fn find<'d>(scene: &Scene<'_>, phases: &'d [Phase]) -> Option<&'d Phase> {
            phases.iter().filter(|phase| scene.holds(&phase.when)).find_map(|phase| {
                if phase.phases.is_empty() { Some(phase) } else { find(scene, &phase.phases) }
            })
        }
        find(&self.scene(position, None), &self.definition.phases)
    }

    /// The position after an event, if the rules accept it.
    pub(super) fn attempt(self, position: &Position, proposal: &Proposal) -> Option<Position> {
        let phase = self.phase(position)?;
        let scene = self.scene(position, Some(proposal));
        let mut pre = phase.pre.iter();
        let pre = pre.find(|pre| pre.on == proposal.kind() && scene.holds(&pre.when));
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

    /// Clears flags that serve a rule which accepts nothing.
    fn settle(self, mut now: Position) -> Position {
        for flag in &self.definition.flags {
            let Some(name) = &flag.serves else { continue };
            let carried = now.pieces.iter().any(|man| man.flags.contains(&flag.name));
            let rules = self.rules().into_iter().filter(|rule| rule.name == *name);
            let fires =
                |rule: &Rule| self.proposals().iter().any(|event| self.accepts(&now, rule, event));
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
        let scene = self.scene(position, Some(proposal));
        let kind = self.moving_kind(&scene, &Movement::any())?;
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

    fn accepts(self, position: &Position, rule: &Rule, proposal: &Proposal) -> bool {
        self.accepts_alone(position, rule, proposal)
            && self.uses_enough(position, rule, proposal)
            && (rule.listing != Listing::Otherwise || !self.has_play(position, rule))
    }

    /// Whether a rule accepts an event, whatever else its phase allows.
    pub(super) fn accepts_alone(
        self,
        position: &Position,
        rule: &Rule,
        proposal: &Proposal,
    ) -> bool {
        let scene = self.scene(position, Some(proposal));
        let wants = match (&rule.wants, proposal) {
            (Wanted::Move(movement), Proposal::Move(_, _, choice)) => {
                self.accepts_move(&scene, movement, choice.as_deref())
            }
            (Wanted::Move(movement), Proposal::Advance(_, _, pips)) => {
                self.accepts_advance(&scene, movement, *pips)
            }
            (Wanted::Put(putting), Proposal::Put(kind, to)) => {
                self.accepts_put(&scene, putting, kind, to)
            }
            (Wanted::Roll(rolling), Proposal::Roll(dice)) => {
                rolling.dice.iter().eq(dice.iter().map(|(name, _)| name))
            }
            (Wanted::Act(name), Proposal::Act(act)) => name == act,
            _ => false,
        };
        if !wants || !scene.holds(&rule.when) {
            return false;
        }
        let after = self.after(position, rule, proposal);
        Scene { position: &after, ..scene }.holds(&rule.ensures)
    }

    /// Whether a player attacks a tile: some threatening rule would lead there from some piece if
    /// whatever stands there could be captured.
    pub(super) fn attacks(self, position: &Position, player: &str, tile: &str) -> bool {
        let mut open = position.clone();
        open.pieces.retain(|man| man.tile.as_deref() != Some(tile));
        self.rules().into_iter().any(|rule| {
            let Wanted::Move(movement) = &rule.wants else { return false };
            movement.threat == Threat::Real && self.attacks_by(&open, player, movement, tile)
        })
    }

    fn attacks_by(
        self,
        position: &Position,
        player: &str,
        movement: &Movement,
        tile: &str,
    ) -> bool {
        let own = position.pieces.iter().filter(|man| man.owner == player);
        own.filter_map(|man| man.tile.as_deref()).any(|from| {
            let scene = Scene {
                mover: player,
                from: Some(from),
                to: Some(tile),
                ..self.scene(position, None)
            };
            let Some(kind) = self.moving_kind(&scene, movement) else { return false };
            let kind = self.definition.kinds.iter().find(|one| one.name == kind);
            let patterns = match &movement.way {
                Way::Own => kind.map_or(&[][..], |kind| &kind.patterns),
                Way::Pattern(pattern) => std::slice::from_ref(pattern),
                Way::First(_) | Way::Dice(_) => return false,
            };
            let path = self.path(position, player, patterns, (from, tile));
            let past = |path: Vec<String>| {
                path[1..path.len() - 1].iter().all(|one| scene.passes(&movement.through, one))
            };
            scene.passes(&movement.source, from) && path.is_some_and(past)
        })
    }

    /// The kind that a movement rule moves from a tile: the first that it is about.
    pub(super) fn moving_kind(self, scene: &Scene<'_>, movement: &Movement) -> Option<String> {
        let from = scene.from?;
        let about = |kind: &str| {
            let named = movement.kinds.is_empty() || movement.kinds.iter().any(|one| one == kind);
            named && scene.men_at(from).any(|man| man.owner == scene.mover && man.kind == kind)
        };
        let mut kinds = self.definition.kinds.iter();
        kinds.find(|kind| about(&kind.name)).map(|kind| kind.name.clone())
    }

    fn accepts_move(self, scene: &Scene<'_>, movement: &Movement, choice: Option<&str>) -> bool {
        let (Some(from), Some(to)) = (scene.from, scene.to) else { return false };
        let Some(kind) = self.moving_kind(scene, movement) else { return false };
        let kind = self.definition.kinds.iter().find(|one| one.name == kind);
        let patterns = match &movement.way {
            Way::Own => kind.map_or(&[][..], |kind| &kind.patterns),
            Way::Pattern(pattern) => std::slice::from_ref(pattern),
            Way::Dice(_) => return false,
            Way::First(directions) => {
                let first = |direction: &String| {
                    let occupied = Spot::From.first(direction, TileTest::is_not(Trait::Empty));
                    scene.spot(&occupied)
                };
                let leads = directions.iter().any(|one| first(one).as_deref() == Some(to));
                return leads
                    && choice.is_none() == movement.choice.is_empty()
                    && scene.passes(&movement.source, from)
                    && scene.passes(&movement.onto, to);
            }
        };
        let Some(path) = self.path(scene.position, scene.mover, patterns, (from, to)) else {
            return false;
        };
        let chosen = match choice {
            None => movement.choice.is_empty(),
            Some(kind) => movement.choice.iter().any(|one| one == kind),
        };
        chosen
            && scene.passes(&movement.source, from)
            && path[1..path.len() - 1].iter().all(|tile| scene.passes(&movement.through, tile))
            && scene.passes(&movement.onto, to)
    }

    fn accepts_put(self, scene: &Scene<'_>, putting: &Putting, kind: &str, to: &str) -> bool {
        let in_hand = scene
            .position
            .pieces
            .iter()
            .any(|man| man.tile.is_none() && man.owner == scene.mover && man.kind == kind);
        in_hand
            && (putting.kinds.is_empty() || putting.kinds.iter().any(|one| one == kind))
            && scene.area(&putting.area).iter().any(|tile| tile == to)
            && (self.stacks(to) || scene.men_at(to).next().is_none())
            && scene.passes(&putting.onto, to)
    }

    /// Whether the rules accept nothing.
    pub(super) fn is_stuck(self, position: &Position) -> bool {
        !self.proposals().iter().any(|one| self.attempt(position, one).is_some())
    }

    /// Whether an ending stops play, if the mover is not stuck.
    pub(super) fn stops(self, position: &Position) -> bool {
        let stopping = self.definition.endings.iter().filter(|one| one.play == Play::Stops);
        let mut subjects = stopping.map(|one| self.subject(position, one, Stuck::AssumeNot));
        subjects.any(|subject| subject.is_some())
    }

    fn subject(self, position: &Position, ending: &Ending, stuck: Stuck) -> Option<String> {
        let holds = |mover: &&str, when: &Condition| {
            Scene { mover, stuck, ..self.scene(position, None) }.holds(when)
        };
        let found = match ending.of {
            Subject::Mover => {
                Some(position.player.as_str()).filter(|mover| holds(mover, &ending.when))
            }
            Subject::Each => {
                let mut players = self.definition.players.iter().map(|one| one.name.as_str());
                players.find(|player| holds(player, &ending.when))
            }
        };
        found.map(str::to_owned)
    }

    /// The ending that holds, who wins, and what each player gets.
    pub fn outcome(self, position: &Position) -> Option<(String, Option<String>, Vec<i64>)> {
        let endings = self.definition.endings.iter();
        let mut holding = endings
            .filter_map(|ending| Some((ending, self.subject(position, ending, Stuck::Ask)?)));
        let (ending, subject) = holding.next()?;
        let scene = Scene { mover: &subject, ..self.scene(position, None) };
        let winner = ending.winner.as_ref().map(|seat| scene.seat(seat));
        let worth = scene.value(&ending.score);
        let scores = self.definition.players.iter().map(|player| match &winner {
            None => 0,
            Some(winner) if self.friends(winner, &player.name) => worth,
            Some(_) => worth.saturating_neg(),
        });
        let scores = scores.collect();
        Some((ending.name.clone(), winner, scores))
    }
}
