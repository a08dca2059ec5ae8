// @ts-check
/** How `<senet-board>` looks. Its colours are the variables `--senet-…` of the page, where it has them. */

const STYLE = `
:host { display: block; position: relative; --size: 60; user-select: none; -webkit-user-select: none; }
.frame { position: relative; max-width: 100%; }
svg { display: block; width: 100%; height: auto; }
.hand, .table { contain: inline-size; }
.hand { display: flex; flex-wrap: wrap; gap: 0.25rem; min-height: 0; margin: 0.25rem 0; }
.hand button { display: flex; align-items: center; gap: 0.15rem; border: 1px solid var(--senet-faint); border-radius: 5px; background: none; color: inherit; font: inherit; padding: 0 0.3rem; cursor: pointer; }
.hand button[aria-pressed="true"] { outline: 3px solid var(--senet-choice); }
.hand svg { width: 2.2rem; height: 2.2rem; }
.table { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0.4rem 0; }
.table:empty { display: none; }
.die { font-size: 2.6rem; line-height: 1; }
.cube { display: grid; place-items: center; min-width: 2rem; height: 2rem; border: 2px solid currentColor; border-radius: 5px; font-weight: 700; }
.pile { display: flex; flex-wrap: wrap; gap: 0.3rem; align-items: center; }
.card { display: grid; place-items: center; min-width: 2.6rem; height: 3.6rem; padding: 0 0.35rem; border: 1px solid #2b2a27; border-radius: 5px; background: #ffffff; color: #1b1d21; font-weight: 600; }
.card.back { background: repeating-linear-gradient(45deg, #2d4f7c 0 5px, #e8edf4 5px 8px); }
.cells { position: absolute; inset: 0; }
.cell { position: absolute; transform: translate(-50%, -50%); cursor: default; outline: none; }
.cell.live { cursor: pointer; }
.cell.own { touch-action: none; }
.cell:focus-visible { outline: 3px solid var(--senet-path); outline-offset: -3px; z-index: 1; }
.cell.spot { border-radius: 50%; }
.last { fill: var(--senet-last); fill-opacity: 0.5; stroke: var(--senet-frame); stroke-width: 2.5; stroke-dasharray: 6 6; }
.chosen { fill: var(--senet-choice); fill-opacity: 0.55; stroke: var(--senet-choice); stroke-width: 4; }
.unseen { fill: var(--senet-ink); fill-opacity: 0.22; }
.unknown { fill: var(--senet-page); stroke: var(--senet-ink); stroke-width: 4; paint-order: stroke; font-weight: 600; text-anchor: middle; dominant-baseline: central; }
.ahead { fill: var(--senet-path); fill-opacity: 0.45; stroke: var(--senet-path); stroke-width: 4; stroke-dasharray: 2 7; stroke-linecap: round; }
.check { fill: var(--senet-danger); fill-opacity: 0.5; stroke: var(--senet-danger); stroke-width: 4; }
.alarm circle { fill: #b3261e; stroke: #ffffff; stroke-width: 2; }
.alarm text { fill: #ffffff; font-weight: 700; text-anchor: middle; dominant-baseline: central; }
.target { fill: var(--senet-choice); stroke: var(--senet-page); stroke-width: 2; }
.capture { fill: none; stroke: var(--senet-choice); stroke-width: 5; }
.path { fill: none; stroke: var(--senet-path); stroke-width: 6; stroke-linecap: round; stroke-opacity: 0.8; }
.blocker { fill: none; stroke: var(--senet-danger); stroke-width: 6; }
.attack { fill: none; stroke: var(--senet-danger); stroke-width: 6; stroke-linecap: round; marker-end: url(#danger); }
.drawn { fill: none; stroke: var(--senet-path); stroke-width: 8; stroke-opacity: 0.7; stroke-linecap: round; }
.hint { fill: none; stroke: var(--senet-choice); stroke-width: 8; stroke-opacity: 0.8; stroke-linecap: round; }
.dragged { pointer-events: none; opacity: 0.85; }
.mark { fill: none; stroke: var(--senet-frame); stroke-width: 5; stroke-linecap: round; }
text { font-family: inherit; }
.tiled text[fill="var(--senet-ink)"] { fill: #1b1d21; }
.live-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
dialog { border: 1px solid var(--senet-faint); border-radius: 8px; background: var(--senet-page); color: var(--senet-ink); }
dialog .choices { display: flex; flex-wrap: wrap; gap: 0.5rem; }
dialog button { font: inherit; color: inherit; background: none; border: 1px solid var(--senet-faint); border-radius: 5px; padding: 0.3rem 0.6rem; min-width: 3rem; cursor: pointer; }
dialog svg { width: 3.4rem; height: 3.4rem; }
`;

/** Colours of a page that says nothing about them; the page's own are stronger. */
const COLOURS = { page: "#ffffff", ink: "#2b2a27", faint: "#6a655b", light: "#f3e9d2", dark: "#c9a77c", middle: "#e2cda6", frame: "#6d5238", line: "#8a7355", last: "#e8b93a", choice: "#2f8f5b", danger: "#cf3b34", path: "#2d6fb7" };
for (const [name, initialValue] of Object.entries(COLOURS)) {
  CSS.registerProperty({ name: `--senet-${name}`, syntax: "<color>", inherits: true, initialValue });
}

export const look = new CSSStyleSheet();
look.replaceSync(STYLE);
