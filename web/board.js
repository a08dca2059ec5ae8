// @ts-check
/**
 * `<senet-board>`: a board of any game. It knows no rules: it draws what it is told and tells what
 * the player wants.
 *
 *     const board = document.createElement("senet-board");
 *     board.game = game;                            // what /api/games/NAME answers
 *     board.show({ position, legal, last });        // what a state of a match says
 *     board.addEventListener("move", (event) => …); // detail.legal: one of the legal moves
 *     board.addEventListener("attempt", …);         // detail.from, detail.to: a move that is not
 *     board.ahead = 0;                              // lets this player choose a move ahead of the turn
 *     board.addEventListener("premove", …);         // detail.from, detail.to, or null when let go
 *
 * Its colours are the variables `--senet-…` of the page.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Legal} Legal
 * @typedef {import("./api.js").Position} Position
 * @typedef {{position: Position, legal?: Legal[], last?: {from: number|null, to: number|null}|null}} Shown
 */

const SVG = "http://www.w3.org/2000/svg";

/** How many pieces of a pile are drawn; the rest is told by a number. */
const PILE = 5;

/** How far a pointer moves before a piece is dragged, in pixels. */
const DRAG = 6;

const STYLE = `
:host { display: block; position: relative; --size: 60; user-select: none; -webkit-user-select: none; }
.frame { position: relative; width: 100%; }
svg { display: block; width: 100%; height: auto; }
.hand { display: flex; flex-wrap: wrap; gap: 0.25rem; min-height: 0; margin: 0.25rem 0; }
.hand button { display: flex; align-items: center; gap: 0.15rem; border: 1px solid var(--senet-faint); border-radius: 5px; background: none; color: inherit; font: inherit; padding: 0 0.3rem; cursor: pointer; }
.hand button[aria-pressed="true"] { outline: 3px solid var(--senet-choice); }
.hand svg { width: 2.2rem; height: 2.2rem; }
.cells { position: absolute; inset: 0; }
.cell { position: absolute; transform: translate(-50%, -50%); cursor: default; outline: none; }
.cell.live { cursor: pointer; }
.cell.own { touch-action: none; }
.cell:focus-visible { outline: 3px solid var(--senet-path); outline-offset: -3px; z-index: 1; }
.cell.spot { border-radius: 50%; }
.last { fill: var(--senet-last); fill-opacity: 0.5; }
.chosen { fill: var(--senet-choice); fill-opacity: 0.55; }
.unseen { fill: var(--senet-ink); fill-opacity: 0.22; }
.unknown { fill: var(--senet-page); stroke: var(--senet-ink); stroke-width: 4; paint-order: stroke; font-weight: 600; text-anchor: middle; dominant-baseline: central; }
.ahead { fill: var(--senet-path); fill-opacity: 0.45; }
.check { fill: var(--senet-danger); fill-opacity: 0.5; }
.target { fill: var(--senet-choice); stroke: var(--senet-page); stroke-width: 2; }
.capture { fill: none; stroke: var(--senet-choice); stroke-width: 5; }
.path { fill: none; stroke: var(--senet-path); stroke-width: 6; stroke-linecap: round; stroke-opacity: 0.8; }
.blocker { fill: none; stroke: var(--senet-danger); stroke-width: 6; }
.attack { fill: none; stroke: var(--senet-danger); stroke-width: 6; stroke-linecap: round; marker-end: url(#danger); }
.drawn { fill: none; stroke: var(--senet-path); stroke-width: 8; stroke-opacity: 0.7; stroke-linecap: round; }
.hint { fill: none; stroke: var(--senet-choice); stroke-width: 8; stroke-opacity: 0.8; stroke-linecap: round; }
.dragged { pointer-events: none; opacity: 0.85; }
.mark { fill: none; stroke: var(--senet-frame); stroke-width: 5; stroke-linecap: round; }
text { font-family: inherit; }
.live-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
dialog { border: 1px solid var(--senet-faint); border-radius: 8px; background: var(--senet-page); color: var(--senet-ink); }
dialog .choices { display: flex; flex-wrap: wrap; gap: 0.5rem; }
dialog button { font: inherit; color: inherit; background: none; border: 1px solid var(--senet-faint); border-radius: 5px; padding: 0.3rem 0.6rem; min-width: 3rem; cursor: pointer; }
dialog svg { width: 3.4rem; height: 3.4rem; }
`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

/** @param {string} name @param {Record<string, any>} [attributes] */
function shape(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Forms of SVG as a group. @param {string} text */
function parsed(text) {
  const read = new DOMParser().parseFromString(`<svg xmlns="${SVG}"><g>${text}</g></svg>`, "image/svg+xml");
  const group = read.documentElement.firstElementChild;
  return /** @type {SVGGElement} */ (document.importNode(/** @type {Element} */ (group), true));
}

export class SenetBoard extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    this.handAbove = document.createElement("div");
    this.handBelow = document.createElement("div");
    this.handAbove.className = this.handBelow.className = "hand";
    this.frame = document.createElement("div");
    this.frame.className = "frame";
    this.svg = shape("svg", { "aria-hidden": "true" });
    this.cells = document.createElement("div");
    this.cells.className = "cells";
    this.cells.setAttribute("role", "grid");
    this.frame.append(this.svg, this.cells);
    this.said = document.createElement("div");
    this.said.className = "live-text";
    this.said.setAttribute("aria-live", "polite");
    this.chooser = document.createElement("dialog");
    this.chooser.setAttribute("aria-label", "Choose");
    root.append(this.handAbove, this.frame, this.handBelow, this.said, this.chooser);
    /** @type {Game|null} */
    this.is = null;
    this.seen = 0;
    /** @type {Shown|null} */
    this.shown = null;
    /** @type {number|null} */
    this.chosen = null;
    /** @type {number|null} A kind of piece in hand. */
    this.held = null;
    /** @type {HTMLElement[]} */
    this.tiles = [];
    this.focused = 0;
    /** @type {number|null} The player who may choose a move ahead of the turn. */
    this.ahead = null;
    /** @type {{from: number|null, to: number}|null} The move that is chosen ahead. */
    this.premove = null;
    /** @type {string[]} Arrows and circles that the player drew. */
    this.drawings = [];
    /** @type {{path: number[], blocker: number|null, attacks: {from: number, on: number}[]}|null} */
    this.why = null;
    /** @type {{from: number|null, to: number|null}|null} */
    this.advice = null;
    /** @type {{tile: number, x: number, y: number, image: SVGElement|null, button: number}|null} */
    this.grip = null;
    this.cells.addEventListener("pointerdown", (event) => this.press(event));
    this.cells.addEventListener("pointermove", (event) => this.drag(event));
    this.cells.addEventListener("pointerup", (event) => this.release(event));
    this.cells.addEventListener("pointercancel", () => this.letGo());
    this.cells.addEventListener("contextmenu", (event) => event.preventDefault());
    this.cells.addEventListener("keydown", (event) => this.key(event));
    this.cells.addEventListener("click", (event) => this.clicked(event));
    this.cells.addEventListener("focusin", (event) => {
      const tile = this.tileOf(event);
      if (tile !== null) this.focusOn(tile, false);
    });
  }

  /** The game that is shown. @param {Game} game */
  set game(game) {
    this.is = game;
    this.layOut();
  }

  get game() {
    return /** @type {Game} */ (this.is);
  }

  /** From which player's side the board is seen. @param {number} side */
  set side(side) {
    if (side === this.seen) return;
    this.seen = side;
    if (this.is) this.layOut();
  }

  get side() {
    return this.seen;
  }

  /** Where tiles lie, as the player sees them. */
  get sheet() {
    return this.game.sides[this.seen] ?? this.game.sides[0];
  }

  /** Shows a position. @param {Shown} shown */
  show(shown) {
    const before = this.shown;
    this.shown = shown;
    this.chosen = this.held = null;
    this.why = this.advice = null;
    this.drawings = [];
    this.draw();
    if (before && before.position.hash !== shown.position.hash) this.travel();
  }

  /**
   * Shows why a move is refused.
   * @param {{path: number[], blocker: number|null, attacks: {from: number, on: number}[]}} why
   */
  explain(why) {
    this.why = why;
    this.draw();
  }

  /** Shows a move that somebody advises. @param {{from: number|null, to: number|null}} advice */
  advise(advice) {
    this.advice = advice;
    this.draw();
  }

  /** Says something to those who listen. @param {string} text */
  announce(text) {
    this.said.textContent = text;
  }

  /** @returns {Legal[]} */
  get legal() {
    return this.shown?.legal ?? [];
  }

  /** Makes the board and a cell for each tile. */
  layOut() {
    const { width, height, spots, svg, labels } = this.sheet;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    // A lone tile, as in a game of cards, need not fill the page.
    this.frame.style.maxWidth = spots.length === 1 ? "12rem" : "";
    this.layers = { board: parsed(svg), tints: shape("g"), pieces: shape("g"), signs: shape("g") };
    const marker = parsed(
      '<defs><marker id="danger" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 Z" fill="var(--senet-danger)"/></marker></defs>',
    );
    this.svg.replaceChildren(marker, ...Object.values(this.layers));
    this.cells.setAttribute("aria-label", `board of ${this.game.name}`);
    this.tiles = spots.map((spot, tile) => {
      const cell = document.createElement("div");
      cell.setAttribute("role", "gridcell");
      cell.className = `cell ${spot.cell}`;
      cell.dataset.tile = String(tile);
      cell.dataset.name = labels[tile];
      cell.tabIndex = -1;
      cell.style.left = `${(100 * spot.x) / width}%`;
      cell.style.top = `${(100 * spot.y) / height}%`;
      cell.style.width = `${(100 * spot.w) / width}%`;
      cell.style.height = `${(100 * spot.h) / height}%`;
      if (spot.cell === "hexagon") cell.style.clipPath = "polygon(50% 0, 100% 25%, 100% 75%, 50% 100%, 0 75%, 0 25%)";
      return cell;
    });
    // Rows are tiles at one height, from left to right.
    /** @type {Map<number, number[]>} */
    const rows = new Map();
    spots.forEach((spot, tile) => {
      const known = [...rows.keys()].find((y) => Math.abs(y - spot.y) < 6) ?? spot.y;
      rows.set(known, [...(rows.get(known) ?? []), tile]);
    });
    const sorted = [...rows.entries()].sort((one, other) => one[0] - other[0]);
    this.cells.replaceChildren(
      ...sorted.map(([, tiles]) => {
        const row = document.createElement("div");
        row.setAttribute("role", "row");
        tiles.sort((one, other) => spots[one].x - spots[other].x);
        row.append(...tiles.map((tile) => this.tiles[tile]));
        return row;
      }),
    );
    this.focused = sorted.at(-1)?.[1][0] ?? 0;
    this.tiles[this.focused].tabIndex = 0;
    if (this.shown) this.draw();
  }

  /** What stands on a tile. @param {number} tile */
  stack(tile) {
    return this.shown?.position.pieces.find(([at]) => at === tile)?.[1] ?? [];
  }

  draw() {
    if (!this.shown || !this.layers) return;
    const { position, last } = this.shown;
    const { spots } = this.sheet;
    const { tints, pieces, signs } = this.layers;
    tints.replaceChildren();
    pieces.replaceChildren();
    signs.replaceChildren();
    const tint = (/** @type {number|null|undefined} */ tile, /** @type {string} */ name) => {
      if (tile !== null && tile !== undefined) tints.append(this.outline(tile, name));
    };
    for (const tile of position.unseen ?? []) {
      tint(tile, "unseen");
      const { x, y, size } = spots[tile];
      const unknown = shape("text", { class: "unknown", x, y, "font-size": size * 0.4 });
      unknown.textContent = "?";
      tints.append(unknown);
    }
    tint(last?.from, "last");
    tint(last?.to, "last");
    tint(this.premove?.from, "ahead");
    tint(this.premove?.to, "ahead");
    position.check.forEach((tile) => tint(tile, "check"));
    tint(this.chosen, "chosen");
    for (const { tiles } of position.marks) for (const tile of tiles) pieces.append(this.cross(tile));
    for (const [tile, sorts] of position.pieces) this.place(tile, sorts);
    for (const legal of this.targets()) {
      const spot = spots[/** @type {number} */ (legal.to)];
      const taken = this.stack(/** @type {number} */ (legal.to)).length > 0 && !spot.stacks;
      const at = spot.step ? spot.py + spot.step * Math.min(this.height(/** @type {number} */ (legal.to)), PILE) : spot.y;
      signs.append(
        taken
          ? shape("circle", { class: "capture", cx: spot.x, cy: at, r: spot.size * 0.45 })
          : shape("circle", { class: "target", cx: spot.x, cy: at, r: spot.size * 0.15 }),
      );
    }
    this.drawWhy(signs);
    this.drawHands();
    this.label();
  }

  /** How many pieces stand on a tile. @param {number} tile */
  height(tile) {
    return this.stack(tile).reduce((sum, [, , count]) => sum + count, 0);
  }

  /** The legal moves of what is chosen. */
  targets() {
    const seen = new Set();
    return this.legal.filter((one) => {
      const fits = this.chosen !== null ? one.from === this.chosen : this.held !== null && one.from === null && one.kind === this.held;
      if (!fits || one.to === null || seen.has(one.to)) return false;
      seen.add(one.to);
      return true;
    });
  }

  /** @param {number} tile @param {string} name */
  outline(tile, name) {
    const spot = this.sheet.spots[tile];
    const { x, y, w, h } = spot;
    if (spot.cell === "spot") return shape("circle", { class: name, cx: x, cy: y, r: w * 0.42 });
    if (spot.cell === "hexagon") {
      const corners = [[0, -0.5], [0.5, -0.25], [0.5, 0.25], [0, 0.5], [-0.5, 0.25], [-0.5, -0.25]];
      return shape("polygon", { class: name, points: corners.map(([right, down]) => `${x + right * w},${y + down * h}`).join(" ") });
    }
    if (spot.cell === "up" || spot.cell === "down") {
      const to = spot.cell === "down" ? 1 : -1;
      const points = [[x - w * 0.47, y - (to * h) / 2], [x + w * 0.47, y - (to * h) / 2], [x, y + (to * h) / 2]];
      return shape("polygon", { class: name, points: points.map((point) => point.join(",")).join(" ") });
    }
    return shape("rect", { class: name, x: x - w / 2, y: y - h / 2, width: w, height: h });
  }

  /** @param {number} tile */
  cross(tile) {
    const { x, y, w } = this.sheet.spots[tile];
    const r = w * 0.28;
    return shape("path", { class: "mark", d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}` });
  }

  /** Draws what stands on a tile. @param {number} tile @param {[number, number, number][]} sorts */
  place(tile, sorts) {
    const spot = this.sheet.spots[tile];
    const pieces = /** @type {SVGElement} */ (this.layers?.pieces);
    const group = shape("g", { "data-tile": tile });
    if (spot.step) {
      let at = 0;
      for (const [owner, kind, count] of sorts) {
        for (let one = 0; one < Math.min(count, PILE); one += 1) {
          group.append(this.piece(owner, kind, spot.px, spot.py + spot.step * at, spot.size));
          at += 1;
        }
        if (count > PILE) group.append(this.number(count, owner, spot.px, spot.py + spot.step * (at - 1), spot.size));
      }
    } else if (spot.stacks) {
      const size = spot.size * (sorts.length > 1 ? 0.9 / Math.min(sorts.length, 3) : 0.72);
      sorts.forEach(([owner, kind, count], index) => {
        const x = spot.px + (index - (sorts.length - 1) / 2) * size * 0.92;
        const deep = Math.min(count, 3);
        for (let layer = 0; layer < deep; layer += 1) {
          group.append(this.piece(owner, kind, x, spot.py - (layer - (deep - 1) / 2) * size * 0.12, size));
        }
        if (count > 1) group.append(this.number(count, owner, x, spot.py - ((deep - 1) / 2) * size * 0.12, size));
      });
    } else {
      for (const [owner, kind] of sorts) group.append(this.piece(owner, kind, spot.px, spot.py, spot.size));
    }
    pieces.append(group);
  }

  /** @param {number} owner @param {number} kind @param {number} x @param {number} y @param {number} size */
  piece(owner, kind, x, y, size) {
    const group = parsed(this.game.pictures[owner][kind]);
    group.setAttribute("transform", `translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})`);
    group.setAttribute("stroke-linejoin", "round");
    group.setAttribute("stroke-linecap", "round");
    return group;
  }

  /** @param {number} count @param {number} owner @param {number} x @param {number} y @param {number} size */
  number(count, owner, x, y, size) {
    const group = shape("g");
    const text = shape("text", { x, y: y + size * 0.12, "text-anchor": "middle", "font-size": size * 0.34, "font-weight": 600, fill: "#ffffff" });
    text.textContent = String(count);
    group.append(shape("circle", { cx: x, cy: y, r: size * 0.24, fill: "#1b1d21", stroke: this.game.colors[owner], "stroke-width": 2 }), text);
    return group;
  }

  /** @param {SVGElement} signs */
  drawWhy(signs) {
    const { spots } = this.sheet;
    const line = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ name) =>
      shape("path", { class: name, d: `M${spots[from].x} ${spots[from].y}L${spots[to].x} ${spots[to].y}` });
    if (this.why) {
      const { path, blocker, attacks } = this.why;
      if (path.length > 1) signs.append(shape("polyline", { class: "path", points: path.map((tile) => `${spots[tile].x},${spots[tile].y}`).join(" ") }));
      if (blocker !== null) signs.append(shape("circle", { class: "blocker", cx: spots[blocker].x, cy: spots[blocker].y, r: spots[blocker].size * 0.45 }));
      for (const { from, on } of attacks) signs.append(line(from, on, "attack"));
    }
    if (this.advice && this.advice.to !== null) {
      const { from, to } = this.advice;
      signs.append(from === null ? shape("circle", { class: "hint", cx: spots[to].x, cy: spots[to].y, r: spots[to].size * 0.4 }) : line(from, to, "hint"));
    }
    for (const drawing of this.drawings) {
      const [from, to] = drawing.split(" ").map(Number);
      signs.append(from === to ? shape("circle", { class: "drawn", cx: spots[from].x, cy: spots[from].y, r: spots[from].size * 0.45 }) : line(from, to, "drawn"));
    }
  }

  drawHands() {
    const { hands } = /** @type {Shown} */ (this.shown).position;
    const above = this.game.players.length === 2 ? 1 - this.seen : -1;
    for (const [place, owner] of /** @type {[HTMLElement, number][]} */ ([[this.handAbove, above], [this.handBelow, this.seen]])) {
      place.replaceChildren(
        ...(hands[owner] ?? []).map(([kind, count]) => {
          const button = document.createElement("button");
          const picture = shape("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
          picture.append(parsed(this.game.pictures[owner][kind]));
          button.append(picture, String(count));
          button.setAttribute("aria-label", `${this.game.players[owner]} ${this.game.kinds[kind]} in hand, ${count}`);
          const mine = this.legal.some((one) => one.from === null && one.kind === kind && one.to !== null);
          const chosen = this.held === kind && owner === this.shown?.position.player;
          button.setAttribute("aria-pressed", String(chosen));
          button.disabled = !mine || owner !== this.shown?.position.player;
          button.onclick = () => {
            this.held = chosen ? null : kind;
            this.chosen = null;
            this.draw();
          };
          return button;
        }),
      );
    }
  }

  /** Gives each cell the words that are read aloud. */
  label() {
    const { labels } = this.sheet;
    /** @type {Map<number, string[]>} */
    const leads = new Map();
    for (const { from, to } of this.legal) {
      if (from === null || to === null) continue;
      const known = leads.get(from) ?? [];
      if (!known.includes(labels[to])) known.push(labels[to]);
      leads.set(from, known);
    }
    const targets = new Set(this.targets().map((one) => one.to));
    const puts = new Set(this.legal.filter((one) => one.from === null && one.to !== null).map((one) => one.to));
    const unseen = new Set(this.shown?.position.unseen ?? []);
    this.tiles.forEach((cell, tile) => {
      const sorts = this.stack(tile);
      const words = sorts.map(([owner, kind, count]) => `${count > 1 ? `${count} × ` : ""}${this.game.players[owner]} ${this.game.kinds[kind]}`);
      const parts = [labels[tile], ...(words.length ? words : [unseen.has(tile) ? "not seen" : "empty"])];
      const to = leads.get(tile);
      if (to) parts.push(`can move to ${to.length > 6 ? `${to.length} tiles` : to.join(", ")}`);
      if (this.chosen === tile) parts.push("chosen");
      if (this.premove?.to === tile) parts.push("target of the move chosen ahead");
      if (targets.has(tile)) parts.push("legal target");
      cell.setAttribute("aria-label", parts.join(", "));
      cell.setAttribute("aria-selected", String(this.chosen === tile));
      cell.classList.toggle("live", to !== undefined || targets.has(tile) || puts.has(tile));
      cell.classList.toggle("own", this.hand !== null && sorts.some(([owner]) => owner === this.hand));
    });
  }

  /** @param {Event} event */
  tileOf(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest?.(".cell");
    return cell instanceof HTMLElement ? Number(cell.dataset.tile) : null;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const tile = this.tileOf(event);
    // A click that ends a drag was dealt with.
    if (tile === null || this.dragged) {
      this.dragged = false;
      return;
    }
    this.focusOn(tile, false);
    this.choose(tile);
  }

  /** The player whose pieces can be taken up: who is to move, or who may choose a move ahead. */
  get hand() {
    return this.legal.length > 0 ? (this.shown?.position.player ?? null) : this.ahead;
  }

  /** A tile is chosen ahead of the turn. @param {number} tile */
  foresee(tile) {
    const own = this.stack(tile).some(([owner]) => owner === this.ahead);
    const before = this.premove;
    this.premove = null;
    if (this.chosen !== null && this.chosen !== tile) {
      this.premove = { from: this.chosen, to: tile };
      this.chosen = null;
    } else if (own) this.chosen = this.chosen === tile ? null : tile;
    else if (before?.to !== tile) this.premove = { from: null, to: tile };
    this.draw();
    if (before || this.premove) this.dispatchEvent(new CustomEvent("premove", { detail: this.premove }));
  }

  /** A tile is chosen, by click, touch or key. @param {number} tile */
  choose(tile) {
    if (this.legal.length === 0) {
      if (this.ahead !== null) this.foresee(tile);
      return;
    }
    this.why = null;
    const own = this.stack(tile).some(([owner]) => owner === this.shown?.position.player);
    const leaves = this.legal.some((one) => one.from === tile);
    if (this.chosen !== null && this.chosen !== tile) {
      const moves = this.legal.filter((one) => one.from === this.chosen && one.to === tile);
      if (moves.length > 0) return this.play(moves);
      if (!leaves && !own) return this.attempt({ from: this.chosen, to: tile });
      if (!leaves && own) return this.attempt({ from: this.chosen, to: tile });
    }
    const puts = this.legal.filter((one) => one.from === null && one.to === tile && (this.held === null || one.kind === this.held));
    if (puts.length > 0 && (this.held !== null || !leaves)) return this.play(puts);
    if (this.held !== null) return this.attempt({ kind: this.held, to: tile });
    if (this.chosen === tile) this.chosen = null;
    else if (leaves || (own && this.legal.some((one) => one.from !== null))) this.chosen = tile;
    else {
      const put = this.legal.find((one) => one.from === null && one.to !== null);
      if (put) return this.attempt({ kind: put.kind, to: tile });
      this.chosen = null;
    }
    this.draw();
  }

  /** @param {{from?: number, kind?: number|null, to: number}} detail */
  attempt(detail) {
    this.chosen = this.held = null;
    this.draw();
    this.dispatchEvent(new CustomEvent("attempt", { detail }));
  }

  /** Plays a move, after asking which where there are several. @param {Legal[]} moves */
  play(moves) {
    const done = (/** @type {Legal} */ legal) => {
      this.chosen = this.held = null;
      this.draw();
      this.dispatchEvent(new CustomEvent("move", { detail: { legal } }));
    };
    if (moves.length === 1) return done(moves[0]);
    const title = document.createElement("p");
    title.textContent = "Choose a move:";
    const choices = document.createElement("div");
    choices.className = "choices";
    const player = this.shown?.position.player ?? 0;
    for (const legal of moves) {
      const button = document.createElement("button");
      button.setAttribute("aria-label", legal.kind !== null ? this.game.kinds[legal.kind] : legal.notation);
      if (legal.kind !== null) {
        const picture = shape("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
        picture.append(parsed(this.game.pictures[player][legal.kind]));
        button.append(picture);
      } else button.textContent = legal.notation;
      button.onclick = () => {
        this.chooser.close();
        done(legal);
      };
      choices.append(button);
    }
    this.chooser.replaceChildren(title, choices);
    this.chooser.showModal();
  }

  /** @param {number} tile @param {boolean} [really] */
  focusOn(tile, really = true) {
    this.tiles[this.focused].tabIndex = -1;
    this.focused = tile;
    this.tiles[tile].tabIndex = 0;
    if (really) this.tiles[tile].focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const ways = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const way = ways[event.key];
    if (way) {
      const next = this.beside(this.focused, way);
      if (next !== null) this.focusOn(next);
    } else if (event.key === "Enter" || event.key === " ") this.choose(this.focused);
    else if (event.key === "Escape") {
      this.chosen = this.held = this.why = null;
      if (this.premove) {
        this.premove = null;
        this.dispatchEvent(new CustomEvent("premove", { detail: null }));
      }
      this.draw();
    } else return;
    event.preventDefault();
  }

  /**
   * The tile in a direction: of those that a relation leads to, else of all.
   * @param {number} tile
   * @param {[number, number]} way
   */
  beside(tile, way) {
    const { spots, links } = this.sheet;
    const here = spots[tile];
    const nearest = (/** @type {number[]} */ among) => {
      let best = null;
      let least = Infinity;
      for (const other of among) {
        const [x, y] = [spots[other].x - here.x, spots[other].y - here.y];
        const along = x * way[0] + y * way[1];
        const across = Math.abs(x * way[1]) + Math.abs(y * way[0]);
        const far = along + 3 * across;
        if (along > 1 && along >= across * 0.5 && far < least) [best, least] = [other, far];
      }
      return best;
    };
    const related = links.filter(([from]) => from === tile).map(([, to]) => to);
    return nearest(related) ?? nearest(spots.map((_, other) => other));
  }

  /** @param {PointerEvent} event */
  press(event) {
    const tile = this.tileOf(event);
    this.dragged = false;
    if (tile === null) return;
    this.grip = { tile, x: event.clientX, y: event.clientY, image: null, button: event.button };
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const grip = this.grip;
    if (!grip || grip.button !== 0) return;
    if (!grip.image) {
      const far = Math.hypot(event.clientX - grip.x, event.clientY - grip.y) > DRAG;
      const sort = this.stack(grip.tile).find(([owner]) => owner === this.hand);
      if (!far || !sort || this.hand === null) return;
      this.chosen = grip.tile;
      this.draw();
      grip.image = this.piece(sort[0], sort[1], 0, 0, this.sheet.spots[grip.tile].size);
      grip.image.classList.add("dragged");
      this.svg.append(grip.image);
      this.cells.setPointerCapture(event.pointerId);
    }
    const [x, y] = this.at(event);
    const size = this.sheet.spots[grip.tile].size;
    grip.image.setAttribute("transform", `translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})`);
  }

  /** Where a pointer is, in units of the picture. @param {PointerEvent} event */
  at(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.sheet.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  /** The tile under a pointer. @param {PointerEvent} event @returns {number|null} */
  under(event) {
    const found = this.shadowRoot?.elementFromPoint(event.clientX, event.clientY);
    const cell = found?.closest(".cell");
    return cell instanceof HTMLElement ? Number(cell.dataset.tile) : null;
  }

  /** @param {PointerEvent} event */
  release(event) {
    const grip = this.grip;
    const dragged = grip?.image !== null;
    this.letGo();
    if (!grip) return;
    const tile = this.under(event);
    if (grip.button === 2 && tile !== null) {
      const drawing = `${grip.tile} ${tile}`;
      const known = this.drawings.includes(drawing);
      this.drawings = known ? this.drawings.filter((one) => one !== drawing) : [...this.drawings, drawing];
      this.draw();
    } else if (dragged) {
      this.dragged = true;
      setTimeout(() => (this.dragged = false), 50);
      if (tile !== null && tile !== grip.tile) this.choose(tile);
    }
  }

  letGo() {
    this.grip?.image?.remove();
    this.grip = null;
  }

  /** Lets the piece that moved last travel to its tile. */
  travel() {
    const last = this.shown?.last;
    if (!last || last.from === null || last.to === null) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const group = this.layers?.pieces.querySelector(`[data-tile="${last.to}"]`);
    const [from, to] = [this.sheet.spots[last.from], this.sheet.spots[last.to]];
    if (to.stacks) return;
    group?.animate([{ transform: `translate(${from.px - to.px}px, ${from.py - to.py}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
  }
}

customElements.define("senet-board", SenetBoard);
