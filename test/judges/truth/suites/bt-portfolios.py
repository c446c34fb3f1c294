"""Portfolios of equal weights by bt: equity, and the shares that each re-weighting sells."""

import bt
import pandas

from common import read, write


class RebalanceWhatIsOff(bt.Algo):
    """Brings what is off its weight by a share of it back to it, sales first, and leaves the rest alone."""

    def __init__(self, tolerance):
        super().__init__()
        self.tolerance = tolerance

    def __call__(self, target):
        worth = target.value
        held = {name: target.children[name].value if name in target.children else 0 for name in target.temp["weights"]}
        gaps = {name: weight * worth - held[name] for name, weight in target.temp["weights"].items()}
        off = [name for name, gap in gaps.items() if abs(gap) >= self.tolerance * target.temp["weights"][name] * worth]
        for name in sorted(off, key=lambda name: (gaps[name] > 0, name)):
            target.rebalance(target.temp["weights"][name], child=name, base=worth)
        return True


PERIODS = {"week": bt.algos.RunWeekly, "month": bt.algos.RunMonthly, "quarter": bt.algos.RunQuarterly}


def result(portfolio, prices):
    period = PERIODS[portfolio["rebalance"]](run_on_end_of_period=True)
    algos = [period, bt.algos.SelectAll(), bt.algos.WeighEqually(), bt.algos.ScaleWeights(portfolio["invested"])]
    strategy = bt.Strategy("portfolio", [*algos, RebalanceWhatIsOff(portfolio["tolerance"])])
    backtest = bt.Backtest(strategy, prices, initial_capital=portfolio["capital"], integer_positions=False)
    backtest.run()
    changes = backtest.positions.diff()
    sales = [(day, name, -change[name]) for day, change in changes.iterrows() for name in prices if change[name] < 0]
    # Its first row is the day before the prices.
    values = backtest.strategy.values.loc[prices.index]
    return {
        "equity": values,
        "sales": [
            {"day": str(day.date()), "symbol": name, "price": prices.at[day, name], "shares": shares}
            for day, name, shares in sales
        ],
        "statistics": {
            "total return": 100 * (values.iloc[-1] / values.iloc[0] - 1),
            "largest drawdown": -100 * bt.ffn.calc_max_drawdown(values),
            "annual return": 100 * bt.ffn.calc_cagr(values),
        },
    }


request = read()
prices = pandas.DataFrame(request["close"], index=pandas.to_datetime(request["day"]))
write([result(portfolio, prices) for portfolio in request["portfolios"]])
