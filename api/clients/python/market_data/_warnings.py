"""Warnings about answers that are not all that was asked for."""

from __future__ import annotations

import sys
import warnings

_PACKAGE = __name__.rsplit(".", 1)[0]


class MarketWarning(UserWarning):
    """The answer is not all that was asked for: a plan, a limit, or a wrong symbol has cut it."""


def warn(message: str, category: type[Warning] = MarketWarning) -> None:
    """Warns at the line of the program that called the client."""
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
