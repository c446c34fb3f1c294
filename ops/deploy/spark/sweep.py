"""A sweep of the tables on Spark. The cells are computed by the service's own engine, a program of one file for Node."""
import argparse
import atexit
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession

ENGINE = Path(__file__).resolve().parents[3] / ".cache" / "sweep-engine.cjs"
# Tasks per core: the last ones are small, and a lost one costs little.
TASKS_PER_CORE = 4

# The rows that the engine reads: of each instrument its name with the return of its delisting, its bars, and its events.
ROWS = """
  select s.symbol, 'instrument' as part, cast(null as date) as date, cast(null as double) as open, cast(null as double) as high,
    cast(null as double) as low, cast(null as double) as close, cast(null as double) as volume, cast(null as string) as kind,
    coalesce(delisting_return_pct, cast(0 as double)) as factor, cast(0 as bigint) as place
  from {market}.symbols s left semi join {wanted} w on w.symbol = s.symbol
  union all
  select b.symbol, venue_mode, date, open, high, low, close, cast(volume as double), null, null, 0
  from {market}.daily_bars b left semi join {wanted} w on w.symbol = b.symbol
  where venue_mode in ('primary_session', 'consolidated')
  union all
  select e.symbol, 'event', ex_date, null, null, null, null, null, kind, factor, place
  from (select *, _pos as place from {market}.events) e left semi join {wanted} w on w.symbol = e.symbol"""
# Events of one day stay in the order of the table, in which the engine multiplies their factors.
ORDER = ["symbol", "part", "date", "place"]


def sweep_cells(
    spark: SparkSession, request: dict, *, catalog: str = "lake", engine: Path = ENGINE, node: str = "node", tasks: int = 0
) -> DataFrame:
    """The cells of a request, the body of `POST /v1/sweeps`: columns and figures are those of its file of cells."""
    market = f"{catalog}.market"
    # Executors fetch the files from this folder, for as long as the driver runs.
    folder = Path(tempfile.mkdtemp(prefix="sweep-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    plan = make_plan(spark, request, market, engine, node)
    files = {f"{folder.name}-plan.json": json.dumps(plan).encode()}
    others = [other["symbol"] for other in plan["others"]]
    if others:
        rows = rows_of(spark, market, others).orderBy(*ORDER).toArrow()
        files[f"{folder.name}-others.arrow"] = stream_of(rows)
    names = [engine.name, *files]
    for name, content in files.items():
        (folder / name).write_bytes(content)
        spark.sparkContext.addFile(str(folder / name))
    spark.sparkContext.addFile(str(engine))
    symbols = [instrument["symbol"] for instrument in plan["instruments"]]
    partitions = tasks or min(len(symbols), TASKS_PER_CORE * spark.sparkContext.defaultParallelism)
    rows = rows_of(spark, market, symbols).repartition(partitions, "symbol").sortWithinPartitions(*ORDER)
    return rows.mapInArrow(computed_by(node, names), plan["columns"])


def make_plan(spark: SparkSession, request: dict, market: str, engine: Path, node: str) -> dict:
    """Checks the request as the API does. Ends with its message where it is refused."""
    [newest] = spark.sql(
        f"select max(date) from {market}.sessions where venue_mode = 'consolidated' and rows > 0"
    ).first()
    symbols = spark.sql(
        f"select symbol, ticker, name, asset_type, listed_on, delisted_on from {market}.symbols order by symbol"
    )
    question = {
        "request": request,
        "newest_session": newest,
        "symbols": [row.asDict() for row in symbols.collect()],
    }
    text = json.dumps(question, default=lambda day: day.isoformat())
    planned = subprocess.run([node, engine, "plan"], input=text, capture_output=True, text=True)
    if planned.returncode != 0:
        sys.exit(planned.stderr.strip())
    return json.loads(planned.stdout)


def rows_of(spark: SparkSession, market: str, symbols: list[str]) -> DataFrame:
    wanted = spark.createDataFrame([(symbol,) for symbol in symbols], "symbol string").hint("broadcast")
    return spark.sql(ROWS.replace("{market}", market), wanted=wanted)


def stream_of(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()


def computed_by(node: str, names: list[str]):
    """A function that streams the rows of a task through the engine, in a process of its own."""
    engine, *files = names

    def cells(batches):
        first = next(batches, None)
        if first is None:
            return
        paths = [SparkFiles.get(name) for name in (engine, *files)]
        command = [node, paths[0], "cells", *paths[1:]]
        failures = []

        def feed(process):
            # A stream that was not closed is refused, so an engine never takes half of the rows for all of them.
            try:
                stream = pa.ipc.new_stream(process.stdin, first.schema)
                stream.write_batch(first)
                for batch in batches:
                    stream.write_batch(batch)
                stream.close()
                process.stdin.close()
            except BaseException as error:
                failures.append(error)
                process.kill()

        with tempfile.TemporaryFile() as said, subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said
        ) as process:
            feeder = threading.Thread(target=feed, args=(process,))
            feeder.start()
            try:
                with pa.ipc.open_stream(process.stdout) as answer:
                    yield from answer
            except pa.ArrowInvalid as error:
                failures.append(error)
            process.stdout.read()
            code = process.wait()
            feeder.join()
            if code == 0 and not failures:
                return
            said.seek(0)
            reason = said.read().decode().strip() or str(failures)
            raise RuntimeError(f"the engine of sweeps ended with {code}: {reason}")

    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the body of POST /v1/sweeps on Spark, and writes its cells.")
    parser.add_argument("request", type=Path, help="a file with the body")
    parser.add_argument("folder", help="where the cells are written, as Parquet; it must not exist")
    parser.add_argument("--catalog", default="lake", help="the catalog of the tables in the settings of Spark")
    parser.add_argument("--engine", type=Path, default=ENGINE, help="the program that `npm run build:spark` makes")
    parser.add_argument("--node", default="node", help="Node 24, on every machine")
    parser.add_argument("--tasks", type=int, default=0, help="default: four per core")
    given = parser.parse_args()
    spark = SparkSession.builder.getOrCreate()
    request = json.loads(given.request.read_text())
    options = {"catalog": given.catalog, "engine": given.engine, "node": given.node, "tasks": given.tasks}
    sweep_cells(spark, request, **options).write.parquet(given.folder)


if __name__ == "__main__":
    main()
