// The pages in a real browser. SENET is the command, with the server in it; CHROMIUM the browser;
// SHOTS, where it is set, a folder for screenshots.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const SENET = process.env.SENET ?? "senet";
const SHOTS = process.env.SHOTS;
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "senet-web-"));

/** Starts the server, on a port that the system chooses or on one it had before. */
async function serve(port = 0) {
  const args = ["serve", "--json", "--rate", "0", "--matches", "0", "--listen", `127.0.0.1:${port}`, "--database", join(folder, "senet.db")];
  const child = spawn(SENET, args, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, failed) => {
    child.stdout.once("data", (line) => done(JSON.parse(line).address));
    child.once("exit", () => failed(new Error("the server does not start")));
  });
  return { child, address, origin: `http://${address}` };
}

let server = await serve();
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
/** What belongs to the test that runs: its contexts, and what went wrong in their pages. */
const trial = new AsyncLocalStorage();

/** A browser of one person. */
async function person(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: server.origin, ...options });
  const { contexts, errors } = trial.getStore();
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && !/WebSocket|ERR_|status of 4/.test(message.text()) && errors.push(message.text()));
  return page;
}

const cell = (page, name) => page.locator(`senet-board .cell[data-name="${name}"]`);
async function click(page, ...names) {
  for (const name of names) await cell(page, name).click();
}
const status = (page, text) => page.waitForFunction((wanted) => document.getElementById("status")?.textContent.includes(wanted), text);
const ply = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll("#moves li").length >= wanted, count);

async function shot(page, name) {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

async function checkAccess(page, name) {
  await page.evaluate(`${axeSource};0`);
  const { violations } = await page.evaluate(() => axe.run(document, { preload: location.protocol !== "file:" }));
  const told = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 100)).slice(0, 3).join(" | ")}`);
  assert.deepEqual(told, [], `accessibility of ${name}`);
}

/** Arranges a match in the lobby. */
async function create(page, { game, opponent = "invite", side = 0, clock = "none" }) {
  await page.goto("/");
  await page.waitForFunction(() => document.querySelectorAll("#game option").length > 20);
  await page.selectOption("#game", { label: game });
  await page.selectOption("#opponent", opponent);
  await page.selectOption("#side", String(side));
  await page.selectOption("#clock", clock);
  await page.click("button[type=submit]");
  await page.waitForURL("**/play/*");
  await page.waitForSelector("senet-board .cell");
}

async function invite(page, options = {}) {
  const link = await page.inputValue("#link");
  const friend = await person(options);
  await friend.goto(link);
  await friend.click("#sit");
  await friend.waitForFunction(() => document.getElementById("seats")?.textContent.includes("(you)"));
  assert.ok(!friend.url().includes("#"), "the invitation leaves the address");
  return friend;
}

const tests = {
  async "two browsers play chess to mate, and a refusal is explained"() {
    const white = await person();
    await create(white, { game: "chess", clock: "fischer 300 3" });
    const black = await invite(white);
    await status(white, "Your turn");
    await click(white, "a1", "a5");
    await white.waitForFunction(() => /a2/.test(document.getElementById("notice")?.textContent ?? ""));
    assert.equal(await white.locator("senet-board .blocker").count(), 1);
    await shot(white, "refusal");
    await click(white, "f2");
    assert.equal(await white.locator("senet-board .target").count(), 2);
    await click(white, "f3");
    await ply(black, 1);
    assert.equal(await black.textContent("senet-board .live-text"), "white: f3");
    await click(black, "e7", "e5");
    await ply(white, 2);
    await click(white, "g2", "g4");
    await ply(black, 3);
    await click(black, "d8", "h4");
    await Promise.all([status(white, "black wins: checkmate"), status(black, "black wins: checkmate")]);
    await checkAccess(white, "match");
    await shot(black, "mate");
    await white.click("#rematch");
    await black.waitForSelector("#offer:not(.hidden)");
    await black.click("#agree");
    await black.waitForSelector("#status a");
    await black.click("#status a");
    await status(black, "Your turn");
  },

  async "a game with secrets shows each player only what that player may know"() {
    const x = await person();
    await create(x, { game: "phantom-tic-tac-toe" });
    const received = [];
    const listen = (page) => {
      page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => received.push(String(payload))));
      page.on("response", async (response) => /api.matches/.test(response.url()) && received.push(await response.text().catch(() => "")));
    };
    const link = await x.inputValue("#link");
    const o = await person();
    listen(o);
    await o.goto(link);
    await o.click("#sit");
    await status(x, "Your turn");
    await click(x, "b2");
    await status(o, "Your turn");
    assert.equal(await o.locator("senet-board [data-tile] g").count(), 0, "the mark of x is not drawn");
    assert.match(await cell(o, "b2").getAttribute("aria-label"), /^b2, not seen/);
    await shot(o, "phantom-other");
    for (const text of received) assert.ok(!/mark@b2/.test(JSON.stringify(JSON.parse(text).state?.moves ?? {})), text);
    const pieces = received.map((text) => JSON.parse(text).state?.position.pieces).filter(Boolean);
    assert.ok(pieces.length > 0 && pieces.every((list) => list.length === 0), "no frame has a piece of x");
    await click(o, "b2");
    await o.waitForFunction(() => /x mark/.test(document.querySelector("senet-board").shadowRoot.querySelector('[data-name="b2"]').getAttribute("aria-label")));
    await status(o, "Your turn");
    await click(o, "a1");
    await status(x, "Your turn");
    await checkAccess(x, "a game with secrets");
    await shot(x, "phantom");
  },

  async "a move chosen ahead is played when the turn comes"() {
    const white = await person();
    await create(white, { game: "chess" });
    const black = await invite(white);
    await status(black, "white is to move");
    await click(black, "e7", "e5");
    assert.equal(await black.locator("senet-board .ahead").count(), 2);
    await click(white, "e2", "e4");
    await ply(white, 2);
    assert.match(await white.textContent("#moves"), /e4.*e5/s);
    await click(black, "e5", "e4");
    await click(white, "d2", "d4");
    await black.waitForFunction(() => /not legal/.test(document.getElementById("notice")?.textContent ?? ""));
  },

  async "a piece is dragged, and the keyboard alone is enough"() {
    const page = await person();
    await create(page, { game: "chess", opponent: "you" });
    const [from, to] = [await cell(page, "e2").boundingBox(), await cell(page, "e4").boundingBox()];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
    await ply(page, 1);
    await cell(page, "e7").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await ply(page, 2);
    assert.match(await cell(page, "e5").getAttribute("aria-label"), /^e5, black pawn/);
    await page.fill("#move", "Nf3");
    await page.press("#move", "Enter");
    await ply(page, 3);
    assert.match(await page.textContent("#moves"), /e4.*e5.*Nf3/s);
  },

  async "a friend on a telephone plays by touch"() {
    const white = await person();
    await create(white, { game: "hex" });
    const phone = await invite(white, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
    await click(white, "f6");
    await ply(phone, 1);
    await cell(phone, "e7").tap();
    await ply(white, 2);
    assert.equal(await phone.locator("senet-board svg text").first().evaluate((text) => getComputedStyle(text).fill), "rgb(27, 29, 33)");
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} wide`);
    await shot(phone, "hex-390-dark");
    // A straight line from side to side wins.
    let played = 2;
    for (const [red, blue] of ["aa", "bb", "cc", "dd", "ef", "gg", "hh", "ii", "jj", "k"]) {
      await click(white, `${red}6`);
      await ply(phone, (played += 1));
      if (!blue) break;
      await cell(phone, `${blue}7`).tap();
      await ply(white, (played += 1));
    }
    await status(phone, "red wins");
  },

  async "the server is killed in the middle and the match goes on"() {
    const white = await person();
    await create(white, { game: "chess" });
    const black = await invite(white);
    await click(white, "e2", "e4");
    await ply(black, 1);
    const port = Number(server.address.split(":")[1]);
    server.child.kill("SIGKILL");
    await white.waitForFunction(() => /connection/.test(document.getElementById("notice")?.textContent ?? ""));
    server = await serve(port);
    await black.waitForFunction(() => document.getElementById("notice")?.textContent === "");
    await click(black, "c7", "c5");
    await ply(white, 2);
    // A move that the server got and never answered is sent again.
    server.child.kill("SIGSTOP");
    await click(white, "g1", "f3");
    await new Promise((done) => setTimeout(done, 300));
    server.child.kill("SIGKILL");
    server = await serve(port);
    await ply(black, 3);
    assert.match(await black.textContent("#moves"), /e4.*c5.*Nf3/s);
  },

  async "a bot answers"() {
    const page = await person();
    await create(page, { game: "tic-tac-toe", opponent: "search@5" });
    await click(page, "b2");
    await ply(page, 2);
    await status(page, "Your turn");
  },

  async "backgammon has dice, a cube, and turns that are confirmed"() {
    const white = await person();
    await create(white, { game: "backgammon" });
    const black = await invite(white);
    await ply(white, 1);
    let [doubled, undone] = [false, false];
    for (let turn = 0; turn < 24; turn += 1) {
      const mover = (await white.textContent("#status")).includes("Your turn") ? white : black;
      await status(mover, "Your turn");
      const count = await mover.locator("#moves li").count();
      const button = (name) => mover.locator("#acts button", { hasText: new RegExp(`^${name}`) });
      if (!doubled && (await button("double").count())) {
        doubled = true;
        await button("double").click();
        const other = mover === white ? black : white;
        await other.locator("#acts button", { hasText: /^take/ }).click();
        await mover.locator('senet-board [aria-label^="cube 2 of"]').waitFor();
        continue;
      }
      if (await button("Roll").count()) {
        await button("Roll").click();
        await ply(mover, count + 1);
        continue;
      }
      const live = mover.locator("senet-board .cell.own.live");
      if ((await live.count()) === 0) break;
      await live.first().click();
      await mover.locator("senet-board .target").first().waitFor({ state: "attached" });
      const label = await mover.evaluate(() => {
        const board = document.querySelector("senet-board");
        return board.sheet.labels[board.targets()[0].to];
      });
      await cell(mover, label).last().click();
      if (await mover.locator("#acts button", { hasText: "Confirm" }).count()) await mover.locator("#acts button", { hasText: "Confirm" }).click();
      await ply(mover, count + 1);
      if (!undone && (await button("Undo this step").count())) {
        undone = true;
        await button("Undo this step").click();
        await mover.waitForFunction((before) => document.querySelectorAll("#moves li").length === before, count);
      }
    }
    assert.ok(doubled, "somebody doubled");
    assert.ok(undone, "somebody took a step back");
    await shot(white, "backgammon");
  },

  async "the playground underlines a mistake and plays what is right"() {
    const page = await person();
    // Who is quicker than the server loses no click, and plays no move twice.
    await page.route("**/api/analyse", async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.continue();
    });
    await page.goto("/playground");
    await page.waitForSelector("senet-board .cell");
    await cell(page, "b2").dblclick();
    await page.waitForFunction(() => /o to move/.test(document.getElementById("notice")?.textContent ?? ""));
    const text = await page.inputValue("#source");
    await page.fill("#source", text.replace("on empty", "on emty"));
    await page.waitForSelector("#under mark");
    assert.equal((await page.textContent("#under mark")).trim(), "emty");
    await checkAccess(page, "playground");
    await shot(page, "playground-mistake");
    // A file is opened, and played with a bot by way of the lobby.
    const buffer = Buffer.from(text.replace("tic-tac-toe-again", "four-wide").replace("3 x 3", "4 x 3"));
    await page.setInputFiles("#file", { name: "four-wide.senet", mimeType: "text/plain", buffer });
    await page.waitForFunction(() => document.querySelector("senet-board").shadowRoot.querySelectorAll(".cell").length === 12);
    await page.click("#lobby");
    await page.waitForFunction(() => document.querySelector("#game option:checked")?.textContent === "four-wide");
    await page.selectOption("#opponent", "search@2");
    await page.click("button[type=submit]");
    await page.waitForURL("**/play/*");
    await page.waitForSelector("senet-board .cell");
    await click(page, "b2");
    await ply(page, 2);
  },

  async "analysis keeps branches and gives a hint"() {
    const page = await person();
    await page.goto("/analysis?game=chess");
    await page.waitForSelector("senet-board .cell");
    await click(page, "e2", "e4");
    await ply(page, 1);
    await page.click("#back");
    await page.waitForFunction(() => document.querySelectorAll("#branches li").length === 1);
    await click(page, "d2", "d4");
    await ply(page, 1);
    // A hint that comes when a move was made since is not shown.
    await page.route("**/api/analyse", async (route) => {
      if (route.request().postDataJSON().hint) await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
    await page.click("#hint");
    await click(page, "d7", "d5");
    await ply(page, 2);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator("#moves li").count(), 2);
    assert.match(await page.textContent("#notice"), /white to move$/);
    await page.click("#hint");
    await page.waitForFunction(() => /Hint/.test(document.getElementById("notice")?.textContent ?? ""));
    await checkAccess(page, "analysis");
    const send = async (path, body, token) => (await fetch(server.origin + path, { method: "POST", headers: token ? { authorization: `Bearer ${token}` } : {}, body: JSON.stringify(body) })).json();
    const { match, token } = await send("/api/matches", { game: "clobber", seats: ["you", "you"] });
    const { legal } = await (await fetch(`${server.origin}/api/matches/${match}`, { headers: { authorization: `Bearer ${token}` } })).json();
    await send(`/api/matches/${match}/moves`, { ply: 0, event: legal[0].event }, token);
    await send(`/api/matches/${match}/actions`, { action: "resign", seat: 1 }, token);
    await page.goto("/analysis?game=clobber");
    await page.waitForSelector("#opening button");
    assert.deepEqual(await page.locator("#opening td").allTextContents(), [legal[0].notation ?? legal[0].event, "1", "1", "0", "0"]);
    await checkAccess(page, "analysis with past matches");
    await page.click("#opening button");
    await ply(page, 1);
  },

  async "an exported page is played from the disk, without a server"() {
    for (const game of ["chess", "tic-tac-toe", "hex", "hypergammon", "go"]) {
      const place = join(folder, game);
      execFileSync(SENET, ["export", game, "--web", place]);
      const page = await person({ offline: true });
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`file://${place}/index.html`);
      await page.waitForFunction(() => /is to move/.test(document.getElementById("status")?.textContent ?? ""));
      await checkAccess(page, `exported ${game}`);
      if (game === "chess") {
        await click(page, "e2", "e4");
        await ply(page, 1);
        await click(page, "a7", "a4");
        await page.waitForFunction(() => /no such move/.test(document.getElementById("notice")?.textContent ?? ""));
        await page.click("#undo");
        for (const [from, to] of [["f2", "f3"], ["e7", "e5"], ["g2", "g4"], ["d8", "h4"]]) await click(page, from, to);
        await status(page, "black wins: checkmate");
        await page.click("#new");
        for (const [from, to] of [["e2", "e4"], ["a7", "a6"], ["g1", "f3"], ["b7", "b6"], ["f1", "c4"], ["c7", "c6"], ["e1", "g1"]]) await click(page, from, to);
        assert.match(await cell(page, "f1").getAttribute("aria-label"), /white rook/);
        await page.click("#new");
        const shuffle = [["g1", "f3"], ["g8", "f6"], ["f3", "g1"], ["f6", "g8"]];
        for (let time = 0; time < 4; time += 1) for (const [from, to] of shuffle) await click(page, from, to);
        await status(page, "draw: fivefold repetition");
      }
      if (game === "tic-tac-toe") {
        await page.selectOption("#who", "0");
        await click(page, "b2");
        await ply(page, 2);
        await status(page, "x is to move");
      }
      if (game === "go") {
        await page.selectOption("#who", "0");
        await click(page, "d4");
        await ply(page, 2);
      }
      if (game === "hypergammon") await ply(page, 1);
      await shot(page, `export-${game}`);
      assert.ok(asked.every((url) => url.startsWith("file:") || url.startsWith("data:")), asked.join(" "));
      await page.context().close();
    }
  },

  async "the description of the addresses can be tried, and a file is analysed"() {
    const page = await person();
    await page.goto("/api");
    await page.waitForSelector("details");
    await page.click("summary:has-text('/health')");
    await page.click("details[open] button");
    await page.waitForFunction(() => /"ok"/.test(document.querySelector("details[open] output")?.textContent ?? ""));
    await checkAccess(page, "api");
    await shot(page, "api");
    await page.goto("/analysis?game=chess");
    await page.waitForSelector("senet-board .cell");
    const buffer = Buffer.from('[Event "?"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n');
    await page.setInputFiles("#file", { name: "game.pgn", mimeType: "text/plain", buffer });
    await ply(page, 5);
    assert.match(await page.textContent("#moves"), /Bb5/);
    const sgf = Buffer.from("(;FF[4]GM[1]SZ[9]AB[gc][cg];W[ee];B[de])");
    await page.setInputFiles("#file", { name: "game.sgf", mimeType: "application/x-go-sgf", buffer: sgf });
    await page.waitForFunction(() => /stone@d5/.test(document.getElementById("moves")?.textContent ?? ""));
    assert.equal(await page.locator("senet-board .cell").count(), 81);
    assert.equal(await page.locator("#game option:checked").textContent(), "go-9");
    await checkAccess(page, "analysis of a file");
    await shot(page, "analysis-sgf");
  },

  async "a promotion is chosen, arrows are drawn, and pieces travel where motion is wanted"() {
    for (const reducedMotion of ["reduce", "no-preference"]) {
      const page = await person({ reducedMotion });
      await page.addInitScript(() => {
        const animate = Element.prototype.animate;
        globalThis.travels = 0;
        Element.prototype.animate = function (...how) {
          globalThis.travels += 1;
          return animate.apply(this, how);
        };
      });
      await page.goto("/analysis?game=chess");
      await page.waitForSelector("senet-board .cell");
      await page.fill("#position", "7k/P7/8/8/8/8/8/7K w - - 0 1");
      await page.press("#position", "Enter");
      await page.locator('senet-board [aria-label="a7, white pawn, can move to a8"]').waitFor();
      await click(page, "a7", "a8");
      const choices = page.locator("senet-board dialog button");
      assert.deepEqual(await choices.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")).sort()), ["bishop", "knight", "queen", "rook"]);
      await checkAccess(page, "chooser");
      await page.locator('senet-board dialog button[aria-label="knight"]').click();
      await ply(page, 1);
      assert.match(await cell(page, "a8").getAttribute("aria-label"), /^a8, white knight/);
      assert.equal((await page.evaluate(() => globalThis.travels)) > 0, reducedMotion === "no-preference");
      const middle = async (name) => {
        const { x, y, width, height } = await cell(page, name).boundingBox();
        return [x + width / 2, y + height / 2];
      };
      await page.mouse.move(...(await middle("a8")));
      await page.mouse.down({ button: "right" });
      await page.mouse.move(...(await middle("c7")), { steps: 3 });
      await page.mouse.up({ button: "right" });
      await cell(page, "h1").click({ button: "right" });
      assert.deepEqual(await page.locator("senet-board .drawn").evaluateAll((all) => all.map((one) => one.tagName)), ["path", "circle"]);
      const [, before] = await middle("h1");
      await page.click("#flip");
      const [, after] = await middle("h1");
      assert.ok(after < before, "the board is flipped");
    }
  },

  async "cards are drawn, and those of the other player face down"() {
    const page = await person();
    await create(page, { game: "kuhn-poker", opponent: "search@2" });
    await status(page, "Your turn");
    const pile = (name) => page.locator("senet-board .pile", { hasText: name });
    assert.match(await pile("hand of one").locator(".card").getAttribute("aria-label"), /^(jack|queen|king)$/);
    assert.equal(await pile("hand of two").locator(".card.back").count(), 1);
    assert.doesNotMatch(await page.textContent("#facts"), /jack|queen|king/);
    await checkAccess(page, "cards");
    await shot(page, "kuhn-poker");
    // Who only looks on sees no card, and has no box for moves.
    const other = await person();
    await other.goto(page.url());
    await other.waitForSelector("senet-board .pile");
    assert.equal(await other.locator("senet-board .card:not(.back)").count(), 0);
    assert.ok(!(await other.locator("#typed").isVisible()));
  },

  async "every page is accessible, in light and dark, wide and narrow"() {
    const made = await fetch(`${server.origin}/api/matches`, { method: "POST", body: JSON.stringify({ game: "shogi", seats: ["you", "you"] }) });
    const { page: match } = await made.json();
    const places = [["lobby", "/"], ["library", "/library"], ["analysis", "/analysis?game=xiangqi"], ["playground", "/playground"], ["api", "/api"], ["match", match]];
    const looks = ["light", "dark"].flatMap((colorScheme) => [1280, 390].map((width) => ({ colorScheme, width })));
    const tried = looks.map(async ({ colorScheme, width }) => {
      const page = await person({ viewport: { width, height: 900 }, colorScheme });
      for (const [name, path] of places) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        await checkAccess(page, `${name} ${width} ${colorScheme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`);
        await shot(page, `${name}-${width}-${colorScheme}`);
      }
    });
    await Promise.all(tried);
  },

  async "every shipped game is drawn"() {
    const page = await person();
    const { games } = await (await page.request.get("/api/games")).json();
    for (const { name } of games) {
      await page.goto(`/analysis?game=${name}`);
      await page.waitForFunction(() => /to move|wins|draw/.test(document.getElementById("notice")?.textContent ?? ""));
      assert.ok((await page.locator("senet-board .cell").count()) > 0, name);
      if (SHOTS) await page.locator("senet-board").screenshot({ path: join(SHOTS, `game-${name}.png`) });
    }
  },
};

let failed = 0;

/** Runs a test with browsers of its own. @param {string} name @param {() => Promise<void>} test */
async function run(name, test) {
  const store = { contexts: [], errors: [] };
  const begun = Date.now();
  try {
    await trial.run(store, test);
    assert.deepEqual(store.errors, [], "errors in the console");
    console.log(`ok ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}`);
    const pages = store.contexts.flatMap((context) => context.pages());
    if (SHOTS) for (const page of pages) await shot(page, `failed-${failed}-${pages.indexOf(page)}`).catch(() => undefined);
  }
  for (const context of store.contexts) await context.close();
}

try {
  const only = process.argv[2];
  const all = Object.entries(tests).filter(([name]) => !only || name.includes(only));
  // Whoever kills the server waits until nobody else needs it.
  const alone = all.filter(([name]) => name.includes("killed"));
  const others = all.filter(([name]) => !name.includes("killed"));
  const lane = async () => {
    for (let next = others.shift(); next; next = others.shift()) await run(...next);
  };
  await Promise.all([lane(), lane()]);
  for (const one of alone) await run(...one);
} finally {
  await browser.close();
  server.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
