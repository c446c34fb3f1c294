/** Responses of sweeps. */
import { SWEEP_KINDS, SWEEP_STATUSES } from '../../db/sweeps/sweeps.ts';
import { instant, z } from '../http/input/fields.ts';
import { searchSelectionSchema } from '../runs/evidence-schemas.ts';
import { figure, noteSchema, noticeField, paramsSchema, runErrorSchema, skippedField } from '../runs/schemas.ts';
import type { sweepBody } from './request.ts';

const day = z.iso.date();

export const sweepJobSchema = z
  .object({
    id: z.uuid(),
    job_id: z.uuid().meta({ description: 'The same' }),
    status: z.enum(SWEEP_STATUSES),
    location: z.string(),
  })
  .meta({ id: 'SweepJob' });

/** The fields of work of any kind that is computed in chunks. */
export const workFields = {
  id: z.uuid(),
  status: z.enum(SWEEP_STATUSES).meta({
    description: '`queued`: another sweep or study of the account runs. A canceled one no longer exists',
  }),
  progress_pct: z.number().min(0).max(100),
  cells: z.object({ done: z.int(), total: z.int() }),
  cells_per_second: figure.meta({ description: 'Over the last minute; null where no chunk ended in it' }),
  assembling: z.boolean().meta({ description: 'All cells are computed, and the result is put together' }),
  seconds_left: figure.meta({ description: 'Null while it is assembled' }),
  chunks: z.object({ done: z.int(), total: z.int(), running: z.int() }),
  workers: z.int().meta({ description: 'Worker processes that compute chunks of it now' }),
  notes: z.array(noteSchema).meta({ description: 'On its figures, once it is done' }),
  created_at: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  error: z.union([runErrorSchema, z.null()]),
  worker_seconds: z.number().min(0).meta({ description: 'CPU seconds that its cells have used so far' }),
  notice: noticeField,
};

export const sweepSchema = z
  .object({
    ...workFields,
    strategies: z.array(z.string()),
    time_range: z.string().meta({ description: '`CUSTOM` when `start` was given' }),
    skipped_symbols: skippedField,
    screened_on: day.nullable().meta({ description: 'The session at which a screen chose the universe' }),
  })
  .meta({ id: 'Sweep' });

/** The request of a sweep is described as input, because the library would describe the parsed value. */
export const requestOverride = { $ref: '#/components/schemas/RunSweepRequest' };

/** A single sweep, with its request. */
export const readSweepSchema = sweepSchema
  .extend({
    request: z.custom<z.input<typeof sweepBody> | null>().meta({
      description:
        'The body that repeats it, with the rules of saved strategies as texts; null in sweeps of earlier versions',
      override: { anyOf: [requestOverride, { type: 'null' }] },
    }),
  })
  .meta({ id: 'ReadSweep' });

/** A sweep or factor study as operators see it. */
export const operatedSweepSchema = sweepSchema
  .extend({
    kind: z.enum(SWEEP_KINDS),
    strategies: z.array(z.string()).meta({ description: 'Of a factor study: its factors' }),
    email: z.string().meta({ description: 'E-mail address of its account' }),
    failed_attempts: z.int().meta({ description: 'Attempts at chunks that failed or whose worker died' }),
  })
  .meta({ id: 'OperatedSweep' });

const spreadSchema = z
  .object({ mean: z.number(), median: z.number(), lower_quartile: z.number(), upper_quartile: z.number() })
  .nullable()
  .meta({ id: 'Spread', description: 'Over the instruments for which the figure is defined; null if there are none' });

const combinationSchema = z.object({
  strategy: z.string(),
  params: paramsSchema,
  instruments: z.int().meta({ description: 'Those with a bar in the range' }),
  metrics: z.record(z.string(), spreadSchema),
  beats_buy_hold_pct: figure.meta({ description: 'Share of the instruments' }),
  positive_sharpe_pct: figure.meta({ description: 'Share of the instruments' }),
  trades: z
    .object({ count: z.int(), win_rate: figure, avg_trade_pct: figure, profit_factor: figure })
    .meta({ description: 'The trades of all instruments taken together' }),
});

const rankedSchema = z.object({
  symbol: z.string(),
  strategy: z.string(),
  params: paramsSchema,
  sharpe: z.number(),
  num_trades: z.int().optional().meta({ description: 'Absent in results of earlier versions' }),
});
const histogramSchema = z.object({
  from: z.number(),
  to: z.number(),
  counts: z.array(z.int()).meta({ description: 'Equal steps; values outside count in the first or the last' }),
});

export const sweepResultSchema = z
  .object({
    notes: z.array(noteSchema),
    id: z.uuid(),
    engine_version: z.string(),
    time_range: z.string(),
    start: day.nullable(),
    end: day.nullable(),
    adjust: z.string(),
    execute_on: z.string(),
    instruments: z.int(),
    cells: z.int(),
    combinations: z.array(combinationSchema),
    selection: searchSelectionSchema.meta({
      description: 'Of the best cell, with all cells that have a bar as its trials',
      // The named schema says whether further fields are allowed.
      additionalProperties: undefined,
    }),
    cells_with_bars: z.int(),
    best: z
      .array(rankedSchema)
      .meta({ description: 'Of the cells with at least 30 trades, the 50 with the highest Sharpe ratio' }),
    best_few_trades: z
      .array(rankedSchema)
      .optional()
      .meta({ description: 'The same for the cells with fewer trades; absent in results of earlier versions' }),
    worst: z.array(rankedSchema).meta({ description: 'The 50 cells with the lowest' }),
    sharpe_histogram: histogramSchema,
    excess_return_histogram: histogramSchema,
  })
  .meta({ id: 'SweepResult' });
