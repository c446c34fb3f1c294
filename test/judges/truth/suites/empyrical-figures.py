"""Performance figures by empyrical, of the returns of runs."""

import empyrical
import pandas

from common import read, write


def figures(run, every):
    returns = pandas.Series(run["returns"], index=pandas.to_datetime(run["day"]))
    close = pandas.Series(run["close"], index=returns.index)
    curve = empyrical.cum_returns(returns, starting_value=run["initial"])
    # Returns a year as the calendar has them, not 252.
    per_year = len(returns) / run["years"]
    return {
        "total return": 100 * empyrical.cum_returns_final(returns),
        "annual return": 100 * empyrical.annual_return(returns, annualization=per_year),
        "volatility": 100 * empyrical.annual_volatility(returns),
        "sharpe": empyrical.sharpe_ratio(returns),
        "sortino": empyrical.sortino_ratio(returns),
        "calmar": empyrical.calmar_ratio(returns, annualization=per_year),
        "largest drawdown": -100 * empyrical.max_drawdown(returns),
        "return of holding": 100 * empyrical.cum_returns_final(empyrical.simple_returns(close)),
        **{f"equity at bar {t}": curve.iloc[t] for t in range(0, len(curve), every)},
    }


request = read()
write([figures(run, request["every"]) for run in request["runs"]])
