"""The conventions of others: Gymnasium, PettingZoo and OpenSpiel."""

from __future__ import annotations

import random
import re
import subprocess
import sys
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
    env = gymnasium.make(f"senet.gym:senet/{name}-v0", opponent="random", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*Overriding environment.*")
        check_env(env.unwrapped)
    env.reset(seed=1)
    drawn = env.render()
    assert drawn.dtype == "uint8" and drawn.shape[2] == 3 and drawn.max() > 200 > 100 > drawn.min()


def test_gymnasium_makes_a_game_without_an_import_of_ours() -> None:
    pytest.importorskip("gymnasium")
    script = "import gymnasium\nprint(gymnasium.make('senet.gym:senet/go-v0').action_space.n)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == str(senet.load("go").num_actions), done.stderr


def test_a_seat_sees_and_draws_no_secrets() -> None:
    pytest.importorskip("gymnasium")
    import senet.gym

    env = senet.gym.BoardEnv("dark-chess", seat=1, render_mode="ansi")
    env.reset(seed=2)
    assert env.render() == env.position.draw("black") != env.position.draw()
    with pytest.raises(ValueError, match="render_mode"):
        senet.gym.BoardEnv("chess", render_mode="human")


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


@pytest.mark.parametrize("name", [*GAMES, "kuhn-poker", "dark-chess"])
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

    import senet.zoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(senet.zoo.env(name, limit=300), num_cycles=60)
        seed_test(lambda: senet.zoo.env(name, limit=300), num_cycles=20)
        parallel_api_test(senet.zoo.parallel_env(name, limit=300), num_cycles=20)
        parallel_seed_test(lambda: senet.zoo.parallel_env(name, limit=300), num_cycles=20)
    assert senet.zoo.env(name).metadata["name"] == name.replace("-", "_") + "_v0"


def test_agents_see_no_secrets_of_others() -> None:
    pytest.importorskip("pettingzoo")
    import senet.zoo

    env = senet.zoo.raw_env("kuhn-poker", render_mode="rgb_array")
    seen: dict[str, bytes] = {}
    for seed in range(20):
        env.reset(seed=seed)
        cards = [card for card in env.game.variables if env.position.view().variables[card]]
        own = env.observe("one")["observation"].tobytes()
        hand = str(env.position.view("one").variables)
        assert seen.setdefault(hand, own) == own, cards
    assert len(seen) == 3 and env.render().ndim == 3


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


@pytest.mark.parametrize("name", senet.games())
def test_what_can_be_won_is_within_the_bounds(name: str) -> None:
    pytest.importorskip("numpy")
    import senet.spiel

    game = senet.spiel.load_game(name)
    for seed in range(5):
        outcome = game.rules.start().playout(seed, limit=5_000).outcome
        if outcome is None:
            continue
        paid = list(outcome.scores.values())
        assert game.min_utility() <= min(paid) and max(paid) <= game.max_utility() > 0
        assert game.utility_sum() in (None, sum(paid))


def test_what_can_be_won_follows_from_the_endings() -> None:
    pytest.importorskip("numpy")
    import senet.spiel

    def bounds(name: str) -> tuple[float, float]:
        game = senet.spiel.load_game(name)
        return game.min_utility(), game.max_utility()

    assert bounds("tic-tac-toe") == (-1, 1) and bounds("kuhn-poker") == (-2, 2)
    assert bounds("backgammon") == (-3 * 16384, 3 * 16384)
    assert senet.spiel.load_game("chess", max_utility=5).max_utility() == 5
    three = senet.Game.from_text(
        "game three\nplayers a, b, c\nboard grid 3 x 1\npiece mark\nput mark on empty\n"
        'win "full" none empty\n'
    )
    assert senet.spiel.Game(three).utility_sum() is None


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "backgammon"])
def test_states_are_written_down_and_taken_back(name: str) -> None:
    pytest.importorskip("numpy")
    import senet.spiel

    game = senet.spiel.load_game(name)
    state, source = game.new_initial_state(), random.Random(4)
    assert state.is_initial_state() and state.num_players() == 2
    assert state.num_distinct_actions() == game.num_distinct_actions()
    texts: list[str] = []
    while not state.is_terminal() and len(texts) < 30:
        texts.append(str(state))
        state.apply_action(source.choice(state.legal_actions()))
    again = game.deserialize_state(state.serialize())
    assert again.full_history() == state.full_history() and str(again) == str(state)
    assert [one.action for one in state.full_history()] == state.history()
    other = game.new_initial_state()
    other.apply_actions(state.history())
    assert other.position == state.position
    with pytest.raises(ValueError, match="not the last"):
        state.undo_action(7, 0)
    for text in reversed(texts):
        state.undo_action(*state.full_history()[-1])
        assert str(state) == text
    assert state.is_initial_state()
    chess = senet.spiel.load_game("chess").new_initial_state("8/P7/8/8/8/8/8/k1K5 w - - 0 1")
    chess.apply_action(chess.legal_actions()[0])
    assert chess.get_game().deserialize_state(chess.serialize()).position == chess.position


def test_outcomes_of_chance_that_do_not_exist_are_refused() -> None:
    pytest.importorskip("numpy")
    import senet.spiel

    state = senet.spiel.load_game("backgammon").new_initial_state()
    for wrong in (-1, 36, 10**9):
        with pytest.raises(senet.IllegalAction):
            state.apply_action(wrong)
    assert state.is_initial_state()


def test_states_have_the_methods_of_pyspiel_that_algorithms_use() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import senet.spiel

    # Their games on structures, mean fields and observers are not for us.
    others = re.compile("struct|mean_field|distribution|population|observer|_pybind|json|to_dict|layout")
    theirs = [(pyspiel.State, senet.spiel.State), (pyspiel.Game, senet.spiel.Game)]
    absent = {
        name
        for one, own in theirs
        for name in set(dir(one)) - set(dir(own))
        if not name.startswith("__") and not others.search(name)
    }
    assert absent == {
        "apply_actions_with_legality_checks", "get_type", "is_initial_non_chance_state",
        "resample_from_infostate", "starting_state", "starting_state_str", "action_to_string",
        "max_chance_nodes_in_history", "max_move_number", "serialize", "to_string",
    }


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

    game = senet.spiel.load_game("kuhn-poker")
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
