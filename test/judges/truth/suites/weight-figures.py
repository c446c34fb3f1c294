"""Volatilities by PyPortfolioOpt, and weights by skfolio and ffn, of windows of prices."""

import ffn
import numpy
import pandas
from pypfopt import risk_models
from skfolio.optimization import EqualWeighted, InverseVolatility

from common import read, write


def figures(prices):
    returns = numpy.log(prices).diff().dropna()
    covariance = risk_models.sample_cov(prices, frequency=252, log_returns=True)
    volatility = 100 * pandas.Series(numpy.diag(covariance) ** 0.5, index=prices.columns)
    inverse = pandas.Series(InverseVolatility().fit(returns).weights_, index=prices.columns)
    equal = pandas.Series(EqualWeighted().fit(returns).weights_, index=prices.columns)
    return {
        **{f"volatility of {name}": figure for name, figure in volatility.items()},
        **{f"weight by skfolio of {name}": weight for name, weight in inverse.items()},
        **{f"weight by ffn of {name}": weight for name, weight in ffn.calc_inv_vol_weights(returns).items()},
        **{f"equal weight of {name}": weight for name, weight in equal.items()},
    }


request = read()
prices = pandas.DataFrame(request["close"])
write([figures(prices.iloc[end - request["period"] : end + 1]) for end in request["ends"]])
