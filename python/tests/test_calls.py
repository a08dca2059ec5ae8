"""Arbitrary calls at the whole interface: each gives an answer or an exception of Python."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import senet
from senet import Tree, spiel, vector
from senet._senet import Batch

pytest.importorskip("hypothesis")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

# Two runs of the checks of a change try the same; those that take longer try other calls each time.
WHOLE = os.environ.get("SENET_EXAMPLES") == "whole"
EXAMPLES, CALLS = (600, 40) if WHOLE else (120, 30)

# Calls that take as long as they are asked to, with arguments that keep them short.
SMALL = st.integers(-1, 3)
SLOW: dict[str, st.SearchStrategy[tuple[Any, ...]]] = {
    "perft": st.tuples(SMALL),
    "divide": st.tuples(SMALL),
    "playout": st.tuples(st.integers(), SMALL),
    "turns": st.tuples(),
    "grow": st.tuples(SMALL, st.sampled_from([None, len, lambda _: ([], []), lambda _: 1])),
    "film": st.tuples(st.none()),
    "choose": st.tuples(st.sampled_from([None, 1, senet.load("tic-tac-toe").start()])),
}

# Calls that would change this process, run another one or ask for more memory than there is.
NEVER = {
    "run_command", "uci", "Uci", "UciError", "duel", "make", "VectorEnv", "env", "raw_env",
    "parallel_env", "BoardEnv", "Board", "register", "open", "close", "comm", "send", "send_state",
    "widgets", "add_traits", "sql", "close_all",
}
SPECIAL = {
    "__eq__", "__hash__", "__repr__", "__str__", "__reduce__", "__copy__", "__deepcopy__", "__len__",
    "__bool__", "__lt__", "__arrow_c_schema__", "__arrow_c_stream__",
}


def names_of(thing: Any) -> list[str]:
    """The methods and properties of a thing that may be called with anything."""
    own = type(thing).__module__.startswith("senet") and not inspect.isclass(thing)
    # What a base class of others brings along is not ours to test.
    given = vars(type(thing)) if own else dir(thing)
    names = [name for name in given if name not in NEVER]
    return [name for name in names if not name.startswith("_") or name in SPECIAL]


def environments(number: int) -> Iterator[Any]:
    """An environment of some kind, where its library is there."""
    if number == 0 and find_spec("gymnasium"):
        import senet.gym

        env = senet.gym.BoardEnv("kuhn-poker", limit=20)
        env.reset(seed=1)
        yield env
    if number == 1 and find_spec("pettingzoo"):
        import senet.zoo

        agents = senet.zoo.raw_env("tic-tac-toe")
        agents.reset(seed=1)
        yield agents
    if number > 1 and find_spec("anywidget"):
        import senet.widget

        yield senet.widget.Board("phantom-tic-tac-toe", opponent="random" if number == 2 else None)


GAMES = [
    senet.load(name) for name in ("chess", "tic-tac-toe", "backgammon", "kuhn-poker", "dark-chess")
]


def lasting() -> Iterator[Any]:
    """Modules, classes and one thing of each kind that calls leave as it is, of several games."""
    yield from (senet, senet.Game, senet.Match, senet.Timeline, senet.bots, vector, spiel, Batch, Tree)
    for game in GAMES:
        position = game.start()
        event = position.legal()[0]
        yield from (game, position, event, position.explain(event), spiel.Game(game))
        yield game.timeline(1)


LASTING = list(lasting())


def beginning(number: int) -> list[Any]:
    """What calls are made on: what lasts, and fresh things of one game."""
    game = GAMES[number]
    env = vector.make("tic-tac-toe", n=3)
    env.reset(seed=1)
    fresh = [senet.Match(game), Tree(game.start()), spiel.Game(game).new_initial_state(), env]
    return [*LASTING, *fresh, game.bot("random"), *environments(number)]


PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 70),
    st.integers(),
    st.floats(),
    st.text(st.characters(exclude_categories=[]), max_size=8),
    st.binary(max_size=16),
    st.sampled_from(
        ["e4", "e2e4", "a1", "chess", "white", "x", "search:1", "random", "node", "3/3/3 x", "one"]
    ),
    st.lists(st.sampled_from(["e4", "node", "ply", "no such column"]), max_size=3),
    st.lists(st.integers(-1, 9), max_size=3),
    st.sampled_from([(), {}, {"a": 1}, object(), 2**31, 2**63, 2**70, np.int64(1), np.zeros(3)]),
)
KEYWORDS = st.sampled_from([
    "player", "last", "selected", "targets", "caption", "dark", "flipped", "columns", "distinct",
    "prune", "threads", "depth", "nodes", "seconds", "seed", "events", "history", "limit", "batch",
    "exploration", "noise", "on_error", "moves", "size", "memory", "options", "nonsense",
])


@settings(max_examples=EXAMPLES, deadline=None, derandomize=not WHOLE, database=None)
@given(st.data())
def test_arbitrary_calls_never_abort(data: st.DataObject) -> None:
    things = beginning(data.draw(st.integers(0, len(GAMES) - 1)))
    for _ in range(CALLS):
        thing = data.draw(st.sampled_from(things))
        names = names_of(thing)
        if not names:
            continue
        name = data.draw(st.sampled_from(names))
        values = st.one_of(PLAIN, st.sampled_from(things))
        named: dict[str, Any] = {}
        if name in SLOW:
            arguments = list(data.draw(SLOW[name]))
        else:
            arguments = data.draw(st.lists(values, max_size=4))
            named = data.draw(st.dictionaries(KEYWORDS, values, max_size=2))
        try:
            member = getattr(thing, name)
            answer = member(*arguments, **named) if callable(member) else member
        # A panic of Rust is no `Exception`, so that it is not caught here.
        except Exception:
            continue
        found = answer[:3] if isinstance(answer, list) else [answer]
        things += [one for one in found if type(one).__module__.startswith("senet")]
