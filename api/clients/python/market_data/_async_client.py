"""The client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import httpx

from . import _api as api
from ._calls import Answer, Listen, Lost, Send, Sleep, Steps
from ._columns import AsyncColumns
from ._events import AsyncListener, async_events_of
from ._factors import Claims, FactorStudy
from ._forward import ForwardRecord, ForwardRecords
from ._http import Progress, answer_of, lost_of, request_of, settings_of
from ._impact import Impact
from ._judgement import Judgement
from ._models import (
    Backtest,
    Candles,
    Event,
    History,
    JobState,
    MarketEvent,
    Quote,
    Rows,
    Screen,
    SessionBar,
    Symbol,
    SymbolChange,
    Table,
)
from ._options import (
    BacktestOptions,
    ClaimOptions,
    CandleAdjust,
    Day,
    FactorOptions,
    Factors,
    HoldOptions,
    JudgeOptions,
    OptimizationOptions,
    OutcomeOptions,
    Period,
    PortfolioOptions,
    RotationOptions,
    ScreenOptions,
    SweepOptions,
    Universe,
    completed,
)
from ._outcomes import Outcomes
from ._searches import Optimization, Sweep
from ._tear_sheet import TearSheet

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack

T = TypeVar("T")


class AsyncJob(Generic[T]):
    """A job of `AsyncClient`; see `Job`."""

    def __init__(self, client: AsyncClient, work: api.Work[T], id: str) -> None:
        self.id = id
        self._client = client
        self._work = work

    async def state(self) -> JobState:
        return await self._client._run(self._work.state(self.id))

    async def result(self, timeout_s: float | None = None, on_progress: Progress | None = None) -> T:
        return await self._client._run(self._work.result(self.id, timeout_s, on_progress))


class AsyncClient:
    """`Client` for asyncio: the same arguments, ``timeout_s`` and ``on_progress`` included, and the same results, awaited."""

    def __init__(self, url: str | None = None, key: str | None = None, language: str | None = None) -> None:
        self._http = httpx.AsyncClient(**settings_of(url, key, language))
        self._was_reached = False
        #: Values beside the bars, as they were known.
        self.columns = AsyncColumns(self)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _run(self, steps: Steps[T]) -> T:
        outcome: Answer | Lost | bool | None = None
        listener = AsyncListener(self._http)
        try:
            while True:
                try:
                    step = steps.send(outcome)
                except StopIteration as end:
                    result: T = end.value
                    return result
                if isinstance(step, Sleep):
                    await asyncio.sleep(step.seconds)
                    outcome = None
                elif isinstance(step, Listen):
                    outcome = await listener.listen(step)
                else:
                    outcome = await self._sent(step)
        finally:
            await listener.close()

    async def _sent(self, step: Send) -> Answer | Lost:
        try:
            answer = answer_of(await self._http.request(step.method, step.path, **request_of(step)))
            self._was_reached = True
            return answer
        except httpx.TransportError as error:
            lost = lost_of(error, self._http, self._was_reached)
            # A connection that broke was made.
            self._was_reached = self._was_reached or not lost.is_unsent
            return lost

    def stream(self, after: int | None = None) -> AsyncIterator[dict[str, Any]]:
        """The events of the account as they happen, without end; a stream that breaks is resumed.

        Args:
            after: the ``id`` of the last event that the program has; default: only events from now on.
        """
        return async_events_of(self._http, after)

    async def quote(self, symbol: str) -> Quote:
        return await self._run(api.quote(symbol))

    async def candles(
        self,
        symbol: str,
        *,
        period: Period | None = None,
        days: int | None = None,
        start: Day | None = None,
        end: Day | None = None,
        adjust: CandleAdjust | None = None,
    ) -> Candles:
        return await self._run(api.candles(symbol, period=period, days=days, start=start, end=end, adjust=adjust))

    async def history(
        self,
        symbols: Iterable[str],
        *,
        period: Period | None = None,
        days: int | None = None,
        start: Day | None = None,
        end: Day | None = None,
        adjust: CandleAdjust | None = None,
    ) -> History:
        return await self._run(api.history(symbols, period=period, days=days, start=start, end=end, adjust=adjust))

    async def symbols(self, query: str | None = None, **more: Any) -> Rows[Symbol]:
        return await self._run(api.symbols(query, **more))

    async def events(self, symbol: str) -> Rows[Event]:
        return await self._run(api.events(symbol))

    async def calendar(self, start: Day | None = None, end: Day | None = None) -> Mapping[str, Any]:
        return await self._run(api.calendar(start, end))

    async def session(self, date: Day) -> Rows[SessionBar]:
        return await self._run(api.session(date))

    async def session_arrow(self, date: Day) -> pyarrow.Table:
        table: pyarrow.Table = await self._run(api.session_arrow(date))
        return table

    async def history_arrow(
        self,
        symbols: Iterable[str],
        *,
        period: Period | None = None,
        days: int | None = None,
        start: Day | None = None,
        end: Day | None = None,
        adjust: CandleAdjust | None = None,
    ) -> pyarrow.Table:
        table: pyarrow.Table = await self._run(
            api.history_arrow(symbols, period=period, days=days, start=start, end=end, adjust=adjust)
        )
        return table

    async def market_events(
        self, start: Day | None = None, end: Day | None = None, known_at: Day | None = None
    ) -> Rows[MarketEvent]:
        return await self._run(api.market_events(start=start, end=end, known_at=known_at))

    async def symbol_changes(self, start: Day | None = None, end: Day | None = None) -> Rows[SymbolChange]:
        return await self._run(api.symbol_changes(start=start, end=end))

    async def static_info(self, symbol: str) -> Mapping[str, Any]:
        return await self._run(api.static_info(symbol))

    async def strategies(self) -> list[Mapping[str, Any]]:
        return await self._run(api.strategies())

    @completed(ScreenOptions)
    async def screen(self, preset: str | None = None, **body: Unpack[ScreenOptions]) -> Screen:
        return await self._run(api.screen(preset, body))

    @completed(BacktestOptions)
    async def backtest(
        self,
        symbol: str,
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[BacktestOptions],
    ) -> Backtest:
        return await (await self.submit_backtest(symbol, strategy, **options)).result(timeout_s, on_progress)

    @completed(BacktestOptions)
    async def submit_backtest(
        self, symbol: str, strategy: str | None = None, **options: Unpack[BacktestOptions]
    ) -> AsyncJob[Backtest]:
        return await self._submitted(api.BACKTEST, api.submit_backtest(symbol, strategy, options))

    @completed(PortfolioOptions)
    async def portfolio(
        self,
        symbols: Iterable[str],
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[PortfolioOptions],
    ) -> Backtest:
        return await (await self.submit_portfolio(symbols, strategy, **options)).result(timeout_s, on_progress)

    @completed(PortfolioOptions)
    async def submit_portfolio(
        self, symbols: Iterable[str], strategy: str | None = None, **options: Unpack[PortfolioOptions]
    ) -> AsyncJob[Backtest]:
        return await self._submitted(api.PORTFOLIO, api.submit_portfolio(symbols, strategy, options))

    @completed(RotationOptions)
    async def rotate(
        self,
        universe: dict[str, Any],
        rotation: dict[str, Any],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[RotationOptions],
    ) -> Backtest:
        return await (await self.submit_rotation(universe, rotation, **options)).result(timeout_s, on_progress)

    @completed(RotationOptions)
    async def submit_rotation(
        self, universe: dict[str, Any], rotation: dict[str, Any], **options: Unpack[RotationOptions]
    ) -> AsyncJob[Backtest]:
        return await self._submitted(api.PORTFOLIO, api.submit_rotation(universe, rotation, options))

    @completed(HoldOptions)
    async def hold(
        self,
        targets: Mapping[str, float],
        rebalance: str | Mapping[str, float] | None = None,
        flows: Iterable[Mapping[str, Any]] | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[HoldOptions],
    ) -> Backtest:
        return await (await self.submit_hold(targets, rebalance, flows, **options)).result(timeout_s, on_progress)

    @completed(HoldOptions)
    async def submit_hold(
        self,
        targets: Mapping[str, float],
        rebalance: str | Mapping[str, float] | None = None,
        flows: Iterable[Mapping[str, Any]] | None = None,
        **options: Unpack[HoldOptions],
    ) -> AsyncJob[Backtest]:
        return await self._submitted(api.PORTFOLIO, api.submit_hold(targets, rebalance, flows, options))

    @completed(HoldOptions)
    async def compare(
        self,
        portfolios: Mapping[str, Mapping[str, Any]],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[HoldOptions],
    ) -> dict[str, Backtest]:
        return await (await self.submit_compare(portfolios, **options)).result(timeout_s, on_progress)

    @completed(HoldOptions)
    async def submit_compare(
        self, portfolios: Mapping[str, Mapping[str, Any]], **options: Unpack[HoldOptions]
    ) -> AsyncJob[dict[str, Backtest]]:
        return await self._submitted(api.COMPARISON, api.submit_compare(portfolios, options))

    @completed(OptimizationOptions)
    async def optimize(
        self,
        symbol: str,
        strategy: str,
        grid: dict[str, Any],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[OptimizationOptions],
    ) -> Optimization:
        return await (await self.submit_optimize(symbol, strategy, grid, **options)).result(timeout_s, on_progress)

    @completed(OptimizationOptions)
    async def submit_optimize(
        self, symbol: str, strategy: str, grid: dict[str, Any], **options: Unpack[OptimizationOptions]
    ) -> AsyncJob[Optimization]:
        return await self._submitted(api.OPTIMIZATION, api.submit_optimize(symbol, strategy, grid, options))

    @completed(SweepOptions)
    async def sweep(
        self, *, timeout_s: float | None = None, on_progress: Progress | None = None, **body: Unpack[SweepOptions]
    ) -> Sweep:
        return await (await self.submit_sweep(**body)).result(timeout_s, on_progress)

    @completed(SweepOptions)
    async def submit_sweep(self, **body: Unpack[SweepOptions]) -> AsyncJob[Sweep]:
        return await self._submitted(api.SWEEP, api.SWEEP.submit(body))

    @completed(FactorOptions)
    async def factors(
        self,
        factors: Factors,
        universe: Universe = "all",
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[FactorOptions],
    ) -> FactorStudy:
        return await (await self.submit_factors(factors, universe, **options)).result(timeout_s, on_progress)

    @completed(FactorOptions)
    async def submit_factors(
        self, factors: Factors, universe: Universe = "all", **options: Unpack[FactorOptions]
    ) -> AsyncJob[FactorStudy]:
        return await self._submitted(api.FACTORS, api.submit_factors(factors, universe, options))

    async def claims(self) -> Claims:
        return await self._run(api.claims())

    @completed(ClaimOptions)
    async def run_claims(
        self,
        codes: Iterable[str] | None = None,
        universe: Universe | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[ClaimOptions],
    ) -> Claims:
        return await (await self.submit_claims(codes, universe, **options)).result(timeout_s, on_progress)

    @completed(ClaimOptions)
    async def submit_claims(
        self, codes: Iterable[str] | None = None, universe: Universe | None = None, **options: Unpack[ClaimOptions]
    ) -> AsyncJob[Claims]:
        return await self._submitted(api.CLAIMS, api.submit_claims(codes, universe, options))

    @completed(OutcomeOptions)
    async def outcomes(
        self,
        condition: str,
        for_: str | Iterable[str] | None = None,
        universe: Universe | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[OutcomeOptions],
    ) -> Outcomes:
        return await (await self.submit_outcomes(condition, for_, universe, **options)).result(timeout_s, on_progress)

    @completed(OutcomeOptions)
    async def submit_outcomes(
        self,
        condition: str,
        for_: str | Iterable[str] | None = None,
        universe: Universe | None = None,
        **options: Unpack[OutcomeOptions],
    ) -> AsyncJob[Outcomes]:
        return await self._submitted(api.OUTCOMES, api.submit_outcomes(condition, for_, universe, options))

    @completed(JudgeOptions)
    async def judge(
        self,
        frame: Any,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[JudgeOptions],
    ) -> Judgement:
        return await (await self.submit_judge(frame, **options)).result(timeout_s, on_progress)

    @completed(JudgeOptions)
    async def submit_judge(self, frame: Any, **options: Unpack[JudgeOptions]) -> AsyncJob[Judgement]:
        return await self._submitted(api.JUDGEMENT, api.submit_judge(frame, options))

    async def seal(
        self,
        run: Backtest | int | None = None,
        kind: str = "backtest",
        *,
        strategy: int | None = None,
        symbols: Iterable[str] | None = None,
        params: Mapping[str, Any] | None = None,
        name: str | None = None,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
    ) -> ForwardRecord:
        job = await self.submit_seal(run, kind, strategy=strategy, symbols=symbols, params=params, name=name)
        return await job.result(timeout_s, on_progress)

    async def submit_seal(
        self,
        run: Backtest | int | None = None,
        kind: str = "backtest",
        *,
        strategy: int | None = None,
        symbols: Iterable[str] | None = None,
        params: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> AsyncJob[ForwardRecord]:
        return await self._submitted(api.SEAL, api.submit_seal(run, kind, strategy, symbols, params, name))

    @overload
    async def forward(self, record: None = ...) -> ForwardRecords: ...
    @overload
    async def forward(self, record: int | str) -> ForwardRecord: ...
    async def forward(self, record: int | str | None = None) -> ForwardRecords | ForwardRecord:
        if record is None:
            return await self._run(api.forward_records())
        return await self._run(api.forward_record(record))

    async def share_forward(self, id: int, shared: bool = True) -> Mapping[str, Any]:
        return await self._run(api.share_forward(id, shared))

    async def stop_forward(self, id: int) -> Mapping[str, Any]:
        return await self._run(api.stop_forward(id))

    async def impact(self, load: int | None = None) -> Impact:
        return await self._run(api.impact(load))

    async def sql(
        self,
        query: str,
        *,
        limit: int | None = None,
        as_of_load: str | int | None = None,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
    ) -> Table:
        job = await self.submit_sql(query, limit=limit, as_of_load=as_of_load)
        return await job.result(timeout_s, on_progress)

    async def submit_sql(
        self, query: str, *, limit: int | None = None, as_of_load: str | int | None = None
    ) -> AsyncJob[Table]:
        return await self._submitted(api.SQL, api.submit_sql(query, limit, as_of_load))

    async def tear_sheet(
        self,
        id: int,
        kind: str = "backtest",
        *,
        benchmark: str | None = None,
        factors: Iterable[str] | None = None,
    ) -> TearSheet:
        return await self._run(api.tear_sheet(id, kind, benchmark, factors))

    def job(self, kind: str, id: str) -> AsyncJob[Any]:
        return AsyncJob(self, api.WORKS[kind], id)

    async def items(self, path: str, **query: Any) -> AsyncIterator[dict[str, Any]]:
        pages = api.Pages(path, query)
        while not pages.is_over:
            for one in await self._run(pages.next()):
                yield one

    async def call(self, method: str, path: str, query: dict[str, Any] | None = None, body: Any = None) -> Any:
        return await self._run(api.any_call(method, path, query, body))

    async def _submitted(self, work: api.Work[T], steps: Steps[str]) -> AsyncJob[T]:
        return AsyncJob(self, work, await self._run(steps))
