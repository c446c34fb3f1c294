"""Target weights with money paid in, by bt 1.4.1, pandas, and scipy 1.17.1 (brentq): JSON in, JSON out.

In: `day`, `close` by symbol, `capital`, and `cases` with `targets`, `rebalance` ("year", or points of a band), and `monthly`.
Out, for each case: `equity` by bt, the returns without the payments as a `curve`, and the yearly rate of the money in percent.
"""

import json
import sys

import bt
import pandas
from scipy.optimize import brentq


class PayIn(bt.Algo):
    """Pays an amount in on the first session of each month after the start, and buys the weights of it."""

    def __init__(self, weights, amount):
        super().__init__()
        self.weights = weights
        self.amount = amount

    def __call__(self, target):
        before = target.data.index[target.data.index.get_loc(target.now) - 1]
        if before > target.data.index[0] and before.month != target.now.month:
            target.adjust(self.amount)
            for name, weight in self.weights.items():
                target.children[name].allocate(weight * self.amount)
        return True


class BringBack(bt.Algo):
    """Buys the weights on the first session, and goes back to them at the end of a year, or where one is outside a band."""

    def __init__(self, weights, rebalance, days):
        super().__init__()
        self.weights = weights
        self.rebalance = rebalance
        self.next = dict(zip(days, days[1:]))
        self.first = days[0]

    def is_due(self, target):
        if target.now == self.first:
            return True
        if target.now not in self.next:
            return False
        if self.rebalance == "year":
            return self.next[target.now].year != target.now.year
        held = {name: target.children[name].value / target.value for name in self.weights}
        return any(100 * abs(held[name] - weight) > self.rebalance for name, weight in self.weights.items())

    def __call__(self, target):
        if self.is_due(target):
            worth = target.value
            gaps = {
                name: weight * worth - (target.children[name].value if name in target.children else 0)
                for name, weight in self.weights.items()
            }
            # Sales first.
            for name in sorted(gaps, key=gaps.get):
                target.rebalance(self.weights[name], child=name, base=worth)
        return True


def rate(payments):
    """The yearly rate at which payments (day, amount) are worth nothing, in percent."""
    first = payments[0][0]
    worth = lambda x: sum(amount / (1 + x) ** ((day - first).days / 365) for day, amount in payments)
    return 100 * brentq(worth, -0.9, 10, xtol=1e-15, rtol=1e-14, maxiter=1000)


def result(case, prices, capital):
    weights = case["targets"]
    algos = [PayIn(weights, case["monthly"]), BringBack(weights, case["rebalance"], list(prices.index))]
    strategy = bt.Strategy("targets", algos)
    backtest = bt.Backtest(strategy, prices[list(weights)], initial_capital=capital, integer_positions=False)
    backtest.run()
    equity = backtest.strategy.values.loc[prices.index]
    paid = backtest.strategy.flows.loc[prices.index]
    growth = (equity - paid) / equity.shift(1, fill_value=capital)
    payments = [(prices.index[0], -capital), *((day, -amount) for day, amount in paid.items() if amount)]
    payments.append((prices.index[-1], equity.iloc[-1]))
    return {
        "equity": equity.tolist(),
        "curve": (capital * growth.cumprod()).tolist(),
        "money_weighted_pct": rate(payments),
        "contributed": capital + paid.sum(),
    }


request = json.load(sys.stdin)
prices = pandas.DataFrame(request["close"], index=pandas.to_datetime(request["day"]))
json.dump([result(case, prices, request["capital"]) for case in request["cases"]], sys.stdout)
