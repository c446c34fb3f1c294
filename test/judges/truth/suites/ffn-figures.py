"""Performance figures and drawdowns by ffn, of the equity of runs."""

import ffn
import pandas

from common import read, write


def population(skew, kurtosis, n):
    """Returns skewness and kurtosis of the population from those of a sample, which pandas corrects for bias."""
    return (
        skew * (n - 2) / (n * (n - 1)) ** 0.5,
        (kurtosis * (n - 2) * (n - 3) / (n - 1) - 6) / (n + 1) + 3,
    )


def figures(run):
    equity = pandas.Series(run["equity"], index=pandas.to_datetime(run["day"]))
    # The initial capital is the price of the day before, so that the first bar has a return too.
    start = pandas.Series([run["initial"]], index=[equity.index[0] - pandas.Timedelta(days=1)])
    stats = ffn.PerformanceStats(pandas.concat([start, equity]))
    skewness, kurtosis = population(stats.daily_skew, stats.daily_kurt, len(equity))
    return {
        "total return": 100 * stats.total_return,
        "annual return": 100 * ffn.calc_cagr(equity),
        "calmar": ffn.calc_calmar_ratio(equity),
        "mean return": 100 * stats.daily_mean,
        "volatility": 100 * stats.daily_vol,
        "sharpe": stats.daily_sharpe,
        "skewness": skewness,
        "kurtosis": kurtosis,
        "largest drawdown": -100 * stats.max_drawdown,
    }


write([figures(run) for run in read()["runs"]])
