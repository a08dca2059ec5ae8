"""Self-play with tree search and a network, as AlphaZero does, on connect four.

    python alpha_zero.py [--steps N] [--games N] [--playouts N] [--out curve.svg]

The network says how good each column looks and who is ahead; tree search makes better policies of
that, and the network learns them. It is measured against tree search by random playouts with as
many playouts.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import curve
import numpy as np
import numpy.typing as npt

import senet

GAME = senet.load("connect-four")
WIDTH = 192
Floats = npt.NDArray[np.float32]
Sample = tuple[Floats, Floats, float]


class Network:
    """Two hidden layers, then a policy and a value, trained by Adam."""

    def __init__(self, seed: int = 1) -> None:
        source = np.random.default_rng(seed)
        sizes = [int(np.prod(GAME.observation_shape())), WIDTH, WIDTH, GAME.num_actions + 1]
        self.weights = [
            (source.normal(0, np.sqrt(2 / one), (one, two)) * (1 if two == WIDTH else 0.1)).astype(
                np.float32
            )
            for one, two in zip(sizes, sizes[1:], strict=False)
        ]
        self.weights += [np.zeros((1, two), np.float32) for two in sizes[1:]]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.updates = 0

    def layers(self, inputs: Floats) -> tuple[Floats, Floats, Floats]:
        """Both hidden layers and the output."""
        one, two, three, *biases = self.weights
        first = np.maximum(inputs @ one + biases[0], 0)
        second = np.maximum(first @ two + biases[1], 0)
        return first, second, second @ three + biases[2]

    def __call__(self, positions: list[senet.Position]) -> tuple[Floats, Floats]:
        """The priors of all actions and the value of each position, as a tree asks for them."""
        out = self.layers(GAME.observe(positions).reshape(len(positions), -1))[2]
        return softmax(out[:, :-1]), np.tanh(out[:, -1])

    def learn(self, inputs: Floats, policy: Floats, value: Floats, rate: float = 1e-3) -> float:
        """One step of Adam; gives the loss before it."""
        first, second, out = self.layers(inputs)
        priors, worth = softmax(out[:, :-1]), np.tanh(out[:, -1])
        count = len(inputs)
        slope = np.empty_like(out)
        slope[:, :-1] = (priors - policy) / count
        slope[:, -1] = 2 * (worth - value) * (1 - worth**2) / count
        back_two = (slope @ self.weights[2].T) * (second > 0)
        back_one = (back_two @ self.weights[1].T) * (first > 0)
        slopes = [inputs.T @ back_one, first.T @ back_two, second.T @ slope]
        slopes += [part.sum(axis=0, keepdims=True) for part in (back_one, back_two, slope)]
        self.updates += 1
        for at, part in enumerate(slopes):
            self.means[at] += np.float32(0.1) * (part - self.means[at])
            self.squares[at] += np.float32(0.001) * (part**2 - self.squares[at])
            mean = self.means[at] / (1 - 0.9**self.updates)
            square = self.squares[at] / (1 - 0.999**self.updates)
            self.weights[at] = self.weights[at] - rate * mean / (np.sqrt(square) + 1e-7)
        surprise = -(policy * np.log(priors + 1e-9)).sum(axis=1)
        return float((surprise + (worth - value) ** 2).mean())


def softmax(values: Floats) -> Floats:
    raised = np.exp(values - values.max(axis=1, keepdims=True))
    scaled: Floats = raised / raised.sum(axis=1, keepdims=True)
    return scaled


def mirrored(sample: Sample) -> Sample:
    """The same with left and right exchanged; actions are numbered by the tiles, row by row."""
    seen, policy, value = sample
    planes, rows, columns = GAME.observation_shape()
    seen = seen.reshape(planes, rows, columns)[:, :, ::-1].reshape(-1)
    return seen, policy.reshape(rows, columns)[:, ::-1].reshape(-1), value


def self_play(network: Network, playouts: int, source: np.random.Generator) -> list[Sample]:
    """A game: of each position what is seen, the policy of the tree, and what came of it."""
    position = GAME.start()
    seen: list[tuple[Floats, Floats, str]] = []
    while (outcome := position.outcome) is None:
        tree = senet.Tree(position, noise=0.25, seed=int(source.integers(2**63)))
        tree.grow(playouts, network, batch=8)
        policy = tree.policy()
        seen.append((position.observe().reshape(-1), policy, position.player))
        likely = policy if len(seen) <= 10 else (policy == policy.max()).astype(np.float32)
        action = source.choice(len(likely), p=likely / likely.sum())
        position = position.apply_action(int(action))
    return [(seen, policy, float(outcome.scores[player])) for seen, policy, player in seen]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12, help="how many points the curve has")
    parser.add_argument("--games", type=int, default=250, help="games between two points")
    parser.add_argument("--playouts", type=int, default=64, help="playouts of a move")
    parser.add_argument("--duels", type=int, default=100, help="games against the other search")
    parser.add_argument("--out", type=Path, default=Path("alpha_zero.svg"))
    arguments = parser.parse_args()
    network, source = Network(), np.random.default_rng(1)
    kept: list[Sample] = []
    points: list[tuple[float, float]] = []
    for step in range(arguments.steps + 1):
        for _ in range(arguments.games if step else 0):
            samples = self_play(network, arguments.playouts, source)
            kept += samples + [mirrored(sample) for sample in samples]
        kept = kept[-80_000:]
        rate = 1e-3 if 3 * step < 2 * arguments.steps else 3e-4
        loss = 0.0
        for _ in range(len(kept) // 32 if step else 0):
            chosen = [kept[at] for at in source.integers(len(kept), size=128)]
            inputs, policies, values = (np.stack(part) for part in zip(*chosen, strict=True))
            loss = network.learn(inputs, policies, values.astype(np.float32), rate)
        bot = senet.bots.puct(network, arguments.playouts, batch=8, seed=step)
        other = f"mcts:{arguments.playouts}"
        duel = senet.duel(GAME, bot, other, games=arguments.duels, seed=step)
        points.append((step * arguments.games, duel.score))
        print(f"{points[-1][0]} games: loss {loss:.2f}, score {duel.score:.0%}", flush=True)
    title = f"Connect four: score against tree search with as many playouts ({arguments.playouts})"
    curve.draw(arguments.out, title, "games of self-play", {"score": points})
    print(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
