"""The exceptions of the package."""

from __future__ import annotations

from collections.abc import Sequence

from senet._data import Problem, Reason


class SenetError(ValueError):
    """What every exception of the package is."""


class UnknownGame(SenetError, LookupError):
    """No shipped game has this name."""

    near: str | None
    """A name that looks like it."""

    def __init__(self, message: str, *, near: str | None = None) -> None:
        super().__init__(message)
        self.near = near


class NotationError(SenetError):
    """A text is not written as the game writes positions or events."""


class ForeignError(SenetError):
    """Something belongs to another game."""


class MatchError(SenetError):
    """A match cannot be read or written."""


class Rejected(SenetError):
    """The rules refuse an event. Nothing has changed."""

    event: str
    """The event as programs write it."""
    phase: str | None
    """The phase that is open."""
    rule: str | None
    """The rule that came nearest to accepting it."""
    reasons: tuple[Reason, ...]
    """Every reason, the main one first."""
    tile: str | None
    """The tile that is in the way or attacked."""
    instead: tuple[str, ...]
    """What the turn could do instead, where it must use more of the dice."""

    def __init__(
        self,
        message: str,
        *,
        event: str = "",
        phase: str | None = None,
        rule: str | None = None,
        reasons: Sequence[Reason] = (),
        tile: str | None = None,
        instead: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.event = event
        self.phase = phase
        self.rule = rule
        self.reasons = tuple(reasons)
        self.tile = tile
        self.instead = tuple(instead)


class GameErrors(SenetError):
    """A definition has mistakes: all of them."""

    problems: tuple[Problem, ...]
    """Every mistake with its place."""

    def __init__(self, message: str, *, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class IllegalAction(SenetError):
    """An action is not legal in its game. No game of the batch has moved."""

    game: int
    """The number of the game in its batch."""
    action: int
    """The action found."""

    def __init__(self, message: str, *, game: int = 0, action: int = -1) -> None:
        super().__init__(message)
        self.game = game
        self.action = action
