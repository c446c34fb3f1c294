"""
backtesting.py. Its first decision is at the second bar, and it fills orders only on a following bar: the bars begin and end
with a flat one. It buys whole units, which FractionalBacktest makes small.
"""

import warnings

import backtesting
import numpy as np
import pandas as pd
from backtesting import Strategy
from backtesting.lib import FractionalBacktest

from side import COLUMNS, Side, serve
from signals import signals

CASH = 100_000
UNIT = 1e-8


class BySignals(Strategy):
    fill = "close"
    strategy = ""
    params = {}

    def init(self):
        prices = {name: np.asarray(self.data[name.title()])[1:-1] for name in COLUMNS}
        run = {"strategy": self.strategy, "params": self.params, "fill": self.fill}
        entries, exits = signals(prices, run)
        self.entries = np.concatenate(([False], entries, [False]))
        # Closed at the last close at the latest.
        exits[-1] = True
        self.exits = np.concatenate(([False], exits, [False]))

    def next(self):
        bar = len(self.data) - 1
        if self.position:
            if self.exits[bar]:
                self.position.close()
        elif self.entries[bar]:
            self.buy()


def padded(instrument):
    """The bars between two flat ones: at the first close before them, at the last close behind them."""
    columns = {}
    for name in COLUMNS:
        values = instrument[name]
        columns[name.title()] = [instrument["close"][0], *values, instrument["close"][-1]]
    columns["Volume"] = 1.0
    days = pd.DatetimeIndex(instrument["day"])
    day = pd.Timedelta(days=1)
    return pd.DataFrame(columns, index=days.insert(0, days[0] - day).append(days[-1:] + day))


class Backtesting(Side):
    version = backtesting.__version__

    def load(self, instruments):
        self.bars = [padded(instrument) for instrument in instruments]

    def run(self, instrument, run):
        backtest = FractionalBacktest(
            self.bars[instrument],
            BySignals,
            cash=CASH,
            commission=run["commission"],
            trade_on_close=run["fill"] == "close",
            finalize_trades=True,
            fractional_unit=UNIT,
        )
        return backtest.run(strategy=run["strategy"], params=run["params"], fill=run["fill"])

    def trades(self, run):
        return [self.trades_of(self.run(i, run), len(bars) - 2) for i, bars in enumerate(self.bars)]

    def trades_of(self, stats, bars):
        rows = zip(*(stats["_trades"][name] for name in ("EntryBar", "ExitBar", "EntryPrice", "ExitPrice")))
        # The bars behind the first flat one count; what is filled at the last flat one is sold at the last close.
        trades = [[int(a) - 1, min(int(b) - 1, bars - 1), float(p), float(q)] for a, b, p, q in rows]
        return {"trades": trades, "totalReturn": float(stats["Equity Final [$]"]) / CASH - 1}


warnings.filterwarnings("ignore")
serve(Backtesting())
