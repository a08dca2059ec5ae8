// @ts-check
import { Picture, parsed, shape } from "./picture.js";

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
 * @typedef {import("./api.js").Legal} Legal
 */

/** How far a pointer moves before a piece is dragged, in pixels. */
const DRAG = 6;

export class SenetBoard extends Picture {
  constructor() {
    super();
    /** @type {{tile: number, x: number, y: number, image: SVGElement|null, button: number}|null} */
    this.grip = null;
    this.dragged = false;
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
}

customElements.define("senet-board", SenetBoard);
