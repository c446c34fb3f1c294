"""Values of the rule language, by TA-Lib: the keys are rules, the values what TA-Lib computes for them."""

import numpy
import talib

from common import read, write


def calls(o, h, l, c, v):
    """Returns the columns of TA-Lib for each rule over open, high, low, close, volume."""
    upper, middle, lower = talib.BBANDS(c, 20, 2, 2)
    upper10, _, lower10 = talib.BBANDS(c, 10, 1.5, 1.5)
    line, signal, _ = talib.MACD(c, 12, 26, 9)
    log_returns = talib.LN(talib.ROCR(c, 1))
    before = lambda column: numpy.concatenate(([numpy.nan], column[:-1]))
    ema_difference = talib.EMA(c, 12) - talib.EMA(c, 26)
    stochastic, _ = talib.STOCHF(h, l, c, 14, 1)
    rules = {
        "atr(14)": talib.ATR(h, l, c, 14),
        "atr(1)": talib.ATR(h, l, c, 1),
        "max(high, lag(close, 1)) - min(low, lag(close, 1))": talib.TRANGE(h, l, c),
        "100 * atr(14) / close": talib.NATR(h, l, c, 14),
        "macd(12, 26)": line,
        "macd_signal(12, 26, 9)": signal,
        "ema(12) - ema(26)": ema_difference,
        "bollinger_upper(20, 2)": upper,
        "bollinger_lower(20, 2)": lower,
        "bollinger_upper(10, 1.5)": upper10,
        "bollinger_lower(10, 1.5)": lower10,
        "(bollinger_upper(20, 2) + bollinger_lower(20, 2)) / 2": middle,
        "highest(20)": before(talib.MAX(h, 20)),
        "lowest(20)": before(talib.MIN(l, 20)),
        "stdev_of(close, 20) * stdev_of(close, 20)": talib.VAR(c, 20),
        "20 * sma_of(volume, 20)": talib.SUM(v, 20),
        "sma_of(sma(8), 8)": talib.TRIMA(c, 15),
        "close - lag(close, 10)": talib.MOM(c, 10),
        "close / lag(close, 10)": talib.ROCR(c, 10),
        "sma(12) - sma(26)": talib.APO(c, 12, 26, talib.MA_Type.SMA),
        "100 * (ema(12) - ema(26)) / ema(26)": talib.PPO(c, 12, 26, talib.MA_Type.EMA),
        "2 * rsi(14) - 100": talib.CMO(c, 14),
        "100 * (close - highest_of(high, 14)) / (highest_of(high, 14) - lowest_of(low, 14))": talib.WILLR(h, l, c, 14),
        "100 * (close - lowest_of(low, 14)) / (highest_of(high, 14) - lowest_of(low, 14))": stochastic,
        "(highest_of(high, 14) + lowest_of(low, 14)) / 2": talib.MIDPRICE(h, l, 14),
        "(highest_of(close, 14) + lowest_of(close, 14)) / 2": talib.MIDPOINT(c, 14),
        "(close - open) / (high - low)": talib.BOP(o, h, l, c),
        "(open + high + low + close) / 4": talib.AVGPRICE(o, h, l, c),
        "(high + low + 2 * close) / 4": talib.WCLPRICE(h, l, c),
    }
    for n in (5, 20, 50, 200):
        rules[f"sma({n})"] = talib.SMA(c, n)
        rules[f"ema({n})"] = talib.EMA(c, n)
        rules[f"sma_of(volume, {n})"] = talib.SMA(v, n)
        rules[f"highest_of(high, {n})"] = talib.MAX(h, n)
        rules[f"lowest_of(low, {n})"] = talib.MIN(l, n)
    for n in (2, 14, 21):
        rules[f"rsi({n})"] = talib.RSI(c, n)
    for n in (1, 20, 126):
        rules[f"roc({n})"] = talib.ROC(c, n)
    for n in (5, 20, 60):
        rules[f"stdev_of(close, {n})"] = talib.STDDEV(c, n)
    for n in (20, 60):
        # TA-Lib divides by n, a sample standard deviation by n - 1.
        deviation = talib.STDDEV(log_returns[1:], n) * numpy.sqrt(n / (n - 1) * 252) * 100
        rules[f"volatility({n})"] = numpy.concatenate(([numpy.nan], deviation))
    return rules


def columns(series):
    return [numpy.array(series[name], dtype=float) for name in ("open", "high", "low", "close", "volume")]


write({series["symbol"]: calls(*columns(series)) for series in read()})
