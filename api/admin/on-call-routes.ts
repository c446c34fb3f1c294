/** The state of the installation for the person on call: `/api/admin/on-call`. */
import { DRILL_SERVERS, selectLastBackup, selectLastDrill } from '../../db/backup/backups.ts';
import type { ProcessKind } from '../../db/connection-counts.ts';
import { selectAuditEntries } from '../../db/log/audit-log.ts';
import { selectProviderRanges } from '../../db/market/loaded-sessions.ts';
import type { Pool } from '../../db/pool.ts';
import type { FailureGroup } from '../../db/queue/queue-jobs.ts';
import { type QueueActivity, selectQueueActivity } from '../../db/queue/queues.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { BackupPlan } from '../../jobs/contracts/backup.ts';
import { QUEUE_NAMES, type QueueName } from '../../jobs/contracts/queues.ts';
import { examine, type Finding, type Problem, REPAIRS, remedyOf } from '../../jobs/health/check.ts';
import { HEALTH_CHECKS, PROBLEM_KINDS, type ProblemKind } from '../../jobs/health/checks.ts';
import { readOnce } from '../../jobs/health/installation.ts';
import type { HealthCheck } from '../../jobs/health/process-checks.ts';
import { CHECKED_VENUE_BASIS } from '../../jobs/quality/check-sessions.ts';
import type { Route } from '../call/route.ts';
import { instant, z } from '../http/input/fields.ts';
import { day } from '../market/schemas.ts';
import { queueName } from './queue-schemas.ts';
import { defineRoute, type Services } from './services.ts';

/** Steps of five minutes. */
const ACTIVITY_STEPS = 12;

const problemSchema = z
  .object({
    kind: z.enum(PROBLEM_KINDS),
    caused_by: z.enum(PROBLEM_KINDS).nullable(),
    queue: z.string().nullable(),
    sync_job_id: z.int().nullable(),
    session: day.nullable(),
    until: day.nullable(),
    count: z.int().nullable().meta({ description: 'Jobs, sessions, backtests, or seconds' }),
    detail: z.string().nullable(),
    under_way: z.boolean(),
    advice: z.boolean(),
    repair: z.enum(REPAIRS).nullable(),
    command: z.string().nullable(),
    runbook: z.string(),
  })
  .meta({ id: 'OnCallProblem' });

const onCallSchema = z
  .object({
    generated_at: instant,
    problems: z.array(problemSchema).meta({ description: 'Causes before their consequences' }),
    well_since: instant.nullable().meta({
      description: 'The last known repair; null while there is a problem',
    }),
    processes: z.object({ api: z.int(), worker: z.int(), scheduler: z.int() }),
    loaded_to: day.nullable().meta({ description: 'Newest loaded session' }),
    published_to: day.nullable(),
    sessions_behind: z.int().nullable().meta({ description: 'Null: not known' }),
    backups: z
      .object({
        location: z.string(),
        last_at: instant.nullable().meta({ description: 'When the last complete one began' }),
        last_bytes: z.int().nullable(),
        restored_at: instant.nullable().meta({ description: 'The last drill that worked' }),
        restored_on: z
          .enum(DRILL_SERVERS)
          .nullable()
          .meta({ description: '`own`: a database on the server of the service' }),
      })
      .nullable()
      .meta({ description: 'Null: none are made' }),
    activity: z.array(
      z.object({
        queue: queueName,
        added: z.array(z.int()).max(ACTIVITY_STEPS).meta({ description: 'In each five minutes of the last hour' }),
        ended: z.array(z.int()).max(ACTIVITY_STEPS).meta({ description: 'In each five minutes of the last hour' }),
      }),
    ),
  })
  .meta({ id: 'OnCallReport' });

function problemView({ check, problem, cause }: FoundProblem): z.input<typeof problemSchema> {
  const { queue, syncJobId, session, until, count, detail, isUnderWay, isAdvice, runbook } = problem;
  const { repair, command } = remedyOf(check, problem);
  return {
    kind: check.kind,
    caused_by: cause?.kind ?? null,
    queue: queue ?? null,
    sync_job_id: syncJobId ?? null,
    session: session ?? null,
    until: until ?? null,
    count: count ?? null,
    detail: detail ?? null,
    under_way: isUnderWay ?? false,
    advice: isAdvice ?? check.isAdvice ?? false,
    repair,
    command,
    runbook: `ops/docs/RUNBOOK.md#${runbook ?? check.runbook}`,
  };
}

function reportView(report: OnCallReport, at: number) {
  return {
    generated_at: new Date(at).toISOString(),
    problems: report.problems.map(problemView),
    well_since: report.wellSince?.toISOString() ?? null,
    processes: { ...report.processes },
    loaded_to: report.loadedTo,
    published_to: report.publishedTo,
    sessions_behind: report.sessionsBehind,
    backups: report.backups,
    activity: report.activity.map(({ queue, added, ended }) => ({ queue, added: [...added], ended: [...ended] })),
  };
}

export const ON_CALL_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getOnCallReport',
    tag: 'Back office: queue',
    access: 'admin',
    limit: 'back_office',
    method: 'get',
    path: '/api/admin/on-call',
    summary: 'Get problems, processes, and how far data is loaded',
    dataSchema: onCallSchema,
    errors: [],
    handle: async ({ services }) => reportView(await onCallReport(services), services.now()),
  }),
];

// Current problems of the installation, ordered so that causes come before their consequences.

type Declared = HealthCheck<ProblemKind>;

interface FoundProblem {
  readonly check: Declared;
  readonly problem: Problem;
  /** The check whose problem explains this one; null if this one is a root cause. */
  readonly cause: Declared | null;
}

interface OnCallReport {
  readonly problems: readonly FoundProblem[];
  /** When the last problem was repaired, according to jobs and the audit log; null if there is a problem, or if this is unknown. */
  readonly wellSince: Date | null;
  readonly processes: Readonly<Record<ProcessKind, number>>;
  readonly loadedTo: string | null;
  readonly publishedTo: string | null;
  readonly sessionsBehind: number | null;
  readonly backups: z.input<typeof onCallSchema>['backups'];
  readonly activity: readonly QueueActivity<QueueName>[];
}

const ACTIVITY_STEP_S = 300;

async function onCallReport({
  pool,
  now,
  storage,
  deadlines,
  freeBytes,
  backups,
}: Pick<Services, 'pool' | 'now' | 'storage' | 'deadlines' | 'freeBytes' | 'backups'>): Promise<OnCallReport> {
  const installation = readOnce({ pool, now, deadlines, freeBytes, backups, storage: () => storage });
  // These throw while the database is unavailable, which is then the answer.
  const processes = await installation.processes();
  const failures = await installation.failures();
  const freshness = await installation.freshness();
  const published = (await selectProviderRanges(pool)).find(({ venueBasis }) => venueBasis === CHECKED_VENUE_BASIS);
  const findings = await examine(HEALTH_CHECKS, installation);
  const problems = [
    ...findings.flatMap((root) => problemsOf(root, null)),
    ...findings.flatMap(({ check, consequences }) => consequences.flatMap((one) => problemsOf(one, check))),
  ];
  return {
    problems,
    wellSince: problems.length > 0 ? null : await lastRepair(pool, failures),
    processes,
    loadedTo: freshness.loaded === null ? null : formatDay(freshness.loaded),
    publishedTo: published ? formatDay(published.newestSession) : null,
    sessionsBehind: freshness.behind,
    backups: backups && (await backupsView(pool, backups)),
    activity: await selectQueueActivity(pool, QUEUE_NAMES, { steps: ACTIVITY_STEPS, stepS: ACTIVITY_STEP_S }),
  };
}

async function backupsView(pool: Pool, { location }: BackupPlan): Promise<OnCallReport['backups']> {
  const [last, drill] = [await selectLastBackup(pool, true), await selectLastDrill(pool, 'passed')];
  return {
    location,
    last_at: last?.startedAt.toISOString() ?? null,
    last_bytes: last?.bytes ?? null,
    restored_at: drill?.startedAt.toISOString() ?? null,
    restored_on: drill?.server ?? null,
  };
}

function problemsOf({ check, problems }: Finding<Declared>, cause: Declared | null): FoundProblem[] {
  return problems.map((problem) => ({ check, problem, cause }));
}

const REPAIR_ACTIONS = ['queue.resume', 'session.release', 'sync.retry', 'job.retry'] as const;

async function lastRepair(pool: Pool, failures: readonly FailureGroup[]): Promise<Date | null> {
  const known = failures.flatMap(({ recoveredAt }) => recoveredAt ?? []);
  for (const action of REPAIR_ACTIONS) {
    const { items } = await selectAuditEntries(pool, { action, result: 'ok' }, { page: 1, size: 1 });
    known.push(...items.map(({ at }) => at));
  }
  return known.length === 0 ? null : new Date(Math.max(...known.map(Number)));
}
