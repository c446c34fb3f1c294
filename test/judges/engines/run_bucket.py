from connect_bucket import bucket, connection
from queries import PAST, answer_duckdb

table = f"s3://{bucket}/lake/tables/market/daily_bars"
answer_duckdb(connection, "daily_bars", f"iceberg_scan('{table}', version => '?', snapshot_from_id => {PAST})")
