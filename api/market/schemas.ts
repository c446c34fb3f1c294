/** Responses of market data. */
import { TABLES } from '../../db/schema/tables.ts';
import { ADJUSTMENT_KINDS } from '../../engine/market/adjust.ts';
import { DISTRIBUTION_MODES } from '../../engine/market/calendar.ts';
import { FINDING_KINDS } from '../../engine/market/findings.ts';
import { INTERVALS } from '../../engine/market/minute-bars.ts';
import { PERIODS } from '../../engine/market/series.ts';
import { MAX_RANGES } from '../../engine/market/session-ledger.ts';
import { MARKETS } from '../../engine/market/symbols.ts';
import { RANGE_REASONS } from '../../engine/market/time-range.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { symbolField, z } from '../http/input/fields.ts';

/** Errors of every route of an instrument. */
export const SYMBOL_ERRORS = ['invalid_symbol', 'market_not_open', 'symbol_not_found'] as const;

export const symbolPath = z.object({ symbol: symbolField.meta({ example: 'ACRX.US' }) });

/** Forms of prices before they are adjusted. */
export const PRICE_FORMS = TABLES.instruments.prices.values;

export const day = z.iso.date().meta({ format: 'date' });
export const symbol = z.string().meta({ example: 'ACRX.US' });
const price = z.number().meta({ description: 'In the currency of the instrument' });
const volume = z.int().min(0).meta({ description: 'Shares' });
export const venueBasis = z.enum(VENUE_BASES);
export const venueLabel = z.string().meta({ description: 'The venue basis in the negotiated language' });

export const timelinessSchema = z
  .object({
    mode: z.enum(DISTRIBUTION_MODES),
    delayed: z.boolean(),
    delay_minutes: z.int().nullable(),
    label: z.string(),
    max_date: day.nullable().meta({ description: 'The newest date that is loaded and may be distributed' }),
  })
  .meta({ id: 'Timeliness' });

export const missingSessionsSchema = z
  .object({
    count: z.int().min(0),
    ranges: z
      .array(z.object({ start: day, end: day }))
      .max(MAX_RANGES)
      .meta({ description: `Consecutive missing sessions, oldest first, at most ${MAX_RANGES} ranges` }),
  })
  .meta({
    id: 'MissingSessions',
    description:
      'Sessions in the range that are published, may be distributed, and are not completely loaded, while the ' +
      'instrument was listed',
  });

const currentSymbol = symbol.optional().meta({ description: 'With `as_of`: the symbol of today' });

const instrumentHead = { symbol, name: z.string(), market: z.enum(MARKETS), currency: z.string() };

export const suspectSchema = z
  .object({
    code: z.literal('data_suspect'),
    level: z.literal('warning'),
    message: z.string(),
    details: z.object({
      findings: z.array(z.object({ symbol, kind: z.enum(FINDING_KINDS), date: day })),
      count: z.int().min(1),
    }),
  })
  .meta({
    id: 'SuspectNote',
    description:
      'Bars in doubt: an event that prices contradict, a jump like that of a split without one, or a long hole',
  });

export const quoteSchema = z
  .object({
    ...instrumentHead,
    last: price,
    open: price,
    high: price,
    low: price,
    prev_close: price.nullable().meta({
      description: 'The close of the previous bar, adjusted to the share count of today; null on the first day',
    }),
    change: price.nullable(),
    change_pct: z.number().nullable().meta({ description: 'Percent' }),
    volume,
    ts: z.iso.datetime({ offset: true }).meta({ description: 'The close of the session, with UTC offset' }),
    as_of: day,
    delayed: z.boolean(),
    venue_mode: venueBasis,
    venue_mode_label: venueLabel,
    timeliness: timelinessSchema,
    source: z.literal('eod'),
  })
  .meta({ id: 'Quote' });

export const figures = { open: price, high: price, low: price, close: price, volume };

export const klineSchema = z
  .object({
    ...instrumentHead,
    period: z.enum(PERIODS),
    adjust: z.enum(['none', 'qfq', 'total']),
    adjust_applied: z.boolean(),
    venue_mode: venueBasis,
    venue_mode_label: venueLabel,
    delayed: z.boolean(),
    as_of: day.nullable(),
    timeliness: timelinessSchema,
    start: day.nullable(),
    end: day.nullable(),
    limited_by_plan: z.boolean().meta({ description: 'Whether the plan has cut off bars of the requested range' }),
    data_range: z.object({
      prices: z.enum(PRICE_FORMS).meta({
        description: 'What the prices are before `adjust`. But for those as traded, no event is applied to them',
      }),
      requested_start: day.nullable().meta({ description: 'The `start` of the call; null if there was none' }),
      actual_start: day.nullable().meta({ description: 'The day of the first returned bar; null if there is none' }),
      truncated: z.boolean().meta({
        description: 'Whether the history begins after `start`, or its first sessions are not loaded',
      }),
      reason_codes: z.array(z.enum(RANGE_REASONS)),
      hints: z.array(z.string()).meta({ description: 'One localized text per reason' }),
    }),
    missing_sessions: missingSessionsSchema,
    notes: z
      .array(
        z.union([
          z.object({
            code: z.enum(['older_bars_in_backtests', 'incomplete_history']),
            level: z.enum(['info', 'warning']),
            message: z.string(),
          }),
          suspectSchema,
        ]),
      )
      .meta({
        description:
          '`older_bars_in_backtests`: older bars exist on the primary-session basis, which backtests use and candles do ' +
          'not. `incomplete_history`: see `missing_sessions`; the message says when a load is filling them',
      }),
    first_bar_partial: z.boolean(),
    last_bar_partial: z.boolean(),
    count: z.int().min(0),
    bars: z.array(z.object({ ts: day, ...figures })),
  })
  .meta({ id: 'Candles' });

export const eventFields = {
  kind: z.enum(ADJUSTMENT_KINDS),
  ex_date: day,
  factor: z.number().meta({ description: 'Prices before the ex-date are multiplied by it' }),
  amount: z.number().nullable().meta({
    description:
      'Of a cash dividend, per share: the previous close × (1 − factor). Null for other kinds, and if there is no previous bar',
  }),
};

export const eventsSchema = z
  .object({
    symbol,
    name: z.string(),
    market: z.enum(MARKETS),
    currency: z.string(),
    count: z.int().min(0),
    events: z.array(z.object(eventFields)),
  })
  .meta({ id: 'Events', description: 'Through the newest bar, oldest first' });

export const staticSchema = z
  .object({
    symbol,
    current_symbol: currentSymbol,
    raw_symbol: z.string(),
    market: z.enum(MARKETS),
    name: z.string(),
    asset_type: z.string(),
    primary_venue: z.string(),
    currency: z.string(),
    listed_on: day.nullable(),
    delisted_on: day.nullable(),
    is_delisted: z.boolean(),
    is_popular: z.boolean(),
    delisting_return_pct: z.number().optional(),
    lot_size: z.int().min(1),
    status: z.enum(['active', 'delisted']),
    history_start: day.nullable(),
    history_end: day.nullable(),
    venue_mode: venueBasis,
    venue_mode_label: venueLabel,
    timeliness: timelinessSchema,
    previous_symbols: z.array(z.object({ symbol, last_day: day })),
    note: z.string().nullable(),
  })
  .meta({ id: 'StaticInfo' });

export const symbolItemSchema = z
  .object({
    symbol,
    current_symbol: currentSymbol,
    raw_symbol: z.string(),
    market: z.enum(MARKETS),
    exchange: z.enum(['US', 'HK', 'SH', 'SZ']),
    currency: z.string(),
    name: z.string(),
    asset_type: z.string(),
    primary_venue: z.string(),
    listed_on: day.nullable(),
    delisted_on: day.nullable(),
    is_delisted: z.boolean(),
    is_popular: z.boolean(),
  })
  .meta({ id: 'SymbolItem' });

export const symbolSearchSchema = z.object({
  query: z.string(),
  market: z.enum(MARKETS),
  total: z.int().min(0).meta({ description: 'The number of all matches' }),
  count: z.int().min(0).meta({ description: 'The number of returned matches' }),
  items: z.array(symbolItemSchema),
});

export const intradaySchema = z
  .object({
    ...instrumentHead,
    date: day,
    interval: z.enum(INTERVALS),
    venue_mode: venueBasis,
    venue_mode_label: venueLabel,
    delayed: z.boolean(),
    timeliness: timelinessSchema,
    count: z.int().min(0),
    bars: z.array(z.object({ ts: z.iso.datetime({ offset: true }), ...figures })),
  })
  .meta({ id: 'Intraday' });

export const batchSchema = z.object({
  type: z.enum(['quote', 'static', 'kline']),
  requested: z.int().min(0),
  succeeded: z.int().min(0),
  failed: z.int().min(0),
  distribution_mode: z.enum(DISTRIBUTION_MODES),
  results: z
    .record(z.string(), z.union([quoteSchema, staticSchema, klineSchema]))
    .meta({ description: 'Requested symbol (`<TICKER>.US`) → the answer of the single-symbol endpoint' }),
  errors: z.array(z.object({ symbol: z.string(), code: z.int(), message: z.string() })),
});
