from connect_bucket import bucket, connection
from queries import PAST, answer_sql

past = f"iceberg_scan('s3://{bucket}/lake/tables/market/daily_bars', version => '?', snapshot_from_id => {PAST})"
answer_sql(
    lambda text: connection.execute(text).fetchall(),
    [row[0] for row in connection.execute(f"describe from {past}").fetchall()],
    bars="daily_bars",
    symbols="symbols",
    events="events",
    past=past,
)
