import os

from chdb.session import Session

# Where the tables are in a bucket that you may read: s3://BUCKET, and credentials of your own.
endpoint, bucket = os.environ["AWS_ENDPOINT_URL"], os.environ["MARKET_DATA_BUCKET"]
credentials = f"'{os.environ['AWS_ACCESS_KEY_ID']}', '{os.environ['AWS_SECRET_ACCESS_KEY']}'"
session = Session()
for name in ("daily_bars", "symbols", "events"):
    table = f"{endpoint}/{bucket}/lake/tables/market/{name}/"
    session.query(f"create table {name} engine = IcebergS3('{table}', {credentials})")
bars = session.query("select * from daily_bars limit 3")
