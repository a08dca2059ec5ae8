//! What players know, by names, and play by it.

use senet_core::EventKind;
use senet_core::written::{Rule, Secret, Sight, Wanted};

use super::{Man, Oracle, Place, Position, Proposal};

/// What somebody knows of a position.
pub struct Known {
    /// The position in which nothing stands where it is not seen, and in which what is hidden is as
    /// at the start.
    pub position: Position,
    /// The tiles of which it is not known what stands there, in the order of the board.
    pub unseen: Vec<String>,
}

/// Whether somebody sees what is a player's; nobody who plays is a spectator.
fn shows(sight: &Sight, owner: Option<&str>, viewer: Option<&str>) -> bool {
    match sight {
        Sight::Everyone => true,
        Sight::Owner => viewer.is_some() && viewer == owner,
        Sight::Player(name) => viewer == Some(name),
        Sight::Nobody => false,
    }
}

impl<'d> Oracle<'d> {
    fn has_secrets(self) -> bool {
        let d = self.definition;
        let open = |sight: &Sight| *sight == Sight::Everyone;
        !d.secrets.is_empty()
            || d.variables.iter().any(|variable| !open(&variable.seen_by))
            || d.dice.iter().any(|die| !open(&die.seen_by))
            || self.rules().iter().any(|rule| !open(&rule.seen_by) || !rule.fails.is_empty())
    }

    /// What a player knows, or a spectator where no player is named.
    pub fn view(self, position: &Position, viewer: Option<&str>) -> Known {
        let mut known = position.clone();
        let mut unseen: Vec<String> = Vec::new();
        for secret in &self.definition.secrets {
            let sees = |seen| viewer.map_or(Vec::new(), |who| self.tiles(position, who, seen));
            match secret {
                Secret::Pieces { seen } => {
                    let seen = sees(seen);
                    let hidden = |man: &Man| man.tile().is_some_and(|at| !lists(&seen, at));
                    known.pieces.retain(|man| !hidden(man));
                    let tiles = self.definition.tiles.iter().map(|tile| tile.name.clone());
                    unseen.extend(tiles.filter(|tile| !lists(&seen, tile)));
                }
                Secret::Kinds { seen, shown } => {
                    let seen = sees(seen);
                    let hidden = |man: &Man| man.tile().is_some_and(|at| !lists(&seen, at));
                    for man in known.pieces.iter_mut().filter(|man| hidden(man)) {
                        man.kind.clone_from(shown);
                    }
                }
                Secret::Flag { flag, seen } => {
                    let seen = sees(seen);
                    let hidden = |man: &Man| man.tile().is_some_and(|at| !lists(&seen, at));
                    for man in known.pieces.iter_mut().filter(|man| hidden(man)) {
                        man.flags.remove(flag);
                    }
                }
                Secret::Mark { mark, seen } => {
                    let seen = sees(seen);
                    if let Some(tiles) = known.marks.get_mut(mark) {
                        tiles.retain(|tile| lists(&seen, tile));
                    }
                }
                Secret::Hands(sight) => known.pieces.retain(|man| {
                    man.place != Place::Hand || shows(sight, Some(&man.owner), viewer)
                }),
            }
        }
        self.hide_numbers(&mut known, viewer);
        self.refill(&mut known);
        let order = |tile: &String| self.definition.tiles.iter().position(|one| one.name == *tile);
        unseen.sort_by_key(order);
        unseen.dedup();
        Known { position: known, unseen }
    }

    fn hide_numbers(self, known: &mut Position, viewer: Option<&str>) {
        for variable in &self.definition.variables {
            for of in self.owners_of(variable.share) {
                if !shows(&variable.seen_by, of.as_deref(), viewer) {
                    known.variables.insert((variable.name.clone(), of), variable.start);
                }
            }
        }
        for die in &self.definition.dice {
            if !shows(&die.seen_by, None, viewer) {
                known.dice.insert(die.name.clone(), 0);
            }
        }
    }

    /// What the rules judge: what the player to move knows, and everything where chance acts.
    pub(super) fn known(self, position: &Position) -> Position {
        if !self.has_secrets() {
            return position.clone();
        }
        let known = self.view(position, Some(&position.player)).position;
        let rolls = |rule: &Rule| rule.wants.kind() == EventKind::Roll;
        match self.phase(&known).is_some_and(|phase| phase.rules.iter().any(rolls)) {
            true => position.clone(),
            false => known,
        }
    }

    /// The position after an event that the rules accept by what the player knows. Where something
    /// unseen makes it impossible, it fails.
    pub(super) fn attempt_by(
        self,
        position: &Position,
        known: &Position,
        proposal: &Proposal,
    ) -> Option<Position> {
        if !self.has_secrets() {
            return self.attempt_open(position, proposal);
        }
        let phase = self.phase(known)?;
        let rule = phase.rules.iter().find(|rule| self.accepts(known, rule, proposal))?;
        let chance = matches!(rule.wants, Wanted::Roll(_) | Wanted::Chance(_));
        let after = match chance || self.accepts_alone(position, rule, proposal) {
            true => self.after(position, rule, proposal),
            false => self.after_failing(position, rule, proposal),
        };
        Some(self.settle(after))
    }
}

fn lists(tiles: &[String], tile: &str) -> bool {
    tiles.iter().any(|one| one == tile)
}
