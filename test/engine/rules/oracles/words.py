"""Values of rules by numpy, pandas (resample), scipy (stats.skew), and statsmodels (OLS): JSON in, JSON out.

In: `day`, `open`, `high`, `low`, `close`, and `volume` of an instrument, and the `close` of another one, on the same days.
Out, by expression: its value at each day; null where it is undefined.
"""

import json
import sys

import numpy
import pandas
import statsmodels.api
from scipy import stats

given = json.load(sys.stdin)
bars = pandas.DataFrame(given["own"], index=pandas.to_datetime(given["day"]))
other = pandas.Series(given["other"], index=bars.index)
r = numpy.log(bars.close).diff()
m = numpy.log(other).diff()


def of_last(n, figure):
    """The figure of the rows of the last n days, from the first day on at which the market has its earlier returns."""
    return pandas.Series([figure(slice(t + 1 - n, t + 1)) if t >= n - 1 else numpy.nan for t in range(len(bars))], bars.index)


def residuals(rows):
    return statsmodels.api.OLS(r.iloc[rows], statsmodels.api.add_constant(m.iloc[rows])).fit().resid


def idio(n):
    return of_last(n, lambda rows: numpy.nan if rows.start < 1 else residuals(rows).std(ddof=1) * 252**0.5 * 100)


def coskewness(n):
    def figure(rows):
        a, b = r.iloc[rows] - r.iloc[rows].mean(), m.iloc[rows] - m.iloc[rows].mean()
        return (a * b**2).mean() / (a.std(ddof=0) * b.var(ddof=0))

    return of_last(n, lambda rows: numpy.nan if rows.start < 1 else figure(rows))


def lagged(n, k, figure):
    def fitted(rows):
        if rows.start < 1 + k:
            return numpy.nan
        table = pandas.concat([m.shift(j).iloc[rows] for j in range(k + 1)], axis=1, keys=range(k + 1))
        whole = statsmodels.api.OLS(r.iloc[rows], statsmodels.api.add_constant(table)).fit()
        alone = statsmodels.api.OLS(r.iloc[rows], statsmodels.api.add_constant(m.iloc[rows])).fit()
        return figure(alone, whole)

    return of_last(n, fitted)


def delay_slope(alone, whole):
    slopes = whole.params.drop("const")
    return (slopes.index * slopes).sum() / slopes.sum()


def pairs(n, k, figure):
    a, b = numpy.log(bars.close / bars.close.shift(k)), numpy.log(other / other.shift(k))
    return of_last(n, lambda rows: numpy.nan if rows.start < k else figure(a.iloc[rows], b.iloc[rows]))


def of_periods(rule, figure):
    """Each period but the last one, which is not over, has its last day; a day has the newest figure up to it."""
    rows = bars.assign(money=bars.close * bars.volume).resample(rule)
    table = pandas.DataFrame(
        {
            "open": rows.open.first(),
            "high": rows.high.max(),
            "low": rows.low.min(),
            "close": rows.close.last(),
            "volume": rows.volume.sum(),
            "money": rows.money.sum(),
        }
    )
    figures = figure(table)
    last_days = bars.index.to_series().resample(rule).last()
    return pandas.Series(figures.values, last_days.values).iloc[:-1].reindex(bars.index).ffill()


answers = {
    "slope_of(ln(volume + 1), 21)": numpy.log(bars.volume + 1).rolling(21).apply(lambda x: numpy.polyfit(range(21), x, 1)[0]),
    "skewness_of(roc(1), 21)": (100 * bars.close.pct_change()).rolling(21).apply(lambda x: stats.skew(x)),
    "idio_volatility('SPY', 21)": idio(21),
    "coskewness('SPY', 60)": coskewness(60),
    "delay('SPY', 60, 4)": lagged(60, 4, lambda alone, whole: 1 - alone.rsquared / whole.rsquared),
    "delay_slope('SPY', 60, 4)": lagged(60, 4, delay_slope),
    "beta('SPY', 63, 3)": pairs(63, 3, lambda a, b: numpy.cov(a, b)[0, 1] / numpy.var(b, ddof=1)),
    "correlation('SPY', 63, 3)": pairs(63, 3, lambda a, b: numpy.corrcoef(a, b)[0, 1]),
    "if(close > open, high, low)": pandas.Series(numpy.where(bars.close > bars.open, bars.high, bars.low), bars.index),
    "monthly((high - low) / open)": of_periods("ME", lambda table: (table.high - table.low) / table.open),
    "monthly(lag(roc(3), 1))": of_periods("ME", lambda table: 100 * (table.close / table.close.shift(3) - 1).shift(1)),
    "monthly(dollar_volume / volume)": of_periods("ME", lambda table: table.money / table.volume),
    "weekly(sma_of(volume, 4))": of_periods("W", lambda table: table.volume.rolling(4).mean()),
}
json.dump(
    {name: [None if numpy.isnan(value) else value for value in column] for name, column in answers.items()}, sys.stdout
)
