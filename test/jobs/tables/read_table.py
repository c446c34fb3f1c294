"""Reads tables of a bucket with pyiceberg, which knows nothing of the service. Input: the bucket and one metadata file."""
import json
import sys

from pyiceberg.expressions import EqualTo
from pyiceberg.table import StaticTable

given = json.load(sys.stdin)
table = StaticTable.from_metadata(given["metadata"], given["properties"])


def read(snapshot=None, **scan):
    return table.scan(snapshot_id=snapshot, **scan).to_arrow()


whole = read()
answer = {
    "columns": whole.column_names,
    "rows": whole.num_rows,
    "ids": {field.name: field.field_id for field in table.schema().fields},
    "partitions": [str(field.transform) for field in table.spec().fields],
    "snapshots": [
        {"id": one.snapshot_id, "rows": read(one.snapshot_id).num_rows, "summary": dict(one.summary.additional_properties)}
        for one in table.snapshots()
    ],
    "tags": {name: ref.snapshot_id for name, ref in table.refs().items()},
    "files": len(list(table.scan().plan_files())),
}
if given.get("symbol"):
    one = read(row_filter=EqualTo("symbol", given["symbol"])).sort_by([("venue_mode", "ascending"), ("date", "ascending")])
    rows = one.select(["venue_mode", "date", "close", "volume"]).to_pylist()
    answer["history"] = [[row["venue_mode"], row["date"].isoformat(), row["close"], row["volume"]] for row in rows]
json.dump(answer, sys.stdout)
