import { aboveEarlier, belowEarlier } from '../indicators/scans.ts';
import { text } from '../util/localized-text.ts';
import { integer, number } from './parameters.ts';
import { defineStrategy } from './strategy.ts';

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
