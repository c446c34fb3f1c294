"""
zipline-reloaded. It fills an order on the next session, here at the open and for no more than the cash pays, by a slippage
model. Shares are whole ones, which much capital makes small. One more session follows, at the last close.
"""

import os
import tempfile
import warnings

os.environ["ZIPLINE_ROOT"] = tempfile.mkdtemp(prefix="zipline-")
warnings.filterwarnings("ignore")

import pandas as pd
import zipline
from zipline.algorithm import TradingAlgorithm
from zipline.api import cancel_order, get_open_orders, order, set_commission, set_slippage, sid
from zipline.data import bundles
from zipline.data.data_portal import DataPortal
from zipline.finance import metrics
from zipline.finance.commission import PerDollar
from zipline.finance.slippage import SlippageModel
from zipline.finance.trading import SimulationParameters
from zipline.utils.calendar_utils import get_calendar

from side import COLUMNS, Side, arrays_of, serve
from signals import signals

CASH = 1e11
# The largest order that is taken.
ALL = 10**11
BUNDLE = "sample"
PLENTY = 10**9


class AtOpen(SlippageModel):
    """Fills at the open of the session; a purchase for the cash that there is, its commission included."""

    def __init__(self, context, commission):
        super().__init__()
        self.context = context
        self.commission = commission

    def process_order(self, data, order):
        price = data.current(order.asset, "open")
        # The session of the fill has not been handled yet.
        self.context.fills.append((self.context.bar + 1, price))
        if order.amount < 0:
            return price, order.amount
        return price, int(self.context.portfolio.cash / (1 + self.commission) / price)


class Zipline(Side):
    version = zipline.__version__

    def load(self, instruments):
        self.calendar = get_calendar("XNYS")
        self.days = pd.DatetimeIndex(instruments[0]["day"])
        self.sessions = self.days.append(pd.DatetimeIndex([self.calendar.next_session(self.days[-1])]))
        self.bars = [arrays_of(instrument) for instrument in instruments]
        bundles.register(BUNDLE, self.ingest, calendar_name="XNYS")
        bundles.ingest(BUNDLE, show_progress=False)
        bundle = bundles.load(BUNDLE)
        self.data = DataPortal(
            bundle.asset_finder,
            trading_calendar=self.calendar,
            first_trading_day=self.sessions[0],
            equity_daily_reader=bundle.equity_daily_bar_reader,
            adjustment_reader=bundle.adjustment_reader,
        )
        self.no_benchmark = pd.Series(0.0, index=self.sessions)

    def ingest(self, environ, asset_db_writer, minute_bar_writer, daily_bar_writer, adjustment_writer, *_):
        start, end = self.sessions[0], self.sessions[-1]
        dates = {"start_date": start, "end_date": end, "auto_close_date": end + pd.Timedelta(days=1)}
        rows = [{"symbol": f"S{i}", "exchange": "NYSE", **dates} for i in range(len(self.bars))]
        asset_db_writer.write(
            equities=pd.DataFrame(rows),
            exchanges=pd.DataFrame([{"exchange": "NYSE", "canonical_name": "NYSE", "country_code": "US"}]),
        )
        daily_bar_writer.write(enumerate(map(self.frame, self.bars)))
        adjustment_writer.write()

    def frame(self, bars):
        frame = pd.DataFrame({name: [*bars[name], bars["close"][-1]] for name in COLUMNS}, index=self.sessions)
        return frame.assign(volume=PLENTY)

    def perform(self, instrument, run, metrics_set="default"):
        """Returns the fills and the last value."""
        entries, exits = signals(self.bars[instrument], run)
        exits[-1] = True

        def initialize(context):
            set_commission(PerDollar(run["commission"]))
            set_slippage(AtOpen(context, run["commission"]))
            context.bar = -1
            context.fills = []

        def handle_data(context, data):
            context.bar += 1
            asset = sid(instrument)
            # The rest of what the cash did not pay for.
            for one in get_open_orders(asset):
                cancel_order(one)
            if context.bar == len(entries):
                context.value = context.portfolio.portfolio_value
                return
            held = context.portfolio.positions[asset].amount if asset in context.portfolio.positions else 0
            if held > 0:
                if exits[context.bar]:
                    order(asset, -held)
            elif entries[context.bar]:
                order(asset, ALL)

        algorithm = TradingAlgorithm(
            data_portal=self.data,
            trading_calendar=self.calendar,
            sim_params=SimulationParameters(
                start_session=self.sessions[0],
                end_session=self.sessions[-1],
                trading_calendar=self.calendar,
                capital_base=CASH,
                data_frequency="daily",
                emission_rate="daily",
            ),
            metrics_set=metrics.load(metrics_set),
            benchmark_returns=self.no_benchmark,
            initialize=initialize,
            handle_data=handle_data,
        )
        algorithm.run()
        return algorithm.fills, algorithm.value

    def run(self, instrument, run):
        self.perform(instrument, run)

    def trades(self, run):
        # Trades need none of the metrics of each session.
        return [self.trades_of(*self.perform(instrument, run, "none")) for instrument in range(len(self.bars))]

    def trades_of(self, fills, value):
        last = len(self.days) - 1
        pairs = zip(fills[::2], fills[1::2])
        # What is filled after the last session is sold at its close.
        trades = [[entry, min(exit, last), bought, sold] for (entry, bought), (exit, sold) in pairs]
        return {"trades": trades, "totalReturn": float(value) / CASH - 1}


serve(Zipline())
