"""The options of runs and screens, for completion and type checkers. `openapi.json` describes each of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Literal, TypedDict, TypeVar, Union

F = TypeVar("F", bound=Callable[..., Any])

#: YYYY-MM-DD, or a date, datetime, or Timestamp, which stands for its day.
Day = Union[str, date]
Period = Literal["day", "week", "month"]
CandleAdjust = Literal["none", "qfq", "split", "total"]
Adjust = Literal["split", "qfq", "none", "total"]
ExecuteOn = Literal["close", "next_open"]
TimeRange = Literal["YTD", "1M", "3M", "6M", "1Y", "2Y", "3Y", "4Y", "5Y", "6Y", "7Y", "8Y", "10Y", "MAX"]
Objective = Literal[
    "sharpe", "sortino", "calmar", "total_pnl_pct", "annualized_pct", "excess_return_pct", "profit_factor", "win_rate"
]

#: Values as texts of the rule language, pairs of a name and a value, or a dictionary of them.
Factors = Union[Mapping[str, str], Iterable[Union[str, tuple[str, str]]]]
#: ``all``, symbols, or what the service takes: ``{"all": True, "asset_type": "stock", "where": "close > 5"}``.
Universe = Union[Literal["all"], Iterable[str], Mapping[str, Any]]


class Cost(TypedDict, total=False):
    """`commission_rate` is a share of the amount, `min_commission` in currency, `slippage_bps` in hundredths of a percent."""

    commission_rate: float
    min_commission: float
    slippage_bps: float


class Cash(TypedDict, total=False):
    """Interest on cash: `rate` in percent a year, or the name of a market column, and `spread_bps` below it."""

    rate: Union[float, str]
    spread_bps: float


class _Days(TypedDict, total=False):
    time_range: TimeRange
    start: Day
    end: Day
    adjust: Adjust


class _Range(_Days, total=False):
    execute_on: ExecuteOn
    cost: Cost
    cash: Cash
    risk_free: str


class _Run(_Range, total=False):
    rules: Mapping[str, Any]
    params: Mapping[str, Any]
    benchmark: str
    factors: Iterable[str]
    tear_sheet: bool
    include_statistics: bool


class BacktestOptions(_Run, total=False):
    include_trades: bool
    include_equity: bool
    include_klines: bool
    save: bool
    venue_mode: str


class PortfolioOptions(_Run, total=False):
    allocation: Mapping[str, Any]
    screen: Mapping[str, Any]
    skip_unknown: bool
    include_trades: bool
    include_equity: bool
    save: bool
    venue_mode: str


class RotationOptions(_Run, total=False):
    cash_buffer_pct: float
    survivors: bool
    include_trades: bool
    include_equity: bool
    save: bool
    venue_mode: str


class HoldOptions(_Range, total=False):
    benchmark: str
    factors: Iterable[str]
    tear_sheet: bool
    include_statistics: bool
    include_trades: bool
    include_equity: bool
    save: bool
    venue_mode: str


class OptimizationOptions(_Run, total=False):
    objective: Objective
    heatmap: Iterable[str]
    walk_forward: Mapping[str, int]
    symbols: Iterable[str]
    screen: Mapping[str, Any]
    allocation: Mapping[str, Any]
    skip_unknown: bool
    universe: Mapping[str, Any]
    rotation: Mapping[str, Any]
    cash_buffer_pct: float


class SweepOptions(_Range, total=False):
    universe: Union[Literal["all"], Mapping[str, Any]]
    runs: Iterable[Mapping[str, Any]]
    skip_unknown: bool


class FactorOptions(_Days, total=False):
    horizons: Iterable[Union[int, Literal["step"]]]
    quantiles: int
    every: Period
    delay: Literal[0, 1]
    neutral: str
    portfolio: Mapping[str, Any]


class ClaimOptions(TypedDict, total=False):
    time_range: TimeRange
    start: Day
    end: Day


class OutcomeOptions(_Days, total=False):
    first: Union[bool, Mapping[str, int]]
    horizons: Iterable[int]
    entry: ExecuteOn
    compare: Literal["same_day", "own", "none"]
    by: str
    save: bool


class JudgeOptions(TypedDict, total=False):
    form: Literal["returns", "equity", "trades"]
    benchmark: str
    risk_free: str
    trials: int
    frequency: Period
    sharpe: float
    prior: float
    detail: Iterable[str]


class ScreenOptions(TypedDict, total=False):
    conditions: Iterable[Mapping[str, Any]]
    where: str
    columns: Mapping[str, str]
    condition_columns: bool
    sort: Mapping[str, Any]
    asset_type: Union[str, Iterable[str]]
    symbols: Iterable[str]
    limit: int
    offset: int
    as_of: Day
    as_of_load: Union[str, int]
    closes: int
    history: Mapping[str, Any]


def _words(form: Any) -> Any:
    """A type as it is written."""
    return getattr(form, "__forward_arg__", form)


def completed(options: type) -> Callable[[F], F]:
    """Names the options in the signature of a method, where notebooks look for completions."""

    def named(method: F) -> F:
        signature = inspect.signature(method)
        given = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_words(form))
            for name, form in options.__annotations__.items()
            if name not in signature.parameters
        ]
        rest = [one for one in signature.parameters.values() if one.kind is inspect.Parameter.VAR_KEYWORD]
        method.__signature__ = signature.replace(parameters=[*given, *more, *rest])  # type: ignore[attr-defined]
        return method

    return named
