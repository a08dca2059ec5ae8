// How much the server carries, on loopback, beside boardgame.io doing the same: clients that only
// look on, and matches of which each move is sent by one player and awaited by the other. SENET is
// the command; CLIENTS, MATCHES, SECONDS and RATE say how much, and the arguments what is measured: senet, thin
// (boardgame.io, whose clients read as little as those of Senet), peer (boardgame.io with its own clients); all of
// them where there are none.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [CLIENTS, MATCHES, SECONDS, RATE] = [["CLIENTS", 1000], ["MATCHES", 100], ["SECONDS", 10], ["RATE", 500]].map(([name, usual]) => Number(process.env[name] ?? usual));
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "senet-load-"));

/** The points of a board of 15 × 15 in an order in which no three stones of a player lie in a row. */
const POINTS = Array.from({ length: 225 }, (_, at) => at);
const parts = [0, 1].map((part) => POINTS.filter((at) => ((at % 15) + 2 * Math.floor(at / 15)) % 4 < 2 === (part === 0)));
POINTS.forEach((_, at) => (POINTS[at] = parts[at % 2][at >> 1] ?? -1));
const MOST = 220;

async function start(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((done, failed) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const line = text.split("\n").find((one) => one.startsWith("{"));
      if (line) done(JSON.parse(line).address);
    });
    child.once("exit", () => failed(new Error(`${command} does not start`)));
  });
  return { child, origin: `http://${address}`, address };
}

/** The processor time that a process has used, in seconds. */
function processor({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The memory of a process in bytes. */
function memory({ child }) {
  const line = readFileSync(`/proc/${child.pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/);
  return Number(line?.[1] ?? 0) * 1024;
}

async function post(origin, path, body) {
  const headers = { "content-type": "application/json" };
  return (await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** Where every connection reads to: what arrives is looked at before the next one reads. */
const READ = Buffer.alloc(1 << 18);

/**
 * A WebSocket that reads the head of each message and skips the rest: this program shares the processor with
 * the server, and is to cost as little as it can.
 * @param {string} address @param {string} path @param {(head: string) => void} heard
 */
function follow(address, path, heard) {
  const [host, port] = address.split(":");
  let [open, skip, rest] = [false, 0, Buffer.alloc(0)];
  let [done, failed] = [() => undefined, (error) => void error];
  const opened = new Promise((...both) => ([done, failed] = both));
  const read = (count) => {
    if (skip >= count) return (skip -= count), true;
    let part = READ.subarray(skip, count);
    if (rest.length) part = Buffer.concat([rest, part]);
    skip = 0;
    if (!open) {
      const end = part.indexOf("\r\n\r\n");
      if (end < 0) return (rest = Buffer.from(part)), true;
      if (!part.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101"))) return failed(new Error(part.toString())), true;
      part = part.subarray(end + 4);
      open = true;
      done();
    }
    while (part.length >= 4) {
      const short = part[1] & 127;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (part.length < Math.min(head + 160, head + short)) break;
      const length = short < 126 ? short : short === 126 ? part.readUInt16BE(2) : Number(part.readBigUInt64BE(2));
      if ((part[0] & 15) === 1) heard(part.latin1Slice(head, Math.min(head + 160, head + length)));
      skip = Math.max(0, head + length - part.length);
      part = part.subarray(Math.min(part.length, head + length));
    }
    rest = part.length ? Buffer.from(part) : part;
    return true;
  };
  const socket = connect({ host, port: Number(port), noDelay: true, onread: { buffer: READ, callback: read } });
  socket.once("error", failed);
  socket.once("connect", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`));
  // A mask of zeros leaves the text as it is.
  const send = (text) => {
    const body = Buffer.from(text);
    const head = body.length < 126 ? [0x81, 0x80 | body.length] : [0x81, 0xfe, body.length >> 8, body.length & 255];
    socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body]));
  };
  return { opened, send, close: () => socket.destroy() };
}

/** Senet: a WebSocket for each client. */
const senet = {
  name: "senet",
  start: () => start(process.env.SENET ?? "senet", ["serve", "--json", "--rate", "0", "--matches", "0", "--listen", "127.0.0.1:0", "--database", join(folder, "senet.db")]),
  async create(server) {
    const made = await post(server.origin, "/api/matches", { game: "gomoku" });
    const joined = await post(server.origin, `/api/matches/${made.match}/join`, { invitation: made.invitations[0].invitation });
    return { id: made.match, tokens: [made.token, joined.token] };
  },
  async connect(server, match, seat) {
    const client = { ply: -1, wake: () => undefined };
    const socket = follow(server.address, `/api/matches/${match.id}/socket`, (head) => {
      if (head.startsWith('{"type":"problem"') || head.startsWith('{"problem"')) throw new Error(head);
      const ply = head.startsWith('{"type":"state"') && head.match(/"ply":(\d+)/);
      if (!ply) return;
      client.ply = Number(ply[1]);
      client.wake();
    });
    await socket.opened;
    socket.send(JSON.stringify({ type: "hello", token: match.tokens[seat] ?? null }));
    client.close = () => socket.close();
    client.play = (ply) => {
      const point = POINTS[ply];
      const event = `stone@${"abcdefghijklmno"[point % 15]}${Math.floor(point / 15) + 1}`;
      socket.send(`{"type":"play","request":${ply},"body":{"ply":${ply},"event":"${event}"}}`);
    };
    await until(client, 0);
    return client;
  },
};

/** boardgame.io: its own server and its own client. */
const peer = {
  name: "boardgame.io in memory",
  start: () => start("node", [join(here, "peer/server.mjs")]),
  count: 0,
  // The first who connects makes the match.
  async create() {
    return { id: `match-${(peer.count += 1)}` };
  },
  async connect(server, match, seat) {
    const { Client } = await import("boardgame.io/dist/cjs/client.js");
    const { SocketIO } = await import("boardgame.io/dist/cjs/multiplayer.js");
    const moves = { place: { move: () => undefined, client: false } };
    const game = { name: "stones", setup: () => ({ cells: [] }), turn: { minMoves: 1, maxMoves: 1 }, moves };
    const options = { game, multiplayer: SocketIO({ server: server.origin, socketOpts: { transports: ["websocket"] } }), matchID: match.id, numPlayers: 2, debug: false };
    const real = Client({ ...options, ...(seat < 2 ? { playerID: String(seat) } : {}) });
    const client = { ply: -1, wake: () => undefined, play: (ply) => real.moves.place(POINTS[ply]), close: () => real.stop() };
    real.subscribe((state) => {
      if (!state) return;
      client.ply = state.ctx.turn - 1;
      client.wake();
    });
    real.start();
    await until(client, 0);
    return client;
  },
};

/** boardgame.io: its own server, and clients that read as little as those of Senet. */
const thin = {
  name: "boardgame.io in memory, read by the same clients",
  start: peer.start,
  create: peer.create,
  async connect(server, match, seat) {
    const client = { ply: -1, wake: () => undefined };
    const player = seat < 2 ? String(seat) : null;
    const socket = follow(server.address, "/socket.io/?EIO=4&transport=websocket", (head) => {
      if (head === "2") return socket.send("3");
      if (head.startsWith("0{")) return socket.send("40/stones,");
      if (head.startsWith("40/stones,")) return socket.send(`42/stones,${JSON.stringify(["sync", match.id, player, null, 2])}`);
      // Every state after the first is that after one more move.
      if (!head.startsWith('42/stones,["sync"') && !head.startsWith('42/stones,["update"')) return;
      client.ply += 1;
      client.wake();
    });
    await socket.opened;
    client.close = () => socket.close();
    client.play = (ply) => {
      const action = { type: "MAKE_MOVE", payload: { type: "place", args: [POINTS[ply]], playerID: player } };
      socket.send(`42/stones,${JSON.stringify(["update", action, ply, match.id, player])}`);
    };
    await until(client, 0);
    return client;
  },
};

/** Waits until a client knows of a ply. */
function until(client, ply) {
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error(`ply ${ply} does not come, only ${client.ply}`)), 30_000);
    client.wake = () => {
      if (client.ply < ply) return;
      clearTimeout(late);
      client.wake = () => undefined;
      done();
    };
    client.wake();
  });
}

/** Plays a match until a time, and counts from another on; pace is the time between its moves, 0 for as fast as it goes. */
async function play(table, from, end, pace, times) {
  await new Promise((done) => setTimeout(done, Math.random() * pace));
  while (performance.now() < end && table.ply < MOST) {
    const [mover, other] = [table.players[table.ply % 2], table.players[1 - (table.ply % 2)]];
    await until(mover, table.ply);
    const begun = performance.now();
    mover.play(table.ply);
    table.ply += 1;
    await until(other, table.ply);
    if (begun >= from) times.push({ took: performance.now() - begun, at: performance.now() });
    const rest = pace - (performance.now() - begun);
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
  }
}

const share = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function measure(backend) {
  const server = await backend.start();
  const figures = { name: backend.name };
  const opened = [];
  try {
    const tables = [];
    for (let at = 0; at < MATCHES; at += 1) {
      const match = await backend.create(server);
      const players = await Promise.all([backend.connect(server, match, 0), backend.connect(server, match, 1)]);
      opened.push(...players);
      tables.push({ match, players, ply: 0 });
    }
    const before = memory(server);
    const idle = Math.max(CLIENTS - 2 * MATCHES, 1);
    for (let at = 0; at < idle; at += 50) {
      const some = Array.from({ length: Math.min(50, idle - at) }, (_, one) => backend.connect(server, tables[(at + one) % MATCHES].match, 2));
      opened.push(...(await Promise.all(some)));
    }
    figures.memory = (memory(server) - before) / idle;
    const run = async (pace) => {
      const times = [];
      let [used, own] = [0, process.cpuUsage()];
      // When every match has begun, as many moves are made as are wanted.
      const from = performance.now() + pace;
      await Promise.all([new Promise((done) => setTimeout(done, pace)).then(() => ([used, own] = [processor(server), process.cpuUsage()])), ...tables.map((table) => play(table, from, from + SECONDS * 1000, pace, times))]);
      const last = times.reduce((late, { at }) => Math.max(late, at), from + 1);
      const { user, system } = process.cpuUsage(own);
      return { clients: (user + system) / times.length, times: times.map(({ took }) => took).sort((one, other) => one - other), rate: (1000 * times.length) / (last - from), cost: (processor(server) - used) / times.length };
    };
    const paced = await run((1000 * MATCHES) / RATE);
    Object.assign(figures, { paced: paced.rate, p50: share(paced.times, 0.5), p99: share(paced.times, 0.99) });
    const { rate, cost, clients } = await run(0);
    Object.assign(figures, { most: rate, cost, clients });
  } finally {
    for (const client of opened) client.close();
    server.child.kill("SIGKILL");
  }
  return figures;
}

try {
  console.log(`${CLIENTS} clients, ${MATCHES} matches, ${SECONDS} s at ${RATE} moves/s and ${SECONDS} s as fast as it goes`);
  let ours = null;
  const wanted = process.argv.slice(2);
  for (const [word, backend] of Object.entries({ senet, thin, peer })) {
    if (wanted.length > 0 && !wanted.includes(word)) continue;
    const figures = await measure(backend);
    const { name, memory: bytes, paced, p50, p99, most, cost, clients } = figures;
    console.log(`${name}: ${paced.toFixed(0)} moves/s with p50 ${p50.toFixed(1)} ms and p99 ${p99.toFixed(1)} ms; at most ${most.toFixed(0)} moves/s, each with ${(cost * 1e6).toFixed(0)} us of the server's processor time and ${clients.toFixed(0)} us of the clients'; ${(bytes / 1024).toFixed(1)} kB for each idle connection`);
    ours ??= figures;
    if (figures !== ours) console.log(`senet carries ${(ours.most / most).toFixed(1)} times the moves of ${name}, with 1/${(cost / ours.cost).toFixed(1)} of the processor time for each, and waits until each is on the disk`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
