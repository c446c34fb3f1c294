"""
vectorbt, by the engine that is named: `numba`, or `auto` for kernels in Rust. Fills at the next open are signals a bar later at
the open; what is held at the end is sold at the last close.
"""

import sys

import numpy as np
import pandas as pd
import vectorbt as vbt

from side import Side, serve
from signals import crossings, is_above, wilder_rsi, without_last

CASH = 100_000


def before(frame):
    """The values of the bar before."""
    return frame.vbt.fshift(1)


def mean(frame, period):
    return vbt.MA.run(frame, period).ma.to_numpy()


def signals(bars, strategy, params):
    """Entries and exits in columns, by the indicators of vectorbt where it has them."""
    close = bars["close"]
    if strategy == "sma_cross":
        return crossings(mean(close, params["fast_period"]), mean(close, params["slow_period"]))
    if strategy == "donchian":
        highest = before(bars["high"].vbt.rolling_max(params["entry_period"])).to_numpy()
        lowest = before(bars["low"].vbt.rolling_min(params["exit_period"])).to_numpy()
        return is_above(close.to_numpy(), highest), is_above(lowest, close.to_numpy())
    if strategy == "rsi_reversion":
        # The mean of its own RSI starts with the first change, Wilder's with the plain mean of the first period.
        strength = wilder_rsi(close.to_numpy(), params["rsi_period"])
        return is_above(params["entry_below"], strength), is_above(strength, params["exit_above"])
    return np.ones(close.shape, bool), np.zeros(close.shape, bool)


def filled(bars, entries, exits, fill):
    """Signals at the bars at which they are filled, and prices there."""
    without_last(entries, fill)
    if fill == "close":
        exits[-1] = True
        return entries, exits, bars["close"].to_numpy()
    price = np.broadcast_to(bars["open"].to_numpy(), entries.shape).copy()
    # What no signal sells at the last open is sold at the last close.
    price[-1] = np.where(exits[-2], price[-1], bars["close"].to_numpy()[-1])
    nothing = np.zeros((1, entries.shape[1]), bool)
    entries, exits = np.vstack((nothing, entries[:-1])), np.vstack((nothing, exits[:-1]))
    exits[-1] = True
    return entries, exits, price


def simulate(bars, entries, exits, fill, fees):
    entries, exits, price = filled(bars, entries, exits, fill)
    close = np.broadcast_to(bars["close"].to_numpy(), entries.shape)
    # One layout for all calls: Numba compiles the simulation once more for each other one.
    close, entries, exits, price = map(np.ascontiguousarray, (close, entries, exits, price))
    frame = pd.DataFrame(close, index=bars["close"].index)
    fees = np.broadcast_to(fees, (1, entries.shape[1])).copy()
    return vbt.Portfolio.from_signals(frame, entries, exits, price=price, fees=fees, init_cash=CASH, freq="1D")


def statistics(portfolio):
    trades = portfolio.trades
    return [
        portfolio.total_return(),
        portfolio.sharpe_ratio(),
        portfolio.max_drawdown(),
        trades.count(),
        trades.win_rate(),
    ]


class Vectorbt(Side):
    version = vbt.__version__

    def load(self, instruments):
        days = pd.DatetimeIndex(instruments[0]["day"])
        names = ("open", "high", "low", "close")
        columns = {name: np.array([one[name] for one in instruments]).T for name in names}
        self.bars = {name: pd.DataFrame(column, index=days) for name, column in columns.items()}

    def bars_of(self, instruments):
        return {name: column.iloc[:, instruments] for name, column in self.bars.items()}

    def portfolio(self, bars, run):
        return simulate(bars, *signals(bars, run["strategy"], run["params"]), run["fill"], run["commission"])

    def run(self, instrument, run):
        statistics(self.portfolio(self.bars_of([instrument]), run))

    def run_grid(self, run, combinations):
        bars = self.bars_of([0])
        fast = [params["fast_period"] for params in combinations]
        slow = [params["slow_period"] for params in combinations]
        periods = np.unique(fast + slow)
        means = vbt.MA.run(bars["close"], periods).ma.to_numpy()
        columns = (np.searchsorted(periods, some) for some in (fast, slow))
        entries, exits = crossings(*(means[:, column] for column in columns))
        statistics(simulate(bars, entries, exits, run["fill"], run["commission"]))

    def run_sweep(self, runs, instruments):
        """All runs in one simulation, a column each. Runs that differ by costs alone share their signals."""
        bars = self.bars_of(range(instruments))
        known = {}
        columns = []
        for run in runs:
            strategy = run["strategy"]
            if strategy not in known:
                known[strategy] = signals(bars, strategy, run["params"])
            columns.append(known[strategy])
        entries, exits = (np.hstack(parts) for parts in zip(*columns))
        repeated = {name: pd.concat([column] * len(runs), axis=1) for name, column in bars.items()}
        fees = np.repeat([run["commission"] for run in runs], instruments)
        statistics(simulate(repeated, entries, exits, runs[0]["fill"], fees))

    def trades(self, run):
        portfolio = self.portfolio(self.bars, run)
        records = portfolio.trades.records
        results = [{"trades": [], "totalReturn": float(total)} for total in portfolio.total_return()]
        for trade in records.itertuples():
            results[trade.col]["trades"].append(
                [int(trade.entry_idx), int(trade.exit_idx), float(trade.entry_price), float(trade.exit_price)]
            )
        return results


vbt.settings["engine"] = sys.argv[1]
serve(Vectorbt())
