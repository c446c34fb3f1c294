import { differenceAbove, differenceCrossesAbove } from '../indicators/scans.ts';
import { integer } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

export const macdCross = defineStrategy({
  code: 'macd',
  label: { en: 'MACD crossover', 'zh-CN': 'MACD交叉', 'zh-TW': 'MACD交叉' },
  description: {
    en: 'Buys when the MACD crosses above its signal line; sells when it is below.',
    'zh-CN': 'MACD上穿信号线时买入，低于信号线时卖出。',
    'zh-TW': 'MACD上穿訊號線時買進，低於訊號線時賣出。',
  },
  parameters: {
    fast_period: integer(12, [2, 100], {
      en: 'Fast average, bars',
      'zh-CN': '快线周期（根）',
      'zh-TW': '快線週期（根）',
    }),
    slow_period: integer(26, [3, 200], {
      en: 'Slow average, bars',
      'zh-CN': '慢线周期（根）',
      'zh-TW': '慢線週期（根）',
    }),
    signal_period: integer(9, [2, 100], {
      en: 'Signal line, bars',
      'zh-CN': '信号线周期（根）',
      'zh-TW': '訊號線週期（根）',
    }),
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
