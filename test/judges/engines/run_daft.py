from datetime import date

import daft
from daft import Window, col
from daft.functions import row_number

from connect_daft import bars as every
from connect_daft import catalog
from queries import DAY, PAST, SYMBOL, answer


def scan(name, snapshot=None):
    return daft.read_iceberg(catalog.load_table(f"market.{name}"), snapshot_id=snapshot)


bars = every.where(col("venue_mode") == "consolidated")
one = bars.where(col("symbol") == SYMBOL)
symbols, events, past = scan("symbols"), scan("events"), scan("daily_bars", PAST)
day = date.fromisoformat(DAY)
year = col("date").year().alias("y")
by_date = Window().partition_by("symbol").order_by("date")

month_ends = (
    one.with_column("m", col("date").year().cast("int64") * 100 + col("date").month().cast("int64"))
    .with_column("k", row_number().over(Window().partition_by("m").order_by("date", desc=True)))
    .where(col("k") == 1)
)
before = (
    events.join(bars.select("symbol", "date", "close"), on="symbol")
    .where(col("date") < col("ex_date"))
    .with_column(
        "k", row_number().over(Window().partition_by("symbol", "ex_date", "kind").order_by("date", desc=True))
    )
    .where(col("k") == 1)
)
of_day = Window().partition_by("date").order_by(["volume", "symbol"], desc=[True, False])
ranked = (
    bars.where(col("date") == day)
    .with_column("k", row_number().over(Window().partition_by("date").order_by("volume")))
    .with_column("n", col("volume").count().over(Window().partition_by("date")))
)

QUERIES = {
    "rows_per_year": every.groupby(year).agg(col("volume").count()).sort("y"),
    "volume_per_year": every.groupby(year).agg(col("volume").sum()).sort("y"),
    "history": one.sort("date").select("date", "open", "high", "low", "close", "volume"),
    "monthly_returns": month_ends.with_column(
        "before", col("close").lag(1).over(Window().partition_by("symbol").order_by("m"))
    )
    .sort("m")
    .select("m", (col("close") / col("before") - 1).alias("r")),
    "mean_of_20_days": one.select("date", col("close").mean().over(by_date.rows_between(-19, 0)).alias("mean")).sort(
        "date"
    ),
    "bars_before_events": before.sort(["symbol", "ex_date", "kind"]).select("symbol", "ex_date", "kind", "date", "close"),
    "most_traded_by_day": bars.where(col("date") >= day)
    .with_column("k", row_number().over(of_day))
    .where(col("k") <= 10)
    .sort(["date", "k"])
    .select("date", "symbol", "volume"),
    "adjusted_closes": one.join(symbols.select("symbol", col("split_factor").alias("newest")), on="symbol")
    .sort("date")
    .select("date", (col("close") * (col("newest") / col("split_factor"))).alias("close")),
    "delisted_by_year": symbols.where(col("delisted_on").not_null())
    .groupby(col("delisted_on").year().alias("y"))
    .agg(col("symbol").count_distinct())
    .sort("y"),
    "percentile_of_volume": ranked.where(col("k") >= 0.9 * col("n")).agg(col("volume").min()),
    "past_snapshot": past.agg(
        col("volume").count().alias("n"), col("volume").sum().alias("v"), col("date").max().alias("d")
    ),
}

rows = {name: list(zip(*query.to_pydict().values())) for name, query in QUERIES.items()}
answer({**rows, "schema_of_past_snapshot": [[name] for name in past.column_names]})
