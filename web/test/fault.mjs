// Kills the server again and again while matches are played, and checks that every move it
// acknowledged is there afterwards, once. SENET is the command, ROUNDS how often it is killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = Number(process.env.ROUNDS ?? 20);
const MATCHES = 8;
const folder = mkdtempSync(join(tmpdir(), "senet-fault-"));

async function serve(port = 0) {
  const args = ["serve", "--json", "--rate", "0", "--listen", `127.0.0.1:${port}`, "--database", join(folder, "senet.db")];
  const child = spawn(process.env.SENET ?? "senet", args, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, failed) => {
    child.stdout.once("data", (line) => done(JSON.parse(line).address));
    child.once("exit", () => failed(new Error("the server does not start")));
  });
  return { child, address };
}

let server = await serve();
const origin = `http://${server.address}`;
const port = Number(server.address.split(":")[1]);

async function ask(path, token, body) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const response = await fetch(origin + path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  return { status: response.status, answer: await response.json() };
}

/** Plays at random until the server is gone; keeps what was acknowledged. */
async function play(match) {
  try {
    for (;;) {
      const { answer: state } = await ask(`/api/matches/${match.id}`, match.token);
      if (state.status === "over") return;
      const legal = state.legal;
      const event = legal[Math.floor(Math.random() * legal.length)].event;
      const id = `${state.ply}-${Math.floor(Math.random() * 1e9)}`;
      const { status, answer } = await ask(`/api/matches/${match.id}/moves`, match.token, { ply: state.ply, id, event });
      if (status === 200) match.acknowledged.set(answer.ply, answer.move.hash);
    }
  } catch {
    // The server was killed.
  }
}

let moves = 0;
try {
  const matches = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    while (matches.length < MATCHES) {
      const { answer } = await ask("/api/matches", null, { game: "chess", seats: ["you", "you"] });
      matches.push({ id: answer.match, token: answer.token, acknowledged: new Map() });
    }
    const playing = matches.map(play);
    await new Promise((done) => setTimeout(done, 150 + Math.random() * 350));
    server.child.kill("SIGKILL");
    await Promise.all(playing);
    server = await serve(port);
    for (const match of [...matches]) {
      const { answer: state } = await ask(`/api/matches/${match.id}`, match.token);
      assert.ok(state.ply >= match.acknowledged.size, `${match.id}: ${state.ply} of ${match.acknowledged.size} moves are left`);
      assert.equal(state.moves.list.length, state.ply);
      for (const [ply, hash] of match.acknowledged) assert.equal(state.moves.list[ply]?.hash, hash, `${match.id} at ply ${ply}`);
      if (state.status === "over") {
        moves += match.acknowledged.size;
        matches.splice(matches.indexOf(match), 1);
      }
    }
  }
  moves += matches.reduce((sum, match) => sum + match.acknowledged.size, 0);
  console.log(`${ROUNDS} kills, ${moves} acknowledged moves, none lost, none twice`);
} finally {
  server.child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
