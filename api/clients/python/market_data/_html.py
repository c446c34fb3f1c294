"""Tables of HTML, which notebooks show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

#: Of a longer table, the first and the last rows are shown.
FIRST_ROWS = LAST_ROWS = 5
#: Smaller whole numbers may be years, which have no separators.
SEPARATED_FROM = 10_000
RIGHT = ' style="text-align: right"'
LEFT = ' style="text-align: left"'


def html_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], caption: str) -> str:
    """Rows with named columns, a long table shortened in the middle and its number of rows told."""
    is_long = len(rows) > FIRST_ROWS + LAST_ROWS
    shown = [*rows[:FIRST_ROWS], ["…"] * len(columns), *rows[-LAST_ROWS:]] if is_long else rows
    title = ", ".join(part for part in (caption, f"{len(rows):,} rows" if is_long else "") if part)
    numeric = [any(_is_number(row[at]) for row in rows) for at in range(len(columns))]
    head = "".join(_cell("th", name, numeric[at]) for at, name in enumerate(columns))
    body = "".join(
        f"<tr>{''.join(_cell('td', text_of(value), numeric[at]) for at, value in enumerate(row))}</tr>" for row in shown
    )
    told = f'<caption style="text-align: left">{escape(title)}</caption>' if title else ""
    return f"<table>{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(tag: str, text: str, is_numeric: bool) -> str:
    return f"<{tag}{RIGHT if is_numeric else LEFT}>{escape(text)}</{tag}>"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text_of(value: Any) -> str:
    """A value as people read it: nothing for None, at most four decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.4f}".rstrip("0").rstrip(".") if abs(value) >= 0.001 else f"{value:.3g}"
    if _is_number(value):
        return f"{value:,.0f}" if abs(value) >= SEPARATED_FROM else f"{value:.0f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {text_of(one)}" for name, one in value.items())
    return str(value)
