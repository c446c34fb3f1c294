"""Splits by skfolio, superior models by arch, and p-values of many tests by statsmodels."""

import numpy
from arch.bootstrap import IIDBootstrap, StepM
from skfolio.model_selection import CombinatorialPurgedCV
from statsmodels.stats.multitest import multipletests

from common import read, write


class Resamples(IIDBootstrap):
    """A bootstrap that draws the given rows of indices, again from the first for each pass."""

    def __init__(self, rows, *args):
        super().__init__(*args)
        self.all_rows = rows
        self.rows = iter(rows)

    def reset(self, use_seed=True):
        self.rows = iter(self.all_rows)

    def update_indices(self):
        return next(self.rows)


def splits(bars, purge):
    cv = CombinatorialPurgedCV(n_folds=10, n_test_folds=2, purged_size=purge, embargo_size=5)
    figures = {}
    for i, (train, tests) in enumerate(cv.split(numpy.zeros((bars, 1)))):
        for j, test in enumerate(tests):
            figures[f"test {j} of split {i}"] = f"{test[0]}-{test[-1]}"
        edges = numpy.flatnonzero(numpy.diff(train) > 1)
        starts, ends = train[numpy.r_[0, edges + 1]], train[numpy.r_[edges, len(train) - 1]]
        figures[f"train of split {i}"] = " ".join(f"{start}-{end}" for start, end in zip(starts, ends))
    for i, paths in enumerate(cv.get_path_ids()):
        figures[f"paths of split {i}"] = " ".join(str(path) for path in paths)
    return figures


def superior(columns, benchmark, rows):
    gains = numpy.array(columns).T - numpy.array(benchmark)[:, None]
    means = numpy.array([gains[row].mean(0) for row in rows])
    # Studentized before StepM sees them, as for the reality check.
    losses = -gains / numpy.sqrt(len(gains) * ((means - gains.mean(0)) ** 2).mean(0))
    test = StepM(numpy.zeros(len(losses)), losses, size=0.05, reps=len(rows), studentize=False)
    test.spa.bootstrap = Resamples(rows, -losses)
    test.compute()
    return " ".join(str(model) for model in test.superior_models)


def p_values(values):
    return {
        method: multipletests(values, method=name)[1][0]
        for method, name in (("bonferroni", "bonferroni"), ("holm", "holm"), ("bhy", "fdr_by"))
    }


request = read()
write(
    {
        "splits": [splits(one["bars"], one["purge"]) for one in request["splits"]],
        "superior": [
            superior(one["columns"], one["benchmark"], numpy.array(one["rows"])) for one in request["searches"]
        ],
        "pValues": [p_values(values) for values in request["pValues"]],
    }
)
