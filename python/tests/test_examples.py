"""The examples run and learn; how much of them is run follows ``SENET_EXAMPLES``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
whole = pytest.mark.skipif(
    os.environ.get("SENET_EXAMPLES") != "whole", reason="takes minutes: SENET_EXAMPLES=whole"
)


def percents(name: str, *options: str, out: Path) -> list[int]:
    """Runs an example and gives the last share of each line that it prints."""
    command = [sys.executable, str(EXAMPLES / name), *options, "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stderr
    ElementTree.parse(out)
    return [int(float(found[-1])) for line in done.stdout.splitlines()
            if (found := re.findall(r"([0-9.]+)%", line))]


def test_q_learning_loses_less_and_less(tmp_path: Path) -> None:
    shares = percents("q_learning.py", "--steps", "4", "--games", "2000", out=tmp_path / "q.svg")
    assert len(shares) == 4 and shares[-1] < 10 and shares[-1] < shares[0]


def test_the_other_examples_begin(tmp_path: Path) -> None:
    few = ("--steps", "1", "--games", "2", "--duels", "2")
    assert len(percents("td_backgammon.py", *few, out=tmp_path / "td.svg")) == 4
    assert len(percents("alpha_zero.py", *few, "--playouts", "8", out=tmp_path / "zero.svg")) == 2


@whole
def test_q_learning_never_loses(tmp_path: Path) -> None:
    assert percents("q_learning.py", out=tmp_path / "q.svg")[-1] == 0


@whole
def test_temporal_differences_beat_random_and_the_weights(tmp_path: Path) -> None:
    random, weights = percents("td_backgammon.py", out=tmp_path / "td.svg")[-2:]
    assert random > 90 and weights > 50


@whole
def test_self_play_beats_tree_search(tmp_path: Path) -> None:
    assert percents("alpha_zero.py", out=tmp_path / "zero.svg")[-1] > 50


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_executed(path: Path) -> None:
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    # A notebook is kept without what it shows, so that a change of it can be read.
    assert all(not cell.get("outputs") for cell in notebook.cells)
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3",
        resources={"metadata": {"path": str(EXAMPLES)}},
    )
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
