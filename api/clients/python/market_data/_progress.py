"""A bar for jobs that take longer than a moment, in a terminal and in a notebook."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

from ._models import JobState

#: Shorter jobs show nothing.
FIRST_S = 1.0
WIDTH = 30


class Bar:
    """The state of one job, in a line that is removed at its end. Of several jobs at once, only one is shown."""

    _shown: Bar | None = None

    def __init__(self, name: str) -> None:
        self._name = name
        self._began = time.monotonic()
        self._display: Any = None

    def update(self, state: JobState) -> None:
        took_s = int(time.monotonic() - self._began)
        if took_s < FIRST_S or Bar._shown not in (None, self):
            return
        Bar._shown = self
        filled = "" if state.percent is None else "█" * int(WIDTH * state.percent / 100)
        share = state.status if state.percent is None else f"{filled:·<{WIDTH}} {state.percent:.0f} %"
        self._show(f"{self._name} {share}, {took_s // 60}:{took_s % 60:02}")

    def close(self) -> None:
        if Bar._shown is self:
            self._show("")
            Bar._shown = None

    def _show(self, text: str) -> None:
        if not _in_notebook():
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        elif self._display is None:
            self._display = importlib.import_module("IPython.display").display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._display.update({"text/plain": text}, raw=True)


def bar_of(name: str) -> Bar | None:
    """A bar where a person sees it: in a terminal or a notebook."""
    return Bar(name) if _in_notebook() or (sys.stderr is not None and sys.stderr.isatty()) else None


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"
