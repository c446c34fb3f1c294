"""Covariances and weights of made-up returns by NumPy, scikit-learn, SciPy, PyPortfolioOpt, skfolio, and Riskfolio-Lib.

Prints them; with `--write` it records them in `weights.json`.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy
import pandas
import riskfolio
from pypfopt import EfficientFrontier
from pypfopt.hierarchical_portfolio import HRPOpt
from sklearn.covariance import LedoitWolf
from skfolio import RiskMeasure
from skfolio.moments import LedoitWolf as SkfolioLedoitWolf
from skfolio.optimization import InverseVolatility, MaximumDiversification, MeanRisk, ObjectiveFunction, RiskBudgeting
from skfolio.prior import EmpiricalPrior

from walks import factor_returns

warnings.filterwarnings("ignore")

# Solvers stop at differences that are small for numbers near 1; no weight depends on the unit of the returns.
SCALE = 100
EXACT = {"tol_gap_abs": 1e-14, "tol_gap_rel": 1e-14, "tol_feas": 1e-14}
POLISHED = {"polishing": True, "eps_abs": 1e-10, "eps_rel": 1e-10, "max_iter": 200_000}
PRIORS = {"sample": None, "ledoit_wolf": EmpiricalPrior(covariance_estimator=SkfolioLedoitWolf())}
CASES = [
    {"names": 5, "sessions": 60, "seed": 11, "min": 0, "max": 1},
    {"names": 8, "sessions": 40, "seed": 12, "min": 0, "max": 0.3},
    {"names": 12, "sessions": 126, "seed": 13, "min": 0.02, "max": 0.25},
    {"names": 30, "sessions": 252, "seed": 14, "min": 0, "max": 0.1},
    {"names": 60, "sessions": 252, "seed": 15, "min": 0, "max": 1},
]


def covariance(method, returns):
    return numpy.cov(returns, rowvar=False) if method == "sample" else LedoitWolf().fit(returns).covariance_


def min_variance(matrix, bounds):
    matrix = matrix / matrix.diagonal().mean()
    frontier = EfficientFrontier(None, matrix, weight_bounds=bounds, solver="OSQP", solver_options=POLISHED)
    return list(frontier.min_volatility().values())


def hrp(matrix, names):
    weights = HRPOpt(cov_matrix=pandas.DataFrame(matrix, names, names)).optimize(linkage_method="single")
    return [weights[name] for name in names]


def by_skfolio(method, returns, low, high):
    common = {"prior_estimator": PRIORS[method], "solver_params": EXACT}
    return {
        "inverse_volatility": InverseVolatility(prior_estimator=PRIORS[method]).fit(returns).weights_,
        "min_variance": MeanRisk(
            objective_function=ObjectiveFunction.MINIMIZE_RISK,
            risk_measure=RiskMeasure.VARIANCE,
            min_weights=low,
            max_weights=high,
            **common,
        )
        .fit(returns)
        .weights_,
        "max_diversification": MaximumDiversification(min_weights=low, max_weights=high, **common)
        .fit(returns)
        .weights_,
        "risk_parity": RiskBudgeting(risk_measure=RiskMeasure.VARIANCE, **common).fit(returns).weights_,
    }


def by_riskfolio(method, returns):
    portfolio = riskfolio.Portfolio(returns=returns)
    portfolio.assets_stats(method_mu="hist", method_cov="hist")
    portfolio.cov = pandas.DataFrame(covariance(method, returns), returns.columns, returns.columns)
    portfolio.solvers = ["CLARABEL"]
    portfolio.sol_params = {"CLARABEL": EXACT}
    weights = portfolio.rp_optimization(model="Classic", rm="MV", rf=0, b=None, hist=True)
    return {"risk_parity": weights["weights"].to_numpy()}


def solve(case):
    names = [f"S{i:02}" for i in range(case["names"])]
    returns = pandas.DataFrame(factor_returns(case["names"], case["sessions"], case["seed"]), columns=names)
    answers = []
    for method in ("sample", "ledoit_wolf"):
        matrix = covariance(method, returns.to_numpy())
        answers.append(
            {
                "covariance": method,
                "first_row": list(matrix[0]),
                "last_diagonal": matrix[-1][-1],
                "pypfopt": {"min_variance": min_variance(matrix, (case["min"], case["max"])), "hrp": hrp(matrix, names)},
                "skfolio": {
                    name: list(weights)
                    for name, weights in by_skfolio(method, SCALE * returns, case["min"], case["max"]).items()
                },
                "riskfolio": {name: list(weights) for name, weights in by_riskfolio(method, SCALE * returns).items()},
            }
        )
    return {**case, "answers": answers}


def plain(value):
    """Fifteen digits, so that the last bit of another processor is no difference."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return float(f"{value:.15g}") if isinstance(value, float) else value


text = json.dumps([plain(solve(case)) for case in CASES])
if "--write" not in sys.argv:
    print(text)
else:
    Path(__file__).with_name("weights.json").write_text(text + "\n")
