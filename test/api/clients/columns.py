"""Writes the same column from every kind of frame, and prints what the service says of it as JSON."""

import asyncio
import json
import tempfile
from datetime import date, datetime
from pathlib import Path

import pandas
import polars
import pyarrow

from market_data import AsyncClient, Client, InvalidRequest, JobFailed
from market_data._columns import _csv_of

ROWS = {
    "symbol": ["ACRX", "ACRX", "BRVA"],
    "date": [date(2026, 1, 2), date(2026, 2, 2), date(2026, 2, 2)],
    "known_at": [datetime(2026, 1, 5, 9, 30), datetime(2026, 2, 3), None],
    "value": ["Tech", None, "Energy"],
}


async def later():
    async with AsyncClient() as market:
        await market.columns.put("sector", polars.DataFrame(ROWS))
        rows = await market.columns.rows("sector", "BRVA")
        await market.columns.delete("sector")
        return [len(rows), len(await market.columns.list())]


def main():
    frame = pandas.DataFrame(ROWS)
    csv = _csv_of(frame)
    with tempfile.TemporaryDirectory() as folder, Client() as market:
        path = Path(folder, "sector.csv")
        path.write_bytes(csv)
        frames = {
            "pandas": frame,
            "polars": polars.DataFrame(ROWS),
            "pyarrow": pyarrow.table(ROWS),
            "text": csv.decode(),
            "path": path,
        }
        written = {kind: market.columns.put("sector", one) for kind, one in frames.items()}
        appended = market.columns.put("sector", "symbol,date,value\nACRX,2026-03-02,Tech\n", mode="append")
        errors = []
        for bad in ("symbol,date\nACRX,2026-03-02\n", {"symbol": []}):
            try:
                market.columns.put("other", bad)
            except (JobFailed, TypeError) as error:
                errors.append(type(error).__name__)
        try:
            market.columns.put("close", csv)
        except InvalidRequest as error:
            errors.append(error.key)
        answer = {
            "digests": len({one["column"]["sha256"] for one in written.values()}),
            "layouts": {kind: one["account"]["layout"] for kind, one in written.items()},
            "column": written["pandas"]["column"],
            "rows": market.columns.rows("sector", "ACRX", as_of="2026-02-06"),
            "appended": appended["column"]["rows"],
            "versions": len(market.columns.get("sector")["versions"]),
            "names": [one["name"] for one in market.columns.list()],
            "errors": errors,
        }
        market.columns.delete("sector")
    answer["async"] = asyncio.run(later())
    print(json.dumps(answer))


main()
