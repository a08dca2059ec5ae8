// @ts-check
import { ask } from "./api.js";

/**
 * What this browser keeps of the matches of its user: the tokens of seats, the links that invite others,
 * and a list.
 *
 * @typedef {{seat: number, link: string}} Invitation
 * @typedef {{id: string, title: string}} Kept
 */

/** How many matches are in the list. */
const MOST = 20;

/** @param {string} name @returns {any} */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/** The token of a match. @param {string} id @returns {string|null} */
export function tokenOf(id) {
  return localStorage.getItem(`senet.token.${id}`);
}

/** @param {string} id @param {string} token */
export function keepToken(id, token) {
  localStorage.setItem(`senet.token.${id}`, token);
}

/** The links to seats of a match that others may take. @param {string} id @returns {Invitation[]} */
export function invitationsOf(id) {
  return read(`senet.invitations.${id}`);
}

/** The matches in which the user has a seat, the newest first. @returns {Kept[]} */
export function matches() {
  return read("senet.matches");
}

/** Puts a match at the head of the list, or leaves it where it is. @param {string} id @param {string} title */
export function remember(id, title) {
  const known = matches();
  if (known.some((one) => one.id === id)) return;
  localStorage.setItem("senet.matches", JSON.stringify([{ id, title }, ...known].slice(0, MOST)));
}

/** Takes a match that is no more from the list. @param {string} id */
export function forget(id) {
  localStorage.setItem("senet.matches", JSON.stringify(matches().filter((one) => one.id !== id)));
}

/** Random digits of 4 bits each. @param {number} count */
function digits(count) {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => (byte & 15).toString(16)).join("");
}

/** A salt for the draws of a match. */
export function salt() {
  return digits(16);
}

/**
 * The token with which this browser takes a seat. It is kept before it is sent: who asks again because the
 * answer was lost gets the same seat.
 * @param {string} id
 */
export function chooseToken(id) {
  const token = tokenOf(id) ?? digits(32);
  keepToken(id, token);
  return token;
}

/**
 * Arranges a match and goes to its page.
 * @param {string} title The name of the game.
 * @param {any} body
 */
export async function arrange(title, body) {
  const made = await ask("/api/matches", { body: { ...body, salt: salt() } });
  if (made.token) {
    keepToken(made.match, made.token);
    remember(made.match, title);
  }
  if (made.invitations.length) {
    const links = made.invitations.map((/** @type {Invitation} */ { seat, link }) => ({ seat, link }));
    localStorage.setItem(`senet.invitations.${made.match}`, JSON.stringify(links));
  }
  location.href = made.page;
}
