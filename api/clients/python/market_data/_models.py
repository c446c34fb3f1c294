"""Answers of the service as dataclasses. Fields that newer versions of the service add are in `raw`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ._frames import frame, table
from ._picture import equity_picture

M = TypeVar("M")


def made(model: type[M], data: Mapping[str, Any], **more: Any) -> M:
    """A model from an answer. Unknown fields are ignored; missing optional ones get their defaults."""
    names = {one.name for one in dataclasses.fields(model)}  # type: ignore[arg-type]
    given = {name: value for name, value in data.items() if name in names}
    return model(**{**given, **more})


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
class Candles:
    """Candles of one instrument, oldest first."""

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

    def to_df(self, kind: str = "pandas") -> Any:
        """A frame with open, high, low, close (per share) and volume (shares).

        Args:
            kind: ``pandas`` (indexed by ``ts``) or ``polars`` (with a column ``ts``).
        """
        return frame([dataclasses.asdict(bar) for bar in self.bars], kind)


@dataclass(frozen=True)
class History:
    """Candles of many instruments, and the error messages of those without."""

    candles: Mapping[str, Candles]
    errors: Mapping[str, str]

    def __iter__(self) -> Iterator[Candles]:
        return iter(self.candles.values())

    def __len__(self) -> int:
        return len(self.candles)

    def to_df(self, column: str = "close", kind: str = "pandas") -> Any:
        """A frame with a column of one figure per instrument, by session.

        Args:
            column: ``open``, ``high``, ``low``, ``close``, or ``volume``.
            kind: ``pandas`` or ``polars``.
        """
        rows: dict[str, dict[str, Any]] = {}
        for symbol, candles in self.candles.items():
            for bar in candles.bars:
                rows.setdefault(bar.ts, {"ts": bar.ts})[symbol] = getattr(bar, column)
        columns = ["ts", *self.candles]
        return frame([{name: rows[ts].get(name) for name in columns} for ts in sorted(rows)], kind)


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
class Backtest:
    """The result of a backtest of one instrument, or of a portfolio. Figures in percent end with `_pct`; a figure that is not
    defined is None. `raw` has the whole answer of the service."""

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
    trades: list[Trade] = field(repr=False, default_factory=list)
    equity: list[EquityPoint] = field(repr=False, default_factory=list)
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    def trades_df(self, kind: str = "pandas") -> Any:
        """The trades as a frame of pandas or polars."""
        return frame([dataclasses.asdict(one) for one in self.trades], kind, index=None)

    def to_df(self, kind: str = "pandas") -> Any:
        """Equity, buy-and-hold (currency), and drawdown (percent) by session."""
        return frame([dataclasses.asdict(point) for point in self.equity], kind)

    def picture(self) -> str:
        """Equity against buying and holding, as an SVG document."""
        name = self.symbol or "Portfolio"
        title = f"{name} · {self.strategy} · {self.start_date} to {self.end_date}"
        return equity_picture(title, [(p.ts, p.equity, p.buy_hold) for p in self.equity])

    def save_picture(self, file: str) -> str:
        """Writes `picture` to a file, and returns its name."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.picture())
        return file

    def _repr_svg_(self) -> str:
        """The picture, which notebooks show."""
        return self.picture()


@dataclass(frozen=True)
class Screen:
    """Instruments that meet the conditions at the session `as_of`, each with its figures."""

    total: int
    as_of: str
    items: list[Mapping[str, Any]]
    raw: Mapping[str, Any] = field(repr=False, default_factory=dict)

    def to_df(self, kind: str = "pandas") -> Any:
        return frame([dict(item) for item in self.items], kind, index=None)


@dataclass(frozen=True)
class Table:
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

    def to_df(self, kind: str = "pandas") -> Any:
        """The rows as a frame of pandas or polars, with days in columns of the type date."""
        days = [name for name, type in zip(self.columns, self.types) if type == "date"]
        return table(self.columns, self.rows, kind, days)


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


def screen_of(data: Mapping[str, Any]) -> Screen:
    return made(Screen, data, as_of=data["data_freshness"]["as_of"], raw=data)


def table_of(data: Mapping[str, Any]) -> Table:
    columns, types = ([one[part] for one in data["columns"]] for part in ("name", "type"))
    return made(Table, data, columns=columns, types=types, raw=data)
