"""Tabular Q-learning on tic-tac-toe by self-play, until random play never beats it.

    python q_learning.py [--steps N] [--games N] [--out curve.svg]

The table has a row for each position, by its hash. Both players learn from it: what a move is worth
is the opposite of what the position after it is worth to the other.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import curve

import senet

GAME = senet.load("tic-tac-toe")
Table = dict[tuple[int, int], float]


def best(table: Table, position: senet.Position) -> int:
    """The action that is worth most, the first of equals."""
    return max(position.legal_actions(), key=lambda action: table.get((position.hash, action), 0.0))


def learn(table: Table, source: random.Random, explore: float, rate: float = 0.8) -> None:
    """Plays a game with itself and learns from every move."""
    position = GAME.start()
    while position.outcome is None:
        actions = position.legal_actions()
        action = source.choice(actions) if source.random() < explore else best(table, position)
        after = position.apply_action(action)
        outcome = after.outcome
        if outcome is not None:
            worth = float(outcome.scores[position.player])
        else:
            worth = -table.get((after.hash, best(table, after)), 0.0)
        known = table.get((position.hash, action), 0.0)
        table[position.hash, action] = known + rate * (worth - known)
        position = after


def lost(table: Table, source: random.Random, games: int) -> float:
    """The share of games that the table loses against random play, seats in turn."""
    losses = 0
    for number in range(games):
        own = GAME.players[number % 2]
        position = GAME.start()
        while position.outcome is None:
            actions = position.legal_actions()
            mine = position.player == own
            action = best(table, position) if mine else source.choice(actions)
            position = position.apply_action(action)
        losses += position.outcome.scores[own] < 0
    return losses / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=30, help="how many points the curve has")
    parser.add_argument("--games", type=int, default=2000, help="games between two points")
    parser.add_argument("--out", type=Path, default=Path("q_learning.svg"))
    arguments = parser.parse_args()
    table: Table = {}
    source = random.Random(1)
    points = [(0, lost(table, source, 500))]
    for step in range(1, arguments.steps + 1):
        explore = max(0.5, 1.0 - step / arguments.steps)
        for _ in range(arguments.games):
            learn(table, source, explore)
        points.append((step * arguments.games, lost(table, source, 500)))
        print(f"{points[-1][0]} games: {points[-1][1]:.1%} lost")
    title = "Tic-tac-toe: share of games lost to random play"
    curve.draw(arguments.out, title, "games of self-play", {"lost": points})
    print(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
