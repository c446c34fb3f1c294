import json

from connect_chdb import session
from queries import PAST, answer_sql

past = f"(select * from daily_bars settings iceberg_snapshot_id = {PAST})"


def ask(text):
    return json.loads(session.query(text, "JSONCompact").bytes())


def run(text):
    # The first row has no row before it, and its columns have no null of their own.
    return ask(text.replace("lag(close)", "lag(toNullable(close))"))["data"]


names = [column["name"] for column in ask(f"select * from {past} limit 0")["meta"]]
answer_sql(run, names, bars="daily_bars", symbols="symbols", events="events", past=past)
