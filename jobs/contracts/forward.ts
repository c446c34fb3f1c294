/** Forward records: sealed runs that go on. Their queues, and what is sealed. */
import { z } from 'zod';
import { BACKTEST_QUEUE, backtestSpecSchema } from './backtest.ts';
import { OPTIMIZE_QUEUE } from './optimize.ts';
import { emptyPayload, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';
import { portfolioRunSpecSchema } from './rotation.ts';

export const SEAL_QUEUE = {
  ...OPTIMIZE_QUEUE,
  name: 'seal',
  runbook: 'backtests',
  options: { ...BACKTEST_QUEUE.options, retryLimit: 1, expireInSeconds: 900 },
} as const satisfies QueueContract;

/** Appends the sessions of a load to all records. */
export const FORWARD_QUEUE = {
  name: 'forward.append',
  record: null,
  runbook: 'backtests',
  lane: 'background',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;

/** Records of an account that go on, by plan. */
export const FORWARD_MAX = { guest: 0, free: 3, pro: 50, enterprise: 1_000 } as const;

export const sealSpecSchema = z.object({
  name: z.string(),
  run: z.union([
    z.object({ kind: z.literal('backtest'), spec: backtestSpecSchema }),
    z.object({ kind: z.literal('portfolio'), spec: portfolioRunSpecSchema }),
  ]),
  /** The hurdle of the search that chose the run, as a Sharpe ratio per bar; 0: none did. */
  hurdle: z.number(),
  /** Records that may go on at once. */
  max: z.int(),
  plan: z.string(),
});
export type SealSpec = z.infer<typeof sealSpecSchema>;
