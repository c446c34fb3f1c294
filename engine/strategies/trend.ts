/** Strategies that hold: while a trend lasts, or always. */
import {
  above,
  aboveBand,
  aboveEarlier,
  always,
  belowEarlier,
  belowTrailingStop,
  both,
  crossesAbove,
  differenceAbove,
  differenceCrossesAbove,
  entersAboveBand,
} from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { choice, flag, integer, number } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

export const smaCross = defineStrategy({
  code: 'sma_cross',
  label: text('Moving-average crossover', '均线交叉', '均線交叉'),
  description: text(
    'Buys when the fast average crosses above the slow one; sells when it is below.',
    '快线上穿慢线时买入，快线低于慢线时卖出。',
    '快線上穿慢線時買進，快線低於慢線時賣出。',
  ),
  parameters: {
    fast_period: integer(20, [2, 200], text('Fast average, bars', '快线周期（根）', '快線週期（根）')),
    slow_period: integer(50, [3, 400], text('Slow average, bars', '慢线周期（根）', '慢線週期（根）')),
  },
  ordered: [['fast_period', 'slow_period']],
  rules: {
    entry: 'crosses_above(sma($fast_period), sma($slow_period))',
    exit: 'sma($fast_period) < sma($slow_period)',
  },
  signals: (indicators, { fast_period, slow_period }) => {
    const fast = indicators.sma(fast_period);
    const slow = indicators.sma(slow_period);
    return { entry: crossesAbove(fast, slow), exit: above(slow, fast), trail: null, stop: null };
  },
});

export const macdCross = defineStrategy({
  code: 'macd',
  label: text('MACD crossover', 'MACD交叉', 'MACD交叉'),
  description: text(
    'Buys when the MACD crosses above its signal line; sells when it is below.',
    'MACD上穿信号线时买入，低于信号线时卖出。',
    'MACD上穿訊號線時買進，低於訊號線時賣出。',
  ),
  parameters: {
    fast_period: integer(12, [2, 100], text('Fast average, bars', '快线周期（根）', '快線週期（根）')),
    slow_period: integer(26, [3, 200], text('Slow average, bars', '慢线周期（根）', '慢線週期（根）')),
    signal_period: integer(9, [2, 100], text('Signal line, bars', '信号线周期（根）', '訊號線週期（根）')),
  },
  ordered: [['fast_period', 'slow_period']],
  rules: {
    entry: 'crosses_above(macd($fast_period, $slow_period), macd_signal($fast_period, $slow_period, $signal_period))',
    exit: 'macd($fast_period, $slow_period) < macd_signal($fast_period, $slow_period, $signal_period)',
  },
  signals: (indicators, { fast_period, slow_period, signal_period }) => {
    const { close } = indicators.series;
    const { line, signal } = indicators.macd(fast_period, slow_period, signal_period);
    return {
      entry: differenceCrossesAbove(line, signal, close),
      exit: differenceAbove(signal, line, close),
      trail: null,
      stop: null,
    };
  },
});

export const donchian = defineStrategy({
  code: 'donchian',
  label: text('Donchian breakout', '唐奇安通道突破', '唐奇安通道突破'),
  description: text(
    'Buys a close above the highest high of the bars before; sells a close below their lowest low.',
    '收盘价突破此前最高价时买入，跌破此前最低价时卖出。',
    '收盤價突破先前最高價時買進，跌破先前最低價時賣出。',
  ),
  parameters: {
    entry_period: integer(20, [2, 252], text('Entry channel, bars', '入场通道周期（根）', '進場通道週期（根）')),
    exit_period: integer(10, [2, 252], text('Exit channel, bars', '出场通道周期（根）', '出場通道週期（根）')),
  },
  rules: {
    entry: 'close > highest($entry_period)',
    exit: 'close < lowest($exit_period)',
  },
  signals: (indicators, { entry_period, exit_period }) => {
    const { close } = indicators.series;
    const highest = indicators.highestBefore(entry_period);
    const lowest = indicators.lowestBefore(exit_period);
    return { entry: above(close, highest), exit: above(lowest, close), trail: null, stop: null };
  },
});

/** Trend entry above a moving average, exit at a stop that hangs from the peak (Le Beau's chandelier exit). */
export const chandelier = defineStrategy({
  code: 'chandelier',
  label: text('Chandelier exit', '吊灯止损', '吊燈停損'),
  description: text(
    'Buys strength above a moving average; sells when the close falls a multiple of the ATR below the peak.',
    '价格强于均线时买入；收盘价自高点回落若干倍ATR时卖出。',
    '價格強於均線時買進；收盤價自高點回落若干倍ATR時賣出。',
  ),
  parameters: {
    sma_period: integer(50, [2, 400], text('Moving average, bars', '均线周期（根）', '均線週期（根）')),
    atr_period: integer(22, [2, 200], text('ATR, bars', 'ATR周期（根）', 'ATR週期（根）')),
    entry_mult: number(
      0.5,
      [0, 10],
      text('Entry band, ATRs above the average', '入场带宽（均线上方ATR倍数）', '進場帶寬（均線上方ATR倍數）'),
    ),
    exit_mult: number(
      3,
      [0.5, 20],
      text('Stop distance, ATRs below the peak', '止损距离（高点下方ATR倍数）', '停損距離（高點下方ATR倍數）'),
    ),
    entry_mode: choice(['band', 'cross', 'breakout'], text('Entry rule', '入场方式', '進場方式')),
    trail_mode: choice(['high', 'close'], text('Peak of', '高点取值', '高點取值')),
    ratchet: flag(true, text('Stop never falls', '止损只升不降', '停損只升不降')),
  },
  rules: {
    entry: 'close > sma($sma_period) + $entry_mult * atr($atr_period)',
    trail: 'peak - $exit_mult * atr($atr_period)',
  },
  signals: (indicators, { sma_period, atr_period, entry_mult, exit_mult, entry_mode, trail_mode, ratchet }) => {
    const { series } = indicators;
    const { close } = series;
    const mean = indicators.sma(sma_period);
    const range = indicators.atr(atr_period);
    const entries = {
      band: () => aboveBand(close, mean, range, entry_mult),
      cross: () => entersAboveBand(close, mean, range, entry_mult),
      breakout: () => both(above(close, indicators.highestBefore(sma_period)), above(close, mean)),
    };
    return {
      entry: entries[entry_mode](),
      exit: null,
      stop: null,
      trail: belowTrailingStop(close, {
        source: trail_mode === 'high' ? series.high : close,
        range,
        multiple: exit_mult,
        isRatchet: ratchet,
      }),
    };
  },
});

export const rocMomentum = defineStrategy({
  code: 'roc_momentum',
  label: text('Rate-of-change momentum', '变动率动量', '變動率動能'),
  description: text(
    'Holds while the rate of change is above a threshold.',
    '变动率高于阈值时持有。',
    '變動率高於門檻時持有。',
  ),
  parameters: {
    period: integer(126, [2, 252], text('Look-back, bars', '回看周期（根）', '回顧週期（根）')),
    entry_above: number(0, [-50, 100], text('Buy above, %', '买入阈值（高于，%）', '買進門檻（高於，%）')),
    exit_below: number(0, [-50, 100], text('Sell below, %', '卖出阈值（低于，%）', '賣出門檻（低於，%）')),
  },
  rules: {
    entry: 'roc($period) > $entry_above',
    exit: 'roc($period) < $exit_below',
  },
  signals: (indicators, { period, entry_above, exit_below }) => {
    const { close } = indicators.series;
    return {
      entry: aboveEarlier(close, period, 1 + entry_above / 100),
      exit: belowEarlier(close, period, 1 + exit_below / 100),
      trail: null,
      stop: null,
    };
  },
});

export const buyHold = defineStrategy({
  code: 'buy_hold',
  label: text('Buy and hold', '买入持有', '買進持有'),
  description: text('Buys at once and holds to the end.', '立即买入并持有至结束。', '立即買進並持有至結束。'),
  parameters: {},
  rules: {
    entry: 'close > 0',
  },
  signals: () => ({ entry: always, exit: null, trail: null, stop: null }),
});
