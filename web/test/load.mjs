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

/** How much of a message must be there before it is looked at. */
const HEAD = 160;
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/**
 * A WebSocket that looks at the head of each message and skips the rest: this program shares the processor with
 * the server, and is to cost as little as it can.
 * @param {string} address @param {string} path @param {(part: Buffer, at: number) => void} heard
 */
function follow(address, path, heard) {
  const [host, port] = address.split(":");
  let [open, skip, rest] = [false, 0, Buffer.alloc(0)];
  let [done, failed] = [() => undefined, (error) => void error];
  const opened = new Promise((...both) => ([done, failed] = both));
  const read = (count) => {
    if (skip >= count) return (skip -= count), true;
    let [part, at, end] = [READ, skip, count];
    if (rest.length) [part, at, end] = [Buffer.concat([rest, READ.subarray(skip, count)]), 0, rest.length + count - skip];
    skip = 0;
    if (!open) {
      const head = part.latin1Slice(at, end);
      if (!head.includes("\r\n\r\n")) return (rest = Buffer.from(part.subarray(at, end))), true;
      if (!head.startsWith("HTTP/1.1 101")) return failed(new Error(head)), true;
      at += head.indexOf("\r\n\r\n") + 4;
      open = true;
      done();
    }
    while (end - at >= 4) {
      const short = part[at + 1] & 127;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (end - at < Math.min(head + HEAD, head + short)) break;
      const length = short < 126 ? short : short === 126 ? (part[at + 2] << 8) | part[at + 3] : Number(part.readBigUInt64BE(at + 2));
      if ((part[at] & 15) === 1) heard(part, at + head);
      // Who does not say that it is still there is let go.
      if ((part[at] & 15) === 9) socket.write(PONG);
      at += head + length;
    }
    skip = Math.max(0, at - end);
    if (rest.length || at < end) rest = Buffer.from(part.subarray(Math.min(at, end), end));
    return true;
  };
  const socket = connect({ host, port: Number(port), noDelay: true, onread: { buffer: READ, callback: read } });
  socket.once("error", failed);
  socket.once("connect", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`));
  // A mask of zeros leaves the text, which is of ASCII, as it is.
  const send = (text) => {
    const [head, length] = [text.length < 126 ? 6 : 8, text.length];
    const bytes = Buffer.allocUnsafe(head + length);
    bytes[0] = 0x81;
    bytes[1] = 0x80 | Math.min(length, 126);
    if (head === 8) bytes.writeUInt16BE(length, 2);
    bytes.fill(0, head - 4, head);
    bytes.latin1Write(text, head);
    socket.write(bytes);
  };
  return { opened, send, close: () => socket.destroy() };
}

/** A client that knows of a ply, and what waits for another one. */
class Follower {
  ply = -1;
  awaited = 0;
  since = 0;
  /** @type {(() => void) | null} */
  then = null;
  play = (/** @type {number} */ ply) => void ply;
  close = () => undefined;

  /** The server told of a ply. */
  knows(ply) {
    this.ply = ply;
    if (!this.then || ply < this.awaited) return;
    const then = this.then;
    this.then = null;
    then();
  }

  /** Does something as soon as the client knows of a ply. */
  when(ply, then) {
    if (this.ply >= ply) return then();
    this.awaited = ply;
    this.since = performance.now();
    this.then = then;
  }

  /** Fails where a ply does not come. */
  check() {
    if (this.then && performance.now() - this.since > 30_000) throw new Error(`ply ${this.awaited} does not come, only ${this.ply}`);
  }
}

/** The number after `"ply":` in the head of a message. */
function plyOf(part, from) {
  for (let at = from; at < from + HEAD; at += 1) {
    if (part[at] !== 0x70 || part[at + 1] !== 0x6c || part[at + 2] !== 0x79 || part[at + 3] !== 0x22) continue;
    let ply = 0;
    for (at += 5; part[at] >= 0x30 && part[at] <= 0x39; at += 1) ply = ply * 10 + part[at] - 0x30;
    return ply;
  }
  throw new Error(part.latin1Slice(from, from + HEAD));
}

/** Senet: a WebSocket for each client. */
const senet = {
  name: "senet",
  start: () => start(process.env.SENET ?? "senet", ["serve", "--json", "--rate", "0", "--matches", "0", "--connections", "0", "--listen", "127.0.0.1:0", "--database", join(folder, "senet.db")]),
  async create(server) {
    const made = await post(server.origin, "/api/matches", { game: "gomoku" });
    const joined = await post(server.origin, `/api/matches/${made.match}/join`, { invitation: made.invitations[0].invitation });
    return { id: made.match, tokens: [made.token, joined.token] };
  },
  async connect(server, match, seat) {
    const client = new Follower();
    const socket = follow(server.address, `/api/matches/${match.id}/socket`, (part, at) => {
      // A state begins with its type, an answer with `answer`, a problem with `problem`.
      if (part[at + 2] === 0x74) client.knows(plyOf(part, at));
      else if (part[at + 2] !== 0x61) throw new Error(part.latin1Slice(at, at + HEAD));
    });
    await socket.opened;
    socket.send(JSON.stringify({ type: "hello", token: match.tokens[seat] ?? null }));
    client.close = () => socket.close();
    client.play = (ply) => {
      const point = POINTS[ply];
      const event = `stone@${"abcdefghijklmno"[point % 15]}${Math.floor(point / 15) + 1}`;
      socket.send(`{"type":"play","request":${ply},"body":{"ply":${ply},"event":"${event}"}}`);
    };
    await new Promise((done) => client.when(0, () => done(undefined)));
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
    const client = Object.assign(new Follower(), { play: (ply) => real.moves.place(POINTS[ply]), close: () => real.stop() });
    real.subscribe((state) => state && client.knows(state.ctx.turn - 1));
    real.start();
    await new Promise((done) => client.when(0, () => done(undefined)));
    return client;
  },
};

/** boardgame.io: its own server, and clients that read as little as those of Senet. */
const thin = {
  name: "boardgame.io in memory, read by the same clients",
  start: peer.start,
  create: peer.create,
  async connect(server, match, seat) {
    const client = new Follower();
    const player = seat < 2 ? String(seat) : null;
    const socket = follow(server.address, "/socket.io/?EIO=4&transport=websocket", (part, at) => {
      // Every state after the first is that after one more move: `42/stones,["sync"` or `"update"`.
      if (part[at] === 0x34 && part[at + 1] === 0x32) return (part[at + 12] === 0x73 || part[at + 12] === 0x75) && client.knows(client.ply + 1);
      if (part[at] === 0x32) return socket.send("3");
      if (part[at] === 0x30) return socket.send("40/stones,");
      if (part[at] === 0x34 && part[at + 1] === 0x30) socket.send(`42/stones,${JSON.stringify(["sync", match.id, player, null, 2])}`);
    });
    await socket.opened;
    client.close = () => socket.close();
    client.play = (ply) => {
      const action = { type: "MAKE_MOVE", payload: { type: "place", args: [POINTS[ply]], playerID: player } };
      socket.send(`42/stones,${JSON.stringify(["update", action, ply, match.id, player])}`);
    };
    await new Promise((done) => client.when(0, () => done(undefined)));
    return client;
  },
};

/** Plays a match until a time, and counts from another on; pace is the time between its moves, 0 for as fast as it goes. */
function play(table, from, end, pace, times) {
  return new Promise((done) => {
    const step = () => {
      const begun = performance.now();
      if (begun >= end || table.ply >= MOST) return done(undefined);
      const [mover, other] = [table.players[table.ply % 2], table.players[1 - (table.ply % 2)]];
      // Who is to move was told of the move before by now, or is any moment.
      if (mover.ply < table.ply) return mover.when(table.ply, step);
      mover.play(table.ply);
      table.ply += 1;
      other.when(table.ply, () => {
        const now = performance.now();
        if (begun >= from) {
          times.took.push(now - begun);
          times.last = now;
        }
        const rest = pace - (now - begun);
        if (rest > 0) setTimeout(step, rest);
        else step();
      });
    };
    setTimeout(step, Math.random() * pace);
  });
}

const share = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function measure(backend) {
  const server = await backend.start();
  const figures = { name: backend.name };
  const opened = [];
  const late = setInterval(() => opened.forEach((client) => client.check()), 5_000);
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
      const times = { took: [], last: 0 };
      let [used, own] = [0, process.cpuUsage()];
      // When every match has begun, as many moves are made as are wanted.
      const from = performance.now() + pace;
      await Promise.all([new Promise((done) => setTimeout(done, pace)).then(() => ([used, own] = [processor(server), process.cpuUsage()])), ...tables.map((table) => play(table, from, from + SECONDS * 1000, pace, times))]);
      const { user, system } = process.cpuUsage(own);
      const count = times.took.length;
      return { clients: (user + system) / count, times: times.took.sort((one, other) => one - other), rate: (1000 * count) / (times.last - from), cost: (processor(server) - used) / count };
    };
    const paced = await run((1000 * MATCHES) / RATE);
    Object.assign(figures, { paced: paced.rate, p50: share(paced.times, 0.5), p99: share(paced.times, 0.99) });
    const { rate, cost, clients } = await run(0);
    Object.assign(figures, { most: rate, cost, clients });
  } finally {
    clearInterval(late);
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
