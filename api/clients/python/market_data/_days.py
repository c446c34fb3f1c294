"""Days of programs as the service takes them."""

from __future__ import annotations

from datetime import date
from typing import Any


def day_of(value: Any) -> str | None:
    """YYYY-MM-DD of a date, datetime, Timestamp, or datetime64, which all begin so when they are written; None for anything else."""
    return str(value)[:10] if isinstance(value, date) or type(value).__name__ == "datetime64" else None
