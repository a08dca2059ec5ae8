// @ts-check
import { look } from "./look.js";
import { refill } from "./page.js";

/**
 * The picture of a board: tiles, pieces, hands, signs, and the words that are read aloud.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Legal} Legal
 * @typedef {import("./api.js").Position} Position
 * @typedef {{path: number[], blocker: number|null, attacks: {from: number, on: number}[], reasons?: {tile: number|null}[]}} Why
 * @typedef {{position: Position, legal?: Legal[], last?: {from: number|null, to: number|null}|null}} Shown
 */

const SVG = "http://www.w3.org/2000/svg";

/** How many pieces of a pile are drawn; the rest is told by a number. */
const PILE = 5;

/** How much smaller than a tile its outline is, so that the line lies inside. */
const EDGE = 4;

/** @param {string} name @param {Record<string, any>} [attributes] */
export function shape(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Forms of SVG as a group. @param {string} text */
export function parsed(text) {
  const read = new DOMParser().parseFromString(`<svg xmlns="${SVG}"><g>${text}</g></svg>`, "image/svg+xml");
  const group = read.documentElement.firstElementChild;
  return /** @type {SVGGElement} */ (document.importNode(/** @type {Element} */ (group), true));
}

/** Legal moves with everything that the server leaves out because it is null or said already. @param {any[]} legal @returns {Legal[]} */
export function filled(legal) {
  return legal.map((one) => ({ notation: one.event, from: null, to: null, kind: null, ...one }));
}

/** Something small that is seen and read aloud. @param {string} look @param {string} words @param {string} text */
function sign(look, words, text) {
  const element = document.createElement("span");
  element.className = look;
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", words);
  element.textContent = text;
  return element;
}

/** What a board shows. It draws what it is told; `board.js` tells what the player wants. */
export class Picture extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [look];
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
    this.table = document.createElement("div");
    this.table.className = "table";
    this.said = document.createElement("div");
    this.said.className = "live-text";
    this.said.setAttribute("aria-live", "polite");
    this.chooser = document.createElement("dialog");
    this.chooser.setAttribute("aria-label", "Choose");
    root.append(this.handAbove, this.frame, this.handBelow, this.table, this.said, this.chooser);
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
    /** @type {Why|null} */
    this.why = null;
    /** @type {{from: number|null, to: number|null}|null} */
    this.advice = null;
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
    this.shown = { ...shown, legal: filled(shown.legal ?? []) };
    this.chosen = this.held = null;
    this.why = this.advice = null;
    this.drawings = [];
    this.draw();
    if (before && before.position.hash !== shown.position.hash) this.travel();
  }

  /** Shows why a move is refused. @param {Why} why */
  explain(why) {
    this.why = why;
    this.draw();
  }

  /** Shows a move that somebody advises. @param {{from: number|null, to: number|null}} advice */
  advise(advice) {
    this.advice = advice;
    this.draw();
  }

  /** Focus goes to the tile that had it last. */
  focus() {
    this.tiles[this.focused]?.focus();
  }

  /** Says something to those who listen. @param {string} text */
  announce(text) {
    this.said.textContent = text;
  }

  /** @returns {Legal[]} */
  get legal() {
    return this.shown?.legal ?? [];
  }

  /** The player whose pieces can be taken up; nobody on a board that only shows. @returns {number|null} */
  get hand() {
    return null;
  }

  /** Makes the board and a cell for each tile. */
  layOut() {
    const { width, height, spots, svg, labels } = this.sheet;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    // Names that stand on tiles are dark on dark pages too, where tiles are not.
    this.svg.classList.toggle("tiled", spots.every((spot) => spot.cell === "square" || spot.cell === "hexagon"));
    // A lone tile, as in a game of cards, need not fill the page, and a high board is seen whole.
    this.frame.style.width = spots.length === 1 ? "12rem" : `max(18rem, (100vh - 9.5rem) * ${width / height})`;
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
    for (const tile of position.check) {
      tint(tile, "check");
      signs.append(this.alarm(tile));
    }
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
    this.drawTable();
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
    const { x, y } = spot;
    const [w, h] = [spot.w - EDGE, spot.h - EDGE];
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

  /** A sign that what stands on a tile is in check. @param {number} tile */
  alarm(tile) {
    const { px, py, size } = this.sheet.spots[tile];
    const [x, y, r] = [px + size * 0.34, py - size * 0.34, size * 0.15];
    const group = shape("g", { class: "alarm" });
    const text = shape("text", { x, y, "font-size": r * 1.7 });
    text.textContent = "!";
    group.append(shape("circle", { cx: x, cy: y, r }), text);
    return group;
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
      const { path, attacks, reasons } = this.why;
      // Where nothing stands in the way, the tile that the refusal is about is circled.
      const about = attacks.length ? null : (reasons?.find(({ tile }) => tile !== null)?.tile ?? null);
      const blocker = this.why.blocker ?? about;
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
      refill(
        place,
        this,
        ...(hands[owner] ?? []).map(([kind, count]) => {
          const button = document.createElement("button");
          button.type = "button";
          button.dataset.key = String(kind);
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

  /** Dice, the cube and cards, which lie beside the board. */
  drawTable() {
    const { dice, cube, piles } = /** @type {Shown} */ (this.shown).position;
    const { players } = this.game;
    const named = (/** @type {string} */ name, /** @type {number|null} */ owner) => (owner === null ? name : `${name} of ${players[owner]}`);
    const card = (/** @type {string|null} */ name) => sign(name === null ? "card back" : "card", name ?? "a card face down", name ?? "");
    this.table.replaceChildren(
      ...dice.map((pips) => sign("die", `die ${pips}`, "⚀⚁⚂⚃⚄⚅"[pips - 1] ?? String(pips))),
      ...(cube ? [sign("cube", named(`cube ${cube.value}`, cube.owner), String(cube.value)), named(cube.owner === null ? "in the middle" : "cube", cube.owner)] : []),
      ...(piles ?? []).map(({ pile, owner, count, cards }) => {
        const group = document.createElement("div");
        group.className = "pile";
        const shown = cards?.map(card) ?? Array.from({ length: Math.min(count, PILE) }, () => card(null));
        group.append(`${named(pile, owner)}${!cards && count > PILE ? `, ${count}` : ""} `, ...shown);
        return group;
      }),
    );
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
    const { position, last } = /** @type {Shown} */ (this.shown);
    const unseen = new Set(position.unseen ?? []);
    this.tiles.forEach((cell, tile) => {
      const sorts = this.stack(tile);
      const words = sorts.map(([owner, kind, count]) => `${count > 1 ? `${count} × ` : ""}${this.game.players[owner]} ${this.game.kinds[kind]}`);
      const parts = [labels[tile], ...(words.length ? words : [unseen.has(tile) ? "not seen" : "empty"])];
      const to = leads.get(tile);
      if (to) parts.push(`can move to ${to.length > 6 ? `${to.length} tiles` : to.join(", ")}`);
      if (this.chosen === tile) parts.push("chosen");
      if (this.premove?.to === tile) parts.push("target of the move chosen ahead");
      if (targets.has(tile)) parts.push("legal target");
      if (position.check.includes(tile)) parts.push("in check");
      if (last?.from === tile) parts.push("the last move began here");
      if (last?.to === tile) parts.push("the last move ended here");
      cell.setAttribute("aria-label", parts.join(", "));
      cell.setAttribute("aria-selected", String(this.chosen === tile));
      cell.classList.toggle("live", to !== undefined || targets.has(tile) || puts.has(tile));
      cell.classList.toggle("own", this.hand !== null && sorts.some(([owner]) => owner === this.hand));
    });
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
