// @ts-check
import { Problem, ask } from "./api.js";
import "./board.js";
import { arrange } from "./kept.js";
import { actText, find, make, refill } from "./page.js";

const EXAMPLE = `game tic-tac-toe-again
about "three marks in a row, on a board that you can change"
players x, o
board grid 3 x 3
piece mark

put mark on empty                "that tile is taken"

win  "three in a row"  line 3 of own
draw "board full"      none empty
`;

const source = /** @type {HTMLTextAreaElement} */ (find("source"));
const board = /** @type {import("./board.js").SenetBoard} */ (find("board"));
/** @type {string|null} */
let definition = null;
/** @type {string[]} */
let moves = [];
let asked = 0;

/** @param {string} text @param {boolean} [wrong] */
function notice(text, wrong = false) {
  find("notice").textContent = text;
  find("notice").classList.toggle("problem", wrong);
}

/** The place of a line and column, both counted from 1. @param {number} line @param {number} column */
function offset(line, column) {
  const lines = source.value.split("\n");
  return lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}

/** Underlines mistakes. @param {any[]} problems */
function underline(problems) {
  const text = source.value;
  const spans = problems.map((one) => [offset(one.line, one.column), offset(one.end_line, one.end_column)]).sort((one, other) => one[0] - other[0]);
  /** @type {(string|HTMLElement)[]} */
  const parts = [];
  let at = 0;
  for (const [start, end] of spans) {
    const from = Math.max(start, at);
    const to = Math.max(end, from + 1);
    parts.push(text.slice(at, from), make("mark", {}, text.slice(from, to) || " "));
    at = Math.min(to, text.length);
  }
  find("under").replaceChildren(...parts, text.slice(at), "\n");
  find("under").scrollTop = source.scrollTop;
  find("mistakes").replaceChildren(
    ...problems.map((one) => make("li", {}, `line ${one.line}: ${one.message}${one.help ? ` (${one.help})` : ""}`)),
  );
}

async function check() {
  const number = (asked += 1);
  try {
    const told = await ask("/api/games", { text: source.value });
    if (number !== asked) return;
    underline([]);
    if (told.definition === definition) return;
    const game = await ask(`/api/games/${told.definition}`);
    const start = await at(told.definition, []);
    if (number !== asked) return;
    definition = told.definition;
    board.side = 0;
    board.game = game;
    /** @type {HTMLAnchorElement} */ (find("lobby")).href = `/?game=${definition}`;
    show([], start);
  } catch (error) {
    if (!(error instanceof Problem) || number !== asked) return;
    underline(error.body.problems ?? []);
    notice(error.message, true);
    definition = null;
  }
}

/** What the server says of the position after some moves. @param {string} game @param {string[]} line */
function at(game, line) {
  return ask("/api/analyse", { body: { game, moves: line } });
}

/** Shows the position after some moves. @param {string[]} line @param {any} told */
function show(line, told) {
  if (line.length > moves.length) board.announce(told.moves.at(-1)?.notation ?? "");
  moves = line;
  board.show({ position: told.position, legal: told.legal, last: told.last });
  notice(told.result ?? `${board.game.players[told.position.player]} to move`);
  const acts = [...board.legal.filter((one) => one.to === null), ...told.chances];
  refill(find("acts"), board, ...acts.map((one) => make("button", { type: "button", onclick: () => go(one.event) }, actText(one))));
  find("acts").classList.toggle("chances", told.chances.length > 0);
}

/** Goes to the position after some moves; a click that comes before the answer asks for the same again. @param {string[]} line */
async function to(line) {
  if (!definition) return;
  const number = asked;
  try {
    const told = await at(definition, line);
    if (number === asked) show(line, told);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    notice(error.message, true);
  }
}

/** @param {string} event */
function go(event) {
  void to([...moves, event]);
}

board.addEventListener("move", (event) => go(/** @type {CustomEvent} */ (event).detail.legal.event));
board.addEventListener("attempt", async (event) => {
  const { from, to, kind } = /** @type {CustomEvent} */ (event).detail;
  const what = from !== undefined ? { from, to } : { event: `${board.game.kinds[kind]}@${board.sheet.labels[to]}` };
  try {
    const told = await ask("/api/explain", { body: { game: definition, moves, ...what } });
    notice(told.text.split("\n")[0], !told.accepted);
    board.explain(told);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.body.explanation) board.explain(error.body.explanation);
    notice(error.message, true);
  }
});
// The underlines move with the text.
source.addEventListener("scroll", () => (find("under").scrollTop = source.scrollTop));
/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;
source.addEventListener("input", () => {
  underline([]);
  localStorage.setItem("senet.source", source.value);
  clearTimeout(timer);
  timer = setTimeout(check, 350);
});
find("file").addEventListener("change", async () => {
  const file = /** @type {HTMLInputElement} */ (find("file")).files?.[0];
  if (!file) return;
  source.value = await file.text();
  source.dispatchEvent(new Event("input"));
});
find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (find("move"));
  if (input.value.trim()) go(input.value.trim());
  input.value = "";
});
find("start").addEventListener("click", () => to([]));
find("play").addEventListener("click", async () => {
  if (!definition) return;
  try {
    await arrange(board.game.name, { game: definition, name: localStorage.getItem("senet.name") ?? "" });
  } catch (error) {
    notice(/** @type {Error} */ (error).message, true);
  }
});
find("share").addEventListener("click", async () => {
  const bytes = new TextEncoder().encode(source.value);
  const link = `${location.origin}/playground#${btoa(String.fromCharCode(...bytes))}`;
  await navigator.clipboard?.writeText(link).catch(() => undefined);
  history.replaceState(null, "", link);
  notice("The address of this page is now a link to your game.");
});
let given = "";
try {
  given = new TextDecoder().decode(Uint8Array.from(atob(location.hash.slice(1)), (letter) => letter.charCodeAt(0)));
} catch {
  // A fragment that is no game is ignored.
}
source.value = given || localStorage.getItem("senet.source") || EXAMPLE;
await check();
