"""Factor studies: which values order the returns that follow, as frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from ._frames import Sheet, Tabular, library
from ._options import Factors, Universe

_Row = Mapping[str, Any]
_NAME = re.compile(r"\w[\w .()%+-]{0,63}")
_SERIES = ("sessions", "mean", "sd", "t", "t_overlap")
#: Columns of whole numbers. JSON has 0 for 0.0, which would make others of them by chance.
_COUNTS = frozenset(
    "horizon quantile session sessions number year months hits days instruments open no_entry ended left_out offset periods missing".split()
    + ["skill_min_track_record_bars", "serial_min_track_record"]
)
_DAYS = frozenset({"ts", "first", "last"})


def factors_of(given: Factors) -> list[dict[str, str]]:
    """The factors as the service takes them. A text is its own name if it can be one; else its place is."""
    if isinstance(given, Mapping):
        return [{"name": name, "value": value} for name, value in given.items()]
    found = []
    for place, one in enumerate([given] if isinstance(given, str) else given, 1):
        named = (one if _NAME.fullmatch(one) else f"factor {place}", one) if isinstance(one, str) else one
        found.append({"name": named[0], "value": named[1]})
    return found


def universe_of(given: Universe) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    if given == "all":
        return {"all": True}
    return {"symbols": [given] if isinstance(given, str) else list(given)}


class StudyTable(Tabular):
    """A table of a study: call it for a frame (``study.ic()``, ``study.ic("polars")``); notebooks show it."""

    def __init__(self, columns: Sequence[str], rows: Iterable[_Row]) -> None:
        cells = [[_cell(name, row[name]) for name in columns] for row in rows]
        self._content = Sheet(columns, cells, [name for name in columns if name in _DAYS])

    __call__ = Tabular.to_df

    def _sheet(self) -> Sheet:
        return self._content


def _cell(column: str, value: Any) -> Any:
    return float(value) if type(value) is int and column not in _COUNTS else value


class FactorStudy(Tabular):
    """Which values order the returns that follow. `to_df` has the information coefficients, like `ic`; `result` is what the
    service answered. Of tables by horizon, ``horizon`` is in sessions; where one of them is ``step``, all are texts."""

    def __init__(self, result: _Row) -> None:
        self.result = result
        #: The file of the series, where they are too long for the result.
        self.file: bytes | None = None

    @property
    def selection(self) -> _Row:
        """The choice of the best factor among all that the account has tried."""
        found: _Row = self.result["selection"]
        return found

    @property
    def notes(self) -> list[_Row]:
        found: list[_Row] = self.result["notes"]
        return found

    @property
    def ic(self) -> StudyTable:
        """Information coefficients, the rank correlations of values and forward returns; `t_overlap` counts overlapping horizons."""
        return self._by_horizon((*_SERIES, "positive_share"), lambda one: [one["ic"]])

    @property
    def ic_series(self) -> StudyTable:
        """The coefficient of each session."""
        return self._series("ic", ("ic",))

    @property
    def by_year(self) -> StudyTable:
        """Mean coefficients by year."""
        return self._by_horizon(("year", "sessions", "mean"), lambda one: one["ic"]["by_year"])

    @property
    def quantiles(self) -> StudyTable:
        """Mean forward returns less the mean of their group, as fractions. 1 has the smallest values."""
        return self._by_horizon(("quantile", "sessions", "mean", "se"), lambda one: one["quantiles"])

    @property
    def spreads(self) -> StudyTable:
        """Top quantile less bottom one."""
        return self._by_horizon(_SERIES, lambda one: [one["spread"]])

    @property
    def spread_series(self) -> StudyTable:
        """The spread of each session, and its running sum, which nobody could earn where a horizon is longer than a step."""
        return self._series("spread", ("spread", "cumulated"))

    @property
    def turnover(self) -> StudyTable:
        """Share of new names at a session, by quantile."""
        rows = (
            {"factor": one["name"], "quantile": quantile, "turnover": share}
            for one in self.result["factors"]
            for quantile, share in enumerate(one["turnover"], 1)
        )
        return StudyTable(("factor", "quantile", "turnover"), rows)

    @property
    def correlations(self) -> StudyTable:
        """Rank correlations of two factors, month by month."""
        return StudyTable(("a", "b", "months", "mean"), self.result["correlations"])

    @property
    def portfolios(self) -> StudyTable:
        """Long-short portfolios, monthly and gross, as fractions, where the study had a ``portfolio``; `t_nw` by Newey and West."""
        columns = ("months", "mean", "sd", "t", "t_nw", "turnover", "break_even")
        formed = [(one["name"], one["portfolio"]) for one in self.result["factors"] if one.get("portfolio")]
        return StudyTable(("factor", *columns), ({"factor": name, **found} for name, found in formed))

    @property
    def top(self) -> StudyTable:
        """The instruments with the largest values at the last session."""
        rows = ({"factor": one["name"], **row} for one in self.result["factors"] for row in one["top"])
        return StudyTable(("factor", "symbol", "value"), rows)

    def _sheet(self) -> Sheet:
        return self.ic._sheet()

    def _caption(self) -> str:
        found = self.result
        return f"{found['first']} to {found['last']}, {found['sessions']:,} sessions, {found['instruments']:,} instruments"

    def _series(self, part: str, values: Sequence[str]) -> StudyTable:
        columns = ("factor", "horizon", "ts", *values)
        if not self.result["series_in_file"]:
            return self._by_horizon(columns[2:], lambda one: one[part]["series"])
        if self.file is None:
            raise ValueError("the file of the series is gone: it is kept for 7 days")
        return StudyTable(columns, self._rows_of(self.file, values))

    def _rows_of(self, file: bytes, values: Sequence[str]) -> Iterator[_Row]:
        for row in _parquet_rows(file, ["factor", "horizon", "date", *values]):
            if row[values[0]] is not None:
                yield {**row, "horizon": self._horizon(row["horizon"]), "ts": str(row["date"])}

    def _by_horizon(self, columns: Sequence[str], rows_of: Callable[[_Row], Iterable[_Row]]) -> StudyTable:
        rows = (
            {**row, "factor": factor["name"], "horizon": self._horizon(one["horizon"])}
            for factor in self.result["factors"]
            for one in factor["horizons"]
            for row in rows_of(one)
        )
        return StudyTable(("factor", "horizon", *columns), rows)

    def _horizon(self, horizon: str | int) -> str | int:
        has_step = any(one["horizon"] == "step" for one in self.result["factors"][0]["horizons"])
        return str(horizon) if has_step else int(horizon)


class Claims(Tabular):
    """Published predictors beside the figures of this market. As a frame a row each, in percent a month: what was published, what
    is to be expected after publication, and ours with all names equal, its 90 % interval (`low_pct`, `high_pct`), and `words`.
    `items` and `raw` have all that the service sent. None: not computed yet, or it needs an own column."""

    def __init__(self, raw: _Row) -> None:
        self.raw = raw

    @property
    def items(self) -> list[_Row]:
        found: list[_Row] = self.raw["items"]
        return found

    def _sheet(self) -> Sheet:
        columns = ("published_pct", "expected_pct", "mean_pct", "low_pct", "high_pct", "t_nw", "months", "grade", "words")
        rows = [[one["code"], *(_claim_figures(one).get(name) for name in columns)] for one in self.items]
        return Sheet(("code", *columns), rows)

    def _caption(self) -> str:
        found = self.raw["universe"] or {}
        return f"{found.get('instruments', 0):,} instruments, {found.get('first')} to {found.get('last')}"


def _claim_figures(item: _Row) -> _Row:
    # Those of a run have their figures beside the code.
    computed = item.get("newest", item) or {}
    first: _Row = next(iter(computed.get("rows", ())), {})
    low, high = first.get("interval_pct") or (None, None)
    published = item.get("published", {}).get("monthly_pct")
    return {**computed, **first, "published_pct": published, "low_pct": low, "high_pct": high, "grade": item.get("grade")}


def _parquet_rows(file: bytes, columns: list[str]) -> list[_Row]:
    """The rows of a file, by whichever library is there."""
    try:
        parquet = library("pyarrow.parquet")
    except ImportError:
        rows: list[_Row] = library("polars").read_parquet(BytesIO(file), columns=columns).to_dicts()
    else:
        rows = parquet.read_table(BytesIO(file), columns=columns).to_pylist()
    return rows
