"""Playing: games, positions, events and matches."""

from __future__ import annotations

import copy
import pickle
import re
import threading
from fractions import Fraction
from pathlib import Path

import pytest

import senet

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def chess() -> senet.Game:
    return senet.load("chess")


@pytest.fixture(scope="module")
def backgammon() -> senet.Game:
    return senet.load("backgammon")


def test_every_shipped_game_can_be_played_to_its_end() -> None:
    for name in senet.games():
        game = senet.load(name)
        played = game.start().playout(seed=3, limit=20_000)
        assert played.game == game
        assert played.outcome is not None or not played.position.legal() or played.ply == 20_000
        assert game.position(str(game.start())) == game.start(), name


def test_perft_counts_what_is_published(chess: senet.Game) -> None:
    assert [chess.start().perft(depth) for depth in range(5)] == [1, 20, 400, 8902, 197281]
    position = chess.position(KIWIPETE)
    assert position.perft(3) == 97862
    assert sum(count for _, count in position.divide(3)) == 97862
    assert position.divide(0) == []
    assert senet.load("tic-tac-toe").start().perft(9) == 127872


def test_positions_never_change(chess: senet.Game) -> None:
    start = chess.start()
    after = start.apply("e4")
    assert start == chess.start() != after
    assert (start.player, after.player) == ("white", "black")
    assert str(after) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert start.apply_all(["e4", "e5", "Nf3"]) == after.apply("e5").apply("g1f3")


def test_events_say_what_they_are(chess: senet.Game, backgammon: senet.Game) -> None:
    event = chess.start().parse("Nf3")
    assert (str(event), event.text, repr(event)) == ("Nf3", "g1f3", "Event('g1f3')")
    assert (event.kind, event.source, event.target, event.piece) == ("move", "g1", "f3", None)
    assert event in chess.start().legal()
    assert len({event, chess.start().parse("g1f3")}) == 1
    castling = chess.position(KIWIPETE).parse("O-O")
    assert (castling.source, castling.target) == ("e1", "g1")
    promotion = chess.position("8/P7/8/8/8/8/8/k1K5 w - - 0 1").parse("a8=N")
    assert promotion.piece == "knight"
    roll, _ = backgammon.start().chances()[1]
    assert (roll.kind, roll.dice, roll.action) == ("roll", [1, 2], None)


def test_chance_is_an_event_with_a_probability(backgammon: senet.Game) -> None:
    start = backgammon.start()
    assert start.awaits_chance
    chances = start.chances()
    assert sum(share for _, share in chances) == Fraction(1)
    assert [event for event, _ in chances] == start.legal()
    drawn = start.draw_chance(5)
    assert drawn is not None and drawn == start.draw_chance(5)
    rolled = start.apply(drawn)
    assert not rolled.awaits_chance and rolled.draw_chance(5) is None
    turns = rolled.turns()
    assert len({turn.position for turn in turns}) == len(turns) > 5
    assert rolled.apply_all(turns[0].events) == turns[0].position
    assert str(turns[0]) == turns[0].text


def test_a_view_shows_all_there_is(chess: senet.Game, backgammon: senet.Game) -> None:
    view = chess.start().view("white")
    assert (view.seer, view.turn, len(view.pieces)) == ("white", "white", 32)
    rook = next(piece for piece in view.pieces if piece.tile == "a1")
    assert rook == ("white-rook-1", "white", "rook", "a1", rook.flags)
    assert chess.start().piece_at("a1") == rook
    assert chess.start().piece_at("e4") is None
    rolled = backgammon.start().apply(backgammon.start().chances()[1][0])
    assert sorted(die for die in rolled.view().dice.values() if die) == [1, 2]
    with pytest.raises(senet.SenetError, match="no player is named `red`: the players are white"):
        chess.start().view("red")


def test_positions_are_kept_copied_and_compared(chess: senet.Game) -> None:
    position = chess.position(KIWIPETE)
    again = pickle.loads(pickle.dumps(position))
    assert again == position and hash(again) == hash(position) and again.hash == position.hash
    assert copy.copy(position) is position and copy.deepcopy(position) is position
    assert position != chess.start() and position != str(position)
    events = pickle.loads(pickle.dumps(position.legal()))
    assert events == position.legal()
    assert eval(repr(position), {"Position": lambda game, text: senet.load(game).position(text)}) == (
        position
    )


def test_transpositions_are_one_position(chess: senet.Game) -> None:
    one = chess.start().apply_all(["Nf3", "Nf6", "Nc3", "Nc6"])
    other = chess.start().apply_all(["Nc3", "Nc6", "Nf3", "Nf6"])
    assert one == other and len({one, other}) == 1


def test_a_match_goes_back_and_forth(chess: senet.Game) -> None:
    played = senet.Match(chess, ["f3", "e5", "g4", "Qh4"])
    assert str(played) == "f3 e5 g4 Qh4#"
    assert played.outcome is not None
    assert (played.outcome.ending, played.outcome.winner) == ("checkmate", "black")
    assert played.outcome.scores == {"white": -1, "black": 1}
    assert str(played.outcome) == "black wins: checkmate"
    branch = played.branch()
    assert branch == played and played.undo() and branch != played
    assert (played.ply, len(played.position.legal())) == (3, 30)
    assert played.redo() and not played.redo()
    played.goto(0)
    assert played.position == played.start and not played.undo()
    with pytest.raises(IndexError, match="there is no ply 5: the line has plies 0 to 4"):
        played.goto(5)
    assert [str(event) for event in branch.events] == ["f3", "e5", "g4", "Qh4#"]
    assert branch.positions[0] == chess.start() and branch.positions[-1] == branch.position


def test_a_match_knows_of_repetitions(chess: senet.Game) -> None:
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"]
    played = senet.Match(chess, shuffle * 4)
    assert played.outcome is not None and played.outcome.winner is None
    assert played.position.outcome is None or played.position.outcome == played.outcome


def test_matches_are_saved_and_loaded(chess: senet.Game) -> None:
    played = senet.Match(chess.position(KIWIPETE), ["O-O", "O-O-O"])
    for saved in (played.save(), played.to_json().encode()):
        assert senet.Match.load(chess, saved) == played
    assert pickle.loads(pickle.dumps(played)) == played
    assert copy.deepcopy(played) == played
    text = played.pgn(White="Ada", Black="Bob")
    (again,) = senet.read_pgn(text)
    assert again == played and again.tags["White"] == "Ada"
    atomic = senet.Match(senet.load("atomic"), ["Nf3", "e6"])
    (again,) = senet.read_pgn(atomic.pgn())
    assert again == atomic
    diced = senet.load("backgammon").start().playout(seed=1, limit=40)
    text = diced.mat("Ada", "Bob")
    (again,) = senet.read_mat(text)
    assert again.mat("Ada", "Bob") == text and again.tags == {"One": "Ada", "Two": "Bob"}
    with pytest.raises(senet.SenetError, match="cannot be written"):
        played.mat()
    with pytest.raises(senet.SenetError, match="cannot be written"):
        diced.pgn()


def test_a_definition_written_and_read_back_is_the_same_game(tmp_path: Path) -> None:
    game = senet.load("tic-tac-toe")
    own = senet.Game.from_json(game.to_json())
    assert own == game and own.definition_hash == game.definition_hash and own.summary is None
    path = tmp_path / "own.json"
    path.write_text(game.to_json().replace('"tic-tac-toe"', '"noughts"'))
    noughts = senet.Game.from_file(path)
    assert noughts.name == "noughts" and noughts != game
    position = noughts.start().apply(noughts.start().legal()[4])
    assert pickle.loads(pickle.dumps(position)) == position


def test_kinds_of_events_are_those_that_the_types_name() -> None:
    stub = Path(senet.__file__).with_name("_senet.pyi").read_text(encoding="utf-8")
    (named,) = re.findall(r"def kind\(self\) -> Literal\[(.*)\]", stub)
    kinds = {event.kind for name in senet.games() for event in senet.load(name).start().legal()}
    for name in senet.games():
        kinds |= {event.kind for event in senet.load(name).start().playout(1, limit=40).events}
    assert sorted(kinds) == sorted(re.findall(r"\w+", named))


def test_a_file_with_a_bad_game_still_gives_the_others() -> None:
    text = '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. e4 e5 2. Ke3 *\n\n[White "C"]\n\n1. d4 *\n'
    with pytest.raises(senet.MatchError, match="e3|Ke3"):
        senet.read_pgn(text)
    problems: list[senet.MatchError] = []
    games = senet.read_pgn(text, on_error=problems.append)
    assert [game.tags["White"] for game in games] == ["A", "C"]
    assert len(problems) == 1 and isinstance(problems[0], senet.MatchError)
    commented = "1. e4 {best} (1. d4 d5) e5 $1 (1... c5 2. Nf3) 2. Nf3 *\n"
    assert [str(game) for game in senet.read_pgn(commented)] == ["e4 e5 Nf3"]
    diced = senet.load("backgammon").start().playout(seed=1, limit=40).mat("Ada", "Bob")
    broken = diced.replace("  1) ", "  1) nonsense ", 1)
    problems.clear()
    senet.read_mat(broken, on_error=problems.append)
    assert len(problems) == 1
    with pytest.raises(senet.MatchError):
        senet.read_mat(broken)
    with pytest.raises(ZeroDivisionError):
        senet.read_pgn(text, on_error=lambda _: 1 / 0)


def test_threads_share_a_position(chess: senet.Game) -> None:
    position = chess.position(KIWIPETE)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(position.perft(3))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [97862] * 4


def test_a_game_file_is_read_with_its_options() -> None:
    small, usual = senet.load("go", size=5), senet.load("go")
    assert (len(small.tiles), len(usual.tiles)) == (25, 361)
    assert small != usual and small == senet.load("go", size=5)
    text = "game row\nplayers x, o\nboard grid 3 x 3\npiece mark\nput mark on empty\n"
    game = senet.Game.from_text(text + 'win "three" line 3 of own\ndraw "full" none empty\n')
    assert game.start().perft(3) == 504
    with pytest.raises(senet.GameErrors) as caught:
        senet.Game.from_text("game row\nplayers x, o\nbord grid 3 x 3\n")
    assert caught.value.problems[0].line == 3
    with pytest.raises(senet.GameErrors):
        senet.load("go", height=5)
