/** Market data: `/v1`. */
import { OPEN_MARKETS, popularSymbols, searchSymbols } from '../../engine/market/symbols.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { Route } from '../call/route.ts';
import { ARROW_STREAM, arrowFile } from '../http/answer/arrow.ts';
import { symbolListBody } from '../http/input/body.ts';
import {
  adjustField,
  assertDayRange,
  dateField,
  intervalField,
  marketField,
  periodField,
  queryInteger,
  z,
} from '../http/input/fields.ts';
import { CANDLE_TYPES, candleRows } from './arrow-bars.ts';
import { batchOf, candleStream } from './batch.ts';
import { findInstrument } from './directory.ts';
import { assertPast, findInstrumentAsOf, listedOn } from './directory-as-of.ts';
import { intradayOf } from './intraday.ts';
import { candlesOf, DEFAULT_BARS, klineOf, klineQuery, MAX_BARS } from './kline.ts';
import { quoteOf } from './quote.ts';
import {
  batchSchema,
  eventsSchema,
  intradaySchema,
  klineSchema,
  quoteSchema,
  SYMBOL_ERRORS,
  staticSchema,
  symbolPath,
  symbolSearchSchema,
} from './schemas.ts';
import { defineRoute, type Services } from './services.ts';
import { eventsOf, staticOf, symbolItemOf } from './static-info.ts';

const TAG = 'Market data';
/** Symbols in one request. The quota of the plan counts distinct symbols. */
const MAX_SYMBOLS = 10_000;

const asOfField = dateField.optional().meta({
  description: 'The facts of that day, by the symbol of that day; `current_symbol` is the symbol of today',
});

const batchBody = z.strictObject({
  symbols: z
    .array(z.string().max(64))
    .min(1)
    .max(MAX_SYMBOLS)
    .meta({ example: ['ACRX', 'MTMX.US'] }),
  type: z.enum(['quote', 'static', 'kline']).default('quote'),
  period: periodField.prefault('day'),
  adjust: adjustField.prefault('none'),
  start: dateField.optional().meta({ description: 'The first day. Overrides `days`' }),
  end: dateField
    .optional()
    .meta({ description: 'The last day. Later days are clamped to the newest distributable day' }),
  days: z.int().min(1).max(MAX_BARS).default(DEFAULT_BARS),
});

export const MARKET_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getQuote',
    method: 'get',
    path: '/v1/quote/{symbol}',
    tag: TAG,
    summary: 'Get the latest quote',
    access: 'anyone',
    limit: 'quote',
    pathSchema: symbolPath,
    caching: 'for_minutes',
    dataSchema: quoteSchema,
    errors: [...SYMBOL_ERRORS, 'no_quote', 'upstream_unavailable'],
    cacheKey: ({ path }) => path.symbol,
    assertCacheable: ({ market }) => market.assertFresh(),
    handle: ({ path, context, services: { market } }) =>
      quoteOf(market, findInstrument(market.directory, path.symbol), context.locale),
  }),
  defineRoute({
    operationId: 'getKline',
    method: 'get',
    path: '/v1/kline/{symbol}',
    tag: TAG,
    summary: 'Get daily, weekly, or monthly candles',
    description:
      'Candles (open, high, low, close, volume) of the consolidated basis, including the current week or month. `data_range` ' +
      'says why bars begin after `start`. While too many published sessions are missing, a range beyond the ' +
      'newest loaded session is answered with 502. `Accept: application/vnd.apache.arrow.stream` chooses a stream of Arrow, whose metadata `candles` has all but the bars.',
    access: 'anyone',
    limit: 'kline',
    pathSchema: symbolPath,
    querySchema: klineQuery,
    caching: 'for_minutes',
    dataSchema: klineSchema,
    errors: [
      ...SYMBOL_ERRORS,
      'invalid_date',
      'invalid_date_range',
      'invalid_period',
      'invalid_adjust',
      'upstream_unavailable',
    ],
    cacheKey: ({ path, query, caller, context }) =>
      `${path.symbol}|${query.period}|${query.adjust}|${query.start}|${query.end}|${query.days}|${caller.plan}|${context.preferredType(CANDLE_TYPES)}`,
    handle: async ({ path, query, caller, context, services: { market } }) => {
      assertDayRange(query);
      const item = findInstrument(market.directory, path.symbol);
      const asked = [market, item, query, caller.plan, context.locale] as const;
      if (context.preferredType(CANDLE_TYPES) !== ARROW_STREAM) return klineOf(...asked);
      const { head, bars } = await candlesOf(...asked);
      return arrowFile('candles', [candleRows(head.symbol, bars)], { candles: JSON.stringify(head) });
    },
  }),
  defineRoute({
    operationId: 'listEvents',
    method: 'get',
    path: '/v1/events/{symbol}',
    tag: TAG,
    summary: 'List splits, dividends, and spin-offs',
    access: 'anyone',
    limit: 'static',
    pathSchema: symbolPath,
    caching: 'for_minutes',
    dataSchema: eventsSchema,
    errors: SYMBOL_ERRORS,
    cacheKey: ({ path }) => path.symbol,
    handle: ({ path, services: { market } }) => eventsOf(market, findInstrument(market.directory, path.symbol)),
  }),
  defineRoute({
    operationId: 'getStaticInfo',
    method: 'get',
    path: '/v1/static/{symbol}',
    tag: TAG,
    summary: 'Get static attributes and the range of the history',
    access: 'anyone',
    limit: 'static',
    pathSchema: symbolPath,
    querySchema: z.object({ as_of: asOfField }),
    caching: 'for_minutes',
    dataSchema: staticSchema,
    errors: [...SYMBOL_ERRORS, 'invalid_date', 'session_not_distributable'],
    cacheKey: ({ path, query, services }) => `${path.symbol}|${query.as_of}|${services.market.today}`,
    handle: ({ path, query: { as_of: day }, context, services: { market } }) => {
      if (day === undefined) return staticOf(market, findInstrument(market.directory, path.symbol), context.locale);
      assertPast(market, day);
      return staticOf(market, findInstrumentAsOf(market.directory, path.symbol, day), context.locale, day);
    },
  }),
  defineRoute({
    operationId: 'getIntraday',
    method: 'get',
    path: '/v1/intraday/{symbol}',
    tag: TAG,
    summary: 'Get minute bars of one session',
    description: 'Served in the distribution modes `delayed` and `realtime`. In `eod_only` the answer is 403.',
    access: 'anyone',
    limit: 'intraday',
    pathSchema: symbolPath,
    querySchema: z.object({
      date: dateField.optional().meta({ description: 'Default: the latest session whose minutes may be served' }),
      interval: intervalField.prefault('1m').meta({ description: 'The period of a bar' }),
    }),
    dataSchema: intradaySchema,
    errors: [
      ...SYMBOL_ERRORS,
      'intraday_not_provided',
      'invalid_date',
      'invalid_interval',
      'session_not_distributable',
      'upstream_unavailable',
    ],
    assertOpen: ({ market }) => {
      if (market.mode === 'eod_only') throw new ServiceError('intraday_not_provided');
    },
    handle: ({ path, query, context, services: { market, provider, now } }) => {
      const item = findInstrument(market.directory, path.symbol);
      return intradayOf(market, provider, item, query, now(), context.locale);
    },
  }),
  defineRoute({
    operationId: 'getBatch',
    method: 'post',
    path: '/v1/batch',
    tag: TAG,
    summary: 'Get quotes, static attributes, or candles of many symbols',
    description:
      'Distinct symbols count against the quota of the plan. Symbols that fail are listed in `errors`. Very large ' +
      'answers are made two at a time; when too many callers wait, the answer is 503. Candles are also a stream of Arrow, which only ' +
      'the symbols that have some are in, with `Accept: application/vnd.apache.arrow.stream`.',
    access: 'anyone',
    limit: 'batch',
    bodySchema: batchBody,
    bodyExample: { symbols: ['ACRX', 'MTMX.US'], type: 'quote' },
    bodyLimits: symbolListBody(MAX_SYMBOLS),
    dataSchema: batchSchema,
    errors: [
      'too_many_symbols',
      'invalid_period',
      'invalid_adjust',
      'invalid_date',
      'invalid_date_range',
      'server_busy',
    ],
    handle: ({ body, ...call }) => {
      const { symbols, type, ...range } = body;
      assertDayRange(range);
      const isArrow = type === 'kline' && call.context.preferredType(CANDLE_TYPES) === ARROW_STREAM;
      return isArrow ? candleStream(call, symbols, range) : batchOf(call, { symbols, type, range });
    },
  }),
  defineRoute({
    operationId: 'searchSymbols',
    method: 'get',
    path: '/v1/symbols',
    tag: TAG,
    summary: 'Search symbols',
    description:
      'Matches a prefix of the ticker (former tickers included) or a part of the name, ignoring case and accents. Ranks ' +
      'exact tickers first, then ticker prefixes, name prefixes, and parts of names; within each, delisted instruments come ' +
      'last. Without `q` it lists popular symbols, or all if none is marked as popular.',
    access: 'anyone',
    limit: 'symbols',
    querySchema: z.object({
      q: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'The start of a ticker, or a part of a name', example: 'acr' }),
      market: marketField.prefault('US').meta({ description: 'The market to search. Only US is open' }),
      limit: queryInteger(1, 100).prefault(20).meta({ description: 'How many matches to return' }),
      as_of: dateField
        .optional()
        .meta({ description: 'Only instruments that were listed on that day, by their symbols of that day' }),
    }),
    caching: 'for_minutes',
    dataSchema: symbolSearchSchema,
    errors: ['invalid_market', 'market_not_open', 'invalid_date', 'session_not_distributable'],
    handle: ({ query, services: { market } }) => {
      if (!OPEN_MARKETS.includes(query.market)) throw new ServiceError('market_not_open', { market: query.market });
      const text = query.q?.trim() ?? '';
      const { as_of: asOf } = query;
      if (asOf !== undefined) assertPast(market, asOf);
      const items = asOf === undefined ? market.directory.items : listedOn(market.directory, asOf);
      const hits = text === '' ? popularSymbols(items) : searchSymbols(items, text);
      const page = hits.slice(0, query.limit).map((item) => symbolItemOf(market, item));
      return { query: text, market: query.market, total: hits.length, count: page.length, items: page };
    },
  }),
];
