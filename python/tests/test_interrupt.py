"""Ctrl-C in long calls, and threads that share things."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import senet
from senet import vector

CHESS = "import senet\ngame = senet.load('chess')\nposition = game.start()\n"
# Nobody ever wins.
ENDLESS = (
    "import senet\n"
    "game = senet.Game.from_text('game walk\\nplayers x, o\\nboard grid 3 x 3 orthogonal\\n"
    "piece man: step orthogonal\\nsetup x a1, o c3\\nmove man to empty\\n')\n"
    "position = game.start()\n"
)
EVEN = (
    "import numpy\n"
    "def even(positions):\n"
    "    return game.masks(positions), numpy.zeros(len(positions))\n"
)
TIMELINE = "position.timeline(9, columns=['ply'])"
LONG_CALLS = {
    "perft": (CHESS, "position.perft(9)", None),
    "divide": (CHESS, "position.divide(9)", None),
    "search": (CHESS, "game.bot('search:60').choose(position)", None),
    "mcts": (CHESS, "game.bot('mcts:1000000000').choose(position)", None),
    "mcts with threads": (
        CHESS, "senet.bots.mcts(game, seconds=100).choose(position, threads=2)", None,
    ),
    "grow": (CHESS + EVEN, "senet.Tree(position).grow(10**9, even)", None),
    "playout": (ENDLESS, "position.playout(1, limit=10**12)", None),
    "film": (CHESS, "senet.film(position.playout(3, limit=3000))", None),
    "duel": (CHESS, "senet.duel(game, 'random', 'random', games=10**9)", None),
    "read_pgn": (CHESS, "senet.read_pgn('1. e4 e5 2. Nf3 *\\n\\n' * 3_000_000)", None),
    "pyarrow": (CHESS + "import pyarrow\n", f"pyarrow.table({TIMELINE})", "pyarrow"),
    "polars": (CHESS + "import polars\n", f"polars.DataFrame({TIMELINE})", "polars"),
}


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", LONG_CALLS)
def test_an_interrupt_ends_a_long_call(name: str) -> None:
    begin, call, needed = LONG_CALLS[name]
    if needed is not None and not find_spec(needed):
        pytest.skip(f"{needed} is not installed")
    # What stands after the call is told of an interrupt too: libraries of tables raise errors of their
    # own, and the interrupt is raised when they have returned.
    script = (
        # Whoever runs the tests in the background lets them ignore interrupts.
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"{begin}"
        "try:\n"
        f"    print('begun', flush=True)\n    try:\n        {call}\n"
        "    except Exception as error:\n        print('then', type(error).__name__)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begun\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    try:
        assert child.communicate(timeout=30)[0] == "interrupted\n"
    finally:
        child.kill()
    assert child.returncode == 0


def at_once(work: Callable[[int], Any], threads: int = 4) -> list[Any]:
    """What several threads give or raise that do the same at once."""
    found: list[Any] = [None] * threads
    begin = threading.Barrier(threads)

    def run(number: int) -> None:
        begin.wait()
        try:
            found[number] = work(number)
        except Exception as error:
            found[number] = error

    each = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in each:
        thread.start()
    for thread in each:
        thread.join(timeout=120)
        assert not thread.is_alive()
    return found


def test_threads_share_games_and_positions() -> None:
    def loaded(_: int) -> senet.Game:
        return senet.load("three-check")

    games = at_once(loaded)
    assert all(game == games[0] for game in games)
    position = games[0].start().apply("e4")

    def asked(number: int) -> Any:
        seen = [position.legal_actions(), str(position.apply("e5")), position.perft(3)]
        seen += [position.playout(7, limit=60).to_json(), position.svg(), position.explain("e6").text]
        return [*seen, position.observe().sum().item(), position.hash]

    answers = at_once(asked)
    assert all(answer == asked(0) for answer in answers)


def test_threads_that_change_one_thing_are_told_or_take_turns() -> None:
    game = senet.load("connect-four")
    played = senet.Match(game)

    def plays(_: int) -> int:
        count = 0
        for _ in range(300):
            try:
                if played.outcome is None:
                    played.apply(played.position.legal()[0])
                else:
                    played.goto(0)
                count += 1
            # Another thread was in the middle of a change, or has changed what is legal.
            except (RuntimeError, senet.SenetError):
                pass
        return count

    assert all(isinstance(count, int) and count > 0 for count in at_once(plays))
    assert 0 <= played.ply <= played.length

    env = vector.make("tic-tac-toe", n=2000, threads=2)
    env.reset(seed=1)

    def steps(_: int) -> int:
        count = 0
        for _ in range(30):
            try:
                env.step_randomly()
                count += 1
            except RuntimeError:
                pass
        return count

    assert sum(at_once(steps)) > 0
    assert (env.step_randomly()[1].masks.sum(axis=1) > 0).all()

    def even(positions: list[senet.Position]) -> tuple[Any, Any]:
        return game.masks(positions), np.zeros(len(positions))

    tree = senet.Tree(game.start())
    grown = at_once(lambda number: tree.grow(50 * (number + 1), even))
    assert all(one is None or isinstance(one, RuntimeError) for one in grown)
    tree.grow(300, even)
    assert tree.playouts >= 300

    bot = game.bot("mcts:200")
    thoughts = at_once(lambda _: bot.choose(game.start()))
    assert any(isinstance(one, senet.Thought) for one in thoughts)
    assert all(isinstance(one, (senet.Thought, RuntimeError)) for one in thoughts)


def test_threads_read_one_timeline() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    timeline = senet.load("chess").timeline(3, columns=["ply"])
    assert [table.num_rows for table in at_once(lambda _: pyarrow.table(timeline))] == [9322] * 4
