/** Every bar of a session: `/v1/market/{date}`. */
import Papa from 'papaparse';
import { type SessionBar, selectSessionBars } from '../../db/market/bars.ts';
import type { Pool } from '../../db/pool.ts';
import { isSession } from '../../engine/market/calendar.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { tickerOn } from '../../engine/market/ticker-book.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { assertWithin, type PlanCode } from '../access/plans.ts';
import { ARROW_STREAM, arrowFile } from '../http/answer/arrow.ts';
import { FileReply, type FileStream } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { figureColumns } from './arrow-bars.ts';
import { assertPast } from './directory-as-of.ts';
import type { MarketView } from './market-view.ts';
import { day, figures, symbol, timelinessSchema, venueBasis, venueLabel } from './schemas.ts';
import { consolidatedVenue, dayText, timelinessOf } from './timeliness.ts';

/** The content types of a session. */
export const SESSION_TYPES = ['application/json', 'text/csv', ARROW_STREAM] as const;

export const sessionSchema = z
  .object({
    date: day,
    venue_mode: venueBasis,
    venue_mode_label: venueLabel,
    timeliness: timelinessSchema,
    count: z.int().min(0),
    bars: z.array(z.object({ symbol: symbol.meta({ description: 'Of the day' }), current_symbol: symbol, ...figures })),
  })
  .meta({ id: 'Session', description: 'Bars as traded, by symbol of today' });

type Session = z.input<typeof sessionSchema>;

const HEAD = ['symbol', 'current_symbol', 'open', 'high', 'low', 'close', 'volume'] as const;

export interface SessionCall {
  readonly services: { readonly pool: Pool; readonly market: MarketView };
  readonly plan: PlanCode;
  readonly locale: Locale;
}

/** Throws for a day that the plan does not include, and for one without bars. */
export async function sessionOf(
  { services: { pool, market }, plan, locale }: SessionCall,
  date: Day,
  type: (typeof SESSION_TYPES)[number],
): Promise<Session | FileReply | FileStream> {
  assertPast(market, date);
  assertWithin({ plan }, 'kline_max_days', (market.newestSession ?? date) - date + 1);
  const rows = isSession(date) ? await selectSessionBars(pool, 'consolidated', date) : [];
  if (rows.length === 0) {
    throw new ServiceError('no_data_on_day', {
      date: formatDay(date),
      nearest: dayText(market.sessionNear(date)) ?? '',
    });
  }
  const bars = barsOf(market, date, rows);
  const name = `market-${formatDay(date)}`;
  if (type === ARROW_STREAM) return arrowFile(name, [arrowRows(bars)], { date: formatDay(date) });
  if (type === 'text/csv') return new FileReply(`${name}.csv`, type, csvOf(bars));
  const { length: count } = bars;
  return { date: formatDay(date), ...consolidatedVenue(locale), timeliness: timelinessOf(market, locale), count, bars };
}

function barsOf({ directory }: MarketView, date: Day, rows: readonly SessionBar[]): Session['bars'] {
  const items = new Map(directory.items.map((item) => [item.id, item]));
  const bars = rows.flatMap(({ instrument_id: id, ...values }) => {
    const item = items.get(id);
    return item
      ? [{ symbol: qualifiedSymbol(tickerOn(item.instrument, date)), current_symbol: item.qualified, ...values }]
      : [];
  });
  return bars.sort((a, b) => (a.current_symbol < b.current_symbol ? -1 : 1));
}

function arrowRows(bars: Session['bars']) {
  const values = fromKeys(['open', 'high', 'low', 'close', 'volume'] as const, (name) =>
    Float64Array.from(bars, (bar) => bar[name]),
  );
  return {
    length: bars.length,
    columns: {
      symbol: { type: 'text', values: bars.map((bar) => bar.symbol) },
      current_symbol: { type: 'text', values: bars.map((bar) => bar.current_symbol) },
      ...figureColumns(values),
    },
  } as const;
}

function csvOf(bars: Session['bars']): string {
  return `${Papa.unparse({ fields: [...HEAD], data: bars.map((bar) => HEAD.map((name) => bar[name])) }, { newline: '\r\n' })}\r\n`;
}
