"""What is seen: pictures, films, bots and the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import senet


def test_everything_has_a_picture() -> None:
    for name in senet.games():
        position = senet.load(name).start()
        ElementTree.fromstring(position._repr_svg_())
    chess = senet.load("chess")
    told = chess.start().explain("a1a4")
    ElementTree.fromstring(told._repr_svg_())
    assert told._repr_html_().startswith("<div><svg") and "blocked on a2" in told._repr_html_()
    played = senet.Match(chess, ["f3", "e5", "g4", "Qh4"])
    assert "Qh4#" in played._repr_html_() and "black wins: checkmate" in played._repr_html_()
    start = chess.start()
    assert start.svg() != start.svg(dark=True) != start.svg(flipped=True)
    assert start.svg(last="e4", caption="a < b").count("a &lt; b") == 1
    assert start.png()[:8] == b"\x89PNG\r\n\x1a\n"
    film = senet.film(played, delay=500)
    assert film[:6] == b"GIF89a" and film == senet.film(played, delay=500)
    with pytest.raises(ValueError, match="delay"):
        senet.film(played, delay=1)


def test_boards_are_drawn_with_letters() -> None:
    assert "K" in senet.load("chess").start().draw()


def test_pictures_of_games_with_secrets_show_what_a_player_sees() -> None:
    start = senet.load("dark-chess").start()
    drawings = {start.svg(), start.svg(player="white"), start.svg(player="black")}
    assert len(drawings) == 3 and start.png(player="white") != start.png()
    assert start.draw("white").count("?") == 32 and "?" not in start.draw()
    # A move that nobody has seen is not marked, unless all there is to see is drawn.
    event = start.parse("e2/e4")
    after = start.apply(event)
    assert after.svg(player="black", last=event) == after.svg(player="black")
    assert after.svg(player="white", last=event) != after.svg(player="white")
    assert after.svg(last=event) != after.svg()
    told = start.explain("a1/a8")
    assert told.svg().count("?") > 10
    played = senet.Match(start, [event, "h7/h6"])
    assert senet.film(played) != senet.film(played, player="white")
    assert played.events_seen("white") == ["e2/e4", None]
    pixels = senet.load("tic-tac-toe").start().pixels()
    assert pixels.ndim == 3 and pixels.shape[2] == 3 and pixels.dtype == "uint8"


def test_bots_play() -> None:
    game = senet.load("chess")
    mate = game.position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    thought = senet.bots.search(game, depth=2).choose(mate)
    assert thought is not None and str(thought.event) == "Ra8#" and thought.line[0] == "Ra8#"
    one = senet.bots.mcts(game, 50, seed=1).choose(senet.Match(game))
    two = senet.bots.mcts(game, 50, seed=1).choose(senet.Match(game))
    assert one is not None and one == two
    assert senet.bots.random(game).choose(game.position("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1")) is None
    with pytest.raises(senet.SenetError, match="awaits chance"):
        senet.load("backgammon").bot("random").choose(senet.load("backgammon").start())
    with pytest.raises(senet.SenetError, match="did you mean `search`"):
        game.bot("serch:3")
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="seconds"):
            game.bot("random").choose(game.start(), seconds=wrong)


def test_a_duel_does_not_depend_on_who_is_named_first() -> None:
    one = senet.duel("tic-tac-toe", "search:9", "random", games=20, seed=2, opening=0)
    two = senet.duel("tic-tac-toe", "random", "search:9", games=20, seed=2, opening=0)
    assert one.wins[1] == 0 and one.elo > 0 > two.elo
    again = senet.duel("tic-tac-toe", "search:9", "random", games=20, seed=2, opening=0)
    assert one == again
    with pytest.raises(TypeError):
        senet.duel("tic-tac-toe", "random", 7, games=1)  # type: ignore[arg-type]


def test_engines_of_others_play_by_uci() -> None:
    game = senet.load("chess")
    command = [sys.executable, "-m", "senet", "uci"]
    with senet.bots.uci(command, go="depth 1") as engine:
        played = senet.Match(game, ["e4"])
        event = engine.choose(played)
        assert event is not None
        played.apply(event)
        assert played.ply == 2
    with pytest.raises((senet.bots.UciError, OSError)):
        senet.bots.uci([sys.executable, "-c", "print('no engine')"])


def test_the_command_is_the_package() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "senet", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert "8902 nodes" in run("perft", "chess", "--depth", "3").stdout
    assert run("games").returncode == 0
    assert run("no-such-command").returncode == 2
    refused = run("apply", "chess", "e5")
    assert refused.returncode == 1 and "error" in refused.stderr
    assert Path(senet.__file__).with_name("py.typed").exists()
