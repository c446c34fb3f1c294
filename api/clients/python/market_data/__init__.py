"""Client of the market data and backtesting service.

>>> from market_data import Client
>>> market = Client()                                # key: MARKET_API_KEY of the environment
>>> market.candles("ACRX", start="2024-01-01").to_df()
>>> run = market.backtest("ACRX", "sma_cross", time_range="5Y")
>>> run.sharpe, run.save_picture("run.svg")
"""

from ._async_client import AsyncClient, AsyncJob
from ._client import Client, Job
from ._errors import (
    ApiError,
    ConnectionLost,
    Conflict,
    Forbidden,
    Gone,
    InvalidRequest,
    InvalidRule,
    JobFailed,
    LoginRequired,
    MarketError,
    NoBars,
    NotFound,
    PlanExceeded,
    RateLimited,
    SymbolNotFound,
    TimedOut,
    Unavailable,
)
from ._factors import Claims, FactorStudy, StudyTable
from ._forward import ForwardRecord, ForwardRecords
from ._impact import Impact
from ._judgement import Judgement
from ._models import (
    Backtest,
    Bar,
    Candles,
    EquityPoint,
    Event,
    History,
    JobState,
    MarketEvent,
    Quote,
    Rows,
    Screen,
    SessionBar,
    Symbol,
    SymbolChange,
    Table,
    Trade,
)
from ._outcomes import Outcomes
from ._searches import Optimization, Sweep
from ._tear_sheet import TearSheet
from ._warnings import MarketWarning

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncJob",
    "Backtest",
    "Bar",
    "Candles",
    "Client",
    "Conflict",
    "Claims",
    "ConnectionLost",
    "EquityPoint",
    "Event",
    "FactorStudy",
    "Forbidden",
    "ForwardRecord",
    "ForwardRecords",
    "Gone",
    "History",
    "Impact",
    "InvalidRequest",
    "InvalidRule",
    "Job",
    "JobFailed",
    "JobState",
    "Judgement",
    "LoginRequired",
    "MarketError",
    "MarketEvent",
    "MarketWarning",
    "NoBars",
    "NotFound",
    "Optimization",
    "Outcomes",
    "PlanExceeded",
    "Quote",
    "RateLimited",
    "Rows",
    "Screen",
    "SessionBar",
    "StudyTable",
    "Sweep",
    "Symbol",
    "SymbolChange",
    "SymbolNotFound",
    "Table",
    "TearSheet",
    "TimedOut",
    "Trade",
    "Unavailable",
]
