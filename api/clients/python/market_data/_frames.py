"""Tables for pandas, polars, and pyarrow, which are imported only when they are used, and for notebooks."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, overload

from ._html import html_table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Kind = Literal["pandas", "polars", "pyarrow"]


@dataclass(frozen=True)
class Sheet:
    """Rows with named columns. `days` are columns with days as YYYY-MM-DD, `index` one of them that is the index in pandas."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    days: Sequence[str] = ()
    index: str | None = None


@overload
def frame(sheet: Sheet, kind: Literal["pandas"]) -> pandas.DataFrame: ...
@overload
def frame(sheet: Sheet, kind: Literal["polars"]) -> polars.DataFrame: ...
@overload
def frame(sheet: Sheet, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
@overload
def frame(sheet: Sheet, kind: Kind) -> Any: ...
def frame(sheet: Sheet, kind: Kind) -> Any:
    """The rows as a frame of pandas or polars, or a table of pyarrow. Days become dates.

    Raises:
        ImportError: the library is not installed.
        ValueError: there is no such kind.
    """
    made = {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow}.get(kind)
    if made is None:
        raise ValueError(f'"{kind}" is not a kind of frame: use "pandas", "polars", or "pyarrow"')
    return made(sheet)


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise ImportError(f'{package} is not installed: pip install "market-data-client[{package}]"') from error


def _pandas(sheet: Sheet) -> Any:
    pandas = library("pandas")
    made = pandas.DataFrame(list(sheet.rows), columns=list(sheet.columns))
    made = made.assign(**{name: pandas.to_datetime(made[name]) for name in sheet.days})
    return made if sheet.index is None else made.set_index(sheet.index)


def _polars(sheet: Sheet) -> Any:
    polars = library("polars")
    made = polars.DataFrame(list(sheet.rows), schema=list(sheet.columns), orient="row", infer_schema_length=None)
    # A column without a value has no type.
    return made.with_columns(polars.col(name).cast(polars.String).str.to_date() for name in sheet.days)


def _pyarrow(sheet: Sheet) -> Any:
    pyarrow = library("pyarrow")

    def column(at: int, name: str) -> Any:
        values = [row[at] for row in sheet.rows]
        if name not in sheet.days:
            return pyarrow.array(values)
        return pyarrow.array([None if day is None else date.fromisoformat(day) for day in values], pyarrow.date32())

    return pyarrow.table([column(at, name) for at, name in enumerate(sheet.columns)], names=list(sheet.columns))


class Tabular(ABC):
    """A result that is a table."""

    @abstractmethod
    def _sheet(self) -> Sheet: ...

    def _caption(self) -> str:
        """What a notebook writes above the table."""
        return ""

    @overload
    def to_df(self, kind: Literal["pandas"] = ...) -> pandas.DataFrame: ...
    @overload
    def to_df(self, kind: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_df(self, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
    def to_df(self, kind: Kind = "pandas") -> Any:
        """The table for a library that is installed.

        Args:
            kind: ``pandas`` (where a column of days identifies the rows, it is the index), ``polars``, or ``pyarrow``.

        Raises:
            ImportError: the library is not installed.
        """
        return frame(self._sheet(), kind)

    def _repr_html_(self) -> str:
        """The table, which notebooks show."""
        sheet = self._sheet()
        return html_table(sheet.columns, sheet.rows, self._caption())
