"""Forward records: sealed runs, and what they have told since, as frames."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from ._canonical import canonical_json
from ._factors import StudyTable
from ._frames import Sheet, Tabular
from ._html import html_table

_Row = Mapping[str, Any]
_BAND = ("session", "p5", "p25", "p50", "p75", "p95")
_LISTED = ("id", "name", "status", "sealed_at", "sessions", "growth", "market", "rank", "shrinkage")


class ForwardRecord(Tabular):
    """A sealed run: what it predicts, and how it has gone on since. Returns are fractions, growth 1 at the seal. `to_df` has the
    curve, like `curve`; `result` is what the service answered."""

    def __init__(self, result: _Row, entries: Iterable[_Row] = ()) -> None:
        self.result = result
        self._entries = list(entries)

    @property
    def sentences(self) -> list[str]:
        """Where it lies among the paths of its seal, and how many records its account has."""
        found: list[str] = self.result["sentences"]
        return found

    @property
    def curve(self) -> StudyTable:
        """Growth by session before and after the seal, beside that of the market; `revised`: by what is known now, where that differs."""
        before = ({**row, "revised": None} for row in self.result["before"])
        return StudyTable(("ts", "growth", "market", "revised"), (*before, *self.result["after"]))

    @property
    def bands(self) -> StudyTable:
        """Percentiles of the predicted growth after 1 to 250 sessions. A run that was too short predicts nothing: no rows."""
        return self._bands("bands", "growth")

    @property
    def excess_bands(self) -> StudyTable:
        """The same of the growth ÷ that of the market."""
        return self._bands("bands", "excess")

    @property
    def lowered_bands(self) -> StudyTable:
        """The same with a mean that is lowered for the search behind the run; without one no rows."""
        return self._bands("lowered_bands", "growth")

    @property
    def entries(self) -> StudyTable:
        """A row for each entry, with its digest. Entries of another `kind` than ``session`` tell what befell the record."""
        columns = ("number", "ts", "kind", "return", "benchmark", "equity", "sha256")
        return StudyTable(columns, ({**dict.fromkeys(columns), **one["entry"], **_named(one)} for one in self._entries))

    def verify(self, kept: str | None = None) -> int:
        """Computes the digests of the chain again, one after another, and returns how many entries it has.

        Args:
            kept: a digest that was seen earlier, and must be in the chain.

        Raises:
            ValueError: the chain is broken; the message says where.
        """
        digest = _checked("", self.result["seal"], self.result["seal_sha256"], "the seal")
        known = {digest}
        for one in self._entries:
            digest = _checked(digest, one["entry"], one["sha256"], f"entry {one['number']}, of {one['session']},")
            known.add(digest)
        for wanted in (self.result["head"], kept):
            if wanted is not None and wanted not in known:
                raise ValueError(f"{wanted} is not in the chain, which ends with {digest}")
        return len(self._entries)

    def _bands(self, part: str, of: str) -> StudyTable:
        return StudyTable(_BAND, (self.result[part] or {of: ()})[of])

    def _sheet(self) -> Sheet:
        return self.curve._sheet()

    def _caption(self) -> str:
        found = self.result
        return f"{found['name']}, sealed {found['sealed_at'][:10]}, {found['sessions']:,} sessions, {found['status']}"

    def _repr_html_(self) -> str:
        """The curve and the sentences, which notebooks show."""
        return super()._repr_html_() + html_table(["sentence"], [[sentence] for sentence in self.sentences], "")


class ForwardRecords(list[_Row], Tabular):
    """The forward records of the account, newest first; ended ones stay listed. As a frame with their live figures."""

    def _sheet(self) -> Sheet:
        rows = [{**dict.fromkeys(_LISTED), **(one["live"] or {}), **((one["live"] or {}).get("place") or {}), **one} for one in self]
        return Sheet(_LISTED, [[row[name] for name in _LISTED] for row in rows])


def _named(entry: _Row) -> _Row:
    return {"number": entry["number"], "ts": entry["session"], "kind": entry["kind"], "sha256": entry["sha256"]}


def _checked(before: str, form: Any, digest: str, name: str) -> str:
    if hashlib.sha256((before + canonical_json(form)).encode()).hexdigest() != digest:
        raise ValueError(f"{name} is not that of its digest" + (" and the digest before it" if before else ""))
    return digest
