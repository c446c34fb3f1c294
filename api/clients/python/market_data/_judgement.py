"""Returns that were made elsewhere, judged: what they earned, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._factors import StudyTable
from ._frames import Sheet, Tabular
from ._html import html_table
from ._tear_sheet import FIGURES

_Row = Mapping[str, Any]
_ABOUT = ("name", "first", "last", "frequency", "periods", "missing")
_SKILL = ("beta", "alpha_pct", "alpha_t", "appraisal", "psr", "min_track_record_bars", "shown")
_SERIAL = ("rho", "psr", "min_track_record", "critical_sharpe", "power")
_COLUMNS = (
    *_ABOUT,
    *FIGURES,
    "psr",
    *(f"skill_{name}" for name in _SKILL),
    *(f"serial_{name}" for name in _SERIAL),
    "fdr",
)
_SHOWN = ("name", "periods", "annual_return_pct", "sharpe", "max_drawdown_pct", "skill_alpha_pct", "skill_alpha_t", "serial_psr")


def record_of(frame: Any) -> Any:
    """A frame of pandas with its index as the column ``date``. An index of whole numbers counts rows, and has no days."""
    if not hasattr(frame, "reset_index") or frame.index.dtype.kind in "iu":
        return frame
    return frame.rename_axis("date").reset_index()


class Judgement(Tabular):
    """What returns that were made elsewhere earned, and how sure that is. Figures whose names end in ``pct`` are percents, other shares
    fractions, a figure that is not defined None. `to_df` has the streams, like `streams`; `result` is what the service answered, with a
    tear sheet for each stream."""

    def __init__(self, result: _Row) -> None:
        self.result = result

    @property
    def sentences(self) -> list[str]:
        """On the best stream, after the choice among all. Without a benchmark none speaks of luck."""
        found: list[str] = self.result["sentences"]
        return found

    @property
    def notes(self) -> list[_Row]:
        """What the record may not be, such as percents that were sent as fractions: ``code``, ``level`` (``info`` or ``warning``),
        ``message``, ``details``, and the first 20 ``streams``."""
        found: list[_Row] = self.result["notes"]
        return found

    @property
    def selection(self) -> _Row | None:
        """The choice of the best stream (``best``) among as many ``trials``, with `hurdle`, `dsr`, and the same of `skill`; None where
        the streams have few periods in common."""
        found: _Row | None = self.result["selection"]
        return found

    @property
    def streams(self) -> StudyTable:
        """A row for each stream: its days, the figures of its tear sheet, `psr`, what it earned beyond the benchmark (``skill_…``; None
        without one), the Sharpe ratio of returns that follow each other (``serial_…``), and the probability of no skill under the
        assumptions (`fdr`; None for one stream). Below 60 periods skill and serial figures are None."""
        rates = {one["name"]: one["fdr"] for one in (self.result["fdr"] or {}).get("streams", ())}
        rows = ({**_flat(stream), "fdr": rates.get(stream["name"])} for stream in self.result["streams"])
        return StudyTable(_COLUMNS, rows)

    def _sheet(self) -> Sheet:
        return self.streams._sheet()

    def _caption(self) -> str:
        benchmark = self.result["benchmark"]
        beside = "without a benchmark" if benchmark is None else f"beside {benchmark}"
        return f"{self.result['form']} {beside}"

    def _repr_html_(self) -> str:
        """The first figures, the sentences, and the notes, which notebooks show."""
        rows = [[row[name] for name in _SHOWN] for row in map(_flat, self.result["streams"])]
        sentences = html_table(["sentence"], [[sentence] for sentence in self.sentences], "")
        notes = html_table(["note"], [[note["message"]] for note in self.notes], "")
        return html_table(_SHOWN, rows, self._caption()) + sentences + notes


def _flat(stream: _Row) -> _Row:
    """A stream with its figures beside each other."""
    statistics, returns = stream["statistics"], stream["tear_sheet"]["returns"]
    skill, serial = statistics["skill"] or {}, stream["serial"] or {}
    return {
        **{name: stream[name] for name in _ABOUT},
        **{name: returns[name] for name in FIGURES},
        "psr": statistics["psr"],
        **{f"skill_{name}": skill.get(name) for name in _SKILL},
        **{f"serial_{name}": serial.get(name) for name in _SERIAL},
    }
