"""The normal distribution, moments, and correlations by scipy and statsmodels."""

import numpy
from scipy import stats
from statsmodels.stats.stattools import jarque_bera

from common import read, write


def moments(values):
    values = numpy.array(values)
    described = stats.describe(values)
    return {
        "mean return": 100 * 252 * described.mean,
        "volatility": 100 * (252 * described.variance) ** 0.5,
        "skewness": described.skewness,
        # Theirs is the excess over that of a normal distribution.
        "kurtosis": described.kurtosis + 3,
    }


def jarque_bera_moments(values):
    _, _, skewness, kurtosis = jarque_bera(numpy.array(values))
    return {"skewness": skewness, "kurtosis": kurtosis}


request = read()
write(
    {
        "cdf": stats.norm.cdf(request["figures"]),
        "logarithm of cdf": stats.norm.logcdf(request["figures"]),
        "quantile": stats.norm.ppf(request["probabilities"]),
        "scipy": [moments(values) for values in request["returns"]],
        "statsmodels": [jarque_bera_moments(values) for values in request["returns"]],
    }
)
