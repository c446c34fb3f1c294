/** Factor studies: the specification that defines a result. They are computed in chunks like sweeps. */
import { z } from 'zod';
import { LONG_SHORT_BREAKPOINTS, LONG_SHORT_WEIGHTS } from '../../engine/factors/cohort.ts';
import { EVERY } from '../../engine/factors/sessions.ts';
import { BACKTEST_QUEUE } from './backtest.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';
import { rotationSpecSchema } from './rotation.ts';

/** Writes the values of a factor to a file. */
export const FACTOR_VALUES_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'factor_values',
  runbook: 'backtests',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1 },
} as const satisfies QueueContract;

/** `place`: of the factor in the study. */
export const factorValuesSpecSchema = z.object({ studyId: z.uuid(), place: z.int() });

/** Values of one file at most. */
export const MAX_FILE_VALUES = 500_000_000;

/** Factors of one study at most. */
export const MAX_FACTORS = 200;

const { timeRange, start, end, adjust, asOf, dataAsOf, others, columns, universe } = rotationSpecSchema.shape;

const portfolioSchema = z.object({
  weights: z.enum(LONG_SHORT_WEIGHTS),
  /** The own column of market value or shares; null: none is needed. */
  cap: z.string().nullable(),
  breakpoints: z.enum(LONG_SHORT_BREAKPOINTS),
  cuts: z.union([z.int(), z.tuple([z.number(), z.number()]), z.literal('classes')]),
  hold: z.int(),
  micro: z.boolean(),
});

/** Everything of a study of a universe but what is studied. */
export const universeSpecSchema = z.object({
  timeRange,
  start,
  end,
  adjust,
  asOf,
  dataAsOf,
  others,
  columns,
  universe,
  /** A condition as text; null: every member with a bar. */
  where: z.string().nullable(),
});

export const factorSpecSchema = universeSpecSchema.extend({
  /** Values as text, which were checked when they were requested. */
  factors: z.array(z.object({ name: z.string(), value: z.string() })),
  horizons: z.array(z.union([z.int(), z.literal('step')])),
  quantiles: z.int(),
  every: z.enum(EVERY),
  delay: z.union([z.literal(0), z.literal(1)]),
  /** The group whose mean returns are told beside: of all instruments, a fact of theirs, or an own column. */
  neutral: z.union([z.enum(['market', 'asset_type', 'venue']), z.object({ column: z.string() })]),
  /** Absent: none is formed. */
  portfolio: portfolioSchema.optional(),
});
export type FactorSpec = z.infer<typeof factorSpecSchema>;

/** The places of the factors of a chunk in the study. */
export const factorChunkSchema = z.array(z.int());
