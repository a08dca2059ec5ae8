// The grammar in the engine that Visual Studio Code uses, over every shipped game: `npm test`.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Both are CommonJS modules.
const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));

const file = new URL("../syntaxes/senet.tmLanguage.json", import.meta.url);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(file, "utf8"), fileURLToPath(file)),
});
const grammar = await registry.loadGrammar("source.senet");

/** The tokens of a text: what is written, its innermost scope, and where it is. */
function* tokens(text) {
  let stack = textmate.INITIAL;
  for (const [index, line] of text.split("\n").entries()) {
    const found = grammar.tokenizeLine(line, stack);
    for (const { startIndex, endIndex, scopes } of found.tokens) {
      yield { text: line.slice(startIndex, endIndex), scopes, line: index + 1, column: startIndex };
    }
    stack = found.ruleStack;
    assert.equal(stack.depth, 1, `line ${index + 1} leaves something open: ${line}`);
  }
}

// The words of the language, from the head of each entry of the page that lists them.
// Single letters are names more often.
const heads = [...read("../../../docs/words.md").matchAll(/^`([^`]+)`/gm)].map((found) => found[1]);
const forms = heads.map((head) => head.replace(/"[^"]*"/g, " "));
const words = new Set(forms.flatMap((form) => form.match(/(?<![\w-])[a-z][a-z-]+(?![\w-])/g) ?? []));
assert.ok(words.size > 100, `the page lists ${words.size} words`);

const games = new URL("../../../games/", import.meta.url);
const names = readdirSync(games).filter((name) => name.endsWith(".senet"));
assert.ok(names.length > 30, `there are ${names.length} games`);
let count = 0;
const plain = new Set();
for (const name of names) {
  const text = readFileSync(new URL(name, games), "utf8");
  for (const token of tokens(text)) {
    const place = `${name}:${token.line}:${token.column + 1}: \`${token.text}\``;
    const scope = token.scopes.at(-1);
    count += 1;
    assert.ok(!token.scopes.some((one) => one.includes("invalid")), place);
    if (/^\s*--/.test(token.text)) assert.match(scope, /^comment/, place);
    // A line that is not indented begins with the word of its statement.
    if (token.column === 0 && /^[a-z]/.test(token.text)) {
      assert.match(scope, /^keyword\.control/, place);
    }
    if (scope !== "source.senet") continue;
    for (const word of token.text.match(/(?<![\w-])[a-z][a-z-]+(?![\w-])/g) ?? []) {
      if (words.has(word)) plain.add(`${place}: ${word}`);
    }
  }
}
assert.deepEqual([...plain], [], "words without a colour");
console.log(`${count} tokens of ${names.length} games`);
