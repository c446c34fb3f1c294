"""The rules of the strategies as signals: an array of entries and one of exits, which count while flat and while long."""

import numpy as np
import pandas as pd
from numpy.lib.stride_tricks import sliding_window_view

TIE = 1e-9


def is_above(a, b):
    """
    a > b by more than a tie, as the service compares: where two means are equal, their rounding decides no trade. A comparison
    with NaN is false.
    """
    return a - b > TIE * np.maximum(np.abs(a), np.abs(b))


def over_window(values, period, statistic):
    """statistic of the last `period` values, NaN before there are so many."""
    out = np.full(len(values), np.nan)
    out[period - 1 :] = statistic(sliding_window_view(values, period), axis=1)
    return out


def before(values):
    """The value of the bar before."""
    return np.concatenate(([np.nan], values[:-1]))


def sma(values, period):
    return over_window(values, period, np.mean)


def wilder_mean(changes, period):
    """Wilder's mean of columns, which starts with the plain mean of the first `period` values."""
    seeded = changes[period - 1 :].copy()
    seeded[0] = changes[:period].mean(axis=0)
    return pd.DataFrame(seeded).ewm(alpha=1 / period, adjust=False).mean().to_numpy()


def wilder_rsi(close, period):
    """The RSI of columns of closes."""
    change = np.diff(close, axis=0)
    gain = wilder_mean(np.maximum(change, 0), period)
    loss = wilder_mean(np.maximum(-change, 0), period)
    with np.errstate(divide="ignore", invalid="ignore"):
        strength = 100 - 100 / (1 + gain / loss)
    return np.vstack((np.full((period, close.shape[1]), np.nan), strength))


def crossings(fast, slow):
    """Entries where the fast mean has come above the slow one, and exits where it is below."""
    is_over = is_above(fast, slow)
    entries = np.zeros(fast.shape, bool)
    entries[1:] = is_over[1:] & ~is_over[:-1] & ~np.isnan(slow[:-1])
    return entries, is_above(slow, fast)


def sma_cross(bars, fast_period, slow_period):
    fast, slow = sma(bars["close"], fast_period), sma(bars["close"], slow_period)
    return crossings(fast, slow)


def donchian(bars, entry_period, exit_period):
    highest = before(over_window(bars["high"], entry_period, np.max))
    lowest = before(over_window(bars["low"], exit_period, np.min))
    return is_above(bars["close"], highest), is_above(lowest, bars["close"])


def rsi_reversion(bars, rsi_period, entry_below, exit_above, trend_period):
    strength = wilder_rsi(bars["close"][:, None], rsi_period)[:, 0]
    return is_above(entry_below, strength), is_above(strength, exit_above)


def buy_hold(bars):
    count = len(bars["close"])
    return np.ones(count, bool), np.zeros(count, bool)


STRATEGIES = {
    "sma_cross": sma_cross,
    "donchian": donchian,
    "rsi_reversion": rsi_reversion,
    "buy_hold": buy_hold,
}


def without_last(entries, fill):
    """The last bar makes no entry: an order that would be filled there is not made."""
    entries[-1 if fill == "close" else -2 :] = False


def signals(bars, run):
    """Returns entries and exits of a run on arrays of bars."""
    entries, exits = STRATEGIES[run["strategy"]](bars, **run["params"])
    without_last(entries, run["fill"])
    return entries, exits
