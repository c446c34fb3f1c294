"""Reads the market through the catalog with pyiceberg: all that it knows is an address and a key."""
import json
import sys

from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.expressions import EqualTo

given = json.load(sys.stdin)
catalog = RestCatalog("market", uri=given["uri"], **given["properties"])
tables = sorted(name for (_, name) in catalog.list_tables("market"))
bars = catalog.load_table("market.daily_bars")
one = bars.scan(row_filter=EqualTo("symbol", given["symbol"])).to_arrow().sort_by("date")
first = bars.snapshots()[0].snapshot_id
json.dump(
    {
        "namespaces": [list(name) for name in catalog.list_namespaces()],
        "tables": tables,
        "rows": {name: catalog.load_table(("market", name)).scan().to_arrow().num_rows for name in tables},
        "history": [[row["date"].isoformat(), row["close"]] for row in one.select(["date", "close"]).to_pylist()],
        "first": [first, bars.scan(snapshot_id=first).to_arrow().num_rows],
        "exists": [catalog.table_exists("market.daily_bars"), catalog.table_exists("market.none")],
    },
    sys.stdout,
)
