// @ts-check
/**
 * The rules of a game as a WebAssembly module, and a simple opponent that plays by them. What the
 * module exports is described in docs/wasm.md.
 *
 * @typedef {[number, number, number]} Field A word, the bits below the number in it, and its bits.
 * @typedef {{min: number, max: number, fields: Field[]}} Variable One field, or one for each player.
 * @typedef {{words: number, width: number, tiles: number, owners: number[], kinds: number[], marks: {name: string, word: number}[], counts: {tile: number, owner: number, kind: number, field: Field}[], hands: {owner: number, kind: number, field: Field}[], turn: Field, dice: Field[], outcomes: {shown: string, dice: [number, number][], weight: number}[], actions: string[], endings: {name: string, winners: (number|null)[]}[], repetitions: {times: Variable, within: Variable}|null}} Layout
 * @typedef {import("./api.js").Position} Position
 * @typedef {{word: bigint, sort: "move"|"dice"|"put"|"roll"|"act"|"pick", from: number|null, to: number|null, kind: number|null, argument: number}} Event
 */

/** What stands in the place of a source tile where there is none. */
const SORTS = /** @type {Record<number, "put"|"roll"|"act"|"pick"|undefined>} */ ({ 0xffff: "put", 0xfffe: "roll", 0xfffd: "act", 0xfffc: "pick" });

/** In the argument of a move: the move is by dice. */
const BY_DICE = 0x8000;

/** How many events random play goes on before pieces are counted. */
const FAR = 40;

export class Rules {
  /** @param {any} exports @param {Layout} layout */
  constructor(exports, layout) {
    this.exports = exports;
    this.layout = layout;
    exports.init();
    this.at = exports.work.value;
    this.memory = new BigUint64Array(exports.memory.buffer, this.at, (exports.room.value - this.at) / 8);
    this.start();
  }

  /** @param {Uint8Array} bytes @param {Layout} layout */
  static async open(bytes, layout) {
    const { instance } = await WebAssembly.instantiate(/** @type {BufferSource} */ (bytes));
    return new Rules(instance.exports, layout);
  }

  start() {
    this.memory.fill(0n);
    this.exports.start(this.at);
  }

  /** The state, to be put back later. */
  save() {
    return this.memory.slice();
  }

  /** @param {BigUint64Array} state */
  restore(state) {
    this.memory.set(state);
  }

  /** @param {Field} field */
  number([word, shift, bits]) {
    return Number((this.memory[word] >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n));
  }

  /** @param {Field} field @param {number} value */
  put([word, shift, bits], value) {
    const mask = ((1n << BigInt(bits)) - 1n) << BigInt(shift);
    this.memory[word] = (this.memory[word] & ~mask) | (BigInt(value) << BigInt(shift));
  }

  /** The hash of the position. */
  get hash() {
    return BigInt.asUintN(64, this.exports.hash(this.at)).toString(16);
  }

  /**
   * Notes how often the position has come up, where the rules ask for that: a module sees one position at
   * a time.
   * @param {string[]} before The hashes of the positions before it, the oldest first.
   */
  recall(before) {
    if (!this.layout.repetitions) return;
    const { times, within } = this.layout.repetitions;
    const of = (/** @type {Variable} */ one) => one.fields[one.fields.length > 1 ? this.player : 0];
    const far = this.number(of(within)) + within.min;
    const [hash, met] = [this.hash, far > 0 ? before.slice(-far) : []];
    const count = 1 + met.filter((one) => one === hash).length;
    this.put(of(times), Math.min(count, times.max) - times.min);
  }

  /** Whether a tile is in the plane that begins at a word. @param {number} plane @param {number} tile */
  has(plane, tile) {
    return ((this.memory[plane + (tile >> 6)] >> BigInt(tile & 63)) & 1n) === 1n;
  }

  get player() {
    return this.number(this.layout.turn);
  }

  /** The legal events, as words. */
  words() {
    const room = this.exports.room.value;
    const end = this.exports.legal(this.at, room, 1);
    return new BigUint64Array(this.exports.memory.buffer, room, (end - room) / 8).slice();
  }

  /** @param {bigint} word @returns {Event} */
  event(word) {
    const [source, target, argument] = [48n, 32n, 16n].map((shift) => Number((word >> shift) & 0xffffn));
    const sort = SORTS[source] ?? (argument & BY_DICE ? "dice" : "move");
    const from = sort === "move" || sort === "dice" ? source : null;
    const to = sort === "roll" || sort === "act" ? null : target;
    const kind = sort === "put" ? argument : sort === "move" && argument > 0 ? argument - 1 : null;
    return { word, sort, from, to, kind, argument };
  }

  /** Carries out a legal event. @param {bigint} word */
  apply(word) {
    this.exports.apply(this.at, word);
  }

  /** How the game ended; null while it goes on. @returns {{winner: number|null, name: string}|null} */
  outcome() {
    const told = this.exports.outcome(this.at);
    if (told === 0) return null;
    const { name, winners } = this.layout.endings[(told & 0xff) - 1];
    return { name, winner: winners[told >> 8] ?? null };
  }

  /** What stands on a tile: owner, kind and number. @param {number} tile @returns {[number, number, number][]} */
  stack(tile) {
    const counted = this.layout.counts.filter((one) => one.tile === tile);
    if (counted.length) {
      const sorts = counted.map(({ owner, kind, field }) => /** @type {[number, number, number]} */ ([owner, kind, this.number(field)]));
      return sorts.filter(([, , count]) => count > 0);
    }
    const owner = this.layout.owners.findIndex((plane) => this.has(plane, tile));
    const kind = this.layout.kinds.findIndex((plane) => this.has(plane, tile));
    return owner < 0 || kind < 0 ? [] : [[owner, kind, 1]];
  }

  /** The position as a board wants it. @returns {Position} */
  position() {
    const { tiles, marks, hands, dice, owners } = this.layout;
    const all = Array.from({ length: tiles }, (_, tile) => tile);
    const pieces = all.map((tile) => /** @type {[number, [number, number, number][]]} */ ([tile, this.stack(tile)]));
    const held = owners.map((_, player) => hands.filter((one) => one.owner === player).map(({ kind, field }) => /** @type {[number, number]} */ ([kind, this.number(field)])));
    return {
      player: this.player,
      pieces: pieces.filter(([, sorts]) => sorts.length > 0),
      hands: held.map((hand) => hand.filter(([, count]) => count > 0)),
      dice: dice.map((field) => this.number(field)).filter((shown) => shown > 0),
      cube: null,
      marks: marks.map(({ name, word }) => ({ mark: name, tiles: all.filter((tile) => this.has(word, tile)) })),
      check: [],
      text: "",
      facts: [],
      hash: this.hash,
    };
  }

  /**
   * The tile on which a player sees an event end. When a king castles, the rules name the tile of the
   * rook, but the king is seen elsewhere.
   * @param {Event} event
   */
  landing(event) {
    if (event.from === null || event.to === null || event.sort !== "move") return event.to;
    const [before, player] = [this.save(), this.player];
    const kind = this.stack(event.from).find(([owner]) => owner === player)?.[1];
    const stands = (/** @type {number} */ tile) => this.stack(tile).some(([owner, one]) => owner === player && one === kind);
    const all = Array.from({ length: this.layout.tiles }, (_, tile) => tile);
    const stood = new Set(all.filter(stands));
    this.apply(event.word);
    const there = this.stack(event.to).some(([owner]) => owner === player);
    const fresh = all.filter((tile) => stands(tile) && !stood.has(tile));
    this.restore(before);
    return !there && fresh.length === 1 ? fresh[0] : event.to;
  }

  /** One of several events of chance, as likely as the rules say. @param {Event[]} rolls */
  roll(rolls) {
    const weight = (/** @type {Event} */ one) => this.layout.outcomes[one.argument].weight;
    let at = Math.random() * rolls.reduce((sum, one) => sum + weight(one), 0);
    for (const one of rolls) {
      at -= weight(one);
      if (at < 0) return one;
    }
    return rolls[rolls.length - 1];
  }

  /** What random play from here is worth to a player, from 0 to 1. @param {number} player */
  worth(player) {
    for (let step = 0; step < FAR; step += 1) {
      const ended = this.outcome();
      if (ended) return ended.winner === null ? 0.5 : ended.winner === player ? 1 : 0;
      const words = this.words();
      if (words.length === 0) return 0.5;
      const first = this.event(words[0]);
      const word = first.sort === "roll" ? this.roll([...words].map((one) => this.event(one))).word : words[Math.floor(Math.random() * words.length)];
      this.apply(word);
    }
    let [own, all] = [0, 0];
    for (const [, sorts] of this.position().pieces) {
      for (const [owner, , count] of sorts) {
        all += count;
        if (owner === player) own += count;
      }
    }
    return all === 0 ? 0.5 : 0.25 + 0.5 * (own / all);
  }

  /**
   * What a simple opponent plays: the event after which random play went best.
   * @param {number} time In milliseconds.
   * @returns {bigint|null}
   */
  think(time) {
    const [words, player, before] = [this.words(), this.player, this.save()];
    if (words.length === 0) return null;
    // What wins at once needs no play.
    for (const word of words) {
      this.restore(before);
      this.apply(word);
      if (this.outcome()?.winner === player) {
        this.restore(before);
        return word;
      }
    }
    // One after another from anywhere: where there are many, not all get their turn.
    const tried = Array.from(words, () => ({ sum: 0, count: 0 }));
    const until = performance.now() + time;
    let at = Math.floor(Math.random() * words.length);
    do {
      this.restore(before);
      this.apply(words[at]);
      tried[at].sum += this.worth(player);
      tried[at].count += 1;
      at = (at + 1) % words.length;
    } while (performance.now() < until);
    this.restore(before);
    const worth = tried.map(({ sum, count }) => (count === 0 ? -1 : sum / count));
    return words[worth.indexOf(Math.max(...worth))];
  }
}
