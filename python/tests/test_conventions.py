"""The conventions of others: Gymnasium, PettingZoo and OpenSpiel."""

from __future__ import annotations

import os
import random
import warnings

import pytest

import senet

GAMES = ["tic-tac-toe", "chess", "backgammon"]


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import senet.gym

    assert f"senet/{name}-v0" in senet.gym.register()
    env = gymnasium.make(f"senet/{name}-v0", opponent="random")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*render modes.*")
        warnings.filterwarnings("ignore", message=".*Overriding environment.*")
        check_env(env.unwrapped, skip_render_check=True)


def test_a_seat_of_gymnasium_is_paid() -> None:
    pytest.importorskip("gymnasium")
    import senet.gym

    for seat in (0, 1, None):
        env = senet.gym.BoardEnv("tic-tac-toe", opponent="search:9", seat=seat)
        source, paid = random.Random(1), []
        for seed in range(6):
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                action = source.choice(info["action_mask"].nonzero()[0].tolist())
                _, reward, over, cut, info = env.step(action)
                assert not cut and "illegal" not in info
            paid.append(reward)
        assert min(paid) == -1 and max(paid) < 1, "nobody beats perfect play"
    env.reset(seed=1)
    taken = next(action for action in range(9) if not env.action_masks()[action]) if (
        not env.action_masks().all()
    ) else 10**6
    _, reward, over, _, info = env.step(taken)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, parallel_api_test, seed_test

    import senet.zoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(senet.zoo.env(name, limit=300), num_cycles=60)
        seed_test(lambda: senet.zoo.env(name, limit=300), num_cycles=20)
        parallel_api_test(senet.zoo.parallel_env(name, limit=300), num_cycles=20)
    assert senet.zoo.env(name).metadata["name"] == name.replace("-", "_") + "_v0"


@pytest.mark.skipif(os.environ.get("SENET_EXAMPLES") != "whole", reason="takes seconds")
def test_pettingzoo_measures_the_speed() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import performance_benchmark

    import senet.zoo

    performance_benchmark(senet.zoo.env("connect-four"))


def test_agents_of_pettingzoo_are_paid() -> None:
    pytest.importorskip("pettingzoo")
    import senet.zoo

    env = senet.zoo.env("tic-tac-toe")
    env.reset(seed=1)
    for name in ("a1", "b1", "a2", "b2", "a3"):
        env.step(env.unwrapped.position.parse(name).action)
    assert env.rewards == {"x": 1.0, "o": -1.0} and all(env.terminations.values())
    raw = senet.zoo.raw_env("tic-tac-toe")
    raw.reset(seed=1)
    raw.step(0)
    with pytest.raises(senet.Rejected):
        raw.step(0)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_the_shape_of_open_spiel(name: str) -> None:
    pytest.importorskip("numpy")
    import senet.spiel

    game = senet.spiel.load_game(name)
    source = random.Random(2)
    state = game.new_initial_state()
    for _ in range(150):
        if state.is_terminal():
            assert state.current_player() == senet.spiel.TERMINAL and not state.legal_actions()
            assert sum(state.returns()) == 0
            break
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            assert [action for action, _ in outcomes] == state.legal_actions()
            state.apply_action(source.choice(outcomes)[0])
            continue
        actions = state.legal_actions()
        assert sum(state.legal_actions_mask()) == len(actions) and actions == sorted(actions)
        action = source.choice(actions)
        child = state.child(action)
        text = state.action_to_string(state.current_player(), action)
        assert state.string_to_action(text) == action
        state.apply_action(action)
        assert child.position == state.position and child.history() == state.history()
    assert len(state.observation_tensor()) == game.observation_tensor_size()


def test_algorithms_of_open_spiel_run() -> None:
    pytest.importorskip("pyspiel")
    import numpy as np
    from open_spiel.python.algorithms import mcts

    import senet.spiel

    game = senet.spiel.load_game("tic-tac-toe")
    source = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.5, 300, mcts.RandomRolloutEvaluator(1, source), random_state=source)
    state = game.new_initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state.apply_action(state.string_to_action(text))
    assert state.action_to_string(bot.step(state)) == "a3"


def test_their_tabular_cfr_finds_the_value_of_our_poker() -> None:
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import cfr, expected_game_score

    import senet.spiel

    game = senet.spiel.load_game("kuhn-poker", max_utility=2.0)
    solver = cfr.CFRSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [average] * 2)
    assert values[0] == pytest.approx(-1 / 18, abs=3e-3) and values[1] == -values[0]


def test_information_states_show_no_more_than_a_player_sees() -> None:
    pytest.importorskip("numpy")
    import senet.spiel

    game = senet.spiel.load_game("kuhn-poker", memory=4)

    def dealt(*cards: str) -> senet.spiel.State:
        state = game.new_initial_state()
        for card in cards:
            names = [state.action_to_string(action) for action in state.legal_actions()]
            state.apply_action(names.index(f"roll:{card}"))
        return state

    queen, king = dealt("jack", "queen"), dealt("jack", "king")
    for shown in ("information_state_string", "information_state_tensor", "observation_tensor",
                  "observation_string"):
        assert getattr(queen, shown)(0) == getattr(king, shown)(0), shown
        assert getattr(queen, shown)(1) != getattr(king, shown)(1), shown
        assert getattr(queen, shown)() == getattr(queen, shown)(0), shown
    assert len(queen.information_state_tensor()) == game.information_state_tensor_size()
    before = queen.information_state_tensor(0)
    queen.apply_action(queen.string_to_action("pass"))
    assert queen.information_state_tensor(0) != before
