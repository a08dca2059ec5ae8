// Pages for everyone: by keyboard, by ear, in light and dark, wide and narrow.
import assert from "node:assert/strict";
import { SHOTS, cell, checkAccess, click, create, move, person, ply, server, shot, status } from "./stage.mjs";

export const tests = {
  async "a piece is dragged, and moves are typed"() {
    const page = await person();
    await create(page, { game: "chess", opponent: "you" });
    const [from, to] = [await cell(page, "e2").boundingBox(), await cell(page, "e4").boundingBox()];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
    await ply(page, 1);
    await page.fill("#move", "e5");
    await page.press("#move", "Enter");
    await ply(page, 2);
    await page.fill("#move", "Nf3");
    await page.press("#move", "Enter");
    await ply(page, 3);
    assert.match(await page.textContent("#moves"), /e4.*e5.*Nf3/s);
  },

  async "from the lobby to a move by the keyboard alone"() {
    const page = await person();
    await page.goto("/");
    await page.waitForSelector("#game option", { state: "attached" });
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** What has the focus: the name of a tile, or the id or the words of something else. */
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement;
        const inner = at?.shadowRoot?.activeElement ?? at;
        return inner?.dataset?.name ?? (inner?.id || inner?.textContent?.trim());
      });
    const tab = async (wanted) => {
      for (let time = 0; time < 40; time += 1) {
        await press("Tab");
        if ((await focused()) === wanted) return;
      }
      assert.fail(`Tab does not lead to ${wanted}`);
    };
    await tab("opponent");
    await page.keyboard.type("Nobody");
    assert.equal(await page.inputValue("#opponent"), "you");
    await tab("name");
    await page.keyboard.type("Ada");
    await tab("Start");
    await press("Enter");
    await page.waitForURL("**/play/*");
    await status(page, "Your turn");
    await tab("a1");
    const ring = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement.shadowRoot.activeElement);
      return [outlineStyle, outlineWidth];
    });
    assert.deepEqual(ring, ["solid", "3px"], "who has the focus is seen");
    await press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp");
    assert.equal(await focused(), "e2");
    const targets = page.locator("senet-board .target");
    await press("Enter");
    assert.equal(await targets.count(), 2);
    await press("Escape");
    assert.equal(await targets.count(), 0);
    assert.equal(await focused(), "e2");
    await press("Enter", "ArrowUp", "ArrowUp", "Enter");
    await ply(page, 1);
    assert.equal(await focused(), "e4", "the focus stays on the board");
    await press("ArrowUp", "ArrowUp", "ArrowUp", " ", "ArrowDown", "ArrowDown", " ");
    await ply(page, 2);
    // A refusal is told, and the way to it.
    await press("ArrowDown", "Enter", "ArrowUp", "Enter");
    await page.waitForFunction(() => /refused/.test(document.getElementById("notice")?.textContent ?? ""));
    await tab("move");
    await page.keyboard.type("Nf3");
    await press("Enter");
    await ply(page, 3);
    assert.match(await page.textContent("#moves"), /e4.*e5.*Nf3/s);
    await press("Shift+Tab");
    assert.equal(await focused(), "moves");
  },

  async "what is written anew keeps the focus"() {
    const page = await person();
    await page.goto("/analysis?game=crazyhouse");
    await page.waitForSelector("senet-board .cell");
    await move(page, "e2", "e4", "d7", "d5", "e4", "d5", "a7", "a6");
    const hand = page.locator("senet-board .hand button");
    await hand.first().waitFor();
    await hand.first().focus();
    await page.keyboard.press("Enter");
    await page.locator('senet-board .hand button[aria-pressed="true"]').waitFor();
    const inner = () => page.evaluate(() => document.activeElement.shadowRoot?.activeElement?.getAttribute("aria-label") ?? document.activeElement.textContent);
    assert.match(await inner(), /pawn in hand, 1/);
    await click(page, "e4");
    await ply(page, 5);
    assert.equal(await page.textContent("senet-board .live-text"), "white: pawn@e4");
    // Back at the same button, though the list is another.
    await page.locator("#moves button").nth(3).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 4);
    assert.equal(await inner(), "a7/a6");
    // Where what was pressed is no more, the board has the focus.
    await page.locator("#branches button").first().focus();
    await page.keyboard.press("Enter");
    await ply(page, 5);
    assert.match(await inner(), /^[a-h][1-8], /);
    // The lists of the lobby are read again every five seconds.
    const other = await person();
    await create(other, { game: "hex", opponent: "anyone" });
    await page.goto("/");
    const join = page.locator("#waiting a.button", { hasText: "Join" }).first();
    await join.focus();
    const label = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    const before = await label();
    assert.match(before, /^Join /);
    await create(other, { game: "clobber", opponent: "anyone" });
    await page.waitForFunction(() => /Clobber/.test(document.getElementById("waiting").textContent));
    assert.equal(await label(), before);
    await checkAccess(page, "a lobby where somebody waits");
    await shot(page, "lobby-waiting");
  },

  async "check and the last move have a shape and words"() {
    const page = await person();
    await create(page, { game: "chess", opponent: "you" });
    await move(page, "f2", "f3", "e7", "e5");
    const label = (name) => cell(page, name).getAttribute("aria-label");
    assert.match(await label("e7"), /the last move began here/);
    assert.match(await label("e5"), /the last move ended here/);
    assert.doesNotMatch(await label("f3"), /last move/);
    const dashed = await page.locator("senet-board .last").evaluateAll((all) => all.map((one) => getComputedStyle(one).strokeDasharray));
    assert.equal(dashed.length, 2);
    assert.ok(dashed.every((dashes) => dashes !== "none"));
    assert.equal(await page.locator("senet-board .alarm").count(), 0);
    await move(page, "a2", "a3", "d8", "h4");
    assert.match(await label("e1"), /white king, .*in check/);
    assert.equal(await page.textContent("senet-board .alarm text"), "!");
  },

  async "every page is accessible, in light and dark, wide and narrow"() {
    const made = await fetch(`${server.origin}/api/matches`, { method: "POST", body: JSON.stringify({ game: "shogi", seats: ["you", "you"] }) });
    const { page: match } = await made.json();
    const places = [["lobby", "/"], ["library", "/library"], ["analysis", "/analysis?game=xiangqi"], ["playground", "/playground"], ["finished", "/matches"], ["api", "/api"], ["match", match]];
    const looks = ["light", "dark"].flatMap((colorScheme) => [1280, 390].map((width) => ({ colorScheme, width })));
    const tried = looks.map(async ({ colorScheme, width }) => {
      const page = await person({ viewport: { width, height: 900 }, colorScheme });
      for (const [name, path] of places) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        // Pictures that are loaded when they are reached.
        await page.evaluate(() => document.querySelectorAll("img").forEach((one) => one.setAttribute("loading", "eager")));
        await page.waitForFunction(() => [...document.images].every((one) => one.complete));
        await checkAccess(page, `${name} ${width} ${colorScheme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`);
        await shot(page, `${name}-${width}-${colorScheme}`);
      }
    });
    await Promise.all(tried);
  },

  async "every shipped game is drawn"() {
    const { games } = await (await fetch(`${server.origin}/api/games`)).json();
    // All four looks are looked at; two are enough to see that nothing is missing or too wide.
    const looks = [["light", 1280], ["dark", 390], ...(SHOTS ? [["dark", 1280], ["light", 390]] : [])];
    const tried = looks.map(async ([colorScheme, width]) => {
      const page = await person({ viewport: { width, height: 900 }, colorScheme });
      for (const { name } of games) {
        await page.goto(`/analysis?game=${name}`);
        await page.waitForFunction(() => /to move|wins|draw/.test(document.getElementById("notice")?.textContent ?? ""));
        assert.ok((await page.locator("senet-board .cell").count()) > 0, name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`);
        await shot(page, `game-${name}-${width}-${colorScheme}`);
      }
    });
    await Promise.all(tried);
  },
};
