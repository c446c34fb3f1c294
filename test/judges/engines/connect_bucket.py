import os

import duckdb

# Where the tables are in a bucket that you may read: s3://BUCKET, and credentials of your own.
host, bucket = os.environ["AWS_ENDPOINT_URL"].removeprefix("http://"), os.environ["MARKET_DATA_BUCKET"]
connection = duckdb.connect()
for name in ("httpfs", "avro", "iceberg"):
    package = __import__(f"duckdb_extension_{name}").__path__[0]
    connection.execute(f"load '{package}/extensions/v{duckdb.__version__}/{name}.duckdb_extension'")
connection.execute(
    f"""create secret market (type s3, endpoint '{host}', url_style 'path', use_ssl false, region 'us-east-1',
    key_id '{os.environ["AWS_ACCESS_KEY_ID"]}', secret '{os.environ["AWS_SECRET_ACCESS_KEY"]}')"""
)
for name in ("daily_bars", "symbols", "events"):
    table = f"s3://{bucket}/lake/tables/market/{name}"
    connection.execute(f"create view {name} as from iceberg_scan('{table}', version => '?')")
bars = connection.table("daily_bars")
