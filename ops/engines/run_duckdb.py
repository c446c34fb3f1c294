from connect_duckdb import connection
from queries import PAST, answer_sql

past = f"lake.market.daily_bars at (version => {PAST})"
answer_sql(
    lambda text: connection.execute(text).fetchall(),
    [row[0] for row in connection.execute(f"describe from {past}").fetchall()],
    bars="lake.market.daily_bars",
    symbols="lake.market.symbols",
    events="lake.market.events",
    past=past,
)
