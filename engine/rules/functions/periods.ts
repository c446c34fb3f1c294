/** Values over bars of whole months or weeks. */
import { text } from '../../util/localized-text.ts';
import { type Entry, family, type PeriodFunction, value } from './function.ts';

export const PERIODS = family({ kind: 'period', result: 'value', args: [value()] }, {
  monthly: {
    period: 'month',
    description: text('x over bars of calendar months', '按自然月K线计算的x', '按自然月K線計算的x'),
  },
  weekly: {
    period: 'week',
    description: text('x over bars of ISO weeks', '按ISO周K线计算的x', '按ISO週K線計算的x'),
  },
} satisfies Record<string, Entry<PeriodFunction, 'args'>>);
