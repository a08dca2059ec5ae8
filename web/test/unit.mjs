// What pages compute without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { actText, clockText, moveText, nameOf, titled } from "../page.js";

test("a clock shows what is left, rounded up", () => {
  assert.equal(clockText(0), "0:00");
  assert.equal(clockText(61_000), "1:01");
  assert.equal(clockText(59_001), "1:00");
  assert.equal(clockText(3_600_000), "1:00:00");
  assert.equal(clockText(2 * 86_400_000 + 3_600_000), "2 d 1 h");
});

test("what chance gives is told apart from what was chosen", () => {
  assert.equal(moveText({ notation: "Nf3", roll: false }), "Nf3");
  assert.equal(moveText({ notation: "31", roll: true }), "rolls 31");
  assert.equal(moveText({ notation: "roll:queen", roll: true }), "queen comes up");
  assert.equal(moveText({ notation: "?", roll: true }), "?");
});

test("what a button says is written without signs", () => {
  assert.equal(actText({ notation: "resign-single" }), "resign single");
  assert.equal(actText({ notation: "roll:queen" }), "queen");
});

test("the name of a game is a title", () => {
  assert.equal(titled("king-of-the-hill"), "King of the hill");
  assert.equal(titled("chess960"), "Chess960");
  assert.equal(titled(""), "");
});

test("a bot has a name that people read", () => {
  assert.equal(nameOf({ name: "search@2", kind: "bot" }), "Machine, easy");
  assert.equal(nameOf({ name: "mcts@5", kind: "bot" }), "Machine, by random playouts");
  assert.equal(nameOf({ name: "uci:stockfish", kind: "bot" }), "stockfish");
  assert.equal(nameOf({ name: "search@2", kind: "anyone" }), "search@2");
  assert.equal(nameOf({ name: null, kind: "invited" }), null);
});
