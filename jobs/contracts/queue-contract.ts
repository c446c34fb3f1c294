/**
 * The contract of a queue: everything that the sender of a job and the worker that runs it agree on. Each feature declares
 * the contracts of its queues in its `contract.ts`; `queues.ts` lists them.
 */
import { constants } from 'node:os';
import type { QueueOptions, QueuePolicy } from 'pg-boss';
import { z } from 'zod';

/**
 * A lane has slots and threads of its own, so that a caller who waits for an answer does not wait for a load, and a load
 * does not wait for a computation of minutes. `outbound` waits for servers of others.
 */
export const LANES = ['interactive', 'background', 'compute', 'sweep', 'outbound'] as const;
export type Lane = (typeof LANES)[number];

const { PRIORITY_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Nice value of the threads of each lane, 0 (normal) to 19. Threads of the `compute` lane get only the processor time that
 * no other thread wants, so that its slots do not slow down the other lanes.
 */
export const LANE_NICENESS: Readonly<Record<Lane, number>> = {
  interactive: PRIORITY_NORMAL,
  background: 5,
  compute: PRIORITY_LOW,
  sweep: PRIORITY_LOW,
  outbound: 5,
};

/**
 * Lanes whose jobs belong to accounts: a job that has run for a second there gives way, so that no account waits for more than its own
 * share and a part of what others do.
 */
export const SHARED_LANES: readonly Lane[] = ['interactive', 'compute', 'sweep'];

/** Bounds that the plan of an account sets to its jobs. */
export interface JobBounds {
  /** Within a turn a higher plan comes first; from 0 to 3. */
  readonly planRank: number;
  /** Processor seconds of workers that a job may cost; null: any number. */
  readonly secondsMax: number | null;
}

/** Those of jobs that operators begin. */
export const UNBOUND: JobBounds = { planRank: 3, secondsMax: null };

/** Turns come before plans. */
export function priorityOf(turn: number, planRank: number): number {
  return planRank - 4 * turn;
}

export interface QueueContract {
  /** Name of the queue in pg-boss. Jobs in the database have it: a renamed queue strands them. */
  readonly name: string;
  /** Kind of our own record that a job works for: the job is retried and canceled with its record. */
  readonly record: 'run' | 'export' | 'sync' | 'sweep' | null;
  /** Section of ops/docs/RUNBOOK.md for failed jobs. */
  readonly runbook: string;
  readonly lane: Lane;
  /** Schema of the job's data. */
  readonly payload: z.ZodType<{ requestId: string | null }>;
  /** Concurrency policy, retries, and timeouts, as pg-boss takes them. */
  readonly options: QueueOptions & { readonly policy: QueuePolicy };
}

/** Payload of a job that needs no input. */
export const emptyPayload = z.object({ requestId: z.string().nullable() });

export const HOUR_S = 3600;
export const DAY_S = 24 * HOUR_S;

/** Policy of recurring cleanup and builds: one job runs in the whole fleet, and one waits at most. */
export const ONE_AT_A_TIME = {
  policy: 'stately',
  retryLimit: 3,
  retryDelay: 60,
  retryBackoff: true,
  expireInSeconds: HOUR_S,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 14 * DAY_S,
} as const;
