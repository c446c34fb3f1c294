/** The market as a whole, and its calendar: `/v1`. */
import type { Pool } from '../../db/pool.ts';
import { type Route, routesWith } from '../call/route.ts';
import { dateField, pageQuery, z } from '../http/input/fields.ts';
import { calendarOf, calendarSchema } from './calendar.ts';
import { marketEventsOf, marketEventsSchema, symbolChangesOf, symbolChangesSchema } from './market-events.ts';
import type { MarketView } from './market-view.ts';
import { SESSION_TYPES, sessionOf, sessionSchema } from './session-bars.ts';

interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
  readonly now: () => number;
}

const defineRoute = routesWith<Services>();

const TAG = 'Market data';

const rangeQuery = {
  start: dateField.optional().meta({ description: 'The first day' }),
  end: dateField.optional().meta({ description: 'The last day' }),
};

export const WHOLE_MARKET_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getCalendar',
    method: 'get',
    path: '/v1/calendar',
    tag: TAG,
    summary: 'Get sessions, half days, and holidays',
    description: 'Of the New York Stock Exchange, by its rules since 1971; at most ten years in one call.',
    access: 'anyone',
    limit: 'public',
    querySchema: z.object({
      start: dateField.optional().meta({ description: 'The first day; default: today in New York' }),
      end: dateField.optional().meta({ description: 'The last day; default: 90 days after `start`' }),
    }),
    dataSchema: calendarSchema,
    errors: ['invalid_date', 'invalid_date_range'],
    handle: ({ query, services: { now } }) => calendarOf(now(), query),
  }),
  defineRoute({
    operationId: 'getSession',
    method: 'get',
    path: '/v1/market/{date}',
    tag: TAG,
    summary: 'Get every bar of a session',
    description: 'As traded, of the consolidated basis. `Accept` chooses JSON, CSV, or a stream of Arrow.',
    access: 'anyone',
    limit: 'batch',
    pathSchema: z.object({ date: dateField.meta({ example: '2026-05-29' }) }),
    caching: 'for_minutes',
    dataSchema: sessionSchema,
    alsoAnswers: SESSION_TYPES.slice(1),
    errors: ['invalid_date', 'no_data_on_day', 'quota_exceeded', 'session_not_distributable'],
    errorDetails: { quota_exceeded: { plan: 'guest', quota: 'kline_max_days', max: 730, count: 1_096 } },
    cacheKey: ({ path, caller, context }) => `${path.date}|${caller.plan}|${context.preferredType(SESSION_TYPES)}`,
    handle: ({ path, caller: { plan }, context, services }) =>
      sessionOf({ services, plan, locale: context.locale }, path.date, context.preferredType(SESSION_TYPES)),
  }),
  defineRoute({
    operationId: 'listMarketEvents',
    method: 'get',
    path: '/v1/events',
    tag: TAG,
    summary: 'List splits, dividends, and spin-offs of all instruments, oldest first',
    access: 'anyone',
    limit: 'batch',
    querySchema: z.object({
      ...rangeQuery,
      known_at: dateField.optional().meta({
        description: 'As they were known at the end of that day: without later corrections and ex-dates',
      }),
      ...pageQuery,
    }),
    dataSchema: marketEventsSchema,
    errors: ['invalid_date', 'invalid_date_range', 'session_not_distributable'],
    handle: ({ query, services }) => marketEventsOf(services, query),
  }),
  defineRoute({
    operationId: 'listSymbolChanges',
    method: 'get',
    path: '/v1/symbols/changes',
    tag: TAG,
    summary: 'List listings, delistings, and new symbols and names, oldest first',
    access: 'anyone',
    limit: 'batch',
    querySchema: z.object({ ...rangeQuery, ...pageQuery }),
    dataSchema: symbolChangesSchema,
    errors: ['invalid_date', 'invalid_date_range'],
    handle: ({ query, services: { market } }) => symbolChangesOf(market, query),
  }),
];
