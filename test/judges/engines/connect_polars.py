import os

import polars as pl
from pyiceberg.catalog.rest import RestCatalog

url, key = os.environ["MARKET_DATA_URL"], os.environ["MARKET_DATA_KEY"]
catalog = RestCatalog("market", uri=f"{url}/iceberg", token=key)
table = catalog.load_table("market.daily_bars")
# The catalog tells how its files are read, in the words of pyiceberg.
storage = {
    "aws_endpoint_url": table.io.properties["s3.endpoint"],
    "aws_region": table.io.properties["s3.region"],
    "aws_access_key_id": table.io.properties["s3.access-key-id"],
    "aws_secret_access_key": table.io.properties["s3.secret-access-key"],
    "aws_session_token": table.io.properties["s3.session-token"],
    "aws_virtual_hosted_style_request": "false",
    "aws_allow_http": "true",
}
bars = pl.scan_iceberg(table, storage_options=storage)
