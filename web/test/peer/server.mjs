// A game for boardgame.io, served by its own server: stones on 15 × 15 points. It keeps matches in
// memory, as it does by default.
import { createRequire } from "node:module";

const { Origins, Server } = createRequire(import.meta.url)("boardgame.io/server");
const { INVALID_MOVE } = createRequire(import.meta.url)("boardgame.io/core");

const Stones = {
  name: "stones",
  setup: () => ({ cells: Array(225).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, at) => {
      if (G.cells[at] !== null) return INVALID_MOVE;
      G.cells[at] = playerID;
    },
  },
};

const server = Server({ games: [Stones], origins: [Origins.LOCALHOST] });
const running = await server.run({ port: 0 });
console.log(JSON.stringify({ address: `127.0.0.1:${running.appServer.address().port}` }));
