"""Refusals and wrong input: an exception that says what is wrong, never an abort."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

import pytest

import senet


@pytest.fixture(scope="module")
def chess() -> senet.Game:
    return senet.load("chess")


def test_a_refusal_says_why(chess: senet.Game) -> None:
    position = chess.position("r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1")
    with pytest.raises(senet.Rejected) as caught:
        position.apply("O-O")
    refused = caught.value
    assert str(refused) == "e1g1 is refused: f1 is attacked by the bishop on c4"
    assert (refused.event, refused.phase, refused.rule) == ("e1g1", "play", "castling east")
    assert refused.reasons[0].code == "condition"
    again = pickle.loads(pickle.dumps(refused))
    assert (str(again), again.rule, again.reasons) == (str(refused), refused.rule, refused.reasons)
    with pytest.raises(senet.Rejected) as caught:
        chess.start().apply("a1a3")
    assert (caught.value.reasons[0].code, caught.value.tile) == ("blocked", "a2")


def test_an_explanation_has_parts(chess: senet.Game) -> None:
    position = chess.position("r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1")
    told = position.explain("O-O")
    assert not told and not told.accepted and told.rule is None
    assert told.attacks == [("c4", "bishop", "f1")]
    assert "does not hold: no tile of the king's way is attacked" in str(told) == told.text
    report = next(report for report in told.rules if report.rule == "castling east")
    assert report.reason is not None and False in [holds for _, holds in report.checks]
    assert told.event.text == "e1g1" and told.position == position
    told = position.explain("O-O-O")
    assert told and told.rule == "castling west"
    told = chess.start().explain("a1a4")
    assert (told.path, told.blocker) == (["a1", "a2", "a3", "a4"], "a2")


def test_texts_that_mean_nothing_are_told(chess: senet.Game) -> None:
    for text in ("", "xyz", "e9", "\0", "🂡" * 1000, "O-O-O-O"):
        with pytest.raises(senet.SenetError):
            chess.start().apply(text)
        with pytest.raises(senet.NotationError):
            chess.position(text)
    with pytest.raises(senet.NotationError):
        chess.start().explain("xyz")
    with pytest.raises(senet.UnknownGame, match="did you mean `chess`") as caught:
        senet.load("ches")
    assert caught.value.near == "chess"
    assert isinstance(caught.value, LookupError)
    with pytest.raises(senet.SenetError, match="no form"):
        chess.start().format_as("x")


def test_wrong_types_are_type_errors(chess: senet.Game) -> None:
    start = chess.start()
    things: list[Any] = [None, 1, 1.5, b"e4", [], start, chess]
    for wrong in things:
        for call in (start.apply, start.explain, start.accepts, senet.Match(chess).apply):
            with pytest.raises(TypeError):
                call(wrong)
        with pytest.raises(TypeError):
            chess.position(wrong)
        with pytest.raises(TypeError):
            senet.load(wrong)
    for wrong in (-1, 2**40, 1001):
        with pytest.raises((OverflowError, ValueError)):
            start.perft(wrong)
    for seed in (-1, 2**64, 1.5, "7", None):
        with pytest.raises((OverflowError, TypeError)):
            start.playout(seed)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        senet.Match("chess")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        senet.Event()
    with pytest.raises(TypeError):
        senet.Position()


def test_what_belongs_to_another_game_is_foreign(chess: senet.Game) -> None:
    event = senet.load("tic-tac-toe").start().legal()[0]
    for call in (chess.start().apply, chess.start().explain, senet.Match(chess).apply):
        with pytest.raises(senet.ForeignError, match="the event is of `tic-tac-toe`"):
            call(event)
    with pytest.raises(senet.ForeignError):
        chess.event_to_action(event)
    with pytest.raises(senet.ForeignError):
        chess.bot("random").choose(senet.load("tic-tac-toe").start())
    with pytest.raises(senet.ForeignError):
        chess.observe([senet.load("tic-tac-toe").start()])
    assert chess.start() != senet.load("chess960").start()


def test_an_event_of_an_earlier_position_is_judged_anew(chess: senet.Game) -> None:
    stale = chess.start().parse("e4")
    with pytest.raises(senet.Rejected):
        chess.start().apply("e4").apply(stale)


def test_every_mistake_of_a_definition_is_listed() -> None:
    text = senet.load("tic-tac-toe").to_json()
    with pytest.raises(senet.GameErrors) as caught:
        senet.Game.from_json(text.replace('"x"', '"y"', 1))
    assert len(caught.value.problems) >= 1 and caught.value.problems[0].place
    with pytest.raises(senet.GameErrors) as caught:
        senet.Game.from_json("{\n  nonsense")
    assert (caught.value.problems[0].line, caught.value.problems[0].column) == (2, 3)
    with pytest.raises(FileNotFoundError):
        senet.Game.from_file("no such file.json")


def test_what_is_no_saved_match_is_told(chess: senet.Game) -> None:
    saved = senet.Match(chess, ["e4", "e5"]).save()
    for wrong in (b"", b"\0" * 100, saved[:-3], saved[:9] + b"\xff" + saved[10:], b"{}"):
        with pytest.raises(senet.MatchError):
            senet.Match.load(chess, wrong)
    with pytest.raises(senet.MatchError):
        senet.Match.load(senet.load("atomic"), saved)
    with pytest.raises(senet.MatchError):
        senet.read_pgn("1. e4 e5 2. Ke3 *")
    with pytest.raises(senet.MatchError):
        senet.Match(senet.load("tic-tac-toe")).pgn()


def test_pickles_that_were_tampered_with_are_told(chess: senet.Game) -> None:
    from senet import _senet

    _, (game, data) = chess.start().__reduce__()
    for wrong in (b"", data[:-1], data[:-8], b"\xff" * len(data)):
        with pytest.raises(senet.SenetError):
            _senet.restore_position(game, wrong)
    with pytest.raises(senet.SenetError):
        _senet.restore_position(senet.load("tic-tac-toe"), data)
    with pytest.raises(senet.SenetError):
        _senet.restore_game("chess", 12345, None)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_plays_on(chess: senet.Game) -> None:
    script = (
        "import os, senet\nfrom senet import vector\n"
        "env = vector.make('tic-tac-toe', n=1000, threads=2)\nenv.reset(seed=1)\n"
        "env.step_randomly()\npid = os.fork()\nenv.step_randomly()\n"
        "count = senet.load('chess').start().perft(3)\n"
        "if pid == 0:\n    os._exit(0 if count == 8902 else 1)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=60).returncode == 0
