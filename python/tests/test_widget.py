"""The board of notebooks: what presses do, in a notebook that is executed, and in a browser."""

from __future__ import annotations

import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import senet

pytest.importorskip("anywidget")

from senet.widget import Board  # noqa: E402


def test_a_press_selects_and_a_second_one_moves() -> None:
    board = Board("chess")
    assert (board.message, board.refused, board.can_undo) == ("white to move", False, False)
    board.press("g1")
    assert (board.selected, board.targets) == ("g1", ["f3", "h3"])
    board.press("b1")
    assert board.selected == "b1"
    board.press("b1")
    assert board.selected is None
    board.press("g1")
    board.press("f3")
    assert board.message == "1. Nf3; black to move" and board.match.ply == 1
    board.undo()
    assert board.match.ply == 0 and board.can_redo and not board.can_undo
    board.redo()
    assert board.match.ply == 1


def test_a_refusal_is_shown_with_its_reason() -> None:
    board = Board("chess")
    before = board.svg
    board.press("a1")
    assert board.refused and "a1" in board.message
    board.press("b1")
    board.press("b3")
    assert board.refused and board.message.startswith("b1b3 is refused: ")
    assert board.svg != before and board.match.ply == 0
    ElementTree.fromstring(board.svg)
    with pytest.raises(ValueError, match="no tile is named"):
        board.press("z9")


def test_moves_with_a_choice_offer_it() -> None:
    board = Board(senet.load("chess").position("8/P7/8/8/8/8/8/k1K5 w - - 0 1"))
    board.press("a7")
    board.press("a8")
    assert len(board.choices) == 4 and any(text.endswith("N") for text in board.choices)
    with pytest.raises(IndexError):
        board.choose(4)
    board.choose(next(at for at, text in enumerate(board.choices) if "N" in text))
    piece = board.position.piece_at("a8")
    assert piece is not None and piece.kind == "knight"


@pytest.mark.parametrize("name", senet.games())
def test_every_game_can_be_pressed_to_its_end_or_for_long(name: str) -> None:
    board = Board(name, opponent="random", seed=1)
    for number in range(30):
        if board.match.outcome is not None or not (legal := board.position.legal()):
            break
        event = legal[number * 7 % len(legal)]
        before = board.match.ply
        if event.source is not None:
            board.press(event.source)
        if board.match.ply == before and event.target is not None:
            board.press(event.target)
        if board.match.ply == before and board.choices:
            board.choose(number % len(board.choices))
        assert board.match.ply > before or board.refused or board.selected, (name, str(event))
        board.press(board.match.game.tiles[number % len(board.match.game.tiles)])


def test_a_board_shows_no_secrets_of_the_opponent() -> None:
    board = Board("dark-chess", opponent="random", seed=3)
    known = board.position.svg(player="white")
    assert board.svg == known != board.position.svg()
    for pressed in ("e2", "e4", "d2", "d4"):
        board.press(pressed)
    seen = board.match.events_seen("white")
    assert seen[::2] == ["e2/e4", "d2/d4"] and all(one is None or "?" in one for one in seen[1::2])
    assert board.message == f"4. {seen[-1] or 'hidden'}; white to move"
    assert board.svg == board.position.svg(player="white", last=board.match.events[-1])
    assert board.svg.count("?") > 20
    board.press("a1")
    board.press("a8")
    assert board.refused and board.svg.count("?") > 10
    assert not board.can_undo
    board.undo()
    assert board.match.ply == 4
    both = Board("dark-chess")
    assert both.svg == both.position.svg(player="white")
    both.press("e2")
    both.press("e4")
    assert both.svg == both.position.svg(player="black", last=both.match.events[-1])
    for bot in ("random", "mcts:20", "search:1"):
        other = Board("dark-chess", opponent=bot, seat=1)
        assert other.match.ply == 1 and other.position.player == "black", bot
    with pytest.raises(senet.SenetError, match="no player is named"):
        both.position.svg(player="red")


def test_wrong_messages_change_nothing() -> None:
    board = Board("tic-tac-toe")
    for heard in ({}, {"kind": "tile", "value": 7}, {"kind": "choice", "value": 99}, {"kind": "x"}):
        board._hear(board, heard, [])
    assert board.match.ply == 0
    with pytest.raises(ValueError, match="seat"):
        Board("tic-tac-toe", seat=2)


def test_a_notebook_with_a_board_is_executed() -> None:
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat
    from nbclient import NotebookClient

    source = "import senet.widget\nboard = senet.widget.Board('chess')\nboard"
    notebook: Any = nbformat.v4.new_notebook(cells=[
        nbformat.v4.new_code_cell(source),
        nbformat.v4.new_code_cell("board.press('e2'); board.press('e4'); board.match.position"),
    ])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = notebook.cells[0].outputs[0]["data"]
    assert "application/vnd.jupyter.widget-view+json" in shown
    states = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    state = next(one["state"] for one in states.values() if "svg" in one["state"])
    assert "export default" in state["_esm"] and state["message"] == "1. e4; black to move"
    assert notebook.cells[1].outputs[0]["data"]["image/svg+xml"].startswith("<svg")


PAGE = """<!doctype html><meta charset="utf-8"><style>{css}</style><div id="board"></div>
<script type="module">
import widget from "/board.js";
let state = await (await fetch("/state")).json();
const heard = new Map();
const model = {{
  get: (name) => state[name],
  on: (name, call) => heard.set(name, [...(heard.get(name) ?? []), call]),
  off: () => {{}},
  send: async (message) => {{
    const answer = await fetch("/heard", {{ method: "POST", body: JSON.stringify(message) }});
    const before = state;
    state = await answer.json();
    for (const name of Object.keys(state)) {{
      if (JSON.stringify(before[name]) === JSON.stringify(state[name])) continue;
      for (const call of heard.get(`change:${{name}}`) ?? []) call();
    }}
  }},
}};
widget.render({{ model, el: document.querySelector("#board") }});
</script>"""


def facts(board: Board) -> dict[str, Any]:
    names = ("svg", "tiles", "message", "refused", "choices", "can_undo", "can_redo")
    return {name: getattr(board, name) for name in names}


@pytest.fixture
def served() -> Iterator[tuple[Board, str]]:
    """A board, and the address of a page that shows it."""
    board = Board("chess")
    folder = Path(senet.__file__).parent

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, kind: str, text: str) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            if self.path == "/state":
                self.answer("application/json", json.dumps(facts(board)))
            elif self.path == "/board.js":
                self.answer("text/javascript", (folder / "board.js").read_text("utf-8"))
            else:
                css = (folder / "board.css").read_text("utf-8")
                self.answer("text/html", PAGE.format(css=css))

        def do_POST(self) -> None:
            heard = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            board._hear(board, heard, [])
            self.answer("application/json", json.dumps(facts(board)))

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield board, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_board_is_played_in_a_browser(served: tuple[Board, str], tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api")
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    if browser_path is None:
        pytest.skip("no Chromium is installed")
    board, address = served
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 560, "height": 700})
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address)
        page.get_by_role("button", name="e2", exact=True).click()
        page.wait_for_function("document.querySelectorAll('.senet-stage svg circle').length > 0")
        page.screenshot(path=tmp_path / "selected.png")
        assert board.selected == "e2"
        page.get_by_role("button", name="e5", exact=True).click()
        page.wait_for_selector(".senet-refused")
        assert "e2e5 is refused" in page.inner_text("[role=status]")
        page.screenshot(path=tmp_path / "refused.png")
        page.get_by_role("button", name="e2", exact=True).focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="e4", exact=True).focus()
        page.keyboard.press("Enter")
        page.wait_for_function("document.querySelector('[role=status]').textContent.includes('e4')")
        assert board.match.ply == 1
        page.get_by_role("button", name="undo").click()
        page.wait_for_function("document.querySelector('[role=status]').textContent === 'white to move'")
        page.get_by_role("button", name="flip").click()
        page.wait_for_timeout(200)
        page.screenshot(path=tmp_path / "flipped.png")
        browser.close()
    assert faults == []
