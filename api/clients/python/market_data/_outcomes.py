"""What happened after a condition was true, as frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._factors import StudyTable
from ._frames import Sheet, Tabular
from ._html import html_table

_Row = Mapping[str, Any]
_TALLY = ("hits", "days", "mean", "excess")
_RETURNS = ("mean", "median", "p5", "p25", "p75", "p95", "positive_share")
_EXCESS = ("alpha", "t", "p", "doubt", "left_out")
_SHOWN = ("horizon", "hits", "days", "mean", "others", "excess", "t", "p")


class Outcomes(Tabular):
    """What happened after the hits of a condition. Returns are fractions, horizons sessions, a figure that is not defined None.
    `to_df` has the horizons, like `horizons`; `result` is what the service answered."""

    def __init__(self, result: _Row) -> None:
        self.result = result

    @property
    def sentences(self) -> list[str]:
        """One for each horizon."""
        found: list[str] = self.result["sentences"]
        return found

    @property
    def horizons(self) -> StudyTable:
        """A row for each horizon: hits that count and those that do not, the returns with their percentiles, and `excess`, less
        those of the `others`. `t` and `p` hold for overlapping horizons; `doubt` says why they are None. `by_difference` is that of
        the hits told apart."""
        counts = ("horizon", "hits", "days", "instruments", "open", "no_entry", "ended")
        columns = (*counts, *_RETURNS, "others", "excess", *_EXCESS, "by_difference", "by_t")
        return StudyTable(columns, map(_flat, self.result["horizons"]))

    @property
    def by_year(self) -> StudyTable:
        """Means by horizon and year."""
        rows = ({**row, "horizon": one["horizon"]} for one in self.result["horizons"] for row in one["by_year"])
        return StudyTable(("horizon", "year", *_TALLY), rows)

    @property
    def by(self) -> StudyTable:
        """Means by horizon and whether the condition ``by`` was true; without one no rows."""
        rows = (
            {**one["by"][str(by).lower()], "horizon": one["horizon"], "by": by}
            for one in self.result["horizons"]
            if one["by"]
            for by in (True, False)
        )
        return StudyTable(("horizon", "by", *_TALLY), rows)

    @property
    def path(self) -> StudyTable:
        """The mean excess since the hit by session, from 20 before it to 60 or more after, with the band of resamples (`p5`, `p95`).
        Compared with nothing: no rows."""
        found = self.result["path"]
        return StudyTable(("offset", "hits", "mean", "p5", "p95"), found["points"] if found else ())

    @property
    def best(self) -> StudyTable:
        """The hits with the largest `excess` over the longest horizon (compared with nothing: the largest return, `value`)."""
        return self._extremes("best")

    @property
    def worst(self) -> StudyTable:
        """The smallest ones."""
        return self._extremes("worst")

    def _extremes(self, name: str) -> StudyTable:
        return StudyTable(("symbol", "ts", "value", "excess"), self.result[name])

    def _sheet(self) -> Sheet:
        return self.horizons._sheet()

    def _caption(self) -> str:
        found = self.result
        return f"{found['first']} to {found['last']}, {found['hits']:,} hits on {found['days']:,} days, {found['instruments']:,} instruments"

    def _repr_html_(self) -> str:
        """The first figures and the sentences, which notebooks show."""
        rows = [[row.get(name) for name in _SHOWN] for row in map(_flat, self.result["horizons"])]
        sentences = html_table(["sentence"], [[sentence] for sentence in self.sentences], "")
        return html_table(_SHOWN, rows, self._caption()) + sentences


def _flat(horizon: _Row) -> _Row:
    """A horizon with its figures beside each other."""
    excess, by = horizon["excess"] or {}, horizon["by"] or {}
    told = {"others": excess.get("others"), "excess": excess.get("mean"), **{name: excess.get(name) for name in _EXCESS}}
    return {**horizon, **told, "by_difference": by.get("difference"), "by_t": by.get("t")}
