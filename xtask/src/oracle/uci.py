"""Drives an engine with the client of python-chess: whole games, options and bad input.

Prints one JSON object: what was played and every fault that was found.
"""

import json
import subprocess
import sys
import time

import chess
import chess.engine
import chess.variant

ENGINE = [sys.argv[1], "uci"]
GAMES = int(sys.argv[2])
faults = []
count = {"games": 0, "moves": 0, "mates": 0, "draws": 0}

LIMITS = [
    chess.engine.Limit(depth=3),
    chess.engine.Limit(nodes=3000),
    chess.engine.Limit(time=0.02),
    chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02),
]


def play(engine, board, limit):
    """One whole game of the engine against itself; python-chess refuses any illegal move."""
    while not board.is_game_over(claim_draw=True) and board.ply() < 400:
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        if result.move is None:
            faults.append(f"no move in {board.fen()}")
            return
        if "score" not in result.info and board.legal_moves.count() > 1:
            faults.append(f"no score in {board.fen()}")
        line = board.copy()
        for move in result.info.get("pv", []):
            if move not in line.legal_moves:
                faults.append(f"illegal {move} in the line of {board.fen()}")
                break
            line.push(move)
        board.push(result.move)
        count["moves"] += 1
    count["games"] += 1
    count["mates" if board.is_checkmate() else "draws"] += 1


def boards(number):
    """Chess most of the time, and starts of Chess960."""
    if number % 3 == 2:
        return chess.Board.from_chess960_pos((number * 331) % 960)
    return chess.Board()


def analyse(engine):
    """Scores, mates and stopping."""
    board = chess.Board("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16")
    info = engine.analyse(board, chess.engine.Limit(mate=2))
    if info["score"].white() != chess.engine.Mate(2):
        faults.append(f"mate in two is told as {info['score']}")
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
    start = time.monotonic()
    engine.ping()
    if time.monotonic() - start > 1:
        faults.append("an endless analysis does not stop at once")
    engine.configure({"Hash": 32, "Threads": 2})
    engine.play(chess.Board(), chess.engine.Limit(depth=4))
    engine.configure({"Hash": 1, "Threads": 1})


def junk():
    """Lines that no program should send."""
    lines = [
        b"", b"\xff\xfe\x00", b"a" * (1 << 20), b"position fen x", b"position startpos moves e2e5",
        b"go depth -3 foo", b"stop", b"setoption name Hash value 0", b"setoption name", b"go movetime 0",
        b"position startpos moves " + b"g1f3 g8f6 f3g1 f6g8 " * 300, b"go nodes 100", b"isready",
    ]
    for end in [b"quit\n", b"", b"go infinite\n", b"go infinite\nquit\n"]:
        done = subprocess.run(
            ENGINE, input=b"\n".join(lines) + b"\n" + end, capture_output=True, timeout=60
        )
        if done.returncode != 0 or done.stderr:
            faults.append(f"junk ends with {done.returncode}: {done.stderr[:200]!r}")
        if b"readyok" not in done.stdout:
            faults.append("not ready after junk")


with chess.engine.SimpleEngine.popen_uci(ENGINE, timeout=60) as engine:
    for number in range(GAMES):
        play(engine, boards(number), LIMITS[number % len(LIMITS)])
    analyse(engine)
for variant in [chess.variant.AtomicBoard, chess.variant.KingOfTheHillBoard]:
    with chess.engine.SimpleEngine.popen_uci(ENGINE, timeout=60) as engine:
        board = variant()
        while not board.is_game_over(claim_draw=True) and board.ply() < 200:
            board.push(engine.play(board, chess.engine.Limit(nodes=2000)).move)
            count["moves"] += 1
        count["games"] += 1
junk()
print(json.dumps({"count": count, "faults": faults}))
