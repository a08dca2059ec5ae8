"""The examples run and learn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_q_learning_loses_less_and_less(tmp_path: Path) -> None:
    out = tmp_path / "curve.svg"
    command = [sys.executable, str(EXAMPLES / "q_learning.py"), "--steps", "4", "--games", "2000"]
    done = subprocess.run([*command, "--out", str(out)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    shares = [float(line.split()[2].rstrip("%")) for line in done.stdout.splitlines()[:-1]]
    assert len(shares) == 4 and shares[-1] < 10 and shares[-1] < shares[0]
    ElementTree.parse(out)
