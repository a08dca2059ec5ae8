"""Games as environments of PettingZoo: every player is an agent.

>>> import senet.zoo
>>> env = senet.zoo.env("tic-tac-toe")
>>> env.reset(seed=1)
>>> env.agent_selection, env.observe(env.agent_selection)["action_mask"].sum().item()
('x', 9)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from senet._senet import Game, Match, Position, load

__all__ = ["BoardEnv", "env", "parallel_env", "raw_env"]


class BoardEnv(AECEnv):
    """A game in which agents act one after another. Chance is drawn inside ``step``.

    The observation of an agent is a dict with ``observation``, what the agent sees, and
    ``action_mask``, which is all zero for agents that are not to move."""

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, game: Game | str, *, limit: int = 10_000, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, *BoardEnv.metadata["render_modes"]):
            raise ValueError(f"render_mode must be 'ansi' or 'rgb_array', not {render_mode!r}")
        self.game = load(game) if isinstance(game, str) else game
        self.metadata = {**BoardEnv.metadata, "name": f"{self.game.name.replace('-', '_')}_v0"}
        self.render_mode = render_mode
        self._limit = limit
        self.possible_agents = list(self.game.players)
        self.agents = list(self.possible_agents)
        shape = tuple(self.game.observation_shape())
        actions = self.game.num_actions
        self._observation_space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(
                    0.0, self.game.observation_high, shape, np.float32
                ),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self._action_spaces = {
            agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents
        }
        self.match = Match(self.game)
        self._source = np.random.default_rng()

    @property
    def position(self) -> Position:
        """The position now."""
        return self.match.position

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The actions of the game."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        position = self.match.position
        acts = agent == position.player and not self.terminations.get(agent, False)
        mask = position.action_mask().astype(np.int8)
        return {
            "observation": position.observe(agent),
            "action_mask": mask if acts else np.zeros_like(mask),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game."""
        if seed is not None or not hasattr(self, "agent_selection"):
            self._source = np.random.default_rng(seed)
        self.match = Match(self.game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._settle()
        self.agent_selection = self.match.position.player

    def step(self, action: Any) -> None:
        """Plays an action of the agent to move; raises ``Rejected`` if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.match.apply(self.game.action_to_event(int(action)))
        self._settle()
        self._clear_rewards()
        outcome = self.match.outcome
        if outcome is not None:
            self.rewards = {agent: float(outcome.scores[agent]) for agent in self.agents}
        if outcome is not None or not self.match.position.legal_count():
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.match.ply >= self._limit:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.match.position.player
        self._accumulate_rewards()

    def render(self) -> Any:
        """The whole board, with what is hidden from agents: drawn with letters, or as pixels."""
        match self.render_mode:
            case "ansi":
                return self.match.position.draw()
            case "rgb_array":
                return self.match.position.pixels()
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def _settle(self) -> None:
        while self.match.outcome is None and self.match.ply < self._limit:
            event = self.match.position.draw_chance(int(self._source.integers(2**63)))
            if event is None:
                return
            self.match.apply(event)


def raw_env(game: Game | str, **options: Any) -> BoardEnv:
    """A game without wrappers: an action that is not legal raises ``Rejected``."""
    return BoardEnv(game, **options)


def env(game: Game | str, **options: Any) -> Any:
    """A game with the usual wrappers: an action that is not legal loses."""
    made: Any = raw_env(game, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def parallel_env(game: Game | str, **options: Any) -> ParallelEnv[Any, Any, Any]:
    """A game in which all agents act at once, though only the action of one counts."""
    return turn_based_aec_to_parallel(env(game, **options))
