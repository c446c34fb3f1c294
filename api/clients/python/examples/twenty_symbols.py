"""Five years of twenty instruments in a frame, and a backtest with its picture. It needs a key: guests have two years."""

from market_data import Client

market = Client()
symbols = [one.symbol for one in market.symbols("corp", limit=20)]
closes = market.history(symbols, start="2021-06-01", adjust="qfq").to_df()
print(closes.tail())
run = market.backtest(symbols[0], "sma_cross", time_range="5Y")
print(f"Sharpe {run.sharpe}, return {run.total_pnl_pct} %, holding {run.buy_hold_pnl_pct} %")
print(run.save_picture("run.svg"))
