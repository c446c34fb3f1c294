/** The checks of the doctor, each after those whose problems explain its own. */

import { countUnexplained } from '../../db/backtests/verdicts.ts';
import { countConnectedProcesses } from '../../db/connected-processes.ts';
import { selectHeldSessions } from '../../db/market/session-checks.ts';
import { selectSessionLedgers } from '../../db/market/session-ledgers.ts';
import { migrationStatus } from '../../db/migrate.ts';
import { type Pool, ping } from '../../db/pool.ts';
import { selectQueueVersion } from '../../db/queue/job-claims.ts';
import { selectFailureGroups, selectQueueStates } from '../../db/queue/queue-jobs.ts';
import { selectFailingSyncJobs, selectRunningLoads } from '../../db/queue/sync-jobs.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { openProvider } from '../../jobs/providers/open-provider.ts';
import { CHECKED_VENUE_BASIS, describeHeld } from '../../jobs/quality/check-sessions.ts';
import { loadFreshness, snapshotFreshness } from '../../jobs/quality/freshness.ts';
import { runbookOf } from '../../jobs/queue/operate.ts';
import { isQueueName, QUEUE_NAMES, QUEUES } from '../../jobs/queue/queues.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { Config } from '../config.ts';
import { runningInstance } from '../embedded/runtime-file.ts';
import { freeBytes } from '../free-space.ts';
import { describeOtherMarket } from '../processes/market-check.ts';
import { adminSessions, providerSettings, storageSettings } from '../settings.ts';

/** The installation to check. */
export interface Patient {
  readonly config: Config;
  readonly url: string;
  readonly pool: Pool;
  readonly now: () => number;
}

export interface Check {
  readonly name: string;
  /** Section of ops/RUNBOOK.md that says what to do. */
  readonly runbook: string;
  /** Checks that must succeed before this one can run. */
  readonly reads?: readonly string[];
  /** Checks whose problem explains a problem of this one. */
  readonly follows?: readonly string[];
  readonly appliesTo?: (patient: Patient) => boolean;
  /** A finding is only a recommendation. */
  readonly isAdvice?: boolean;
  /** The problem and what to do about it; null: none. */
  readonly look: (patient: Patient) => Promise<string | null>;
}

/** A job of the interactive lane must not wait longer. */
const MAX_WAIT_S = 10;
const MIN_FREE_BYTES = 2e9;

const DATABASE = ['database answers'];
export const MIGRATIONS_CHECK = 'migrations are applied';
const SCHEMA = [...DATABASE, MIGRATIONS_CHECK];
const QUEUE = [...SCHEMA, 'queue is installed'];
const PROCESSES = ['the service runs', 'a worker runs', 'a scheduler runs'];

const PARTS: readonly Check[] = [
  {
    name: 'the service runs',
    runbook: 'api-down',
    appliesTo: ({ config }) => config.DATABASE_URL === undefined,
    look: async ({ config }) =>
      runningInstance(config)
        ? null
        : `nothing runs on ${config.DATA_DIR}; its database was started for this check. "npm start" starts the service`,
  },
  {
    name: 'the disk has room',
    runbook: 'disk',
    look: async ({ config }) => {
      const free = await freeBytes(config.DATA_DIR);
      return free < MIN_FREE_BYTES ? `${(free / 1e9).toFixed(1)} GB are free in ${config.DATA_DIR}` : null;
    },
  },
  {
    name: 'database answers',
    runbook: 'database',
    look: async ({ pool }) => {
      await ping(pool);
      return null;
    },
  },
  {
    name: MIGRATIONS_CHECK,
    runbook: 'database',
    reads: DATABASE,
    look: async ({ url, pool }) => {
      const { pending } = await migrationStatus(url);
      if (pending.length === 0) return null;
      const running = Object.values(await countConnectedProcesses(pool)).some((count) => count > 0);
      const older = running ? ' (the running service may be of an earlier version, which does not need them)' : '';
      return `pending: ${pending.join(', ')}${older}; run "npm run ops -- db migrate"`;
    },
  },
  {
    name: 'queue is installed',
    runbook: 'database',
    reads: SCHEMA,
    look: async ({ pool }) => {
      await selectQueueVersion(pool);
      return null;
    },
  },
  {
    name: 'object storage can be used',
    runbook: 'storage',
    follows: ['the disk has room'],
    look: async ({ config }) => {
      await openStorage(storageSettings(config)).check();
      return null;
    },
  },
  {
    name: 'provider answers',
    runbook: 'loads',
    reads: SCHEMA,
    look: async ({ config, pool, now }) => {
      const provider = openProvider(providerSettings(config), now);
      const other = await describeOtherMarket(config, pool);
      if (other !== null) return other;
      const published = await provider.publishedSessions('consolidated');
      return published ? null : 'it has no consolidated bars; check PROVIDER and PROVIDER_DIR';
    },
  },
  ...(['api', 'worker', 'scheduler'] as const).map((kind): Check => {
    const [name, runbook, command] = {
      api: ['an API process runs', 'api-down', 'npm run api'],
      worker: ['a worker runs', 'worker', 'npm run worker'],
      scheduler: ['a scheduler runs', 'scheduler', 'npm run scheduler'],
    }[kind];
    return {
      name,
      runbook,
      reads: DATABASE,
      follows: ['the service runs', 'queue is installed'],
      look: async ({ pool }) =>
        (await countConnectedProcesses(pool))[kind] > 0
          ? null
          : `none is connected to the database; "${command}" (or "npm start") starts one`,
    };
  }),
];

const JOBS: readonly Check[] = [
  {
    name: 'no queue is paused',
    runbook: 'queues',
    reads: QUEUE,
    look: async ({ pool }) => {
      const paused = (await selectQueueStates(pool, QUEUE_NAMES)).filter(({ pausedAt }) => pausedAt !== null);
      const names = paused.map(({ queue, pausedBy }) => `${queue} (by ${pausedBy})`).join(', ');
      return paused.length > 0 ? `${names}; "npm run ops -- queues resume QUEUE"` : null;
    },
  },
  {
    name: 'no caller waits for a worker',
    runbook: 'backtests',
    reads: QUEUE,
    follows: ['a worker runs'],
    look: async ({ pool }) => {
      const states = await selectQueueStates(pool, QUEUE_NAMES);
      const late = states.find(({ queue, oldestWaitingS, pausedAt }) => {
        const isAwaited = isQueueName(queue) && QUEUES[queue].lane === 'interactive';
        return isAwaited && pausedAt === null && (oldestWaitingS ?? 0) > MAX_WAIT_S;
      });
      return late ? `a job of ${late.queue} has waited for ${Math.round(late.oldestWaitingS ?? 0)} s` : null;
    },
  },
  {
    name: 'no job fails for good',
    runbook: 'jobs',
    reads: QUEUE,
    follows: ['object storage can be used', 'loaded sessions look right'],
    look: async ({ pool }) => {
      const open = (await selectFailureGroups(pool, null)).filter(
        ({ queue, recoveredAt }) => recoveredAt === null && !queue.startsWith('sync.'),
      );
      if (open.length === 0) return null;
      const [{ queue, count, lastError }] = open;
      const times = count === 1 ? 'a job' : `${count} jobs`;
      return `${times} of ${queue} failed and none has ended well since: ${lastError}; see ${runbookOf(queue)}`;
    },
  },
];

const LOADS: readonly Check[] = [
  {
    name: 'loads end well',
    runbook: 'loads',
    reads: QUEUE,
    follows: ['the disk has room', 'provider answers'],
    look: async ({ pool }) => {
      const [failing] = await selectFailingSyncJobs(pool);
      return failing
        ? `job ${failing.id} (${failing.job_type}): ${failing.error}; correct it and run "npm run ops -- sync retry ${failing.id}"`
        : null;
    },
  },
  {
    name: 'loaded sessions look right',
    runbook: 'quality',
    reads: SCHEMA,
    look: async ({ pool }) => {
      const held = await selectHeldSessions(pool, CHECKED_VENUE_BASIS);
      return held.length > 0 ? describeHeld(held) : null;
    },
  },
  {
    name: 'kept backtests can be explained',
    runbook: 'evidence',
    reads: SCHEMA,
    look: async ({ pool }) => {
      const count = await countUnexplained(pool);
      if (count === 0) return null;
      return `${count} kept backtests differ and neither data nor engine explains it; "npm run ops -- verify --all" verifies again`;
    },
  },
];

const LOADING = [...PROCESSES, 'provider answers', 'no queue is paused', 'loads end well'];

const SERVED: readonly Check[] = [
  {
    name: 'served data is fresh',
    runbook: 'loads',
    reads: SCHEMA,
    follows: LOADING,
    look: async ({ pool, now }) => {
      const { loaded, behind } = await loadFreshness(pool, now());
      if (loaded === null) return 'nothing is loaded; "npm run ops -- sync list" shows the loads';
      return behind ? `${behind} sessions behind (newest ${formatDay(loaded)})` : null;
    },
  },
  {
    name: 'no session is missing',
    runbook: 'loads',
    reads: SCHEMA,
    follows: [...LOADING, 'served data is fresh'],
    look: async ({ pool, now }) => {
      const { spliced } = await selectSessionLedgers(pool);
      const { count, ranges } = spliced.missingBetween(0, newestDistributableDay(now()));
      if (count === 0) return null;
      const named = ranges.map(({ start, end }) => `${formatDay(start)}..${formatDay(end)}`).join(', ');
      const advice =
        (await selectRunningLoads(pool)).length > 0 ? 'a load is under way' : '"npm run ops -- sync list" says why';
      return `published sessions that are not loaded: ${count} (${named}); ${advice}`;
    },
  },
  {
    name: 'the screener has a snapshot of it',
    runbook: 'snapshot',
    reads: SCHEMA,
    follows: [
      ...PROCESSES,
      'object storage can be used',
      'no queue is paused',
      'loaded sessions look right',
      'served data is fresh',
    ],
    look: async ({ pool, now }) => {
      const { snapshot, behind, isStale } = await snapshotFreshness(pool, now());
      if (!snapshot) return 'there is none; "npm run ops -- snapshot rebuild" makes one';
      return isStale ? `it is ${behind} sessions behind; "npm run ops -- snapshot rebuild" makes a new one` : null;
    },
  },
];

const ADVICE: readonly Check[] = [
  {
    name: 'the back office asks for a password',
    runbook: 'admin-sessions',
    isAdvice: true,
    look: async ({ config }) =>
      adminSessions(config) === 'password'
        ? null
        : 'anyone who reads the mail of an administrator can open it; set ADMIN_SESSIONS=password',
  },
];

export const CHECKS: readonly Check[] = [...PARTS, ...LOADS, ...JOBS, ...SERVED, ...ADVICE];
