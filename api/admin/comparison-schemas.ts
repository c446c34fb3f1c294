/** Vendor comparisons as the API answers them. */
import { COMPARISON_STATUSES } from '../../db/market/comparisons.ts';
import { DIFFERENCE_KINDS } from '../../db/market/other-bars.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { DEFAULT_TOLERANCES } from '../../jobs/contracts/compare.ts';
import { PROVIDERS } from '../../jobs/providers/provider.ts';
import { dateField, instant, pageQuery, symbolField, z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';

const spec = {
  against: z.enum(PROVIDERS),
  venue_mode: z.enum(VENUE_BASES),
  start: day,
  end: day,
  tolerance_pct: z.number(),
  volume_tolerance_pct: z.number(),
};

const count = z.int().min(0);

export const comparisonSchema = z
  .object({
    id: z.int(),
    ...spec,
    against: z.string(),
    status: z.enum(COMPARISON_STATUSES),
    progress_pct: z.number(),
    job_id: z.uuid(),
    requested_by: z.string(),
    requested_at: instant,
    finished_at: instant.nullable(),
    error: z.string().nullable(),
    result: z
      .object({
        compared: count,
        sessions: count,
        differences: z.object({ differs: count, only_here: count, only_there: count }),
        sessions_only_here: count,
        sessions_only_there: count,
        unread: z.array(z.object({ unit: z.string(), error: z.string() })),
        unknown_rows: count,
        unknown_tickers: z.array(z.string()),
        malformed_rows: count,
        bytes: count,
      })
      .nullable(),
  })
  .meta({ id: 'Comparison' });

const percent = z.number().min(0).max(100);

export const comparisonBody = z.strictObject({
  against: spec.against,
  venue_mode: spec.venue_mode.default('consolidated'),
  start: dateField,
  end: dateField,
  tolerance_pct: percent.default(DEFAULT_TOLERANCES.pricePct),
  volume_tolerance_pct: percent.default(DEFAULT_TOLERANCES.volumePct),
});
export type ComparisonBody = z.output<typeof comparisonBody>;

export const differenceQuery = z.object({
  kind: z.enum(DIFFERENCE_KINDS).optional().meta({ description: 'Only differences of this kind' }),
  symbol: symbolField.optional(),
  start: dateField.optional().meta({ description: 'First day' }),
  end: dateField.optional().meta({ description: 'Last day' }),
  ...pageQuery,
});
export type DifferenceQuery = z.output<typeof differenceQuery>;

const bar = z
  .object({ open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() })
  .nullable();

export const differenceSchema = z
  .object({
    symbol: z.string(),
    date: day,
    kind: z.enum(DIFFERENCE_KINDS),
    here: bar,
    there: bar,
    price_pct: z.number().nullable(),
    volume_pct: z.number().nullable(),
  })
  .meta({ id: 'BarDifference' });
