"""Answers questions about positions and games of chess: one JSON object a line, in and out."""

import json
import sys

import chess
import chess.variant

BOARDS = {
    "chess": chess.Board,
    "chess960": chess.Board,
    "king-of-the-hill": chess.variant.KingOfTheHillBoard,
    "three-check": chess.variant.ThreeCheckBoard,
    "atomic": chess.variant.AtomicBoard,
}

ENDINGS = {
    "king-of-the-hill": "king of the hill",
    "three-check": "three checks",
    "atomic": "explosion",
}


def set_up(question):
    board = BOARDS[question["game"]]
    return board(question["fen"], chess960=question["game"] == "chess960")


def fen(board):
    """The position; checks are counted at the end, as given."""
    words = board.fen(en_passant="legal").split()
    if len(words) == 7:
        left = words.pop(4).split("+")
        words.append("".join(f"+{3 - int(count)}" for count in left))
    return " ".join(words)


def ending(board, game):
    """How the game ended by itself, in the order in which Senet asks."""
    side = {chess.WHITE: "white", chess.BLACK: "black"}
    if board.is_variant_end():
        return ENDINGS[game], side[board.turn if board.is_variant_win() else not board.turn]
    if board.is_checkmate():
        return "checkmate", side[not board.turn]
    if board.is_stalemate():
        return "stalemate", None
    if board.is_insufficient_material():
        return "insufficient material", None
    if board.is_seventyfive_moves():
        return "seventy-five moves", None
    if board.is_fivefold_repetition():
        return "fivefold repetition", None
    return None, None


def status(board, game):
    name, winner = ending(board, game)
    repeated = [count for count in range(2, 6) if board.is_repetition(count)]
    return {
        "fen": fen(board),
        "check": board.is_check(),
        "ending": name,
        "winner": winner,
        "repetitions": max(repeated, default=1),
        "claim": name is None and (board.is_fifty_moves() or board.is_repetition(3)),
    }


def position(question):
    board = set_up(question)
    moves = {}
    for move in list(board.legal_moves):
        uci, san = board.uci(move), board.san(move)
        board.push(move)
        moves[uci] = [san, fen(board)]
        board.pop()
    return {"moves": moves, "status": status(board, question["game"])}


def game(question):
    board = set_up(question)
    plies = []
    for text in question["moves"]:
        board.push(board.parse_uci(text))
        plies.append(status(board, question["game"]))
    return {"plies": plies}


for line in sys.stdin:
    question = json.loads(line)
    answer = game(question) if "moves" in question else position(question)
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
