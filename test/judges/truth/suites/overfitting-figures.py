"""The probability of backtest overfitting by pypbo: of each search, as ours bins and rounds it."""

import math

import numpy
from pypbo.pbo import pbo

from common import read, write

BLOCKS = 16
BINS = 20


def sharpe_ratios(returns):
    deviations = returns.std(axis=0, ddof=1)
    # A combination that never traded has the ratio 0. The ratios are rounded, so that equal ones tie.
    ratios = numpy.divide(returns.mean(axis=0), deviations, out=numpy.zeros(returns.shape[1]), where=deviations > 0)
    return ratios.round(12)


def figures(columns):
    returns = numpy.array(columns).T
    result = pbo(returns, BLOCKS, sharpe_ratios, threshold=0)
    bound = math.log(returns.shape[1])
    # A bin has its upper end, the first one its lower end too, whatever rounding makes of the quotient.
    places = numpy.ceil((numpy.array(result.logits) + bound) / (2 * bound) * BINS - 1e-9)
    counts = numpy.bincount(numpy.clip(places, 1, BINS).astype(int) - 1, minlength=BINS)
    return {
        "pbo": result.pbo,
        "slope": result.linear_model.slope,
        **{f"choices in bin {i + 1}": int(count) for i, count in enumerate(counts)},
    }


write([figures(columns) for columns in read()])
