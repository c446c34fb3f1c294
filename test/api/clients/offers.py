"""Calls everything that the clients offer, with the waiting client and with the asyncio client: one JSON answer of both."""

import asyncio
import inspect
import json

from market_data import AsyncClient, Client

SYMBOLS = ["ACRX", "BRVA", "ZZZZ"]
SMA = {"strategy": "sma_cross", "time_range": "1Y", "save": False}
GRID = {"fast_period": [5, 10], "slow_period": [50]}
SWEEP = {"universe": {"symbols": SYMBOLS[:2]}, "runs": [{"strategy": "sma_cross", "grid": GRID}], "time_range": "1Y"}
FACTORS = ["roc(63)", ("reversal", "-roc(21)")]
WEIGHTS = {"ACRX": 0.6, "BRVA": 0.3}
CROSSING = "crosses_above(close, sma(20))"
RECORD = "date,fund\n" + "".join(
    f"2026-{month:02}-{day:02},{(7 * day + month) % 9 / 1000}\n" for month in (3, 4) for day in range(1, 29)
)
FLOWS = [{"amount": 500, "every": "month"}]
SQL = "select date, symbol, close from bars where symbol = 'ACRX.US' order by date desc limit 2"


async def of(made):
    return await made if inspect.isawaitable(made) else made


async def offers(market):
    history = await of(market.history(SYMBOLS, days=3, adjust="qfq"))
    portfolio = await of(market.portfolio(SYMBOLS[:2], **SMA, timeout_s=60))
    job = await of(market.submit_portfolio(SYMBOLS[:2], **SMA))
    again = await of(market.job("portfolio", job.id).result())
    held = await of(market.hold(WEIGHTS, {"band_pct": 5}, FLOWS, time_range="1Y", save=False))
    sets = {"Mine": {"targets": WEIGHTS, "rebalance": "month", "flows": FLOWS}, "One": {"targets": {"ACRX": 1}}}
    compared = await of(market.compare(sets, time_range="1Y"))
    later = await of(market.submit_compare(sets, time_range="1Y"))
    assert list(await of(market.job("comparison", later.id).result())) == ["Mine", "One"]
    states = []
    search = await of(market.optimize("ACRX", "sma_cross", GRID, time_range="1Y", on_progress=states.append))
    sweep = await of(market.sweep(**SWEEP))
    study = await of(market.factors(FACTORS, SYMBOLS[:2], horizons=["step"], quantiles=2, time_range="1Y"))
    later = await of(market.submit_factors(dict(momentum="roc(63)"), dict(all=True, where="close > 5"), time_range="1Y"))
    every = await of(market.job("factors", later.id).result())
    claims = await of(market.claims())
    claimed = await of(market.run_claims(["reversal_1m"], dict(all=True, where="close > 5"), time_range="1Y"))
    queued = await of(market.submit_claims(["reversal_1m"], time_range="1Y"))
    assert (await of(market.job("claims", queued.id).result())).to_df()["code"].tolist() == ["reversal_1m"]
    assert claims.to_df().set_index("code").loc["mom_12_1", "published_pct"] == 1.31
    told = await of(market.outcomes(CROSSING, "ACRX", SYMBOLS[:2], horizons=[5], by="close > sma(50)", time_range="1Y"))
    queued = await of(market.submit_outcomes(CROSSING, universe=dict(symbols=SYMBOLS[:2]), first=False, time_range="1Y"))
    asked = await of(market.job("outcomes", queued.id).result())
    judged = await of(market.judge(RECORD, benchmark="ACRX", frequency="day", trials=5))
    queued = await of(market.submit_judge(RECORD))
    alone = await of(market.job("judge", queued.id).result())
    sealed = await of(market.seal(await of(market.backtest("ACRX", "sma_cross", time_range="1Y")), name="Averages"))
    link = await of(market.share_forward(sealed.result["id"]))
    ended = await of(market.stop_forward(sealed.result["id"]))
    record = await of(market.forward(link["slug"]))
    assert (await of(market.forward(sealed.result["id"]))).verify(sealed.result["head"]) == record.verify() == 1
    revised = await of(market.impact())
    [load] = revised.to_df()["load"]
    table = await of(market.sql(SQL))
    assert str(table.to_df()["date"].dtype).startswith("datetime64") and len(table.to_df()) == len(table) == 2
    arrow = await of(market.session_arrow("2026-05-29"))
    bars = await of(market.session("2026-05-29"))
    assert arrow.column("close").to_pylist() == [one.close for one in bars]
    many = await of(market.history_arrow([*SYMBOLS, *[f"NO{n}" for n in range(30)]], days=3, adjust="qfq"))
    assert many.column("close").to_pylist() == [bar.close for one in history for bar in one]
    changes = await of(market.symbol_changes(start="2020-01-01"))
    assert changes.to_df()["date"].is_monotonic_increasing
    splits = [one for one in await of(market.market_events(known_at="2026-05-29")) if one.symbol == "ACRX.US"]
    queued = await of(market.submit_sql(SQL, limit=1))
    # Not to wait for the job leaves that to the client.
    market._http.headers["Prefer"] = "respond-async"
    past = await of(market.screen(where="close > 5", as_of="2026-05-04"))
    del market._http.headers["Prefer"]
    # Pages of one sweep, so that there are several.
    listed = market.items("/v1/sweeps", size=1)
    found = [one async for one in listed] if hasattr(listed, "__aiter__") else list(listed)
    assert len({one["id"] for one in found}) == len(found)
    return {
        "quote": (await of(market.quote("ACRX"))).last,
        "candles": [bar.ts for bar in await of(market.candles("ACRX", days=3))],
        "history": {symbol: [bar.close for bar in one] for symbol, one in history.candles.items()},
        "errors": dict(history.errors),
        "symbols": [one.symbol for one in await of(market.symbols("corp", limit=3))],
        "events": [[one.kind, one.ex_date, one.factor, one.amount] for one in await of(market.events("ACRX"))],
        "calendar": (await of(market.calendar("2026-05-22", "2026-05-26")))["holidays"],
        "session": [len(bars), bars[0].symbol, bars[0].close],
        "market events": [[one.kind, one.ex_date, one.factor, one.amount] for one in splits],
        "changes": [len(changes), changes[0].kind],
        "static": (await of(market.static_info("ACRX")))["name"],
        "strategies": [one["code"] for one in await of(market.strategies())],
        "screen": [(await of(market.screen(where="close > 5"))).total, past.total, past.as_of],
        "portfolio": [portfolio.total_pnl_pct, len(portfolio.trades)],
        "hold": [held.total_pnl_pct, held.raw["contributed"], held.raw["money_weighted_pct"]],
        "compare": {name: one.final_equity for name, one in compared.items()},
        "found again": [again.total_pnl_pct, (await of(job.state())).status],
        "optimize": [[one["params"]["fast_period"] for one in search["best"]], states[-1].status],
        "sweep": [sweep["cells"], [one["params"]["fast_period"] for one in sweep["combinations"]]],
        "factors": [[[one["name"], one["horizons"][0]["ic"]["mean"]] for one in study.result["factors"]], len(study.ic())],
        "claims": [len(claims.items), claims.raw["universe"], claimed.items[0]["rows"][0]["months"]],
        "outcomes": [told.sentences, len(told.best()), [one["hits"] for one in asked.result["horizons"]]],
        "judge": [
            judged.sentences,
            judged.selection["trials"],
            judged.streams()["sharpe"].tolist(),
            [note["code"] for note in alone.notes],
        ],
        "forward": [
            record.result["name"],
            record.bands()["p50"].iloc[-1],
            ended["status"],
            record.entries()["kind"].tolist(),
            (await of(market.forward()))[0]["status"],
        ],
        "impact": [revised[0]["id"], revised[0]["after"], (await of(market.impact(int(load)))).runs, revised.runs],
        "factors of all": [every.result["instruments"] > 10, study.selection["best"]],
        "sql": [table.columns, table.types, table.rows, table.truncated],
        "sql, one row": (await of(queued.result())).rows,
        "sweeps": found[0]["cells"]["total"],
    }


async def main() -> None:
    async with AsyncClient() as market:
        answers = [await offers(market)]
    with Client() as market:
        answers.append(await offers(market))
    print(json.dumps(answers))


asyncio.run(main())
