// Breaks the server and its database again and again while matches are played, and checks that every
// move that was acknowledged is there afterwards, once. SENET is the command, ROUNDS how often it is
// killed, REQUESTS how many are sent, and the arguments name what is tried: kill, full, shared, clocks,
// growth; all of them where there are none.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = Number(process.env.ROUNDS ?? 20);
const MATCHES = 8;
const folder = mkdtempSync(join(tmpdir(), "senet-fault-"));
const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

/** The library that makes a program believe in another time, where Debian puts it. */
function faketime() {
  const places = readdirSync("/usr/lib").map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`);
  return places.find(existsSync);
}

/** Starts a server. @param {string} database @param {number} port @param {string} [shift] By how much the clock of its machine is wrong. */
async function serve(database, port = 0, shift) {
  const args = ["serve", "--json", "--rate", "0", "--matches", "0", "--listen", `127.0.0.1:${port}`, "--database", database];
  const senet = process.env.SENET ?? "senet";
  const wrong = shift ? { LD_PRELOAD: faketime(), FAKETIME: shift, FAKETIME_DONT_FAKE_MONOTONIC: "1" } : {};
  const child = spawn(senet, args, { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, ...wrong } });
  const address = await new Promise((done, failed) => {
    child.stdout.once("data", (line) => (JSON.parse(line).address ? done(JSON.parse(line).address) : failed(new Error(`the server does not start: ${line}`))));
    child.once("exit", () => failed(new Error("the server does not start")));
  });
  return { child, origin: `http://${address}`, port: Number(address.split(":")[1]) };
}

/** Kills a server, and waits until it is gone. @param {{child: import("node:child_process").ChildProcess}} server */
async function end({ child }) {
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await gone;
}

async function ask(origin, path, token, body) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const response = await fetch(origin + path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  return { status: response.status, answer: await response.json() };
}

async function arrange(origin) {
  const { status, answer } = await ask(origin, "/api/matches", null, { game: "chess", seats: ["you", "you"] });
  assert.equal(status, 201, JSON.stringify(answer));
  return { id: answer.match, token: answer.token, acknowledged: new Map() };
}

/** Does something that fails while a database is not back yet, for as long as that may take. */
async function patiently(action) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      if (tries === 80) throw error;
      await pause(250);
    }
  }
}

/** Plays a move at random; true where it was acknowledged. */
async function move(origin, match) {
  const { status: found, answer: state } = await ask(origin, `/api/matches/${match.id}`, match.token);
  if (found !== 200 || state.status === "over") return false;
  const event = state.legal[Math.floor(Math.random() * state.legal.length)].event;
  const id = `${state.ply}-${Math.floor(Math.random() * 1e9)}`;
  const { status, answer } = await ask(origin, `/api/matches/${match.id}/moves`, match.token, { ply: state.ply, id, event });
  if (status === 200) match.acknowledged.set(answer.ply, answer.move.hash);
  return status === 200;
}

/** Checks that what was acknowledged is there; whether the match goes on. */
async function check(origin, match) {
  const { answer: state } = await ask(origin, `/api/matches/${match.id}`, match.token);
  assert.ok(state.ply >= match.acknowledged.size, `${match.id}: ${state.ply} of ${match.acknowledged.size} moves are left`);
  assert.equal(state.moves.list.length, state.ply);
  for (const [ply, hash] of match.acknowledged) assert.equal(state.moves.list[ply]?.hash, hash, `${match.id} at ply ${ply}`);
  return state.status !== "over";
}

const count = (matches) => matches.reduce((sum, match) => sum + match.acknowledged.size, 0);

/** Kills the one server of an SQLite database. */
async function kill() {
  const database = join(folder, "senet.db");
  let server = await serve(database);
  const { origin, port } = server;
  const [playing, over] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      while (playing.length < MATCHES) playing.push(await arrange(origin));
      // Moves may fail as soon as the server is killed: somebody must be waiting for them by then.
      const played = Promise.allSettled(
        playing.map(async (match) => {
          while (await move(origin, match));
        }),
      );
      await pause(150 + Math.random() * 350);
      await end(server);
      await played;
      server = await serve(database, port);
      for (const match of [...playing]) if (!(await check(origin, match))) over.push(...playing.splice(playing.indexOf(match), 1));
    }
  } finally {
    server.child.kill("SIGKILL");
  }
  console.log(`${ROUNDS} kills, ${count([...playing, ...over])} acknowledged moves, none lost, none twice`);
}

/** Fills the disk of the database, and frees it again. */
async function full() {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "senet", disk], { stdio: "ignore" });
  } catch {
    console.log("skipped: a small disk cannot be mounted here");
    return;
  }
  let server = await serve(join(disk, "senet.db"));
  try {
    const match = await arrange(server.origin);
    for (let ply = 0; ply < 5; ply += 1) assert.ok(await move(server.origin, match));
    const ballast = join(disk, "ballast");
    try {
      writeFileSync(ballast, Buffer.alloc(8 << 20));
    } catch {
      // The disk is full, as it should be.
    }
    // What is left of the log's last page may take some moves; then there is no room for another.
    let refused = 0;
    for (let tried = 0; refused < 3 && tried < 300; tried += 1) {
      if (await move(server.origin, match)) continue;
      refused += 1;
    }
    assert.equal(refused, 3, "a full disk takes moves");
    assert.ok(await check(server.origin, match), "the match can still be read");
    const before = match.acknowledged.size;
    rmSync(ballast);
    for (let ply = 0; ply < 5; ply += 1) assert.ok(await move(server.origin, match), "the match goes on");
    await end(server);
    server = await serve(join(disk, "senet.db"));
    await check(server.origin, match);
    console.log(`disk full after ${before} acknowledged moves, refused until there was room, ${match.acknowledged.size} moves kept`);
  } finally {
    server.child.kill("SIGKILL");
    await pause(100);
    execFileSync("umount", [disk]);
  }
}

/** A program of PostgreSQL: in the path, or where Debian puts it. @param {string} name */
function program(name) {
  const debian = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`) : [];
  return [...(process.env.PATH ?? "").split(":"), ...debian].map((place) => join(place, name)).find(existsSync);
}

/** Starts a PostgreSQL of its own; PostgreSQL refuses to run as root. */
async function cluster() {
  const [postgres, initdb] = [program("postgres"), program("initdb")];
  if (!postgres || !initdb) return null;
  const number = (word) => Number(execFileSync("id", [word, "postgres"]));
  const who = process.getuid?.() === 0 ? { uid: number("-u"), gid: number("-g") } : {};
  const place = mkdtempSync(join(tmpdir(), "senet-postgres-"));
  if (who.uid !== undefined) chownSync(place, who.uid, who.gid);
  const data = join(place, "data");
  execFileSync(initdb, ["--auth=trust", "--username=senet", "--no-sync", "-D", data], { stdio: "ignore", cwd: "/", ...who });
  const port = await new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => done(free));
    });
  });
  const running = { child: null, url: `postgres://senet@127.0.0.1:${port}/postgres`, place };
  running.start = async () => {
    running.child = spawn(postgres, ["-D", data, "-k", place, "-h", "127.0.0.1", "-p", String(port)], { stdio: "ignore", cwd: "/", ...who });
    await pause(1500);
  };
  running.stop = async () => {
    const gone = new Promise((done) => running.child.once("exit", done));
    running.child.kill("SIGINT");
    await gone;
  };
  await running.start();
  return running;
}

/** Two servers on one PostgreSQL: one is killed and clients go on with the other; then the database goes. */
async function shared() {
  const database = await cluster();
  if (!database) {
    console.log("skipped: PostgreSQL is not installed");
    return;
  }
  const servers = [await serve(database.url), await serve(database.url)];
  const rounds = Math.max(2, Math.ceil(ROUNDS / 10));
  let [kills, failovers] = [0, 0];
  const [playing, over] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      while (playing.length < MATCHES) playing.push(await patiently(() => arrange(servers[0].origin)));
      let stop = false;
      // A client stays with a server until that one fails, and goes on with the other.
      const played = playing.map(async (match, at) => {
        let mine = at % 2;
        while (!stop) {
          try {
            if (!(await move(servers[mine].origin, match))) await pause(20);
          } catch {
            mine = 1 - mine;
            failovers += 1;
          }
        }
      });
      await pause(300);
      const victim = round % 2;
      const { port } = servers[victim];
      await end(servers[victim]);
      kills += 1;
      await pause(400);
      const before = count(playing);
      for (let tries = 0; tries < 50 && count(playing) === before; tries += 1) await pause(200);
      assert.ok(count(playing) > before || playing.every((match) => match.acknowledged.size > 150), "clients go on with the other server");
      servers[victim] = await serve(database.url, port);
      await database.stop();
      await pause(200);
      await database.start();
      await pause(600);
      stop = true;
      await Promise.all(played);
      for (const { origin } of servers) await patiently(async () => assert.equal((await ask(origin, "/ready")).status, 200));
      for (const match of [...playing]) {
        // What one server wrote while the other had no database, that one hears of a little later.
        const goes = await patiently(() => check(servers[0].origin, match));
        assert.equal(await patiently(() => check(servers[1].origin, match)), goes);
        if (!goes) over.push(...playing.splice(playing.indexOf(match), 1));
      }
    }
  } finally {
    for (const { child } of servers) child.kill("SIGKILL");
    await database.stop();
    rmSync(database.place, { recursive: true, force: true });
  }
  console.log(`two servers on one PostgreSQL: ${kills} kills, ${failovers} changes of server, ${rounds} stops of the database, ${count([...playing, ...over])} acknowledged moves, none lost, none twice`);
}

/** Sets the clock of the machine back and forth between two runs of the server. */
async function clocks() {
  if (!faketime()) {
    console.log("skipped: faketime is not installed");
    return;
  }
  const database = join(folder, "clocks.db");
  let server = await serve(database);
  try {
    const { answer } = await ask(server.origin, "/api/matches", null, { game: "chess", seats: ["you", "you"], clock: { kind: "fischer", initial: 300_000, increment: 0 } });
    const match = { id: answer.match, token: answer.token, acknowledged: new Map() };
    const [begun, shifts] = [Date.now(), ["-1d", "+1d", "-3h", "+30d"]];
    for (const shift of shifts) {
      for (let ply = 0; ply < 2; ply += 1) assert.ok(await move(server.origin, match));
      // A server that runs says so every second.
      await pause(1200);
      await end(server);
      server = await serve(database, server.port, shift);
      await check(server.origin, match);
      const { answer: state } = await ask(server.origin, `/api/matches/${match.id}`, match.token);
      const left = state.seats.map((seat) => seat.left);
      const least = 300_000 - (Date.now() - begun) - 1000;
      assert.equal(state.status, "playing", `after ${shift}`);
      for (const time of left) assert.ok(time >= least && time <= 300_000, `after ${shift} there are ${left} ms`);
    }
    console.log(`the clock of the machine jumped by ${shifts.join(", ")}: no player lost or won time`);
  } finally {
    server.child.kill("SIGKILL");
  }
}

/** Sends REQUESTS requests, right and wrong ones, and checks that the server needs no more memory for it. */
async function growth() {
  const requests = Number(process.env.REQUESTS ?? 0);
  if (requests === 0) return;
  const { child, origin } = await serve(join(folder, "growth.db"));
  // Its own memory; pages of its file come and go as the system likes.
  const memory = () => Number(readFileSync(`/proc/${child.pid}/status`, "utf8").match(/RssAnon:\s+(\d+)/)?.[1]) / 1024;
  const match = await arrange(origin);
  const path = `/api/matches/${match.id}`;
  const line = { game: "chess", moves: ["e4", "e5", "Nf3"] };
  const kinds = [
    () => ask(origin, "/health"),
    () => ask(origin, path, match.token),
    () => ask(origin, path),
    () => ask(origin, `${path}/moves`, match.token, { ply: 0, event: "e5" }),
    () => ask(origin, `${path}/moves`, match.token, { ply: 7, event: "e4" }),
    () => ask(origin, `${path}/moves`, `forged-${Math.random()}`, { ply: 0, event: "e4" }),
    () => ask(origin, `/api/matches/${Math.random()}`),
    () => ask(origin, `${path}/join`, null, { invitation: "none" }),
    () => ask(origin, "/api/matches", null, { game: `game-${Math.random()}` }),
    () => ask(origin, "/api/explain", null, { ...line, event: "Ke4" }),
  ];
  const sizes = [];
  try {
    for (let part = 0; part < 20; part += 1) {
      let left = Math.ceil(requests / 20);
      const client = async () => {
        while ((left -= 1) >= 0) {
          const { status } = await kinds[left % kinds.length]();
          assert.ok(status < 500, `status ${status}`);
        }
      };
      await Promise.all(Array.from({ length: 16 }, client));
      sizes.push(memory());
    }
  } finally {
    child.kill("SIGKILL");
  }
  const [early, late, told] = [sizes[4], sizes[19], sizes.map((size) => size.toFixed(1)).join(", ")];
  assert.ok(late < early * 1.1 + 4, `memory grows: ${told} MB`);
  console.log(`${requests} requests: ${early.toFixed(1)} MB after a quarter of them, ${late.toFixed(1)} MB at the end (${told})`);
}

const trials = { kill, full, shared, clocks, growth };
try {
  const wanted = process.argv.slice(2);
  for (const [name, trial] of Object.entries(trials)) if (wanted.length === 0 || wanted.includes(name)) await trial();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
