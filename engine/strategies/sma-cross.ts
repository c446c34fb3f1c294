import { above, crossesAbove } from '../indicators/scans.ts';
import { integer } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

export const smaCross = defineStrategy({
  code: 'sma_cross',
  label: { en: 'Moving-average crossover', 'zh-CN': '均线交叉', 'zh-TW': '均線交叉' },
  description: {
    en: 'Buys when the fast average crosses above the slow one; sells when it is below.',
    'zh-CN': '快线上穿慢线时买入，快线低于慢线时卖出。',
    'zh-TW': '快線上穿慢線時買進，快線低於慢線時賣出。',
  },
  parameters: {
    fast_period: integer(20, [2, 200], {
      en: 'Fast average, bars',
      'zh-CN': '快线周期（根）',
      'zh-TW': '快線週期（根）',
    }),
    slow_period: integer(50, [3, 400], {
      en: 'Slow average, bars',
      'zh-CN': '慢线周期（根）',
      'zh-TW': '慢線週期（根）',
    }),
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
