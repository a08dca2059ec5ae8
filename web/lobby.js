// @ts-check
import { ask, keepToken } from "./api.js";
import { find, make } from "./page.js";

/** @type {any[]} */
let games = [];
const [game, side, opponent, clock, name] = ["game", "side", "opponent", "clock", "name"].map(
  (id) => /** @type {HTMLSelectElement} */ (find(id)),
);

/** Shows what belongs to the chosen game. */
function chosen() {
  const one = games.find((known) => known.definition === game.value);
  if (!one) return;
  find("summary").textContent = one.summary ?? "";
  side.replaceChildren(...one.players.map((/** @type {string} */ player, /** @type {number} */ at) => make("option", { value: at }, player)));
}

/** The clock as the server wants it. */
function control() {
  const [kind, first, second] = clock.value.split(" ");
  const [time, more] = [Number(first) * 1000, Number(second) * 1000];
  if (kind === "fischer") return { kind, initial: time, increment: more };
  if (kind === "bronstein" || kind === "delay") return { kind, initial: time, delay: more };
  if (kind === "turn") return { kind, time };
  return { kind: "none" };
}

/** @param {Event} event */
async function start(event) {
  event.preventDefault();
  const one = games.find((known) => known.definition === game.value);
  const other = /[@:]/.test(opponent.value) ? { bot: opponent.value } : opponent.value;
  const seats = one.players.map((/** @type {string} */ _, /** @type {number} */ at) => (at === Number(side.value) ? "you" : other));
  localStorage.setItem("senet.name", name.value);
  const salt = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const body = { game: one.shipped ? one.name : one.definition, seats, name: name.value, clock: control(), public: other === "anyone", salt };
    const made = await ask("/api/matches", { body });
    keepToken(made.match, made.token);
    remember(made.match, one.name);
    if (made.invitations.length) localStorage.setItem(`senet.link.${made.match}`, made.invitations[0].link);
    location.href = made.page;
  } catch (problem) {
    find("notice").textContent = /** @type {Error} */ (problem).message;
  }
}

/** @param {string} id @param {string} title */
function remember(id, title) {
  const known = JSON.parse(localStorage.getItem("senet.matches") ?? "[]").filter((/** @type {any} */ one) => one.id !== id);
  localStorage.setItem("senet.matches", JSON.stringify([{ id, title }, ...known].slice(0, 20)));
}

/** @param {string} id @param {any[]} rows @param {string} none */
function list(id, rows, none) {
  const items = rows.map((one) => {
    const who = one.seats.map((/** @type {any} */ seat) => seat.name ?? `${seat.player}: free`).join(" – ");
    return make("li", {}, make("a", { href: `/play/${one.match}` }, `${one.game}, ${who}`));
  });
  find(id).replaceChildren(...(items.length ? items : [make("li", {}, none)]));
}

/** Offers engines that the server has. @param {string[]} names */
function engines(names) {
  for (const bot of names) {
    if ([...opponent.options].some((one) => one.value === bot)) continue;
    opponent.append(make("option", { value: bot }, `${bot.replace("uci:", "")}, in chess`));
  }
}

async function refresh() {
  try {
    const lobby = await ask("/api/matches");
    engines(lobby.engines);
    list("waiting", lobby.waiting, "nobody at the moment");
    list("playing", lobby.playing, "nothing at the moment");
  } catch {
    // The next attempt may succeed.
  }
}

name.value = localStorage.getItem("senet.name") ?? "";
const yours = JSON.parse(localStorage.getItem("senet.matches") ?? "[]");
find("yours").replaceChildren(
  ...(yours.length ? yours.map((/** @type {any} */ one) => make("li", {}, make("a", { href: `/play/${one.id}` }, `${one.title} (${one.id})`))) : [make("li", {}, "none yet")]),
);
find("form").addEventListener("submit", start);
game.addEventListener("change", chosen);
games = (await ask("/api/games")).games;
const wanted = new URLSearchParams(location.search).get("game");
if (wanted && !games.some((one) => one.name === wanted || one.definition === wanted)) {
  games.unshift(await ask(`/api/games/${encodeURIComponent(wanted)}`));
}
game.replaceChildren(...games.map((one) => make("option", { value: one.definition }, one.name)));
const found = games.find((one) => one.name === wanted || one.definition === wanted);
if (found) game.value = found.definition;
chosen();
await refresh();
setInterval(refresh, 5000);
