/** Records of returns that accounts bring to be judged: their queue, and what says how a file is read and judged. */
import { z } from 'zod';
import { FREQUENCIES } from '../../engine/judge/frequency.ts';
import { RECORD_FORMS } from '../../engine/judge/streams.ts';
import { BACKTEST_QUEUE, instrumentSchema, usedColumnSchema } from './backtest.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';

export const JUDGE_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'judge',
  runbook: 'backtests',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1, expireInSeconds: 900 },
} as const satisfies QueueContract;

/** The meanings of the columns of a file. */
export const JUDGED_FORMS = [...RECORD_FORMS, 'trades'] as const;

export const MAX_STREAMS = 2_000;

export const judgeSpecSchema = z.object({
  /** Key of the object with the file, and its size. */
  key: z.string(),
  bytes: z.int(),
  form: z.enum(JUDGED_FORMS),
  /** Null: the rows say. */
  frequency: z.enum(FREQUENCIES).nullable(),
  /** `instrument` null: the column of that name. */
  benchmark: z.object({ name: z.string(), instrument: instrumentSchema.nullable() }).nullable(),
  /** The name of a market column. */
  riskFree: z.string().optional(),
  columns: z.array(usedColumnSchema).optional(),
  /** Trials behind the record; null: its streams. */
  trials: z.int().nullable(),
  /** Sharpe ratio a year of a stream with skill, and the share of streams that have it. */
  alternative: z.number(),
  prior: z.number(),
  /** Streams that are resampled; none: the best ones. */
  detail: z.array(z.string()),
  /** The newest session that is read. */
  asOf: z.int(),
  quota: z.object({ plan: z.string(), values: z.int(), hasSeveral: z.boolean() }),
});
export type JudgeSpec = z.infer<typeof judgeSpecSchema>;
