"""Arbitrary calls at the whole interface: each gives an answer or an exception of Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import senet
from senet import vector
from senet._senet import Batch, Tree

pytest.importorskip("hypothesis")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

EXAMPLES, CALLS = 200, 30

# Calls that take as long as they are asked to.
SLOW = {"perft", "divide", "choose", "grow", "playout", "film", "run_command", "turns"}


def callables(thing: Any) -> Iterator[tuple[str, Any]]:
    """The methods and properties of a thing that may be called with anything."""
    for name in dir(thing):
        if name in SLOW or name in ("__class__", "__init_subclass__", "__subclasshook__"):
            continue
        if name.startswith("__") and name not in (
            "__eq__", "__hash__", "__repr__", "__str__", "__reduce__", "__copy__",
            "__deepcopy__", "__len__", "__bool__", "__lt__", "__arrow_c_schema__",
        ):
            continue
        yield name, thing


def beginning() -> list[Any]:
    """Modules, classes and one thing of each kind, of three games."""
    games = [senet.load(name) for name in ("chess", "tic-tac-toe", "backgammon")]
    things: list[Any] = [
        senet, senet.Game, senet.Match, senet.Timeline, senet.bots, vector, Batch, Tree, *games,
    ]
    for game in games:
        position = game.start()
        things += [position, position.legal()[0], senet.Match(game), game.bot("random")]
        things += [game.timeline(1), position.explain(position.legal()[0])]
    return things


PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 70),
    st.integers(),
    st.floats(),
    st.text(st.characters(exclude_categories=[]), max_size=8),
    st.binary(max_size=16),
    st.sampled_from(
        ["e4", "e2e4", "a1", "chess", "white", "x", "search:1", "random", "node", "3/3/3 x"]
    ),
    st.lists(st.sampled_from(["e4", "node", "ply", "no such column"]), max_size=3),
    st.sampled_from([(), {}, {"a": 1}, object(), 2**31, 2**63, 2**70]),
)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_arbitrary_calls_never_abort(data: st.DataObject) -> None:
    things = beginning()
    for _ in range(CALLS):
        thing = data.draw(st.sampled_from(things))
        names = [name for name, _ in callables(thing)]
        if not names:
            continue
        name = data.draw(st.sampled_from(names))
        values = st.one_of(PLAIN, st.sampled_from(things))
        arguments = data.draw(st.lists(values, max_size=4))
        try:
            member = getattr(thing, name)
            answer = member(*arguments) if callable(member) else member
        # A panic of Rust is no `Exception`, so that it is not caught here.
        except Exception:
            continue
        found = answer[:3] if isinstance(answer, list) else [answer]
        things += [one for one in found if type(one).__module__.startswith("senet")]
