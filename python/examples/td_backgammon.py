"""Temporal differences on backgammon: a small network learns by playing itself.

    python td_backgammon.py [--steps N] [--games N] [--out curve.svg]

The network says what a position is worth to the player to move. Each turn goes to the position that
is worth least to the other, and each estimate is moved towards the one after it.
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
# The tiles as black sees them: the points the other way round, then bars and checkers borne off.
MIRROR = [*range(23, -1, -1), 25, 24, 27, 26]
HIDDEN = 64
Floats = npt.NDArray[np.float64]


def features(positions: list[senet.Position]) -> Floats:
    """The checkers of the player to move and of the other on each tile, in steps."""
    seen = GAME.observe(positions)[:, [OWN, FOE]].astype(np.float64)
    black = np.array([position.player == "black" for position in positions])
    seen[black] = seen[black][:, :, MIRROR]
    sides = seen.reshape(len(positions), -1)
    steps = [sides >= 1, sides >= 2, sides >= 3, np.maximum(sides - 3, 0) / 2]
    return np.concatenate(steps, axis=1).astype(np.float64)


class Network:
    """One hidden layer, trained by Adam. Its output is what a position is worth to the player to
    move, from -1 for a gammon lost to 1 for one won."""

    def __init__(self, seed: int = 1) -> None:
        source = np.random.default_rng(seed)
        inputs = features([GAME.start()]).shape[1]
        self.weights = [
            source.normal(0, 0.1, (inputs, HIDDEN)),
            np.zeros(HIDDEN),
            source.normal(0, 0.1, HIDDEN),
        ]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.updates = 0

    def worth(self, inputs: Floats) -> Floats:
        """What positions are worth to their players to move."""
        first, bias, second = self.weights
        worth: Floats = np.tanh(np.tanh(inputs @ first + bias) @ second)
        return worth

    def learn(self, inputs: Floats, wanted: Floats, rate: float) -> None:
        """Moves the worth of positions towards what is wanted."""
        first, bias, second = self.weights
        hidden = np.tanh(inputs @ first + bias)
        worth = np.tanh(hidden @ second)
        slope = (worth - wanted) * (1 - worth**2) / len(inputs)
        back = np.outer(slope, second) * (1 - hidden**2)
        self.updates += 1
        for at, part in enumerate((inputs.T @ back, back.sum(axis=0), slope @ hidden)):
            self.means[at] = 0.9 * self.means[at] + 0.1 * part
            self.squares[at] = 0.999 * self.squares[at] + 0.001 * part**2
            mean = self.means[at] / (1 - 0.9**self.updates)
            square = self.squares[at] / (1 - 0.999**self.updates)
            self.weights[at] = self.weights[at] - rate * mean / (np.sqrt(square) + 1e-8)

    def best(self, position: senet.Position) -> senet.Turn:
        """The turn that leads to the best position for the player to move."""
        turns = position.turns()
        after = [turn.position for turn in turns]
        worth = self.worth(features(after))
        signs = np.array([1 if one.player == position.player else -1 for one in after])
        return turns[int((signs * worth).argmax())]

    def choose(self, played: senet.Match) -> senet.Event:
        """The first event of the best turn, as ``senet.duel`` asks for it."""
        position = played.position
        # A turn in which nothing can be moved has no events but to pass.
        return (self.best(position).events or position.legal())[0]


def self_play(network: Network, source: random.Random, rate: float, decay: float = 0.7) -> None:
    """Plays a game and learns from it, the last position first."""
    position, seen = GAME.start(), []
    while (outcome := position.outcome) is None:
        if position.awaits_chance:
            roll = position.draw_chance(source.getrandbits(64))
            assert roll is not None
            position = position.apply(roll)
            continue
        position = network.best(position).position
        seen.append(position)
    inputs = features(seen)
    worth = network.worth(inputs)
    # The target of a position is told by the player to move there.
    target, mover = outcome.scores[position.player] / 2, position.player
    wanted = np.empty(len(seen))
    for at in reversed(range(len(seen))):
        sign = 1 if seen[at].player == mover else -1
        target, mover = sign * target, seen[at].player
        wanted[at] = np.clip(target, -1, 1)
        target = decay * target + (1 - decay) * worth[at]
    network.learn(inputs, wanted, rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=6, help="how many points the curve has")
    parser.add_argument("--games", type=int, default=800, help="games between two points")
    parser.add_argument("--duels", type=int, default=200, help="games against each opponent")
    parser.add_argument("--out", type=Path, default=Path("td_backgammon.svg"))
    arguments = parser.parse_args()
    network, source = Network(), random.Random(1)
    curves: dict[str, list[tuple[float, float]]] = {"against random": [], "against weights": []}
    for step in range(arguments.steps + 1):
        rate = 3e-3 * 0.1 ** (step / arguments.steps)
        for _ in range(arguments.games if step else 0):
            self_play(network, source, rate)
        for (name, points), opponent in zip(curves.items(), ("random", "search:1"), strict=True):
            duel = senet.duel(GAME, network, opponent, games=arguments.duels, seed=step)
            points.append((step * arguments.games, duel.wins[0] / duel.games))
            print(f"{step * arguments.games} games, {name}: {points[-1][1]:.0%} won", flush=True)
    curve.draw(arguments.out, "Backgammon: share of games won", "games of self-play", dict(curves))
    print(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
