"""The synchronous client."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import httpx

from . import _api as api
from ._calls import Answer, Listen, Lost, Send, Sleep, Steps
from ._columns import Columns
from ._events import Listener, events_of
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


class Job(Generic[T]):
    """A job of the service, which continues even if the program that queued it ends."""

    def __init__(self, client: Client, work: api.Work[T], id: str) -> None:
        self.id = id
        self._client = client
        self._work = work

    def state(self) -> JobState:
        return self._client._run(self._work.state(self.id))

    def result(self, timeout_s: float | None = None, on_progress: Progress | None = None) -> T:
        """Waits for the result.

        Args:
            timeout_s: seconds to wait; default: an hour. The job itself continues.
            on_progress: called at every change of the state.

        Raises:
            JobFailed: there will be no result.
            TimedOut: the time is over.
        """
        return self._client._run(self._work.result(self.id, timeout_s, on_progress))


class Client:
    """A client for market data, and for backtests and other queued work.

    Args:
        url: of the service; default: ``MARKET_API_URL`` of the environment, else ``http://127.0.0.1:3000``.
        key: an API key or access token; default: ``MARKET_API_KEY`` of the environment. Without a key the caller is a guest.
        language: of texts: ``en``, ``zh-CN``, ``zh-TW``.

    Calls are repeated with increasing waits if the service is busy (429, with its ``Retry-After``) or unavailable (502, 503), or if
    the connection breaks. Calls that create something have an idempotency key, so that nothing is done twice.
    """

    def __init__(self, url: str | None = None, key: str | None = None, language: str | None = None) -> None:
        self._http = httpx.Client(**settings_of(url, key, language))
        self._was_reached = False
        #: Values beside the bars, as they were known.
        self.columns = Columns(self)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _run(self, steps: Steps[T]) -> T:
        outcome: Answer | Lost | bool | None = None
        listener = Listener(self._http)
        try:
            while True:
                try:
                    step = steps.send(outcome)
                except StopIteration as end:
                    result: T = end.value
                    return result
                if isinstance(step, Sleep):
                    time.sleep(step.seconds)
                    outcome = None
                elif isinstance(step, Listen):
                    outcome = listener.listen(step)
                else:
                    outcome = self._sent(step)
        finally:
            listener.close()

    def _sent(self, step: Send) -> Answer | Lost:
        try:
            answer = answer_of(self._http.request(step.method, step.path, **request_of(step)))
            self._was_reached = True
            return answer
        except httpx.TransportError as error:
            lost = lost_of(error, self._http, self._was_reached)
            # A connection that broke was made.
            self._was_reached = self._was_reached or not lost.is_unsent
            return lost

    def stream(self, after: int | None = None) -> Iterator[dict[str, Any]]:
        """The events of the account as they happen, without end; a stream that breaks is resumed.

        Args:
            after: the ``id`` of the last event that the program has; default: only events from now on.
        """
        return events_of(self._http, after)

    def quote(self, symbol: str) -> Quote:
        """The newest session of an instrument."""
        return self._run(api.quote(symbol))

    def candles(
        self,
        symbol: str,
        *,
        period: Period | None = None,
        days: int | None = None,
        start: Day | None = None,
        end: Day | None = None,
        adjust: CandleAdjust | None = None,
    ) -> Candles:
        """Candles of an instrument, oldest first.

        Args:
            period: ``day`` (default), ``week``, or ``month``.
            days: the newest candles, counted in periods; default 250. `start` overrides it.
            start, end: days, both included, as YYYY-MM-DD, date, or Timestamp.
            adjust: ``none`` (default: as traded), ``qfq`` or ``split`` (on the share count of the newest bar), or ``total`` (with
                dividends reinvested).
        """
        return self._run(api.candles(symbol, period=period, days=days, start=start, end=end, adjust=adjust))

    def history(
        self,
        symbols: Iterable[str],
        *,
        period: Period | None = None,
        days: int | None = None,
        start: Day | None = None,
        end: Day | None = None,
        adjust: CandleAdjust | None = None,
    ) -> History:
        """Candles of many instruments, 25 per call; the arguments are those of `candles`. Warns of symbols without candles."""
        return self._run(api.history(symbols, period=period, days=days, start=start, end=end, adjust=adjust))

    def symbols(self, query: str | None = None, **more: Any) -> Rows[Symbol]:
        """Instruments whose ticker begins with the text, or whose name contains it; without a text, popular ones."""
        return self._run(api.symbols(query, **more))

    def events(self, symbol: str) -> Rows[Event]:
        """Splits, dividends, and other events of an instrument through its newest bar, oldest first."""
        return self._run(api.events(symbol))

    def calendar(self, start: Day | None = None, end: Day | None = None) -> Mapping[str, Any]:
        """`sessions` with half days, `holidays`, and `next_open`; default: 90 days from today."""
        return self._run(api.calendar(start, end))

    def session(self, date: Day) -> Rows[SessionBar]:
        """Every bar of a session, as traded."""
        return self._run(api.session(date))

    def session_arrow(self, date: Day) -> pyarrow.Table:
        """The same as a table of pyarrow, which comes as Arrow."""
        table: pyarrow.Table = self._run(api.session_arrow(date))
        return table

    def history_arrow(
        self,
        symbols: Iterable[str],
        *,
        period: Period | None = None,
        days: int | None = None,
        start: Day | None = None,
        end: Day | None = None,
        adjust: CandleAdjust | None = None,
    ) -> pyarrow.Table:
        """Candles of many instruments in one table of pyarrow, which come as Arrow; the arguments are those of `history`."""
        table: pyarrow.Table = self._run(
            api.history_arrow(symbols, period=period, days=days, start=start, end=end, adjust=adjust)
        )
        return table

    def market_events(
        self, start: Day | None = None, end: Day | None = None, known_at: Day | None = None
    ) -> Rows[MarketEvent]:
        """Splits, dividends, and spin-offs of all instruments, oldest first; with `known_at` as they were known at the end of that day."""
        return self._run(api.market_events(start=start, end=end, known_at=known_at))

    def symbol_changes(self, start: Day | None = None, end: Day | None = None) -> Rows[SymbolChange]:
        """Listings, delistings, and new symbols and names, oldest first."""
        return self._run(api.symbol_changes(start=start, end=end))

    def static_info(self, symbol: str) -> Mapping[str, Any]:
        """Name, venue, listing days, earlier tickers, and so on of an instrument."""
        return self._run(api.static_info(symbol))

    def strategies(self) -> list[Mapping[str, Any]]:
        """The strategies, each with its parameters as JSON Schema."""
        return self._run(api.strategies())

    @completed(ScreenOptions)
    def screen(self, preset: str | None = None, **body: Unpack[ScreenOptions]) -> Screen:
        """Instruments of the whole market that meet conditions on daily bars.

        Args:
            preset: a ready-made screen, such as ``trend_breakout``.
            body: ``conditions``, ``where``, ``sort``, ``limit``, and so on, as ``POST /v1/screener`` takes them.
        """
        return self._run(api.screen(preset, body))

    @completed(BacktestOptions)
    def backtest(
        self,
        symbol: str,
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[BacktestOptions],
    ) -> Backtest:
        """Runs a strategy on an instrument, and waits for the result.

        For thousands of runs, ``include_statistics=False`` makes each several times as fast; `sweep` and `optimize` take all in one call.

        Args:
            options: ``time_range`` (such as ``5Y``) or ``start`` and ``end``, ``params``, ``cost``, ``cash``, ``execute_on``,
                ``adjust``, ``rules``, and so on, as ``POST /v1/backtest`` takes them.
        """
        return self.submit_backtest(symbol, strategy, **options).result(timeout_s, on_progress)

    @completed(BacktestOptions)
    def submit_backtest(
        self, symbol: str, strategy: str | None = None, **options: Unpack[BacktestOptions]
    ) -> Job[Backtest]:
        """Queues a backtest without waiting."""
        return self._submitted(api.BACKTEST, api.submit_backtest(symbol, strategy, options))

    @completed(PortfolioOptions)
    def portfolio(
        self,
        symbols: Iterable[str],
        strategy: str | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[PortfolioOptions],
    ) -> Backtest:
        """Runs a strategy on instruments that share one cash balance, and waits for the result."""
        return self.submit_portfolio(symbols, strategy, **options).result(timeout_s, on_progress)

    @completed(PortfolioOptions)
    def submit_portfolio(
        self, symbols: Iterable[str], strategy: str | None = None, **options: Unpack[PortfolioOptions]
    ) -> Job[Backtest]:
        return self._submitted(api.PORTFOLIO, api.submit_portfolio(symbols, strategy, options))

    @completed(RotationOptions)
    def rotate(
        self,
        universe: dict[str, Any],
        rotation: dict[str, Any],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[RotationOptions],
    ) -> Backtest:
        """Holds the best of a universe, looked at again on a schedule, and waits for the result. Its `raw` has the rebalances.

        Args:
            universe: ``symbols`` or ``all``, and ``where``.
            rotation: ``every``, ``score``, ``hold``, ``weights``, and so on, as ``POST /v1/portfolio`` takes them.
        """
        return self.submit_rotation(universe, rotation, **options).result(timeout_s, on_progress)

    @completed(RotationOptions)
    def submit_rotation(
        self, universe: dict[str, Any], rotation: dict[str, Any], **options: Unpack[RotationOptions]
    ) -> Job[Backtest]:
        return self._submitted(api.PORTFOLIO, api.submit_rotation(universe, rotation, options))

    @completed(HoldOptions)
    def hold(
        self,
        targets: Mapping[str, float],
        rebalance: str | Mapping[str, float] | None = None,
        flows: Iterable[Mapping[str, Any]] | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[HoldOptions],
    ) -> Backtest:
        """Holds weights of instruments while money goes in and out, and waits for the result. Its `raw` has what was ``contributed``
        and the yearly rate of that money, ``money_weighted_pct``; all returns are without the flows.

        >>> market.hold({"SPY": 0.6, "TLT": 0.4}, rebalance="year", flows=[{"amount": 500, "every": "month"}])

        Args:
            targets: symbol → share of the whole value, at most 1 in all; the rest is cash.
            rebalance: ``none``, ``week``, ``month``, ``quarter``, ``year``, or ``{"band_pct": 5}``.
            flows: ``amount``, below 0 where it is taken out, and ``every``: ``month``, ``quarter``, or ``year``.
        """
        return self.submit_hold(targets, rebalance, flows, **options).result(timeout_s, on_progress)

    @completed(HoldOptions)
    def submit_hold(
        self,
        targets: Mapping[str, float],
        rebalance: str | Mapping[str, float] | None = None,
        flows: Iterable[Mapping[str, Any]] | None = None,
        **options: Unpack[HoldOptions],
    ) -> Job[Backtest]:
        return self._submitted(api.PORTFOLIO, api.submit_hold(targets, rebalance, flows, options))

    @completed(HoldOptions)
    def compare(
        self,
        portfolios: Mapping[str, Mapping[str, Any]],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[HoldOptions],
    ) -> dict[str, Backtest]:
        """Holds two or three sets of weights in one job, and waits for their results by name. None is kept.

        >>> market.compare({"60/40": {"targets": {"SPY": 0.6, "TLT": 0.4}}, "Stocks": {"targets": {"SPY": 1}}})

        Args:
            portfolios: name → ``targets``, ``rebalance``, and ``flows`` of ``hold``.
        """
        return self.submit_compare(portfolios, **options).result(timeout_s, on_progress)

    @completed(HoldOptions)
    def submit_compare(
        self, portfolios: Mapping[str, Mapping[str, Any]], **options: Unpack[HoldOptions]
    ) -> Job[dict[str, Backtest]]:
        return self._submitted(api.COMPARISON, api.submit_compare(portfolios, options))

    @completed(OptimizationOptions)
    def optimize(
        self,
        symbol: str,
        strategy: str,
        grid: dict[str, Any],
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[OptimizationOptions],
    ) -> Optimization:
        """Searches a grid of parameters, and waits for the best combinations."""
        return self.submit_optimize(symbol, strategy, grid, **options).result(timeout_s, on_progress)

    @completed(OptimizationOptions)
    def submit_optimize(
        self, symbol: str, strategy: str, grid: dict[str, Any], **options: Unpack[OptimizationOptions]
    ) -> Job[Optimization]:
        return self._submitted(api.OPTIMIZATION, api.submit_optimize(symbol, strategy, grid, options))

    @completed(SweepOptions)
    def sweep(
        self, *, timeout_s: float | None = None, on_progress: Progress | None = None, **body: Unpack[SweepOptions]
    ) -> Sweep:
        """Runs strategies over many instruments, as ``POST /v1/sweeps`` takes them, and waits for the result."""
        return self.submit_sweep(**body).result(timeout_s, on_progress)

    @completed(SweepOptions)
    def submit_sweep(self, **body: Unpack[SweepOptions]) -> Job[Sweep]:
        """Queues a sweep without waiting."""
        return self._submitted(api.SWEEP, api.SWEEP.submit(body))

    @completed(FactorOptions)
    def factors(
        self,
        factors: Factors,
        universe: Universe = "all",
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[FactorOptions],
    ) -> FactorStudy:
        """Studies which values order the returns that follow, and waits for the result.

        >>> study = market.factors({"momentum": "lag(roc(231), 21)", "reversal": "-roc(21)"}, horizons=[21], time_range="5Y")
        >>> study.ic(), study.quantiles("polars"), study.selection

        Args:
            factors: name → value in the rule language; or texts, or pairs of a name and a text.
            universe: ``all``, symbols, or a dictionary with ``all`` or ``symbols``, ``asset_type``, and ``where``.
            options: ``horizons`` in sessions, ``quantiles``, ``every``, ``delay``, ``neutral``, ``portfolio``, ``time_range`` or
                ``start`` and ``end``, and ``adjust``, as ``POST /v1/factors`` takes them.
        """
        return self.submit_factors(factors, universe, **options).result(timeout_s, on_progress)

    @completed(FactorOptions)
    def submit_factors(
        self, factors: Factors, universe: Universe = "all", **options: Unpack[FactorOptions]
    ) -> Job[FactorStudy]:
        """Queues a factor study without waiting."""
        return self._submitted(api.FACTORS, api.submit_factors(factors, universe, options))

    def claims(self) -> Claims:
        """Fifty published predictors beside what they give in this market: all stocks, through the last whole month."""
        return self._run(api.claims())

    @completed(ClaimOptions)
    def run_claims(
        self,
        codes: Iterable[str] | None = None,
        universe: Universe | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[ClaimOptions],
    ) -> Claims:
        """Computes published predictors over a universe and a range, and waits for them. At their published values they are no trials.

        >>> market.run_claims(["mom_12_1"], {"all": True, "where": "close > 5"}, time_range="5Y").to_df()

        Args:
            codes: those of `claims`; default: all whose columns are there.
            universe: default: all stocks.
        """
        return self.submit_claims(codes, universe, **options).result(timeout_s, on_progress)

    @completed(ClaimOptions)
    def submit_claims(
        self, codes: Iterable[str] | None = None, universe: Universe | None = None, **options: Unpack[ClaimOptions]
    ) -> Job[Claims]:
        return self._submitted(api.CLAIMS, api.submit_claims(codes, universe, options))

    @completed(OutcomeOptions)
    def outcomes(
        self,
        condition: str,
        for_: str | Iterable[str] | None = None,
        universe: Universe | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[OutcomeOptions],
    ) -> Outcomes:
        """What happened after a condition was true, beside the others on the same days; waits for the result.

        >>> told = market.outcomes("crosses_above(sma(20), sma(50))", by="of('SPY', close > sma(200))", time_range="5Y")
        >>> told.sentences, told.horizons(), told.path("polars")

        Args:
            condition: in the rule language; each session at which it begins to be true is a hit.
            for_: symbols whose hits count; default: all members.
            universe: ``all``, symbols, or a dictionary with ``all`` or ``symbols``, ``asset_type``, and ``where``; default: all of the
                type of the first of `for_`, or else all stocks.
            options: ``horizons`` in sessions (at most five, 1, 5, and 20 by default), ``by`` (a condition that hits are told apart
                by), ``first`` (``False``: each session is a hit), ``entry`` (``close`` or ``next_open``), ``compare`` (``same_day``,
                ``own``, or ``none``), ``time_range`` or ``start`` and ``end``, ``adjust``, and ``save`` (``False``: nothing is
                kept), as ``POST /v1/outcomes`` takes them.

        Raises:
            InvalidRule: `condition` or ``by`` is no condition; ``detail`` has the place.
            InvalidRequest: another argument is wrong, such as a symbol that is no member.
            PlanExceeded: the plan has no universes, or none as large.
            NoBars: no member has a bar in the range.
            JobFailed: the job ended without a result, such as at a million hits.
        """
        return self.submit_outcomes(condition, for_, universe, **options).result(timeout_s, on_progress)

    @completed(OutcomeOptions)
    def submit_outcomes(
        self,
        condition: str,
        for_: str | Iterable[str] | None = None,
        universe: Universe | None = None,
        **options: Unpack[OutcomeOptions],
    ) -> Job[Outcomes]:
        """Queues it without waiting."""
        return self._submitted(api.OUTCOMES, api.submit_outcomes(condition, for_, universe, options))

    @completed(JudgeOptions)
    def judge(
        self,
        frame: Any,
        *,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
        **options: Unpack[JudgeOptions],
    ) -> Judgement:
        """What returns that were made elsewhere earned beside a benchmark, how sure that is, and of several streams how good the best is
        after the choice; waits for the result. Nothing of them is kept.

        >>> judged = market.judge(returns, benchmark="SPY")
        >>> judged.sentences, judged.streams(), judged.notes

        Args:
            frame: days, as the index in pandas or in a column ``date``, and a column for each stream, in a frame of pandas, polars, or
                Arrow, as CSV text, as bytes, or the path of a file. Send all that was tried, not only the best.
            options: ``form`` (``returns`` as fractions, which is the default, ``equity``, or ``trades`` with ``exit_date`` and ``pnl``),
                ``benchmark`` (a column of the frame, or a symbol), ``risk_free`` (a market column), ``trials`` (of which the frame is
                the best), ``frequency`` (``day``, ``week``, or ``month``; by default as the days say), ``sharpe`` a year and ``prior``
                (what `fdr` and power assume of skill: 0.5, and a share of 0.05), and ``detail`` (up to 20 streams with series and
                resamples), as ``POST /v1/judge`` takes them.

        Raises:
            InvalidRequest: an argument is wrong.
            PlanExceeded: the plan judges no records, or none as large.
            JobFailed: the job ended without a result: no line has a day and a value, the benchmark is neither a column nor a symbol,
                or the plan judges one stream only.
        """
        return self.submit_judge(frame, **options).result(timeout_s, on_progress)

    @completed(JudgeOptions)
    def submit_judge(self, frame: Any, **options: Unpack[JudgeOptions]) -> Job[Judgement]:
        """Queues it without waiting."""
        return self._submitted(api.JUDGEMENT, api.submit_judge(frame, options))

    def seal(
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
        """Seals a run, which goes on after each load, and nobody can change what it said; waits for the record.

        >>> record = market.seal(market.backtest("ACRX", "sma_cross", time_range="5Y"))
        >>> record.sentences, record.bands()

        Args:
            run: the result of a kept run, or its id.
            kind: of that id: ``backtest`` or ``portfolio``.
            strategy: instead of a run, the id of a saved strategy, which is run over the last five years on `symbols` with `params`.
            name: default: that of the run.

        Raises:
            NotFound: there is no such run, or it is not kept any more.
            InvalidRequest: another argument is wrong; the range of the run has ended.
            JobFailed: there is no record, such as where the plan has as many as it allows.
        """
        job = self.submit_seal(run, kind, strategy=strategy, symbols=symbols, params=params, name=name)
        return job.result(timeout_s, on_progress)

    def submit_seal(
        self,
        run: Backtest | int | None = None,
        kind: str = "backtest",
        *,
        strategy: int | None = None,
        symbols: Iterable[str] | None = None,
        params: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> Job[ForwardRecord]:
        """Queues it without waiting."""
        return self._submitted(api.SEAL, api.submit_seal(run, kind, strategy, symbols, params, name))

    @overload
    def forward(self, record: None = ...) -> ForwardRecords: ...
    @overload
    def forward(self, record: int | str) -> ForwardRecord: ...
    def forward(self, record: int | str | None = None) -> ForwardRecords | ForwardRecord:
        """The forward records of the account, newest first; or one, by its id or the slug of a shared one, with its entries.

        >>> record = market.forward("hucYPJSTN8Nj")
        >>> record.verify(), record.curve(), record.entries("polars")
        """
        if record is None:
            return self._run(api.forward_records())
        return self._run(api.forward_record(record))

    def share_forward(self, id: int, shared: bool = True) -> Mapping[str, Any]:
        """Shares a record by a link (``slug``, ``url``), or revokes the link."""
        return self._run(api.share_forward(id, shared))

    def stop_forward(self, id: int) -> Mapping[str, Any]:
        """Ends a record, which stays listed."""
        return self._run(api.stop_forward(id))

    def impact(self, load: int | None = None) -> Impact:
        """What corrections of bars and events changed: of yours, by every load; with a `load` of all that is shared, and how many runs it hit."""
        return self._run(api.impact(load))

    def sql(
        self,
        query: str,
        *,
        limit: int | None = None,
        as_of_load: str | int | None = None,
        timeout_s: float | None = None,
        on_progress: Progress | None = None,
    ) -> Table:
        """Queries the market in SQL, and waits for the answer. Needs a plan that includes it.

        Args:
            query: one SELECT of DuckDB over ``bars``, ``bars_adjusted``, ``symbols``, ``events``, ``sessions``,
                ``screener_daily``, and ``my_columns``.
            limit: maximum number of rows; default 1,000.
            as_of_load: the market as it was known after this load: a data version (a text, as in receipts), or the
                id of a snapshot of a table.
        """
        return self.submit_sql(query, limit=limit, as_of_load=as_of_load).result(timeout_s, on_progress)

    def submit_sql(
        self, query: str, *, limit: int | None = None, as_of_load: str | int | None = None
    ) -> Job[Table]:
        """Queues a query without waiting."""
        return self._submitted(api.SQL, api.submit_sql(query, limit, as_of_load))

    def tear_sheet(
        self,
        id: int,
        kind: str = "backtest",
        *,
        benchmark: str | None = None,
        factors: Iterable[str] | None = None,
    ) -> TearSheet:
        """What a kept run earned, for which risk, and how sure that is.

        Args:
            kind: ``backtest`` or ``portfolio``.
            benchmark: what it is compared with, if not with what the kept sheet is.
            factors: at most five symbols whose returns explain those of the run.
        """
        return self._run(api.tear_sheet(id, kind, benchmark, factors))

    def job(self, kind: str, id: str) -> Job[Any]:
        """A job that was queued before.

        Args:
            kind: ``backtest``, ``portfolio``, ``comparison``, ``optimization``, ``sweep``, ``factors``, ``claims``, ``outcomes``,
                ``judge``, ``seal``, or ``sql``.
        """
        return Job(self, api.WORKS[kind], id)

    def items(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """All items of a paged list, read on demand: ``client.items("/v1/backtests", kind="all", q="strategy:rsi >0")``."""
        pages = api.Pages(path, query)
        while not pages.is_over:
            yield from self._run(pages.next())

    def call(self, method: str, path: str, query: dict[str, Any] | None = None, body: Any = None) -> Any:
        """Calls any operation of the interface description; returns its `data`."""
        return self._run(api.any_call(method, path, query, body))

    def _submitted(self, work: api.Work[T], steps: Steps[str]) -> Job[T]:
        return Job(self, work, self._run(steps))
