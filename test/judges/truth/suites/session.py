"""Runs scripts one after another, so that their packages are imported once. Lines in: a path and its input; a line out: `=` and its output, or `!` and its failure."""

import contextlib
import io
import json
import runpy
import sys
import traceback

asked = sys.stdin
while script := asked.readline().rstrip("\n"):
    sys.stdin = io.StringIO(asked.readline())
    written = io.StringIO()
    try:
        with contextlib.redirect_stdout(written):
            runpy.run_path(script, run_name="__main__")
        print("=" + written.getvalue(), flush=True)
    except Exception:
        print("!" + json.dumps(traceback.format_exc()), flush=True)
