/**
 * Every queue of the service on one page: what its jobs carry and how they are run.
 *
 * Glossary: a *job* is one row of pg-boss; its *attempt* counts from 0 and rises with each retry; a *slot* is what a
 * worker process runs one job in; a *claim* says which worker holds an attempt.
 */
import { z } from 'zod';

const syncPayload = z.object({ syncJobId: z.number().int().positive(), requestId: z.string().nullable() });

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** Loads run one at a time per kind, over all machines; each waits for the one before. */
const SYNC_POLICY = {
  policy: 'singleton',
  retryLimit: 3,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 6 * HOUR_S,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 14 * DAY_S,
} as const;

export const QUEUES = {
  'sync.symbols': { payload: syncPayload, options: SYNC_POLICY },
  'sync.adjustments': { payload: syncPayload, options: SYNC_POLICY },
  'sync.daily_bars': { payload: syncPayload, options: SYNC_POLICY },
} as const;

export type QueueName = keyof typeof QUEUES;
export type Payload<Q extends QueueName> = z.infer<(typeof QUEUES)[Q]['payload']>;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];
