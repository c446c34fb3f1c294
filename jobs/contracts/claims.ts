/** Runs of published claims: their queue, and the specification that defines a result. */
import { z } from 'zod';
import { BACKTEST_QUEUE } from './backtest.ts';
import { universeSpecSchema } from './factors.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import { emptyPayload, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

export const CLAIMS_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'claims',
  runbook: 'backtests',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1, expireInSeconds: 900 },
} as const satisfies QueueContract;

/** Computes those that everybody sees, after each month's last load. */
export const NEWEST_CLAIMS_QUEUE = {
  name: 'claims.newest',
  record: null,
  runbook: 'backtests',
  lane: 'background',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

/** The own column by whose shares outstanding portfolios are weighed, where it is there. */
export const SHARES_COLUMN = 'shares';

/** Each claim has the rest of its study. */
export const claimsSpecSchema = universeSpecSchema.extend({ codes: z.array(z.string()) });
export type ClaimsSpec = z.infer<typeof claimsSpecSchema>;
