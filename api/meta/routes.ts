/** Facts about the service: `/api`. */
import { OPEN_MARKETS, PLANNED_MARKETS } from '../../engine/market/symbols.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import { PLAN_CODES, PLANS, RATE_CATEGORIES, WINDOW_SECONDS } from '../access/plans.ts';
import type { Route } from '../call/route.ts';
import { z } from '../http/input/fields.ts';
import { isLabelKey, labelText } from '../http/language/labels.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';
import { dayText, timelinessOf } from '../market/timeliness.ts';
import { metaSchema, planSchema, statsSchema } from './schemas.ts';
import { defineRoute, type Services } from './services.ts';
import { API_VERSION } from './version.ts';

const TAG = 'Service';

/** A description of the provider, in the caller's language if there is one. */
function sourceText({ id, description }: Provider, locale: Locale): string {
  const key = `source.${id}`;
  return isLabelKey(key) ? labelText(key, locale) : description;
}

export const META_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getMeta',
    method: 'get',
    path: '/api/meta',
    tag: TAG,
    summary: 'Get what this installation serves',
    access: 'anyone',
    limit: 'public',
    caching: 'revalidated',
    dataSchema: metaSchema,
    errors: [],
    handle: ({ context, services: { market, provider, publicApiBase } }) => ({
      version: API_VERSION,
      engine_version: ENGINE_VERSION,
      distribution_mode: market.mode,
      timeliness: timelinessOf(market, context.locale),
      data_range: { start: dayText(market.minDay), end: dayText(market.maxDay) },
      loading: market.loading,
      data_source: {
        provider: provider.id,
        synthetic: provider.isSynthetic,
        description: sourceText(provider, context.locale),
      },
      markets: [...OPEN_MARKETS],
      planned_markets: [...PLANNED_MARKETS],
      languages: [...LOCALES],
      public_api_base: publicApiBase,
    }),
  }),
  defineRoute({
    operationId: 'listPlans',
    method: 'get',
    path: '/api/plans',
    tag: TAG,
    summary: 'List plans with their limits and quotas',
    access: 'anyone',
    limit: 'public',
    caching: 'for_minutes',
    dataSchema: z.object({ plans: z.array(planSchema) }),
    errors: [],
    handle: () => ({
      plans: PLAN_CODES.map((code) => ({
        code,
        rate_limits: Object.fromEntries(
          RATE_CATEGORIES.map((category) => [
            category,
            { limit: PLANS[code].limits[category], window_seconds: WINDOW_SECONDS[category] },
          ]),
        ),
        quotas: PLANS[code].quotas,
      })),
    }),
  }),
  defineRoute({
    operationId: 'getStats',
    method: 'get',
    path: '/api/stats',
    tag: TAG,
    summary: 'Get operating counts, at most a minute old',
    access: 'anyone',
    limit: 'public',
    caching: 'revalidated',
    dataSchema: statsSchema,
    errors: [],
    handle: async ({ services: { stats } }) => {
      const { value, cached } = await stats();
      return { ...value, cached };
    },
  }),
];
