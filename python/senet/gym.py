"""Games as environments of Gymnasium: one seat is yours, opponents take the others.

>>> import senet.gym
>>> env = senet.gym.BoardEnv("tic-tac-toe", opponent="random")
>>> observation, info = env.reset(seed=3)
>>> observation.shape, int(info["action_mask"].sum()) > 0
((6, 3, 3), True)

To import this module makes the games known to Gymnasium, as ``senet/tic-tac-toe-v0`` and so on;
``gymnasium.make`` can import it too:

>>> import gymnasium
>>> gymnasium.make("senet.gym:senet/tic-tac-toe-v0", opponent="random").action_space
Discrete(9)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from senet._data import Thought
from senet._senet import Event, Game, Match, Position, games, load

__all__ = ["BoardEnv", "register"]

Opponent = Callable[[Match], Thought | Event | str | None]


class BoardEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """One seat of a game. Opponents and chance play inside ``step``.

    The observation is what your player sees; ``info["action_mask"]`` says which actions are
    legal. The reward is what the outcome scores for your seat. An action that is not legal ends
    the game with a reward of -1 and ``info["illegal"]``."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        *,
        opponent: str | Opponent = "random",
        seat: int | None = 0,
        limit: int = 10_000,
        render_mode: str | None = None,
    ) -> None:
        """``opponent`` is a description of a bot or a function from a match to an event; ``seat``
        is an index of ``Game.players``, or none for another seat each game."""
        self.game = load(game) if isinstance(game, str) else game
        players = len(self.game.players)
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat must be 0 to {players - 1}, not {seat}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be 'ansi' or 'rgb_array', not {render_mode!r}")
        self.render_mode = render_mode
        self._opponent = opponent
        self._wanted_seat = seat
        self._limit = limit
        self.seat = seat or 0
        self.match = Match(self.game)
        self._choose: Opponent = lambda match: None
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self.observation_space = gymnasium.spaces.Box(
            0.0,
            self.game.observation_high,
            tuple(self.game.observation_shape()),
            np.float32,
        )

    @property
    def position(self) -> Position:
        """The position now."""
        return self.match.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begins a game."""
        super().reset(seed=seed)
        seat = self._wanted_seat
        if seat is None:
            seat = int(self.np_random.integers(len(self.game.players)))
        self.seat = seat
        self.match = Match(self.game)
        if isinstance(self._opponent, str):
            number = int(self.np_random.integers(2**63))
            self._choose = self.game.bot(self._opponent, number).choose
        else:
            self._choose = self._opponent
        self._let_others_play()
        return self._observation(), self._info()

    def step(
        self, action: Any
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Plays an action, then whatever comes until it is your turn again."""
        position = self.match.position
        if int(action) not in position.legal_actions():
            info = self._info() | {"illegal": True}
            return self._observation(), -1.0, True, False, info
        self.match.apply(self.game.action_to_event(int(action)))
        self._let_others_play()
        outcome = self.match.outcome
        reward = float(outcome.scores[self.game.players[self.seat]]) if outcome else 0.0
        over = outcome is not None or not self.match.position.legal_count()
        cut = not over and self.match.ply >= self._limit
        return self._observation(), reward, over, cut, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as libraries for masked policies ask for it."""
        return self.match.position.action_mask()

    def render(self) -> Any:
        """The board as your player sees it: drawn with letters, or as an array of pixels."""
        seer = self.game.players[self.seat] if self.game.has_secrets else None
        match self.render_mode:
            case "ansi":
                return self.match.position.draw(seer)
            case "rgb_array":
                return self.match.position.pixels(seer)
        return None

    def _observation(self) -> npt.NDArray[np.float32]:
        return self.match.position.observe(self.game.players[self.seat])

    def _info(self) -> dict[str, Any]:
        mask = self.match.position.action_mask().astype(np.int8)
        return {"action_mask": mask, "player": self.match.position.player}

    def _let_others_play(self) -> None:
        own = self.game.players[self.seat]
        while self.match.outcome is None and self.match.ply < self._limit:
            position = self.match.position
            event: Thought | Event | str | None
            if position.awaits_chance:
                event = position.draw_chance(int(self.np_random.integers(2**63)))
            elif position.player != own:
                event = self._choose(self.match)
            else:
                return
            if event is None:
                return
            self.match.apply(event.event if isinstance(event, Thought) else event)


def register() -> list[str]:
    """Makes every shipped game known to ``gymnasium.make``, as importing this module has done; gives
    the names."""
    names = [f"senet/{game}-v0" for game in games()]
    for name, game in zip(names, games(), strict=True):
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="senet.gym:BoardEnv", kwargs={"game": game})
    return names


register()
