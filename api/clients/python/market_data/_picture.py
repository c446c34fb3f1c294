"""Charts as SVG documents, without a chart library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 80, 20, 50, 40
RUN, HOLD, GRID, TEXT = "#0b62d6", "#8a8f98", "#e3e5e9", "#33373d"
LINES = 4

Point = tuple[str, float, float]


def equity_picture(title: str, points: list[Point]) -> str:
    """Two lines by session: equity, and that of buying and holding, in currency.

    Args:
        points: session, equity, and buy-and-hold equity; at least one.
    """
    if not points:
        raise ValueError("the run has no equity: ask for it with include_equity=True")
    days, run, hold = zip(*points)
    names = [
        _text(WIDTH - RIGHT - 120, 24, "strategy", "end", 12, RUN),
        _text(WIDTH - RIGHT, 24, "buy and hold", "end", 12, HOLD),
    ]
    return _lines(title, [(hold, HOLD), (run, RUN)], days[0], days[-1], names)


def line_picture(title: str, values: Sequence[float | None]) -> str:
    """One line by rank, from the first one on."""
    known = [value for value in values if value is not None]
    return _lines(title, [(known, RUN)], "1", str(len(known)), [])


def histogram_picture(title: str, low: float, high: float, counts: Sequence[int]) -> str:
    """Bars of equal width from `low` to `high`."""
    width, height = (WIDTH - LEFT - RIGHT) / max(1, len(counts)), HEIGHT - TOP - BOTTOM
    most = max([*counts, 1])
    bars = [
        f'<rect x="{LEFT + i * width:.1f}" y="{TOP + height * (1 - count / most):.1f}" width="{max(1, width - 1):.1f}" '
        f'height="{height * count / most:.1f}" fill="{RUN}"/>'
        for i, count in enumerate(counts)
    ]
    return _document(title, [*bars, _text(LEFT - 8, TOP + 10, f"{most:,}", "end")], f"{low:g}", f"{high:g}")


def heat_picture(title: str, heatmap: Mapping[str, Any]) -> str:
    """A cell per combination of two parameters, darker where the figure is higher, with its value."""
    xs, ys, cells = heatmap["x"]["values"], heatmap["y"]["values"], heatmap["cells"]
    known = [value for row in cells for value in row if value is not None]
    low, span = min(known, default=0.0), (max(known, default=0.0) - min(known, default=0.0)) or 1.0
    width, height = (WIDTH - LEFT - RIGHT) / max(1, len(xs)), (HEIGHT - TOP - BOTTOM) / max(1, len(ys))
    parts = []
    for row, y in enumerate(ys):
        top = HEIGHT - BOTTOM - (row + 1) * height
        parts.append(_text(LEFT - 8, top + height / 2 + 4, str(y), "end"))
        for column, value in enumerate(cells[row]):
            if value is None:
                continue
            left, share = LEFT + column * width, (value - low) / span
            parts.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{RUN}" '
                f'fill-opacity="{0.1 + 0.9 * share:.2f}"><title>{_escaped(xs[column])}, {_escaped(y)}: {value:.4g}</title></rect>'
            )
    names = f"{heatmap['x']['param']} to the right, {heatmap['y']['param']} upward"
    return _document(f"{title} · {names}", parts, str(xs[0]), str(xs[-1]))


def _escaped(value: object) -> str:
    return escape(str(value))


def _lines(
    title: str, lines: Sequence[tuple[Sequence[float], str]], first: str, last: str, names: Sequence[str]
) -> str:
    values = [value for line, _ in lines for value in line] or [0.0]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    low, high = low - 0.05 * span, high + 0.05 * span

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    grid = []
    for k in range(LINES + 1):
        value = low + (high - low) * k / LINES
        grid.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="{GRID}"/>')
        grid.append(_text(LEFT - 8, y(value) + 4, f"{value:,.0f}" if span > 10 else f"{value:.2f}", "end"))
    drawn = []
    for line, color in lines:
        step = (WIDTH - LEFT - RIGHT) / max(1, len(line) - 1)
        path = " ".join(f"{LEFT + step * i:.1f},{y(float(value)):.1f}" for i, value in enumerate(line))
        drawn.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.8" points="{path}"/>')
    return _document(title, [*grid, *drawn, *names], first, last)


def _document(title: str, parts: Sequence[str], first: str, last: str) -> str:
    """A picture with its title above, and the ends of its axis below."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, 24, title, "start", 15),
        *parts,
        _text(LEFT, HEIGHT - 14, first, "start"),
        _text(WIDTH - RIGHT, HEIGHT - 14, last, "end"),
        "</svg>",
    ])


def save(picture: str, file: str) -> str:
    """Writes a picture to a file, and returns its name."""
    with open(file, "w", encoding="utf-8") as out:
        out.write(picture)
    return file


def _text(x: float, y: float, content: str, anchor: str, size: int = 12, color: str = TEXT) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="system-ui, sans-serif" font-size="{size}" '
        f'text-anchor="{anchor}" fill="{color}">{escape(content)}</text>'
    )
