/** Responses of statistics. */
import { CLIENT_KINDS } from '../../db/log/access-records.ts';
import { z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';
import { trendSchema } from './trend.ts';

export const METRICS = ['pv', 'uv', 'users', 'backtests', 'api_calls'] as const;
export type Metric = (typeof METRICS)[number];

export const clientSchema = z
  .object({
    kind: z.enum(CLIENT_KINDS),
    visits: z.int().meta({ description: 'Requests of every kind, page views included' }),
    unique_visitors: z
      .int()
      .meta({ description: 'Visitors without `X-Visitor-Id` are told apart by a hash of address and User-Agent' }),
    unique_users: z.int().meta({ description: 'Signed-in accounts' }),
    top_paths: z.array(z.object({ path: z.string(), visits: z.int() })).max(5),
  })
  .meta({ id: 'ClientVisits' });

export const timeseriesSchema = z.object({
  metric: z.enum(METRICS),
  days: z.int(),
  total: z
    .int()
    .meta({ description: 'The sum of the daily values. For `uv` it is not the number of different visitors' }),
  items: trendSchema,
});

export const overviewSchema = z.object({
  days: z.int(),
  users: z.object({
    total: z.int(),
    new: z.int().meta({ description: 'Registered in the window' }),
    active: z.int().meta({ description: 'Accounts that made a request in the window' }),
    trend: trendSchema,
  }),
  visits: z.object({
    pv: z.int().meta({ description: 'Page views' }),
    uv: z.int().meta({ description: 'Different visitors in the window' }),
    trend: trendSchema,
  }),
  backtests: z.object({
    total: z.int().meta({ description: 'Backtests of the window that were kept' }),
    trend: trendSchema,
    avg_duration_ms: z.number().nullable(),
    latency_note: z.string().nullable(),
  }),
  api: z.object({
    calls: z.int().meta({ description: 'Calls of `/v1`' }),
    errors: z.int().meta({ description: 'Calls of `/v1` with a status of 400 or more' }),
    trend: trendSchema,
    top_endpoints: z
      .array(z.object({ method: z.string(), endpoint: z.string(), calls: z.int(), errors: z.int() }))
      .max(10),
  }),
  clients: z.array(clientSchema),
  data: z.object({
    symbols: z.int(),
    daily_bars: z.int(),
    first_date: day.nullable(),
    last_date: day.nullable(),
  }),
});
