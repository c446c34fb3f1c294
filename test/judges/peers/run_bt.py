"""bt. It fills at the prices that it is given, the closes, and may hold parts of shares."""

import bt
import pandas as pd

from side import Side, arrays_of, serve
from signals import signals

CASH = 100_000
SYMBOL = "x"


class BySignals(bt.Algo):
    """All of the money while long, and none while flat; other days have no weights."""

    def __init__(self, days, entries, exits):
        super().__init__()
        self.bar_of = {day: bar for bar, day in enumerate(days)}
        self.entries = entries
        self.exits = exits
        self.is_long = False

    def __call__(self, target):
        bar = self.bar_of.get(target.now)
        if bar is None or not (self.exits if self.is_long else self.entries)[bar]:
            return False
        self.is_long = not self.is_long
        target.temp["weights"] = {SYMBOL: 1.0} if self.is_long else {}
        return True


class Bt(Side):
    version = bt.__version__

    def load(self, instruments):
        self.days = pd.DatetimeIndex(instruments[0]["day"])
        self.bars = [arrays_of(instrument) for instrument in instruments]
        self.closes = [pd.DataFrame({SYMBOL: bars["close"]}, index=self.days) for bars in self.bars]

    def backtest(self, instrument, run):
        entries, exits = signals(self.bars[instrument], run)
        exits[-1] = True
        algorithms = [BySignals(self.days, entries, exits), bt.algos.Rebalance()]
        rate = run["commission"]
        backtest = bt.Backtest(
            bt.Strategy(run["strategy"], algorithms),
            self.closes[instrument],
            initial_capital=CASH,
            commissions=lambda quantity, price: abs(quantity) * price * rate,
            integer_positions=False,
            progress_bar=False,
        )
        return backtest, bt.run(backtest)

    def run(self, instrument, run):
        self.backtest(instrument, run)

    def trades(self, run):
        return [self.trades_of(*self.backtest(instrument, run)) for instrument in range(len(self.bars))]

    def trades_of(self, backtest, result):
        fills = result.get_transactions().reset_index()
        bars = self.days.get_indexer(fills["Date"]).tolist()
        prices = fills["price"].tolist()
        pairs = zip(bars[::2], bars[1::2], prices[::2], prices[1::2])
        return {"trades": [list(pair) for pair in pairs], "totalReturn": backtest.strategy.value / CASH - 1}


serve(Bt())
