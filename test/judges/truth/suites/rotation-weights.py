"""Covariances and weights of windows of returns by NumPy, scikit-learn, PyPortfolioOpt, and skfolio."""

import warnings

import numpy
import pandas
from pypfopt import EfficientFrontier
from pypfopt.hierarchical_portfolio import HRPOpt
from sklearn.covariance import LedoitWolf
from skfolio import RiskMeasure
from skfolio.moments import LedoitWolf as SkfolioLedoitWolf
from skfolio.optimization import InverseVolatility, MaximumDiversification, MeanRisk, ObjectiveFunction, RiskBudgeting
from skfolio.prior import EmpiricalPrior

from common import read, write

warnings.filterwarnings("ignore")

# Annualized, in squared percent. Weights do not depend on the unit, but solvers stop at differences that are small near 1.
PERCENT = 100
YEAR = 252
EXACT = {"tol_gap_abs": 1e-14, "tol_gap_rel": 1e-14, "tol_feas": 1e-14}
POLISHED = {"polishing": True, "eps_abs": 1e-10, "eps_rel": 1e-10, "max_iter": 200_000}
PRIORS = {"sample": None, "ledoit_wolf": EmpiricalPrior(covariance_estimator=SkfolioLedoitWolf())}


def covariance(method, returns):
    return numpy.cov(returns, rowvar=False) if method == "sample" else LedoitWolf().fit(returns).covariance_


def by_pypfopt(matrix, names, bounds):
    scaled = matrix / matrix.diagonal().mean()
    frontier = EfficientFrontier(None, scaled, weight_bounds=bounds, solver="OSQP", solver_options=POLISHED)
    hierarchy = HRPOpt(cov_matrix=pandas.DataFrame(matrix, names, names)).optimize(linkage_method="single")
    return {
        "min_variance of PyPortfolioOpt": list(frontier.min_volatility().values()),
        "hrp of PyPortfolioOpt": [hierarchy[name] for name in names],
    }


def by_skfolio(method, returns, low, high):
    common = {"prior_estimator": PRIORS[method], "solver_params": EXACT}
    bounds = {"min_weights": low, "max_weights": high}
    variance = {"risk_measure": RiskMeasure.VARIANCE}
    models = {
        "min_variance": MeanRisk(
            objective_function=ObjectiveFunction.MINIMIZE_RISK, **variance, **bounds, **common
        ),
        "max_diversification": MaximumDiversification(**bounds, **common),
        "risk_parity": RiskBudgeting(**variance, **common),
    }
    if method == "sample":
        models["inverse_volatility"] = InverseVolatility()
    return {f"{name} of skfolio": model.fit(returns).weights_ for name, model in models.items()}


def figures(method, returns, low, high):
    matrix = covariance(method, returns.to_numpy())
    weights = {
        **by_pypfopt(matrix, list(returns.columns), (low, high)),
        **by_skfolio(method, PERCENT * returns, low, high),
    }
    rows = YEAR * PERCENT**2 * matrix
    return {
        **{f"covariance {i} {j}": rows[i][j] for i in range(len(rows)) for j in range(i + 1)},
        **{f"{name}, {i}": weight for name, of_names in weights.items() for i, weight in enumerate(of_names)},
    }


request = read()
windows = [pandas.DataFrame(numpy.array(window).T).add_prefix("S") for window in request["windows"]]
write(
    [
        {method: figures(method, window, request["low"], request["high"]) for method in PRIORS}
        for window in windows
    ]
)
