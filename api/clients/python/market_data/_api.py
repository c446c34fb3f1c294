"""What each method of the clients sends, and what it makes of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import _models as models
from ._calls import PAGE_SIZE, Request, Steps, data_of, get, post, segment

#: As many symbols as a batch of every plan may name.
BATCH_SYMBOLS = 25
_RUN_LATER = {"Prefer": "respond-async"}


def quote(symbol: str) -> Steps[models.Quote]:
    return models.quote_of((yield from data_of(get(f"/v1/quote/{segment(symbol)}"))))


def candles(symbol: str, **query: Any) -> Steps[models.Candles]:
    return models.candles_of((yield from data_of(get(f"/v1/kline/{segment(symbol)}", **query))))


def history(symbols: Iterable[str], **query: Any) -> Steps[models.History]:
    wanted = list(symbols)
    found: dict[str, models.Candles] = {}
    errors: dict[str, str] = {}
    for start in range(0, len(wanted), BATCH_SYMBOLS):
        body = {"symbols": wanted[start : start + BATCH_SYMBOLS], "type": "kline"}
        body.update({name: value for name, value in query.items() if value is not None})
        data = yield from data_of(post("/v1/batch", body, reads=True))
        found.update({symbol: models.candles_of(one) for symbol, one in data["results"].items()})
        errors.update({one["symbol"]: one["message"] for one in data["errors"]})
    return models.History(found, errors)


def symbols(query: str | None, **more: Any) -> Steps[list[models.Symbol]]:
    data = yield from data_of(get("/v1/symbols", q=query, **more))
    return [models.made(models.Symbol, one) for one in data["items"]]


def screen(body: dict[str, Any]) -> Steps[models.Screen]:
    return models.screen_of((yield from data_of(post("/v1/screener", body, reads=True))))


def any_call(method: str, path: str, query: dict[str, Any] | None, body: Any) -> Steps[Any]:
    # Whether a POST takes an idempotency key is not known here: it is sent again only if nothing can have been done.
    is_repeatable = method.upper() != "POST"
    return (yield from data_of(Request(method.upper(), path, query or {}, body, is_repeatable=is_repeatable)))


def page(path: str, number: int, query: dict[str, Any]) -> Steps[tuple[list[dict[str, Any]], int]]:
    data = yield from data_of(get(path, **{"size": PAGE_SIZE, **query, "page": number}))
    return data["items"], data["total"]


class Work:
    """A kind of queued work: where it is queued, where its state is, and what its result becomes."""

    def __init__(self, path: str, jobs: str, made: Callable[[Any], Any]) -> None:
        self.path = path
        self.jobs = jobs
        self.made = made

    def submit(self, body: dict[str, Any]) -> Steps[str]:
        """Queues, and returns the id of the job. The idempotency key finds the job again if its answer is lost."""
        data = yield from data_of(post(self.path, body, headers=_RUN_LATER))
        return data["job_id"]


BACKTEST = Work("/v1/backtest", "/v1/backtests/jobs", models.backtest_of)
PORTFOLIO = Work("/v1/portfolio", "/v1/portfolio/jobs", models.backtest_of)
OPTIMIZATION = Work("/v1/optimize", "/v1/optimize/jobs", dict)
SWEEP = Work("/v1/sweeps", "/v1/sweeps", dict)


def sweep_result(sweep_id: str) -> Steps[dict[str, Any]]:
    return (yield from data_of(get(f"/v1/sweeps/{segment(sweep_id)}/result")))


def run_body(strategy: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """The body of a run; what is None is left to the service."""
    given = {"strategy": strategy, **options}
    return {name: value for name, value in given.items() if value is not None}
