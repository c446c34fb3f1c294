"""Runs of backtesting.py on the bars of GOOG that the package ships: trades, equity, and statistics."""

import warnings

import pandas
from backtesting import Backtest, Strategy
from backtesting.lib import crossover
from backtesting.test import GOOG, SMA

from common import read, write

# It trades whole shares only: with this much money what is left over is nothing.
CASH = 1e15


class SmaCross(Strategy):
    fast_period = 10
    slow_period = 30

    def init(self):
        self.fast = self.I(SMA, self.data.Close, self.fast_period)
        self.slow = self.I(SMA, self.data.Close, self.slow_period)

    def next(self):
        if not self.position:
            if crossover(self.fast, self.slow):
                self.buy()
        elif self.fast[-1] < self.slow[-1]:
            self.position.close()


def highest_before(values, period):
    return pandas.Series(values).rolling(period).max().shift()


def lowest_before(values, period):
    return pandas.Series(values).rolling(period).min().shift()


class Donchian(Strategy):
    entry_period = 20
    exit_period = 10

    def init(self):
        self.highest = self.I(highest_before, self.data.High, self.entry_period)
        self.lowest = self.I(lowest_before, self.data.Low, self.exit_period)

    def next(self):
        if not self.position:
            if self.data.Close[-1] > self.highest[-1]:
                self.buy()
        elif self.data.Close[-1] < self.lowest[-1]:
            self.position.close()


STRATEGIES = {"sma_cross": SmaCross, "donchian": Donchian}


def result(run):
    bars = GOOG.iloc[: run["bars"]]
    backtest = Backtest(
        bars,
        STRATEGIES[run["strategy"]],
        cash=CASH,
        commission=run["commission"],
        trade_on_close=run["executeOn"] == "close",
        finalize_trades=True,
    )
    stats = backtest.run(**run["params"])
    trades = stats["_trades"]
    # Theirs is a share of the price paid, ours of the cash spent, which is more by the commission.
    percent = 100 / (1 + run["commission"])
    return {
        "trades": [
            {
                "entry": str(trade.EntryTime.date()),
                "exit": str(trade.ExitTime.date()),
                "entry price": trade.EntryPrice,
                "exit price": trade.ExitPrice,
                "return": percent * trade.ReturnPct,
            }
            for trade in trades.itertuples()
        ],
        "equity": stats["_equity_curve"]["Equity"] / CASH,
        "statistics": {
            "total return": stats["Return [%]"],
            # Theirs counts the bar of an exit as exposed, in full.
            "exposure": stats["Exposure Time [%]"] - 100 * len(trades) / len(bars),
            "largest drawdown": -stats["Max. Drawdown [%]"],
            "longest drawdown": stats["Max. Drawdown Duration"].days,
            "number of trades": stats["# Trades"],
            "win rate": stats["Win Rate [%]"],
            "best trade": percent * stats["Best Trade [%]"] / 100,
            "worst trade": percent * stats["Worst Trade [%]"] / 100,
            "average trade": percent * stats["Expectancy [%]"] / 100,
        },
    }


warnings.simplefilter("ignore")
columns = {name.lower(): GOOG[name] for name in GOOG.columns}
write(
    {
        "bars": {"day": [str(day.date()) for day in GOOG.index], **{name: list(column) for name, column in columns.items()}},
        "runs": [result(run) for run in read()],
    }
)
