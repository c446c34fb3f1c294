/** The impact of loads that revise what was served, as answers have it. */
import type { Queryable } from '../../db/pool.ts';
import { type Impact, type LoadImpact, selectLoadImpacts } from '../../db/runs/impacts.ts';
import { KEPT_KINDS } from '../../db/runs/kept-runs.ts';
import { instant, listSchema, z } from '../http/input/fields.ts';

const figuresSchema = z
  .object({
    total_pnl_pct: z.number().nullable().optional(),
    sharpe: z.number().nullable().optional(),
    verdict: z.enum(['shown', 'not_shown']).nullable().optional().meta({ description: 'Of skill beyond the market' }),
    signals: z.int().optional().meta({ description: 'Of a watch at its newest session' }),
    factor: z
      .string()
      .optional()
      .meta({ description: 'The strongest of a study, by `ic`: its mean at the first horizon' }),
    ic: z.number().nullable().optional(),
  })
  .meta({ id: 'ImpactFigures' });

const orNull = z.union([figuresSchema, z.null()]);

export const impactSchema = z
  .object({
    load: z.int(),
    kind: z
      .enum([...KEPT_KINDS, 'watch', 'factor_study', 'forward'])
      .meta({ description: 'Figures of `forward` are since its seal' }),
    id: z
      .union([z.int(), z.string()])
      .nullable()
      .meta({ description: 'Like `name`, null for callers whose it is not' }),
    name: z.string().nullable(),
    slug: z.string().nullable().meta({ description: 'Of a shared run' }),
    before: orNull,
    after: orNull.meta({ description: 'Null: no bar is left in its range' }),
  })
  .meta({ id: 'Impact' });

const LOAD_STATUSES = ['waiting', 'computing', 'held', 'done'] as const;

export const loadImpactSchema = z
  .object({
    load: z.int(),
    status: z.enum(LOAD_STATUSES).meta({ description: '`held`: a session that it revised is not released' }),
    runs: z
      .object({
        kept: z.int().meta({ description: 'With a receipt' }),
        untouched: z.int().meta({
          description: "No revised bar or event lies within what the receipt's data digest covers",
        }),
        changed: z.int(),
        unchanged: z.int().meta({ description: 'Computed again with the same figures' }),
        waiting: z.int(),
        unknown: z.int().meta({ description: 'Cannot be computed as before the load' }),
        unproved: z.int().meta({ description: 'Kept without a receipt' }),
      })
      .nullable(),
  })
  .meta({ id: 'LoadImpact' });

export const impactListSchema = z
  .object({ ...loadImpactSchema.shape, ...listSchema(impactSchema).shape })
  .meta({ id: 'LoadImpactList' });

function statusOf(impact: LoadImpact | undefined): (typeof LOAD_STATUSES)[number] {
  if (impact === undefined) return 'waiting';
  if (impact.isPublished) return 'done';
  return impact.isDone ? 'held' : 'computing';
}

type LoadImpactView = z.input<typeof loadImpactSchema>;

/** `impact`: undefined until it is planned. */
function loadImpactView(load: number, impact: LoadImpact | undefined): LoadImpactView {
  const status = statusOf(impact);
  if (impact === undefined) return { load, status, runs: null };
  const { kept, hit, changed, unchanged, waiting, unknown, unproved } = impact;
  return { load, status, runs: { kept, untouched: kept - hit, changed, unchanged, waiting, unknown, unproved } };
}

/** The impact of loads, in their order. */
export async function readLoadImpacts(db: Queryable, loads: readonly number[]): Promise<LoadImpactView[]> {
  const impacts = new Map((await selectLoadImpacts(db, loads)).map((impact) => [impact.load, impact]));
  return loads.map((load) => loadImpactView(load, impacts.get(load)));
}

/** `isKnown`: whether the caller may know whose it is. */
export function impactView(impact: Impact, isKnown: boolean): z.input<typeof impactSchema> {
  return isKnown ? impact : { ...impact, id: null, name: null };
}

export const revisedSchema = z
  .object({ load: z.int(), at: instant, before: orNull, after: orNull })
  .meta({ id: 'Revised', description: 'The last load that changed the figures of a kept run' });
