"""Prints how OpenSpiel's information states partition histories.

Each line: game, depth, histories in which a player decides, information states, and an FNV-1a
digest of the lines `player history class`, sorted by history.
"""
import sys
import pyspiel

CARDS = ["jack-1", "jack-2", "queen-1", "queen-2", "king-1", "king-2"]


def kuhn(state, action):
    return ["jack", "queen", "king"][action] if state.is_chance_node() else ["pass", "bet"][action]


def leduc(state, action):
    return CARDS[action] if state.is_chance_node() else ["fold", "call", "raise"][action]


def liars(state, action):
    if state.is_chance_node():
        return state.action_to_string(state.current_player(), action).split()[-1]
    if action == 12:
        return "liar"
    return ["one", "two"][action // 6] + "-" + str(action % 6 + 1)


def phantom(state, action):
    return "abc"[action % 3] + str(action // 3 + 1)


GAMES = [
    ("kuhn-poker", "kuhn_poker", kuhn, 20),
    ("leduc-poker", "leduc_poker", leduc, 20),
    ("liars-dice", "liars_dice", liars, 20),
    ("phantom-tic-tac-toe", "phantom_ttt(obstype=reveal-nothing)", phantom, 5),
]


def walk(state, history, depth, name, into):
    if state.is_terminal():
        return
    if not state.is_chance_node():
        player = state.current_player()
        into[history] = (player, state.information_state_string(player))
    if depth == 0:
        return
    for action in state.legal_actions():
        child = state.child(action)
        walk(child, history + " " + name(state, action), depth - 1, name, into)


for ours, theirs, name, depth in GAMES:
    into = {}
    walk(pyspiel.load_game(theirs).new_initial_state(), "", depth, name, into)
    classes, digest = {}, 0xCBF29CE484222325
    for history in sorted(into):
        information = into[history]
        number = classes.setdefault(information, len(classes))
        for byte in f"{information[0]} {history} {number}\n".encode():
            digest = (digest ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    print(ours, depth, len(into), len(classes), f"{digest:016x}", flush=True)
