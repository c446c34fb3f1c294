"""Reads the tables of kept runs with pyiceberg."""
import json
import sys

from pyiceberg.catalog.rest import RestCatalog

given = json.load(sys.stdin)
catalog = RestCatalog("market", uri=given["uri"], token=given["token"])
names = sorted(name for (_, name) in catalog.list_tables("research"))
assert names == sorted([given["cells"], given["rebalances"]]), names
cells = catalog.load_table(("research", given["cells"])).scan().to_arrow()
rebalances = catalog.load_table(("research", given["rebalances"])).scan().to_arrow().to_pylist()
json.dump(
    {
        "cells": cells.select(["symbol", "params", "total_pnl_pct"]).to_pylist(),
        "rebalances": [
            [row["date"].isoformat(), row["symbol"], row["weight"], row["change"]] for row in rebalances
        ],
    },
    sys.stdout,
)
