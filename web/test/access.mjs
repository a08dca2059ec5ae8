// Pages for everyone: by keyboard, by ear, in light and dark, wide and narrow.
import assert from "node:assert/strict";
import { join } from "node:path";
import { SHOTS, cell, checkAccess, create, person, ply, server, shot } from "./stage.mjs";

export const tests = {
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
