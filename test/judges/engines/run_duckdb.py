from connect_duckdb import connection
from queries import PAST, answer_duckdb

answer_duckdb(connection, "lake.market.daily_bars", f"lake.market.daily_bars at (version => {PAST})")
