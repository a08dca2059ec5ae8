// @ts-check
import { Problem, ask } from "./api.js";
import { arrange, forget, matches, tokenOf } from "./kept.js";
import { find, make, nameOf, refill, titled } from "./page.js";

/** How many of the user's matches are shown. */
const MOST = 8;

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
  /** @type {HTMLImageElement} */ (find("preview")).src = `/api/games/${one.definition}/picture.svg`;
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
  try {
    await arrange(one.name, { game: one.shipped ? one.name : one.definition, seats, name: name.value, clock: control(), public: other === "anyone" });
  } catch (problem) {
    find("notice").textContent = /** @type {Error} */ (problem).message;
  }
}

/** Offers engines that the server has. @param {string[]} names */
function engines(names) {
  for (const bot of names) {
    if ([...opponent.options].some((one) => one.value === bot)) continue;
    opponent.append(make("option", { value: bot }, `${bot.replace("uci:", "")}, in chess`));
  }
}

/** What each list shows. @type {Map<string, string>} */
const shown = new Map();

/** Shows a list of matches, where it is not the one that is shown. @param {string} id @param {HTMLElement[]} rows @param {string} none */
function list(id, rows, none) {
  const place = find(id);
  const items = rows.length ? rows : [make("li", { class: "faint" }, none)];
  const told = items.map((one) => one.outerHTML).join("");
  if (shown.get(id) === told) return;
  shown.set(id, told);
  refill(place, null, ...items);
}

/** A match in a list. @param {string} id @param {string} game @param {string} more @param {HTMLElement|null} [sign] */
function row(id, game, more, sign = null) {
  return make("li", {}, make("span", { class: "what" }, make("a", { href: `/play/${id}` }, titled(game)), make("span", {}, more)), sign);
}

/** A clock in words. @param {{kind: string, initial?: number, increment?: number, delay?: number, time?: number}} control */
function clockWords({ kind, initial = 0, increment = 0, delay = 0, time = 0 }) {
  const text = (/** @type {number} */ time) => (time >= 86400000 ? `${time / 86400000} d` : time % 60000 ? `${time / 1000} s` : `${time / 60000} min`);
  if (kind === "none") return "";
  if (kind === "turn") return `, ${text(time)} a turn`;
  return `, ${text(initial)} + ${text(increment || delay)}`;
}

/** Who plays. @param {any[]} seats */
function people(seats) {
  return seats.map((seat) => nameOf(seat) ?? `${seat.player} free`).join(" – ");
}

async function refresh() {
  try {
    const lobby = await ask("/api/matches");
    engines(lobby.engines);
    const rows = (/** @type {any[]} */ listed, /** @type {(one: any) => HTMLElement|null} */ sign) => listed.map((one) => row(one.match, one.game, people(one.seats) + clockWords(one.control), sign(one)));
    const join = (/** @type {any} */ one) => make("a", { class: "button main", href: `/play/${one.match}`, "aria-label": `Join ${titled(one.game)}, ${people(one.seats)}` }, "Join");
    list("waiting", rows(lobby.waiting, join), "Nobody at the moment");
    list("playing", rows(lobby.playing, () => null), "Nothing at the moment");
    const over = await ask("/api/matches?status=over&most=4");
    list("finished", over.matches.map((/** @type {any} */ one) => row(one.match, one.game, `${people(one.seats)}: ${one.result?.text}`)), "None yet");
  } catch (error) {
    // The next attempt may succeed.
    if (!(error instanceof Problem)) throw error;
  }
}

/** How one of the user's matches stands. @param {import("./kept.js").Kept} one */
async function standing({ id, title }) {
  try {
    /** @type {import("./api.js").State} */
    const state = await ask(`/api/matches/${id}`, { token: tokenOf(id) });
    const { seats, you, result, status, mover } = state;
    const others = seats.filter((_, at) => !you.includes(at)).map((seat) => nameOf(seat) ?? `${seat.player} free`);
    const mine = mover !== null && you.includes(mover);
    const now = status === "playing" && mine && others.length > 0 ? make("strong", { class: "badge now" }, "Your turn") : null;
    const how = result?.text ?? (status === "waiting" ? "waiting for a player" : `${seats[mover ?? 0].player} is to move`);
    return row(id, title, `${others.length ? `with ${others.join(", ")}: ` : ""}${how}`, now);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.body.status !== 404) return row(id, title, error.message);
    forget(id);
    return null;
  }
}

/** Shows the matches of the user. */
async function yours() {
  const rows = await Promise.all(matches().slice(0, MOST).map(standing));
  list("yours", rows.filter((one) => one !== null), "None yet");
}

name.value = localStorage.getItem("senet.name") ?? "";
find("form").addEventListener("submit", start);
game.addEventListener("change", chosen);
games = (await ask("/api/games")).games;
const wanted = new URLSearchParams(location.search).get("game");
if (wanted && !games.some((one) => one.name === wanted || one.definition === wanted)) {
  games.unshift(await ask(`/api/games/${encodeURIComponent(wanted)}`));
}
game.replaceChildren(...games.map((one) => make("option", { value: one.definition }, titled(one.name))));
const found = games.find((one) => one.name === wanted || one.definition === wanted);
if (found) game.value = found.definition;
chosen();
await Promise.all([refresh(), yours()]);
setInterval(refresh, 5000);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && yours());
