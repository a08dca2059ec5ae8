// @ts-check
import "./board.js";
import { actText, find, listMoves, make, moveText, refill, titled } from "./page.js";
import { Rules } from "./rules.js";

/** How long the opponent thinks, in milliseconds. */
const THINKING = 400;

/** @type {{game: import("./api.js").Game, layout: import("./rules.js").Layout, module: string}} */
const told = /** @type {any} */ (globalThis).SENET;
const board = /** @type {import("./board.js").SenetBoard} */ (find("board"));
const who = /** @type {HTMLSelectElement} */ (find("who"));
/** @type {Rules} */
let rules;
/** @type {{state: BigUint64Array, hash: string, player: number, text: string, last: {from: number|null, to: number|null}|null, chance: boolean}[]} */
let past = [];

/** An event in words. @param {import("./rules.js").Event} event @param {number|null} to */
function written(event, to) {
  const { labels } = board.sheet;
  if (event.sort === "roll") return told.layout.outcomes[event.argument].shown;
  if (event.sort === "act" || to === null) return told.layout.actions[event.argument];
  if (event.sort === "put") return `${told.game.kinds[event.argument]}@${labels[to]}`;
  if (event.sort === "pick") return `${told.layout.actions[event.argument]} ${labels[to]}`;
  const kind = event.kind === null ? "" : `=${told.game.kinds[event.kind]}`;
  return `${labels[/** @type {number} */ (event.from)]}-${labels[to]}${kind}`;
}

/** Whether the machine plays a player. @param {number} player */
function isBot(player) {
  return who.value !== "all" && Number(who.value) !== player;
}

/** @param {import("./rules.js").Event} event */
function play(event) {
  const to = rules.landing(event);
  past.push({ state: rules.save(), hash: rules.hash, player: rules.player, text: written(event, to), last: to === null ? null : { from: event.from, to }, chance: event.sort === "roll" });
  const { player, text } = past[past.length - 1];
  board.announce(`${told.game.players[player]}: ${text}`);
  rules.apply(event.word);
  rules.recall(past.map((one) => one.hash));
  show();
}

/** Shows the position and lets chance and the machine do what is theirs. */
function show() {
  const ended = rules.outcome();
  const events = ended ? [] : Array.from(rules.words(), (word) => rules.event(word));
  const player = rules.player;
  const mine = events.length > 0 && events[0].sort !== "roll" && !isBot(player);
  const legal = mine ? events.map((event) => {
    const to = rules.landing(event);
    return { event: String(event.word), notation: written(event, to), from: event.from, to, kind: event.kind };
  }) : [];
  const last = past.findLast((one) => one.last)?.last ?? null;
  const position = rules.position();
  board.show({ position, legal, last });
  const name = told.game.players[player];
  const over = ended ?? (events.length === 0 ? { winner: null, name: "no move is left" } : null);
  find("status").textContent = over ? `${over.winner === null ? "draw" : `${told.game.players[over.winner]} wins`}: ${over.name}` : isBot(player) ? `${name} thinks …` : `${name} is to move.`;
  const moves = past.map((one) => ({ notation: one.text, roll: one.chance, player: one.player }));
  listMoves(find("moves"), moves, (at) => document.createTextNode(moveText(moves[at])));
  find("moves").scrollTop = find("moves").scrollHeight;
  find("notice").textContent = "";
  const acts = legal.filter((one) => one.to === null);
  refill(find("acts"), board, ...acts.map((one) => make("button", { type: "button", onclick: () => play(rules.event(BigInt(one.event))) }, actText(one))));
  const step = past.length;
  const still = () => past.length === step && rules.player === player;
  if (over) return;
  if (events[0].sort === "roll") setTimeout(() => still() && play(rules.roll(events)), 250);
  else if (isBot(player)) {
    setTimeout(() => {
      const word = still() ? rules.think(THINKING) : null;
      if (word !== null) play(rules.event(word));
    }, 50);
  }
}

/** Takes back to the last choice of a person. */
function undo() {
  while (past.length > 0) {
    const one = /** @type {{state: BigUint64Array, player: number, chance: boolean}} */ (past.pop());
    rules.restore(one.state);
    if (!one.chance && !isBot(one.player)) break;
  }
  show();
}

function restart() {
  past = [];
  rules.start();
  show();
}

async function open() {
  document.title = `${titled(told.game.name)} · Senet`;
  find("title").textContent = titled(told.game.name);
  find("summary").textContent = told.game.summary ?? "";
  who.replaceChildren(make("option", { value: "all" }, "all sides"), ...told.game.players.map((player, at) => make("option", { value: at }, `${player}, against the machine`)));
  board.game = told.game;
  rules = await Rules.open(Uint8Array.from(atob(told.module), (letter) => letter.charCodeAt(0)), told.layout);
  board.addEventListener("move", (event) => play(rules.event(BigInt(/** @type {CustomEvent} */ (event).detail.legal.event))));
  board.addEventListener("attempt", () => (find("notice").textContent = "There is no such move here."));
  who.addEventListener("change", () => {
    if (who.value !== "all") board.side = Number(who.value);
    show();
  });
  find("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (find("move"));
    const text = input.value.trim();
    // A move may be written without the sign between its tiles.
    const known = board.legal.find(({ notation }) => notation === text || notation.replace("-", "") === text);
    input.value = "";
    if (known) play(rules.event(BigInt(known.event)));
    else if (text) find("notice").textContent = "There is no such move here.";
  });
  find("new").addEventListener("click", restart);
  find("undo").addEventListener("click", undo);
  find("flip").addEventListener("click", () => (board.side = (board.side + 1) % board.game.sides.length));
  show();
}

void open();
