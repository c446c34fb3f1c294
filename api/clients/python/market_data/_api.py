"""What each method of the clients sends, and how it converts the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from . import _models as models
from ._calls import PAGE_SIZE, Request, Steps, content_of, data_of, get, post, result_of, segment
from ._columns import upload
from ._days import day_of
from ._errors import Gone
from ._factors import Claims, FactorStudy, factors_of, universe_of
from ._forward import ForwardRecord, ForwardRecords
from ._frames import library
from ._impact import Impact
from ._judgement import Judgement, record_of
from ._options import Factors, Universe
from ._outcomes import Outcomes
from ._searches import Optimization, Sweep
from ._tear_sheet import TearSheet, tear_sheet_of
from ._warnings import warn

T = TypeVar("T")

#: The number of symbols that every plan allows in a batch.
BATCH_SYMBOLS = 25
FORWARD = "/v1/my/forward"
_RUN_LATER = {"Prefer": "respond-async"}


def quote(symbol: str) -> Steps[models.Quote]:
    return models.quote_of((yield from data_of(get(f"/v1/quote/{segment(symbol)}"))))


def candles(symbol: str, **query: Any) -> Steps[models.Candles]:
    found = models.candles_of((yield from data_of(get(f"/v1/kline/{segment(symbol)}", **query))))
    _warn_of_plan([found])
    return found


def history(symbols: Iterable[str], **query: Any) -> Steps[models.History]:
    wanted = list(symbols)
    found: dict[str, models.Candles] = {}
    errors: dict[str, str] = {}
    for start in range(0, len(wanted), BATCH_SYMBOLS):
        body = _given(symbols=wanted[start : start + BATCH_SYMBOLS], type="kline", **query)
        data = yield from data_of(post("/v1/batch", body, reads=True))
        found.update({symbol: models.candles_of(one) for symbol, one in data["results"].items()})
        errors.update({one["symbol"]: one["message"] for one in data["errors"]})
    _warn_of_plan(found.values())
    for message in errors.values():
        warn(message)
    return models.History(found, errors)


def _warn_of_plan(found: Iterable[models.Candles]) -> None:
    """Warns of candles that begin later than they were asked for because of the plan."""
    cut = [one for one in found if one.raw.get("limited_by_plan")]
    if cut:
        first = min((one.bars[0].ts for one in cut if one.bars), default="no day")
        warn(f"the plan cuts the range of {', '.join(one.symbol for one in cut)}, which begins at {first}")


def symbols(query: str | None, **more: Any) -> Steps[models.Rows[models.Symbol]]:
    return models.symbols_of((yield from data_of(get("/v1/symbols", q=query, **more))))


def events(symbol: str) -> Steps[models.Rows[models.Event]]:
    return models.events_of((yield from data_of(get(f"/v1/events/{segment(symbol)}"))))


def calendar(start: Any, end: Any) -> Steps[Mapping[str, Any]]:
    found: Mapping[str, Any] = yield from data_of(get("/v1/calendar", start=start, end=end))
    return found


def session(date: Any) -> Steps[models.Rows[models.SessionBar]]:
    data = yield from data_of(get(_session_path(date)))
    return models.Rows(models.SessionBar, [models.made(models.SessionBar, one) for one in data["bars"]])


def _session_path(date: Any) -> str:
    return f"/v1/market/{segment(day_of(date) or date)}"


def market_events(**query: Any) -> Steps[models.Rows[models.MarketEvent]]:
    items = yield from _all_items("/v1/events", query)
    return models.Rows(models.MarketEvent, [models.made(models.MarketEvent, one) for one in items], ("ex_date",))


def symbol_changes(**query: Any) -> Steps[models.Rows[models.SymbolChange]]:
    items = yield from _all_items("/v1/symbols/changes", query)
    return models.Rows(models.SymbolChange, [models.made(models.SymbolChange, one) for one in items], ("date",))


def _all_items(path: str, query: dict[str, Any]) -> Steps[list[dict[str, Any]]]:
    pages = Pages(path, query)
    items: list[dict[str, Any]] = []
    while not pages.is_over:
        items += yield from pages.next()
    return items


_ARROW = {"Accept": "application/vnd.apache.arrow.stream"}


def session_arrow(date: Any) -> Steps[Any]:
    return (yield from _arrow_of(Request("GET", _session_path(date), headers=_ARROW)))


def history_arrow(symbols: Iterable[str], **query: Any) -> Steps[Any]:
    wanted = list(symbols)
    tables = []
    for start in range(0, len(wanted), BATCH_SYMBOLS):
        body = _given(symbols=wanted[start : start + BATCH_SYMBOLS], type="kline", **query)
        table = yield from _arrow_of(post("/v1/batch", body, reads=True, headers=_ARROW))
        for error in json.loads(table.schema.metadata[b"errors"]):
            warn(error["message"])
        tables.append(table.replace_schema_metadata())
    return library("pyarrow").concat_tables(tables)


def _arrow_of(request: Request) -> Steps[Any]:
    reader = library("pyarrow.ipc")
    return reader.open_stream((yield from content_of(request))).read_all()


def static_info(symbol: str) -> Steps[Mapping[str, Any]]:
    info: Mapping[str, Any] = yield from data_of(get(f"/v1/static/{segment(symbol)}"))
    return info


def strategies() -> Steps[list[Mapping[str, Any]]]:
    data = yield from data_of(get("/v1/strategies"))
    found: list[Mapping[str, Any]] = data["strategies"]
    return found


def screen(preset: str | None, body: Mapping[str, Any]) -> Steps[models.Screen]:
    data = yield from data_of(post("/v1/screener", _given(preset=preset, **body), reads=True))
    # The snapshot of a past session is built in a job, which may take longer than the call waits.
    if "job_id" in data:
        data = yield from result_of(f"/v1/screener/jobs/{segment(data['job_id'])}")
    return models.screen_of(data)


def any_call(method: str, path: str, query: dict[str, Any] | None, body: Any) -> Steps[Any]:
    # Whether a POST takes an idempotency key is not known here, so it is repeated only if it cannot have had an effect.
    is_repeatable = method.upper() != "POST"
    return (yield from data_of(Request(method.upper(), path, query or {}, body, is_repeatable=is_repeatable)))


def tear_sheet(id: int, kind: str, benchmark: str | None, factors: Iterable[str] | None) -> Steps[TearSheet]:
    places = {"backtest": "backtests", "portfolio": "portfolios"}
    if kind not in places:
        raise ValueError(f'"{kind}" is not a kind of run with a tear sheet: use "backtest" or "portfolio"')
    joined = None if factors is None else ",".join(factors)
    path = f"/v1/{places[kind]}/{segment(id)}/tear-sheet"
    data = yield from data_of(get(path, benchmark=benchmark, factors=joined))
    # It is made in a job, which may take longer than the call waits.
    if "job_id" in data:
        data = yield from result_of(f"/v1/tear-sheets/jobs/{segment(data['job_id'])}")
    return tear_sheet_of(data)


class Pages:
    """A list in pages. An item that a newer one has moved to the next page in between is returned once."""

    def __init__(self, path: str, query: dict[str, Any]) -> None:
        self.is_over = False
        self._path = path
        self._query = query
        self._number = 0
        self._read = 0
        self._seen: set[str] = set()

    def next(self) -> Steps[list[dict[str, Any]]]:
        """The items of the next page that were not returned yet."""
        self._number += 1
        query = {"size": PAGE_SIZE, **self._query, "page": self._number}
        data = yield from data_of(get(self._path, **query))
        items: list[dict[str, Any]] = data["items"]
        self._read += len(items)
        self.is_over = not items or self._read >= data["total"]
        fresh = {json.dumps(one): one for one in items}
        found = [one for text, one in fresh.items() if text not in self._seen]
        self._seen.update(fresh)
        return found


class Work(Generic[T]):
    """A kind of queued work: its paths, and the conversion of its result."""

    def __init__(self, path: str, jobs: str, made: Callable[[Any], T]) -> None:
        self.path = path
        self.jobs = jobs
        self.made = made

    def submit(self, body: Mapping[str, Any]) -> Steps[str]:
        """Queues, and returns the id of the job. A repeated call finds the job by the idempotency key."""
        data = yield from data_of(post(self.path, body, headers=_RUN_LATER))
        return str(data["job_id"])

    def state(self, id: str) -> Steps[models.JobState]:
        return models.job_state_of((yield from data_of(get(f"{self.jobs}/{segment(id)}"))))

    def result(
        self, id: str, timeout_s: float | None, on_progress: Callable[[models.JobState], None] | None
    ) -> Steps[T]:
        return self.made((yield from result_of(f"{self.jobs}/{segment(id)}", timeout_s, on_progress)))


class _Recorded(Work[T]):
    """The result is not part of the state, but has its own path."""

    def result(
        self, id: str, timeout_s: float | None, on_progress: Callable[[models.JobState], None] | None
    ) -> Steps[T]:
        yield from result_of(f"{self.jobs}/{segment(id)}", timeout_s, on_progress)
        return self.made((yield from data_of(get(f"{self.jobs}/{segment(id)}/result"))))


class _Studies(_Recorded[FactorStudy]):
    """Long series are in a file, which is kept for some days."""

    def result(
        self, id: str, timeout_s: float | None, on_progress: Callable[[models.JobState], None] | None
    ) -> Steps[FactorStudy]:
        study = yield from super().result(id, timeout_s, on_progress)
        if study.result["series_in_file"]:
            try:
                study.file = yield from content_of(get(f"{self.jobs}/{segment(id)}/series.parquet"))
            except Gone:
                pass
        return study


BACKTEST = Work("/v1/backtest", "/v1/backtests/jobs", models.backtest_of)
PORTFOLIO = Work("/v1/portfolio", "/v1/portfolio/jobs", models.backtest_of)
COMPARISON = Work("/v1/portfolio", "/v1/portfolio/jobs", models.compared_of)
OPTIMIZATION = Work("/v1/optimize", "/v1/optimize/jobs", Optimization)
SWEEP = _Recorded("/v1/sweeps", "/v1/sweeps", Sweep)
FACTORS = _Studies("/v1/factors", "/v1/factors", FactorStudy)
CLAIMS = Work("/v1/claims/run", "/v1/claims/jobs", Claims)
OUTCOMES = Work("/v1/outcomes", "/v1/outcomes/jobs", Outcomes)
JUDGEMENT = Work("/v1/judge", "/v1/judge/jobs", Judgement)
SEAL = Work(FORWARD, "/v1/my/forward-jobs", ForwardRecord)
SQL = Work("/v1/sql", "/v1/sql/jobs", models.table_of)
#: By the `kind` of `job`.
WORKS: dict[str, Work[Any]] = {
    "backtest": BACKTEST,
    "portfolio": PORTFOLIO,
    "comparison": COMPARISON,
    "optimization": OPTIMIZATION,
    "sweep": SWEEP,
    "factors": FACTORS,
    "claims": CLAIMS,
    "outcomes": OUTCOMES,
    "judge": JUDGEMENT,
    "seal": SEAL,
    "sql": SQL,
}


def submit_backtest(symbol: str, strategy: str | None, options: Mapping[str, Any]) -> Steps[str]:
    return BACKTEST.submit(_given(symbol=symbol, strategy=strategy, **options))


def submit_portfolio(symbols: Iterable[str], strategy: str | None, options: Mapping[str, Any]) -> Steps[str]:
    return PORTFOLIO.submit(_given(symbols=list(symbols), strategy=strategy, **options))


def submit_rotation(universe: dict[str, Any], rotation: dict[str, Any], options: Mapping[str, Any]) -> Steps[str]:
    return PORTFOLIO.submit(_given(universe=universe, rotation=rotation, **options))


def _allocation(
    targets: Mapping[str, float],
    rebalance: str | Mapping[str, float] | None = None,
    flows: Iterable[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    weights = [{"symbol": symbol, "weight": weight} for symbol, weight in targets.items()]
    return _given(targets=weights, rebalance=rebalance, flows=None if flows is None else list(flows))


def submit_hold(
    targets: Mapping[str, float],
    rebalance: str | Mapping[str, float] | None,
    flows: Iterable[Mapping[str, Any]] | None,
    options: Mapping[str, Any],
) -> Steps[str]:
    return PORTFOLIO.submit(_given(allocation=_allocation(targets, rebalance, flows), **options))


def submit_compare(portfolios: Mapping[str, Mapping[str, Any]], options: Mapping[str, Any]) -> Steps[str]:
    compare = [{"name": name, "allocation": _allocation(**one)} for name, one in portfolios.items()]
    return COMPARISON.submit(_given(compare=compare, **options))


def submit_optimize(symbol: str, strategy: str, grid: dict[str, Any], options: Mapping[str, Any]) -> Steps[str]:
    return OPTIMIZATION.submit(_given(symbol=symbol, strategy=strategy, grid=grid, **options))


def submit_factors(factors: Factors, universe: Universe, options: Mapping[str, Any]) -> Steps[str]:
    return FACTORS.submit(_given(factors=factors_of(factors), universe=universe_of(universe), **options))


def claims() -> Steps[Claims]:
    return Claims((yield from data_of(get("/v1/claims"))))


def submit_claims(codes: Iterable[str] | None, universe: Universe | None, options: Mapping[str, Any]) -> Steps[str]:
    universe = None if universe is None else universe_of(universe)
    return CLAIMS.submit(_given(codes=None if codes is None else list(codes), universe=universe, **options))


def submit_outcomes(
    condition: str, for_: str | Iterable[str] | None, universe: Universe | None, options: Mapping[str, Any]
) -> Steps[str]:
    universe = None if universe is None else universe_of(universe)
    wanted = [for_] if isinstance(for_, str) else None if for_ is None else list(for_)
    return OUTCOMES.submit(_given(**{"for": wanted}, condition=condition, universe=universe, **options))


def submit_judge(frame: Any, options: Mapping[str, Any]) -> Steps[str]:
    detail = options.get("detail")
    query = {**options, "detail": None if detail is None else ",".join(detail)}
    # Nothing is kept, so that a repeated call does no more.
    return upload("POST", JUDGEMENT.path, record_of(frame), query)


def submit_seal(
    run: models.Backtest | int | None,
    kind: str,
    strategy: int | None,
    symbols: Iterable[str] | None,
    params: Mapping[str, Any] | None,
    name: str | None,
) -> Steps[str]:
    wanted: dict[str, Any] = {"kind": kind, "id": run}
    if isinstance(run, models.Backtest):
        wanted = {"kind": "backtest" if run.symbol else "portfolio", "id": run.id}
    if run is None:
        wanted = _given(strategy=strategy, symbols=None if symbols is None else list(symbols), params=params)
    return SEAL.submit(_given(run=wanted, name=name))


def forward_record(record: int | str) -> Steps[ForwardRecord]:
    path = f"{FORWARD}/{record}" if isinstance(record, int) else f"/v1/forward/{segment(record)}"
    found = yield from data_of(get(path))
    return ForwardRecord(found, (yield from _all(f"{path}/entries")))


def forward_records() -> Steps[ForwardRecords]:
    return ForwardRecords((yield from _all(FORWARD)))


def _all(path: str) -> Steps[list[dict[str, Any]]]:
    """All items of a paged list."""
    pages, found = Pages(path, {}), []
    while not pages.is_over:
        found += yield from pages.next()
    return found


def share_forward(id: int, shared: bool) -> Steps[Mapping[str, Any]]:
    link: Mapping[str, Any] = yield from data_of(post(f"{FORWARD}/{segment(id)}/share", {"shared": shared}))
    return link


def stop_forward(id: int) -> Steps[Mapping[str, Any]]:
    ended: Mapping[str, Any] = yield from data_of(post(f"{FORWARD}/{segment(id)}/stop", None))
    return ended


def impact(load: int | None) -> Steps[Impact]:
    if load is None:
        return Impact((yield from _all("/v1/my/impact")))
    path = f"/v1/revisions/loads/{load}/impact"
    told = yield from data_of(get(path))
    return Impact((yield from _all(path)), told["runs"])


def submit_sql(query: str, limit: int | None, as_of_load: str | int | None) -> Steps[str]:
    return SQL.submit(_given(query=query, limit=limit, as_of_load=as_of_load))


def _given(**fields: Any) -> dict[str, Any]:
    """A body without the fields that are None, for which the service uses defaults."""
    return {name: value for name, value in fields.items() if value is not None}
