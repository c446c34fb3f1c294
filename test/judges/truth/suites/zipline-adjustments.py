"""Prices and volumes of the last sessions as zipline shows them at the first open of each month, adjusted for what was known then."""

import numpy
import pandas
from zipline.data.adjustments import SQLiteAdjustmentReader, SQLiteAdjustmentWriter
from zipline.lib.adjusted_array import AdjustedArray

from common import read, write

DATABASE = ":memory:"


class Closes:
    """What the writer of adjustments asks of a reader of daily bars, to compute the ratio of a dividend."""

    def __init__(self, sessions, closes):
        self.sessions = sessions
        self.closes = closes

    def load_raw_arrays(self, columns, start, end, sids):
        return [self.closes for _ in columns]


def dates(days):
    return pandas.DatetimeIndex(days).astype("datetime64[ns]")


def splits(events):
    chosen = [event for event in events if event["kind"] != "cash_dividend"]
    return pandas.DataFrame(
        {
            "sid": numpy.zeros(len(chosen), dtype="int64"),
            "effective_date": dates([event["day"] for event in chosen]),
            "ratio": numpy.array([event["factor"] for event in chosen], dtype=float),
        }
    )


def dividends(events, sessions, closes):
    """A dividend as an amount: what the factor takes from the close before."""
    chosen = [event for event in events if event["kind"] == "cash_dividend" and pandas.Timestamp(event["day"]) > sessions[0]]
    days = dates([event["day"] for event in chosen])
    before = closes[sessions.searchsorted(days) - 1, 0]
    amounts = before * (1 - numpy.array([event["factor"] for event in chosen], dtype=float))
    frame = {"sid": numpy.zeros(len(chosen), dtype="int64"), "amount": amounts}
    return pandas.DataFrame(frame | {name: days for name in ("ex_date", "declared_date", "record_date", "pay_date")})


def windows(series):
    sessions = dates(series["day"])
    close = numpy.array(series["close"], dtype=float).reshape(-1, 1)
    volume = numpy.array(series["volume"], dtype=float).reshape(-1, 1)
    writer = SQLiteAdjustmentWriter(DATABASE, Closes(sessions, close))
    writer.write(splits=splits(series["events"]), dividends=dividends(series["events"], sessions, close))
    reader = SQLiteAdjustmentReader(writer.conn)
    # As its loader of pipelines does: on each session the rows end with the session before.
    adjustments = reader.load_pricing_adjustments(["close", "volume"], sessions[1:], pandas.Index([0]))
    length = series["bars"]
    shown = {}
    for name, column, adjustment in zip(("close", "volume"), (close, volume), adjustments):
        array = AdjustedArray(column[:-1].copy(), adjustment, numpy.nan)
        ends = range(length - 1, len(sessions) - 1)
        chosen = {end: window[:, 0].copy() for end, window in zip(ends, array.traverse(length)) if end in series["ends"]}
        shown[name] = [chosen[end] for end in series["ends"]]
    return shown


write({series["symbol"]: windows(series) for series in read()})
