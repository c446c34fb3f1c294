/** Removal of stored objects: of deleted data, and of orphans. */
import { z } from 'zod';
import { DAY_S, emptyPayload, HOUR_S, ONE_AT_A_TIME, type QueueContract } from './queue-contract.ts';

/** Removes every object under a prefix. Deleted data must be removed, however long the storage is unavailable. */
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

/** Removes orphans. The queue keeps the name of earlier versions, so that no job of theirs is stranded. */
export const REMOVE_ORPHANS_QUEUE = {
  name: 'storage.sweep',
  record: null,
  runbook: 'storage',
  lane: 'background',
  payload: emptyPayload,
  options: ONE_AT_A_TIME,
} as const satisfies QueueContract;
