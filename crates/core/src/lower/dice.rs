//! Moves by dice along a track.

use crate::id::{KindId, RuleId};
use crate::ir::{FROM, NumReg, Op, PIPS, SetReg, TO};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Movement, Set, Tile, Track, Truth};
use crate::written::Comparison;

use super::Builder;
use super::generate::{Closing, Ending, Sink};
use super::question::Questions;

impl Builder<'_, '_> {
    /// By each number that the dice show, once.
    pub(super) fn dice_moves(
        &mut self,
        id: RuleId,
        movement: &Movement,
        questions: &Questions,
        ending: Ending,
        track: &Track,
    ) {
        let Sink::Events = ending.sink else { return };
        if !movement.choice.is_empty() {
            return;
        }
        let game = self.game;
        let mut mask = self.meet(&questions.targets);
        if game.exclusive != TileSet::EMPTY {
            let (every, friends) = (self.every_tile(), self.own_blockers());
            let open = self.and_not(every, friends);
            mask = Some(mask.map_or(open, |mask| self.and(mask, open)));
        }
        let kinds: Vec<KindId> =
            game.kinds().filter(|&kind| movement.kinds.contains(kind)).collect();
        let sources = self.sources(movement, &kinds, ending);
        let shown: Vec<NumReg> =
            track.dice.iter().map(|&die| self.field(game.layout.die(die), 0)).collect();
        if let Some(asked) = self.asks_sources_alone(movement, &kinds, questions, ending) {
            let table = self.lowering.track(id, self.player, track);
            let from = asked.iter().fold(sources, |from, set| {
                let set = self.set(set);
                self.and(from, set)
            });
            let onto = mask.unwrap_or_else(|| self.every_tile());
            return self.push(Op::EmitDice { from, onto, track: table, dice: shown });
        }
        let fresh: Vec<NumReg> =
            (0..shown.len()).map(|index| self.is_fresh(index, &shown)).collect();
        let table = self.lowering.track(id, self.player, track);
        let body = self.nested(|builder| {
            let moves = |builder: &mut Self| {
                for index in 0..shown.len() {
                    builder.die_move(
                        movement,
                        (fresh[index], shown[index]),
                        (table, mask),
                        (questions, ending),
                        track,
                    );
                }
            };
            builder.guarded(&questions.of_source.clone(), |builder| {
                builder.where_one_moves(id, &kinds, moves);
            });
        });
        self.push(Op::ForTiles(sources, FROM, body));
    }

    /// The sets in which sources must lie, where nothing else is asked of a move but what is asked of all
    /// targets alike.
    fn asks_sources_alone(
        &self,
        movement: &Movement,
        kinds: &[KindId],
        questions: &Questions,
        ending: Ending,
    ) -> Option<Vec<Set>> {
        let alone = questions.late.is_empty()
            && questions.of_candidate.is_empty()
            && questions.targets_of_source.is_empty()
            && ending.closing == Closing::Nothing
            && self.one_kind_at_a_time(kinds)
            && self.lowering.is_everywhere(&movement.through, self.player);
        let lift = |one: &Condition| self.lift(one, &Tile::From);
        alone.then(|| questions.of_source.iter().map(lift).collect())?
    }

    /// Whether a die shows a number, and none before it the same.
    fn is_fresh(&mut self, index: usize, shown: &[NumReg]) -> NumReg {
        let (nothing, fresh) = (self.constant_number(0), self.new_number());
        self.push(Op::Compare(fresh, Comparison::Different, shown[index], nothing));
        for &earlier in &shown[..index] {
            let same = self.new_number();
            self.push(Op::Compare(same, Comparison::Equal, earlier, shown[index]));
            self.push(Op::If(same, vec![Op::Number(fresh, 0)], Vec::new()));
        }
        fresh
    }

    fn die_move(
        &mut self,
        movement: &Movement,
        (fresh, shown): (NumReg, NumReg),
        (table, mask): (crate::ir::TrackId, Option<SetReg>),
        (questions, ending): (&Questions, Ending),
        track: &Track,
    ) {
        let body = self.nested(|builder| {
            builder.push(Op::Move(PIPS, shown));
            builder.push(Op::Track { to: TO, track: table, pips: PIPS, from: FROM });
            let every = builder.every_tile();
            let inside = builder.has(mask.unwrap_or(every), TO);
            let body = builder.nested(|builder| {
                let mut asked = questions.late.clone();
                asked.extend(questions.of_candidate.iter().cloned());
                for set in &questions.targets_of_source {
                    asked.push(Condition { number: 0, test: Truth::In(Tile::To, set.clone()) });
                }
                builder.guarded(&asked, |builder| {
                    let emit = vec![Op::EmitDie { from: FROM, to: TO, pips: PIPS }];
                    let closing = |builder: &mut Self| match ending.closing {
                        Closing::Nothing => builder.extend(emit),
                        Closing::Trial | Closing::Probe(_) => builder.trial(ending.rule, emit),
                    };
                    if builder.lowering.is_everywhere(&movement.through, builder.player) {
                        return closing(builder);
                    }
                    let direction = builder.direction(&track.along);
                    let slide = builder.lowering.slide(&[direction]);
                    let (between, through) = (builder.new_set(), builder.set(&movement.through));
                    builder.push(Op::Between(between, slide, FROM, TO));
                    let closed = builder.and_not(between, through);
                    let any = builder.any(closed);
                    let body = builder.nested(closing);
                    builder.push(Op::If(any, Vec::new(), body));
                });
            });
            builder.push(Op::If(inside, body, Vec::new()));
        });
        self.push(Op::If(fresh, body, Vec::new()));
    }
}
