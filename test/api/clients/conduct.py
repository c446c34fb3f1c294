"""How the Python client tells what is wrong or cut, and what it takes and returns: one JSON answer of both clients."""

import asyncio
import datetime
import inspect
import json
import socket
import time
import warnings

import numpy
import pandas
from market_data import AsyncClient, Client, ConnectionLost, MarketWarning, _api, _models, _options

DAY = datetime.date(2026, 5, 4)
DAYS = [DAY, datetime.datetime(2026, 5, 4, 15), pandas.Timestamp(DAY), numpy.datetime64("2026-05-04"), "2026-05-04"]
GRID = {"fast_period": numpy.array([5, 10]), "slow_period": [50, 60]}
SWEEP = {"universe": {"symbols": ["ACRX", "BRVA"]}, "runs": [{"strategy": "sma_cross", "grid": {"fast_period": [5, 10]}}]}


async def of(made):
    return await made if inspect.isawaitable(made) else made


async def warned(called):
    """What a call warns of, and whether each warning names the line of this program."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        await of(called())
    cut = [one for one in told if one.category is MarketWarning]
    assert all(one.filename == __file__ for one in cut), [str(one) for one in cut]
    return [str(one.message) for one in cut]


async def unanswered(kind):
    """The error of an address where nothing listens, without the port, and whether it came at once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    began = time.monotonic()
    try:
        await of(kind(f"http://127.0.0.1:{port}").quote("ACRX"))
    except ConnectionLost as error:
        return str(error).replace(str(port), "PORT"), time.monotonic() - began < 1
    return None


def refused(kind, url):
    try:
        return kind(url)
    except ValueError as error:
        return str(error)


def cut(candles):
    """The candles as they are where the plan cuts them. The sample market has hardly more consolidated bars than guests may see."""
    return _models.candles_of({**candles.raw, "limited_by_plan": True})


async def conduct(kind):
    market = kind()
    search = await of(market.optimize("ACRX", "sma_cross", GRID, start=DAY.replace(year=2024), heatmap=list(GRID)))
    ranked = await of(market.optimize("ACRX", "sma_cross", GRID, walk_forward={"train_bars": 100, "test_bars": 50}))
    sweep = await of(market.sweep(**SWEEP, start=pandas.Timestamp("2025-01-02")))
    history = await of(market.history(["ACRX", "BRVA"], days=3))
    run = await of(market.backtest("ACRX", "sma_cross", start=pandas.Timestamp("2026-01-05"), end=DAY))
    return {
        "plan": await warned(lambda: _api._warn_of_plan([cut(one) for one in history])),
        "unknown": await warned(lambda: market.history(["ACRX", "ZZZZ"], days=3)),
        "no column": await warned(lambda: history.__class__(history.candles, {"ZZZZ.US": "unknown"}).to_df()),
        "sql": await warned(lambda: market.sql("select symbol from bars", limit=2)),
        "quiet": await warned(lambda: market.sql("select 1")) + await warned(lambda: market.candles("ACRX", days=3)),
        "days": [(await of(market.candles("ACRX", start=day, end=day))).bars[0].ts for day in DAYS],
        "run": [run.start_date, run.end_date],
        "away": await unanswered(kind),
        "addresses": [refused(kind, url) for url in ("127.0.0.1:3000", "localhost:3000", "ftp://market", "http://")],
        "search": [type(search).__name__, len(search.best), list(search.to_df().columns)[:3], search["combinations"]],
        "windows": list(ranked.table("windows").columns)[:4],
        "equity": [ranked.table("equity").index.name, len(ranked.table("equity", "polars")) > 50],
        "sweep": [type(sweep).__name__, sweep["cells"], len(sweep.to_df("pyarrow")), list(sweep.table("best_few_trades"))],
        "pictures": [one.picture().count("<") > 10 for one in (search, ranked, sweep)],
        "html": [one._repr_html_()[:6] + one._repr_html_()[-6:] for one in (search, ranked, sweep)],
        "completion": [name in inspect.signature(market.backtest).parameters for name in ("time_range", "cost", "save")],
    }


async def main():
    answers = [await conduct(Client), await conduct(AsyncClient)]
    options = {name: sorted(one.__annotations__) for name, one in vars(_options).items() if name.endswith("Options")}
    print(json.dumps({"answers": answers, "options": options}))


asyncio.run(main())
