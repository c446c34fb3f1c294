/** The tables of an instrument's page: its candles, and what has happened to its shares. */
import type { Column } from './elements/data-table.ts';
import { eventFigure, eventName, type MarketEvent } from './events.ts';
import { CLOSE_COLUMN } from './market-columns.ts';
import { number, price, signedPercent, t, tone } from './text.ts';
import type { Kline } from './types.ts';

type Candle = Kline['bars'][number];

interface CandleRow extends Candle {
  readonly change: number | null;
}

export function withChange(bars: readonly Candle[]): CandleRow[] {
  return bars.map((bar, i) => ({ ...bar, change: i === 0 ? null : 100 * (bar.close / bars[i - 1].close - 1) }));
}

export const CANDLE_COLUMNS: readonly Column<CandleRow>[] = [
  { key: 'ts', title: t('word.date'), value: ({ ts }) => ts },
  { key: 'open', title: t('word.open'), isNumber: true, value: ({ open }) => open, cell: ({ open }) => price(open) },
  { key: 'high', title: t('word.high'), isNumber: true, value: ({ high }) => high, cell: ({ high }) => price(high) },
  { key: 'low', title: t('word.low'), isNumber: true, value: ({ low }) => low, cell: ({ low }) => price(low) },
  CLOSE_COLUMN,
  {
    key: 'change',
    title: t('word.change'),
    isNumber: true,
    value: ({ change }) => change,
    cell: ({ change }) => signedPercent(change),
    tone: ({ change }) => tone(change),
  },
  {
    key: 'volume',
    title: t('word.volume'),
    isNumber: true,
    value: ({ volume }) => volume,
    cell: ({ volume }) => number(volume),
  },
];

export const EVENT_COLUMNS: readonly Column<MarketEvent>[] = [
  { key: 'ex_date', title: t('event.ex_date'), value: ({ ex_date }) => ex_date },
  { key: 'kind', title: t('event.kind'), value: ({ kind }) => kind, cell: eventName },
  { key: 'figure', title: t('event.figure'), isNumber: true, cell: eventFigure },
];
