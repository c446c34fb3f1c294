/** One check after the other, each with what to do when it fails. */

import { selectQueueVersion } from '../db/job-signals.ts';
import { migrationStatus } from '../db/migrate.ts';
import { type Pool, ping } from '../db/pool.ts';
import { selectFailureGroups, selectQueueStates } from '../db/queue-jobs.ts';
import { selectHeldSessions } from '../db/session-checks.ts';
import { selectSessionLedgers } from '../db/session-ledgers.ts';
import { selectLatestSyncJobs, selectRunningLoads } from '../db/sync-jobs.ts';
import { newestDistributableDay } from '../engine/calendar.ts';
import { formatDay, MS_PER_DAY } from '../engine/dates.ts';
import { openProvider } from '../jobs/providers/open-provider.ts';
import { CHECKED_BASIS, describeHeld } from '../jobs/quality/check-sessions.ts';
import { loadFreshness, snapshotFreshness } from '../jobs/quality/freshness.ts';
import { runbookOf } from '../jobs/queue/operate.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from '../jobs/queue/queues.ts';
import { assertSameProvider } from '../jobs/scheduler.ts';
import { openStorage } from '../storage/storage.ts';
import { type Config, clockOf } from './config.ts';
import { providerSettings, storageSettings } from './settings.ts';

/** A job that somebody waits for has been waiting for too long. */
const MAX_WAIT_S = 10;

export interface Finding {
  readonly name: string;
  /** What is wrong and what to do; null: nothing. */
  readonly problem: string | null;
}

interface Patient {
  readonly config: Config;
  readonly url: string;
  readonly pool: Pool;
  readonly now: () => number;
}

/** By name: what is wrong and what to do, or null. */
type Checks = Readonly<Record<string, () => Promise<string | null>>>;

/** Whether what the service stands on can be used. */
function checksOfParts({ config, url, pool, now }: Patient): Checks {
  return {
    'database answers': async () => {
      await ping(pool);
      return null;
    },
    'migrations are applied': async () => {
      const { pending } = await migrationStatus(url);
      return pending.length > 0 ? `pending: ${pending.join(', ')}; run "npm run ops -- db migrate"` : null;
    },
    'queue is installed': async () => {
      await selectQueueVersion(pool);
      return null;
    },
    'object storage can be used': async () => {
      await openStorage(storageSettings(config)).check();
      return null;
    },
    'provider answers': async () => {
      const provider = openProvider(providerSettings(config), now);
      await assertSameProvider(pool, provider);
      const published = await provider.publishedSessions('consolidated');
      return published ? null : 'it has no consolidated bars; check PROVIDER and PROVIDER_DIR';
    },
  };
}

/** Whether what is served is right and new. */
function checksOfData({ pool, now }: Patient): Checks {
  return {
    'served data is fresh': async () => {
      const { loaded, behind } = await loadFreshness(pool, now());
      if (loaded === null) return 'nothing is loaded; is a scheduler and a worker running?';
      return behind ? `${behind} sessions behind (newest ${formatDay(loaded)}); see "sync list"` : null;
    },
    'no session is missing': async () => {
      const { spliced } = await selectSessionLedgers(pool);
      const { count, ranges } = spliced.missingBetween(0, newestDistributableDay(now()));
      if (count === 0) return null;
      const named = ranges.map(({ start, end }) => `${formatDay(start)}..${formatDay(end)}`).join(', ');
      const running = await selectRunningLoads(pool);
      const advice = running.length > 0 ? 'a load is under way' : '"npm run ops -- sync list" says why';
      return `${count} sessions are published and not loaded (${named}): ${advice}; see ops/RUNBOOK.md#loads`;
    },
    'the screener has a snapshot of it': async () => {
      const { snapshot, behind } = await snapshotFreshness(pool, now());
      if (!snapshot)
        return 'there is none; is a scheduler and a worker running? "npm run ops -- snapshot rebuild" makes one';
      return behind !== null && behind > 1
        ? `it is ${behind} sessions behind; "npm run ops -- snapshot rebuild" makes a new one`
        : null;
    },
    'loaded sessions look right': async () => {
      const held = await selectHeldSessions(pool, CHECKED_BASIS);
      return held.length > 0 ? `${describeHeld(held)}; see ops/RUNBOOK.md#quality` : null;
    },
    'no sync job has failed': async () => {
      const jobs = await selectLatestSyncJobs(pool, 50);
      const newest = new Map(jobs.toReversed().map((job) => [`${job.job_type} ${job.request.venue_mode ?? ''}`, job]));
      const failed = [...newest.values()].find((job) => job.status === 'failed');
      return failed
        ? `job ${failed.id}: ${failed.error}; mend it and run "npm run ops -- sync retry ${failed.id}"`
        : null;
    },
  };
}

/** Whether jobs are done. */
function checksOfJobs({ pool, now }: Patient): Checks {
  return {
    'queues go on': async () => {
      const paused = (await selectQueueStates(pool, QUEUE_NAMES)).filter(({ pausedAt }) => pausedAt !== null);
      const names = paused.map(({ queue, pausedBy }) => `${queue} (by ${pausedBy})`).join(', ');
      return paused.length > 0 ? `paused: ${names}; "npm run ops -- queues resume QUEUE"` : null;
    },
    'nobody waits for a worker': async () => {
      const states = await selectQueueStates(pool, QUEUE_NAMES);
      const late = states.find(({ queue, oldestWaitingS, pausedAt }) => {
        const isAwaited = QUEUES[queue as QueueName].lane === 'interactive';
        return isAwaited && pausedAt === null && (oldestWaitingS ?? 0) > MAX_WAIT_S;
      });
      return late
        ? `a job of ${late.queue} has waited for ${Math.round(late.oldestWaitingS ?? 0)} s; is a worker running?`
        : null;
    },
    'no job has failed for good': async () => {
      const [latest] = (await selectFailureGroups(pool, null)).filter(
        ({ queue, lastAt }) => !queue.startsWith('sync.') && now() - lastAt.getTime() < MS_PER_DAY,
      );
      if (!latest) return null;
      return `${latest.count} of ${latest.queue}: ${latest.cause}; see ${runbookOf(latest.queue)} and "npm run ops -- jobs failures"`;
    },
  };
}

export async function runDoctor(config: Config, url: string, pool: Pool): Promise<Finding[]> {
  const patient: Patient = { config, url, pool, now: clockOf(config) };
  const findings: Finding[] = [];
  const checks = { ...checksOfParts(patient), ...checksOfData(patient), ...checksOfJobs(patient) };
  for (const [name, check] of Object.entries(checks)) {
    findings.push({ name, problem: await check().catch((error: Error) => error.message) });
  }
  return findings;
}
