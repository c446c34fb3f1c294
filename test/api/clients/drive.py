"""Carries out what a test orders, with the Python client: one JSON command in, one JSON answer out."""

import asyncio
import json
import os
import sys

from market_data import AsyncClient, TimedOut


async def main() -> None:
    command = json.loads(sys.argv[1])
    client = AsyncClient(os.environ["MARKET_API_URL"], os.environ["MARKET_API_KEY"])
    async with client:
        if command["do"] == "backtests":
            jobs = await asyncio.gather(*(client.backtest(**spec) for spec in command["specs"]))
            answer = {"ids": [one.id for one in jobs]}
        elif command["do"] == "impatient":
            job = await client.submit_backtest(**command["spec"])
            try:
                await job.result(command["seconds"])
                answer = {"error": None}
            except TimedOut:
                answer = {"error": "TimedOut", "job": job.id}
        else:
            result = await client.job("backtest", command["job"]).result()
            answer = {"ids": [result.id]}
    print(json.dumps(answer))


asyncio.run(main())
