// @ts-check
/** Small things that every page needs. */

/**
 * An element with attributes and children.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElement}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** @template {HTMLElement} T @param {string} id @returns {T} */
export function find(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/** A time in milliseconds as people read it. @param {number} time */
export function clockText(time) {
  const seconds = Math.ceil(time / 1000);
  if (seconds >= 86400) return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** A move in a list, as people read it. @param {{notation: string, roll: boolean}} move */
export function moveText({ notation, roll }) {
  if (!roll || notation === "?") return notation;
  return notation.startsWith("roll:") ? `${notation.slice(5)} comes up` : `rolls ${notation}`;
}

/**
 * The moves of a match as rows of a list. Where two players take turns, two moves make a row.
 * @param {HTMLElement} place
 * @param {{notation: string, roll: boolean, player: number}[]} moves
 * @param {(at: number) => Node} item What is shown of a move.
 */
export function listMoves(place, moves, item) {
  const first = moves[0]?.player ?? 0;
  const pairs = moves.every(({ player, roll }, at) => !roll && first < 2 && player === (first + at) % 2);
  place.classList.toggle("pairs", pairs && moves.length > 0);
  const number = (/** @type {number} */ at) => {
    const place = at + first;
    if (!pairs) return `${at + 1}.`;
    return place % 2 === 0 || at === 0 ? `${Math.floor(place / 2) + 1}.${place % 2 ? ".." : ""}` : "";
  };
  const rows = moves.map((_, at) => {
    const told = number(at);
    const row = make("li", {}, told ? make("span", { class: "number" }, told) : null, told ? " " : null, item(at));
    if (pairs && at === 0 && first === 1) row.classList.add("second");
    return row;
  });
  refill(place, null, ...rows);
}

/**
 * Replaces what is in an element. Focus in it is not lost: it goes to what has the same words as before,
 * else to `otherwise`, else to what stands in the same place.
 * @param {HTMLElement} place
 * @param {HTMLElement|null} otherwise
 * @param {...(Node|string)} children
 */
export function refill(place, otherwise, ...children) {
  const root = /** @type {Document|ShadowRoot} */ (place.getRootNode());
  const controls = () => /** @type {HTMLElement[]} */ ([...place.querySelectorAll("a[href], button:not(:disabled)")]);
  const words = (/** @type {HTMLElement} */ one) => one.dataset.key ?? one.getAttribute("aria-label") ?? one.textContent;
  const focused = /** @type {HTMLElement|null} */ (root.activeElement);
  const at = focused ? controls().indexOf(focused) : -1;
  place.replaceChildren(...children);
  if (at < 0 || !focused) return;
  const now = controls();
  const next = now.find((one) => words(one) === words(focused)) ?? otherwise ?? now[Math.min(at, now.length - 1)];
  next?.focus();
}

/** Who has a seat, in words; nothing where it is free. @param {{name: string|null, kind: string}} seat */
export function nameOf({ name, kind }) {
  if (kind !== "bot" || name === null) return name;
  const [sort, level] = name.split("@");
  if (sort === "search") return `Machine, ${Number(level) < 4 ? "easy" : Number(level) < 7 ? "medium" : "strong"}`;
  return sort === "mcts" ? "Machine, by random playouts" : name.replace(/^uci:/, "");
}

/** What a button says that does something beside the board. @param {{notation: string}} act */
export function actText({ notation }) {
  return notation.replace(/^roll:/, "").replaceAll("-", " ");
}

/** The name of a game as a title: `king-of-the-hill` is "King of the hill". @param {string} name */
export function titled(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}
