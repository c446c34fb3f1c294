from datetime import date

import polars as pl

from connect_polars import bars as every
from connect_polars import catalog, storage
from queries import DAY, PAST, SYMBOL, answer


def scan(name, snapshot=None):
    return pl.scan_iceberg(catalog.load_table(f"market.{name}"), snapshot_id=snapshot, storage_options=storage)


bars = every.filter(pl.col("venue_mode") == "consolidated")
one = bars.filter(pl.col("symbol") == SYMBOL).sort("date")
symbols, events, past = scan("symbols"), scan("events"), scan("daily_bars", PAST)
day = date.fromisoformat(DAY)
year = pl.col("date").dt.year().alias("y")
month = (pl.col("date").dt.year().cast(pl.Int32) * 100 + pl.col("date").dt.month()).alias("m")

QUERIES = {
    "rows_per_year": every.group_by(year).len().sort("y"),
    "volume_per_year": every.group_by(year).agg(pl.col("volume").sum()).sort("y"),
    "history": one.select("date", "open", "high", "low", "close", "volume"),
    "monthly_returns": one.group_by(month).agg(pl.col("close").last()).sort("m").select("m", pl.col("close").pct_change()),
    "mean_of_20_days": one.select("date", pl.col("close").rolling_mean(20, min_samples=1)),
    "bars_before_events": events.sort("ex_date")
    .join_asof(
        bars.select("symbol", "date", "close").sort("date"),
        left_on="ex_date",
        right_on="date",
        by="symbol",
        allow_exact_matches=False,
        coalesce=False,
    )
    .filter(pl.col("date").is_not_null())
    .sort("symbol", "ex_date", "kind")
    .select("symbol", "ex_date", "kind", "date", "close"),
    "most_traded_by_day": bars.filter(pl.col("date") >= day)
    .sort("date", "volume", "symbol", descending=[False, True, False])
    .group_by("date", maintain_order=True)
    .head(10)
    .select("date", "symbol", "volume"),
    "adjusted_closes": one.join(symbols.select("symbol", factor="split_factor"), on="symbol")
    .sort("date")
    .select("date", pl.col("close") * (pl.col("factor") / pl.col("split_factor"))),
    "delisted_by_year": symbols.filter(pl.col("delisted_on").is_not_null())
    .group_by(pl.col("delisted_on").dt.year().alias("y"))
    .agg(pl.col("symbol").n_unique())
    .sort("y"),
    "percentile_of_volume": bars.filter(pl.col("date") == day)
    .filter(pl.col("volume").rank("max") / pl.len() >= 0.9)
    .select(pl.col("volume").min()),
    "past_snapshot": past.select(pl.len(), pl.col("volume").sum(), pl.col("date").max()),
}

rows = {name: query.collect().rows() for name, query in QUERIES.items()}
answer({**rows, "schema_of_past_snapshot": [[name] for name in past.collect_schema().names()]})
