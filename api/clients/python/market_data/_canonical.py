"""JSON as RFC 8785 writes it: equal values give equal bytes, and so equal digests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any


def canonical_json(value: Any) -> str:
    if isinstance(value, Mapping):
        names = sorted(value, key=lambda name: str(name).encode("utf-16-be"))
        return "{" + ",".join(f"{_text(name)}:{canonical_json(value[name])}" for name in names) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(float(value))
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """A number as JavaScript prints it. Python has the same digits, but other forms: 5.0 for 5, and 1e-07 for 1e-7."""
    if value == 0:
        return "0"
    sign, parts, exponent = Decimal(repr(value)).normalize().as_tuple()
    digits = "".join(map(str, parts))
    point = len(digits) + int(exponent)
    if 0 < point <= 21:
        written = digits.ljust(point, "0")[:point] + (f".{digits[point:]}" if point < len(digits) else "")
    elif -6 < point <= 0:
        written = f"0.{'0' * -point}{digits}"
    else:
        written = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "") + f"e{point - 1:+d}"
    return "-" * sign + written
