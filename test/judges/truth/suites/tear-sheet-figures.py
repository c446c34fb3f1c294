"""Figures of tear sheets by empyrical, pyfolio, quantstats, and statsmodels, of the returns of runs and their benchmarks."""

import empyrical
import numpy
import pandas
import statsmodels.api as statsmodels
from pyfolio import timeseries
from quantstats import stats

from common import read, write

WINDOWS = (63, 252)


def regression(run):
    """Least squares with the errors of Newey and West. The first row, on which everything is bought, is left out."""
    risk_free = numpy.array(run["risk_free"])[1:]
    y = numpy.array(run["returns"])[1:] - risk_free
    factors = numpy.array(run["factors"]).T[1:] - risk_free[:, None]
    fit = statsmodels.OLS(y, statsmodels.add_constant(factors)).fit(cov_type="HAC", cov_kwds={"maxlags": run["lag"]})
    figures = {"r2 of the regression": fit.rsquared}
    for i in range(len(fit.params)):
        figures[f"coefficient {i}"] = fit.params[i]
        figures[f"t of coefficient {i}"] = fit.tvalues[i]
        figures[f"p of coefficient {i}"] = fit.pvalues[i]
    return figures


def against(excess, benchmark):
    """Slope and constant of least squares: empyrical takes the risk-free rate off the benchmark alone."""
    alpha, beta = statsmodels.OLS(excess.values, statsmodels.add_constant(benchmark.values)).fit().params
    return {"beta": beta, "alpha_pct": 100 * ((1 + alpha) ** 252 - 1)}


def rolling(returns, excess, benchmark):
    # The running sums of pandas lose digits in a window that moves by the risk-free rate alone.
    is_above = (excess != returns).any()
    figures = {}
    for window in WINDOWS:
        volatility = 100 * empyrical.roll_annual_volatility(returns, window=window)
        sharpe = excess.rolling(window).apply(empyrical.sharpe_ratio) if is_above else timeseries.rolling_sharpe(returns, window)
        beta = empyrical.roll_beta(excess, benchmark, window=window)
        for at in range(window - 1, len(returns), 100):
            figures[f"volatility of {window} at bar {at}"] = volatility.iloc[at - window + 1]
            figures[f"sharpe of {window} at bar {at}"] = sharpe.iloc[at]
            figures[f"beta of {window} at bar {at}"] = beta.iloc[at - window + 1]
    return figures


def drawdowns(returns):
    table = timeseries.gen_drawdown_table(returns, top=10).dropna(subset=["Peak date"])
    depths = sorted(table["Net drawdown in %"].astype(float), reverse=True)
    return {f"drawdown {i + 1}": depth for i, depth in enumerate(depths[:3])}


def figures(run):
    index = pandas.to_datetime(run["day"])
    returns = pandas.Series(run["returns"], index=index)
    benchmark = pandas.Series(run["benchmark"], index=index)
    risk_free = pandas.Series(run["risk_free"], index=index)
    excess = returns - risk_free
    difference = returns - benchmark
    months = empyrical.aggregate_returns(returns, "monthly")
    weeks = empyrical.aggregate_returns(returns, "weekly")
    years = empyrical.aggregate_returns(returns, "yearly")
    return {
        "total_pct": 100 * empyrical.cum_returns_final(returns),
        "annual_return_pct": 100 * empyrical.annual_return(returns),
        "volatility_pct": 100 * empyrical.annual_volatility(returns),
        "sharpe": empyrical.sharpe_ratio(returns, risk_free=risk_free),
        "sortino": empyrical.sortino_ratio(returns, required_return=risk_free),
        "calmar": empyrical.calmar_ratio(returns),
        "max_drawdown_pct": -100 * empyrical.max_drawdown(returns),
        "omega": empyrical.omega_ratio(returns, risk_free=risk_free),
        "tail_ratio": empyrical.tail_ratio(returns),
        "stability": empyrical.stability_of_timeseries(returns),
        "skewness": timeseries.perf_stats(returns)["Skew"],
        "excess_kurtosis": timeseries.perf_stats(returns)["Kurtosis"],
        "var_95_pct": 100 * empyrical.value_at_risk(returns, 0.05),
        "var_99_pct": 100 * empyrical.value_at_risk(returns, 0.01),
        "cvar_95_pct": 100 * empyrical.conditional_value_at_risk(returns, 0.05),
        "cvar_99_pct": 100 * empyrical.conditional_value_at_risk(returns, 0.01),
        "best day": 100 * stats.best(returns),
        "worst day": 100 * stats.worst(returns),
        "best week": 100 * weeks.max(),
        "worst week": 100 * weeks.min(),
        "best month": 100 * months.max(),
        "worst month": 100 * months.min(),
        **{f"year {year}": 100 * value for year, value in years.items()},
        **against(excess, benchmark - risk_free),
        # Theirs are of one session: a year has 252.
        "tracking error": 100 * 252**0.5 * difference.std(),
        "information_ratio": 252**0.5 * empyrical.excess_sharpe(returns, benchmark),
        "up_capture": empyrical.up_capture(returns, benchmark),
        "down_capture": empyrical.down_capture(returns, benchmark),
        "r2": stats.r_squared(returns, benchmark),
        **drawdowns(returns),
        **rolling(returns, excess, benchmark - risk_free),
        **regression(run),
    }


write([figures(run) for run in read()])
