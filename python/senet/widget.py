"""A board for notebooks: press a piece and a tile to move; a refusal shows its reason.

>>> import senet.widget
>>> board = senet.widget.Board("chess", opponent="random")
>>> board.press("e2")
>>> board.selected, board.targets
('e2', ['e3', 'e4'])
>>> board.press("e5")
>>> board.refused, board.message.startswith("e2e5 is refused: ")
(True, True)
>>> board.press("e2")
>>> board.press("e4")
>>> board.match.ply
2

In a notebook, the last line of a cell shows it: ``senet.widget.Board("chess")``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from senet._data import Thought
from senet._senet import Event, Game, Match, Position, load

__all__ = ["Board"]

Opponent = Callable[[Match], Thought | Event | str | None]

# Opponents and chance play no more than this at a time.
_MOST_EVENTS = 10_000


class Board(anywidget.AnyWidget):
    """A match on a board that can be pressed. ``match`` is what has been played; the methods do
    what the mouse does. In a game with secrets the board shows what you see, or without an opponent
    what the player to move sees."""

    _esm: Any = Path(__file__).with_name("board.js")
    _css: Any = Path(__file__).with_name("board.css")

    svg = traitlets.Unicode().tag(sync=True)
    tiles: Any = traitlets.List().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    refused = traitlets.Bool().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    can_undo = traitlets.Bool().tag(sync=True)
    can_redo = traitlets.Bool().tag(sync=True)

    def __init__(
        self,
        start: str | Game | Position | Match,
        *,
        opponent: str | Opponent | None = None,
        seat: int = 0,
        seed: int = 0,
        dark: bool = False,
        flipped: bool = False,
    ) -> None:
        """A game by name, a position or a match. ``opponent`` is a description of a bot or a
        function from a match to an event; it plays all seats but ``seat``, an index of
        ``Game.players``. Without one, you play every seat. Chance follows the seed."""
        super().__init__()
        if isinstance(start, Match):
            self.match = start
        else:
            self.match = Match(load(start) if isinstance(start, str) else start)
        players = self.match.game.players
        if not 0 <= seat < len(players):
            raise ValueError(f"seat must be 0 to {len(players) - 1}, not {seat}")
        self._own = players if opponent is None else [players[seat]]
        self._hides = opponent is not None and self.match.game.has_secrets
        self._opponent: Opponent | None = (
            self.match.game.bot(opponent, seed).choose if isinstance(opponent, str) else opponent
        )
        self._chance = random.Random(seed)
        self._dark = dark
        self._flipped = flipped
        self.selected: str | None = None
        self.targets: list[str] = []
        self._offered: list[Event] = []
        self.on_msg(self._hear)
        self._place_tiles()
        self._let_others_play()
        self._show()

    @property
    def position(self) -> Position:
        """The position now."""
        return self.match.position

    def press(self, tile: str) -> None:
        """Presses a tile: selects the piece there, moves the selected piece, or puts one."""
        if tile not in self.match.game.tiles:
            raise ValueError(f"no tile is named `{tile}`")
        legal = self.position.legal()
        if self.match.outcome is not None:
            self._show()
            return
        from_here = [event for event in legal if event.source == tile]
        if self.selected is None:
            here = [event for event in legal if event.source is None and event.target == tile]
            if here:
                self._offer(here)
            elif from_here:
                self._select(tile, from_here)
            else:
                self._explain(None, tile)
            return
        source = self.selected
        there = [event for event in legal if (event.source, event.target) == (source, tile)]
        if there:
            self._offer(there)
        elif tile == source:
            self._show()
        elif from_here:
            self._select(tile, from_here)
        else:
            self._explain(source, tile)

    def choose(self, number: int) -> None:
        """Plays one of ``choices``."""
        if not 0 <= number < len(self._offered):
            raise IndexError(f"there is no choice {number}: {len(self._offered)} are offered")
        self._play(self._offered[number])

    def undo(self) -> None:
        """Takes moves back until it is your turn again. Nothing is taken back in a game with secrets
        against an opponent: what was seen stays seen."""
        while not self._hides and self.match.undo() and not self._is_own_turn():
            pass
        self._let_others_play()
        self._show()

    def redo(self) -> None:
        """Plays again what was taken back, until it is your turn."""
        while not self._hides and self.match.redo() and not self._is_own_turn():
            pass
        self._show()

    def flip(self) -> None:
        """Turns the board around."""
        self._flipped = not self._flipped
        self._place_tiles()
        self._show()

    def _hear(self, _: Any, heard: dict[str, Any], __: Any) -> None:
        value = heard.get("value")
        match heard.get("kind"):
            case "tile" if isinstance(value, str) and value in self.match.game.tiles:
                self.press(value)
            case "choice" if isinstance(value, int) and 0 <= value < len(self._offered):
                self.choose(value)
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case "flip":
                self.flip()

    def _seer(self) -> str | None:
        """Who looks at the board, where players may not see everything: you, or without an opponent
        whoever is to move."""
        if not self.match.game.has_secrets:
            return None
        return self._own[0] if self._hides else self.position.player

    def _is_own_turn(self) -> bool:
        return self.position.player in self._own and not self.position.awaits_chance

    def _select(self, tile: str, events: Sequence[Event]) -> None:
        targets = dict.fromkeys(event.target for event in events if event.target is not None)
        self._show(selected=tile, targets=list(targets))

    def _offer(self, events: list[Event]) -> None:
        if len(events) == 1:
            self._play(events[0])
        else:
            self._show(offered=events)

    def _explain(self, source: str | None, target: str) -> None:
        told = self.position.explain_move(source, target)
        if told is None:
            nothing = f"nothing can be played on {target}" if source is None else (
                f"nothing can be moved from {source} to {target}"
            )
            self._show(message=nothing, refused=True)
            return
        reasons = told.reasons
        said = f"{told.event.text} is refused: {reasons[0].text}" if reasons else told.text
        self._show(message=said, refused=True)
        self.svg = told.svg(dark=self._dark, flipped=self._flipped)

    def _play(self, event: Event) -> None:
        self.match.apply(event)
        self._let_others_play()
        self._show()

    def _let_others_play(self) -> None:
        for _ in range(_MOST_EVENTS):
            if self.match.outcome is not None or self._is_own_turn():
                return
            position = self.position
            event: Thought | Event | str | None
            if position.awaits_chance:
                event = position.draw_chance(self._chance.getrandbits(64))
            elif self._opponent is not None:
                event = self._opponent(self.match)
            else:
                return
            if event is None:
                return
            self.match.apply(event.event if isinstance(event, Thought) else event)

    def _place_tiles(self) -> None:
        frames = self.position.tile_frames(flipped=self._flipped)
        self.tiles = [[tile, tile, *frame] for tile, frame in frames.items()]

    def _show(
        self,
        *,
        selected: str | None = None,
        targets: Sequence[str] = (),
        offered: Sequence[Event] | None = None,
        message: str | None = None,
        refused: bool = False,
    ) -> None:
        position, outcome = self.position, self.match.outcome
        self.selected, self.targets = selected, list(targets)
        if offered is None:
            legal = [] if outcome is not None else position.legal()
            offered = [event for event in legal if event.target is None and event.source is None]
        self._offered = list(offered)
        last = self.match.events[-1] if self.match.ply else None
        seer = self._seer()
        self.svg = position.svg(
            player=seer,
            last=last,
            selected=selected,
            targets=self.targets,
            dark=self._dark,
            flipped=self._flipped,
        )
        if message is None:
            seen = last if seer is None else (self.match.events_seen(seer) or [None])[-1]
            said = f"{self.match.ply}. {seen or 'hidden'}; " if last is not None else ""
            message = said + (f"{position.player} to move" if outcome is None else str(outcome))
        self.message, self.refused = message, refused
        self.choices = [str(event) for event in self._offered]
        self.can_undo = not self._hides and self.match.ply > 0
        self.can_redo = not self._hides and self.match.ply < self.match.length
