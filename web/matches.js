// @ts-check
import { Problem, ask } from "./api.js";
import { find, make, nameOf, titled } from "./page.js";

/**
 * A match that is over.
 * @typedef {{match: string, game: string, definition: string, ended: number, ply: number, seats: import("./api.js").Seat[], result: {winner: number|null, text: string}|null}} Finished
 */

const game = /** @type {HTMLSelectElement} */ (find("game"));
const older = /** @type {HTMLButtonElement} */ (find("older"));
/** What the last answer called the page that follows. @type {string|null} */
let next = null;
/** Games with secrets, whose matches cannot be analysed. @type {Set<string>} */
const secret = new Set();
/** How often the server was asked: only the last answer is shown. */
let asked = 0;

/** @param {Finished} one */
function row(one) {
  const people = one.seats.map((seat) => nameOf(seat) ?? seat.player).join(" – ");
  const day = new Date(one.ended).toLocaleDateString(undefined, { dateStyle: "medium" });
  const told = [people, one.result?.text, `${one.ply} ${one.ply === 1 ? "move" : "moves"}`, day].filter(Boolean).join(" · ");
  const analyse = secret.has(one.definition) ? null : make("a", { class: "button", href: `/analysis?match=${one.match}`, "aria-label": `Analyse ${titled(one.game)}, ${people}` }, "Analyse");
  return make("li", {}, make("span", { class: "what" }, make("a", { href: `/play/${one.match}` }, titled(one.game)), make("span", {}, told)), analyse);
}

/** Shows a page of matches, after those that are shown or in their place. @param {boolean} more */
async function show(more) {
  const number = (asked += 1);
  const query = new URLSearchParams({ status: "over" });
  if (game.value) query.set("game", game.value);
  if (more && next) query.set("before", next);
  try {
    /** @type {{matches: Finished[], next: string|null}} */
    const told = await ask(`/api/matches?${query}`);
    if (number !== asked) return;
    const rows = told.matches.map(row);
    const place = find("matches");
    if (!more) place.replaceChildren(...(rows.length ? [] : [make("li", { class: "faint" }, "None yet")]));
    place.append(...rows);
    // Who asked for more goes on reading there.
    if (more) rows[0]?.querySelector("a")?.focus();
    next = told.next;
    older.hidden = next === null;
    find("notice").textContent = "";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    find("notice").textContent = error.message;
  }
}

older.addEventListener("click", () => show(true));
game.addEventListener("change", () => show(false));
const { games } = await ask("/api/games");
for (const { definition, secrets } of games) if (secrets) secret.add(definition);
game.append(...games.map((/** @type {any} */ one) => make("option", { value: one.name }, titled(one.name))));
game.value = new URLSearchParams(location.search).get("game") ?? "";
await show(false);
