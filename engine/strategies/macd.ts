import { differenceAbove, differenceCrossesAbove } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { integer } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

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
