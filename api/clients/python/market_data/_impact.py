"""What corrections of market data have changed, as a frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ._frames import Sheet, Tabular

_Row = Mapping[str, Any]
_COLUMNS = ("load", "kind", "id", "name", "slug")
_FIGURES = ("total_pnl_pct", "sharpe", "verdict")


class Impact(list[_Row], Tabular):
    """Runs, watches, forward records, and studies whose figures loads changed, the newest load first, and in it the largest change. As a
    frame with the figures ``before`` and ``after``. `runs` counts the kept runs of the load that was asked for; None: it is not planned,
    or all were asked for."""

    def __init__(self, items: Iterable[_Row], runs: Mapping[str, int] | None = None) -> None:
        super().__init__(items)
        self.runs = runs

    def _sheet(self) -> Sheet:
        sides = [(side, figure) for figure in _FIGURES for side in ("before", "after")]
        rows = [[one[name] for name in _COLUMNS] + [(one[side] or {}).get(figure) for side, figure in sides] for one in self]
        return Sheet((*_COLUMNS, *(f"{figure}_{side}" for side, figure in sides)), rows)
