/** Responses on what happened after hits. */
import { DOUBTS } from '../../engine/outcomes/horizon.ts';
import { ENTRIES } from '../../engine/outcomes/panel.ts';
import { COMPARES } from '../../engine/outcomes/returns.ts';
import { instant, z } from '../http/input/fields.ts';
import { lastVerdictSchema, receiptSchema } from '../runs/evidence-schemas.ts';
import { figure, universeSchema } from '../runs/schemas.ts';
import { outcomesBody } from './request.ts';

const tally = {
  hits: z.int(),
  days: z.int(),
  mean: figure,
  excess: figure.meta({ description: 'Less that of the others; null without one' }),
};

const horizonSchema = z
  .object({
    horizon: z.int(),
    hits: z.int(),
    open: z.int().meta({ description: 'Hits whose horizon ends after the range' }),
    no_entry: z.int().meta({ description: 'Hits without an entry before the horizon ends' }),
    ended: z.int().meta({ description: 'Counted hits of instruments that were delisted before the horizon ends' }),
    days: z.int(),
    instruments: z.int(),
    mean: figure,
    median: figure,
    p5: figure,
    p25: figure,
    p75: figure,
    p95: figure,
    positive_share: figure,
    excess: z
      .object({
        mean: figure,
        alpha: figure.meta({ description: 'What is left after the beta of the 252 returns before each hit' }),
        others: figure,
        t: figure.meta({ description: 'With errors for overlapping horizons; null for few hits, days, or periods' }),
        p: figure.meta({ description: 'Two-sided' }),
        positive_share: figure,
        left_out: z.int().meta({ description: 'Sessions with nothing to compare with at this horizon' }),
        doubt: z
          .enum(DOUBTS)
          .nullable()
          .meta({ description: 'The reason why t is null: too few hits, days, or periods, or equal differences' }),
      })
      .nullable(),
    by_year: z.array(z.object({ year: z.int(), ...tally })),
    by: z
      .object({ true: z.object(tally), false: z.object(tally), difference: figure, t: figure })
      .nullable()
      .meta({ description: 'Apart by the condition `by`' }),
  })
  .meta({ id: 'HorizonOutcome', description: 'Returns are fractions' });

const extremeSchema = z
  .object({ symbol: z.string(), ts: z.iso.date(), value: figure, excess: figure })
  .meta({ id: 'OutcomeExtreme' });

const questionSchema = z
  .object({
    condition: z.string(),
    for: z.array(z.string()).nullable().meta({ description: 'Null: all members' }),
    universe: universeSchema,
    first: outcomesBody.shape.first.unwrap(),
    horizons: z.array(z.int()),
    entry: z.enum(ENTRIES),
    compare: z.enum(COMPARES),
    by: z.string().nullable(),
    adjust: z.string(),
    time_range: z.string().nullable(),
    start: z.iso.date().nullable(),
    end: z.iso.date().nullable(),
  })
  .meta({ id: 'OutcomesQuestion', description: 'What was asked, with every default' });

export const outcomesSchema = z
  .object({
    id: z.int().nullable().meta({ description: 'Null if the result is not kept' }),
    created_at: instant,
    cached: z.boolean(),
    question: questionSchema,
    verification: lastVerdictSchema.optional(),
    sessions: z.int(),
    first: z.iso.date(),
    last: z.iso.date(),
    instruments: z.int(),
    hits: z.int(),
    days: z.int().meta({ description: 'Sessions with a hit' }),
    left_out: z.int().meta({ description: 'Those on which every member is a hit' }),
    horizons: z.array(horizonSchema),
    path: z
      .object({
        block_length: z.number(),
        seed: z.string(),
        points: z.array(z.object({ offset: z.int(), hits: z.int(), mean: figure, p5: figure, p95: figure })),
      })
      .nullable()
      .meta({
        description: 'Mean excess from 20 sessions before to 60 or more after, with the band of 1,000 resamples',
      }),
    best: z.array(extremeSchema),
    worst: z.array(extremeSchema),
    sentences: z.array(z.string()).meta({ description: 'One for each horizon' }),
    receipt: receiptSchema,
  })
  .meta({ id: 'Outcomes' });
