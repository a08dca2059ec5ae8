"""Temporal differences on backgammon: a small network learns by playing itself.

    python td_backgammon.py [--steps N] [--games N] [--out curve.svg]

The network says what a position is worth to white. Each turn goes to the position that it likes
best, and each estimate is moved towards the one after it.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import curve
import numpy as np
import numpy.typing as npt

import senet

GAME = senet.load("backgammon")
PLANES = GAME.observation_planes()
OWN, FOE = PLANES.index("own checker"), PLANES.index("foe checker")
HIDDEN = 40
Floats = npt.NDArray[np.float64]


def features(positions: list[senet.Position]) -> Floats:
    """The checkers of white and of black on each tile, in steps, and whose turn it is."""
    seen = GAME.observe(positions)
    white = np.array([position.player == "white" for position in positions])
    own, foe = seen[:, OWN], seen[:, FOE]
    sides = [np.where(white[:, None], own, foe), np.where(white[:, None], foe, own)]
    steps = [f(side) for side in sides for f in (
        lambda count: count >= 1,
        lambda count: count >= 2,
        lambda count: count >= 3,
        lambda count: np.maximum(count - 3, 0) / 2,
    )]
    turn = np.stack([white, ~white], axis=1)
    return np.concatenate([*steps, turn], axis=1).astype(np.float64)


class Network:
    """One hidden layer. Its output is the chance of white to win, in shares of a gammon."""

    def __init__(self, seed: int = 1) -> None:
        source = np.random.default_rng(seed)
        inputs = features([GAME.start()]).shape[1]
        self.first = source.normal(0, 0.1, (inputs, HIDDEN))
        self.second = source.normal(0, 0.1, HIDDEN)
        self.bias = np.zeros(HIDDEN)

    def worth(self, inputs: Floats) -> Floats:
        """What positions are worth to white, from -1 to 1."""
        return np.tanh(np.tanh(inputs @ self.first + self.bias) @ self.second)

    def learn(self, inputs: Floats, wanted: Floats, rate: float) -> None:
        """Moves the worth of positions towards what is wanted."""
        hidden = np.tanh(inputs @ self.first + self.bias)
        worth = np.tanh(hidden @ self.second)
        slope = (wanted - worth) * (1 - worth**2)
        back = np.outer(slope, self.second) * (1 - hidden**2)
        self.second += rate * slope @ hidden
        self.first += rate * inputs.T @ back
        self.bias += rate * back.sum(axis=0)

    def best(self, position: senet.Position) -> senet.Turn:
        """The turn that leads to the best position for the player to move."""
        turns = position.turns()
        worth = self.worth(features([turn.position for turn in turns]))
        return turns[int(worth.argmax() if position.player == "white" else worth.argmin())]

    def choose(self, played: senet.Match) -> senet.Event:
        """The first event of the best turn, as ``senet.duel`` asks for it."""
        position = played.position
        # A turn in which nothing can be moved has no events but to pass.
        return (self.best(position).events or position.legal())[0]


def score(position: senet.Position) -> float | None:
    outcome = position.outcome
    return None if outcome is None else max(-1.0, min(1.0, outcome.scores["white"] / 2))


def self_play(network: Network, source: random.Random, rate: float, decay: float = 0.7) -> None:
    """Plays a game and learns from it, the last position first."""
    position, seen = GAME.start(), []
    while score(position) is None:
        if position.awaits_chance:
            roll = position.draw_chance(source.getrandbits(64))
            assert roll is not None
            position = position.apply(roll)
            continue
        position = network.best(position).position
        seen.append(position)
    inputs = features(seen)
    worth = network.worth(inputs)
    target, wanted = score(position) or 0.0, np.empty(len(seen))
    for at in reversed(range(len(seen))):
        wanted[at] = target
        target = decay * target + (1 - decay) * worth[at]
    network.learn(inputs, wanted, rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=8, help="how many points the curve has")
    parser.add_argument("--games", type=int, default=250, help="games between two points")
    parser.add_argument("--duels", type=int, default=100, help="games against each opponent")
    parser.add_argument("--out", type=Path, default=Path("td_backgammon.svg"))
    arguments = parser.parse_args()
    network, source = Network(), random.Random(1)
    curves: dict[str, list[tuple[float, float]]] = {"against random": [], "against weights": []}
    for step in range(arguments.steps + 1):
        for _ in range(arguments.games if step else 0):
            self_play(network, source, rate=0.02)
        for (name, points), opponent in zip(curves.items(), ("random", "search:1"), strict=True):
            duel = senet.duel(GAME, network, opponent, games=arguments.duels, seed=step)
            points.append((step * arguments.games, duel.wins[0] / duel.games))
            print(f"{step * arguments.games} games, {name}: {points[-1][1]:.0%} won", flush=True)
    curve.draw(arguments.out, "Backgammon: share of games won", "games of self-play", dict(curves))
    print(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
