"""What a type checker knows about a program with the client. A comment that ignores an error fails where there is none."""

from collections.abc import Mapping
from datetime import date
from typing import Any, assert_type

import pandas
import polars
import pyarrow

from market_data import (
    AsyncClient,
    AsyncJob,
    Backtest,
    Candles,
    Claims,
    Client,
    Event,
    FactorStudy,
    ForwardRecord,
    ForwardRecords,
    Impact,
    InvalidRule,
    Job,
    JobState,
    Judgement,
    Optimization,
    Outcomes,
    Quote,
    Rows,
    Sweep,
    Symbol,
    Table,
    TearSheet,
)


def waiting(market: Client) -> None:
    quote = market.quote("ACRX")
    assert_type(quote, Quote)
    assert_type(quote.prev_close, float | None)
    candles = market.candles("ACRX", days=3, adjust="qfq")
    assert_type(candles, Candles)
    assert_type([bar.close for bar in candles], list[float])
    assert_type(candles.to_df(), pandas.DataFrame)
    assert_type(candles.to_df("polars"), polars.DataFrame)
    assert_type(candles.to_df(kind="pyarrow"), pyarrow.Table)
    history = market.history(["ACRX", "BRVA"])
    assert_type(history.to_df("open"), pandas.DataFrame)
    assert_type(history.to_df(kind="polars"), polars.DataFrame)
    assert_type(market.symbols("corp"), Rows[Symbol])
    assert_type(market.events("ACRX")[0], Event)
    run = market.backtest("ACRX", "sma_cross", time_range="5Y", on_progress=lambda state: print(state.percent))
    assert_type(run, Backtest)
    assert_type(run.sharpe, float | None)
    assert_type(run.trades_df("polars"), polars.DataFrame)
    assert_type(run.tear_sheet(), TearSheet)
    assert_type(market.tear_sheet(7, factors=["BRVA"]).table("months"), pandas.DataFrame)
    rich = market.backtest("ACRX", "sma_cross", cash={"rate": 4.5, "spread_bps": 25})
    assert_type(rich.interest, Mapping[str, Any] | None)
    market.backtest("ACRX", cash={"rate": [4.5]})  # type: ignore[typeddict-item]
    job = market.submit_backtest("ACRX", "donchian")
    assert_type(job, Job[Backtest])
    assert_type(job.state(), JobState)
    assert_type(market.sql("select 1"), Table)
    search = market.optimize("ACRX", "sma_cross", {"fast_period": [5, 10]}, objective="sortino", start=date(2024, 1, 2))
    assert_type(search, Optimization)
    assert_type(search.table("windows", "polars"), polars.DataFrame)
    assert_type(market.sweep(universe="all", runs=[{"strategy": "donchian"}], time_range="1Y"), Sweep)
    assert_type(market.submit_sweep(universe="all"), Job[Sweep])
    study = market.factors(["roc(63)", ("reversal", "-roc(21)")], horizons=[21, "step"], every="week", start=date(2024, 1, 2))
    assert_type(study, FactorStudy)
    assert_type(study.ic(), pandas.DataFrame)
    assert_type(study.quantiles("polars"), polars.DataFrame)
    assert_type(market.submit_factors({"momentum": "roc(63)"}, {"all": True, "where": "close > 5"}), Job[FactorStudy])
    assert_type(market.run_claims(["mom_12_1"], start=date(2024, 1, 2)), Claims)
    told = market.outcomes("close > sma(200)", ["ACRX"], horizons=[5, 20], by="close > 5", start=date(2024, 1, 2))
    assert_type(told, Outcomes)
    assert_type(told.sentences, list[str])
    assert_type(told.horizons(), pandas.DataFrame)
    assert_type(told.path("polars"), polars.DataFrame)
    assert_type(market.submit_outcomes("close > sma(200)", universe="all"), Job[Outcomes])
    market.outcomes("close > 5", compare="all")  # type: ignore[arg-type]
    judged = market.judge(pandas.DataFrame(), benchmark="SPY", form="equity", trials=40, detail=["fund"])
    assert_type(judged, Judgement)
    assert_type(judged.sentences, list[str])
    assert_type(judged.streams(), pandas.DataFrame)
    assert_type(judged.streams("polars"), polars.DataFrame)
    assert_type(judged.selection, Mapping[str, Any] | None)
    assert_type(market.submit_judge("date,fund\n2026-01-02,0.01\n", frequency="month"), Job[Judgement])
    market.judge("", form="money")  # type: ignore[arg-type]
    record = market.seal(run, name="Averages cross", timeout_s=60)
    assert_type(record, ForwardRecord)
    assert_type(market.submit_seal(7, "portfolio"), Job[ForwardRecord])
    assert_type(market.seal(strategy=3, symbols=["ACRX"], params={"n": 20}), ForwardRecord)
    assert_type(market.forward(), ForwardRecords)
    assert_type(market.forward().to_df("polars"), polars.DataFrame)
    assert_type(market.forward("hucYPJSTN8Nj").verify(), int)
    assert_type(record.bands(), pandas.DataFrame)
    assert_type(record.entries("polars"), polars.DataFrame)
    assert_type(market.impact(), Impact)
    assert_type(market.impact(7).to_df("polars"), polars.DataFrame)
    market.forward(3.5)  # type: ignore[call-overload]
    market.factors(["roc(63)"], delay=2)  # type: ignore[arg-type]
    assert_type(market.call("GET", "/api/plans"), Any)


async def asynchronous(market: AsyncClient) -> None:
    assert_type(await market.candles("ACRX", days=3), Candles)
    assert_type(await market.submit_backtest("ACRX", "donchian"), AsyncJob[Backtest])
    assert_type(await market.forward(), ForwardRecords)
    assert_type(await market.forward(7), ForwardRecord)
    assert_type((await market.sql("select 1")).to_df("pyarrow"), pyarrow.Table)


def wrong(market: Client) -> None:
    market.candles("ACRX", days="3")  # type: ignore[arg-type]
    market.candles("ACRX", adjust="forward")  # type: ignore[arg-type]
    market.backtest("ACRX", time_range="5 years")  # type: ignore[arg-type]
    market.backtest("ACRX", tme_range="5Y")  # type: ignore[call-arg]
    market.candles("ACRX").to_df("numpy")  # type: ignore[call-overload]
    market.quote("ACRX").price  # type: ignore[attr-defined]
    market.quotes("ACRX")  # type: ignore[attr-defined]
    try:
        market.backtest("ACRX", rules={"entry": "close > smaa(20)"})
    except InvalidRule as error:
        assert_type(error.retry_after, float | None)
