"""Answers questions about positions with GNU Backgammon, in whose Python it runs.

Each line of the file named in SENET_QUESTIONS is an object: `board`, the counts of the opponent and of
the player on roll, each from the ace point to the bar, and `id`, a position ID and a match ID. Each line
written to SENET_ANSWERS has gnubg's position ID of the board, the board and the dice it reads from
the ID, and the boards after every legal move.
"""

import json
import os

import gnubg


def after(board, move):
    """The board after a move: pairs of points, 25 the bar and 0 off."""
    other, own = [list(side) for side in board]
    for start, end in move:
        own[start - 1] -= 1
        if end > 0:
            own[end - 1] += 1
            blot = 24 - end
            if other[blot] == 1:
                other[blot] = 0
                other[24] += 1
    return [other, own]


def moves(board):
    """The boards after every legal move, as strings so that they can be a set."""
    try:
        hint = gnubg.hint(100000)
    except Exception:
        return []
    found = set()
    for one in hint["hint"] if hint else []:
        found.add(json.dumps(after(board, gnubg.parsemove(one["move"]))))
    return sorted(found)


def answer(question):
    board = question["board"]
    gnubg.command("set gnubgid " + question["id"])
    position = gnubg.posinfo()
    return {
        "id": gnubg.positionid(tuple(tuple(side) for side in board)),
        "match": gnubg.matchid(),
        "board": gnubg.board(),
        "dice": position["dice"],
        "moves": moves(board) if all(position["dice"]) else [],
    }


def main():
    for command in [
        "set automatic game off",
        "set automatic roll off",
        "set automatic move off",
        "set automatic bearoff off",
        "set automatic doubles 0",
        "set player 0 human",
        "set player 1 human",
        "set output rawboard on",
        "set display off",
        "set confirm new off",
        "set evaluation chequerplay evaluation plies 0",
        "new session",
    ]:
        gnubg.command(command)
    with open(os.environ["SENET_QUESTIONS"]) as questions, open(os.environ["SENET_ANSWERS"], "w") as answers:
        for line in questions:
            answers.write(json.dumps(answer(json.loads(line))) + "\n")
            answers.flush()


main()
