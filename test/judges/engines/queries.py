"""The twelve queries, as SQL where an engine has SQL, and the form of the answers."""
import json
import sys
from datetime import date, datetime

given = json.load(sys.stdin)
PAST, SYMBOL, DAY = given["past"], given["symbol"], given["day"]

BARS = "(select * from {bars} where venue_mode = 'consolidated')"
ONE = f"(select * from {BARS} c where symbol = '{SYMBOL}')"

SQL = {
    "rows_per_year": "select extract(year from date) as y, count(*) as n from {bars} b group by 1 order by 1",
    "volume_per_year": "select extract(year from date) as y, sum(volume) as v from {bars} b group by 1 order by 1",
    "history": f"select date, open, high, low, close, volume from {ONE} o order by date",
    "monthly_returns": f"""
        with dated as (
          select extract(year from date) * 100 + extract(month from date) as m, date, close from {ONE} o),
        ranked as (select m, close, row_number() over (partition by m order by date desc) as k from dated),
        ends as (select m, close from ranked where k = 1)
        select m, close / lag(close) over (order by m) - 1 as r from ends order by m""",
    "mean_of_20_days": f"""
        select date, avg(close) over (order by date rows between 19 preceding and current row) as mean from {ONE} o
        order by date""",
    "bars_before_events": f"""
        with before as (
          select e.symbol as symbol, e.ex_date as ex_date, e.kind as kind, b.date as date, b.close as close,
            row_number() over (partition by e.symbol, e.ex_date, e.kind order by b.date desc) as k
          from {{events}} e join {BARS} b on b.symbol = e.symbol where b.date < e.ex_date)
        select symbol, ex_date, kind, date, close from before where k = 1 order by symbol, ex_date, kind""",
    "most_traded_by_day": f"""
        with ranked as (
          select date, symbol, volume, row_number() over (partition by date order by volume desc, symbol) as k
          from {BARS} b where date >= date '{DAY}')
        select date, symbol, volume from ranked where k <= 10 order by date, volume desc, symbol""",
    "adjusted_closes": f"""
        select b.date as date, b.close * (s.split_factor / b.split_factor) as close
        from {ONE} b join {{symbols}} s on s.symbol = b.symbol order by b.date""",
    "delisted_by_year": """
        select extract(year from delisted_on) as y, count(distinct symbol) as n from {symbols} s
        where delisted_on is not null group by 1 order by 1""",
    # Not every engine has `cume_dist`.
    "percentile_of_volume": f"""
        with day as (select volume from {BARS} b where date = date '{DAY}'),
        ranked as (select volume, row_number() over (order by volume) as k from day),
        counted as (select count(*) as n from day)
        select min(volume) as p from ranked cross join counted where k >= 9e-1 * n""",
    "past_snapshot": "select count(*) as n, sum(volume) as v, max(date) as d from {past}",
}


def answer_sql(run, old_schema, **tables):
    """Runs the queries by `run(text)`, which returns rows. `tables`: what the engine calls bars, symbols, events, and past."""
    answers = {name: run(text.format(**tables)) for name, text in SQL.items()}
    answer({**answers, "schema_of_past_snapshot": [[name] for name in old_schema]})


def answer_duckdb(connection, bars, past):
    """Runs the queries in DuckDB. `bars`: the name of that table, from which those of the others follow."""
    answer_sql(
        lambda text: connection.execute(text).fetchall(),
        [row[0] for row in connection.execute(f"describe from {past}").fetchall()],
        bars=bars,
        symbols=bars.replace("daily_bars", "symbols"),
        events=bars.replace("daily_bars", "events"),
        past=past,
    )


def answer(answers):
    """Writes the rows of all queries, in one order of queries."""
    names = [*SQL, "schema_of_past_snapshot"]
    json.dump({name: [[plain(value) for value in row] for row in answers[name]] for name in names}, sys.stdout)


def plain(value):
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, date):
        return (value.date() if isinstance(value, datetime) else value).isoformat()
    if value is None or value != value:
        return None
    return value if isinstance(value, (str, int, float)) else float(value)
