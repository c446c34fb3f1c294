/** Comparison of the loaded bars with those of another provider. */
import { z } from 'zod';
import { HOUR_S, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

export const COMPARE_QUEUE = {
  name: 'compare',
  record: null,
  runbook: 'comparisons',
  lane: 'background',
  payload: z.object({ comparisonId: z.number().int().positive(), requestId: z.string().nullable() }),
  options: { ...ONE_AT_A_TIME, policy: 'singleton', expireInSeconds: 6 * HOUR_S },
} as const satisfies QueueContract;

/** In percent. Volumes may differ more, because vendors count different trades. */
export const DEFAULT_TOLERANCES = { pricePct: 0.01, volumePct: 1 } as const;
