"""Learning curves as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

COLORS = ["#2d6fb7", "#b3261e", "#3a7d44"]


def draw(
    path: Path, title: str, unit: str, curves: dict[str, Sequence[tuple[float, float]]]
) -> None:
    """Writes curves from 0 to 1, each a list of points, as an SVG file."""
    most = max(x for points in curves.values() for x, _ in points) or 1
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" font-family="sans-serif" '
        'font-size="13"><rect width="640" height="320" fill="#fffdf7"/>'
        f'<text x="50" y="24" font-size="15">{title}</text>'
    ]
    for tenth in range(0, 11, 2):
        y = 280 - 24 * tenth
        lines.append(f'<path d="M50 {y}H500" stroke="#ddd8cc"/>')
        lines.append(f'<text x="44" y="{y + 4}" text-anchor="end">{tenth * 10}%</text>')
    for number, (name, points) in enumerate(curves.items()):
        color = COLORS[number % len(COLORS)]
        places = [(50 + 450 * x / most, 280 - 240 * y) for x, y in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        lines.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2.5"/>')
        end = places[-1][1] + 4
        lines.append(f'<text x="506" y="{end:.1f}" fill="{color}">{name}</text>')
    lines.append(f'<text x="500" y="302" text-anchor="end">{most:g} {unit}</text></svg>\n')
    path.write_text("\n".join(lines), encoding="utf-8")
