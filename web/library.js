// @ts-check
import { ask } from "./api.js";
import { find, make } from "./page.js";

const dialog = /** @type {HTMLDialogElement} */ (find("rules"));

/** Shows the rules of a game in words. @param {any} game */
async function rules(game) {
  const told = await ask(`/api/games/${game.definition}/rules`);
  find("rules-title").textContent = `${game.name}: rules`;
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

find("close").addEventListener("click", () => dialog.close());
try {
  const { games } = await ask("/api/games");
  find("games").replaceChildren(
    ...games.map((/** @type {any} */ game) =>
      make("li", {},
        make("img", { src: `/api/games/${game.definition}/picture.svg`, alt: `${game.name} at the start`, loading: "lazy" }),
        make("h2", {}, game.name),
        make("p", {}, game.summary ?? ""),
        make("div", { class: "row" }, make("a", { href: `/?game=${game.name}` }, "Play now"), make("a", { href: `/analysis?game=${game.name}` }, "Analyse"), make("button", { type: "button", onclick: () => rules(game) }, "Rules")),
      ),
    ),
  );
} catch (problem) {
  find("notice").textContent = /** @type {Error} */ (problem).message;
}
