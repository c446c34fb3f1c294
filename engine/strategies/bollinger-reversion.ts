import { atLeast, belowBand } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { integer, number } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

export const bollingerReversion = defineStrategy({
  code: 'bollinger_reversion',
  label: text('Bollinger mean reversion', '布林带均值回归', '布林通道均值回歸'),
  description: text(
    'Buys a close below the lower band; sells a close at or above the average.',
    '收盘价跌破下轨时买入，回到中轨及以上时卖出。',
    '收盤價跌破下軌時買進，回到中軌及以上時賣出。',
  ),
  parameters: {
    period: integer(20, [5, 200], text('Band, bars', '布林带周期（根）', '布林通道週期（根）')),
    mult: number(2, [0.5, 5], text('Band width, deviations', '带宽（标准差倍数）', '通道寬度（標準差倍數）')),
  },
  rules: {
    entry: 'close < bollinger_lower($period, $mult)',
    exit: 'close >= sma($period)',
  },
  signals: (indicators, { period, mult }) => {
    const { close } = indicators.series;
    const mean = indicators.sma(period);
    return {
      entry: belowBand(close, mean, indicators.stdev(period), mult),
      exit: atLeast(close, mean),
      trail: null,
      stop: null,
    };
  },
});
