// @ts-check
import { Follower, Problem, ask } from "./api.js";
import "./board.js";
import { chooseToken, invitationsOf, keepToken, remember, salt, tokenOf } from "./kept.js";
import { filled } from "./picture.js";
import { actText, clockText, find, listMoves, make, moveText, nameOf, refill, titled } from "./page.js";

const id = location.pathname.split("/")[2] ?? "";
const board = /** @type {import("./board.js").SenetBoard} */ (find("board"));
/** @type {import("./api.js").State|null} */
let state = null;
/** @type {import("./api.js").Legal|null} The last step of a turn, which waits to be confirmed. */
let pending = null;
let arrived = 0;
let turned = false;
const FORMS = { json: "saved match", pgn: "PGN", mat: ".mat", sgf: "SGF" };

// The invitation is in the fragment of the address, which no server ever sees.
let invitation = location.hash.slice(1);
if (invitation) history.replaceState(null, "", location.pathname);

/** @param {string} text @param {boolean} [wrong] */
function notice(text, wrong = false) {
  const place = find("notice");
  place.textContent = text;
  place.classList.toggle("problem", wrong);
}

/** @param {unknown} error */
function failed(error) {
  if (!(error instanceof Problem)) throw error;
  const { explanation, state: current } = error.body;
  if (current) shown(current);
  if (explanation) board.explain(explanation);
  notice(explanation?.text ? explanation.text.split("\n")[0] : error.message, true);
}

/** @param {any} what */
async function play(what) {
  if (!state) return;
  notice("");
  pending = null;
  const name = crypto.getRandomValues(new Uint32Array(2)).join("-");
  try {
    await follower.send("play", { ply: state.ply, id: name, ...what });
  } catch (error) {
    failed(error);
  }
}

/** @param {string} action */
async function act(action) {
  try {
    await follower.send("act", { action });
    notice("");
  } catch (error) {
    failed(error);
  }
}

board.addEventListener("move", (event) => {
  const { legal } = /** @type {CustomEvent} */ (event).detail;
  if (legal.ends && board.game.turns) {
    pending = legal;
    notice(`${legal.notation} ends your turn: confirm it.`);
    buttons();
    return;
  }
  play({ event: legal.event });
});
board.addEventListener("attempt", (event) => {
  const { from, to, kind } = /** @type {CustomEvent} */ (event).detail;
  if (from !== undefined) play({ from, to });
  else play({ event: `${board.game.kinds[kind]}@${board.sheet.labels[to]}` });
});

board.addEventListener("premove", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  notice(detail ? "Your next move is chosen; Escape lets it go." : "");
});

/** Plays the move that was chosen ahead, if it is legal now. */
function playAhead() {
  const wanted = board.premove;
  if (!wanted || !state?.legal) return;
  board.premove = null;
  board.draw();
  const fits = state.legal.filter((one) => one.from === wanted.from && one.to === wanted.to);
  if (fits.length > 0) board.play(fits);
  else notice("The move that you chose ahead is not legal now.", true);
}

/** @param {import("./api.js").State} now */
async function shown(now) {
  if (state && now.number < state.number) return;
  const before = state;
  state = now;
  if (now.legal) now.legal = filled(now.legal);
  pending = null;
  arrived = performance.now();
  if (!board.is) {
    board.game = await ask(`/api/games/${now.definition}`);
    document.title = `${titled(now.game)} · Senet`;
    find("title").textContent = titled(now.game);
  }
  if (!turned && now.you.length === 1) board.side = now.you[0];
  if (now.you.length > 0) remember(id, now.game);
  // Who takes a seat sees more of the same state.
  if (before?.number !== state.number || before.you.length !== state.you.length) board.show(state);
  const last = follower.moves.at(-1);
  if (before && last && before.ply !== state.ply) board.announce(`${last.name}: ${last.notation}`);
  board.ahead = now.status === "playing" && now.you.length === 1 && now.mover !== now.you[0] ? now.you[0] : null;
  panels();
  buttons();
  playAhead();
}

/** The seats, the moves and what is offered. */
function panels() {
  if (!state) return;
  const now = state;
  const timed = now.clock.control.kind !== "none";
  find("seats").replaceChildren(
    ...now.seats.map((seat, at) => {
      const chip = make("span", { class: "chip", "aria-hidden": "true" });
      chip.style.background = board.game.colors[at];
      const turn = now.mover === at && now.status === "playing";
      const mine = now.you.includes(at) ? " (you)" : "";
      const told = `${seat.player}${mine}${turn ? ", to move" : ""}`;
      const who = make("span", { class: "who" }, chip, make("span", {}, nameOf(seat) ?? "free", " ", make("small", {}, told)));
      return make("div", { class: turn ? "seat turn" : "seat" }, who, timed ? make("span", { class: "clock", "data-seat": at }, clockText(seat.left)) : null);
    }),
  );
  const mine = now.mover !== null && now.you.includes(now.mover);
  const words = now.result
    ? now.result.text
    : now.status === "waiting"
      ? "Waiting for a player."
      : mine
        ? "Your turn."
        : `${now.seats[now.mover ?? 0].player} is to move.`;
  find("status").textContent = words;
  const { moves } = follower;
  listMoves(find("moves"), moves, (at) => document.createTextNode(moveText(moves[at])));
  find("moves").scrollTop = find("moves").scrollHeight;
  invitations(now);
  const free = now.seats.some((seat) => !seat.taken && (seat.kind === "anyone" || invitation));
  find("join").classList.toggle("hidden", now.you.length > 0 || !free);
  const asked = now.offer && [now.offer.seat, ...(now.offer.agreed ?? [])];
  const offered = asked && now.you.length > 0 && !now.you.some((seat) => asked.includes(seat));
  find("offer").classList.toggle("hidden", !offered);
  const what = { draw: "a draw", undo: "to take the last move back", rematch: "a rematch" };
  if (now.offer) find("offered").textContent = `${now.seats[now.offer.seat].player} offers ${what[/** @type {"draw"} */ (now.offer.offer)]}.`;
  const hidden = now.position.hidden ?? [];
  find("facts").textContent = [...now.position.facts, ...(hidden.length ? [`hidden: ${hidden.join(", ")}`] : [])].join(" · ");
  if (moves.some((one) => one.roll)) {
    find("fair").replaceChildren(`What chance gives is drawn from a seed with the SHA-256 ${now.commitment}.`, now.seed ? ` The seed was ${now.seed}.` : "");
    if (now.seed && board.game.forms.length) find("fair").append(" ", make("a", { href: `/api/matches/${id}/export?form=draws` }, "All draws, to check them"));
  }
  find("export").replaceChildren(
    ...board.game.forms.flatMap((/** @type {string} */ form, /** @type {number} */ at) => [at ? ", " : "Save: ", make("a", { href: `/api/matches/${id}/export?form=${form}` }, FORMS[/** @type {"json"} */ (form)])]),
  );
  if (now.next && now.you.length) {
    const token = tokenOf(id);
    if (token) keepToken(now.next, token);
    remember(now.next, now.game);
    find("status").append(" ", make("a", { href: `/play/${now.next}` }, "Go to the rematch"));
  }
}

/** The links to the seats that wait for somebody. @param {import("./api.js").State} now */
function invitations(now) {
  const open = invitationsOf(id).filter(({ seat }) => !now.seats[seat]?.taken);
  const listed = open.map(({ seat }) => seat).join(" ");
  find("invite").classList.toggle("hidden", open.length === 0);
  // A link that is being copied is left alone.
  if (find("links").dataset.seats === listed) return;
  find("links").dataset.seats = listed;
  find("invited").textContent = open.length > 1 ? "Send each friend one of these links. Whoever opens it takes that seat." : "Send this link. Whoever opens it takes the other seat.";
  const rows = open.map(({ seat, link }) => {
    const name = `link-${seat}`;
    const input = /** @type {HTMLInputElement} */ (make("input", { id: name, class: "link", readonly: true, value: location.origin + link }));
    const copy = async () => {
      input.select();
      await navigator.clipboard?.writeText(input.value).catch(() => undefined);
      notice(`The link for ${now.seats[seat].player} is copied.`);
    };
    return make("div", {}, make("label", { for: name }, `Link for ${now.seats[seat].player}`), make("div", { class: "row tight" }, input, make("button", { type: "button", onclick: copy, "aria-label": `Copy the link for ${now.seats[seat].player}` }, "Copy")));
  });
  refill(find("links"), null, ...rows);
}

/** What the player may do now. */
function buttons() {
  if (!state) return;
  const now = state;
  const seated = now.you.length > 0;
  const mine = now.mover !== null && now.you.includes(now.mover);
  const row = [];
  if (pending) {
    const step = pending;
    row.push(make("button", { type: "button", class: "main", onclick: () => play({ event: step.event }) }, `Confirm ${step.notation}`));
    row.push(make("button", { type: "button", onclick: () => { pending = null; notice(""); buttons(); } }, "Cancel"));
  }
  if (now.roll) row.push(make("button", { type: "button", class: "main", onclick: () => play({ event: "roll" }) }, "Roll"));
  const acts = [...(now.legal ?? []).filter((one) => one.to === null), ...(now.asides ?? [])];
  for (const one of acts) row.push(make("button", { type: "button", onclick: () => play({ event: one.event }) }, actText(one)));
  const own = follower.moves.at(-1)?.seat;
  const inTurn = mine && own !== null && own === now.mover && !follower.moves.at(-1)?.roll;
  if (inTurn) row.push(make("button", { type: "button", onclick: () => act("takeback") }, "Undo this step"));
  refill(find("acts"), board, ...row);
  const show = (/** @type {string} */ name, /** @type {boolean} */ on) => find(name).classList.toggle("hidden", !on);
  show("typed", seated && now.status !== "over");
  show("undo", seated && now.status === "playing");
  show("draw", seated && now.draw);
  show("resign", seated && now.status === "playing" && follower.moves.length > 0);
  const moved = follower.moves.some((one) => one.seat !== null && now.you.includes(one.seat));
  show("abandon", seated && now.status !== "over" && !moved);
  // A file of a match with secrets would tell them, so there is none.
  show("analyse", now.status === "over" && board.game.forms.length > 0 && follower.moves.length > 0);
  show("rematch", seated && now.status === "over" && !now.next);
}

setInterval(() => {
  const at = state?.clock.running;
  if (!state || at === null || at === undefined || state.status !== "playing") return;
  const shown = document.querySelector(`.clock[data-seat="${at}"]`);
  const left = Math.max(0, state.seats[at].left - (performance.now() - arrived));
  if (shown) shown.textContent = clockText(left);
}, 200);

/** Says that there is no such match. */
function missing() {
  document.title = "No such match · Senet";
  find("missing").classList.remove("hidden");
  find("match").classList.add("hidden");
}

const follower = new Follower(id, () => tokenOf(id), {
  state: (now) => void shown(now),
  connected: (up) => notice(up ? "" : "The connection broke. Trying again …", !up),
  missing,
});

/** Takes the seat of the invitation, or a free one. */
async function sit() {
  const name = /** @type {HTMLInputElement} */ (find("name")).value;
  try {
    await ask(`/api/matches/${id}/join`, { body: { name, salt: salt(), token: chooseToken(id), ...(invitation ? { invitation } : {}) } });
    localStorage.setItem("senet.name", name);
    invitation = "";
    follower.reopen();
    board.focus();
  } catch (error) {
    failed(error);
    // Perhaps only the answer was lost: then the seat is taken, by this token.
    if (error instanceof Problem && error.body.code === "offline") follower.reopen();
  }
}

/** @type {HTMLInputElement} */ (find("name")).value = localStorage.getItem("senet.name") ?? "";
find("sit").addEventListener("click", sit);
/** @type {HTMLAnchorElement} */ (find("analyse")).href = `/analysis?match=${encodeURIComponent(id)}`;
find("flip").addEventListener("click", () => {
  turned = true;
  board.side = (board.side + 1) % board.game.sides.length;
});
for (const name of ["undo", "draw", "rematch"]) find(name).addEventListener("click", () => act(name));
find("resign").addEventListener("click", () => confirm("Resign this match?") && act("resign"));
find("abandon").addEventListener("click", () => confirm("Leave this match?") && act("abandon"));
find("agree").addEventListener("click", () => state?.offer && act(state.offer.offer));
find("decline").addEventListener("click", () => act("decline"));
find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (find("move"));
  if (input.value.trim()) play({ event: input.value.trim() });
  input.value = "";
});
