"""The value of a column at sessions, by pandas: merge_asof on the later of two dates."""
import json
import sys

import pandas as pd

request = json.load(sys.stdin)
answers = []
for case in request:
    rows = pd.DataFrame(case["rows"], columns=["date", "seen", "value"], dtype=float)
    rows["at"] = rows[["date", "seen"]].max(axis=1)
    rows = rows.sort_values(["at", "date"], kind="stable")
    # A row about an older day than one already known says nothing new.
    rows = rows[rows["date"] >= rows["date"].cummax()]
    sessions = pd.DataFrame({"session": case["sessions"]}, dtype=float)
    merged = pd.merge_asof(sessions, rows, left_on="session", right_on="at")
    answers.append([None if pd.isna(value) else value for value in merged["value"]])
json.dump(answers, sys.stdout)
