/** Facts about the service in answers. */
import { DISTRIBUTION_MODES } from '../../engine/market/distribution.ts';
import { MARKETS } from '../../engine/market/symbols.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { PLAN_CODES, RATE_CATEGORIES } from '../access/plans.ts';
import { quotasSchema } from '../access/schemas.ts';
import { instant, z } from '../http/input/fields.ts';
import { LOCALES } from '../http/language/locale.ts';
import { day, timelinessSchema } from '../market/schemas.ts';

export const metaSchema = z.object({
  version: z.string(),
  engine_version: z.string(),
  distribution_mode: z.enum(DISTRIBUTION_MODES),
  timeliness: timelinessSchema,
  data_range: z.object({ start: day.nullable(), end: day.nullable() }),
  loading: z
    .array(z.object({ basis: z.enum(VENUE_BASES), progress_pct: z.number().min(0).max(100) }))
    .meta({ description: 'Loads of whole sessions that are under way, at most one per venue basis. Usually empty' }),
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
export const planSchema = z
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

export const statsSchema = z.object({
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
