"""Seconds that alphalens takes for one factor, with everything that a study of ours has at one horizon."""

import contextlib
import io
import json
import sys
import time
import warnings

import pandas
from alphalens import performance, utils

warnings.filterwarnings("ignore")
given = json.load(sys.stdin)
close = pandas.DataFrame(given["close"], index=pandas.to_datetime(given["day"]), dtype=float)


def study(quantiles):
    factor = close.pct_change(given["period"]).stack()
    ahead = utils.compute_forward_returns(factor, close, periods=(1,), filter_zscore=None)
    clean = utils.get_clean_factor(factor, ahead, quantiles=quantiles, max_loss=1)
    coefficients = performance.factor_information_coefficient(clean).iloc[:, 0]
    returns, errors = performance.mean_return_by_quantile(clean, by_date=True)
    performance.compute_mean_returns_spread(returns, quantiles, 1, std_err=errors)
    performance.factor_rank_autocorrelation(clean)
    for quantile in range(1, quantiles + 1):
        performance.quantile_turnover(clean["factor_quantile"], quantile)
    return coefficients.mean()


with contextlib.redirect_stdout(io.StringIO()):
    started = time.perf_counter()
    coefficient = study(given["quantiles"])
    seconds = time.perf_counter() - started
json.dump({"seconds": seconds, "coefficient": coefficient}, sys.stdout)
