"""Performance figures, drawdowns, and round trips by pyfolio, of the returns and fills of runs."""

import pandas
from pyfolio import round_trips, timeseries

from common import read, write

DRAWDOWNS = 1000


def longest_drawdown(returns):
    table = timeseries.gen_drawdown_table(returns, top=DRAWDOWNS).dropna(subset=["Peak date"])
    recovery = pandas.to_datetime(table["Recovery date"]).fillna(returns.index[-1])
    return (recovery - pandas.to_datetime(table["Peak date"])).dt.days.max()


def trips(trades):
    # One share a trade: the figures that are compared are returns.
    fills = [(t["entry"], 1, t["entryPrice"]) for t in trades] + [(t["exit"], -1, t["exitPrice"]) for t in trades]
    table = pandas.DataFrame(fills, columns=["date", "amount", "price"]).set_index("date").assign(symbol="X")
    table.index = pandas.to_datetime(table.index)
    return round_trips.extract_round_trips(table.sort_index(kind="stable"))


def figures(run):
    returns = pandas.Series(run["returns"], index=pandas.to_datetime(run["day"]))
    stats = timeseries.perf_stats(returns)
    traded = trips(run["trades"])
    return {
        "total return": 100 * stats["Cumulative returns"],
        "volatility": 100 * stats["Annual volatility"],
        "sharpe": stats["Sharpe ratio"],
        "sortino": stats["Sortino ratio"],
        "largest drawdown": -100 * stats["Max drawdown"],
        "longest drawdown": longest_drawdown(returns),
        "skewness": stats["Skew"],
        # Theirs is the excess over that of a normal distribution.
        "kurtosis": stats["Kurtosis"] + 3,
        "trades": len(traded),
        "win rate": 100 * (traded["pnl"] > 0).mean(),
        "average trade": 100 * traded["rt_returns"].mean(),
        "best trade": 100 * traded["rt_returns"].max(),
        "worst trade": 100 * traded["rt_returns"].min(),
    }


write([figures(run) for run in read()["runs"]])
