/** Values that depend on one bar only. */
import { type Dimension, MONEY, NO_DIMENSION, PRICE, SHARES } from '../../market/basis.ts';
import { civilDate, type Day, weekday } from '../../market/dates.ts';
import { dividendsOn } from '../../market/dividends.ts';
import type { BarSeries } from '../../market/series.ts';
import { type LocalizedText, text } from '../../util/localized-text.ts';
import { type BarFunction, type Column, type Entry, family } from './function.ts';

const SHARED = { kind: 'bar', result: 'value', args: null } as const;
type Entries = Record<string, Entry<BarFunction, 'args'>>;

function daysOf({ day, length }: BarSeries, figureOf: (day: number) => number): Column {
  const out = new Float64Array(length);
  for (let t = 0; t < length; t++) out[t] = figureOf(day[t]);
  return out;
}

function monthOf(day: Day): number {
  const { year, month } = civilDate(day);
  return 12 * year + month;
}

type Figure = 'open' | 'high' | 'low' | 'close' | 'volume';

/** A figure of the bar as it is. */
const figure = (name: Figure, dimension: Dimension, description: LocalizedText): Entries[string] => ({
  isOfCloses: name === 'close',
  description,
  dimension,
  column: (series) => series[name],
});

export const PRICES_AND_VOLUME = family(SHARED, {
  open: figure('open', PRICE, text('Open', '开盘价', '開盤價')),
  high: figure('high', PRICE, text('High', '最高价', '最高價')),
  low: figure('low', PRICE, text('Low', '最低价', '最低價')),
  close: figure('close', PRICE, text('Close', '收盘价', '收盤價')),
  volume: figure('volume', SHARES, text('Shares traded', '成交股数', '成交股數')),
} satisfies Entries);

export const MONIES = family(SHARED, {
  dollar_volume: {
    isOfCloses: false,
    description: text('Close × volume', '收盘价 × 成交量', '收盤價 × 成交量'),
    dimension: MONEY,
    column: ({ close, volume, sums }) => sums?.dollarVolume ?? close.map((price, t) => price * volume[t]),
  },
  dividend: {
    isOfCloses: true,
    isOfHistory: true,
    description: text('Cash dividends per share on the ex-date', '除息日的每股现金股利', '除息日的每股現金股利'),
    dimension: PRICE,
    column: dividendsOn,
  },
} satisfies Entries);

export const DAYS = family(SHARED, {
  day_of_week: {
    isOfCloses: true,
    description: text('1 for Monday to 5 for Friday', '星期一为1，星期五为5', '星期一為1，星期五為5'),
    dimension: NO_DIMENSION,
    column: (series) => daysOf(series, weekday),
  },
  month: {
    isOfCloses: true,
    description: text('1 for January to 12 for December', '一月为1，十二月为12', '一月為1，十二月為12'),
    dimension: NO_DIMENSION,
    column: (series) => daysOf(series, (day) => civilDate(day).month),
  },
  age: {
    isOfCloses: true,
    isOfHistory: true,
    description: text('Calendar months since the listing', '上市以来的月数', '上市以來的月數'),
    dimension: NO_DIMENSION,
    column: (series) => {
      const listed = monthOf(series.listedOn ?? series.day[0]);
      return daysOf(series, (day) => monthOf(day) - listed);
    },
  },
} satisfies Entries);
