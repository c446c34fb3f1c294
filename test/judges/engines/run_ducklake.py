import os
import tempfile

# The lists are downloaded to the working folder.
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)

from connect_ducklake import connection, download
from queries import PAST, answer_duckdb

download("past.ducklake", PAST)
connection.execute("attach 'ducklake:past.ducklake' as past (read_only)")
answer_duckdb(connection, "lake.market.daily_bars", "past.market.daily_bars")
