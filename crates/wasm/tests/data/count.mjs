// Plays a game that Senet wrote as a WebAssembly module: node count.mjs GAME.wasm DEPTH PLIES
import { readFile } from "node:fs/promises";

const [path, depth, plies] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(path));
const { memory, work, room, init, start, legal, apply, outcome, hash, perft } = instance.exports;
init();
const state = work.value;
start(state);
for (let at = 1; at <= Number(depth); at += 1) {
  console.log(`perft ${at}: ${perft(state, at)}`);
}
// Always the event in the middle of the list, in the order in which Senet lists them.
for (let ply = 0; ply < Number(plies); ply += 1) {
  const end = legal(state, room.value, 1);
  const events = new BigUint64Array(memory.buffer, room.value, (end - room.value) / 8);
  if (events.length === 0) break;
  apply(state, events[events.length >> 1]);
  console.log(BigInt.asUintN(64, hash(state)).toString(16).padStart(16, "0"));
}
console.log(outcome(state) === 0 ? "play goes on" : "the game is over");
