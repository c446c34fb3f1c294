"""Block lengths, intervals, and tests of superior predictive ability by arch, over resamples whose indices are given."""

import numpy
from arch.bootstrap import SPA, IIDBootstrap, optimal_block_length

from common import read, write


class Resamples(IIDBootstrap):
    """A bootstrap that draws the given rows of indices, one after the other."""

    def __init__(self, rows, *args):
        super().__init__(*args)
        self.rows = iter(rows)

    def update_indices(self):
        return next(self.rows)


def interval_figures(returns, days, rows):
    def statistics(sample):
        growth = numpy.prod(1 + sample)
        deviation = sample.std(ddof=1)
        return numpy.array(
            [
                # A resample without deviation has the ratio 0.
                sample.mean() / deviation * 252**0.5 if deviation > 0 else 0,
                100 * (growth ** (365.25 / days) - 1),
            ]
        )

    low, high = Resamples(rows, returns).conf_int(statistics, reps=len(rows), method="percentile", size=0.9)
    return {
        "5th percentile of sharpe": low[0],
        "95th percentile of sharpe": high[0],
        "5th percentile of annual return": low[1],
        "95th percentile of annual return": high[1],
    }


def spa_figures(columns, benchmark, block_length, rows):
    gains = numpy.array(columns).T - numpy.array(benchmark)[:, None]
    means = Resamples(rows, gains).apply(lambda sample: sample.mean(0), reps=len(rows))
    # SPA of arch compares means as they are: they are studentized before it sees them.
    scale = numpy.sqrt(len(gains) * ((means - gains.mean(0)) ** 2).mean(0))
    losses = -gains / scale
    spa = SPA(numpy.zeros(len(losses)), losses, block_size=max(1, round(block_length)), reps=len(rows))
    spa.bootstrap = Resamples(rows, -losses)
    spa.compute()
    return {
        "statistic": len(losses) ** 0.5 * (-losses).mean(0).max(),
        **spa.pvalues.to_dict(),
    }


def block_length(series):
    # A block has at least one bar.
    return max(1, optimal_block_length(numpy.array(series))["stationary"].iloc[0])


request = read()
write(
    {
        "lengths": [block_length(series) for series in request["series"]],
        "intervals": [
            interval_figures(numpy.array(run["returns"]), run["days"], numpy.array(run["rows"]))
            for run in request["runs"]
        ],
        "searches": [
            spa_figures(search["columns"], search["benchmark"], search["length"], numpy.array(search["rows"]))
            for search in request["searches"]
        ],
    }
)
