from connect_datafusion import catalog, context
from queries import PAST, answer_sql

for name in ("symbols", "events"):
    context.register_record_batches(name, [catalog.load_table(f"market.{name}").scan().to_arrow().to_batches()])
past = catalog.load_table("market.daily_bars").scan(snapshot_id=PAST)
context.register_record_batches("past", [past.to_arrow().to_batches()])


def run(text):
    table = context.sql(text).to_arrow_table()
    return zip(*[column.to_pylist() for column in table.columns])


names = [field.name for field in past.projection().fields]
answer_sql(run, names, bars="daily_bars", symbols="symbols", events="events", past="past")
