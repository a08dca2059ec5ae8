//! The buffers that batches write to.

/// How many numbers an observation, actions a mask and players a game has.
pub(super) type Sizes = (usize, usize, usize);

/// Where a batch writes, game after game. [`Batch::reset`] fills the buffers, and the same ones
/// must be given to each [`Batch::step`], unchanged.
///
/// [`Batch::reset`]: crate::learn::Batch::reset
/// [`Batch::step`]: crate::learn::Batch::step
#[derive(Debug)]
pub struct Buffers<'b> {
    /// A tensor for each game, as long as [`Planes::len`](crate::learn::Planes::len) says.
    pub observations: &'b mut [f32],
    /// For each game whether each action is legal.
    pub masks: &'b mut [bool],
    /// For each game what each player got by the last step.
    pub rewards: &'b mut [f32],
    /// For each game whether the last step ended it.
    pub terminated: &'b mut [bool],
    /// For each game whether the last step reached the limit of actions.
    pub truncated: &'b mut [bool],
    /// For each game who is to move.
    pub players: &'b mut [i32],
    /// For each game that the last step ended or cut off, the tensor of what the player to move saw then.
    /// Empty where nobody asks for it.
    pub finals: &'b mut [f32],
}

/// Where games are taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Front,
    Back,
}

/// The rows of one lane in the buffers.
pub(super) struct Row<'b> {
    pub(super) observation: &'b mut [f32],
    pub(super) mask: &'b mut [bool],
    pub(super) rewards: &'b mut [f32],
    pub(super) terminated: &'b mut bool,
    pub(super) truncated: &'b mut bool,
    pub(super) player: &'b mut i32,
    /// Room for what is seen at the end, if it is asked for.
    pub(super) last: Option<&'b mut [f32]>,
}

impl End {
    pub(super) fn take<'b, T>(self, from: &mut &'b mut [T], count: usize) -> &'b mut [T] {
        let all = std::mem::take(from);
        let (taken, rest) = match self {
            End::Front => all.split_at_mut(count),
            End::Back => {
                let (rest, taken) = all.split_at_mut(all.len() - count);
                (taken, rest)
            }
        };
        *from = rest;
        taken
    }
}

impl<'b> Buffers<'b> {
    /// The same buffers for a shorter time.
    pub(super) fn reborrow(&mut self) -> Buffers<'_> {
        Buffers {
            observations: self.observations,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            players: self.players,
            finals: self.finals,
        }
    }

    /// Takes those of so many games off an end.
    pub(super) fn take(
        &mut self,
        games: usize,
        end: End,
        (tensor, actions, players): Sizes,
    ) -> Buffers<'b> {
        let finals = (games * tensor).min(self.finals.len());
        Buffers {
            observations: end.take(&mut self.observations, games * tensor),
            masks: end.take(&mut self.masks, games * actions),
            rewards: end.take(&mut self.rewards, games * players),
            terminated: end.take(&mut self.terminated, games),
            truncated: end.take(&mut self.truncated, games),
            players: end.take(&mut self.players, games),
            finals: end.take(&mut self.finals, finals),
        }
    }

    /// The rows of each game.
    pub(super) fn rows(self, (tensor, actions, players): Sizes) -> impl Iterator<Item = Row<'b>> {
        let mut finals = self.finals.chunks_exact_mut(tensor.max(1));
        (self.observations.chunks_exact_mut(tensor.max(1)))
            .zip(self.masks.chunks_exact_mut(actions.max(1)))
            .zip(self.rewards.chunks_exact_mut(players.max(1)))
            .zip(self.terminated.iter_mut().zip(self.truncated))
            .zip(self.players)
            .map(move |((((observation, mask), rewards), (terminated, truncated)), player)| Row {
                observation,
                mask,
                rewards,
                terminated,
                truncated,
                player,
                last: finals.next(),
            })
    }
}
