"""Pickles, and games that are loaded more than once, in this process and in fresh ones."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest

import senet

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SLOW = 'game slow is chess\nwithout ending "seventy-five moves"\n'


def elsewhere(script: str, thing: Any = None) -> str:
    """What a script prints in a fresh process, in which `thing` is this object, unpickled."""
    begin = "import pickle, sys, senet\nthing = pickle.loads(sys.stdin.buffer.read())\n"
    done = subprocess.run(
        [sys.executable, "-c", begin + script], input=pickle.dumps(thing), capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def test_a_shipped_game_stays_one_whatever_was_loaded_before() -> None:
    asked = "print(senet.load('go', size=19).summary == senet.load('go').summary != None)"
    assert elsewhere(asked) == "True"
    assert senet.load("go", size=9).summary is None


def test_a_definition_in_json_does_not_take_the_place_of_a_shipped_game() -> None:
    own = senet.Game.from_json(senet.load("chess").to_json())
    assert str(own.start()) != FEN
    assert elsewhere("print(senet.load('chess').start())", own) == FEN
    assert elsewhere("print(thing.summary, thing.start())", own) == f"None {own.start()}"
    assert senet.load("chess").summary is not None and str(senet.load("chess").start()) == FEN


def test_games_that_differ_in_weights_stay_apart() -> None:
    definition = json.loads(senet.load("chess").to_json())
    definition["weights"]["tempo"] += 100
    own = senet.Game.from_json(json.dumps(definition))
    for restored in (pickle.loads(pickle.dumps(own)), pickle.loads(pickle.dumps(own))):
        assert restored == own and restored.summary is None
        assert json.loads(restored.to_json())["weights"] == definition["weights"]
    shipped = pickle.loads(pickle.dumps(senet.load("chess")))
    assert json.loads(shipped.to_json())["weights"]["tempo"] == definition["weights"]["tempo"] - 100


def test_the_notation_of_a_variant_is_kept() -> None:
    game = senet.Game.from_text(SLOW)
    assert str(game.start()) == FEN
    asked = "print(thing.apply('Nf3').apply('e7e5'))"
    after = str(game.start().apply("Nf3").apply("e7e5"))
    assert elsewhere(asked, game.start()) == after
    event = game.start().parse("e4")
    assert elsewhere("print(thing, thing.text)", event) == "e4 e2e4"
    plain = senet.Game.from_json(game.to_json())
    assert elsewhere("print(thing.start())", plain) == str(plain.start()) != FEN
    drawn = senet.Game.from_text(
        "game row\nplayers x, o\nboard grid 3 x 1\npiece mark\nput mark on empty\n"
        'draw "full" none empty\n'
    )
    assert elsewhere("print(thing.draw())", drawn.start()) == drawn.start().draw().strip()


def test_a_match_is_kept_with_its_tags() -> None:
    (played,) = senet.read_pgn('[White "Ada"]\n[Round "3"]\n\n1. e4 e5 2. Nf3 *\n')
    played.undo()
    asked = "print(thing, thing.ply, thing.length, sorted(thing.tags.items()))"
    shown = f"e4 e5 2 3 {sorted(played.tags.items())}"
    assert "Ada" in shown and elsewhere(asked, played) == shown
    again = pickle.loads(pickle.dumps(played))
    assert again == played and again.tags == played.tags


def test_a_notation_that_does_not_fit_is_told() -> None:
    from senet import _senet

    game = senet.load("tic-tac-toe")
    hash = int(game.definition_hash, 16)
    for notation in ("chess", "backgammon", "no such notation", ""):
        with pytest.raises(senet.SenetError, match="notation"):
            _senet.restore_game("tic-tac-toe", hash, game.to_json(), notation)
    own = _senet.restore_game("tic-tac-toe", hash, game.to_json(), "plain")
    assert own == game


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_compiles_on_its_own() -> None:
    script = (
        "import os, senet\n"
        "assert senet.load('chess').start().perft(5) == 4865609\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    count = senet.load('xiangqi').start().perft(4)\n"
        "    count += senet.load('chess').start().perft(5)\n"
        "    os._exit(0 if count == 3290240 + 4865609 else 1)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=120).returncode == 0
