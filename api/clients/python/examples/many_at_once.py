"""One strategy on several instruments at once, with asyncio: the plan decides how many run together."""

import asyncio

from market_data import AsyncClient


async def main() -> None:
    async with AsyncClient() as market:
        symbols = [one.symbol for one in await market.symbols("corp", limit=4)]
        runs = await asyncio.gather(*(market.backtest(symbol, "donchian", time_range="2Y") for symbol in symbols))
        for run in sorted(runs, key=lambda one: one.total_pnl_pct, reverse=True):
            print(f"{run.symbol:10} {run.total_pnl_pct:8.2f} % (holding {run.buy_hold_pnl_pct:8.2f} %)")


asyncio.run(main())
