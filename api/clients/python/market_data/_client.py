"""The clients: one that waits, and one for asyncio."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import httpx

from . import _api as api
from ._calls import Answer, Lost, Send, Sleep, Steps, get, data_of, result_of, segment
from ._models import Backtest, Candles, History, JobState, Quote, Screen, Symbol

T = TypeVar("T")
Progress = Callable[[JobState], None]

DEFAULT_URL = "http://127.0.0.1:3000"
#: Errors before anything was sent.
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def _settings(url: str | None, key: str | None, language: str | None) -> dict[str, Any]:
    headers = {"X-Client-Kind": "sdk", "User-Agent": "market-data-python"}
    key = key if key is not None else os.environ.get("MARKET_API_KEY")
    if key:
        headers["Authorization"] = f"Bearer {key}"
    if language:
        headers["Accept-Language"] = language
    return {"base_url": url or os.environ.get("MARKET_API_URL") or DEFAULT_URL, "headers": headers}


def _request(step: Send) -> dict[str, Any]:
    json = None if step.method == "GET" else (step.body if step.body is not None else {})
    return {"json": json, "headers": step.headers, "timeout": step.timeout_s}


def _answer(response: httpx.Response) -> Answer:
    return Answer(response.status_code, {k.lower(): v for k, v in response.headers.items()}, response.content)


class Job(Generic[T]):
    """A job that the service works at, whatever becomes of the program that queued it."""

    def __init__(self, client: Client, work: api.Work, id: str) -> None:
        self.id = id
        self._client = client
        self._work = work

    def state(self) -> JobState:
        data = self._client._run(data_of(get(f"{self._work.jobs}/{segment(self.id)}")))
        return JobState(data["status"], data.get("progress_pct"))

    def result(self, timeout_s: float | None = None, on_progress: Progress | None = None) -> T:
        """Waits for the result.

        Args:
            timeout_s: seconds to wait; default: an hour. The job goes on when they are over.
            on_progress: called with every change of the state.

        Raises:
            JobFailed: there will be no result.
            TimedOut: the time is over.
        """
        steps = result_of(f"{self._work.jobs}/{segment(self.id)}", timeout_s, on_progress)
        data = self._client._run(steps)
        if self._work is api.SWEEP:
            data = self._client._run(api.sweep_result(self.id))
        return self._work.made(data)


class Client:
    """Market data, and research that is queued and awaited.

    Args:
        url: of the service; default: ``MARKET_API_URL`` of the environment, else ``http://127.0.0.1:3000``.
        key: an API key or access token; default: ``MARKET_API_KEY`` of the environment. Without one, calls are a guest's.
        language: of texts: ``en``, ``zh-CN``, ``zh-TW``.

    Calls are sent again with growing waits while the service is busy (429, with its ``Retry-After``), away (502, 503), or the
    connection breaks. What creates something carries an idempotency key, so that nothing is done twice.
    """

    def __init__(self, url: str | None = None, key: str | None = None, language: str | None = None) -> None:
        self._http = httpx.Client(**_settings(url, key, language))

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _run(self, steps: Steps[T]) -> T:
        outcome: Answer | Lost | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return end.value
            if isinstance(step, Sleep):
                time.sleep(step.seconds)
                outcome = None
                continue
            try:
                outcome = _answer(self._http.request(step.method, step.path, **_request(step)))
            except httpx.TransportError as error:
                outcome = Lost(error, isinstance(error, _UNSENT))

    def quote(self, symbol: str) -> Quote:
        """The newest session of an instrument."""
        return self._run(api.quote(symbol))

    def candles(
        self,
        symbol: str,
        *,
        period: str | None = None,
        days: int | None = None,
        start: str | None = None,
        end: str | None = None,
        adjust: str | None = None,
    ) -> Candles:
        """Candles of an instrument, oldest first.

        Args:
            period: ``day`` (default), ``week``, or ``month``.
            days: the newest candles, counted in periods; default 250. `start` overrides it.
            start, end: days as YYYY-MM-DD, both included.
            adjust: ``none`` (default: as traded), ``qfq`` (on the share count of the newest bar), or ``total`` (with
                dividends reinvested).
        """
        return self._run(api.candles(symbol, period=period, days=days, start=start, end=end, adjust=adjust))

    def history(
        self,
        symbols: Iterable[str],
        *,
        period: str | None = None,
        days: int | None = None,
        start: str | None = None,
        end: str | None = None,
        adjust: str | None = None,
    ) -> History:
        """Candles of many instruments, 25 with a call; the arguments are those of `candles`."""
        return self._run(api.history(symbols, period=period, days=days, start=start, end=end, adjust=adjust))

    def symbols(self, query: str | None = None, **more: Any) -> list[Symbol]:
        """Instruments whose ticker begins with the text, or whose name has it; without one, popular ones."""
        return self._run(api.symbols(query, **more))

    def screen(self, preset: str | None = None, **body: Any) -> Screen:
        """Instruments of the whole market that meet conditions on daily bars.

        Args:
            preset: a ready-made screen, such as ``trend_breakout``.
            body: ``conditions``, ``where``, ``sort``, ``limit``, and so on, as ``POST /v1/screener`` takes them.
        """
        return self._run(api.screen(api.run_body(None, {"preset": preset, **body})))

    def backtest(
        self,
        symbol: str,
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Any,
    ) -> Backtest:
        """Runs a strategy on an instrument, and waits for the result.

        Args:
            options: ``time_range`` (such as ``5Y``) or ``start`` and ``end``, ``params``, ``cost``, ``execute_on``, ``adjust``,
                ``rules``, and so on, as ``POST /v1/backtest`` takes them.
        """
        return self.submit_backtest(symbol, strategy, **options).result(timeout_s, on_progress)

    def submit_backtest(self, symbol: str, strategy: str | None = None, **options: Any) -> Job[Backtest]:
        """Queues a backtest without waiting."""
        return self._submit(api.BACKTEST, api.run_body(strategy, {"symbol": symbol, **options}))

    def portfolio(
        self,
        symbols: Iterable[str],
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Any,
    ) -> Backtest:
        """Runs a strategy on instruments that share one purse, and waits for the result."""
        return self.submit_portfolio(symbols, strategy, **options).result(timeout_s, on_progress)

    def submit_portfolio(self, symbols: Iterable[str], strategy: str | None = None, **options: Any) -> Job[Backtest]:
        return self._submit(api.PORTFOLIO, api.run_body(strategy, {"symbols": list(symbols), **options}))

    def optimize(
        self,
        symbol: str,
        strategy: str,
        grid: dict[str, Any],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Searches a grid of parameters, and waits for the best combinations."""
        return self.submit_optimize(symbol, strategy, grid, **options).result(timeout_s, on_progress)

    def submit_optimize(self, symbol: str, strategy: str, grid: dict[str, Any], **options: Any) -> Job[dict[str, Any]]:
        body = api.run_body(strategy, {"symbol": symbol, "grid": grid, **options})
        return self._submit(api.OPTIMIZATION, body)

    def submit_sweep(self, **body: Any) -> Job[dict[str, Any]]:
        """Queues strategies over many instruments, as ``POST /v1/sweeps`` takes them."""
        return self._submit(api.SWEEP, body)

    def job(self, kind: str, id: str) -> Job[Any]:
        """A job that was queued before.

        Args:
            kind: ``backtest``, ``portfolio``, ``optimization``, or ``sweep``.
        """
        return Job(self, _KINDS[kind], id)

    def items(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """All items of a list that is answered in pages, such as ``/v1/backtests``, as they are wanted."""
        number = 0
        read = 0
        while True:
            number += 1
            found, total = self._run(api.page(path, number, query))
            yield from found
            read += len(found)
            if not found or read >= total:
                return

    def call(self, method: str, path: str, query: dict[str, Any] | None = None, body: Any = None) -> Any:
        """Any call of the interface description; returns its `data`."""
        return self._run(api.any_call(method, path, query, body))

    def _submit(self, work: api.Work, body: dict[str, Any]) -> Job[Any]:
        return Job(self, work, self._run(work.submit(body)))


class AsyncJob(Generic[T]):
    """A job of `AsyncClient`; see `Job`."""

    def __init__(self, client: AsyncClient, work: api.Work, id: str) -> None:
        self.id = id
        self._client = client
        self._work = work

    async def state(self) -> JobState:
        data = await self._client._run(data_of(get(f"{self._work.jobs}/{segment(self.id)}")))
        return JobState(data["status"], data.get("progress_pct"))

    async def result(self, timeout_s: float | None = None, on_progress: Progress | None = None) -> T:
        steps = result_of(f"{self._work.jobs}/{segment(self.id)}", timeout_s, on_progress)
        data = await self._client._run(steps)
        if self._work is api.SWEEP:
            data = await self._client._run(api.sweep_result(self.id))
        return self._work.made(data)


class AsyncClient:
    """`Client` for asyncio: the same arguments and results, awaited."""

    def __init__(self, url: str | None = None, key: str | None = None, language: str | None = None) -> None:
        self._http = httpx.AsyncClient(**_settings(url, key, language))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _run(self, steps: Steps[T]) -> T:
        outcome: Answer | Lost | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return end.value
            if isinstance(step, Sleep):
                await asyncio.sleep(step.seconds)
                outcome = None
                continue
            try:
                outcome = _answer(await self._http.request(step.method, step.path, **_request(step)))
            except httpx.TransportError as error:
                outcome = Lost(error, isinstance(error, _UNSENT))

    async def quote(self, symbol: str) -> Quote:
        return await self._run(api.quote(symbol))

    async def candles(self, symbol: str, **query: Any) -> Candles:
        return await self._run(api.candles(symbol, **query))

    async def history(self, symbols: Iterable[str], **query: Any) -> History:
        return await self._run(api.history(symbols, **query))

    async def symbols(self, query: str | None = None, **more: Any) -> list[Symbol]:
        return await self._run(api.symbols(query, **more))

    async def screen(self, preset: str | None = None, **body: Any) -> Screen:
        return await self._run(api.screen(api.run_body(None, {"preset": preset, **body})))

    async def backtest(
        self,
        symbol: str,
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Any,
    ) -> Backtest:
        job = await self.submit_backtest(symbol, strategy, **options)
        return await job.result(timeout_s, on_progress)

    async def submit_backtest(self, symbol: str, strategy: str | None = None, **options: Any) -> AsyncJob[Backtest]:
        return await self._submit(api.BACKTEST, api.run_body(strategy, {"symbol": symbol, **options}))

    async def portfolio(
        self,
        symbols: Iterable[str],
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Any,
    ) -> Backtest:
        job = await self.submit_portfolio(symbols, strategy, **options)
        return await job.result(timeout_s, on_progress)

    async def submit_portfolio(
        self, symbols: Iterable[str], strategy: str | None = None, **options: Any
    ) -> AsyncJob[Backtest]:
        return await self._submit(api.PORTFOLIO, api.run_body(strategy, {"symbols": list(symbols), **options}))

    async def optimize(
        self,
        symbol: str,
        strategy: str,
        grid: dict[str, Any],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        job = await self.submit_optimize(symbol, strategy, grid, **options)
        return await job.result(timeout_s, on_progress)

    async def submit_optimize(
        self, symbol: str, strategy: str, grid: dict[str, Any], **options: Any
    ) -> AsyncJob[dict[str, Any]]:
        body = api.run_body(strategy, {"symbol": symbol, "grid": grid, **options})
        return await self._submit(api.OPTIMIZATION, body)

    async def submit_sweep(self, **body: Any) -> AsyncJob[dict[str, Any]]:
        return await self._submit(api.SWEEP, body)

    def job(self, kind: str, id: str) -> AsyncJob[Any]:
        return AsyncJob(self, _KINDS[kind], id)

    async def items(self, path: str, **query: Any) -> AsyncIterator[dict[str, Any]]:
        number = 0
        read = 0
        while True:
            number += 1
            found, total = await self._run(api.page(path, number, query))
            for one in found:
                yield one
            read += len(found)
            if not found or read >= total:
                return

    async def call(self, method: str, path: str, query: dict[str, Any] | None = None, body: Any = None) -> Any:
        return await self._run(api.any_call(method, path, query, body))

    async def _submit(self, work: api.Work, body: dict[str, Any]) -> AsyncJob[Any]:
        return AsyncJob(self, work, await self._run(work.submit(body)))


_KINDS = {
    "backtest": api.BACKTEST,
    "portfolio": api.PORTFOLIO,
    "optimization": api.OPTIMIZATION,
    "sweep": api.SWEEP,
}
