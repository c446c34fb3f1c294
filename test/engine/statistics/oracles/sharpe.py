"""Sharpe ratios with serial correlation by jsharpe: JSON in, JSON out.

In: cases of `SR`, `SR0`, `SR1`, `T`, `gamma3`, `gamma4`, `rho`, and `p_H1`. Out: the figures of each.
"""

import json
import sys

from jsharpe.sharpe.corrections import oFDR
from jsharpe.sharpe.psr import (
    critical_sharpe_ratio,
    minimum_track_record_length,
    probabilistic_sharpe_ratio,
    sharpe_ratio_power,
    sharpe_ratio_variance,
)


def figures(case):
    sr, sr0, sr1, t, p_h1 = (case[name] for name in ("SR", "SR0", "SR1", "T", "p_H1"))
    error = {name: case[name] for name in ("gamma3", "gamma4", "rho")}
    return {
        "variance": sharpe_ratio_variance(sr0, t, **error),
        "psr": probabilistic_sharpe_ratio(sr, sr0, T=t, **error),
        "min_track_record": minimum_track_record_length(sr, sr0, **error),
        "critical_sharpe": critical_sharpe_ratio(sr0, t, **error),
        "power": sharpe_ratio_power(sr0, sr1, t, **error),
        "fdr": oFDR(sr, sr0, sr1, t, p_h1, **error),
    }


json.dump([figures(case) for case in json.load(sys.stdin)], sys.stdout)
