"""Board games written as data: play, explain, count, draw, search and learn them.

>>> import senet
>>> game = senet.load("chess")
>>> position = game.start().apply("e4")
>>> str(position)
'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
>>> position.perft(3)
13160

A refused move is an exception that says why:

>>> try:
...     position.apply("Ke7")
... except senet.Rejected as refused:
...     print(refused, refused.tile, refused.reasons[0].code)
e8e7 is refused: the way from e8 to e7 is blocked on e7 e7 blocked
"""

from senet import bots
from senet._data import (
    Outcome,
    Piece,
    Problem,
    Reason,
    RuleReport,
    Thought,
    View,
)
from senet._errors import (
    ForeignError,
    GameErrors,
    IllegalAction,
    MatchError,
    NotationError,
    Rejected,
    SenetError,
    UnknownGame,
)
from senet._senet import (
    Bot,
    Event,
    Explanation,
    Game,
    Match,
    Position,
    Timeline,
    Tree,
    Turn,
    __version__,
    film,
    games,
    load,
    read_mat,
    read_pgn,
)
from senet._sql import sql
from senet.bots import duel

__all__ = [
    "Bot",
    "Event",
    "Explanation",
    "ForeignError",
    "Game",
    "GameErrors",
    "IllegalAction",
    "Match",
    "MatchError",
    "NotationError",
    "Outcome",
    "Piece",
    "Position",
    "Problem",
    "Reason",
    "Rejected",
    "RuleReport",
    "SenetError",
    "Thought",
    "Timeline",
    "Tree",
    "Turn",
    "UnknownGame",
    "View",
    "__version__",
    "bots",
    "duel",
    "film",
    "games",
    "load",
    "read_mat",
    "read_pgn",
    "sql",
]
