import os

import duckdb

url, key = os.environ["MARKET_DATA_URL"], os.environ["MARKET_DATA_KEY"]
connection = duckdb.connect()
# `install iceberg` does the same where DuckDB may download its extensions.
for name in ("httpfs", "avro", "iceberg"):
    package = __import__(f"duckdb_extension_{name}").__path__[0]
    connection.execute(f"load '{package}/extensions/v{duckdb.__version__}/{name}.duckdb_extension'")
connection.execute(f"create secret market (type iceberg, token '{key}')")
connection.execute(f"attach '' as lake (type iceberg, endpoint '{url}/iceberg', secret market)")
bars = connection.table("lake.market.daily_bars")
