"""Makes frames of every result with every library, and prints what they are as JSON."""

import json
import sys
from datetime import date

from market_data import Client, FactorStudy, ForwardRecord
from market_data._calls import content_of, get
from market_data._tear_sheet import TABLES

KINDS = ("pandas", "polars", "pyarrow")
FORWARD = ("curve", "bands", "excess_bands", "lowered_bands", "entries")
STUDY = ("ic", "ic_series", "by_year", "quantiles", "spreads", "spread_series", "turnover", "correlations", "top")
OUTCOMES = ("horizons", "by_year", "by", "path", "best", "worst")
SQL = "select date, symbol, close, volume from bars where symbol = 'ACRX.US' and date > '2026-05-01' order by date"


def rows_of(frame, kind):
    """Columns and rows, alike for all libraries."""
    if kind == "polars":
        return frame.columns, [list(row) for row in frame.rows()]
    if kind == "pyarrow":
        return frame.column_names, [list(row.values()) for row in frame.to_pylist()]
    if frame.index.name is not None:
        frame = frame.reset_index()
    return list(frame.columns), [[plain(value) for value in row] for row in frame.itertuples(index=False)]


def plain(value):
    """A value of pandas as the others have it: days as dates, and nothing as None."""
    if value is None or value != value:
        return None
    if hasattr(value, "date"):
        value = value.date()
    return value


def types_of(frame, kind):
    if kind == "pandas":
        frame = frame.reset_index()
        return [str(one) for one in frame.dtypes]
    return [str(one) for one in (frame.dtypes if kind == "polars" else frame.schema.types)]


def missing(market, kind):
    """The error where the library is not installed."""
    kept = sys.modules.get(kind)
    sys.modules[kind] = None
    try:
        market.candles("ACRX", days=1).to_df(kind)
    except ImportError as error:
        return str(error)
    finally:
        sys.modules[kind] = kept


def study_of(market):
    """A study, and the same where its series are in the file."""
    factors = {"momentum": "roc(63)", "reversal": "-roc(21)"}
    study = market.factors(factors, {"all": True, "asset_type": "stock"}, horizons=[1, 21], time_range="1Y")
    filed = FactorStudy({**study.result, "series_in_file": True})
    filed.file = market._run(content_of(get(f"/v1/factors/{study.result['id']}/series.parquet")))
    return study, filed


def broken(record):
    """Why the chain of a record does not hold once an entry is another one."""
    changed = [{**one, "entry": {**one["entry"], "equity": 1}} if one["number"] == 2 else one for one in record._entries]
    try:
        return ForwardRecord(record.result, changed).verify()
    except ValueError as error:
        return str(error)


def returns_of(market):
    """Returns of two streams, by day."""
    closes = market.history(["BRVA", "LUMA"], days=300, adjust="total").to_df()
    return closes.pct_change().dropna().set_axis(["one", "two"], axis=1)


def main():
    with Client() as market:
        run = market.backtest("ACRX", "sma_cross", time_range="1Y", tear_sheet=True, factors=["BRVA"])
        sheet = run.tear_sheet()
        candles = market.candles("ACRX", days=30)
        history = market.history(["ACRX", "BRVA"], days=30)
        empty = market.sql("select date, close from bars where false")
        results = {
            "candles": candles,
            "history": history,
            "symbols": market.symbols("corp", limit=3),
            "events": market.events("ACRX"),
            "screen": market.screen(where="close > 5"),
            "sql": market.sql(SQL),
            "sql without rows": empty,
            "backtest": run,
        }
        made = {name: {kind: one.to_df(kind=kind) for kind in KINDS} for name, one in results.items()}
        made["opens"] = {kind: history.to_df("open", kind=kind) for kind in KINDS}
        made["trades"] = {kind: run.trades_df(kind) for kind in KINDS}
        made.update({f"sheet {name}": {kind: sheet.table(name, kind) for kind in KINDS} for name in TABLES})
        study, filed = study_of(market)
        made.update({f"study {name}": {kind: getattr(study, name)(kind) for kind in KINDS} for name in STUDY})
        for name in ("ic_series", "spread_series"):
            made[f"study {name}, file"] = {kind: getattr(filed, name)(kind) for kind in KINDS}
            assert rows_of(getattr(filed, name)(), "pandas") == rows_of(getattr(study, name)(), "pandas"), name
        crossing = market.outcomes("crosses_above(sma(20), sma(50))", by="of('ACRX', close > sma(200))", time_range="1Y")
        alone = market.outcomes("close > sma(50)", "ACRX", compare="none", horizons=[5], time_range="1Y")
        for told, of in (("outcomes", crossing), ("alone", alone)):
            made.update({f"{told} {name}": {kind: getattr(of, name)(kind) for kind in KINDS} for name in OUTCOMES})
        record = market.forward(market.forward()[0]["id"])
        made.update({f"forward {name}": {kind: getattr(record, name)(kind) for kind in KINDS} for name in FORWARD})
        made["forward"] = {kind: market.forward().to_df(kind) for kind in KINDS}
        returns = returns_of(market)
        judged = market.judge(returns, benchmark="ACRX")
        short = market.judge(returns[["one"]][:30], benchmark="ACRX")
        made.update({name: {kind: one.to_df(kind) for kind in KINDS} for name, one in (("judged", judged), ("short", short))})
        for name, frames in made.items():
            rows = {kind: rows_of(frame, kind) for kind, frame in frames.items()}
            for kind in KINDS:
                assert rows[kind] == rows["pandas"], (name, kind, rows[kind], rows["pandas"])
        shown = {**results, "quote": market.quote("ACRX"), "sheet": sheet, "study": study, "outcomes": crossing, "judged": judged, "forward": record}
        told = {
            "types": {kind: types_of(made["candles"][kind], kind) for kind in KINDS},
            "rows": {name: len(frames["pandas"]) for name, frames in made.items()},
            "study": [list(study.ic().columns), list(study.ic_series("polars")["horizon"].unique(maintain_order=True))],
            "outcomes": [types_of(crossing.path("polars"), "polars"), crossing.by()["by"].tolist(), crossing.sentences],
            "forward": {
                "curve": types_of(record.curve("polars"), "polars"),
                "entries": dict(zip(record.entries("polars").columns, types_of(record.entries("polars"), "polars"))),
                "sentences": record.sentences,
                "verified": [record.verify(), record.verify(record.result["seal_sha256"]), broken(record)],
            },
            "judged": {
                "types": dict(zip(judged.streams("polars").columns, types_of(judged.streams("polars"), "polars"))),
                "short": rows_of(short.streams("polars").select("skill_beta", "serial_rho", "fdr"), "polars")[1][0],
                "sentences": judged.sentences,
                "notes": [note["message"] for note in judged.notes],
            },
            "day": rows_of(made["sql"]["polars"], "polars")[1][0][0] == date(2026, 5, 4),
            "missing": [missing(market, kind) for kind in KINDS],
            "verdict": [sheet.verdict, market.tear_sheet(run.id).verdict],
            "html": {name: one._repr_html_() for name, one in shown.items()},
        }
        try:
            candles.to_df("numpy")
        except ValueError as error:
            told["unknown"] = str(error)
    print(json.dumps(told))


main()
