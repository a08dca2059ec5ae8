// Runs the tests of the pages in a real browser; stage.mjs says what it needs.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { tests as access } from "./access.mjs";
import { tests as page } from "./page.mjs";
import { tests as play } from "./play.mjs";
import { tests as secret } from "./secret.mjs";
import { SHOTS, browser, folder, server, shot, trial } from "./stage.mjs";

let failed = 0;

/** Runs a test with browsers of its own. @param {string} name @param {() => Promise<void>} test */
async function run(name, test) {
  const store = { contexts: [], errors: [] };
  const begun = Date.now();
  try {
    await trial.run(store, test);
    assert.deepEqual(store.errors, [], "errors in the console");
    console.log(`ok ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}`);
    const pages = store.contexts.flatMap((context) => context.pages());
    if (SHOTS) for (const page of pages) await shot(page, `failed-${failed}-${pages.indexOf(page)}`).catch(() => undefined);
  }
  for (const context of store.contexts) await context.close();
}

try {
  const only = process.argv[2];
  const all = Object.entries({ ...play, ...secret, ...page, ...access }).filter(([name]) => !only || name.includes(only));
  // Whoever kills the server waits until nobody else needs it.
  const alone = all.filter(([name]) => name.includes("killed"));
  const others = all.filter(([name]) => !name.includes("killed"));
  const lane = async () => {
    for (let next = others.shift(); next; next = others.shift()) await run(...next);
  };
  await Promise.all([lane(), lane()]);
  for (const one of alone) await run(...one);
} finally {
  await browser.close();
  server.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
