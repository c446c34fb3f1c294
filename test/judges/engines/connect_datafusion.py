import os

from datafusion import SessionContext
from pyiceberg.catalog.rest import RestCatalog

url, key = os.environ["MARKET_DATA_URL"], os.environ["MARKET_DATA_KEY"]
catalog = RestCatalog("market", uri=f"{url}/iceberg", token=key)
context = SessionContext()
bars = catalog.load_table("market.daily_bars").scan().to_arrow()
context.register_record_batches("daily_bars", [bars.to_batches()])
