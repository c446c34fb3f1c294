"""Performance figures by quantstats, of the returns and trades of runs."""

import pandas
from quantstats import stats

from common import read, write


def population(skew, kurtosis, n):
    """Returns skewness and kurtosis of the population from those of a sample, which pandas corrects for bias."""
    return (
        skew * (n - 2) / (n * (n - 1)) ** 0.5,
        (kurtosis * (n - 2) * (n - 3) / (n - 1) - 6) / (n + 1) + 3,
    )


def figures(run):
    returns = pandas.Series(run["returns"], index=pandas.to_datetime(run["day"]))
    pnl = pandas.Series([trade["pnl"] for trade in run["trades"]])
    skewness, kurtosis = population(stats.skew(returns), stats.kurtosis(returns), len(returns))
    return {
        "total return": 100 * stats.comp(returns),
        "volatility": 100 * stats.volatility(returns),
        "sharpe": stats.sharpe(returns),
        "sortino": stats.sortino(returns),
        "largest drawdown": -100 * stats.max_drawdown(returns),
        "skewness": skewness,
        "kurtosis": kurtosis,
        "win rate": 100 * stats.win_rate(pnl, prepare_returns=False),
        "profit factor": stats.profit_factor(pnl, prepare_returns=False),
        "probabilistic sharpe": stats.probabilistic_sharpe_ratio(returns),
    }


write([figures(run) for run in read()["runs"]])
