//! Events that name one tile: pieces that enter the board, and acts.

use crate::id::{ActionId, KindId, RuleId};
use crate::ir::{CHOICE, FROM, NO_TILE, Op, SetReg, TO};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Number, Seat, Set, Tile, Truth, UNNUMBERED, Who};
use crate::written::Comparison;

use super::Builder;
use super::fact::constant;
use super::generate::Closing;
use super::question::Questions;
use super::safety::Safety;
use super::zone::Zone;

impl Builder<'_, '_> {
    /// What must hold for a piece of an unlimited supply to enter.
    fn supplied(&self) -> Vec<Condition> {
        let game = self.game;
        let Some(most) = game.most_living else { return Vec::new() };
        let everywhere = constant(game, game.all_tiles);
        let mut living = vec![Number::Pieces(everywhere, Who::Anyone, None)];
        for player in game.players() {
            let held = game.kinds().filter(|&kind| game.layout.hand(player, kind).is_some());
            living.extend(held.map(|kind| Number::Hand(kind, Seat::Player(player))));
        }
        let (living, most) = (Number::Sum(living), Number::Is(most as i64));
        let test = Truth::Compare(living, Comparison::Less, most);
        vec![Condition { number: UNNUMBERED, test }]
    }

    /// The tiles of a set that an event may name.
    fn named_tiles(&mut self, within: SetReg, questions: &Questions) -> SetReg {
        let targets = match self.meet(&questions.targets) {
            Some(mask) => self.and(within, mask),
            None => within,
        };
        let mut asked = questions.of_candidate.clone();
        asked.extend(questions.of_source.iter().chain(&questions.late).cloned());
        for set in &questions.targets_of_source {
            asked.push(Condition { number: 0, test: Truth::In(Tile::To, set.clone()) });
        }
        if asked.is_empty() {
            return targets;
        }
        let left = self.constant_set(TileSet::EMPTY);
        self.push(Op::Number(FROM, NO_TILE));
        let body = self.nested(|builder| {
            builder.guarded(&asked, |builder| {
                let single = builder.single(TO);
                builder.push(Op::Or(left, left, single));
            });
        });
        self.push(Op::ForTiles(targets, TO, body));
        left
    }

    /// Hands on events that name a tile, where the state after them is as it must be.
    fn emit_named(
        &mut self,
        id: RuleId,
        targets: SetReg,
        (closing, zone): (Closing, Option<Zone>),
        emit: impl Fn(SetReg) -> Op,
    ) {
        if closing == Closing::Nothing {
            return self.push(emit(targets));
        }
        let found = self.constant_set(TileSet::EMPTY);
        let targets = match zone {
            Some(zone) => {
                self.push(Op::AndNot(found, targets, zone.tiles));
                self.and(targets, zone.tiles)
            }
            None => targets,
        };
        let tried = match self.sure_targets(&self.game.rules[id.index()]) {
            Some(sure) => {
                let sure = self.set(&sure);
                let safe = self.and(targets, sure);
                self.push(Op::Or(found, found, safe));
                self.and_not(targets, sure)
            }
            None => targets,
        };
        self.push(Op::Number(FROM, NO_TILE));
        let body = self.nested(|builder| {
            let single = builder.single(TO);
            builder.trial(id, vec![Op::Or(found, found, single)]);
        });
        self.push(Op::ForTiles(tried, TO, body));
        self.push(emit(found));
    }

    /// Tiles that an act names.
    pub(super) fn picks(
        &mut self,
        id: RuleId,
        action: ActionId,
        questions: &Questions,
        closing: Closing,
    ) {
        let board = self.constant_set(self.game.all_tiles);
        let targets = self.named_tiles(board, questions);
        self.emit_named(id, targets, (closing, None), |tiles| Op::EmitPick(action, tiles));
    }

    /// Pieces of each kind that enter.
    pub(super) fn puts(
        &mut self,
        id: RuleId,
        kinds: &[KindId],
        questions: &Questions,
        (closing, safety, zone): (Closing, Option<Safety>, Option<Zone>),
    ) {
        let game = self.game;
        let stacks = game.all_tiles.without(game.exclusive);
        let empty = self.set(&Set::Empty);
        let room = match stacks.is_empty() {
            true => empty,
            false => {
                let stacks = self.constant_set(stacks);
                self.or(empty, stacks)
            }
        };
        let room = match safety {
            Some(safety) => self.and(room, safety.check),
            None => room,
        };
        let targets = self.named_tiles(room, questions);
        for &kind in kinds {
            let put = |builder: &mut Self| {
                if closing != Closing::Nothing {
                    builder.push(Op::Number(CHOICE, kind.index() as i64));
                }
                builder.emit_named(id, targets, (closing, zone), |tiles| Op::EmitPut(kind, tiles));
            };
            match game.layout.hand(self.player, kind) {
                Some(field) => {
                    let held = self.field(field, 0);
                    let body = self.nested(put);
                    self.push(Op::If(held, body, Vec::new()));
                }
                None if game.is_unlimited(kind) => {
                    let supplied = self.supplied();
                    self.guarded(&supplied, put);
                }
                None => {}
            }
        }
    }
}
