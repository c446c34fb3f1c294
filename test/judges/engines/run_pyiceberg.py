"""pyiceberg plans and reads, pandas computes."""
import pandas as pd

from connect_pyiceberg import bars as table
from connect_pyiceberg import catalog
from queries import DAY, PAST, SYMBOL, answer


def frame(scan):
    result = scan.to_pandas()
    for name in result.columns.intersection(["date", "ex_date", "delisted_on"]):
        result[name] = pd.to_datetime(result[name])
    return result


every = frame(table.scan())
bars = every[every.venue_mode == "consolidated"]
one = frame(table.scan(row_filter=f"symbol = '{SYMBOL}' and venue_mode = 'consolidated'")).sort_values("date")
symbols = frame(catalog.load_table("market.symbols").scan())
events = frame(catalog.load_table("market.events").scan())
past = table.scan(snapshot_id=PAST)


def bars_before_events():
    left = events.sort_values("ex_date")
    right = bars[["symbol", "date", "close"]].sort_values("date")
    joined = pd.merge_asof(left, right, left_on="ex_date", right_on="date", by="symbol", allow_exact_matches=False)
    joined = joined.dropna(subset=["date"]).sort_values(["symbol", "ex_date", "kind"])
    return joined[["symbol", "ex_date", "kind", "date", "close"]].values.tolist()


def most_traded_by_day():
    newest = bars[bars.date >= DAY].sort_values(["date", "volume", "symbol"], ascending=[True, False, True])
    return newest.groupby("date").head(10)[["date", "symbol", "volume"]].values.tolist()


def adjusted_closes():
    factor = symbols.set_index("symbol").split_factor[SYMBOL]
    return zip(one.date, one.close * (factor / one.split_factor))


def past_snapshot():
    then = frame(past)
    return [[len(then), then.volume.sum(), then.date.max()]]


month_ends = one.groupby(one.date.dt.year * 100 + one.date.dt.month).close.last()
volumes = bars[bars.date == DAY].volume
gone = symbols.dropna(subset=["delisted_on"])

answer(
    {
        "rows_per_year": every.groupby(every.date.dt.year).size().items(),
        "volume_per_year": every.groupby(every.date.dt.year).volume.sum().items(),
        "history": one[["date", "open", "high", "low", "close", "volume"]].values.tolist(),
        "monthly_returns": month_ends.pct_change(fill_method=None).items(),
        "mean_of_20_days": zip(one.date, one.close.rolling(20, min_periods=1).mean()),
        "bars_before_events": bars_before_events(),
        "most_traded_by_day": most_traded_by_day(),
        "adjusted_closes": adjusted_closes(),
        "delisted_by_year": gone.groupby(gone.delisted_on.dt.year).symbol.nunique().items(),
        "percentile_of_volume": [[volumes[volumes.rank(method="max", pct=True) >= 0.9].min()]],
        "past_snapshot": past_snapshot(),
        "schema_of_past_snapshot": [[field.name] for field in past.projection().fields],
    }
)
