/** Removal of stored objects: of deleted data, and of orphans. */
import { z } from 'zod';
import { DAY_S, emptyPayload, HOUR_S, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

/** Removes every object under a prefix. Retried so often because deleted data must be removed even after a long outage. */
export const REMOVE_OBJECTS_QUEUE = {
  name: 'storage.remove',
  record: null,
  runbook: 'storage',
  lane: 'background',
  payload: z.object({ prefix: z.string().endsWith('/'), requestId: z.string().nullable() }),
  options: {
    policy: 'standard',
    retryLimit: 1_000,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: HOUR_S,
    expireInSeconds: HOUR_S,
    heartbeatSeconds: 15,
    deleteAfterSeconds: 14 * DAY_S,
  },
} as const satisfies QueueContract;

/** Removes orphans. The queue has the name of earlier versions, so that none of their jobs is lost. */
export const REMOVE_ORPHANS_QUEUE = {
  name: 'storage.sweep',
  record: null,
  runbook: 'storage',
  lane: 'background',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;
