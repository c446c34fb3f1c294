/** Fields of highs and lows. */
import { isAbove, isBelow } from '../indicators/ties.ts';
import { text } from '../util/localized-text.ts';
import { beforePeriod, closeOf, type Field, flag, inPeriod, last } from './field.ts';
import { barsSinceHighest, highestOf, lowestOf } from './figures.ts';

export const HIGH_LOW_FIELDS: readonly Field[] = [
  {
    code: 'near_high_pct',
    kind: 'number',
    defaultPeriod: 252,
    unit: 'percent',
    lookback: inPeriod,
    label: text('Close against high, %', '接近高点（%）', '接近高點（%）'),
    description: text('100 × close ÷ highest high of the period', '收盘价 ÷ 区间最高价', '收盤價 ÷ 區間最高價'),
    compute: (window, period) => (100 * closeOf(window)) / highestOf(window, period),
  },
  {
    code: 'new_high',
    kind: 'boolean',
    defaultPeriod: 252,
    unit: 'flag',
    lookback: beforePeriod,
    label: text('New high', '创新高', '創新高'),
    description: text('High above all of the bars before', '最高价高于此前区间', '最高價高於先前區間'),
    compute: (window, period) => flag(isAbove(window.bars.high[last(window)], highestOf(window, period, 1))),
  },
  {
    code: 'new_low',
    kind: 'boolean',
    defaultPeriod: 252,
    unit: 'flag',
    lookback: beforePeriod,
    label: text('New low', '创新低', '創新低'),
    description: text('Low below all of the bars before', '最低价低于此前区间', '最低價低於先前區間'),
    compute: (window, period) => flag(isBelow(window.bars.low[last(window)], lowestOf(window, period, 1))),
  },
  {
    code: 'pullback_from_high_pct',
    kind: 'number',
    defaultPeriod: 60,
    unit: 'percent',
    lookback: inPeriod,
    label: text('Pullback from high, %', '高点回撤（%）', '高點回落（%）'),
    description: text(
      'Fall of the close below the highest high',
      '收盘价较区间最高价的回落',
      '收盤價較區間最高價的回落',
    ),
    compute: (window, period) => 100 * (1 - closeOf(window) / highestOf(window, period)),
  },
  {
    code: 'range_position_pct',
    kind: 'number',
    defaultPeriod: 20,
    unit: 'percent',
    lookback: inPeriod,
    label: text('Position in range, %', '区间位置（%）', '區間位置（%）'),
    description: text(
      '0 at the lowest low, 100 at the highest high',
      '区间最低价为0，最高价为100',
      '區間最低價為0，最高價為100',
    ),
    compute: (window, period) => {
      const low = lowestOf(window, period);
      const span = highestOf(window, period) - low;
      return span === 0 ? Number.NaN : (100 * (closeOf(window) - low)) / span;
    },
  },
  {
    code: 'days_since_high',
    kind: 'number',
    defaultPeriod: 252,
    unit: 'bars',
    lookback: inPeriod,
    label: text('Bars since high', '距高点天数（根）', '距高點天數（根）'),
    description: text('Bars since the highest high of the period', '距区间最高价的交易日数', '距區間最高價的交易日數'),
    compute: barsSinceHighest,
  },
];
