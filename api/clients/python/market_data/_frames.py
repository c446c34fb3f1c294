"""Frames of pandas and polars, which are imported only when they are used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def frame(rows: list[dict[str, Any]], kind: str, index: str | None = "ts") -> Any:
    """Rows as a frame. With pandas, `index` (days) becomes its index; with polars it is a column of dates.

    Raises:
        ImportError: the library is not installed.
        ValueError: `kind` is neither ``pandas`` nor ``polars``.
    """
    if kind == "pandas":
        import pandas

        made = pandas.DataFrame.from_records(rows)
        if index is None or index not in made:
            return made
        made[index] = pandas.to_datetime(made[index])
        return made.set_index(index)
    if kind == "polars":
        import polars

        made = polars.DataFrame(rows, infer_schema_length=None)
        return made if index not in made.columns else made.with_columns(polars.col(index).str.to_date())
    raise _unknown(kind)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], kind: str, days: Sequence[str]) -> Any:
    """Rows with named columns as a frame, those of `days` with dates; raises as `frame` does."""
    if kind == "pandas":
        import pandas

        made = pandas.DataFrame(list(rows), columns=list(columns))
        return made.assign(**{name: pandas.to_datetime(made[name]) for name in days})
    if kind == "polars":
        import polars

        made = polars.DataFrame(list(rows), schema=list(columns), orient="row", infer_schema_length=None)
        return made.with_columns(polars.col(name).str.to_date() for name in days)
    raise _unknown(kind)


def _unknown(kind: str) -> ValueError:
    return ValueError(f'"{kind}" is not a kind of frame: use "pandas" or "polars"')
