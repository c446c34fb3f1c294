"""
nautilus_trader. It fills a market order at once at the price of the last close. Money, sizes, and prices have nine decimals,
and bars so much volume that an order takes one price.
"""

import math
from decimal import Decimal

import nautilus_trader
import pandas as pd
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.config import LoggingConfig, RiskEngineConfig
from nautilus_trader.model.data import Bar, BarType
from nautilus_trader.model.enums import AccountType, CurrencyType, OmsType, OrderSide
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import CurrencyPair
from nautilus_trader.model.objects import Currency, Money, Price, Quantity
from nautilus_trader.trading.strategy import Strategy

from side import Side, arrays_of, serve
from signals import signals

CASH = 100_000
DECIMALS = 9
STEP = 1 / 10**DECIMALS
VENUE = Venue("SIM")
SHARE = Currency("SHARE", DECIMALS, 0, "Share", CurrencyType.CRYPTO)
MONEY = Currency("MONEY", DECIMALS, 0, "Money", CurrencyType.CRYPTO)
ID = InstrumentId(Symbol("SHARE/MONEY"), VENUE)
BAR_TYPE = BarType.from_str(f"{ID}-1-DAY-LAST-EXTERNAL")
PLENTY = Quantity(1e9, DECIMALS)


def instrument_with(commission):
    rate = Decimal(str(commission))
    return CurrencyPair(
        instrument_id=ID,
        raw_symbol=ID.symbol,
        base_currency=SHARE,
        quote_currency=MONEY,
        price_precision=DECIMALS,
        size_precision=DECIMALS,
        price_increment=Price(STEP, DECIMALS),
        size_increment=Quantity(STEP, DECIMALS),
        maker_fee=rate,
        taker_fee=rate,
        ts_event=0,
        ts_init=0,
    )


class BySignals(Strategy):
    def __init__(self, entries, exits, commission):
        super().__init__()
        self.entries = entries
        self.exits = exits
        self.commission = commission
        self.bar = -1
        self.held = None
        self.fills = []

    def on_start(self):
        self.subscribe_bars(BAR_TYPE)

    def on_bar(self, bar):
        self.bar += 1
        if self.held is not None:
            if self.exits[self.bar]:
                self.trade(OrderSide.SELL, self.held)
                self.held = None
        elif self.entries[self.bar]:
            cash = self.portfolio.account(VENUE).balance_free(MONEY).as_double()
            size = cash / (1 + self.commission) / bar.close.as_double()
            self.held = Quantity(math.floor(size / STEP) * STEP, DECIMALS)
            self.trade(OrderSide.BUY, self.held)

    def trade(self, side, size):
        self.submit_order(self.order_factory.market(ID, side, size))

    def on_order_filled(self, event):
        self.fills.append((self.bar, event.last_px.as_double()))


class Nautilus(Side):
    version = nautilus_trader.__version__

    def load(self, instruments):
        self.arrays = [arrays_of(instrument) for instrument in instruments]
        self.bars = [self.bars_of(instrument) for instrument in instruments]
        self.engines = {}

    def bars_of(self, instrument):
        times = pd.DatetimeIndex(instrument["day"]).as_unit("ns").asi8.tolist()
        rows = zip(*(instrument[name] for name in ("open", "high", "low", "close")), times)
        return [Bar(BAR_TYPE, *(Price(price, DECIMALS) for price in prices), PLENTY, time, time) for *prices, time in rows]

    def engine(self, instrument, commission):
        """An engine with the bars, which is reset after each run."""
        key = instrument, commission
        if key not in self.engines:
            engine = BacktestEngine(
                BacktestEngineConfig(
                    logging=LoggingConfig(bypass_logging=True), risk_engine=RiskEngineConfig(bypass=True)
                )
            )
            engine.add_venue(
                venue=VENUE,
                oms_type=OmsType.NETTING,
                account_type=AccountType.CASH,
                starting_balances=[Money(CASH, MONEY)],
            )
            engine.add_instrument(instrument_with(commission))
            engine.add_data(self.bars[instrument])
            self.engines[key] = engine
        return self.engines[key]

    def simulate(self, instrument, run):
        entries, exits = signals(self.arrays[instrument], run)
        exits[-1] = True
        engine = self.engine(instrument, run["commission"])
        strategy = BySignals(entries.tolist(), exits.tolist(), run["commission"])
        engine.add_strategy(strategy)
        engine.run()
        result = engine.get_result()
        total = engine.portfolio.account(VENUE).balance_total(MONEY).as_double() / CASH - 1
        engine.reset()
        engine.clear_strategies()
        return strategy.fills, total, result

    def run(self, instrument, run):
        self.simulate(instrument, run)

    def trades(self, run):
        return [self.trades_of(*self.simulate(instrument, run)[:2]) for instrument in range(len(self.bars))]

    def trades_of(self, fills, total):
        pairs = zip(fills[::2], fills[1::2])
        trades = [[entry, exit, bought, sold] for (entry, bought), (exit, sold) in pairs]
        return {"trades": trades, "totalReturn": total}


serve(Nautilus())
