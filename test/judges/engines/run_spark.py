import os

# Two executors on this machine, each in a process of its own, as on a cluster.
os.environ["PYSPARK_SUBMIT_ARGS"] = "--master local-cluster[2,1,1024] pyspark-shell"

from connect_spark import spark
from queries import PAST, answer_sql

spark.sparkContext.setLogLevel("ERROR")
past = f"lake.market.daily_bars version as of {PAST}"
answer_sql(
    lambda text: [tuple(row) for row in spark.sql(text).collect()],
    spark.sql(f"select * from {past}").columns,
    bars="lake.market.daily_bars",
    symbols="lake.market.symbols",
    events="lake.market.events",
    past=past,
)
spark.stop()
