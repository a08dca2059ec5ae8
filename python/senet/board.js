// A board in a notebook: the picture comes from Python, and what is pressed goes back there.
const SVG = "http://www.w3.org/2000/svg";

function element(name, parent, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

function render({ model, el }) {
  const send = (kind, value = null) => model.send({ kind, value });
  el.classList.add("senet-board");
  const stage = element("div", el);
  stage.className = "senet-stage";
  const picture = element("div", stage);
  const cover = document.createElementNS(SVG, "svg");
  stage.append(cover);
  const message = element("p", el);
  message.setAttribute("role", "status");
  const choices = element("div", el);
  choices.className = "senet-choices";
  const tools = element("div", el);
  const tool = (kind, text) => {
    const button = element("button", tools, text);
    button.addEventListener("click", () => send(kind));
    return button;
  };
  const undo = tool("undo", "undo");
  const redo = tool("redo", "redo");
  tool("flip", "flip");

  function showPicture() {
    picture.innerHTML = model.get("svg");
    const drawn = picture.querySelector("svg");
    cover.setAttribute("viewBox", drawn.getAttribute("viewBox"));
  }
  function showTiles() {
    const focused = document.activeElement?.getAttribute("data-tile");
    cover.replaceChildren();
    for (const [tile, label, x, y, width, height] of model.get("tiles")) {
      const place = document.createElementNS(SVG, "rect");
      const facts = { x, y, width, height, role: "button", tabindex: 0, "data-tile": tile };
      for (const [name, value] of Object.entries(facts)) place.setAttribute(name, value);
      place.setAttribute("aria-label", label);
      place.addEventListener("click", () => send("tile", tile));
      place.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        send("tile", tile);
      });
      cover.append(place);
      if (tile === focused) place.focus();
    }
  }
  function showMessage() {
    message.textContent = model.get("message");
    message.className = model.get("refused") ? "senet-refused" : "";
  }
  function showChoices() {
    choices.replaceChildren();
    model.get("choices").forEach((text, number) => {
      element("button", choices, text).addEventListener("click", () => send("choice", number));
    });
  }
  function showTools() {
    undo.disabled = !model.get("can_undo");
    redo.disabled = !model.get("can_redo");
  }
  const shown = {
    svg: showPicture, tiles: showTiles, message: showMessage, refused: showMessage,
    choices: showChoices, can_undo: showTools, can_redo: showTools,
  };
  for (const [name, show] of Object.entries(shown)) {
    model.on(`change:${name}`, show);
    show();
  }
  return () => {
    for (const [name, show] of Object.entries(shown)) model.off(`change:${name}`, show);
  };
}

export default { render };
