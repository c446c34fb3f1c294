"""Makes ten calls with a client that openapi-python-client generated, and prints what came as JSON."""

import json
import os
import sys
from typing import TypeVar

from market_api.api.backtests import list_strategies, run_backtest
from market_api.api.market_data import get_kline, get_quote, get_static_info, list_events, search_symbols
from market_api.api.screener import run_screener
from market_api.api.service import get_meta, list_plans
from market_api.client import AuthenticatedClient
from market_api.models import (
    GetKlineResponse200,
    GetMetaResponse200,
    GetQuoteResponse200,
    GetStaticInfoResponse200,
    ListEventsResponse200,
    ListPlansResponse200,
    ListStrategiesResponse200,
    RunBacktestRequest,
    RunBacktestResponse200,
    RunScreenerRequest,
    RunScreenerResponse200,
    SearchSymbolsResponse200,
    StrategyCode,
    TimeRange,
)

T = TypeVar("T")


def expect(kind: type[T], answer: object) -> T:
    if not isinstance(answer, kind):
        raise TypeError(f"{answer} is no {kind}")
    return answer


client = AuthenticatedClient(base_url=os.environ["MARKET_API_URL"], token=os.environ["MARKET_API_KEY"])
spec = RunBacktestRequest(symbol="ACRX", strategy=StrategyCode.SMA_CROSS, time_range=TimeRange("1Y"))
body = RunScreenerRequest(where="close > 5")
shown = [
    expect(GetQuoteResponse200, get_quote.sync("ACRX", client=client)).data.last,
    [bar.close for bar in expect(GetKlineResponse200, get_kline.sync("ACRX", client=client, days=3)).data.bars],
    len(expect(ListEventsResponse200, list_events.sync("ACRX", client=client)).data.events),
    expect(GetStaticInfoResponse200, get_static_info.sync("ACRX", client=client)).data.name,
    [one.symbol for one in expect(SearchSymbolsResponse200, search_symbols.sync(client=client, q="corp")).data.items],
    len(expect(ListStrategiesResponse200, list_strategies.sync(client=client)).data.strategies),
    expect(RunScreenerResponse200, run_screener.sync(client=client, body=body)).data.total,
    expect(RunBacktestResponse200, run_backtest.sync(client=client, body=spec)).data.num_trades,
    [plan.code for plan in expect(ListPlansResponse200, list_plans.sync(client=client)).data.plans],
    expect(GetMetaResponse200, get_meta.sync(client=client)).data.version,
]
json.dump(shown, sys.stdout)
