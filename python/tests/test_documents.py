"""Every example in docstrings, in the README and in the book runs."""

from __future__ import annotations

import doctest
import importlib
import importlib.metadata
import inspect
import re
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import senet

PACKAGE = Path(__file__).parent.parent
PAGES = [PACKAGE / "README.md", *sorted((PACKAGE.parent / "docs").glob("python*.md"))]
MODULES = ["bots", "gym", "spiel", "vector", "widget", "zoo"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run(name: str, text: str) -> int:
    """Runs the examples of a text and says how many there are."""
    found = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(found)
    assert runner.failures == 0, name
    return len(found.examples)


@pytest.mark.parametrize("name", ["senet", *(f"senet.{name}" for name in MODULES)])
def test_the_examples_of_modules_run(name: str) -> None:
    try:
        module: ModuleType = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        pytest.skip(f"{missing.name} is not installed")
    assert run(name, module.__doc__ or "") > 0


def test_the_examples_of_classes_run() -> None:
    examples = 0
    for name in senet.__all__:
        thing = getattr(senet, name)
        if isinstance(thing, (str, ModuleType)):
            continue
        assert inspect.getdoc(thing), name
        examples += run(name, inspect.getdoc(thing) or "")
        for part, member in vars(thing).items() if inspect.isclass(thing) else []:
            if part.startswith("_") or not (callable(member) or inspect.isdatadescriptor(member)):
                continue
            assert inspect.getdoc(member), f"{name}.{part}"
            examples += run(f"{name}.{part}", inspect.getdoc(member) or "")
    assert examples > 0


@pytest.mark.parametrize("name", ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"])
def test_the_licences_are_in_the_package(name: str) -> None:
    files = importlib.metadata.files("senet") or []
    (found,) = [file for file in files if file.name == name]
    text = found.read_text(encoding="utf-8")
    assert text == (PACKAGE / name).read_text(encoding="utf-8")
    original = PACKAGE.parent / name
    assert name == "THIRD-PARTY.txt" or text == original.read_text(encoding="utf-8")
    assert importlib.metadata.metadata("senet")["License-Expression"] == "MIT OR Apache-2.0"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_pages_run(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python(?:,(\w+))?\n(.*?)^```", text, re.M | re.S)
    # A block may name a module that it needs.
    found = [block for needed, block in blocks if not needed or find_spec(needed)]
    assert run(page.name, "\n".join(found)) > 0
