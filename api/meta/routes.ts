/** Facts about the service: `/api`. */
import type { MarketStats } from '../../db/market/coverage.ts';
import { DISTRIBUTION_MODES } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { MARKETS, OPEN_MARKETS, PLANNED_MARKETS } from '../../engine/market/symbols.ts';
import { CONSOLIDATED_FROM, VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { SERVICE_VERSION } from '../../engine/util/service-version.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import { labelOf } from '../../jobs/providers/providers.ts';
import { PLAN_CODES, PLANS, quotasSchema, RATE_CATEGORIES } from '../access/plans.ts';
import type { Limiter } from '../access/rate-limit.ts';
import { type Route, routesWith } from '../call/route.ts';
import { instant, z } from '../http/input/fields.ts';
import { LOCALES } from '../http/language/locale.ts';
import type { Timed } from '../http/timed-cache.ts';
import type { MarketView } from '../market/market-view.ts';
import { day, PRICE_FORMS, timelinessSchema } from '../market/schemas.ts';
import { dayText, timelinessOf } from '../market/timeliness.ts';

interface Services {
  readonly market: MarketView;
  readonly provider: Provider;
  readonly limiter: Limiter;
  readonly publicApiBase: string;
  readonly stats: () => Promise<Timed<MarketStats & { generated_at: string }>>;
}

const defineRoute = routesWith<Services>();

const metaSchema = z.object({
  version: z.string(),
  engine_version: z.string(),
  distribution_mode: z.enum(DISTRIBUTION_MODES),
  timeliness: timelinessSchema,
  data_range: z.object({ start: day.nullable(), end: day.nullable() }),
  prices: z
    .enum([...PRICE_FORMS, 'mixed'])
    .nullable()
    .meta({ description: 'What the prices of all instruments are before `adjust`; null while nothing is loaded' }),
  consolidated_from: day.meta({ description: 'Runs have consolidated bars from this day on' }),
  loading: z
    .array(z.object({ basis: z.enum(VENUE_BASES), progress_pct: z.number().min(0).max(100) }))
    .meta({ description: 'Running loads of whole sessions, at most one per venue basis. Usually empty' }),
  data_source: z.object({
    provider: z.string(),
    synthetic: z.boolean().meta({ description: 'True for the sample market: invented instruments and prices' }),
    description: z.string(),
  }),
  markets: z.array(z.enum(MARKETS)),
  planned_markets: z.array(z.enum(MARKETS)),
  languages: z.array(z.enum(LOCALES)),
  public_api_base: z.string(),
});

const quota = z.int().min(0);
const planSchema = z
  .object({
    code: z.enum(PLAN_CODES),
    rate_limits: z.object(
      Object.fromEntries(
        RATE_CATEGORIES.map((category) => [category, z.object({ limit: quota, window_seconds: z.int() })]),
      ),
    ),
    quotas: quotasSchema,
  })
  .meta({
    id: 'Plan',
    description: 'A null quota is unlimited. A limit of 0 means that the plan does not include the category.',
  });

const statsSchema = z.object({
  symbols: z.int(),
  delisted_symbols: z.int(),
  daily_bars: z.int(),
  users: z.int(),
  backtests: z.int(),
  articles: z.int(),
  first_date: day.nullable(),
  last_date: day.nullable(),
  generated_at: instant,
  cached: z.boolean(),
});

const COMMON = { tag: 'Service', access: 'anyone', limit: 'public' } as const;

export const META_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getMeta',
    ...COMMON,
    method: 'get',
    path: '/api/meta',
    summary: 'Get what this installation serves',
    caching: 'revalidated',
    dataSchema: metaSchema,
    errors: [],
    handle: ({ context, services: { market, provider, publicApiBase } }) => ({
      version: SERVICE_VERSION,
      engine_version: ENGINE_VERSION,
      distribution_mode: market.mode,
      timeliness: timelinessOf(market, context.locale),
      data_range: { start: dayText(market.oldestSession), end: dayText(market.newestSession) },
      prices: market.prices,
      consolidated_from: formatDay(CONSOLIDATED_FROM),
      loading: market.loading,
      data_source: {
        provider: provider.id,
        synthetic: provider.isSynthetic,
        description: labelOf(provider)[context.locale],
      },
      markets: [...OPEN_MARKETS],
      planned_markets: [...PLANNED_MARKETS],
      languages: [...LOCALES],
      public_api_base: publicApiBase,
    }),
  }),
  defineRoute({
    operationId: 'listPlans',
    ...COMMON,
    method: 'get',
    path: '/api/plans',
    summary: 'List plans with their limits and quotas',
    caching: 'for_minutes',
    dataSchema: z.object({ plans: z.array(planSchema) }),
    errors: [],
    handle: ({ services: { limiter } }) => ({
      plans: PLAN_CODES.map((code) => ({
        code,
        rate_limits: fromKeys(RATE_CATEGORIES, (category) => {
          const { limit, windowSeconds } = limiter.ruleOf(code, category);
          return { limit, window_seconds: windowSeconds };
        }),
        quotas: PLANS[code].quotas,
      })),
    }),
  }),
  defineRoute({
    operationId: 'getStats',
    ...COMMON,
    method: 'get',
    path: '/api/stats',
    summary: 'Get operating counts, at most a minute old',
    caching: 'revalidated',
    dataSchema: statsSchema,
    errors: [],
    handle: async ({ services: { stats } }) => {
      const { value, cached } = await stats();
      return { ...value, cached };
    },
  }),
];
