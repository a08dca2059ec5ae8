"""Plain data that positions, matches and bots give back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from senet._senet import Event


class Reason(NamedTuple):
    """One reason for a refusal."""

    code: str
    """A word for programs that tell reasons apart, such as ``"blocked"``."""
    text: str
    """The reason in words."""
    tile: str | None
    """The tile that it is about."""


class Problem(NamedTuple):
    """One mistake of a definition."""

    place: str
    """Where it is, from the outside in, such as ``phases/play/rules/mark/when``."""
    message: str
    """What is wrong there."""
    line: int | None
    """The line of the text, counted from 1, where it is known."""
    column: int | None
    """The column of the text, counted from 1, where it is known."""


class Outcome(NamedTuple):
    """How a game ended."""

    ending: str
    """The ending that holds, such as ``"checkmate"``."""
    winner: str | None
    """Who has won; none for a draw."""
    scores: dict[str, int]
    """What each player gets."""
    text: str
    """The outcome in words."""

    def __str__(self) -> str:
        return self.text


class Piece(NamedTuple):
    """A piece on the board."""

    name: str
    owner: str
    kind: str
    tile: str
    flags: list[str]


class View(NamedTuple):
    """What a player sees of a position."""

    seer: str | None
    """Who sees it; none for all there is."""
    turn: str
    """Who is to move."""
    pieces: list[Piece]
    """The pieces on the board."""
    dice: dict[str, int | None]
    """What each die shows; none before it is rolled."""
    variables: dict[str, int | dict[str, int | None] | None]
    """The value of each variable, or its values by player; none for hidden ones."""
    hands: dict[str, dict[str, int] | None]
    """How many pieces of each kind each player holds in hand; none for hidden hands."""
    marks: dict[str, list[str]]
    """The tiles that carry each mark."""
    unseen: list[str]
    """The tiles of which the player does not know what stands there."""


class RuleReport(NamedTuple):
    """What one rule says of an event."""

    rule: str
    verdict: Literal["valid", "ignored", "invalid"]
    reason: Reason | None
    checks: list[tuple[str, bool]]
    """Its conditions in words, each with whether it holds."""


class Thought(NamedTuple):
    """What a bot would play, and what it thinks of it."""

    event: Event
    value: int
    """What the position is worth to the player to move, in hundredths of a piece that counts 1."""
    depth: int
    """How many turns it looked ahead."""
    nodes: int
    """How many positions or playouts it looked at."""
    line: list[str]
    """The events that it expects, as people write them."""
    exact: bool
    """Whether the value is proven."""
