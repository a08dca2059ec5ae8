"""Games in the shape of OpenSpiel, so that algorithms written for ``pyspiel`` run on them.

>>> import senet.spiel
>>> game = senet.spiel.load_game("tic-tac-toe")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[4])
>>> state.current_player(), len(state.legal_actions()), state.is_terminal()
(1, 8, False)

Chance is explicit: a state that awaits dice or a card is a chance node, and its outcomes are numbered
in the order of ``Position.chances``. In games with secrets, observations and information states show
what a player sees and no more:

>>> state = senet.spiel.load_game("kuhn-poker").new_initial_state()
>>> for _ in range(2):
...     state.apply_action(0)
>>> state.current_player(), state.legal_actions(), len(state.information_state_tensor())
(0, [0, 1], 82)
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from senet._errors import IllegalAction
from senet._senet import Event, Match, Position, load
from senet._senet import Game as Rules

__all__ = ["CHANCE", "TERMINAL", "Game", "PlayerAction", "State", "load_game"]

CHANCE = -1
"""The player of chance nodes, as in OpenSpiel."""

TERMINAL = -4
"""The player of states in which the game is over, as in OpenSpiel."""


class PlayerAction(NamedTuple):
    """An action and who took it."""

    player: int
    action: int


class Game:
    """A game with the methods of ``pyspiel.Game`` that algorithms in Python use."""

    def __init__(
        self,
        rules: Rules,
        *,
        max_length: int = 10_000,
        max_utility: float | None = None,
        memory: int = 16,
    ) -> None:
        """``max_length`` is after how many events a game should be cut off, and ``memory`` how many
        events information states show. ``max_utility`` is the most that a player can win, which
        follows from the endings of the game unless it is given."""
        self.rules = rules
        self._max_length = max_length
        self._utilities = None if max_utility is None else (-max_utility, max_utility)
        self._memory = memory

    def new_initial_state(self, text: str | None = None) -> State:
        """The state at the start, or of a position as text."""
        start = self.rules.start() if text is None else self.rules.position(text)
        return State(self, Match(start))

    def new_initial_states(self) -> list[State]:
        """The state at the start, in a list."""
        return [self.new_initial_state()]

    def num_players(self) -> int:
        """How many players there are."""
        return len(self.rules.players)

    def num_distinct_actions(self) -> int:
        """How many actions there are."""
        return self.rules.num_actions

    def policy_tensor_shape(self) -> list[int]:
        """The shape of a policy."""
        return [self.rules.num_actions]

    def max_chance_outcomes(self) -> int:
        """At most how many outcomes chance has."""
        return self.rules.num_chances

    def max_game_length(self) -> int:
        """After how many events a game should be cut off."""
        return self._max_length

    def max_history_length(self) -> int:
        """After how many events, those of chance among them, a game should be cut off."""
        return self._max_length

    def min_utility(self) -> float:
        """The least that a player gets."""
        return self._bounds()[0]

    def max_utility(self) -> float:
        """The most that a player gets. Where scores are computed, this is a bound."""
        return self._bounds()[1]

    def utility_sum(self) -> float | None:
        """What all players get together, where that is always the same: 0 between two of whom one
        gets what the other loses."""
        pays = any("pays" in ending for ending in json.loads(self.rules.to_json())["endings"])
        return 0.0 if self.num_players() == 2 and not pays else None

    def _bounds(self) -> tuple[float, float]:
        if self._utilities is None:
            self._utilities = _utilities(self.rules)
        return self._utilities

    def deserialize_state(self, text: str) -> State:
        """The state that ``State.serialize`` wrote."""
        lines = text.splitlines()
        start = lines.pop(0).removeprefix(_START) if text.startswith(_START) else None
        state = self.new_initial_state(start)
        state.apply_actions(int(line) for line in lines)
        return state

    def observation_tensor_shape(self) -> list[int]:
        """The shape of observations."""
        return self.rules.observation_shape()

    def observation_tensor_size(self) -> int:
        """How many numbers an observation has."""
        return int(np.prod(self.observation_tensor_shape()))

    def information_state_tensor_shape(self) -> list[int]:
        """The shape of information states."""
        return [self.information_state_tensor_size()]

    def information_state_tensor_size(self) -> int:
        """How many numbers an information state has."""
        return self.rules.information_size(self._memory)

    def memory(self) -> int:
        """How many events information states show."""
        return self._memory

    def get_parameters(self) -> dict[str, Any]:
        """A game has no parameters."""
        return {}

    def get_type(self) -> Any:
        """The type of the game as ``pyspiel`` describes it; needs ``open_spiel``."""
        import pyspiel

        kind = pyspiel.GameType
        modes, informations = kind.ChanceMode, kind.Information
        chance = modes.EXPLICIT_STOCHASTIC if self.rules.num_chances else modes.DETERMINISTIC
        secrets = self.rules.has_secrets
        players = self.num_players()
        return kind(
            short_name=f"senet_{self.rules.name.replace('-', '_')}",
            long_name=self.rules.name,
            dynamics=kind.Dynamics.SEQUENTIAL,
            chance_mode=chance,
            information=informations.IMPERFECT_INFORMATION
            if secrets
            else informations.PERFECT_INFORMATION,
            utility=kind.Utility.GENERAL_SUM
            if self.utility_sum() is None
            else kind.Utility.ZERO_SUM,
            reward_model=kind.RewardModel.TERMINAL,
            max_num_players=players,
            min_num_players=players,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )

    def __str__(self) -> str:
        return f"senet({self.rules.name})"


class State:
    """A state with the methods of ``pyspiel.State`` that algorithms in Python use. Repetitions
    count."""

    def __init__(self, game: Game, match: Match) -> None:
        self._game = game
        self._match = match
        self._history: list[PlayerAction] = []

    @property
    def position(self) -> Position:
        """The position."""
        return self._match.position

    def get_game(self) -> Game:
        """The game."""
        return self._game

    def num_players(self) -> int:
        """How many players there are."""
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        """How many actions there are."""
        return self._game.num_distinct_actions()

    def is_initial_state(self) -> bool:
        """Whether nothing has been played."""
        return not self._history

    def current_player(self) -> int:
        """The index of the player to move, or ``CHANCE`` or ``TERMINAL``."""
        if self.is_terminal():
            return TERMINAL
        position = self._match.position
        return CHANCE if position.awaits_chance else self._game.rules.players.index(position.player)

    def is_chance_node(self) -> bool:
        """Whether chance is awaited."""
        return not self.is_terminal() and self._match.position.awaits_chance

    def is_player_node(self) -> bool:
        """Whether a player is to move."""
        return self.current_player() >= 0

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._match.outcome is not None or not self._match.position.legal_count()

    def is_simultaneous_node(self) -> bool:
        """Nobody acts at once."""
        return False

    def is_mean_field_node(self) -> bool:
        """There are none."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions in ascending order; outcomes of chance at a chance node."""
        mover = self.current_player()
        if mover == TERMINAL or (player is not None and player != mover):
            return []
        if mover == CHANCE:
            return list(range(len(self._match.position.chances())))
        return sorted(self._match.position.legal_actions())

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Whether each action is legal."""
        mask = [0] * self._game.num_distinct_actions()
        if not self.is_chance_node():
            for action in self.legal_actions(player):
                mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance, each with its probability."""
        chances = self._match.position.chances()
        return [(number, float(share)) for number, (_, share) in enumerate(chances)]

    def apply_action(self, action: int) -> None:
        """Plays an action, or an outcome of chance."""
        mover = self.current_player()
        self._match.apply(self._event(int(action)))
        self._history.append(PlayerAction(mover, int(action)))

    def apply_actions(self, actions: Iterable[int]) -> None:
        """Plays actions and outcomes of chance one after another."""
        for action in actions:
            self.apply_action(action)

    def apply_action_with_legality_check(self, action: int) -> None:
        """The same as ``apply_action``, which always checks."""
        self.apply_action(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back, which must be this one."""
        if not self._history or self._history[-1] != (player, action):
            raise ValueError(f"action {action} of player {player} is not the last one played")
        self._match.undo()
        self._history.pop()

    def child(self, action: int) -> State:
        """The state after an action."""
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        """A copy that can be played on its own."""
        copy = State(self._game, self._match.branch())
        copy._history = list(self._history)
        return copy

    def history(self) -> list[int]:
        """The actions and outcomes of chance so far."""
        return [one.action for one in self._history]

    def full_history(self) -> list[PlayerAction]:
        """The same, each with who took it."""
        return list(self._history)

    def history_str(self) -> str:
        """The same as text."""
        return ", ".join(map(str, self.history()))

    def serialize(self) -> str:
        """The state as text: an action in each line, and before them the position in which it began
        where that is not the start."""
        start = self._match.start
        lines = [] if start == self._game.rules.start() else [f"{_START}{start}"]
        return "".join(f"{line}\n" for line in [*lines, *self.history()])

    def move_number(self) -> int:
        """How many actions were played."""
        return len(self._history)

    def returns(self) -> list[float]:
        """What each player has got."""
        outcome = self._match.outcome
        if outcome is None:
            return [0.0] * self._game.num_players()
        return [float(outcome.scores[player]) for player in self._game.rules.players]

    def rewards(self) -> list[float]:
        """What the last action gave each player: rewards come at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """What one player has got."""
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        """What the last action gave one player."""
        return self.rewards()[player]

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a player sees, or the one to move, as a flat list."""
        tensor: list[float] = self.observation_array(player).ravel().tolist()
        return tensor

    def observation_array(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """What a player sees, or the one to move."""
        return self._match.position.observe(self._name(player))

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees, or the one to move, as text."""
        if not self._game.rules.has_secrets:
            return str(self._match.position)
        view = self._match.position.view(self._name(player) or self._match.position.player)
        return str(view)

    def information_state_string(self, player: int | None = None) -> str:
        """Everything that a player, or the one to move, has seen and done."""
        return self._match.information_state(self._name(player))

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """What a player, or the one to move, sees now and saw of the last events."""
        memory = self._game.memory()
        tensor: list[float] = self._match.information_tensor(
            self._name(player), events=memory
        ).tolist()
        return tensor

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """An action as people write it; the player may be left out."""
        return str(self._event(player if action is None else action))

    def string_to_action(self, text: str) -> int:
        """The action of a text."""
        action = self._match.position.parse(text).action
        if action is None:
            raise ValueError(f"{text!r} is not an action")
        return action

    def _name(self, player: int | None) -> str | None:
        return None if player is None else self._game.rules.players[player]

    def _event(self, action: int) -> Event:
        if self.is_chance_node():
            chances = self._match.position.chances()
            if not 0 <= action < len(chances):
                message = f"there is no outcome {action}: they are numbered 0 to {len(chances) - 1}"
                raise IllegalAction(message, action=action)
            return chances[action][0]
        legal = self._match.position.legal()
        for event in legal:
            if event.action == action:
                return event
        return self._game.rules.action_to_event(action)

    def to_string(self) -> str:
        """The board drawn with letters."""
        return str(self)

    def __str__(self) -> str:
        return self._match.position.draw()


_START = "start: "


def _utilities(rules: Rules) -> tuple[float, float]:
    """The least and the most that a player can get, by the endings of a game."""
    definition = json.loads(rules.to_json())
    sizes = _Sizes(rules, definition)
    low, high = 0, 0
    for ending in definition["endings"]:
        if "pays" in ending:
            least, most = sizes.range(ending["pays"])
        elif "winner" in ending or "most" in ending:
            most = max(map(abs, sizes.range(ending.get("score", {"is": 1}))))
            least = -most
        else:
            continue
        low, high = min(low, least), max(high, most)
    return float(low), float(high)


class _Sizes:
    """How large the numbers of a definition can be."""

    def __init__(self, rules: Rules, definition: dict[str, Any]) -> None:
        self.name = rules.name
        self.tiles = len(rules.tiles)
        self.pieces = max(len(rules.pieces), self.tiles)
        self.dice = {one["name"]: one["sides"] for one in definition.get("dice", [])}
        self.variables = {
            one["name"]: (one.get("min", 0), one["max"]) for one in definition.get("variables", [])
        }

    def range(self, number: dict[str, Any]) -> tuple[int, int]:
        """The least and the greatest value of a number."""
        match next(iter(number.items())):
            case "is", int(value):
                return value, value
            case "variable", {"name": name} if name in self.variables:
                return self.variables[name]
            case "die", name if name in self.dice:
                return 0, self.dice[name]
            case ("count" | "groups" | "distance"), _:
                return 0, self.tiles
            case ("pieces" | "hand"), _:
                return 0, self.pieces
            case "sum", parts:
                ranges = [self.range(part) for part in parts]
                return sum(low for low, _ in ranges), sum(high for _, high in ranges)
            case "minus", (one, other):
                (low, high), (least, most) = self.range(one), self.range(other)
                return low - most, high - least
            case "times", parts:
                low, high = 1, 1
                for part in parts:
                    ends = [one * other for one in (low, high) for other in self.range(part)]
                    low, high = min(ends), max(ends)
                return low, high
            case ("min" | "max") as which, parts:
                pick = min if which == "min" else max
                ranges = [self.range(part) for part in parts]
                return pick(low for low, _ in ranges), pick(high for _, high in ranges)
            case "if", (_, one, other):
                (low, high), (least, most) = self.range(one), self.range(other)
                return min(low, least), max(high, most)
        raise ValueError(f"how much can be won in {self.name} is not known: give max_utility")


def load_game(
    name: str,
    *,
    max_length: int = 10_000,
    max_utility: float | None = None,
    memory: int = 16,
    **options: int,
) -> Game:
    """The shipped game of a name, in the shape of OpenSpiel. Options such as ``size=9`` are those of
    the game; the others are those of ``Game``."""
    return Game(
        load(name, **options), max_length=max_length, max_utility=max_utility, memory=memory
    )
