"""What runs earned beyond the market by statsmodels and numpy, and reality checks in which nothing beats it."""

import numpy
import statsmodels.api
from common import read, write
from scipy.stats import norm

CONFIDENCE = 0.95


def probabilistic_sharpe(residuals):
    sharpe = residuals.mean() / residuals.std(ddof=1)
    centered = residuals - residuals.mean()
    deviation = numpy.sqrt((centered**2).mean())
    skewness, kurtosis = ((centered / deviation) ** 3).mean(), ((centered / deviation) ** 4).mean()
    root = numpy.sqrt(1 - skewness * sharpe + (kurtosis - 1) / 4 * sharpe**2)
    return norm.cdf(sharpe * numpy.sqrt(len(residuals) - 1) / root)


def ex_ante(run, market):
    known = numpy.array(
        [
            run[t] - numpy.cov(run[:t], market[:t])[0, 1] / market[:t].var(ddof=1) * market[t]
            for t in range(60, len(run))
        ]
    )
    return probabilistic_sharpe(known), numpy.sqrt(len(known)) * known.mean() / known.std(ddof=1)


def skill_figures(run, market):
    count = len(run)
    lags = int(4 * (count / 100) ** (2 / 9))
    fitted = statsmodels.api.OLS(run, statsmodels.api.add_constant(market)).fit(
        cov_type="HAC", cov_kwds={"maxlags": lags, "use_correction": False}
    )
    beta = fitted.params[1]
    residuals = run - beta * market
    known_psr, known_t = ex_ante(run, market)
    psr = probabilistic_sharpe(residuals)
    quantile = norm.ppf(CONFIDENCE)
    return {
        "beta": beta,
        "alpha": 25_200 * residuals.mean(),
        "t of alpha": fitted.tvalues[0],
        "appraisal": residuals.mean() / residuals.std(ddof=1) * 252**0.5,
        "psr": psr,
        "ex-ante psr": known_psr,
        "ex-ante t": known_t,
        "shown": float(
            min(psr, known_psr) >= CONFIDENCE and min(fitted.tvalues[0], known_t) >= quantile
        ),
    }


def interval_figures(run, market, rows):
    x, y = run[rows], market[rows]
    dx, dy = x - x.mean(1, keepdims=True), y - y.mean(1, keepdims=True)
    beta = (dx * dy).sum(1) / (dy * dy).sum(1)
    residuals = x - beta[:, None] * y
    alpha = 25_200 * residuals.mean(1)
    deviation = residuals.std(1, ddof=1)
    # Holding itself leaves rounding errors.
    varies = deviation > 1e-12
    appraisal = numpy.where(varies, residuals.mean(1) / numpy.where(varies, deviation, 1) * 252**0.5, 0)
    return {
        f"{q}th percentile of {name}": numpy.percentile(values, q)
        for name, values in (("alpha", alpha), ("appraisal", appraisal))
        for q in (5, 95)
    }


def reality_check(columns, market, rows):
    gains = numpy.array(columns).T - market[:, None]
    count = len(gains)
    mean = gains.mean(0)
    means = gains[rows].mean(1)
    scale = numpy.sqrt(count * ((means - mean) ** 2).mean(0))
    statistic = max(0, (count**0.5 * mean / scale).max())
    bound = -scale * numpy.sqrt(2 * numpy.log(numpy.log(count)) / count)
    centers = {"lower": numpy.maximum(mean, 0), "consistent": numpy.where(mean >= bound, mean, 0), "upper": mean}
    drawn = {name: numpy.maximum(0, (count**0.5 * (means - g) / scale).max(1)) for name, g in centers.items()}
    return {"statistic": statistic, **{name: (values >= statistic).mean() for name, values in drawn.items()}}


request = read()
write(
    {
        "runs": [skill_figures(numpy.array(one["run"]), numpy.array(one["market"])) for one in request["runs"]],
        "intervals": [
            interval_figures(numpy.array(one["run"]), numpy.array(one["market"]), numpy.array(one["rows"]))
            for one in request["intervals"]
        ],
        "searches": [
            reality_check(one["columns"], numpy.array(one["market"]), numpy.array(one["rows"]))
            for one in request["searches"]
        ],
    }
)
