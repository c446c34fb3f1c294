"""A sweep and a panel on Spark. Reads what to run, and writes how long it took and what was killed."""
import json
import os
import signal
import sys
import threading
import time
from datetime import date
from pathlib import Path

given = json.load(sys.stdin)
os.environ["PYSPARK_SUBMIT_ARGS"] = f"--master {given['master']} pyspark-shell"
os.environ["PYSPARK_PYTHON"] = sys.executable
SPARK = Path(__file__).parents[1] / "deploy" / "spark"
sys.path.append(str(SPARK))

from connect_spark import spark
from sweep import sweep_cells

# A number of tasks that no other stage has.
TASKS = 17
spark.sparkContext.setLogLevel("ERROR")


def run(folder, request):
    """Writes the cells, and returns the seconds."""
    start = time.monotonic()
    cells = sweep_cells(spark, request, engine=Path(given["engine"]), node=given["node"], tasks=TASKS)
    cells.write.parquet(folder)
    return time.monotonic() - start


def executors():
    """Process ids of the executors that run tasks: each has started the daemon of its Python workers."""

    def executor(_):
        return int(Path(f"/proc/{os.getppid()}/stat").read_text().rsplit(")", 1)[1].split()[1])

    tasks = 8 * given["executors"]
    return set(spark.sparkContext.parallelize(range(tasks), tasks).map(executor).collect())


def run_with_a_kill(folder):
    """Kills an executor between the first and the last task of the cells."""
    tracker = spark.sparkContext.statusTracker()
    [victim, *_] = sorted(executors())
    is_over, killed = threading.Event(), {}

    def watch():
        while not killed and not is_over.wait(0.02):
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info and info.numTasks == TASKS and 0 < info.numCompletedTasks < TASKS - 1:
                    os.kill(victim, signal.SIGKILL)
                    killed.update(completed=info.numCompletedTasks, tasks=TASKS)
                    return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        run(folder, given["request"])
    finally:
        is_over.set()
        watcher.join()
    return {**killed, "isGone": victim not in executors()}


def panel(question):
    rows = spark.sql((SPARK / "panel.sql").read_text(), {**question, "start": date.fromisoformat(question["start"])})
    return [[row.date.isoformat(), row.symbol, row.score, row.rank, row.is_held] for row in rows.collect()]


folder = Path(given["folder"])
result = {"seconds": {name: [] for name in given["measured"]}}
for i in range(given["rounds"]):
    for name, request in given["measured"].items():
        result["seconds"][name].append(run(str(folder / f"{name}-{i}"), request))
if given["isChecked"]:
    result["killed"] = run_with_a_kill(str(folder / "cells-after-a-kill"))
    result["panel"] = panel(given["panel"])
spark.stop()
json.dump(result, sys.stdout)
