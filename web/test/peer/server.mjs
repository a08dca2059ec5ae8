// Gomoku for boardgame.io, served by its own server. Matches are kept in memory, as it does by default: with
// its own storage in files it loses moves under such load.
import { createRequire } from "node:module";

const { Origins, Server } = createRequire(import.meta.url)("boardgame.io/server");
const { INVALID_MOVE } = createRequire(import.meta.url)("boardgame.io/core");

/** Whether a stone completes five in a row. */
function wins(cells, at) {
  const [x, y] = [at % 15, Math.floor(at / 15)];
  const run = (dx, dy) => {
    let count = 0;
    for (let [a, b] = [x + dx, y + dy]; a >= 0 && a < 15 && b >= 0 && b < 15 && cells[b * 15 + a] === cells[at]; a += dx, b += dy) count += 1;
    return count;
  };
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([dx, dy]) => run(dx, dy) + run(-dx, -dy) >= 4);
}

const Gomoku = {
  name: "stones",
  setup: () => ({ cells: Array(225).fill(null), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, at) => {
      if (G.cells[at] !== null) return INVALID_MOVE;
      G.cells[at] = playerID;
      G.last = at;
    },
  },
  endIf: ({ G }) => (G.last !== null && wins(G.cells, G.last) ? { winner: G.cells[G.last] } : undefined),
};

const server = Server({ games: [Gomoku], origins: [Origins.LOCALHOST] });
const running = await server.run({ port: 0 });
console.log(JSON.stringify({ address: `127.0.0.1:${running.appServer.address().port}` }));
