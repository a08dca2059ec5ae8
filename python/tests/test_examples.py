"""The examples run and learn; how much of them is run follows ``SENET_EXAMPLES``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
NEEDS = {"tables.ipynb": ["polars"]}
whole = pytest.mark.skipif(
    os.environ.get("SENET_EXAMPLES") != "whole", reason="takes minutes: SENET_EXAMPLES=whole"
)


def run(name: str, *options: str, out: Path) -> str:
    """Runs an example, which draws a picture, and gives what it prints."""
    command = [sys.executable, str(EXAMPLES / name), *options, "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stderr
    ElementTree.parse(out)
    return done.stdout


def percents_of(printed: str) -> list[float]:
    """The last share of each line."""
    lines = printed.splitlines()
    return [float(found[-1]) for line in lines if (found := re.findall(r"([0-9.]+)%", line))]


def percents(name: str, *options: str, out: Path) -> list[float]:
    """Runs an example and gives the last share of each line that it prints."""
    return percents_of(run(name, *options, out=out))


def test_q_learning_loses_less_and_less(tmp_path: Path) -> None:
    shares = percents("q_learning.py", "--steps", "4", "--games", "2000", out=tmp_path / "q.svg")
    assert len(shares) == 4 and shares[-1] < 10 and shares[-1] < shares[0]


def test_regrets_vanish_in_poker(tmp_path: Path) -> None:
    done = run("cfr.py", "--steps", "10", "--rounds", "40", out=tmp_path / "cfr.svg")
    value = float(re.findall(r"value (-?[0-9.]+)", done)[-1])
    assert value == pytest.approx(-1 / 18, abs=2e-3)
    assert percents_of(done)[-1] < 5


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


@whole
def test_regrets_vanish_in_poker_with_two_suits(tmp_path: Path) -> None:
    options = ("--game", "leduc-poker", "--steps", "3", "--rounds", "10")
    shares = percents("cfr.py", *options, out=tmp_path / "leduc.svg")
    assert shares[-1] < shares[0] / 2


def executed(path: Path, into: Path) -> Any:
    """A notebook after `jupyter nbconvert --execute`."""
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    convert = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    done = subprocess.run(
        [*convert, "--output-dir", str(into), str(path)], capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    return nbformat.read(into / path.name, as_version=4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_executed(path: Path, tmp_path: Path) -> None:
    for module in NEEDS.get(path.name, []):
        pytest.importorskip(module)
    # A notebook is kept without what it shows, so that a change of it can be read.
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert all(not cell.get("outputs") for cell in kept["cells"])
    cells = executed(path, tmp_path).cells
    shown = [output for cell in cells for output in cell.get("outputs", [])]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
