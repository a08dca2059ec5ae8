// @ts-check
import { Problem, ask } from "./api.js";
import "./board.js";
import { actText, find, listMoves, make, refill, titled } from "./page.js";

/**
 * A move of the tree, with those that follow.
 * @typedef {{event: string, notation: string, player: number, roll: boolean, parent: Node|null, children: Node[]}} Node
 */

const board = /** @type {import("./board.js").SenetBoard} */ (find("board"));
const picker = /** @type {HTMLSelectElement} */ (find("game"));
const position = /** @type {HTMLInputElement} */ (find("position"));
let here = root();
let name = "chess";
/** How often the server was asked: only the last answer is shown. */
let asked = 0;

/** A tree without moves. @returns {Node} */
function root() {
  return { event: "", notation: "start", player: 0, roll: false, parent: null, children: [] };
}

/** The moves that lead to a node. @param {Node} node @returns {Node[]} */
function line(node) {
  return node.parent ? [...line(node.parent), node] : [];
}

/** @param {string} text @param {boolean} [wrong] */
function notice(text, wrong = false) {
  find("notice").textContent = text;
  find("notice").classList.toggle("problem", wrong);
}

/** @param {Node} node */
function request(node) {
  const start = position.value.trim();
  return { game: name, moves: line(node).map((node) => node.event), ...(start ? { position: start } : {}) };
}

/** Goes to a node of the tree, when the server has said what is there. @param {Node} node @param {{hint?: boolean, game?: any}} [more] */
async function to(node, { hint = false, game } = {}) {
  const number = (asked += 1);
  try {
    const told = await ask("/api/analyse", { body: { ...request(node), hint } });
    if (number !== asked) return;
    const from = here;
    here = node;
    settle(node, told.moves);
    if (game) {
      board.side = 0;
      board.game = game;
    }
    board.show({ position: told.position, legal: told.legal, last: told.last });
    const result = told.result ?? `${board.game.players[told.position.player]} to move`;
    notice(told.hint ? `${result}. Hint: ${told.hint.notation}` : result);
    if (told.hint) board.advise(told.hint);
    if (node.parent && node !== from) board.announce(`${board.game.players[node.player]}: ${node.notation}`);
    const act = (/** @type {any} */ one) => make("button", { type: "button", onclick: () => go(one) }, actText(one));
    const acts = board.legal.filter((one) => one.to === null).map(act);
    const chances = told.chances.length ? [make("span", { class: "faint" }, "Comes up:"), ...told.chances.map(act)] : [];
    refill(find("acts"), board, ...acts, ...chances);
    find("acts").classList.toggle("chances", chances.length > 0);
    past(told.opening ?? []);
    list();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    notice(error.message, true);
  }
}

/** Writes down what the server says of the moves that lead to a node, which is in the tree from now on. @param {Node} node @param {{player: number, notation: string, event: string}[]} told */
function settle(node, told) {
  line(node).forEach((one, at) => Object.assign(one, told[at]));
  if (!node.parent) return;
  const twin = node.parent.children.find((one) => one.event === node.event);
  if (!twin) node.parent.children.push(node);
  else here = twin;
}

/** What was played here in matches that are over. @param {{event: string, notation: string, count: number, wins: number[], draws: number}[]} known */
function past(known) {
  find("past").hidden = known.length === 0;
  const heads = ["Move", "All", ...board.game.players, "Drawn"];
  find("results").replaceChildren(make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head))));
  refill(
    find("opening"),
    board,
    ...known.map((one) => {
      const button = make("button", { type: "button", onclick: () => go(one) }, one.notation);
      return make("tr", {}, make("td", {}, button), ...[one.count, ...one.wins, one.draws].map((count) => make("td", {}, String(count))));
    }),
  );
}

/** Shows the line and what branches off. */
function list() {
  const nodes = line(here);
  const jump = (/** @type {Node} */ node) => make("button", { type: "button", "aria-current": node === here ? "true" : null, onclick: () => to(node) }, node.notation);
  listMoves(find("moves"), nodes, (at) => jump(nodes[at]));
  find("moves").scrollTop = find("moves").scrollHeight;
  refill(find("branches"), board, ...here.children.map((node) => make("li", {}, jump(node))));
}

/** Plays a move, which becomes a branch where there is another. @param {{event: string, notation?: string}} move */
function go({ event, notation = event }) {
  const known = here.children.find((one) => one.event === event);
  void to(known ?? { event, notation, player: 0, roll: false, parent: here, children: [] });
}

/** A line of moves as a tree with one branch. @param {{event: string, notation: string}[]} moves @returns {Node} The end of it. */
function grown(moves) {
  let node = root();
  for (const { event, notation } of moves) {
    /** @type {Node} */
    const next = { event, notation, player: 0, roll: false, parent: node, children: [] };
    node.children.push(next);
    node = next;
  }
  return node;
}

/** Opens the text of a file. @param {string} text */
async function read(text) {
  const told = await ask("/api/import", { text });
  name = told.game;
  await open(told.position ?? "", grown(told.moves));
}

/**
 * Begins anew.
 * @param {string} [start] The position; that of the game where it is empty.
 * @param {Node} [node] Where in a tree.
 */
async function open(start = "", node = root()) {
  position.value = start;
  const game = await ask(`/api/games/${encodeURIComponent(name)}`);
  // A game that is not shipped is known by its hash.
  if (![...picker.options].some((one) => one.value === name)) picker.append(make("option", { value: name }, titled(game.name)));
  picker.value = name;
  await to(node, { game });
}

board.addEventListener("move", (event) => go(/** @type {CustomEvent} */ (event).detail.legal));
board.addEventListener("attempt", async (event) => {
  const { from, to: target, kind } = /** @type {CustomEvent} */ (event).detail;
  const what = from !== undefined ? { from, to: target } : { event: `${board.game.kinds[kind]}@${board.sheet.labels[target]}` };
  try {
    const told = await ask("/api/explain", { body: { ...request(here), ...what } });
    notice(told.text.split("\n")[0], !told.accepted);
    board.explain(told);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.body.explanation) board.explain(error.body.explanation);
    notice(error.message, true);
  }
});
find("back").addEventListener("click", () => here.parent && to(here.parent));
find("forth").addEventListener("click", () => here.children[0] && to(here.children[0]));
find("hint").addEventListener("click", () => to(here, { hint: true }));
find("flip").addEventListener("click", () => (board.side = (board.side + 1) % board.game.sides.length));
find("file").addEventListener("change", async () => {
  const file = /** @type {HTMLInputElement} */ (find("file")).files?.[0];
  if (!file) return;
  try {
    await read(await file.text());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    notice(error.message, true);
  }
});
find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (find("move"));
  const text = input.value.trim();
  const known = board.legal.find((one) => one.notation === text || one.event === text);
  if (text) go(known ?? { event: text });
  input.value = "";
});
position.addEventListener("change", () => to(root()));
picker.addEventListener("change", () => {
  name = picker.value;
  void open();
});
const { games } = await ask("/api/games");
picker.replaceChildren(...games.map((/** @type {any} */ one) => make("option", { value: one.name }, titled(one.name))));
const asks = new URLSearchParams(location.search);
const match = asks.get("match");
name = asks.get("game") ?? "chess";
try {
  // The match is shown from its end, with every move to go back to.
  if (match) await read(await ask(`/api/matches/${encodeURIComponent(match)}/export?form=json`, { file: true }));
  else await open();
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  name = "chess";
  await open();
  notice(error.message, true);
}
