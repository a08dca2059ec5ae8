"""Opponents for any game, engines of others, and duels between them.

>>> import senet
>>> game = senet.load("tic-tac-toe")
>>> position = game.start().apply_all(["a1", "b1", "a2", "b2"])
>>> thought = senet.bots.search(game, depth=3).choose(position)
>>> str(thought.event), thought.line
('a3', ['a3'])
>>> result = senet.duel(game, "mcts:100", "random", games=20, seed=1)
>>> result.games, result.wins[0] > result.wins[1]
(20, True)
"""

from __future__ import annotations

import math
import random as _random
import subprocess
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from senet._data import Thought
from senet._senet import Bot, Event, Game, Match, Position, Tree, load

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "Chooser",
    "Duel",
    "Evaluator",
    "Puct",
    "Uci",
    "UciError",
    "duel",
    "mcts",
    "puct",
    "random",
    "search",
    "uci",
]


class Evaluator(Protocol):
    """Says of a list of positions how good each action looks, a row by action for each position,
    and what each position is worth to its player to move. ``Game.observe`` and ``Game.masks`` make
    arrays of the positions. Priors of actions that are not legal do not count."""

    def __call__(self, positions: list[Position], /) -> tuple[npt.ArrayLike, npt.ArrayLike]: ...


class Chooser(Protocol):
    """What can play: it is asked where a match is now and names an event."""

    def choose(self, where: Match, /) -> Thought | Event | str | None: ...


def random(game: Game, *, seed: int = 0) -> Bot:
    """An opponent that plays any legal event."""
    return game.bot("random", seed)


def search(
    game: Game,
    depth: int | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Bot:
    """Alpha-beta search with a budget: ``depth`` turns, ``nodes`` positions or ``seconds``."""
    if depth is not None:
        return game.bot(f"search:{depth}", seed)
    if nodes is not None:
        return game.bot(f"search:{nodes}n", seed)
    if seconds is not None:
        return game.bot(f"search:{_milliseconds(seconds)}ms", seed)
    return game.bot("search", seed)


def mcts(
    game: Game, playouts: int | None = None, *, seconds: float | None = None, seed: int = 0
) -> Bot:
    """Monte Carlo tree search with a budget of ``playouts`` or ``seconds``."""
    if playouts is not None:
        return game.bot(f"mcts:{playouts}", seed)
    if seconds is not None:
        return game.bot(f"mcts:{_milliseconds(seconds)}ms", seed)
    return game.bot("mcts", seed)


def _milliseconds(seconds: float) -> int:
    if not 0.001 <= seconds <= 1e6:
        raise ValueError(f"seconds must be 0.001 to 1000000, not {seconds}")
    return round(seconds * 1000)


class Puct:
    """Monte Carlo tree search by the PUCT rule with an evaluator of your own, such as a network.

    The evaluator gets up to ``batch`` positions at a time. Equal seeds and evaluators give equal
    play."""

    def __init__(
        self,
        evaluate: Evaluator,
        *,
        playouts: int = 100,
        batch: int = 16,
        exploration: float = 1.5,
        noise: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.evaluate = evaluate
        self.playouts = playouts
        self.batch = batch
        self.exploration = exploration
        self.noise = noise
        self._source = _random.Random(seed)

    def tree(self, position: Position) -> Tree:
        """The tree grown below a position; ``Tree.policy`` is its policy."""
        tree = Tree(
            position,
            exploration=self.exploration,
            noise=self.noise,
            seed=self._source.getrandbits(64),
        )
        tree.grow(self.playouts, self.evaluate, batch=self.batch)
        return tree

    def choose(self, where: Match | Position) -> Event | None:
        """The event that was visited most often."""
        position = where.position if isinstance(where, Match) else where
        return self.tree(position).best()


def puct(evaluate: Evaluator, playouts: int = 100, **options: Any) -> Puct:
    """A ``Puct`` with an evaluator."""
    return Puct(evaluate, playouts=playouts, **options)


class UciError(RuntimeError):
    """An engine does not speak UCI as it should."""


class Uci:
    """A chess engine of others, spoken to by UCI. Use it in a ``with`` block, or call ``close``.

    ``go`` is what a search is limited by, such as ``"depth 8"`` or ``"movetime 100"``."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        go: str = "movetime 100",
        options: dict[str, object] | None = None,
    ) -> None:
        words = [command] if isinstance(command, str) else list(command)
        self.go = go
        self._engine = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        try:
            self._say("uci")
            self._await("uciok")
            for name, value in (options or {}).items():
                self._say(f"setoption name {name} value {value}")
            self._say("isready")
            self._await("readyok")
        except BaseException:
            self.close()
            raise

    def choose(self, where: Match | Position) -> Event | None:
        """What the engine plays; none where it has no move."""
        if isinstance(where, Match):
            start, moves, now = where.start, [event.text for event in where.events], where.position
        else:
            start, moves, now = where, [], where
        line = f"position fen {start}"
        if moves:
            line += f" moves {' '.join(moves)}"
        self._say(line)
        self._say(f"go {self.go}")
        answer = self._await("bestmove").split()
        if len(answer) < 2 or answer[1] in ("(none)", "0000"):
            return None
        return now.parse(answer[1])

    def close(self) -> None:
        """Ends the engine."""
        if self._engine.poll() is None:
            try:
                self._say("quit")
                self._engine.wait(timeout=2)
            except (UciError, subprocess.TimeoutExpired):
                self._engine.kill()
                self._engine.wait()
        for pipe in (self._engine.stdin, self._engine.stdout):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass

    def _say(self, line: str) -> None:
        assert self._engine.stdin is not None
        try:
            self._engine.stdin.write(line + "\n")
            self._engine.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise UciError(f"the engine has ended before `{line}`") from error

    def _await(self, word: str) -> str:
        assert self._engine.stdout is not None
        for line in self._engine.stdout:
            if line.split()[:1] == [word]:
                return line
        raise UciError(f"the engine has ended before it said `{word}`")

    def __enter__(self) -> Uci:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def uci(command: str | Sequence[str], *, go: str = "movetime 100", **options: object) -> Uci:
    """A chess engine of others, spoken to by UCI."""
    return Uci(command, go=go, options=options)


class Duel(NamedTuple):
    """How a duel went."""

    games: int
    wins: tuple[int, int]
    """Of the first and of the second player."""
    draws: int
    unfinished: int
    points: float
    """What the first player got by the scores of the games, on average."""

    @property
    def score(self) -> float:
        """The share of the first player, a draw counting one half."""
        return (self.wins[0] + (self.draws + self.unfinished) / 2) / max(self.games, 1)

    @property
    def elo(self) -> float:
        """By how much the first player is stronger, in Elo."""
        if self.score in (0.0, 1.0):
            return math.copysign(math.inf, self.score - 0.5)
        return -400 * math.log10(1 / self.score - 1)


def duel(
    game: Game | str,
    a: str | Chooser | Callable[[Match], Event | str | None],
    b: str | Chooser | Callable[[Match], Event | str | None],
    *,
    games: int = 100,
    seed: int = 0,
    opening: int | None = None,
    limit: int = 10_000,
) -> Duel:
    """Lets two play many games and tells who is stronger.

    A player is a description such as ``"search:2"``, an object with ``choose``, or a function from
    a match to an event. Games come in pairs: the same opening and the same dice, the sides
    swapped. ``opening`` is the number of random moves at the start, by default two in games
    without dice."""
    rules = load(game) if isinstance(game, str) else game
    if len(rules.players) != 2:
        raise ValueError(f"{rules.name} has {len(rules.players)} players, a duel is between two")
    if opening is None:
        opening = 0 if rules.dice else 2
    wins, draws, unfinished, points = [0, 0], 0, 0, 0
    for number in range(games):
        source = _random.Random(f"{seed}/{number // 2}")
        seats = [_chooser(rules, one, seed + 2 * number + at) for at, one in enumerate((a, b))]
        if number % 2:
            seats.reverse()
        outcome = _play(rules, seats, source, opening, limit)
        first = rules.players[number % 2]
        if outcome is None:
            unfinished += 1
            continue
        points += outcome.scores[first]
        if outcome.winner is None:
            draws += 1
        else:
            wins[outcome.winner != first] += 1
    return Duel(games, (wins[0], wins[1]), draws, unfinished, points / max(games, 1))


def _chooser(
    game: Game, player: str | Chooser | Callable[[Match], Event | str | None], seed: int
) -> Callable[[Match], Thought | Event | str | None]:
    if isinstance(player, str):
        return game.bot(player, seed).choose
    choose = getattr(player, "choose", player)
    if not callable(choose):
        raise TypeError(f"a player is a str, has choose or is callable, not {type(player).__name__}")
    found: Callable[[Match], Thought | Event | str | None] = choose
    return found


def _play(
    game: Game,
    seats: list[Callable[[Match], Thought | Event | str | None]],
    source: _random.Random,
    opening: int,
    limit: int,
) -> Any:
    played = Match(game)
    while played.ply < limit and played.outcome is None:
        position = played.position
        event: Thought | Event | str | None
        if position.awaits_chance:
            event = position.draw_chance(source.getrandbits(64))
        elif opening > 0:
            opening -= 1
            legal = position.legal()
            event = source.choice(legal) if legal else None
        else:
            event = seats[game.players.index(position.player)](played)
        if event is None:
            break
        played.apply(event.event if isinstance(event, Thought) else event)
    return played.outcome
