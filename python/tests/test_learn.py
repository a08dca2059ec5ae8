"""Actions, observations, batches of games and trees with evaluators."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import senet
from senet import Tree, vector

GAMES = ["chess", "tic-tac-toe", "backgammon", "atomic"]


@pytest.mark.parametrize("name", senet.games())
def test_actions_and_events_are_two_names_of_one_thing(name: str) -> None:
    game = senet.load(name)
    position = game.start()
    for number in range(40):
        if position.outcome is not None:
            break
        if position.awaits_chance:
            event = position.draw_chance(number)
            assert event is not None and event.action is None
            assert position.legal_actions() == [] and not position.action_mask().any()
            position = position.apply(event)
            continue
        actions = position.legal_actions()
        assert actions == [event.action for event in position.legal()]
        for action, event in list(zip(actions, position.legal(), strict=True))[:50]:
            assert game.action_to_event(action) == event
            assert game.event_to_action(event) == action
        assert np.flatnonzero(position.action_mask()).tolist() == sorted(actions)
        position = position.apply_action(actions[number % len(actions)])


def test_actions_are_stable() -> None:
    assert [senet.load(name).num_actions for name in GAMES] == [1968, 9, 307, 1968]
    chess = senet.load("chess")
    assert chess.definition_hash == senet.load("chess").definition_hash
    assert chess.action_to_event(0).text == "a1b1"
    for wrong in (1968, 2**31, 2**40):
        with pytest.raises(IndexError):
            chess.action_to_event(wrong)
    with pytest.raises(senet.IllegalAction):
        chess.start().apply_action(-1)
    with pytest.raises(senet.Rejected):
        chess.start().apply_action(0)


def test_observations_show_the_board_from_the_movers_seat() -> None:
    game = senet.load("chess")
    planes = game.observation_planes()
    after = game.start().apply("e4")
    tensor = game.observe([game.start(), after])
    assert tensor.dtype == np.float32 and tensor.shape == (2, *game.observation_shape())
    own, foe = planes.index("own pawn"), planes.index("foe pawn")
    assert tensor[0, own, 6].tolist() == [1] * 8 and tensor[0, foe, 1].tolist() == [1] * 8
    assert tensor[1, foe, 4, 4] == 1 and tensor[1, own, 1].tolist() == [1] * 8
    assert (after.observe() == tensor[1]).all()
    assert tensor.max() <= game.observation_high == 1
    backgammon = senet.load("backgammon")
    assert backgammon.start().observe().sum(axis=1)[0] == 15
    assert len(game.observation_planes(3)) == game.observation_shape(3)[0] > len(planes)
    for wrong in (0, 65):
        with pytest.raises(ValueError, match="history"):
            game.observation_shape(wrong)


def test_a_player_sees_no_secrets_of_others() -> None:
    poker = senet.load("kuhn-poker")
    queen, king = (senet.Match(poker, ["jack", card]) for card in ("queen", "king"))
    assert poker.has_secrets and not senet.load("chess").has_secrets
    for player, same in (("one", True), ("two", False)):
        seen = [match.position.observe(player) for match in (queen, king)]
        known = [match.information_tensor(player) for match in (queen, king)]
        assert (seen[0] == seen[1]).all() == (known[0] == known[1]).all() == same
        assert (queen.information_state(player) == king.information_state(player)) == same
        assert (queen.position.view(player) == king.position.view(player)) == same
    hidden = queen.position.view("one").variables["hand-queen"]
    assert hidden == {"one": 0, "two": None}
    assert queen.position.view().variables["hand-queen"] == {"one": 0, "two": 1}
    fog = senet.load("dark-chess").start()
    assert len(fog.view("white").unseen) == 32 and not fog.view().unseen
    planes = fog.game.observation_planes()
    assert fog.observe()[planes.index("unseen")].sum() == 32
    assert fog.observe()[planes.index("foe king")].sum() == 0


@pytest.mark.parametrize("player", [None, "white", "black"])
def test_information_tensors_show_the_last_events(player: str | None) -> None:
    game = senet.load("chess")
    played = senet.Match(game, ["e4", "e5", "Nf3"])
    actions = [event.action for event in played.events]
    tensor = played.information_tensor(player, events=2)
    assert len(tensor) == game.information_size(2)
    seen = played.position.observe(player).ravel()
    assert (tensor[: len(seen)] == seen).all()
    rows = tensor[len(seen) :].reshape(2, game.num_actions + 2)
    for row, action, mover in zip(rows, actions[:0:-1], ("white", "black"), strict=True):
        viewer = player or played.position.player
        assert np.flatnonzero(row).tolist() == [int(mover != viewer), 2 + (action or 0)]
    with pytest.raises(ValueError, match="events"):
        played.information_tensor(events=5000)
    with pytest.raises(senet.SenetError, match="no player is named"):
        played.information_state("red")


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_as_positions_do(name: str) -> None:
    env = vector.make(name, n=3, limit=200)
    step = env.reset(seed=9)
    for _ in range(100):
        before = [env.position(number) for number in range(3)]
        for number, position in enumerate(before):
            assert not position.awaits_chance
            assert (step.masks[number] == position.action_mask()).all()
            assert (step.observations[number] == position.observe()).all()
            assert env.game.players[step.players[number]] == position.player
        actions, step = env.step_randomly()
        for number, position in enumerate(before):
            after = position.apply_action(int(actions[number]))
            if not env.game.dice and not step.truncated[number]:
                assert (after.outcome is not None) == step.terminated[number]
            if after.outcome is not None:
                scores = [after.outcome.scores[player] for player in env.game.players]
                assert step.rewards[number].tolist() == scores
            elif not env.game.dice and not step.truncated[number]:
                assert env.position(number) == after


@pytest.mark.parametrize("name", ["tic-tac-toe", "chess", "kuhn-poker"])
def test_the_last_observation_of_a_game_is_kept_where_it_is_asked_for(name: str) -> None:
    env = vector.make(name, n=300, limit=30, finals=True, threads=2)
    plain = vector.make(name, n=300, limit=30, threads=2)
    env.reset(seed=5)
    assert plain.reset(seed=5).final_observations.shape == (0, *plain.observation_shape)
    ended = 0
    for _ in range(40):
        before = [env.position(number) for number in range(0, 300, 50)]
        actions, step = env.step_randomly()
        assert (plain.step_randomly()[1].observations == step.observations).all()
        for position, number in zip(before, range(0, 300, 50), strict=True):
            if step.terminated[number] or step.truncated[number]:
                after = position.apply_action(int(actions[number]))
                assert (step.final_observations[number] == after.observe()).all()
                ended += 1
    assert ended > 3


def trace(name: str, threads: int, history: int = 1) -> list[npt.NDArray[np.float32]]:
    env = vector.make(name, n=600, threads=threads, history=history, limit=50)
    env.reset(seed=4)
    found = []
    for _ in range(25):
        actions, step = env.step_randomly()
        found += [actions.astype(np.float32), step.observations.copy(), step.rewards.copy()]
    return found


@pytest.mark.parametrize("name", ["tic-tac-toe", "backgammon"])
def test_a_batch_depends_on_the_seed_alone(name: str) -> None:
    one, two = trace(name, 1, 2), trace(name, 2, 2)
    assert all((first == second).all() for first, second in zip(one, two, strict=True))
    env = vector.make(name, n=8)
    kinds: list[Any] = [7, np.int64(7), np.uint8(7)]
    played = [(env.reset(seed=seed), env.step_randomly()[0])[1].tolist() for seed in kinds]
    assert played[0] == played[1] == played[2]


def test_illegal_actions_move_no_game() -> None:
    env = vector.make("tic-tac-toe", n=2)
    with pytest.raises(ValueError, match="call reset before step"):
        env.step([0, 0])
    env.reset(seed=1)
    for wrong in ([0, 9], [0, -1], [0, 2**62]):
        with pytest.raises(senet.IllegalAction) as caught:
            env.step(wrong)
        assert (caught.value.game, caught.value.action) == (1, wrong[1])
    shapes: list[npt.ArrayLike] = [[0], [[0, 0]], [0, 0, 0]]
    for strange in shapes:
        with pytest.raises(ValueError, match="shape"):
            env.step(strange)
    kinds: list[Any] = [[0.5, 0.5], ["a", "b"], [None, None]]
    for strange in kinds:
        with pytest.raises(TypeError):
            env.step(strange)
    assert env.position(0) == env.game.start()
    step = env.step(np.array([0, 1], np.uint8))
    with pytest.raises(ValueError, match="read-only"):
        step.masks[0] = True
    for seed in (-1, 2**64):
        with pytest.raises(OverflowError):
            env.reset(seed=seed)
    seeds: list[Any] = [1.5, "one", b"1", [1], np.float32(1)]
    for strange in seeds:
        with pytest.raises(TypeError):
            env.reset(seed=strange)
    env.reset()
    with pytest.raises(IndexError):
        env.position(2)


def test_sizes_that_cannot_be_are_told() -> None:
    for wrong in (0, -5):
        with pytest.raises(ValueError, match="games"):
            vector.make("tic-tac-toe", n=wrong)
    with pytest.raises((MemoryError, ValueError)):
        vector.make("chess", n=10**13)
    with pytest.raises(ValueError, match="limit"):
        vector.make("tic-tac-toe", n=1, limit=0)
    many = vector.make("tic-tac-toe", n=1_000_000)
    many.reset(seed=1)
    _, step = many.step_randomly()
    assert (step.masks.sum(axis=1) == 8).all()


RAIN = "game rain\nplayers one, two\ntiles table\ndice die sides 6\n"


def test_games_in_which_chance_goes_on_and_on_come_to_an_end() -> None:
    alone = senet.Game.from_text(RAIN + "roll die then unroll die\n")
    assert alone.num_actions == 0 and alone.start().awaits_chance
    with pytest.raises(IndexError, match="`rain` has no actions"):
        alone.action_to_event(0)
    with pytest.raises(ValueError, match="`rain` has no actions"):
        vector.make(alone, n=1)
    phases = "variable n 0..1\nphase rain when n = {}\n  roll die then unroll die\n"
    phases += "phase talk\n  act go then n = {}\n"
    never = vector.make(senet.Game.from_text(RAIN + phases.format(0, 0)), n=3)
    assert not never.reset(seed=1).masks.any()
    with pytest.raises(senet.IllegalAction):
        never.step([0, 0, 0])
    actions, step = never.step_randomly()
    assert actions.tolist() == [-1] * 3 and step.terminated.all()
    once = vector.make(senet.Game.from_text(RAIN + phases.format(1, 1)), n=3)
    assert once.reset(seed=1).masks.all()
    step = once.step([0, 0, 0])
    assert step.terminated.all() and not step.rewards.any() and step.masks.all()


def test_steps_make_no_arrays() -> None:
    env = vector.make("connect-four", n=4096)
    env.reset(seed=1)
    actions = env.step_randomly()[0].copy()
    env.reset(seed=1)
    env.step(actions)
    tracemalloc.start()
    try:
        for _ in range(20):
            env.step_randomly()
        env.reset(seed=1)
        env.step(actions)
        assert tracemalloc.get_traced_memory()[1] < 4096
    finally:
        tracemalloc.stop()


def even(positions: list[senet.Position]) -> tuple[npt.ArrayLike, npt.ArrayLike]:
    masks = positions[0].game.masks(positions)
    return masks, np.zeros(len(positions))


def test_a_tree_with_an_evaluator_finds_the_win() -> None:
    game = senet.load("tic-tac-toe")
    position = game.start().apply_all(["a1", "b1", "a2", "b2"])
    sizes = []

    def evaluate(positions: list[senet.Position]) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        sizes.append(len(positions))
        return even(positions)

    tree = Tree(position, seed=1)
    tree.grow(300, evaluate, batch=8)
    best = tree.best()
    assert best is not None and str(best) == "a3" and tree.playouts >= 300
    assert 1 < max(sizes) <= 8
    assert tree.policy().sum() == pytest.approx(1) and tree.policy().argmax() == best.action
    assert sum(visits for _, visits, _ in tree.tally()) == pytest.approx(300, abs=2)
    bot = senet.bots.puct(even, 200, seed=3)
    assert str(bot.choose(position)) == "a3"
    result = senet.duel(game, bot, "random", games=20, seed=5, opening=0)
    assert result.wins[1] == 0 and result.score > 0.8


def test_evaluators_that_fail_are_heard() -> None:
    tree = Tree(senet.load("chess").start())

    def fail(positions: list[senet.Position]) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        raise ZeroDivisionError("no idea")

    with pytest.raises(ZeroDivisionError, match="no idea"):
        tree.grow(10, fail)
    with pytest.raises(ValueError, match="must give arrays"):
        tree.grow(10, lambda positions: (np.zeros(3), np.zeros(1)))
    with pytest.raises((TypeError, ValueError)):
        tree.grow(10, lambda positions: None)  # type: ignore[arg-type]
    tree.grow(10, lambda positions: (np.full((len(positions), 1968), np.nan), [np.inf] * len(positions)))
    assert tree.playouts >= 10
    with pytest.raises(ValueError, match="noise"):
        Tree(senet.load("chess").start(), noise=2)
