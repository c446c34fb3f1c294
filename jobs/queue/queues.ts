/**
 * Every queue of the service on one page: what its jobs carry and how they are run.
 *
 * Glossary: a *job* is one row of pg-boss; its *attempt* counts from 0 and rises with each retry; a *slot* is what a
 * worker process runs one job in; a *lane* has slots and threads of its own, so that nobody who waits for an answer waits
 * for a load, and no load waits for a computation of minutes; a *claim* says which worker holds an attempt.
 */
import { constants } from 'node:os';
import { z } from 'zod';

export const LANES = ['interactive', 'background', 'compute'] as const;
export type Lane = (typeof LANES)[number];

const { PRIORITY_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Nice value of the threads of each lane, 0 (normal) to 19. A lane that computes for minutes gets the processor time that
 * nobody else wants, so that its slots may come on top of the others' without slowing them down.
 */
export const LANE_NICENESS: Readonly<Record<Lane, number>> = {
  interactive: PRIORITY_NORMAL,
  background: 5,
  compute: PRIORITY_LOW,
};

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

/** A login code is worth nothing after ten minutes, and neither is its mail. */
const LOGIN_MAIL_POLICY = {
  policy: 'standard',
  retryLimit: 6,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 120,
  expireInSeconds: 60,
  heartbeatSeconds: 15,
  retentionSeconds: 600,
  deleteAfterSeconds: DAY_S,
} as const;

/** What was deleted must go, however long the storage is away. */
const REMOVAL_POLICY = {
  policy: 'standard',
  retryLimit: 1_000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: HOUR_S,
  expireInSeconds: HOUR_S,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 14 * DAY_S,
} as const;

/** Somebody waits for the answer: a failure is tried again soon, but not all within an outage of a second or two. */
const BACKTEST_POLICY = {
  policy: 'standard',
  retryLimit: 3,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 4,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  retentionSeconds: HOUR_S,
  deleteAfterSeconds: HOUR_S,
} as const;

/** Minutes of computing at most; whoever asked comes back for it. */
const OPTIMIZE_POLICY = { ...BACKTEST_POLICY, expireInSeconds: 900 } as const;

/** One in the whole fleet at a time: it reads the market from end to end. The others wait. */
const EXPORT_POLICY = {
  policy: 'singleton',
  retryLimit: 3,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: HOUR_S,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 14 * DAY_S,
} as const;

/** One in the whole fleet at a time, and one that waits. */
const SWEEP_POLICY = {
  policy: 'stately',
  retryLimit: 3,
  retryDelay: 60,
  retryBackoff: true,
  expireInSeconds: HOUR_S,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 14 * DAY_S,
} as const;

const SYNC_QUEUE = {
  record: 'sync',
  runbook: 'loads',
  lane: 'background',
  payload: syncPayload,
  options: SYNC_POLICY,
} as const;

/**
 * `record`: the kind of our own record that a job works for; it is tried again and cancelled with its record.
 * `runbook`: the section of ops/RUNBOOK.md that says what to do when its jobs fail.
 */
export const QUEUES = {
  backtest: {
    record: 'run',
    runbook: 'backtests',
    lane: 'interactive',
    payload: z.object({ runId: z.uuid(), requestId: z.string().nullable() }),
    options: BACKTEST_POLICY,
  },
  optimize: {
    record: 'run',
    runbook: 'backtests',
    lane: 'compute',
    payload: z.object({ runId: z.uuid(), requestId: z.string().nullable() }),
    options: OPTIMIZE_POLICY,
  },
  'mail.login_code': {
    record: null,
    runbook: 'login-mails',
    lane: 'interactive',
    payload: z.object({ loginCodeId: z.number().int().positive(), requestId: z.string().nullable() }),
    options: LOGIN_MAIL_POLICY,
  },
  export: {
    record: 'export',
    runbook: 'exports',
    lane: 'background',
    payload: z.object({ exportId: z.number().int().positive(), requestId: z.string().nullable() }),
    options: EXPORT_POLICY,
  },
  'export.expire': {
    record: null,
    runbook: 'exports',
    lane: 'background',
    payload: z.object({ requestId: z.string().nullable() }),
    options: SWEEP_POLICY,
  },
  'snapshot.build': {
    record: null,
    runbook: 'snapshot',
    lane: 'background',
    payload: z.object({ requestId: z.string().nullable() }),
    options: SWEEP_POLICY,
  },
  'storage.sweep': {
    record: null,
    runbook: 'storage',
    lane: 'background',
    payload: z.object({ requestId: z.string().nullable() }),
    options: SWEEP_POLICY,
  },
  'storage.remove': {
    record: null,
    runbook: 'storage',
    lane: 'background',
    payload: z.object({ prefix: z.string().endsWith('/'), requestId: z.string().nullable() }),
    options: REMOVAL_POLICY,
  },
  'sync.symbols': SYNC_QUEUE,
  'sync.adjustments': SYNC_QUEUE,
  'sync.daily_bars': SYNC_QUEUE,
} as const;

export type QueueName = keyof typeof QUEUES;
export type Payload<Q extends QueueName> = z.infer<(typeof QUEUES)[Q]['payload']>;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];
export const isQueueName = (name: string): name is QueueName => Object.hasOwn(QUEUES, name);
