/** Requests and responses of published claims. */
import { CLAIMS } from '../../engine/factors/claims/claims.ts';
import { WHY_CODES } from '../../engine/factors/claims/why.ts';
import { flatBody } from '../backtests/request.ts';
import { z } from '../http/input/fields.ts';
import { universeField } from '../portfolios/rotation-fields.ts';
import { figure } from '../runs/schemas.ts';
import { longShortMonthSchema } from './schemas.ts';

const CODES = CLAIMS.map(({ code }) => code);
const { time_range, start, end } = flatBody.shape;

export const claimsBody = z.strictObject({
  codes: z
    .array(z.enum(CODES))
    .min(1)
    .max(CODES.length)
    .meta({ description: 'Default: all that can be run' })
    .optional(),
  universe: universeField.default({ all: true, asset_type: 'stock' }),
  time_range,
  start,
  end,
});

const percentPair = z.array(figure).readonly().nullable();
const rowSchema = z
  .object({
    weights: z.string(),
    breakpoints: z.string(),
    micro: z.boolean().meta({ description: 'Whether microcaps take part' }),
    months: z.int(),
    mean_pct: figure.meta({ description: 'A month' }),
    t_nw: figure,
    interval_pct: percentPair.meta({ description: '90 %' }),
    turnover: figure,
    break_even_bps: figure,
    undefined: z.int().meta({ description: 'Formations without two sides of ten names' }),
    periods: z
      .array(
        z.object({ period: z.string(), months: z.int(), mean_pct: figure, t_nw: figure, interval_pct: percentPair }),
      )
      .readonly(),
  })
  .meta({ id: 'ClaimRow' });

const computedFields = {
  rows: z.array(rowSchema),
  words: z.string().nullable().meta({ description: 'Of the first row' }),
  word: z.string().nullable(),
  expected_pct: figure.meta({ description: '0.42 × published: what is left after publication' }),
  power: figure.meta({ description: 'Of 100 histories this long, how many would show what is expected' }),
};
const whyField = z.array(
  z
    .object({ code: z.enum(WHY_CODES), names: z.number().optional(), published: z.string().optional() })
    .meta({ id: 'ClaimReason' }),
);
const gradeField = z.enum(['A', 'B', 'C']);

export const claimSchema = z
  .object({
    code: z.string(),
    name: z.string(),
    authors: z.string(),
    year: z.int(),
    journal: z.string(),
    sample: z.object({ start: z.int(), end: z.int() }),
    published: z.object({ monthly_pct: figure, t: figure, cell: z.string() }),
    definition: z.string(),
    differs: z.string().nullable(),
    expression: z.string().meta({ description: 'Its sign is that of the claim' }),
    cuts: z.union([z.int(), z.array(z.number()), z.string()]),
    hold: z.int(),
    needs: z.array(z.string()).meta({ description: 'Own columns' }),
    runnable: z.boolean(),
    missing: z.array(z.string()),
    grade: gradeField.nullable(),
    why: whyField.nullable(),
    newest: z
      .object(computedFields)
      .nullable()
      .meta({ description: 'In the months of this market; null: not computed' }),
  })
  .meta({ id: 'Claim' });

const overallSchema = z
  .object({
    tested: z.int(),
    above: z.int().meta({ description: 'Whose t is above 1.645; of 100 by chance, 5 are' }),
    superior: z.array(z.string()).readonly().nullable().meta({ description: 'Above 0 in all tests together (StepM)' }),
  })
  .nullable();
const marketSchema = z.object({ instruments: z.int(), first: z.string().nullable(), last: z.string().nullable() });

export const claimsSchema = z
  .object({ items: z.array(claimSchema), universe: marketSchema.nullable(), overall: overallSchema })
  .meta({ id: 'Claims' });

export const claimsResultSchema = z
  .object({
    items: z.array(
      z.object({
        code: z.string(),
        ...computedFields,
        grade: gradeField,
        why: whyField,
        series: z.array(longShortMonthSchema),
      }),
    ),
    universe: marketSchema,
    overall: overallSchema,
  })
  .meta({ id: 'ClaimsResult' });
