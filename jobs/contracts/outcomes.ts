/** Runs that tell what happened after a condition: their queue, and the specification that defines a result. */
import { z } from 'zod';
import { ENTRIES } from '../../engine/outcomes/panel.ts';
import { COMPARES } from '../../engine/outcomes/returns.ts';
import { BACKTEST_QUEUE } from './backtest.ts';
import { universeSpecSchema } from './factors.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';

export const OUTCOMES_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'outcomes',
  runbook: 'backtests',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1, expireInSeconds: 900 },
} as const satisfies QueueContract;

export const outcomesSpecSchema = universeSpecSchema.extend({
  /** Conditions as texts, which were checked when they were requested. */
  condition: z.string(),
  by: z.string().nullable(),
  /** Instruments whose hits count; null: all members. */
  wanted: universeSpecSchema.shape.universe.shape.instruments,
  beginnings: z.union([z.boolean(), z.object({ sessions: z.int() })]),
  horizons: z.array(z.int()),
  entry: z.enum(ENTRIES),
  compare: z.enum(COMPARES),
});
export type OutcomesSpec = z.infer<typeof outcomesSpecSchema>;
