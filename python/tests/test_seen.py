"""What is seen: pictures, films, tables, bots and the command."""

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


def test_a_timeline_is_a_table_of_arrow() -> None:
    timeline = senet.load("chess").timeline(3, columns=["ply", "notation", "captured"])
    assert timeline.columns == ["ply", "notation", "captured"] and timeline.depth == 3
    assert "arrow_schema" in repr(timeline.__arrow_c_schema__())
    assert "arrow_array_stream" in repr(timeline.__arrow_c_stream__())
    assert ("ply", "How many moves deep it is, from 1.") in senet.Timeline.all_columns()
    with pytest.raises(senet.SenetError, match="did you mean `notation`"):
        senet.load("chess").timeline(1, columns=["notatoin"])
    for depth in (0, 65):
        with pytest.raises(senet.SenetError, match="depth"):
            senet.load("chess").timeline(depth)


def test_libraries_of_tables_read_a_timeline() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    timeline = senet.load("chess").timeline(3, columns=["ply", "notation", "captured"])
    table = pyarrow.table(timeline)
    assert table.num_rows == 20 + 400 + 8902
    assert table.column_names == timeline.columns
    distinct = pyarrow.table(senet.load("tic-tac-toe").timeline(9, distinct=True))
    assert distinct.num_rows == 9 + 72 + 252 + 756 + 1260 + 1520 + 1140 + 390 + 78
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(timeline).height == table.num_rows


def test_trees_are_asked_in_sql() -> None:
    pytest.importorskip("datafusion")
    asked = senet.sql("select ply, count(*) as moves from timeline('chess', '', 2) group by ply order by ply")
    assert asked.to_pydict() == {"ply": [1, 2], "moves": [20, 400]}
    tree = senet.load("tic-tac-toe").timeline(3, columns=["ply", "notation"])
    assert senet.sql("select count(*) as n from tree where ply = 3", tree=tree).to_pydict() == {"n": [504]}
    with pytest.raises(senet.UnknownGame, match="did you mean `chess`"):
        senet.sql("select * from timeline('ches', '', 2)")
    for wrong in ("selec 1", "select * from nowhere", "select * from timeline(1, 2, 3)"):
        with pytest.raises(senet.SenetError):
            senet.sql(wrong)


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
