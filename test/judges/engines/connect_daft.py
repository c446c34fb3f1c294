import os

import daft
from pyiceberg.catalog.rest import RestCatalog

url, key = os.environ["MARKET_DATA_URL"], os.environ["MARKET_DATA_KEY"]
catalog = RestCatalog("market", uri=f"{url}/iceberg", token=key)
bars = daft.read_iceberg(catalog.load_table("market.daily_bars"))
