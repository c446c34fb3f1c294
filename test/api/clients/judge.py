"""Has the same returns judged from every kind of frame, and prints what the service says of them as JSON."""

import asyncio
import json
import tempfile
from datetime import date, timedelta
from pathlib import Path

import pandas
import polars
import pyarrow

from market_data import AsyncClient, Client, InvalidRequest, JobFailed
from market_data._columns import _csv_of
from market_data._judgement import record_of

DAYS = [day for day in (date(2025, 1, 6) + timedelta(i) for i in range(140)) if day.weekday() < 5]
FUND = [(7 * i % 11 - 4) / 1000 for i in range(len(DAYS))]
HELD = [(5 * i % 13 - 6) / 1000 for i in range(len(DAYS))]
ROWS = {"date": DAYS, "fund": FUND, "held": HELD}


async def later(frame):
    async with AsyncClient() as market:
        job = await market.submit_judge(frame, benchmark="held")
        judged = await market.job("judge", job.id).result()
        return [judged.sentences, (await market.judge(frame, benchmark="held")).sentences]


def told(judged):
    """All but the account of the lines, which tells the layout."""
    return {name: one for name, one in judged.result.items() if name != "account"}


def main():
    frame = pandas.DataFrame(ROWS)
    indexed = frame.assign(date=pandas.to_datetime(frame["date"])).set_index("date")
    csv = _csv_of(frame)
    with tempfile.TemporaryDirectory() as folder, Client() as market:
        path = Path(folder, "fund.csv")
        path.write_bytes(csv)
        frames = {
            "pandas": frame,
            "with an index": indexed,
            "with another index": indexed.rename_axis("Month end").tz_localize("America/New_York"),
            # Their index is of whole numbers, and no stream.
            "rows that were chosen": pandas.concat([frame[:50], frame[50:]]).sort_values("fund"),
            "polars": polars.DataFrame(ROWS),
            "pyarrow": pyarrow.table(ROWS),
            "text": csv.decode(),
            "bytes": _csv_of(record_of(indexed)),
            "path": path,
        }
        judged = {kind: market.judge(one, benchmark="held") for kind, one in frames.items()}
        first = told(judged["pandas"])
        series = market.judge(indexed["fund"], trials=9, frequency="day", risk_free=None)
        curve = market.judge(
            1000 * (1 + indexed).cumprod(), form="equity", benchmark="ACRX", detail=["held"], prior=0.1, sharpe=1
        )
        errors = []
        for bad, options in (
            ("day_of,a\n2024-01-02,0.1\n", {}),
            (csv, {"benchmark": "NOSUCH"}),
            ({"date": []}, {}),
            (csv, {"trials": 0}),
        ):
            try:
                market.judge(bad, **options)
            except (JobFailed, TypeError, InvalidRequest) as error:
                errors.append(type(error).__name__)
        answer = {
            "different": [kind for kind, one in judged.items() if told(one) != first],
            "layouts": {kind: one.result["account"]["layout"] for kind, one in judged.items()},
            "streams": [(one["name"], one["periods"]) for one in first["streams"]],
            "series": [series.streams()["name"].tolist(), series.selection["trials"], [note["code"] for note in series.notes]],
            "curve": [curve.result[name] for name in ("form", "benchmark")],
            "fdr": [curve.result["fdr"]["prior"], curve.result["fdr"]["sharpe"], curve.streams()["fdr"].notna().tolist()],
            "detail": [one["name"] for one in curve.result["streams"] if one["tear_sheet"]["series"]],
            "errors": errors,
        }
    answer["async"] = asyncio.run(later(indexed)) == [first["sentences"], first["sentences"]]
    print(json.dumps(answer))


main()
