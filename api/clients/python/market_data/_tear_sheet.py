"""Tear sheets: what a run earned, for which risk, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

from ._frames import Kind, Sheet, frame
from ._html import html_table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: The tables of a sheet: where their rows are, and the columns that are days.
TABLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "series": ("series", ("ts",)),
    "regression": ("regression.terms", ()),
    "months": ("time.months", ()),
    "years": ("time.years", ()),
    "rolling_63": ("time.rolling.63", ("ts",)),
    "rolling_252": ("time.rolling.252", ("ts",)),
    "drawdowns": ("time.drawdowns", ("peak", "valley", "recovery")),
    "underwater": ("time.underwater", ("ts",)),
    "by_exit_reason": ("trades.by_exit_reason", ()),
    "by_symbol": ("trades.by_symbol", ()),
    "by_entry_month": ("trades.by_entry_month", ()),
    "bands": ("chance.bootstrap.bands", ("ts",)),
}
FIGURES = ("total_pct", "annual_return_pct", "volatility_pct", "sharpe", "sortino", "calmar", "max_drawdown_pct")


@dataclass(frozen=True)
class TearSheet:
    """The sections of a tear sheet as the service answers them; a figure that is not defined is None. `verdict` has one sentence
    for each of its rules that applies. `raw` has the whole answer."""

    sessions: int
    start_date: str
    end_date: str
    returns: Mapping[str, Any]
    benchmark: Mapping[str, Any]
    regression: Mapping[str, Any] | None
    time: Mapping[str, Any] = field(repr=False)
    trades: Mapping[str, Any] = field(repr=False)
    chance: Mapping[str, Any] = field(repr=False)
    verdict: list[str] = field(default_factory=list)
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @overload
    def table(self, name: str, kind: Literal["pandas"] = ...) -> pandas.DataFrame: ...
    @overload
    def table(self, name: str, kind: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def table(self, name: str, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
    def table(self, name: str, kind: Kind = "pandas") -> Any:
        """One of its tables as a frame of pandas, polars, or pyarrow.

        Args:
            name: one of `TABLES`, such as ``months``, ``drawdowns``, ``rolling_63``, or ``bands``.
        """
        if name not in TABLES:
            raise ValueError(f'"{name}" is not a table: use one of {", ".join(TABLES)}')
        place, days = TABLES[name]
        rows: Any = self.raw
        for step in place.split("."):
            rows = rows[step] if rows is not None else None
        columns = list(rows[0]) if rows else []
        index = "ts" if "ts" in columns else None
        cells = [[row[column] for column in columns] for row in rows or []]
        return frame(Sheet(columns, cells, [day for day in days if day in columns], index), kind)

    def _repr_html_(self) -> str:
        """The first figures and the verdict, which notebooks show."""
        caption = f"{self.start_date} to {self.end_date}, {self.sessions} sessions"
        figures = html_table(FIGURES, [[self.returns[name] for name in FIGURES]], caption)
        return figures + html_table(["verdict"], [[sentence] for sentence in self.verdict], "")


def tear_sheet_of(data: Mapping[str, Any]) -> TearSheet:
    names = ("sessions", "start_date", "end_date", "returns", "benchmark", "regression", "time", "trades", "chance")
    sentences = [sentence["text"] for sentence in data["verdict"]["sentences"]]
    return TearSheet(**{name: data[name] for name in names}, verdict=sentences, raw=data)
