"""Many games at once, stepped in Rust on threads, in arrays that are made once.

>>> from senet import vector
>>> env = vector.make("tic-tac-toe", n=4)
>>> step = env.reset(seed=1)
>>> step.observations.shape, step.masks.shape
((4, 6, 3, 3), (4, 9))
>>> step = env.step([4, 4, 0, 8])
>>> step.players.tolist(), step.terminated.any()
([1, 1, 1, 1], np.False_)
"""

from __future__ import annotations

import secrets
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from senet._senet import Batch, Game, Position, load

_T = TypeVar("_T", bound=np.generic)

__all__ = ["Step", "VectorEnv", "make"]


class Step(NamedTuple):
    """What a step gives. The arrays are read-only and written anew by the next step: copy what
    you keep."""

    observations: npt.NDArray[np.float32]
    """Of each game what the player to move sees; ``Game.observation_planes`` names the planes."""
    rewards: npt.NDArray[np.float32]
    """Of each game what each player got, in the order of ``Game.players``."""
    terminated: npt.NDArray[np.bool_]
    """Of each game whether the step ended it. It has begun anew."""
    truncated: npt.NDArray[np.bool_]
    """Of each game whether it reached the limit of actions. It has begun anew."""
    masks: npt.NDArray[np.bool_]
    """Of each game which actions are legal."""
    players: npt.NDArray[np.int32]
    """Of each game who is to move, as an index of ``Game.players``."""
    final_observations: npt.NDArray[np.float32]
    """Of each game that has begun anew what the player to move saw before; other rows mean nothing.
    Without rows unless ``finals`` was asked for."""


class VectorEnv:
    """A batch of games of one kind. Games that end begin anew in the same step; chance is drawn
    inside. Results depend on the seed and the actions alone, not on the threads."""

    game: Game
    num_envs: int
    num_actions: int
    observation_shape: tuple[int, ...]

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        history: int = 1,
        limit: int | None = None,
        threads: int | None = None,
        finals: bool = False,
    ) -> None:
        """``n`` games whose observations show ``history`` positions, cut off after ``limit``
        actions, played by ``threads`` threads or as many as there are cores. With ``finals``, a step
        gives the last observation of games that end too."""
        self.game = load(game) if isinstance(game, str) else game
        if n < 1:
            raise ValueError(f"a batch of {n} games: the least is 1")
        self.num_envs = n
        self.num_actions = self.game.num_actions
        self.observation_shape = tuple(self.game.observation_shape(history))
        players = len(self.game.players)
        self._arrays = (
            np.zeros((n, *self.observation_shape), np.float32),
            np.zeros((n, self.num_actions), np.bool_),
            np.zeros((n, players), np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int32),
            np.zeros((n if finals else 0, *self.observation_shape), np.float32),
        )
        self._picked = np.zeros(n, np.int64)
        self._batch = Batch(self.game, n, history, limit, threads)
        observations, masks, rewards, terminated, truncated, movers, last = self._arrays
        self._step = Step(
            _shown(observations),
            _shown(rewards),
            _shown(terminated),
            _shown(truncated),
            _shown(masks),
            _shown(movers),
            _shown(last),
        )

    def reset(self, seed: int | None = None) -> Step:
        """Begins all games. The seed decides all chance from here on."""
        self._batch.reset(secrets.randbits(64) if seed is None else seed, self._arrays)
        return self._step

    def step(self, actions: npt.ArrayLike) -> Step:
        """Plays an action in each game. Where one is not legal, no game moves and
        ``IllegalAction`` is raised."""
        chosen = np.asarray(actions)
        if not np.issubdtype(chosen.dtype, np.integer):
            raise TypeError(f"actions are integers, not {chosen.dtype}")
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"actions must have shape ({self.num_envs},), not {chosen.shape}")
        self._batch.step(np.ascontiguousarray(chosen, np.int64), self._arrays)
        return self._step

    def step_randomly(self) -> tuple[npt.NDArray[np.int64], Step]:
        """Plays a legal action at random in each game, and gives the actions too, in an array that
        is read-only and written anew by the next call."""
        self._batch.step_randomly(self._picked, self._arrays)
        return _shown(self._picked), self._step

    def position(self, number: int) -> Position:
        """The position of one of the games."""
        return self._batch.position(number)

    def __len__(self) -> int:
        return self.num_envs

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.num_envs} games of {self.game.name}>"


def _shown(array: npt.NDArray[_T]) -> npt.NDArray[_T]:
    view = array.view()
    view.flags.writeable = False
    return view


def make(
    game: Game | str,
    n: int,
    *,
    history: int = 1,
    limit: int | None = None,
    threads: int | None = None,
    finals: bool = False,
    **options: int,
) -> VectorEnv:
    """A batch of ``n`` games; options such as ``size=9`` are those of a game by name."""
    if options:
        if not isinstance(game, str):
            raise TypeError("options are for a game by name")
        game = load(game, **options)
    return VectorEnv(game, n, history=history, limit=limit, threads=threads, finals=finals)
