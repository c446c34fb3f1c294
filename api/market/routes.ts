/** Market data: `/v1`. */

import { ServiceError } from '../../engine/errors.ts';
import { popularSymbols, searchSymbols } from '../../engine/market/symbol-search.ts';
import { OPEN_MARKETS } from '../../engine/market/symbols.ts';
import { symbolListBody } from '../http/input/body.ts';
import {
  adjustField,
  dateField,
  intervalField,
  marketField,
  periodField,
  queryInteger,
  symbolField,
  z,
} from '../http/input/fields.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { batchOf } from './batch.ts';
import { findInstrument } from './directory.ts';
import { intradayOf } from './intraday.ts';
import { assertRange, klineOf } from './kline.ts';
import { quoteOf } from './quote.ts';
import { batchSchema, intradaySchema, klineSchema, quoteSchema, staticSchema, symbolSearchSchema } from './schemas.ts';
import { staticOf, symbolItemOf } from './static-info.ts';

const TAG = 'Market data';
const MAX_BARS = 10_000;
/** In one request; the plan's number counts distinct ones. */
const MAX_SYMBOLS = 10_000;
const DEFAULT_BARS = 250;

const symbolPath = z.object({ symbol: symbolField.openapi({ example: 'ACRX.US' }) });
const SYMBOL_ERRORS = ['invalid_symbol', 'market_not_open', 'symbol_not_found'] as const;

const klineQuery = z.object({
  period: periodField.default('day').openapi({ description: 'What a bar covers' }),
  start: dateField.optional().openapi({ description: 'First day; wins over `days`' }),
  end: dateField.optional().openapi({ description: 'Later dates are clamped to the newest distributable one' }),
  days: queryInteger(1, MAX_BARS).default(DEFAULT_BARS).openapi({
    description: 'The newest bars to return, counted in units of the period; `start` wins over it',
    example: 5,
  }),
  adjust: adjustField.default('none').openapi({
    description:
      'qfq: prices of bars before a split, reverse split or stock dividend are put on the share count of the newest bar',
  }),
});

const batchBody = z.strictObject({
  symbols: z
    .array(z.string().max(64))
    .min(1)
    .max(MAX_SYMBOLS)
    .openapi({ example: ['ACRX', 'MTMX.US'] }),
  type: z.enum(['quote', 'static', 'kline']).default('quote'),
  period: periodField.default('day'),
  adjust: adjustField.default('none'),
  start: dateField.optional().openapi({ description: 'Wins over `days`' }),
  end: dateField.optional().openapi({ description: 'Later dates are clamped to the newest distributable one' }),
  days: z.int().min(1).max(MAX_BARS).default(DEFAULT_BARS),
});

export const MARKET_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getQuote',
    method: 'get',
    path: '/v1/quote/{symbol}',
    tag: TAG,
    summary: 'Latest quote',
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
    summary: 'Daily, weekly or monthly candles',
    description:
      'Candles (open, high, low, close, volume) of the consolidated basis. Bars of a week or month that is not over ' +
      'are included. `data_range` says why bars begin after `start`. While published sessions are missing for too ' +
      'long, a range without `end`, or with one after the newest loaded session, is answered 502; one that ends by ' +
      'then is served.',
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
    cacheKey: ({ path, query, caller }) =>
      `${path.symbol}|${query.period}|${query.adjust}|${query.start}|${query.end}|${query.days}|${caller.plan}`,
    handle: ({ path, query, caller, context, services: { market } }) => {
      assertRange(query);
      const item = findInstrument(market.directory, path.symbol);
      return klineOf(market, item, query, caller.plan, context.locale);
    },
  }),
  defineRoute({
    operationId: 'getStaticInfo',
    method: 'get',
    path: '/v1/static/{symbol}',
    tag: TAG,
    summary: 'Static attributes and the range of the history',
    access: 'anyone',
    limit: 'static',
    pathSchema: symbolPath,
    caching: 'for_minutes',
    dataSchema: staticSchema,
    errors: SYMBOL_ERRORS,
    cacheKey: ({ path, services }) => `${path.symbol}|${services.market.today}`,
    handle: ({ path, context, services: { market } }) =>
      staticOf(market, findInstrument(market.directory, path.symbol), context.locale),
  }),
  defineRoute({
    operationId: 'getIntraday',
    method: 'get',
    path: '/v1/intraday/{symbol}',
    tag: TAG,
    summary: 'Minute bars of one session',
    description: 'Served under the distribution modes `delayed` and `realtime`; 403 under `eod_only`.',
    access: 'anyone',
    limit: 'intraday',
    pathSchema: symbolPath,
    querySchema: z.object({
      date: dateField.optional().openapi({ description: 'Default: the latest session of which minutes may be served' }),
      interval: intervalField.default('1m').openapi({ description: 'What a bar covers' }),
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
    isRead: true,
    tag: TAG,
    summary: 'Quotes, static attributes or candles of many symbols',
    description:
      'Symbols are counted without duplicates against the plan; one that fails is told in `errors`. The answer is made ' +
      'while it is sent. Of those with very many candles a process makes two at a time; the others wait, callers by ' +
      'turns, and when too many wait the answer is 503.',
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
      assertRange(range);
      return batchOf(call, { symbols, type, range });
    },
  }),
  defineRoute({
    operationId: 'searchSymbols',
    method: 'get',
    path: '/v1/symbols',
    tag: TAG,
    summary: 'Symbol search',
    description:
      'Matches a prefix of the code (former codes included) or a fragment of the name, without regard to case and ' +
      'accents. Ranked: exact code, code prefix, name prefix, name fragment; delisted below active ones within each. ' +
      'Without `q`: popular symbols.',
    access: 'anyone',
    limit: 'symbols',
    querySchema: z.object({
      q: z.string().max(100).optional().openapi({ description: 'Start of a code or part of a name', example: 'acr' }),
      market: marketField.default('US').openapi({ description: 'The market to search; US is open' }),
      limit: queryInteger(1, 100).default(20).openapi({ description: 'Matches to return' }),
    }),
    caching: 'for_minutes',
    dataSchema: symbolSearchSchema,
    errors: ['invalid_market', 'market_not_open'],
    handle: ({ query, services: { market } }) => {
      if (!OPEN_MARKETS.includes(query.market)) throw new ServiceError('market_not_open', { market: query.market });
      const text = query.q?.trim() ?? '';
      const { items } = market.directory;
      const hits = text === '' ? popularSymbols(items) : searchSymbols(items, text);
      const page = hits.slice(0, query.limit).map((item) => symbolItemOf(market, item));
      return { query: text, market: query.market, total: hits.length, count: page.length, items: page };
    },
  }),
];
