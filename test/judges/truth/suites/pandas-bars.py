"""Bars of weeks and months from those of days by pandas."""

import pandas

from common import read, write

OFFSETS = {"week": "W-SUN", "month": "ME"}
COLUMNS = {"open": "first", "high": "max", "low": "min", "close": "last", "volume": "sum"}


def resampled(series, offset):
    bars = pandas.DataFrame(series, index=pandas.to_datetime(series["day"]))
    grouped = bars.resample(offset)
    return pandas.concat([grouped["day"].last(), grouped.agg(COLUMNS)], axis=1).dropna().to_dict("list")


write([{period: resampled(series, offset) for period, offset in OFFSETS.items()} for series in read()])
