/** Runs of published claims: their queue, and the specification that defines a result. */
import { z } from 'zod';
import { BACKTEST_QUEUE } from './backtest.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import type { QueueContract } from './queue-contract.ts';
import { rotationSpecSchema } from './rotation.ts';

export const CLAIMS_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'claims',
  runbook: 'backtests',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1, expireInSeconds: 900 },
} as const satisfies QueueContract;

/** The own column by whose shares outstanding portfolios are weighed, where it is there. */
export const SHARES_COLUMN = 'shares';

const { timeRange, start, end, adjust, asOf, dataAsOf, others, columns, universe } = rotationSpecSchema.shape;

export const claimsSpecSchema = z.object({
  timeRange,
  start,
  end,
  adjust,
  asOf,
  dataAsOf,
  others,
  columns,
  universe,
  codes: z.array(z.string()),
});
export type ClaimsSpec = z.infer<typeof claimsSpecSchema>;
