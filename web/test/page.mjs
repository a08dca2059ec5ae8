// What the other pages do, in a real browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SENET, cell, checkAccess, click, create, folder, invite, move, person, ply, server, shot, status } from "./stage.mjs";

export const tests = {
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
    await page.waitForFunction(() => document.querySelector("#game option:checked")?.textContent === "Four wide");
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
        await page.fill("#move", "e2e4");
        await page.press("#move", "Enter");
        await ply(page, 1);
        assert.equal(await page.textContent("senet-board .live-text"), "white: e2-e4");
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
    assert.equal(await page.locator("#game option:checked").textContent(), "Go 9");
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

  async "a wrong link to a match says so"() {
    const page = await person();
    for (const path of ["/play/nothing", "/play/", "/play/..%2F..%2Fgames"]) {
      await page.goto(path);
      await page.locator("#missing").waitFor();
      assert.ok(!(await page.locator("#match").isVisible()), "no empty board");
      assert.equal(await page.title(), "No such match · Senet");
    }
    await checkAccess(page, "no such match");
    await shot(page, "missing");
    await page.click("#missing a");
    await page.waitForSelector("#game option", { state: "attached" });
  },

  async "underlines move with the text of a long file"() {
    const page = await person();
    await page.goto("/playground");
    await page.waitForSelector("senet-board .cell");
    const text = await page.inputValue("#source");
    const filled = `${"\n".repeat(80)}${text.replace("on empty", "on emty")}`;
    await page.fill("#source", filled);
    await page.locator("#under mark").waitFor({ state: "attached" });
    for (const part of [1, 0.5, 0]) {
      await page.evaluate((part) => {
        const source = document.getElementById("source");
        source.scrollTop = part * source.scrollHeight;
      }, part);
      await page.waitForTimeout(100);
      const line = filled.split("\n").findIndex((one) => one.includes("emty"));
      const [seen, meant, widths] = await page.evaluate((line) => {
        const [source, under] = [document.getElementById("source"), document.getElementById("under")];
        const { lineHeight, paddingTop, borderTopWidth } = getComputedStyle(source);
        const top = source.getBoundingClientRect().top + parseFloat(paddingTop) + parseFloat(borderTopWidth);
        const mark = document.querySelector("#under mark").getBoundingClientRect();
        return [mark.top + mark.height / 2, top + (line + 0.5) * parseFloat(lineHeight) - source.scrollTop, [source.clientWidth, under.clientWidth]];
      }, line);
      assert.ok(Math.abs(seen - meant) < 4, `the underline is at ${seen}, its word at ${meant}`);
      // Else lines break at different words.
      assert.equal(widths[0], widths[1]);
    }
    await page.evaluate(() => (document.getElementById("source").scrollTop = 1e6));
    await shot(page, "playground-long");
  },

  async "a link to a game of the playground opens that game"() {
    const page = await person();
    await page.goto("/playground");
    await page.waitForSelector("senet-board .cell");
    const text = (await page.inputValue("#source")).replace("3 x 3", "5 x 4").replace("three marks", "drei Zeichen für alle, ⚀");
    await page.fill("#source", text);
    await page.waitForFunction(() => document.querySelector("senet-board").shadowRoot.querySelectorAll(".cell").length === 20);
    await page.click("#share");
    await page.waitForFunction(() => location.hash.length > 10);
    const friend = await person();
    await friend.goto(page.url());
    await friend.waitForFunction(() => document.querySelector("senet-board").shadowRoot.querySelectorAll(".cell").length === 20);
    assert.equal(await friend.inputValue("#source"), text);
    await click(friend, "b2");
    await friend.waitForFunction(() => /o to move/.test(document.getElementById("notice")?.textContent ?? ""));
    assert.equal(await friend.textContent("senet-board .live-text"), "mark@b2");
    // A refused put is drawn.
    await click(friend, "b2");
    await friend.waitForFunction(() => /b2 is taken/.test(document.getElementById("notice")?.textContent ?? ""));
    assert.equal(await friend.locator("senet-board .blocker").count(), 1);
    // What is not a game is ignored.
    await friend.goto("/");
    await friend.goto("/playground#no-such-game");
    await friend.waitForSelector("senet-board .cell");
  },

  async "matches that were joined, rematches and those of the playground are in the list of one's matches"() {
    const white = await person();
    await create(white, { game: "clobber" });
    const black = await invite(white);
    const first = new URL(white.url()).pathname;
    const list = async (page) => {
      await page.goto("/");
      await page.waitForSelector("#yours a");
      return page.locator("#yours a").evaluateAll((all) => all.map((one) => new URL(one.href).pathname));
    };
    assert.deepEqual(await list(black), [first]);
    assert.match(await black.textContent("#yours"), /Clobber.*with Player/);
    assert.deepEqual(await list(white), [first]);
    assert.match(await white.textContent("#yours"), /Your turn/);
    await checkAccess(white, "the lobby with a match");
    await shot(white, "lobby-match");
    await white.goto(first);
    await black.goto(first);
    await status(white, "Your turn");
    const chosen = await white.evaluate(() => document.querySelector("senet-board").legal[0].notation);
    await white.fill("#move", chosen);
    await white.press("#move", "Enter");
    await ply(white, 1);
    white.once("dialog", (dialog) => dialog.accept());
    await white.click("#resign");
    await status(white, "wins");
    await white.click("#rematch");
    await black.waitForSelector("#offer:not(.hidden)");
    await black.click("#agree");
    const next = await black.getAttribute("#status a", "href");
    await white.waitForSelector("#status a");
    assert.deepEqual(await list(white), [next, first]);
    assert.deepEqual(await list(black), [next, first]);
    await black.goto("/playground");
    await black.waitForSelector("senet-board .cell");
    await black.click("#play");
    await black.waitForURL("**/play/*");
    await black.waitForSelector("#title:has-text('Tic tac toe again')");
    const third = new URL(black.url()).pathname;
    assert.deepEqual(await list(black), [third, next, first]);
    // A match that is no more leaves the list.
    await black.evaluate(() => localStorage.setItem("senet.matches", JSON.stringify([{ id: "gone", title: "chess" }, ...JSON.parse(localStorage.getItem("senet.matches"))])));
    assert.deepEqual(await list(black), [third, next, first]);
    // The match that is over is analysed.
    await black.goto(first);
    await black.click("#analyse");
    await black.waitForURL("**/analysis?match=*");
    await ply(black, 1);
    assert.equal(await black.textContent('#moves button[aria-current="true"]'), chosen);
    assert.equal(await black.locator("#game option:checked").textContent(), "Clobber");
    await checkAccess(black, "analysis of a match");
    await black.click("#back");
    await black.waitForFunction(() => document.querySelectorAll("#moves li").length === 0);
    await black.goto("/analysis?match=nothing");
    await black.waitForSelector("senet-board .cell");
    await black.waitForFunction(() => /no such match/.test(document.getElementById("notice")?.textContent ?? ""));
  },

  async "matches that are over are listed page by page, and lead to their analysis"() {
    const send = async (path, body, token) => (await fetch(server.origin + path, { method: "POST", headers: token ? { authorization: `Bearer ${token}` } : {}, body: JSON.stringify(body) })).json();
    const play = async (name, open) => {
      const { match, token } = await send("/api/matches", { game: "konane", seats: ["you", "you"], name, public: open });
      const { legal } = await (await fetch(`${server.origin}/api/matches/${match}`, { headers: { authorization: `Bearer ${token}` } })).json();
      await send(`/api/matches/${match}/moves`, { ply: 0, event: legal[0].event }, token);
      await send(`/api/matches/${match}/actions`, { action: "resign", seat: 1 }, token);
    };
    for (let time = 1; time <= 22; time += 1) await play(`Ada ${time}`, true);
    await play("Eve", false);
    const page = await person();
    await page.goto("/");
    await page.waitForSelector("#finished a");
    await page.click("text=All finished matches");
    await page.waitForURL("**/matches");
    await page.waitForSelector("#game option:nth-child(20)", { state: "attached" });
    await page.selectOption("#game", { label: "Konane" });
    const rows = page.locator("#matches li");
    await page.waitForFunction(() => document.querySelectorAll("#matches li").length === 20 && /Ada 22/.test(document.querySelector("#matches li").textContent));
    assert.match(await rows.first().textContent(), /Konane.*wins.*1 move ·/s);
    await checkAccess(page, "finished matches");
    await shot(page, "finished");
    await page.click("#older");
    await page.waitForFunction(() => document.querySelectorAll("#matches li").length === 22);
    assert.ok(!(await page.isVisible("#older")));
    assert.equal(await page.evaluate(() => document.activeElement.closest("li").textContent.includes("Ada 2 ")), true, "who asked for more goes on there");
    assert.doesNotMatch(await page.textContent("#matches"), /Eve/);
    await rows.nth(3).locator("a", { hasText: "Analyse" }).click();
    await page.waitForURL("**/analysis?match=*");
    await ply(page, 1);
    await page.goto("/matches?game=xiangqi");
    await page.waitForFunction(() => /None yet/.test(document.getElementById("matches").textContent));
  },

  async "whoever arranges a match of three gets a link for each of the others"() {
    const game = "game three-marks\nplayers x, o, z\nboard grid 4 x 4\npiece mark\n\nput mark on empty\n\nwin \"three in a row\" line 3 of own\ndraw \"board full\" none empty\n";
    const made = await fetch(`${server.origin}/api/games`, { method: "POST", body: game });
    const { definition } = await made.json();
    const x = await person();
    await x.goto(`/?game=${definition}`);
    await x.waitForFunction(() => document.querySelector("#game option:checked")?.textContent === "Three marks");
    await x.click("button[type=submit]");
    await x.waitForURL("**/play/*");
    await x.waitForSelector("input.link");
    const links = await x.locator("input.link").evaluateAll((all) => all.map((one) => one.value));
    assert.equal(links.length, 2);
    assert.notEqual(links[0], links[1]);
    assert.deepEqual(await x.locator("#links label").allTextContents(), ["Link for o", "Link for z"]);
    await checkAccess(x, "two invitations");
    await shot(x, "invitations");
    for (const [at, link] of links.entries()) {
      const other = await person();
      await other.goto(link);
      await other.click("#sit");
      await other.waitForFunction(() => document.getElementById("seats")?.textContent.includes("(you)"));
      await x.waitForFunction((left) => document.querySelectorAll("input.link").length === left, 1 - at);
    }
    await status(x, "Your turn");
    assert.ok(!(await x.locator("#invite").isVisible()));
    await click(x, "a1");
    await ply(x, 1);
  },

  async "the board alone is a part of somebody else's page"() {
    // The example of the book, word for word, on another host that has the four files and no more.
    const web = fileURLToPath(new URL("../", import.meta.url));
    const book = readFileSync(join(web, "../docs/play-together.md"), "utf8");
    const chapter = book.slice(book.indexOf("## The board on a page of your own"));
    const [page, script] = [...chapter.matchAll(/```text\n(.*?)```/gs)].map(([, text]) => text);
    const names = chapter.slice(0, chapter.indexOf("```")).match(/\w+\.js/g);
    const about = async (path, body) => (await fetch(server.origin + path, body ? { method: "POST", body: JSON.stringify(body) } : {})).text();
    const state = await about("/api/analyse", { game: "chess" });
    const game = await about("/api/games/chess");
    const own = `const state = ${state}; const board = document.getElementById("board"); globalThis.sent = []; const send = (event) => sent.push(event); const ask = (from, to) => sent.push([from, to]);`;
    const host = await person();
    const missing = [];
    await host.route("http://board.example/**", (route) => {
      const { pathname } = new URL(route.request().url());
      const name = pathname.split("/").at(-1);
      if (pathname === "/") return route.fulfill({ contentType: "text/html", body: `<!doctype html><html lang="en"><title>My page</title><style>senet-board { width: 300px }</style>${page}<script type="module">${own}${script}</script>` });
      if (pathname === "/api/games/chess") return route.fulfill({ contentType: "application/json", body: game });
      if (names.includes(name)) return route.fulfill({ contentType: "text/javascript", body: readFileSync(join(web, name), "utf8") });
      if (name !== "favicon.ico") missing.push(pathname);
      return route.fulfill({ status: 404 });
    });
    await host.goto("http://board.example/");
    await host.waitForSelector("senet-board .cell");
    await click(host, "e2", "e4");
    await click(host, "a1", "a5");
    assert.deepEqual(await host.evaluate(() => globalThis.sent), ["e2e4", [0, 32]]);
    assert.deepEqual(missing, []);
    assert.equal((await host.locator("senet-board").boundingBox()).width, 300);
    const fills = await host.locator("senet-board svg rect").evaluateAll((all) => all.map((one) => getComputedStyle(one).fill));
    assert.ok(fills.includes("rgb(243, 233, 210)") && !fills.includes("rgb(0, 0, 0)"), "a page without colours has those of the board");
    await shot(host, "board-alone");
  },

  async "a match on paper is the board, the players and the moves"() {
    const page = await person({ colorScheme: "dark" });
    await create(page, { game: "chess", opponent: "you" });
    await move(page, "e2", "e4", "e7", "e5");
    await page.emulateMedia({ media: "print" });
    const seen = (selector) => page.locator(selector).first().isVisible();
    for (const shown of ["senet-board", "#seats", "#moves", "#title"]) assert.ok(await seen(shown), shown);
    for (const hidden of ["header", "#typed", ".controls", "button"]) assert.ok(!(await seen(hidden)), hidden);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", "paper is white");
    await shot(page, "print");
    const pdf = await page.pdf({ format: "A4" });
    assert.equal((pdf.toString("latin1").match(/\/Type \/Page\b/g) ?? []).length, 1, "one sheet");
  },
};
