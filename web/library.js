// @ts-check
import { ask } from "./api.js";
import { find, make, titled } from "./page.js";

const dialog = /** @type {HTMLDialogElement} */ (find("rules"));

/** Shows the rules of a game in words. @param {any} game */
async function rules(game) {
  const told = await ask(`/api/games/${game.definition}/rules`);
  find("rules-title").textContent = `${titled(game.name)}: rules`;
  const parts = told.phases.flatMap((/** @type {any} */ phase) => [
    phase.name ? make("h3", {}, phase.name) : null,
    make("ul", {}, ...phase.rules.map((/** @type {any} */ rule) => {
      const more = [rule.when && `only if ${rule.when}`, rule.ensures && `afterwards ${rule.ensures}`, rule.aside].filter(Boolean);
      return make("li", {}, make("strong", {}, rule.name), more.length ? `: ${more.join("; ")}` : "");
    })),
  ]);
  const endings = make("ul", {}, ...told.endings.map((/** @type {any} */ one) => make("li", {}, make("strong", {}, one.name), `: ${one.winner ?? "a draw"} when ${one.when}`)));
  find("rules-text").replaceChildren(...parts.filter(Boolean), make("h3", {}, "Endings"), endings);
  dialog.showModal();
}

/** A game in the list. @param {any} game */
function card(game) {
  const name = titled(game.name);
  const named = (/** @type {string} */ what) => ({ "aria-label": `${what}: ${name}` });
  const picture = make("img", { src: `/api/games/${game.definition}/picture.svg`, alt: `${name} at the start`, loading: "lazy", width: 240, height: 176 });
  const actions = make(
    "div",
    { class: "row" },
    make("a", { class: "button main", href: `/?game=${game.name}`, ...named("Play") }, "Play"),
    make("a", { class: "button", href: `/analysis?game=${game.name}`, ...named("Analyse") }, "Analyse"),
    make("button", { type: "button", onclick: () => rules(game), ...named("Rules") }, "Rules"),
  );
  const row = make("li", {}, picture, make("h2", {}, name), make("p", {}, game.summary ?? ""), actions);
  row.dataset.words = `${name} ${game.name} ${game.summary ?? ""}`.toLowerCase();
  return row;
}

/** Shows the games in which all words are. */
function filter() {
  const words = /** @type {HTMLInputElement} */ (find("filter")).value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#games li"))) {
    const fits = words.every((word) => one.dataset.words?.includes(word));
    one.hidden = !fits;
    if (fits) count += 1;
  }
  find("notice").textContent = count ? "" : "No game has all these words.";
}

find("close").addEventListener("click", () => dialog.close());
find("filter").addEventListener("input", filter);
try {
  const { games } = await ask("/api/games");
  find("games").replaceChildren(...games.map(card));
} catch (problem) {
  find("notice").textContent = /** @type {Error} */ (problem).message;
}
