/**
 * The contract of a queue: everything that the sender of a job and the worker that runs it must agree on. Each file of this folder
 * declares the queues of a feature; `queues.ts` lists all of them.
 */
import { constants } from 'node:os';
import type { QueueOptions, QueuePolicy } from 'pg-boss';
import { z } from 'zod';

/**
 * Each lane has separate slots and threads, so that a backtest does not wait for a load, and a load does not wait for an optimization.
 * Jobs of `mail` and `outbound` wait for other servers.
 */
export const LANES = ['interactive', 'mail', 'background', 'compute', 'sweep', 'outbound'] as const;
export type Lane = (typeof LANES)[number];

const { PRIORITY_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Nice value of the threads of each lane, 0 (normal) to 19. Lanes for which nobody waits get hardly more than the processor time that no
 * caller uses: a thirtieth of that of a caller, and sweeps half of that.
 */
export const LANE_NICENESS: Readonly<Record<Lane, number>> = {
  interactive: PRIORITY_NORMAL,
  mail: PRIORITY_NORMAL,
  background: 15,
  compute: PRIORITY_LOW,
  sweep: PRIORITY_LOW,
  outbound: 5,
};

/**
 * Lanes whose jobs belong to accounts or send mails. When a job there has run for a second, another account may start one in addition to
 * the slots, and the jobs go on in turn, so that a long job does not block the others.
 */
export const SHARED_LANES = ['interactive', 'mail', 'compute', 'sweep'] as const satisfies readonly Lane[];
type SharedLane = (typeof SHARED_LANES)[number];
export const isShared = (lane: Lane): lane is SharedLane => SHARED_LANES.some((shared) => shared === lane);
/** The most extra jobs of a lane, each in its own thread: they keep their memory while they are paused. */
export const MAX_EXTRA = 16;
/** Lanes for whose jobs somebody waits. */
export const AWAITED_LANES: readonly Lane[] = ['interactive', 'mail'];

/** Bounds that the plan of an account sets for its jobs. */
export interface JobBounds {
  /** From 0 to 3. Within a turn, jobs of a higher rank run first. */
  readonly planRank: number;
  /** Processor seconds that a job may use; null: any number. */
  readonly secondsMax: number | null;
}

/** The bounds of jobs that operators start. */
export const UNBOUND: JobBounds = { planRank: 3, secondsMax: null };

/** Turns count before plans. */
export function priorityOf(turn: number, planRank: number): number {
  return planRank - 4 * turn;
}

export interface QueueContract {
  /** Name of the queue in pg-boss. Jobs in the database refer to it: they are lost when it is renamed. */
  readonly name: string;
  /** Kind of the record that a job works for, with which it is retried and canceled. */
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

/** Policy of recurring jobs: at most one runs in the whole fleet, and at most one waits. */
export const ONE_AT_A_TIME = {
  policy: 'stately',
  retryLimit: 3,
  retryDelay: 60,
  retryBackoff: true,
  expireInSeconds: HOUR_S,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 14 * DAY_S,
} as const;
