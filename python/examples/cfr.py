"""Counterfactual regret minimisation on Kuhn poker, whose value is -1/18 for the first player.

    python cfr.py [--game NAME] [--steps N] [--rounds N] [--out curve.svg]

The tree is walked once through the methods of OpenSpiel that ``senet.spiel`` has. Every information
state has a policy; regrets of its actions make the policy of the next round, and the average of all
policies approaches an equilibrium. The curve shows by how much a best response beats it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import curve
import numpy as np
import numpy.typing as npt

import senet.spiel

Floats = npt.NDArray[np.float64]
Policy = dict[str, Floats]


class Node(NamedTuple):
    """A history of the game."""

    player: int
    """Who acts: a player, chance or nobody."""
    key: str
    """The information state of the player."""
    shares: list[float]
    """How likely each outcome of chance is."""
    children: list[Node]
    returns: list[float]


def grow(state: senet.spiel.State) -> Node:
    """The tree below a state."""
    player = state.current_player()
    if player == senet.spiel.TERMINAL:
        return Node(player, "", [], [], state.returns())
    children = [grow(state.child(action)) for action in state.legal_actions()]
    if player == senet.spiel.CHANCE:
        return Node(player, "", [share for _, share in state.chance_outcomes()], children, [])
    return Node(player, state.information_state_string(player), [], children, [])


def shares_of(node: Node, policy: Policy) -> list[float]:
    """How likely each child is."""
    if node.player == senet.spiel.CHANCE:
        return node.shares
    shares: list[float] = policy[node.key].tolist()
    return shares


def normal(weights: Floats) -> Floats:
    """Weights as shares; equal ones where there are none."""
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


class Solver:
    """Regrets and average policies of every information state."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.regrets: Policy = {}
        self.sums: Policy = {}
        self.policy: Policy = {}
        self._list(root)

    def _list(self, node: Node) -> None:
        if node.player >= 0:
            for table in (self.regrets, self.sums):
                table.setdefault(node.key, np.zeros(len(node.children)))
        for child in node.children:
            self._list(child)

    def iterate(self) -> None:
        """Updates the regrets of each player in turn."""
        for player in (0, 1):
            self.policy = {key: normal(np.maximum(regrets, 0)) for key, regrets in self.regrets.items()}
            self._walk(self.root, player, 1.0, 1.0)

    def _walk(self, node: Node, player: int, own: float, others: float) -> float:
        """What a history is worth to a player; ``own`` and ``others`` are how likely it is by what
        the player does, and by the others and chance."""
        if not node.children:
            return node.returns[player]
        shares = shares_of(node, self.policy)
        mine = node.player == player
        values = np.array([
            self._walk(child, player, own * (share if mine else 1), others * (1 if mine else share))
            for child, share in zip(node.children, shares, strict=True)
        ])
        worth = float(values @ shares)
        if mine:
            self.regrets[node.key] += others * (values - worth)
            self.sums[node.key] += own * np.array(shares)
        return worth

    def average(self) -> Policy:
        """The policy that approaches an equilibrium."""
        return {key: normal(sums) for key, sums in self.sums.items()}


def value(node: Node, policy: Policy, player: int = 0) -> float:
    """What a history is worth to a player if everybody follows a policy."""
    if not node.children:
        return node.returns[player]
    pairs = zip(node.children, shares_of(node, policy), strict=True)
    return sum(share * value(child, policy, player) for child, share in pairs)


def best_response(root: Node, policy: Policy, player: int) -> float:
    """What the best answer to a policy wins."""
    histories: dict[str, list[tuple[Node, float]]] = defaultdict(list)

    def gather(node: Node, reach: float) -> None:
        if node.player == player:
            histories[node.key].append((node, reach))
        own = node.player == player or not node.children
        shares = [1.0] * len(node.children) if own else shares_of(node, policy)
        for child, share in zip(node.children, shares, strict=True):
            gather(child, reach * share)

    choices: dict[str, int] = {}

    def choice(key: str) -> int:
        if key not in choices:
            same = histories[key]
            worths = [
                sum(reach * worth(node.children[at]) for node, reach in same)
                for at in range(len(same[0][0].children))
            ]
            choices[key] = int(np.argmax(worths))
        return choices[key]

    def worth(node: Node) -> float:
        if not node.children:
            return node.returns[player]
        if node.player == player:
            return worth(node.children[choice(node.key)])
        pairs = zip(node.children, shares_of(node, policy), strict=True)
        return sum(share * worth(child) for child, share in pairs)

    gather(root, 1.0)
    return worth(root)


def exploitability(root: Node, policy: Policy) -> float:
    """What best responses win of a policy, on average over the seats."""
    return sum(best_response(root, policy, player) for player in (0, 1)) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kuhn-poker", help="a small game of two players")
    parser.add_argument("--steps", type=int, default=30, help="how many points the curve has")
    parser.add_argument("--rounds", type=int, default=10, help="rounds between two points")
    parser.add_argument("--out", type=Path, default=Path("cfr.svg"))
    arguments = parser.parse_args()
    root = grow(senet.spiel.load_game(arguments.game).new_initial_state())
    solver = Solver(root)
    points: list[tuple[float, float]] = []
    for step in range(arguments.steps + 1):
        for _ in range(arguments.rounds if step else 1):
            solver.iterate()
        policy = solver.average()
        points.append((step * arguments.rounds, exploitability(root, policy)))
        print(f"{points[-1][0]} rounds: value {value(root, policy):.4f}, a best response wins "
              f"{points[-1][1]:.2%} of an ante", flush=True)
    title = f"{arguments.game}: what a best response wins of the average policy, in antes"
    curve.draw(arguments.out, title, "rounds", {"won": points})
    print(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
