import os
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import duckdb

url, key = os.environ["MARKET_DATA_URL"], os.environ["MARKET_DATA_KEY"]


def download(path, snapshot=""):
    """The list of the files of all tables, now or after the load that made a snapshot. It stays as it is."""
    address = f"{url}/iceberg/v1/market.ducklake{snapshot and f'?snapshot={snapshot}'}"
    with urlopen(Request(address, headers={"Authorization": f"Bearer {key}"})) as answer, open(path, "wb") as file:
        file.write(answer.read())


connection = duckdb.connect()
# `install ducklake` does the same where DuckDB may download its extensions.
for name in ("httpfs", "ducklake"):
    package = __import__(f"duckdb_extension_{name}").__path__[0]
    connection.execute(f"load '{package}/extensions/v{duckdb.__version__}/{name}.duckdb_extension'")
scheme, host = urlsplit(url)[:2]
connection.execute(
    f"""create secret market (type s3, endpoint '{host}/iceberg/objects', url_style 'path', use_ssl {scheme == 'https'},
    region 'us-east-1', key_id 'market-data', secret 'market-data', session_token '{key}')"""
)
download("market.ducklake")
connection.execute("attach 'ducklake:market.ducklake' as lake (read_only)")
bars = connection.table("lake.market.daily_bars")
