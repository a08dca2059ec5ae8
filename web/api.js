// @ts-check
/**
 * How pages talk to the server.
 * @typedef {{event: string, notation: string, from: number|null, to: number|null, kind: number|null, ends?: boolean}} Legal
 * @typedef {{player: number, pieces: [number, [number, number, number][]][], hands: [number, number][][], dice: number[], cube: {value: number, owner: number|null}|null, piles?: {pile: string, owner: number|null, count: number, cards?: string[]}[], marks: {mark: string, tiles: number[]}[], check: number[], text?: string, facts: string[], hash: string, unseen?: number[], hidden?: string[]}} Position
 * @typedef {{cell: string, x: number, y: number, w: number, h: number, px: number, py: number, size: number, step: number, stacks: boolean}} Spot
 * @typedef {{style: string, svg: string, width: number, height: number, spots: Spot[], links: [number, number][], labels: string[]}} Side
 * @typedef {{name: string, definition: string, summary: string|null, players: string[], tiles: number, shipped: boolean, secrets: boolean, kinds: string[], pictures: string[][], colors: string[], sides: Side[], turns: boolean, forms: string[]}} Game
 * @typedef {{player: number, seat: number|null, notation: string, roll: boolean, name: string}} Played
 * @typedef {{player: string, name: string|null, taken: boolean, kind: string, left: number}} Seat
 * @typedef {{match: string, game: string, definition: string, number: number, ply: number, status: string, you: number[], seats: Seat[], clock: {control: {kind: string}, running: number|null}, mover: number|null, position: Position, moves: {from: number, list: Played[]}, last: {from: number|null, to: number|null}|null, offer: {seat: number, offer: string, agreed?: number[]}|null, result: {winner: number|null, text: string}|null, next: string|null, draw: boolean, commitment: string, seed?: string, legal?: Legal[], asides?: {event: string, notation: string}[], roll?: boolean}} State
 */

/** A refusal of the server, with everything it says. */
export class Problem extends Error {
  /** @param {any} body */
  constructor(body) {
    super(body.detail ?? "the server does not answer");
    this.body = body;
  }
}

/**
 * Sends a request and reads the answer: JSON, or a file as it is.
 * @param {string} path
 * @param {{method?: string, body?: any, text?: string, token?: string|null, file?: boolean}} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (options.token) headers["authorization"] = `Bearer ${options.token}`;
  let body = options.text;
  if (options.body !== undefined) {
    body = JSON.stringify(options.body);
    headers["content-type"] = "application/json";
  } else if (body !== undefined) {
    headers["content-type"] = "text/plain";
  }
  const method = options.method ?? (body === undefined ? "GET" : "POST");
  let response;
  try {
    response = await fetch(path, { method, headers, body });
  } catch {
    throw new Problem({ code: "offline", detail: "the server cannot be reached; trying again helps" });
  }
  if (options.file && response.ok) return response.text();
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(answer);
  return answer;
}

/**
 * A match that is followed over a WebSocket and, after a break, followed again.
 */
export class Follower {
  /**
   * @param {string} id
   * @param {() => string|null} token
   * @param {{state: (state: State) => void, connected: (up: boolean) => void, missing: (problem: Problem) => void}} hear
   */
  constructor(id, token, hear) {
    this.id = id;
    this.token = token;
    this.hear = hear;
    this.tries = 0;
    this.requests = 0;
    /** Whether the server ever said anything about the match. */
    this.known = false;
    /** @type {Map<number, {type: "play"|"act", body: any, done: (answer: any) => void, failed: (problem: Problem) => void}>} */
    this.waiting = new Map();
    /** @type {Played[]} */
    this.moves = [];
    /** @type {WebSocket|null} */
    this.socket = null;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/matches/${this.id}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      socket.send(JSON.stringify({ type: "hello", token: this.token() }));
      // A move that was not answered is sent again: the server plays it once, whatever became of it before.
      for (const [request, { type, body }] of this.waiting) socket.send(JSON.stringify({ type, request, body }));
      this.hear.connected(true);
    };
    socket.onmessage = (message) => this.read(JSON.parse(message.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      for (const [request, one] of this.waiting) {
        if (one.type === "play") continue;
        this.waiting.delete(request);
        one.failed(new Problem({ code: "offline", detail: "the connection broke; try again when it is back" }));
      }
      this.tries += 1;
      void this.again(socket);
    };
  }

  /** Connects again, unless there is no such match. @param {WebSocket} socket The one that broke. */
  async again(socket) {
    // Browsers do not tell why a WebSocket is refused.
    const why = this.known ? null : await ask(`/api/matches/${encodeURIComponent(this.id)}`).catch((problem) => problem);
    if (this.socket !== socket) return;
    if (why instanceof Problem && why.body.status === 404) {
      this.socket = null;
      this.hear.missing(why);
      return;
    }
    this.hear.connected(false);
    setTimeout(() => this.socket === socket && this.open(), Math.min(250 * 2 ** this.tries, 5000));
  }

  /** Starts anew, as after taking a seat. */
  reopen() {
    const before = this.socket;
    this.socket = null;
    before?.close();
    this.open();
  }

  /** @param {any} message */
  read(message) {
    if (message.type === "state") {
      this.known = true;
      /** @type {State} */
      const state = message.state;
      if (state.moves.from > this.moves.length) {
        this.socket?.send(JSON.stringify({ type: "whole" }));
        return;
      }
      this.moves = this.moves.slice(0, state.moves.from).concat(state.moves.list);
      this.hear.state(state);
      return;
    }
    const waiting = this.waiting.get(message.request);
    this.waiting.delete(message.request);
    if (message.type === "answer") waiting?.done(message.answer);
    else waiting?.failed(new Problem(message.problem));
  }

  /**
   * @param {"play"|"act"} type
   * @param {any} body
   * @returns {Promise<any>}
   */
  send(type, body) {
    const request = (this.requests += 1);
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(new Problem({ code: "offline", detail: "not connected; wait a moment" }));
        return;
      }
      this.waiting.set(request, { type, body, done, failed });
      this.socket.send(JSON.stringify({ type, request, body }));
    });
  }
}
