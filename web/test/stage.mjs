// What all tests of the pages stand on: the server, the browser, and people who play. SENET is the
// command, with the server in it; CHROMIUM the browser; SHOTS, where it is set, a folder for screenshots.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { titled } from "../page.js";

export const SENET = process.env.SENET ?? "senet";
export const SHOTS = process.env.SHOTS;
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const folder = mkdtempSync(join(tmpdir(), "senet-web-"));

/** Starts the server, on a port that the system chooses or on one it had before. */
async function serve(port = 0) {
  const args = ["serve", "--json", "--rate", "0", "--matches", "0", "--listen", `127.0.0.1:${port}`, "--database", join(folder, "senet.db")];
  const child = spawn(SENET, args, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, failed) => {
    child.stdout.once("data", (line) => done(JSON.parse(line).address));
    child.once("exit", () => failed(new Error("the server does not start")));
  });
  return { child, address, origin: `http://${address}` };
}

/** The server that runs. */
export const server = await serve();

/** Starts the server that was killed on the port it had. */
export async function restart() {
  Object.assign(server, await serve(Number(server.address.split(":")[1])));
}

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
/** What belongs to the test that runs: its contexts, and what went wrong in their pages. */
export const trial = new AsyncLocalStorage();

/** A browser of one person. */
export async function person(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: server.origin, ...options });
  const { contexts, errors } = trial.getStore();
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && !/WebSocket|ERR_|status of 4/.test(message.text()) && errors.push(message.text()));
  return page;
}

export const cell = (page, name) => page.locator(`senet-board .cell[data-name="${name}"]`);
export async function click(page, ...names) {
  for (const name of names) await cell(page, name).click();
}
export const status = (page, text) => page.waitForFunction((wanted) => document.getElementById("status")?.textContent.includes(wanted), text);
export const ply = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll("#moves li").length >= wanted, count);

export async function shot(page, name) {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

export async function checkAccess(page, name) {
  await page.evaluate(`${axeSource};0`);
  const { violations } = await page.evaluate(() => axe.run(document, { preload: location.protocol !== "file:" }));
  const told = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 100)).slice(0, 3).join(" | ")}`);
  assert.deepEqual(told, [], `accessibility of ${name}`);
}

/** Arranges a match in the lobby. */
export async function create(page, { game, opponent = "invite", side = 0, clock = "none" }) {
  await page.goto("/");
  await page.waitForFunction(() => document.querySelectorAll("#game option").length > 20);
  await page.selectOption("#game", { label: titled(game) });
  await page.selectOption("#opponent", opponent);
  await page.selectOption("#side", String(side));
  await page.selectOption("#clock", clock);
  await page.click("button[type=submit]");
  await page.waitForURL("**/play/*");
  await page.waitForSelector("senet-board .cell");
}

export async function invite(page, options = {}) {
  const link = await page.inputValue("input.link");
  const friend = await person(options);
  await friend.goto(link);
  await friend.click("#sit");
  await friend.waitForFunction(() => document.getElementById("seats")?.textContent.includes("(you)"));
  assert.ok(!friend.url().includes("#"), "the invitation leaves the address");
  return friend;
}

/** Plays moves by clicks, tile after tile in pairs, each when the one before is shown. */
export async function move(page, ...names) {
  for (let at = 0; at < names.length; at += 2) {
    const count = await page.locator("#moves li").count();
    await click(page, names[at], names[at + 1]);
    await ply(page, count + 1);
  }
}
