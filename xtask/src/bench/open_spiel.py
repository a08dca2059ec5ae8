# Answers questions about random play with OpenSpiel, a line each:
#
#   length GAME GAMES SEED    plies and turns of GAMES games, played from Python
#   rollout GAME GAMES SEED   games and seconds, played in C++
#
# The rollouts are those of the library's own evaluator. It is reached through a search of two
# simulations: the first rolls out from the root and the second from one of its children, so half
# of the games begin a move later.
import random
import sys
import time

import pyspiel


def opened(game):
    """The first state of a game in which a player is to move."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def length(game, games, seed):
    source = random.Random(seed)
    plies = rolls = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(source.choices(outcomes, weights)[0])
                rolls += 1
            else:
                state.apply_action(source.choice(state.legal_actions()))
                plies += 1
    return plies, rolls


def rollout(game, games, seed):
    evaluator = pyspiel.RandomRolloutEvaluator(games // 2, seed)
    search = pyspiel.MCTSBot(game, evaluator, 2.0, 2, 1000, False, seed, False)
    state = opened(game)
    begin = time.process_time()
    search.step(state)
    return games // 2 * 2, time.process_time() - begin


QUESTIONS = {"length": length, "rollout": rollout}
GAMES = {}

for line in sys.stdin:
    question, name, games, seed = line.split()
    game = GAMES.setdefault(name, None) or pyspiel.load_game(name)
    GAMES[name] = game
    print(*QUESTIONS[question](game, int(games), int(seed)), flush=True)
