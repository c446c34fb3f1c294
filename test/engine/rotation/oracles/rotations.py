"""Twelve rotations over made-up markets by pandas, PyPortfolioOpt, cvxpy, and scikit-learn.

Each is computed from the words of the rules alone, session by session. Prints them; with `--write` it records
them in `rotations.json`.
"""

import json
import math
import sys
from pathlib import Path

import cvxpy
import numpy
import pandas
from pypfopt import EfficientFrontier
from pypfopt.hierarchical_portfolio import HRPOpt
from sklearn.covariance import LedoitWolf

from walks import market

EXACT = {"tol_gap_abs": 1e-14, "tol_gap_rel": 1e-14, "tol_feas": 1e-14}
POLISHED = {"polishing": True, "eps_abs": 1e-10, "eps_rel": 1e-10, "max_iter": 200_000}
CAPITAL = 100_000.0
SESSIONS = 420
START = 160
FREE = {"rate": 0, "least": 0, "slippage": 0}
COSTS = {"rate": 0.001, "least": 1, "slippage": 5}
PLAIN = {
    "every": "month",
    "offset": 0,
    "score": "roc",
    "order": "desc",
    "hold": {"top": 5},
    "keep": None,
    "method": "equal",
    "lookback": 60,
    "covariance": "sample",
    "min": 0,
    "max": 1,
    "target": None,
    "fixed": {},
    "filter": None,
    "stop_loss": 0,
    "execute_on": "close",
    "costs": FREE,
    "buffer": 0,
}
CASES = [
    {"name": "equal parts", "keep": {"top": 8}, "execute_on": "next_open", "costs": COSTS},
    {"name": "by score", "score": "volatility", "method": "score", "every": "week", "max": 0.25, "costs": COSTS},
    {"name": "inverse volatility", "method": "inverse_volatility", "hold": {"top_pct": 35}, "stop_loss": 4},
    {"name": "minimum variance", "method": "min_variance", "min": 0.02, "max": 0.3, "execute_on": "next_open"},
    {"name": "minimum variance, shrunk", "method": "min_variance", "covariance": "ledoit_wolf", "target": 6},
    {"name": "risk parity", "method": "risk_parity", "every": 15, "hold": {"top": 7}},
    {"name": "risk parity, shrunk", "method": "risk_parity", "covariance": "ledoit_wolf", "offset": 3, "max": 0.24},
    {"name": "hierarchical", "method": "hrp", "hold": {"top": 9}, "score": "ranks", "costs": COSTS},
    {"name": "hierarchical, shrunk", "method": "hrp", "covariance": "ledoit_wolf", "every": "quarter", "target": 9},
    {"name": "diversification", "method": "max_diversification", "score": "ranks", "max": 0.4},
    {
        "name": "diversification, shrunk",
        "method": "max_diversification",
        "covariance": "ledoit_wolf",
        "buffer": 5,
        "execute_on": "next_open",
        "costs": COSTS,
    },
    {
        "name": "fixed, with a market filter",
        "method": "fixed",
        "fixed": {"Z2": 0.4, "A5": 0.3, "W7": 0.2},
        "order": "asc",
        "hold": {"top": 8},
        "filter": {"ticker": "Z2", "sessions": 20},
        "execute_on": "next_open",
    },
]


def covariance(method, returns):
    return numpy.cov(returns, rowvar=False) if method == "sample" else LedoitWolf().fit(returns).covariance_


def solve(objective, constraints, solver, options):
    cvxpy.Problem(cvxpy.Minimize(objective), constraints).solve(solver=solver, **options)


def proportions(case, returns):
    """Weights of the names that are not thin, which sum to 1."""
    method, names = case["method"], list(returns.columns)
    if method == "inverse_volatility":
        inverse = 1 / returns.std()
        return (inverse / inverse.sum()).to_numpy()
    if len(names) == 1:
        return numpy.ones(1)
    matrix = covariance(case["covariance"], returns.to_numpy())
    if method == "hrp":
        weights = HRPOpt(cov_matrix=pandas.DataFrame(matrix, names, names)).optimize(linkage_method="single")
        return numpy.array([weights[name] for name in names])
    if method in ("min_variance", "max_diversification") and len(names) * case["max"] < 1:
        return numpy.full(len(names), 1 / len(names))
    matrix = matrix / matrix.diagonal().mean()
    if method == "min_variance":
        bounds = (case["min"], case["max"])
        frontier = EfficientFrontier(None, matrix, weight_bounds=bounds, solver="OSQP", solver_options=POLISHED)
        return numpy.array(list(frontier.min_volatility().values()))
    y = cvxpy.Variable(len(names))
    risk = cvxpy.quad_form(y, cvxpy.psd_wrap(matrix))
    if method == "risk_parity":
        solve(risk / 2 - cvxpy.sum(cvxpy.log(y)) / len(names), [], "CLARABEL", EXACT)
    else:
        deviations = numpy.sqrt(matrix.diagonal())
        total = cvxpy.sum(y)
        within = [deviations @ y == 1, y >= case["min"] * total, y <= case["max"] * total]
        solve(risk, within, "OSQP", POLISHED)
    return y.value / y.value.sum()


def cut(weights, largest):
    weights = weights.copy()
    while (weights > largest).any():
        excess = (weights[weights > largest] - largest).sum()
        below = weights < largest
        weights[~below] = largest
        room = weights[below].sum()
        if room <= 0:
            break
        weights[below] *= 1 + excess / room
    return weights


class Rotation:
    def __init__(self, case, members):
        self.case = case
        self.days = pandas.bdate_range("2020-01-01", periods=SESSIONS)
        self.bars = {
            member["symbol"]: pandas.DataFrame(
                [bar[1:] for bar in member["bars"]], index=[bar[0] for bar in member["bars"]], columns=["open", "close"]
            )
            for member in members
            if member["bars"][-1][0] >= START
        }
        self.is_delisted = {member["symbol"]: member["delisted"] for member in members}
        self.names = sorted(self.bars)
        closes = {name: bars["close"] for name, bars in self.bars.items()}
        self.sessions = sorted(set().union(*(bars.index for bars in self.bars.values())))
        self.clock = [t for t in self.sessions if t >= START]
        self.returns = pandas.DataFrame({name: close.pct_change() for name, close in closes.items()})
        logs = {name: numpy.log(close).diff() for name, close in closes.items()}
        volatility = {name: log.rolling(30).std() * math.sqrt(252) * 100 for name, log in logs.items()}
        self.values = {
            "roc": pandas.DataFrame({name: 100 * close.pct_change(40) for name, close in closes.items()}),
            "volatility": pandas.DataFrame(volatility),
        }
        self.cash = CAPITAL
        self.shares, self.cost, self.fill, self.exit_ordered = {}, {}, {}, set()
        self.orders, self.trades = [], []

    # Prices

    def has_bar(self, name, t):
        return t in self.bars[name].index

    def close(self, name, t):
        return self.bars[name]["close"].loc[:t].iloc[-1]

    def is_over(self, name, t):
        return self.bars[name].index[-1] <= t

    def is_last_ever(self, name, t):
        return self.is_delisted[name] and self.bars[name].index[-1] == t

    def worth(self, name, t):
        return self.shares[name] * self.close(name, t)

    # Fills

    def commission(self, notional):
        return max(self.case["costs"]["least"], self.case["costs"]["rate"] * notional)

    def buy_together(self, purchases, price_of):
        total = sum(amount + self.commission(amount) for _, amount in purchases)
        share = min(1, self.cash / total) if total > 0 else 1
        rate, least = self.case["costs"]["rate"], self.case["costs"]["least"]
        for name, amount in purchases:
            amount *= share
            affordable = self.cash / (1 + rate)
            if rate * affordable < least:
                affordable = self.cash - least
            notional = min(amount, affordable)
            if notional <= 0 or notional < 0.01 * amount * (1 - 1e-9):
                continue
            paid = min(self.cash, notional + self.commission(notional))
            bought = notional / (price_of(name) * (1 + self.case["costs"]["slippage"] / 10_000))
            held = self.shares.get(name, 0)
            self.fill[name] = (self.fill.get(name, 0) * held + price_of(name) * bought) / (held + bought)
            self.shares[name] = held + bought
            self.cost[name] = self.cost.get(name, 0) + paid
            self.cash = 0.0 if paid == self.cash else self.cash - paid

    def sell(self, name, amount, price, reason):
        """`amount` None: all."""
        slipped = price * (1 - self.case["costs"]["slippage"] / 10_000)
        held = self.shares[name]
        sold = held if amount is None or amount / slipped >= held * (1 - 1e-9) else amount / slipped
        notional = sold * slipped
        brought = notional - min(notional, self.commission(notional))
        part = self.cost[name] * sold / held
        self.trades.append([name, reason, brought - part])
        self.cash += brought
        self.cost[name] -= part
        self.shares[name] -= sold
        if sold == held:
            del self.shares[name], self.cost[name], self.fill[name]
            self.exit_ordered.discard(name)

    def exit(self, name, t, reason):
        if self.case["execute_on"] == "close":
            self.sell(name, None, self.close(name, t), reason)
        else:
            self.exit_ordered.add(name)
            self.orders.append(["sell", name, None, reason])

    def fill_orders(self, t, is_last):
        due, waiting = [], []
        for order in self.orders:
            side, name = order[:2]
            if not self.has_bar(name, t):
                if self.is_over(name, t):
                    self.exit_ordered.discard(name)
                else:
                    waiting.append(order)
            elif side == "buy" and (is_last or self.is_last_ever(name, t)):
                continue
            else:
                due.append(order)
        self.orders = waiting
        opened = {order[1]: self.bars[order[1]]["open"].loc[t] for order in due}
        for side, name, amount, reason in due:
            if side == "sell" and name in self.shares:
                self.sell(name, amount, opened[name], reason)
        self.buy_together([(name, amount) for side, name, amount, _ in due if side == "buy"], opened.get)

    # Rebalances

    def schedule(self):
        every, clock = self.case["every"], self.clock
        if isinstance(every, int):
            due = range(every - 1, len(clock), every)
        else:
            period = [self.days[t].to_period({"week": "W", "month": "M", "quarter": "Q"}[every]) for t in clock]
            due = [i for i in range(len(clock) - 1) if period[i] != period[i + 1]]
        return [clock[i + self.case["offset"]] for i in due if i + self.case["offset"] < len(clock) - 1]

    def scores(self, eligible, t):
        def values(name):
            table = self.values[name]
            return table.loc[t, eligible]

        if self.case["score"] != "ranks":
            return values(self.case["score"]).dropna()
        return (values("roc").rank(pct=True) + (-values("volatility")).rank(pct=True)).dropna()

    def count(self, wanted, scored):
        return wanted["top"] if "top" in wanted else math.ceil(round(wanted["top_pct"] * scored, 9) / 100)

    def is_open(self, t):
        if self.case["filter"] is None:
            return True
        closes = self.bars[self.case["filter"]["ticker"]]["close"]
        return bool(closes.loc[t] > closes.rolling(self.case["filter"]["sessions"]).mean().loc[t])

    def target_set(self, scores, t):
        largest = scores.abs().max()
        step = 10.0 ** (math.floor(math.log10(largest)) - 11) if largest > 0 else 1
        rounded = (scores / step).round()
        descending = self.case["order"] == "desc"
        ranked = sorted(scores.index, key=lambda name: (-rounded[name] if descending else rounded[name], name))
        hold = self.count(self.case["hold"], len(ranked))
        keep = hold if self.case["keep"] is None else max(hold, self.count(self.case["keep"], len(ranked)))
        held = [name for name in ranked[:keep] if name in self.shares][:hold]
        others = [name for name in ranked if name not in held]
        return sorted(held + others[: hold - len(held)])

    def window(self, names, t):
        sessions = [s for s in self.sessions if s <= t][-self.case["lookback"] :]
        returns = self.returns.reindex(sessions)[names]
        filled = returns.fillna(0)
        is_thin = (returns.notna().sum() < 0.9 * self.case["lookback"]) | (filled.std() <= 1e-12)
        return filled, is_thin

    def weights(self, names, scores, t):
        if not names:
            return {}
        case, size = self.case, len(names)
        if case["method"] == "equal":
            weights = numpy.full(size, 1 / size)
        elif case["method"] == "fixed":
            weights = numpy.array([case["fixed"].get(name, 0) for name in names])
        elif case["method"] == "score":
            weights = (scores[names] / scores[names].sum()).to_numpy()
        else:
            returns, is_thin = self.window(names, t)
            weights = numpy.full(size, 1 / size)
            solid = (~is_thin).to_numpy()
            if solid.any():
                weights[solid] = proportions(case, returns.loc[:, solid]) * solid.sum() / size
        weights = cut(weights, case["max"])
        if case["target"] is not None:
            matrix = numpy.atleast_2d(covariance(case["covariance"], self.window(names, t)[0].to_numpy()))
            weights = weights * min(1, case["target"] / (100 * math.sqrt(252 * (weights @ matrix @ weights))))
        return {name: weight for name, weight in zip(names, weights) if weight >= 1e-6}

    def rebalance(self, t):
        eligible = [name for name in self.names if self.has_bar(name, t) and not self.is_last_ever(name, t)]
        scores = self.scores(eligible, t)
        is_open = self.is_open(t)
        weights = self.weights(self.target_set(scores, t), scores, t) if is_open else {}
        equity = self.cash + sum(self.worth(name, t) for name in self.shares)
        frozen = sum(self.worth(name, t) for name in self.shares if not self.has_bar(name, t))
        money = (equity - frozen) * (1 - self.case["buffer"] / 100)
        held = sorted(name for name in self.shares if self.has_bar(name, t))
        self.orders = [order for order in self.orders if order[0] == "sell" and order[2] is None]
        sales, purchases, ordered = [], [], 0
        for name in sorted({*held, *weights}):
            target = weights.get(name, 0) * money
            amount = target - (self.worth(name, t) if name in self.shares else 0)
            if name in weights and abs(amount) < 0.05 * target * (1 - 1e-9):
                continue
            ordered += abs(amount)
            (purchases if amount > 0 else sales).append((name, abs(amount)))
        for name, amount in sales:
            if name not in weights:
                self.exit(name, t, "rebalance")
            elif self.case["execute_on"] == "close":
                self.sell(name, amount, self.close(name, t), "rebalance")
            else:
                self.orders.append(["sell", name, amount, "rebalance"])
        entered = [name for name in sorted(weights) if name not in held]
        if self.case["execute_on"] == "close":
            self.buy_together(purchases, lambda name: self.close(name, t))
        else:
            self.orders += [["buy", name, amount, ""] for name, amount in purchases]
        return {
            "session": t,
            "eligible": len(eligible),
            "scored": len(scores),
            "entered": entered,
            "left": [name for name in held if name not in weights],
            "turnover_pct": 50 * ordered / equity,
            "weights": dict(sorted(weights.items())),
            "filter": is_open,
        }

    def run(self):
        due = set(self.schedule())
        equity, rebalances = [], []
        bought_at = {}
        for t in self.clock:
            is_last = t == self.clock[-1]
            before = dict(self.shares)
            if self.case["execute_on"] == "next_open":
                self.fill_orders(t, is_last)
            opened_today = {name for name in self.shares if name not in before}
            for name in opened_today:
                bought_at[name] = t - 1
            if t not in due and self.case["stop_loss"] and not (is_last and self.case["execute_on"] == "next_open"):
                for name in sorted(self.shares):
                    if not self.has_bar(name, t) or name in self.exit_ordered or bought_at[name] >= t:
                        continue
                    level = self.fill[name] * (1 - self.case["stop_loss"] / 100)
                    if self.close(name, t) <= level * (1 + 1e-9):
                        self.exit(name, t, "stop_loss")
            for name in sorted(self.shares):
                if is_last or self.is_last_ever(name, t):
                    reason = "delisted" if self.is_last_ever(name, t) else "end_of_data"
                    self.sell(name, None, self.close(name, t), reason)
            if t in due:
                before = set(self.shares)
                rebalances.append(self.rebalance(t))
                for name in self.shares:
                    if name not in before:
                        bought_at[name] = t
            equity.append(self.cash + sum(self.worth(name, t) for name in self.shares))
        return {
            "rebalances": rebalances,
            "equity": [[i, value] for i, value in enumerate(equity) if i % 10 == 0 or i == len(equity) - 1],
            "trades": [self.trades[i] for i in range(0, len(self.trades), 5)],
            "trade_count": len(self.trades),
        }


def plain(value):
    """Fifteen digits, so that the last bit of another processor is no difference."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return float(f"{value:.15g}") if isinstance(value, float) else value


def answer(number, given):
    case = {**PLAIN, **given, "seed": 100 + number, "names": 16 + number}
    run = Rotation(case, market(case["names"], SESSIONS, case["seed"])).run()
    return {**case, "sessions": SESSIONS, "start": START, **run}


text = json.dumps([plain(answer(number, case)) for number, case in enumerate(CASES)])
if "--write" not in sys.argv:
    print(text)
else:
    Path(__file__).with_name("rotations.json").write_text(text + "\n")
