"""What the scripts of the suites share: JSON in, JSON out, with null for what is not a number."""

import json
import math
import sys


def read():
    return json.load(sys.stdin)


def plain(value):
    """Returns value with lists for arrays, and None for what JSON has no number for."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write(value):
    json.dump(plain(value), sys.stdout)
