"""Arbitrary calls at the whole interface: each gives an answer or an exception of Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import senet
from senet import vector
from senet._senet import Batch, Tree

CALLS = 10_000

# Calls that take as long as they are asked to.
SLOW = {"perft", "divide", "choose", "grow", "playout", "film", "run_command", "turns"}


def values(source: random.Random, things: list[Any]) -> Any:
    """A value of any type, likely or not."""
    plain: list[Any] = [
        None, True, -1, 0, 1, 2, 7, 2**31, 2**63, 2**70, 0.5, float("nan"), "", "e4", "e2e4", "a1",
        "chess", "white", "x", "search:1", "random", "\ud800", b"", b"\0" * 8, [], ["e4"], (), {},
        {"a": 1}, object(), "node", ["node", "ply"], ["no such column"], "3/3/3 x",
    ]
    return source.choice(things if source.random() < 0.4 else plain)


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


def test_arbitrary_calls_never_abort() -> None:
    source = random.Random(20)
    games = [senet.load(name) for name in ("chess", "tic-tac-toe", "backgammon")]
    first: list[Any] = [
        senet, senet.Game, senet.Match, senet.Timeline, senet.bots, vector, Batch, Tree, *games,
    ]
    things = list(first)
    for game in games:
        position = game.start()
        things += [position, position.legal()[0], senet.Match(game), game.bot("random")]
        things += [game.timeline(1), position.explain(position.legal()[0])]
    raised = answered = 0
    for number in range(CALLS):
        thing = source.choice(things)
        names = [name for name, _ in callables(thing)]
        if not names:
            continue
        name = source.choice(names)
        arguments = [values(source, things) for _ in range(source.choice((0, 1, 1, 2, 3, 4)))]
        try:
            member = getattr(thing, name)
            answer = member(*arguments) if callable(member) else member
        except Exception as error:
            assert type(error).__name__ != "PanicException", (thing, name, arguments)
            raised += 1
            continue
        answered += 1
        found = answer[:3] if isinstance(answer, list) else [answer]
        kept = [one for one in found if type(one).__module__.startswith("senet")]
        if len(things) < 300:
            things += kept
        elif kept:
            things[source.randrange(len(first), len(things))] = kept[0]
    assert raised > CALLS / 20 and answered > CALLS / 20
