# Does the same work with the Python package and with the libraries of others. Answers questions, a
# line each, with the units of work done and the seconds they took:
#
#   WHO TASK TIMES
import random
import sys
import time

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FENS = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
]
# Games of a batch; a peer that works through them one by one has fewer, which costs it nothing.
BATCH, FEW = 1024, 8


def timed(work):
    begin = time.perf_counter()
    units = work()
    return units, time.perf_counter() - begin


class Senet:
    GAMES = {"go": ("go", {"size": 9})}

    def moves(self, times):
        import senet

        chess = senet.load("chess")
        positions = [chess.position(fen) for fen in FENS]
        # Lists come from machine code after some hundred of them.
        for _ in range(200):
            for position in positions:
                position.legal()

        def work():
            units = 0
            for _ in range(times):
                for position in positions:
                    for event in position.legal():
                        # Positions never change: to undo is to keep the one before.
                        position.apply(event)
                        units += 1
            return units

        return timed(work)

    def perft(self, times):
        import senet

        start = senet.load("chess").start()
        return timed(lambda: sum(start.perft(4) for _ in range(times)))

    def call(self, times):
        import senet

        position = senet.load("chess").start()

        def work():
            for _ in range(1000 * times):
                position.player
            return 1000 * times

        return timed(work)

    def step(self, name, times):
        from senet import vector

        env = self.__dict__.get(name)
        if env is None:
            game, options = self.GAMES.get(name, (name, {}))
            env = self.__dict__[name] = vector.make(game, n=BATCH, limit=2000, **options)
            env.reset(seed=1)

        def work():
            for _ in range(4 * times):
                env.step_randomly()
            return 4 * times * BATCH

        return timed(work)


class PythonChess:
    def moves(self, times):
        import chess

        boards = [chess.Board(fen) for fen in FENS]

        def work():
            units = 0
            for _ in range(times):
                for board in boards:
                    for move in list(board.legal_moves):
                        board.push(move)
                        board.pop()
                        units += 1
            return units

        return timed(work)

    def perft(self, times):
        import chess

        def count(board, depth):
            if depth == 1:
                return board.legal_moves.count()
            nodes = 0
            for move in board.legal_moves:
                board.push(move)
                nodes += count(board, depth - 1)
                board.pop()
            return nodes

        return timed(lambda: sum(count(chess.Board(), 4) for _ in range(times)))


class OpenSpiel:
    GAMES = {
        "connect-four": "connect_four",
        "go": "go(board_size=9)",
        "chess": "chess",
        "backgammon": "backgammon",
    }

    def step(self, name, times):
        from open_spiel.python import rl_environment, vector_env
        from open_spiel.python.rl_agent import StepOutput

        envs = self.__dict__.get(name)
        if envs is None:
            make = lambda: rl_environment.Environment(self.GAMES[name])
            envs = self.__dict__[name] = vector_env.SyncVectorEnv([make() for _ in range(FEW)])
            self.__dict__[name, "steps"] = envs.reset()
        source = random.Random(1)

        def work():
            steps = self.__dict__[name, "steps"]
            for _ in range(times):
                actions = []
                for one in steps:
                    legal = one.observations["legal_actions"][one.observations["current_player"]]
                    actions.append(StepOutput(action=source.choice(legal), probs=[]))
                steps = envs.step(actions, reset_if_done=True)[0]
            self.__dict__[name, "steps"] = steps
            return times * FEW

        return timed(work)


class PettingZoo:
    def step(self, name, times):
        from pettingzoo.classic import chess_v6, connect_four_v3, go_v5

        env = self.__dict__.get(name)
        if env is None:
            make = {
                "chess": chess_v6.env,
                "connect-four": connect_four_v3.env,
                "go": lambda: go_v5.env(board_size=9),
            }[name]
            env = self.__dict__[name] = make()
            env.reset(seed=1)
        source = random.Random(1)

        def work():
            for _ in range(8 * times):
                observation, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.reset()
                    observation = env.last()[0]
                mask = observation["action_mask"]
                env.step(source.choice(mask.nonzero()[0].tolist()))
            return 8 * times

        return timed(work)


class Pgx:
    GAMES = {"connect-four": "connect_four", "go": "go_9x9"}

    def step(self, name, times):
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental.wrappers import auto_reset

        if name not in self.__dict__:
            env = pgx.make(self.GAMES.get(name, name))
            init = jax.jit(jax.vmap(env.init))
            one = auto_reset(env.step, env.init)

            @jax.jit
            def step(state, key):
                key, pick, chance = jax.random.split(key, 3)
                logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
                action = jax.random.categorical(pick, logits, axis=-1)
                return jax.vmap(one)(state, action, jax.random.split(chance, BATCH)), key

            state = init(jax.random.split(jax.random.PRNGKey(1), BATCH))
            state, key = jax.block_until_ready(step(state, jax.random.PRNGKey(2)))
            self.__dict__[name] = [step, state, key]
        step, state, key = self.__dict__[name]

        def work():
            now, then = state, key
            for _ in range(times):
                now, then = step(now, then)
            jax.block_until_ready(now)
            self.__dict__[name][1:] = [now, then]
            return times * BATCH

        return timed(work)


WHO = {
    "senet": Senet(),
    "python-chess": PythonChess(),
    "openspiel": OpenSpiel(),
    "pettingzoo": PettingZoo(),
    "pgx": Pgx(),
}

for line in sys.stdin:
    who, task, times = line.split()
    task, _, name = task.partition("/")
    try:
        arguments = [name, int(times)] if name else [int(times)]
        units, seconds = getattr(WHO[who], task)(*arguments)
        print(units, seconds, flush=True)
    except Exception as error:  # what went wrong is the answer
        print(f"{type(error).__name__}: {error}".splitlines()[0], flush=True)
