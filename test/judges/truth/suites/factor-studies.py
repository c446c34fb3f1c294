"""Figures of studies of factors by alphalens, statsmodels, and pandas, from values and closes."""

import contextlib
import io
import warnings

import numpy
import pandas
import statsmodels.api as statsmodels
from alphalens import performance, utils

from common import read, write

# Weeks and months are no calendar of sessions, which alphalens tells at each call.
warnings.filterwarnings("ignore", category=UserWarning)


def overlap(looked, horizon):
    """The largest lag at which a session lies fewer than horizon sessions after the one before it."""
    if horizon == "step":
        return 0
    lag = 0
    while any(later - earlier < horizon for earlier, later in zip(looked, looked[lag + 1 :])):
        lag += 1
    return lag


def series_figures(series, lag, of):
    constant = numpy.ones(len(series))
    plain = statsmodels.OLS(series.values, constant).fit()
    equal = {"maxlags": lag, "kernel": "uniform", "use_correction": False}
    overlapping = statsmodels.OLS(series.values, constant).fit(cov_type="HAC", cov_kwds=equal)
    return {
        f"sessions of {of}": len(series),
        f"mean of {of}": series.mean(),
        f"sd of {of}": series.std(),
        f"t of {of}": plain.tvalues[0],
        f"t with overlap of {of}": overlapping.tvalues[0],
        **{f"{of} on {day.date()}": value for day, value in series.items()},
    }


def horizon_figures(study, factor, horizon):
    close, sessions = study["close"], study["sessions"]
    groups, quantiles = study["groups"], study["quantiles"]
    prices, period = (close.loc[sessions], 1) if horizon == "step" else (close, horizon)
    # Returns that differ by the rounding of an adjustment are equal.
    ahead = utils.compute_forward_returns(factor, prices, periods=(period,), filter_zscore=None).round(12)
    clean = {"groupby": groups, "max_loss": 1}
    is_neutral = groups is not None
    # Sessions that have no edges between quantiles would be dropped.
    whole = utils.get_clean_factor(factor, ahead, quantiles=1, **clean)
    coefficients = performance.factor_information_coefficient(whole, group_adjust=is_neutral).iloc[:, 0].dropna()
    binned = utils.get_clean_factor(factor, ahead, quantiles=quantiles, **clean)
    mean, error = performance.mean_return_by_quantile(binned, group_adjust=is_neutral)
    by_session, _ = performance.mean_return_by_quantile(binned, by_date=True, group_adjust=is_neutral)
    half_spreads, _ = performance.compute_mean_returns_spread(by_session, quantiles, 1)
    lag = overlap(study["looked"], horizon)
    return {
        **series_figures(coefficients, lag, f"coefficient over {horizon}"),
        f"share above 0 over {horizon}": (coefficients > 0).mean(),
        **{f"coefficient over {horizon} in {year}": own.mean() for year, own in coefficients.groupby(coefficients.index.year)},
        **{f"mean of quantile {int(q)} over {horizon}": value for q, value in mean.iloc[:, 0].items()},
        **{f"error of quantile {int(q)} over {horizon}": value for q, value in error.iloc[:, 0].items()},
        **{f"quantile {int(q)} over {horizon} on {day.date()}": value for (q, day), value in by_session.iloc[:, 0].items()},
        **series_figures(2 * half_spreads.iloc[:, 0].dropna(), lag, f"spread over {horizon}"),
    }


def factor_figures(study, values):
    factor = values.stack(future_stack=True)
    # Turnover and ranks need no returns: with these, no session is dropped.
    nothing = pandas.DataFrame({"1D": 0.0}, index=factor.index.set_names(["date", "asset"]))
    binned = utils.get_clean_factor(factor, nothing, quantiles=study["quantiles"], max_loss=1)
    whole = utils.get_clean_factor(factor, nothing, quantiles=1, max_loss=1)
    names = values.notna().sum(axis=1)
    figures = {
        "mean names": names.mean(),
        "mean share": (names / study["bars"]).mean(),
        "rank autocorrelation": performance.factor_rank_autocorrelation(whole).mean(),
    }
    for q in range(1, study["quantiles"] + 1):
        figures[f"turnover of quantile {q}"] = performance.quantile_turnover(binned["factor_quantile"], q).mean()
    for horizon in study["horizons"]:
        figures.update(horizon_figures(study, factor, horizon))
    return figures


def correlation(values, others):
    """The mean over months of the correlation of ranks at their last session."""
    months = values.groupby(values.index.to_period("M"))
    ends = [own.index[-1] for _, own in months]
    return values.loc[ends].rank(axis=1).corrwith(others.loc[ends].rank(axis=1), axis=1).mean()


def figures(request):
    days = pandas.to_datetime(request["day"])
    close = pandas.DataFrame(request["close"], index=days, dtype=float)
    sessions = days[request["looked"]]
    factors = [pandas.DataFrame(values, index=days, columns=close.columns, dtype=float) for values in request["values"]]
    groups = request["groups"]
    study = {
        **request,
        "close": close,
        "sessions": sessions,
        "bars": close.notna().sum(axis=1).loc[sessions],
        "groups": groups and dict(zip(close.columns, groups)),
    }
    return {
        "factors": [factor_figures(study, values.loc[sessions]) for values in factors],
        "correlation": correlation(*factors),
    }


# alphalens prints what it drops.
with contextlib.redirect_stdout(io.StringIO()):
    answers = [figures(study) for study in read()]
write(answers)
