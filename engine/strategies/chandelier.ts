import { above, aboveBand, belowTrailingStop, both, entersAboveBand } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { choice, flag, integer, number } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

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
