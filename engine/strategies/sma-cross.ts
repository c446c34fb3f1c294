import { above, crossesAbove } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { integer } from './parameters.ts';
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
