"""Searches and sweeps: dictionaries of what the service answers, which are tables and have a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

from ._frames import Kind, Sheet, Tabular, frame
from ._html import html_table
from ._picture import heat_picture, histogram_picture, line_picture, save

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class _Found(dict[str, Any], Tabular):
    """The answer as a dictionary, its tables as frames, and its picture."""

    #: The tables, by the place of their rows. The first one is that of `to_df`.
    TABLES: ClassVar[Mapping[str, str]] = {}

    @overload
    def table(self, name: str, kind: Literal["pandas"] = ...) -> pandas.DataFrame: ...
    @overload
    def table(self, name: str, kind: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def table(self, name: str, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
    def table(self, name: str, kind: Kind = "pandas") -> Any:
        """One of its tables as a frame of pandas, polars, or pyarrow.

        Args:
            name: one of `TABLES`.
        """
        return frame(self._sheet_of(name), kind)

    @property
    def best(self) -> list[dict[str, Any]]:
        """The best ones, best first."""
        found: list[dict[str, Any]] = self["best"]
        return found

    @property
    def notes(self) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self["notes"]
        return found

    def picture(self) -> str:
        """The result as an SVG document."""
        raise NotImplementedError

    def save_picture(self, file: str) -> str:
        """Writes `picture` to a file, and returns its name."""
        return save(self.picture(), file)

    def _sheet(self) -> Sheet:
        return self._sheet_of(next(iter(self.TABLES)))

    def _sheet_of(self, name: str) -> Sheet:
        if name not in self.TABLES:
            raise ValueError(f'"{name}" is not a table: use one of {", ".join(self.TABLES)}')
        rows: Any = self
        for step in self.TABLES[name].split("."):
            rows = None if rows is None else rows.get(step)
        flat = [_flat(row) for row in rows or []]
        columns = list(dict.fromkeys(column for row in flat for column in row))
        days = [column for column in columns if column == "ts" or column.endswith(("_start", "_end"))]
        cells = [[row.get(column) for column in columns] for row in flat]
        return Sheet(columns, cells, days, "ts" if "ts" in columns else None)

    def _repr_html_(self) -> str:
        """The first table and the picture, which notebooks show."""
        sheet = self._sheet()
        return html_table(sheet.columns, sheet.rows, self._caption()) + self.picture()


class Optimization(_Found):
    """The best combinations of a search: as a frame, a row for each with its parameters and figures. The dictionary is what the
    service answered."""

    TABLES = {"best": "best", "windows": "walk_forward.windows", "equity": "walk_forward.equity"}

    def picture(self) -> str:
        """The heat map, if one was asked for; else the objective of the combinations, best first."""
        objective = self["objective"]
        if self["heatmap"]:
            return heat_picture(f"{self._caption()} · {objective}", self["heatmap"])
        values = [one["metrics"][objective] for one in self.best]
        return line_picture(f"{self._caption()} · {objective} by rank", values)

    def _caption(self) -> str:
        return f"{self.get('symbol', 'Portfolio')} · {self['strategy']} · {self['combinations']:,} combinations"


class Sweep(_Found):
    """Strategies over many instruments: as a frame, a row for each combination, with the medians of its figures. The dictionary is
    what the service answered."""

    TABLES = {name: name for name in ("combinations", "best", "best_few_trades", "worst")}

    def picture(self) -> str:
        """How many cells have which Sharpe ratio."""
        histogram = self["sharpe_histogram"]
        title = f"{self._caption()} · Sharpe ratio"
        return histogram_picture(title, histogram["from"], histogram["to"], histogram["counts"])

    def _caption(self) -> str:
        return f"{self['instruments']:,} instruments · {self['cells']:,} cells"


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without objects in it: parameters and figures are columns, and of the spread of a figure the median."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name == "metrics":
            flat.update({key: one["median"] if isinstance(one, Mapping) else one for key, one in value.items()})
        elif name == "params":
            flat.update(value)
        elif name == "trades" and isinstance(value, Mapping):
            flat.update({f"trades_{key}": one for key, one in value.items()})
        elif not isinstance(value, (Mapping, Sequence)) or isinstance(value, str):
            flat[name] = value
    return flat
