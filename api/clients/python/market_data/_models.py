"""Answers of the service as dataclasses. Fields that newer versions of the service add are in `raw`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from ._frames import Kind, Sheet, Tabular, frame
from ._html import html_table
from ._picture import equity_picture, save
from ._tear_sheet import TearSheet, tear_sheet_of
from ._warnings import warn

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

M = TypeVar("M")


def made(model: type[M], data: Mapping[str, Any], **more: Any) -> M:
    """A model from an answer. Unknown fields are ignored; missing optional ones get their defaults."""
    types = {one.name: str(one.type) for one in dataclasses.fields(model)}  # type: ignore[arg-type]
    given = {name: _typed(value, types[name]) for name, value in data.items() if name in types}
    return model(**{**given, **more})


def _typed(value: Any, type: str) -> Any:
    """JSON has 10 for 10.0, which would make columns of whole numbers by chance."""
    return float(value) if type.startswith("float") and isinstance(value, int) else value


class Rows(list[M], Tabular):
    """A list of dataclasses that is a table, too."""

    def __init__(self, model: type[M], items: Iterable[M], days: tuple[str, ...] = ()) -> None:
        super().__init__(items)
        self._columns = [one.name for one in dataclasses.fields(model)]  # type: ignore[arg-type]
        self._days = days

    def _sheet(self) -> Sheet:
        return Sheet(self._columns, [[getattr(one, name) for name in self._columns] for one in self], self._days)


@dataclass(frozen=True)
class Quote:
    """The newest session of an instrument. Prices in `currency` per share; `change_pct` in percent."""

    symbol: str
    name: str
    currency: str
    last: float
    open: float
    high: float
    low: float
    prev_close: float | None
    change: float | None
    change_pct: float | None
    volume: int
    as_of: str
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    def _repr_html_(self) -> str:
        """The figures, which notebooks show."""
        names = ("last", "change", "change_pct", "open", "high", "low", "prev_close", "volume")
        caption = f"{self.symbol}, {self.name}, {self.as_of}, {self.currency}"
        return html_table(names, [[getattr(self, name) for name in names]], caption)


@dataclass(frozen=True)
class Bar:
    """A candle. `ts` is its (first) session as YYYY-MM-DD; prices per share, `volume` in shares."""

    ts: str
    open: float
    high: float
    low: float
    close: float
    volume: int


@dataclass(frozen=True)
class Candles(Tabular):
    """Candles of one instrument, oldest first: ``ts``, open, high, low, close (per share), and volume (shares)."""

    symbol: str
    period: str
    adjust: str
    as_of: str
    bars: list[Bar]
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    def __iter__(self) -> Iterator[Bar]:
        return iter(self.bars)

    def __len__(self) -> int:
        return len(self.bars)

    def _sheet(self) -> Sheet:
        rows = [(one.ts, one.open, one.high, one.low, one.close, one.volume) for one in self.bars]
        return Sheet(("ts", "open", "high", "low", "close", "volume"), rows, ("ts",), "ts")

    def _caption(self) -> str:
        return f"{self.symbol}, {self.period}, adjust {self.adjust}"


@dataclass(frozen=True)
class History:
    """Candles of many instruments, and the error messages of those without."""

    candles: Mapping[str, Candles]
    errors: Mapping[str, str]

    def __iter__(self) -> Iterator[Candles]:
        return iter(self.candles.values())

    def __len__(self) -> int:
        return len(self.candles)

    @overload
    def to_df(self, column: str = ..., kind: Literal["pandas"] = ...) -> pandas.DataFrame: ...
    @overload
    def to_df(self, column: str = ..., *, kind: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_df(self, column: str = ..., *, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
    def to_df(self, column: str = "close", kind: Kind = "pandas") -> Any:
        """A frame with a column of one figure per instrument, by session.

        Args:
            column: ``open``, ``high``, ``low``, ``close``, or ``volume``.
            kind: ``pandas``, ``polars``, or ``pyarrow``.
        """
        if self.errors:
            warn(f"the frame has no column for {', '.join(self.errors)}")
        return frame(self._sheet(column), kind)

    def _sheet(self, column: str) -> Sheet:
        figures = {name: {bar.ts: getattr(bar, column) for bar in one.bars} for name, one in self.candles.items()}
        days = sorted({ts for by_day in figures.values() for ts in by_day})
        rows = [[ts, *(by_day.get(ts) for by_day in figures.values())] for ts in days]
        return Sheet(("ts", *figures), rows, ("ts",), "ts")

    def _repr_html_(self) -> str:
        """The closes, which notebooks show."""
        sheet = self._sheet("close")
        return html_table(sheet.columns, sheet.rows, "close")


@dataclass(frozen=True)
class Symbol:
    """An instrument. Days as YYYY-MM-DD; `delisted_on` is None while it is listed."""

    symbol: str
    name: str
    asset_type: str
    currency: str
    listed_on: str | None
    delisted_on: str | None
    is_delisted: bool


@dataclass(frozen=True)
class Event:
    """A split, dividend, or other event. Prices before `ex_date` (YYYY-MM-DD) are multiplied by `factor`; `amount` is that of a
    cash dividend, in currency per share, and None for other kinds."""

    kind: str
    ex_date: str
    factor: float
    amount: float | None


@dataclass(frozen=True)
class SessionBar:
    """A bar of a session, as traded. `symbol` is that of the day, `current_symbol` that of today."""

    symbol: str
    current_symbol: str
    open: float
    high: float
    low: float
    close: float
    volume: int


@dataclass(frozen=True)
class MarketEvent(Event):
    """An event of any instrument. `findings` are doubts about the prices around it."""

    symbol: str | None = None
    findings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SymbolChange:
    """``listed``, ``delisted``, ``symbol_changed``, or ``name_changed``; `date` is the first day that it holds."""

    date: str
    symbol: str
    kind: str
    was: str | None
    became: str | None


@dataclass(frozen=True)
class Trade:
    """A position from entry to exit. Prices per share, `pnl` and `commission` in currency, `_pct` in percent."""

    seq: int
    entry_date: str
    entry_price: float
    exit_date: str | None
    exit_price: float | None
    shares: float
    pnl: float
    pnl_pct: float
    bars_held: int
    exit_reason: str
    commission: float = 0.0
    symbol: str | None = None


@dataclass(frozen=True)
class EquityPoint:
    """The equity at the close of a session, and that of buying and holding, in currency; `drawdown_pct` in percent."""

    ts: str
    equity: float
    drawdown_pct: float
    buy_hold: float


@dataclass(frozen=True)
class Backtest(Tabular):
    """The result of a backtest of one instrument, or of a portfolio. Figures in percent end with `_pct`; a figure that is not
    defined is None. `raw` has the whole answer of the service. As a frame: equity, that of buying and holding (currency), and
    drawdown (percent) by session."""

    id: int | None
    strategy: str
    start_date: str
    end_date: str
    num_trades: int
    win_rate: float | None
    total_pnl_pct: float
    annualized_pct: float | None
    max_drawdown_pct: float
    sharpe: float | None
    buy_hold_pnl_pct: float
    final_equity: float
    notes: list[Mapping[str, Any]]
    params: Mapping[str, Any]
    symbol: str | None = None
    interest: Mapping[str, Any] | None = None
    trades: list[Trade] = field(repr=False, default_factory=list)
    equity: list[EquityPoint] = field(repr=False, default_factory=list)
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @overload
    def trades_df(self, kind: Literal["pandas"] = ...) -> pandas.DataFrame: ...
    @overload
    def trades_df(self, kind: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def trades_df(self, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
    def trades_df(self, kind: Kind = "pandas") -> Any:
        """The trades as a frame of pandas, polars, or pyarrow."""
        return frame(Rows(Trade, self.trades)._sheet(), kind)

    def _sheet(self) -> Sheet:
        rows = [(one.ts, one.equity, one.drawdown_pct, one.buy_hold) for one in self.equity]
        return Sheet(("ts", "equity", "drawdown_pct", "buy_hold"), rows, ("ts",), "ts")

    @property
    def skill(self) -> Mapping[str, Any] | None:
        """What it earned beyond the market that it held, and whether that was `shown`; None for a short range."""
        skill: Mapping[str, Any] | None = (self.raw.get("statistics") or {}).get("skill")
        return skill

    @property
    def position_summary(self) -> Mapping[str, Any] | None:
        """Figures of the positions of a portfolio, each from its first purchase to its last sale; None for one instrument."""
        summary: Mapping[str, Any] | None = self.raw.get("position_summary")
        return summary

    def tear_sheet(self) -> TearSheet:
        """The tear sheet of a run that was asked for one.

        Raises:
            ValueError: it was run without ``tear_sheet=True``.
        """
        if "tear_sheet" not in self.raw:
            raise ValueError("run it with tear_sheet=True, or use the method tear_sheet of the client with the id of a kept run")
        return tear_sheet_of(self.raw["tear_sheet"])

    def picture(self) -> str:
        """Equity against buying and holding, as an SVG document."""
        return equity_picture(self._caption(), [(p.ts, p.equity, p.buy_hold) for p in self.equity])

    def _caption(self) -> str:
        return f"{self.symbol or 'Portfolio'} · {self.strategy} · {self.start_date} to {self.end_date}"

    def save_picture(self, file: str) -> str:
        """Writes `picture` to a file, and returns its name."""
        return save(self.picture(), file)

    def _repr_html_(self) -> str:
        """The figures, and the picture of a run with its equity, which notebooks show."""
        names = ["total_pnl_pct", "buy_hold_pnl_pct", "annualized_pct", "max_drawdown_pct", "sharpe"]
        positions = self.position_summary
        count = ("num_trades", self.num_trades) if positions is None else ("positions", positions["closed"])
        row = [getattr(self, name) for name in names] + [count[1]]
        figures = html_table([*names, count[0]], [row], self._caption())
        return figures + (self.picture() if self.equity else "")


@dataclass(frozen=True)
class Screen(Tabular):
    """Instruments that meet the conditions at the session `as_of`, each with its figures."""

    total: int
    as_of: str
    items: list[Mapping[str, Any]]
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    def _sheet(self) -> Sheet:
        columns = list(dict.fromkeys(name for item in self.items for name in item))
        return Sheet(columns, [[item.get(name) for name in columns] for item in self.items])

    def _caption(self) -> str:
        return f"{self.total:,} instruments, {self.as_of}"


@dataclass(frozen=True)
class Table(Tabular):
    """The answer of a query in SQL. `types` are boolean, integer, number, date, or text; `truncated` says whether there are more
    rows than the limit."""

    columns: list[str]
    types: list[str]
    rows: list[list[Any]]
    truncated: bool
    as_of: str
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    def __iter__(self) -> Iterator[list[Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def _sheet(self) -> Sheet:
        days = [name for name, type in zip(self.columns, self.types) if type == "date"]
        return Sheet(self.columns, self.rows, days)


@dataclass(frozen=True)
class JobState:
    """`status` is queued, running, done, failed, or cancelled; `percent` is None for jobs that do not report progress."""

    status: str
    percent: float | None


def job_state_of(data: Mapping[str, Any]) -> JobState:
    return JobState(data["status"], data.get("progress_pct"))


def quote_of(data: Mapping[str, Any]) -> Quote:
    return made(Quote, data, raw=data)


def candles_of(data: Mapping[str, Any]) -> Candles:
    return made(Candles, data, bars=[made(Bar, one) for one in data["bars"]], raw=data)


def backtest_of(data: Mapping[str, Any]) -> Backtest:
    trades = [made(Trade, one) for one in data.get("trades", [])]
    equity = [made(EquityPoint, one) for one in data.get("equity", [])]
    return made(Backtest, data, trades=trades, equity=equity, raw=data)


def compared_of(data: Mapping[str, Any]) -> dict[str, Backtest]:
    return {one["name"]: backtest_of(one["result"]) for one in data["runs"]}


def screen_of(data: Mapping[str, Any]) -> Screen:
    return made(Screen, data, as_of=data["data_freshness"]["as_of"], raw=data)


def table_of(data: Mapping[str, Any]) -> Table:
    if data["truncated"]:
        warn(f"the answer ends at its limit of {len(data['rows']):,} rows; `limit` takes up to 100,000")
    columns, types = ([one[part] for one in data["columns"]] for part in ("name", "type"))
    floats = {"number": "float"}
    rows = [[_typed(value, floats.get(type, "")) for value, type in zip(row, types)] for row in data["rows"]]
    return made(Table, data, columns=columns, types=types, rows=rows, raw=data)


def symbols_of(data: Mapping[str, Any]) -> Rows[Symbol]:
    return Rows(Symbol, [made(Symbol, one) for one in data["items"]], ("listed_on", "delisted_on"))


def events_of(data: Mapping[str, Any]) -> Rows[Event]:
    return Rows(Event, [made(Event, one) for one in data["events"]], ("ex_date",))
