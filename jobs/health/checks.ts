/** The checks of every installation, which the doctor and the on-call page share. Causes come before their consequences. */
import { selectLastComparison } from '../../db/market/comparisons.ts';
import { countOpenFindings } from '../../db/market/findings.ts';
import { selectSessionLedgers } from '../../db/market/loaded-sessions.ts';
import { selectHeldSessions } from '../../db/market/session-checks.ts';
import { countUnexplained } from '../../db/runs/verdicts.ts';
import { newestDistributableDay, sessionAfter } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { describeComparison } from '../compare/describe.ts';
import { CHECKED_VENUE_BASIS } from '../quality/check-sessions.ts';
import {
  FEED_LATE_SESSIONS,
  FEED_STOPPED_SESSIONS,
  MAX_SNAPSHOT_SESSIONS_BEHIND,
  snapshotFreshness,
} from '../quality/freshness.ts';
import { lateSessions } from '../quality/session-grid.ts';
import { BACKUP_CHECKS } from './backup-checks.ts';
import { CALLER_CHECKS } from './caller-checks.ts';
import { selectFailingLoads } from './check.ts';
import { JOB_CHECKS } from './job-checks.ts';
import { lakeProblems } from './lake-problems.ts';
import { type HealthCheck, PROCESS_CHECKS, QUEUE, SCHEMA } from './process-checks.ts';

const LOADS = [
  {
    kind: 'queue_paused',
    name: 'no queue is paused',
    runbook: 'queues',
    reads: QUEUE,
    repair: 'resume_queue',
    command: ({ queue }) => `npm run ops -- queues resume ${queue}`,
    findProblems: async ({ queues }) => {
      const paused = (await queues()).filter(({ pausedAt }) => pausedAt !== null);
      return paused.map(({ queue, pausedBy }) => ({
        text: `${queue} (by ${pausedBy})`,
        queue,
        detail: pausedBy ?? undefined,
      }));
    },
  },
  {
    kind: 'load_failed',
    name: 'loads end well',
    runbook: 'loads',
    reads: QUEUE,
    follows: ['the disk has room', 'provider answers'],
    repair: 'retry_load',
    command: ({ syncJobId }) => `npm run ops -- sync retry ${syncJobId}`,
    findProblems: async ({ pool }) => {
      const failing = await selectFailingLoads(pool);
      return failing.map(({ id, job_type: type, error }) => ({
        text: `job ${id} (${type}): ${error}`,
        syncJobId: id,
        detail: error ?? undefined,
      }));
    },
  },
  {
    kind: 'session_held',
    name: 'loaded sessions look right',
    runbook: 'quality',
    reads: SCHEMA,
    repair: 'release_session',
    command: ({ session }) => `npm run ops -- calendar release ${session}`,
    findProblems: async ({ pool }) => {
      const held = await selectHeldSessions(pool, CHECKED_VENUE_BASIS);
      return held.map(({ day, problems }) => {
        const session = formatDay(day);
        const detail = problems.join('; ');
        return { text: `${session}: ${detail}`, session, detail };
      });
    },
  },
  {
    kind: 'data_suspect',
    name: 'events and prices agree',
    runbook: 'findings',
    threshold: 0,
    isAdvice: true,
    reads: SCHEMA,
    findProblems: async ({ pool }, most) => {
      const count = await countOpenFindings(pool);
      return count <= most ? [] : [{ text: `${count} doubts about events and prices that nobody has decided`, count }];
    },
  },
] as const satisfies readonly HealthCheck[];

const LOADING = [
  'the service runs',
  'a worker runs',
  'a scheduler runs',
  'provider answers',
  'no queue is paused',
  'loads end well',
];

const SERVED = [
  {
    kind: 'data_behind',
    name: 'served data is fresh',
    runbook: 'loads',
    /** Published sessions that may be missing at the end. */
    threshold: 0,
    reads: SCHEMA,
    follows: LOADING,
    repair: 'load_newest',
    command: ({ session, until }) => `npm run ops -- sync run${until ? ` --start ${session} --end ${until}` : ''}`,
    findProblems: async ({ freshness, loads }, most) => {
      const { loaded, behind, published } = await freshness();
      const running = await loads();
      const underWay = { isUnderWay: running.length > 0, detail: running.join('; ') || undefined };
      if (loaded === null) return [{ text: 'nothing is loaded', ...underWay }];
      if (behind === null || behind <= most) return [];
      const text = `${behind} sessions behind (newest ${formatDay(loaded)})`;
      const range = {
        session: formatDay(sessionAfter(loaded)),
        until: published === null ? undefined : formatDay(published),
      };
      return [{ text, count: behind, ...range, ...underWay }];
    },
  },
  {
    kind: 'feed_stopped',
    name: 'new sessions arrive',
    runbook: 'feed',
    /** Sessions of the calendar since the newest one that is loaded: from so many on it is advice, and then a problem. */
    threshold: FEED_LATE_SESSIONS,
    reads: SCHEMA,
    follows: [...LOADING, 'served data is fresh'],
    findProblems: async ({ freshness }, least) => {
      const { loaded, age } = await freshness();
      if (loaded === null || age === null || age < least) return [];
      const text = `the newest session is ${formatDay(loaded)}, ${age} sessions ago by the calendar`;
      return [{ text, count: age, session: formatDay(loaded), isAdvice: age < FEED_STOPPED_SESSIONS }];
    },
  },
  {
    kind: 'sessions_missing',
    name: 'no session is missing',
    runbook: 'loads',
    threshold: 0,
    reads: SCHEMA,
    follows: [...LOADING, 'served data is fresh'],
    repair: 'load_range',
    command: ({ session, until }) => `npm run ops -- sync run --start ${session} --end ${until}`,
    findProblems: async ({ pool, now, loads }, most) => {
      const { spliced } = await selectSessionLedgers(pool);
      const { count, ranges } = spliced.missingBetween(0, newestDistributableDay(now()));
      if (count <= most) return [];
      const named = ranges.map(({ start, end }) => `${formatDay(start)}..${formatDay(end)}`).join(', ');
      const text = `published sessions that are not loaded: ${count} (${named})`;
      const { start, end } = ranges[0];
      const range = { session: formatDay(start), until: formatDay(end) };
      return [
        {
          text,
          count,
          detail: named,
          session: range.session,
          until: range.until,
          isUnderWay: (await loads()).length > 0,
        },
      ];
    },
  },
  {
    kind: 'snapshot_behind',
    name: 'the screener has a snapshot of it',
    runbook: 'snapshot',
    threshold: MAX_SNAPSHOT_SESSIONS_BEHIND,
    reads: SCHEMA,
    follows: [...LOADING, 'object storage can be used', 'loaded sessions look right', 'served data is fresh'],
    command: () => 'npm run ops -- snapshot rebuild',
    findProblems: async ({ pool, now }, most) => {
      const { snapshot, behind } = await snapshotFreshness(pool, now());
      if (!snapshot) return [{ text: 'there is none' }];
      if (behind === null || behind <= most) return [];
      return [{ text: `it is ${behind} sessions behind`, count: behind }];
    },
  },
  {
    kind: 'unexplained_verdicts',
    name: 'kept backtests can be explained',
    runbook: 'evidence',
    threshold: 0,
    reads: SCHEMA,
    command: () => 'npm run ops -- verify --all',
    findProblems: async ({ pool }, most) => {
      const count = await countUnexplained(pool);
      if (count <= most) return [];
      return [{ text: `${count} kept backtests differ and neither data nor engine explains it`, count }];
    },
  },
  {
    kind: 'lake_behind',
    name: 'the files of the market are complete',
    runbook: 'lake',
    /** Loaded sessions that the files may lack: they are written after each load. */
    threshold: 1,
    reads: [...SCHEMA, 'object storage can be used'],
    follows: [...LOADING, 'loaded sessions look right', 'served data is fresh'],
    command: ({ queue }) => (queue === undefined ? null : `npm run ops -- jobs failures --queue ${queue}`),
    findProblems: async ({ pool, storage, now }, most) => lakeProblems(pool, storage(), now(), most),
  },
  {
    kind: 'steps_late',
    name: 'steps of sessions meet their deadlines',
    runbook: 'deadlines',
    reads: QUEUE,
    follows: [
      ...LOADING,
      'object storage can be used',
      'loaded sessions look right',
      'no job fails for good',
      'served data is fresh',
      'the screener has a snapshot of it',
      'the files of the market are complete',
    ],
    findProblems: async ({ pool, now, deadlines, loads }) => {
      const late = await lateSessions({ pool, now: now(), deadlines });
      const isUnderWay = late.length > 0 && (await loads()).length > 0;
      return late.map(({ day, cells }) => {
        const session = formatDay(day);
        const detail = cells.map(({ step, state }) => `${step} (${state})`).join(', ');
        return { text: `${session}: ${detail}`, session, count: cells.length, detail, isUnderWay };
      });
    },
  },
  {
    kind: 'vendors_differ',
    name: 'another provider has the same bars',
    runbook: 'comparisons',
    /** Percent of the bars of the last comparison. */
    threshold: 0.1,
    reads: SCHEMA,
    command: () => 'npm run ops -- compare show',
    findNote: async ({ pool }) => ((await selectLastComparison(pool))?.result ? null : 'not compared'),
    findProblems: async ({ pool }, most) => {
      const last = await selectLastComparison(pool);
      if (!last?.result) return [];
      const { compared, differences } = last.result;
      if (100 * differences.differs <= most * compared) return [];
      const [text] = describeComparison(last, last.result);
      return [{ text, count: differences.differs, detail: last.against }];
    },
  },
] as const satisfies readonly HealthCheck[];

const DECLARED = [...PROCESS_CHECKS, ...LOADS, ...JOB_CHECKS, ...CALLER_CHECKS, ...SERVED, ...BACKUP_CHECKS] as const;

export type ProblemKind = (typeof DECLARED)[number]['kind'];
export const HEALTH_CHECKS: readonly HealthCheck<ProblemKind>[] = DECLARED;
export const PROBLEM_KINDS: readonly ProblemKind[] = HEALTH_CHECKS.map(({ kind }) => kind);
