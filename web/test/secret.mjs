// Games with secrets: neither what a page shows nor a byte that its browser receives tells what the
// player may not know.
import assert from "node:assert/strict";
import { cell, checkAccess, click, create, person, ply, shot, status } from "./stage.mjs";

/** Notes everything that a page receives from now on: heads and bodies of answers, and frames. */
function record(page) {
  const [parts, pending] = [[], []];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => parts.push(["frame", String(payload)])));
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const heads = response.allHeaders().then(({ date, ...others }) => JSON.stringify(others));
    const body = response.body().then(String, () => "");
    pending.push(Promise.all([heads, body]).then(([head, text]) => parts.push([pathname, head, text])));
  });
  return async () => {
    await Promise.all(pending);
    return parts;
  };
}

/** Everything that a page shows, with the board and the words that are read aloud. */
const drawn = (page) => page.evaluate(() => document.documentElement.outerHTML + document.querySelector("senet-board").shadowRoot.innerHTML);

/** Plays a game of two moves in which nobody sees the other's; what each receives and is shown. */
async function play(first, second) {
  const [x, o] = [await person(), await person()];
  await create(x, { game: "phantom-tic-tac-toe" });
  const link = await x.inputValue("input.link");
  await o.goto(link);
  await o.click("#sit");
  await o.waitForFunction(() => document.getElementById("seats")?.textContent.includes("(you)"));
  await status(x, "Your turn");
  // Both load everything anew: up to here there is no secret, and frames may cross the taking of a seat.
  const received = [record(x), record(o)];
  await Promise.all([x.reload(), o.reload()]);
  await status(x, "Your turn");
  await status(o, "x is to move");
  await click(x, first);
  await status(o, "Your turn");
  assert.equal(await o.locator("senet-board [data-tile] g").count(), 0, "the mark of x is not drawn");
  assert.match(await cell(o, first).getAttribute("aria-label"), new RegExp(`^${first}, not seen`));
  await shot(o, "phantom-other");
  const shown = [[], [await drawn(o)]];
  await click(o, second);
  await status(x, "Your turn");
  await ply(o, 2);
  await Promise.all([x, o].map((page) => page.waitForTimeout(300)));
  shown[0].push(await drawn(x));
  await checkAccess(x, "a game with secrets");
  await shot(x, "phantom");
  const id = new URL(x.url()).pathname.split("/")[2];
  const invitation = link.split("#")[1];
  // What differs from match to match by chance: its name, its commitment, and tokens.
  const tokens = await Promise.all([x, o].map((page) => page.evaluate((id) => localStorage.getItem(`senet.token.${id}`), id)));
  const even = (text) => [[id, "ID"], [invitation, "INVITATION"], ...tokens.map((token) => [token, "TOKEN"])].reduce((all, [from, to]) => all.replaceAll(from, to), text).replace(/\b[0-9a-f]{64}\b/g, "COMMITMENT");
  // The lobby tells of the matches of other tests as well.
  const kept = async (parts) => (await parts()).filter(([path]) => path !== "/api/matches").map((part) => even(part.join("\n")));
  const [ofX, ofO] = await Promise.all(received.map(kept));
  return { x: { received: ofX, shown: shown[0].map(even) }, o: { received: ofO, shown: shown[1].map(even) } };
}

const sorted = (list) => [...list].sort();

export const tests = {
  async "not one byte that a player receives depends on what the other does in secret"() {
    const base = await play("b2", "a1");
    const otherX = await play("c3", "a1");
    const otherO = await play("b2", "c1");
    assert.ok(base.o.received.some((part) => part.startsWith("frame")) && base.o.received.length > 10, "something was recorded");
    // Whatever x plays, o receives and is shown the same, up to a second move of its own.
    assert.deepEqual(sorted(base.o.received), sorted(otherX.o.received));
    assert.deepEqual(base.o.shown, otherX.o.shown);
    // Whatever o plays, x is told the same.
    assert.deepEqual(sorted(base.x.received), sorted(otherO.x.received));
    assert.deepEqual(base.x.shown, otherO.x.shown);
    // One's own moves are told: else the comparison would prove nothing.
    assert.notDeepEqual(sorted(base.x.received), sorted(otherX.x.received));
    assert.notDeepEqual(sorted(base.o.received), sorted(otherO.o.received));
    const tells = ({ received }, move) => received.some((part) => part.startsWith("frame") && part.includes(`"notation":"${move}","player"`));
    assert.ok(tells(base.x, "mark@b2") && !tells(base.o, "mark@b2"));
    assert.ok(tells(base.o, "mark@a1") && !tells(base.x, "mark@a1"));
  },

  async "a tile on which a move is refused is known from then on"() {
    const [x, o] = [await person(), await person()];
    await create(x, { game: "phantom-tic-tac-toe" });
    await o.goto(await x.inputValue("input.link"));
    await o.click("#sit");
    await status(x, "Your turn");
    await click(x, "b2");
    await status(o, "Your turn");
    await click(o, "b2");
    await o.waitForFunction(() => /x mark/.test(document.querySelector("senet-board").shadowRoot.querySelector('[data-name="b2"]').getAttribute("aria-label")));
    await status(o, "Your turn");
    await click(o, "a1");
    await status(x, "Your turn");
  },
};
