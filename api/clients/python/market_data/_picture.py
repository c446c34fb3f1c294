"""A chart of a run as an SVG document, without a chart library."""

from __future__ import annotations

from html import escape

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
    values = [value for _, *pair in points for value in pair]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    low, high = low - 0.05 * span, high + 0.05 * span

    def x(i: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * i / max(1, len(points) - 1)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    def line(column: int, color: str) -> str:
        path = " ".join(f"{x(i):.1f},{y(float(point[column])):.1f}" for i, point in enumerate(points))
        return f'<polyline fill="none" stroke="{color}" stroke-width="1.8" points="{path}"/>'

    grid = []
    for k in range(LINES + 1):
        value = low + (high - low) * k / LINES
        grid.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="{GRID}"/>')
        grid.append(_text(LEFT - 8, y(value) + 4, f"{value:,.0f}", "end"))
    first, last = points[0][0], points[-1][0]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, 24, title, "start", 15),
        *grid,
        line(2, HOLD),
        line(1, RUN),
        _text(LEFT, HEIGHT - 14, first, "start"),
        _text(WIDTH - RIGHT, HEIGHT - 14, last, "end"),
        _text(WIDTH - RIGHT - 120, 24, "strategy", "end", 12, RUN),
        _text(WIDTH - RIGHT, 24, "buy and hold", "end", 12, HOLD),
        "</svg>",
    ])


def _text(x: float, y: float, content: str, anchor: str, size: int = 12, color: str = TEXT) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="system-ui, sans-serif" font-size="{size}" '
        f'text-anchor="{anchor}" fill="{color}">{escape(content)}</text>'
    )
