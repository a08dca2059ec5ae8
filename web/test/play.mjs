// Matches that are played in a real browser.
import assert from "node:assert/strict";
import { cell, checkAccess, click, create, invite, person, ply, restart, server, shot, status } from "./stage.mjs";

export const tests = {
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
    server.child.kill("SIGKILL");
    await white.waitForFunction(() => /connection/.test(document.getElementById("notice")?.textContent ?? ""));
    await restart();
    await black.waitForFunction(() => document.getElementById("notice")?.textContent === "");
    await click(black, "c7", "c5");
    await ply(white, 2);
    // A move that the server got and never answered is sent again.
    server.child.kill("SIGSTOP");
    await click(white, "g1", "f3");
    await new Promise((done) => setTimeout(done, 300));
    server.child.kill("SIGKILL");
    await restart();
    await ply(black, 3);
    assert.match(await black.textContent("#moves"), /e4.*c5.*Nf3/s);
  },

  async "a bot answers"() {
    const page = await person();
    await create(page, { game: "tic-tac-toe", opponent: "search@5" });
    await click(page, "b2");
    await ply(page, 2);
    await status(page, "Your turn");
    assert.match(await page.textContent("#seats"), /Machine, medium/);
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

  async "a seat is not lost with the answer that gave it"() {
    const white = await person();
    await create(white, { game: "clobber" });
    const black = await person();
    await black.route("**/join", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await black.goto(await white.inputValue("input.link"));
    await black.click("#sit");
    await black.waitForFunction(() => document.getElementById("seats")?.textContent.includes("(you)"));
    await status(white, "Your turn");
  },

  async "in a match of three an offer waits for everybody"() {
    const game = "game three-marks\nplayers x, o, z\nboard grid 4 x 4\npiece mark\n\nput mark on empty\n\nwin \"three in a row\" line 3 of own\ndraw \"board full\" none empty\n";
    const { definition } = await (await fetch(`${server.origin}/api/games`, { method: "POST", body: game })).json();
    const x = await person();
    await x.goto(`/?game=${definition}`);
    await x.waitForFunction(() => document.querySelector("#game option:checked")?.textContent === "Three marks");
    await x.click("button[type=submit]");
    await x.waitForURL("**/play/*");
    await x.waitForSelector("input.link");
    const links = await x.locator("input.link").evaluateAll((all) => all.map((one) => one.value));
    const others = [];
    for (const link of links) {
      const other = await person();
      await other.goto(link);
      await other.click("#sit");
      await other.waitForFunction(() => document.getElementById("seats")?.textContent.includes("(you)"));
      others.push(other);
    }
    await status(x, "Your turn");
    await click(x, "a1");
    await ply(others[0], 1);
    await x.click("#undo");
    await others[0].click("#agree");
    await others[0].locator("#offer").waitFor({ state: "hidden" });
    assert.equal(await x.locator("#moves li").count(), 1, "one has not agreed yet");
    assert.ok(await others[1].locator("#offer").isVisible());
    await others[1].click("#agree");
    await x.waitForFunction(() => document.querySelectorAll("#moves li").length === 0);
  },
};
