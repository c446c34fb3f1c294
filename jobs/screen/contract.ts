/** Screens as of a past day: a job builds the snapshot of that day, which the API process then screens. */
import { z } from 'zod';
import { OPTIMIZE_QUEUE } from '../optimize/contract.ts';
import type { QueueContract } from '../queue/queue-contract.ts';

export const SCREEN_QUEUE = { ...OPTIMIZE_QUEUE, name: 'screen', runbook: 'snapshot' } as const satisfies QueueContract;

export const screenSpecSchema = z.object({
  /** YYYY-MM-DD: a loaded session. */
  asOf: z.iso.date(),
  /** The screen, to answer with the result. */
  screen: z.unknown(),
});
export type ScreenSpec = z.infer<typeof screenSpecSchema>;

/** The result of a finished run. */
export const screenResultSchema = z.object({ snapshot_id: z.int() });

/** Snapshots of past days that nobody has used for this long are removed. */
export const PAST_SNAPSHOT_KEPT_HOURS = 24;
/** Kept at most; each has some 10 MB a thousand instruments. */
export const PAST_SNAPSHOTS_MAX = 12;
