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
