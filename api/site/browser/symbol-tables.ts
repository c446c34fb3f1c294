/** The tables of an instrument's page: its candles, the events of its shares, and its facts. */

import { CLOSE_COLUMN } from './columns.ts';
import { type Column, numberColumn } from './elements/data-table.ts';
import { eventFigure, eventName, type MarketEvent } from './events.ts';
import { day, number, price, signedPercent, t, textOr, tone } from './text.ts';
import type { Kline, StaticInfo } from './types.ts';

type Candle = Kline['bars'][number];

interface CandleRow extends Candle {
  readonly change: number | null;
}

export function withChange(bars: readonly Candle[]): CandleRow[] {
  return bars.map((bar, i) => ({ ...bar, change: i === 0 ? null : 100 * (bar.close / bars[i - 1].close - 1) }));
}

/** Index of the first bar of the last `months`; null: of all bars. */
export function firstShown(bars: readonly Candle[], months: number | null): number {
  if (months === null || bars.length === 0) return 0;
  const start = new Date(bars[bars.length - 1].ts);
  start.setUTCMonth(start.getUTCMonth() - months);
  const iso = start.toISOString().slice(0, 10);
  return Math.max(
    0,
    bars.findIndex(({ ts }) => ts >= iso),
  );
}

export const CANDLE_COLUMNS: readonly Column<CandleRow>[] = [
  { key: 'ts', title: t('word.date'), value: ({ ts }) => ts },
  numberColumn('open', t('word.open'), ({ open }) => open, price),
  numberColumn('high', t('word.high'), ({ high }) => high, price),
  numberColumn('low', t('word.low'), ({ low }) => low, price),
  CLOSE_COLUMN,
  numberColumn('change', t('word.change'), ({ change }) => change, signedPercent, tone),
  numberColumn('volume', t('word.volume'), ({ volume }) => volume),
];

export const EVENT_COLUMNS: readonly Column<MarketEvent>[] = [
  { key: 'ex_date', title: t('event.ex_date'), value: ({ ex_date }) => ex_date },
  { key: 'kind', title: t('event.kind'), value: ({ kind }) => kind, cell: eventName },
  { key: 'figure', title: t('event.figure'), isNumber: true, cell: eventFigure },
];

/** The names and values of an instrument's facts. */
export function factsOf(facts: StaticInfo): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [
    [t('symbol.asset_type'), textOr(`symbol.asset.${facts.asset_type}`, facts.asset_type)],
    [t('symbol.venue'), facts.primary_venue],
    [t('symbol.currency'), facts.currency],
    [t('symbol.lot'), number(facts.lot_size)],
    [t('symbol.listed'), day(facts.listed_on)],
    [t('symbol.history'), historyText(facts)],
  ];
  if (facts.delisted_on) rows.push([t('symbol.delisted'), day(facts.delisted_on)]);
  if (facts.previous_symbols.length > 0) {
    const former = facts.previous_symbols.map(({ symbol, last_day }) =>
      t('symbol.ticker.until', { symbol, date: day(last_day) }),
    );
    rows.push([t('symbol.tickers'), former.join(' · ')]);
  }
  return rows;
}

function historyText({ history_start, history_end }: StaticInfo): string {
  if (history_start === null) return t('symbol.history.none');
  return t('symbol.history.range', { start: day(history_start), end: day(history_end) });
}
