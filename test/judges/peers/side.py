"""What the sides in Python share: a question a line on standard input, an answer a line on standard output, all JSON."""

import json
import os
import resource
import sys
import time
import traceback

import numpy as np

COLUMNS = ("open", "high", "low", "close")


def arrays_of(instrument):
    """The prices of an instrument in arrays."""
    return {name: np.array(instrument[name]) for name in COLUMNS}


class Side:
    """A program that runs backtests. Runs are told by {strategy, params, commission, fill}."""

    version = ""

    def load(self, instruments):
        """Takes the bars: {symbol, day, open, high, low, close, volume} of each instrument."""
        raise NotImplementedError

    def trades(self, run):
        """Returns {trades: [[entry bar, exit bar, entry price, exit price], ...], totalReturn} of each instrument."""
        raise NotImplementedError

    def run(self, instrument, run):
        """One run on one instrument, to its statistics."""
        raise NotImplementedError

    def run_grid(self, run, combinations):
        """One run after another on the first instrument, with each combination of parameters."""
        for params in combinations:
            self.run(0, {**run, "params": params})

    def run_sweep(self, runs, instruments):
        """Every run on each of the first instruments."""
        for instrument in range(instruments):
            for run in runs:
                self.run(instrument, run)


def milliseconds(work):
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def peak_mb():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kilobytes on Linux, bytes on macOS.
    return peak / 1024 if sys.platform == "linux" else peak / 1024**2


def timed(side, question):
    what = question["what"]
    if what == "run":

        def repeat():
            for _ in range(question["times"]):
                side.run(0, question["run"])

        return milliseconds(repeat)
    if what == "grid":
        return milliseconds(lambda: side.run_grid(question["run"], question["combinations"]))
    return milliseconds(lambda: side.run_sweep(question["runs"], question["instruments"]))


def answer(side, question):
    asked = question["ask"]
    if asked == "load":
        return side.load(question["instruments"])
    if asked == "trades":
        return side.trades(question["run"])
    if asked == "time":
        return timed(side, question)
    return peak_mb()


def serve(side):
    answers = os.fdopen(os.dup(1), "w")
    # What packages print is no answer.
    os.dup2(2, 1)

    def write(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    write({"version": side.version})
    for line in sys.stdin:
        try:
            write({"answer": answer(side, json.loads(line))})
        except Exception:
            write({"error": traceback.format_exc()})
