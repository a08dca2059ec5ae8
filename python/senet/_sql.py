"""Questions to game trees in SQL, by DataFusion."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from senet._errors import SenetError
from senet._senet import Timeline, load


def sql(question: str, /, **tables: Any) -> Any:
    """Asks game trees in SQL; needs the package ``datafusion``, which the extra ``sql`` installs.

    ``timeline('chess', '', 3)`` is the tree three moves deep below a position as text, or below
    the start for an empty one. Other tables are given by name: timelines, and whatever else
    speaks the PyCapsule interface of Arrow. So does the answer, a ``DataFrame`` of DataFusion.

    ``senet.sql("select ply, count(*) as moves from timeline('chess', '', 2) group by ply")``
    """
    try:
        import datafusion
    except ModuleNotFoundError as missing:
        message = f"SQL needs {missing.name}: pip install datafusion"
        raise SenetError(message) from missing
    context = datafusion.SessionContext()
    problems: list[Exception] = []

    def timeline(*arguments: Any) -> Any:
        try:
            table = _timeline([one.python_value().as_py() for one in arguments])
            # DataFusion calls this while it plans, and may not be asked from the same thread.
            with ThreadPoolExecutor(1) as aside:
                return aside.submit(lambda: context.from_arrow(table).into_view()).result()
        except Exception as problem:
            problems.append(problem)
            raise

    context.register_udtf(datafusion.udtf(timeline, "timeline"))
    for name, table in tables.items():
        context.from_arrow(table, name)
    try:
        return context.sql(question)
    except Exception as problem:
        # DataFusion wraps what a function of ours raises into its own words.
        if problems:
            raise problems[0] from None
        raise SenetError(str(problem)) from problem


def _timeline(arguments: list[Any]) -> Timeline:
    if [type(one) for one in arguments] != [str, str, int]:
        raise SenetError("timeline takes a game, a position and a depth: timeline('chess', '', 3)")
    name, position, depth = arguments
    game = load(name)
    return (game.position(position) if position else game.start()).timeline(depth)
