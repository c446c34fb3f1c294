/** Jobs of every queue, and the processes that run them: `/api/admin/jobs`, `/api/admin/instances`. */
import { selectConnectedProcesses } from '../../db/connection-counts.ts';
import type { Queryable } from '../../db/pool.ts';
import { MAX_LISTED_JOBS, type QueueJob, selectAttempts, selectJob, selectJobs } from '../../db/queue/queue-jobs.ts';
import { selectWorkers } from '../../db/runs/job-claims.ts';
import { selectJobDeliveries } from '../../db/webhooks/webhooks.ts';
import { found } from '../../engine/util/errors.ts';
import { actOnJobs, cancelJob, queueOf, retryJob, runbookOf } from '../../jobs/worker/operate.ts';
import { audited, auditIntent, entriesWith } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { Accepted } from '../http/answer/reply.ts';
import { assertTimeRange, listSchema, onePage, type z } from '../http/input/fields.ts';
import { CHANGE, COMMON, operatorOf } from './operator.ts';
import {
  instanceSchema,
  jobDetailSchema,
  jobListSchema,
  jobPath,
  jobQuery,
  type jobSchema,
  updateBody,
  updateSchema,
} from './queue-schemas.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';

function jobView(one: QueueJob): z.input<typeof jobSchema> {
  return {
    id: one.id,
    queue: one.queue,
    state: one.state,
    attempts: one.attempts,
    max_attempts: one.maxAttempts,
    error: one.error,
    runbook: one.error !== null ? runbookOf(one.queue) : null,
    request_id: one.requestId,
    subject: one.subject,
    account: one.account,
    worker: one.worker,
    created_at: one.createdAt.toISOString(),
    start_after: one.startAfter.toISOString(),
    started_at: one.startedAt?.toISOString() ?? null,
    finished_at: one.finishedAt?.toISOString() ?? null,
  };
}

async function detailView(db: Queryable, one: QueueJob): Promise<z.input<typeof jobDetailSchema>> {
  const history = (await selectAttempts(db, one.queue, one.id)).map(({ takenAt, endedAt, ...attempt }) => ({
    ...attempt,
    taken_at: takenAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  }));
  const record = one.input.exportId ?? one.input.sweepId ?? null;
  const told = await selectJobDeliveries(db, one.id, record === null ? null : String(record), one.createdAt);
  const deliveries = told.map(({ createdAt, lastAt, ...delivery }) => ({
    ...delivery,
    created_at: createdAt.toISOString(),
    last_at: lastAt,
  }));
  return { ...jobView(one), input: { ...one.input }, stack: one.stack, history, deliveries };
}

async function updateJobs(call: AdminCall, body: z.output<typeof updateBody>) {
  const { action, after = null, limit, dry_run: isDryRun, ...filter } = body;
  assertTimeRange(filter.from, filter.to);
  const operator = operatorOf(call);
  const intent = auditIntent(call, { details: { action, dry_run: isDryRun } });
  const wanted = { action, filter, after, limit, isDryRun };
  const { jobIds, to, ...done } = await audited(call, intent, async (connection) => {
    const result = await actOnJobs(connection, call.services.boss, wanted, operator);
    const details = { ...filter, count: result.done, job_ids: result.jobIds.slice(0, 100) };
    return { result, entries: entriesWith(intent, { details }) };
  });
  return { action, to: to.toISOString(), job_ids: [...jobIds], ...done };
}

async function readInstances(db: Queryable): Promise<z.input<typeof instanceSchema>[]> {
  const workers = (await selectWorkers(db)).map(({ name, startedAt, jobs }) => ({
    kind: 'worker' as const,
    name,
    since: startedAt.toISOString(),
    jobs: jobs.map(({ queue, id, since }) => ({ queue, id, since: new Date(since).toISOString() })),
  }));
  const others = (await selectConnectedProcesses(db, ['api', 'scheduler'])).map(({ kind, host, since }) => ({
    kind,
    name: host,
    since: since.toISOString(),
    jobs: [],
  }));
  return [...workers, ...others];
}

export const JOB_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listJobs',
    ...COMMON,
    method: 'get',
    path: '/api/admin/jobs',
    summary: 'List jobs, newest first',
    description: `At most ${MAX_LISTED_JOBS.toLocaleString('en')} are counted and listed. Text, an account, and a worker are looked for among as many, the newest that match the rest; \`to\` looks further back.`,
    querySchema: jobQuery,
    dataSchema: jobListSchema,
    errors: ['invalid_date_range'],
    handle: async ({ query: { page, size, ...filter }, services: { pool } }) => {
      assertTimeRange(filter.from, filter.to);
      const { total, items, searchedFrom } = await selectJobs(pool, filter, { page, size });
      return { total, page, size, items: items.map(jobView), searched_from: searchedFrom?.toISOString() ?? null };
    },
  }),
  defineRoute({
    operationId: 'updateJobs',
    ...CHANGE,
    path: '/api/admin/jobs/update',
    summary: 'Retry, cancel, or move the jobs that match, some at a time',
    description: 'First send `dry_run`, then the `to` of its answer, and each time the `next` of the answer before.',
    audit: { action: 'job.update', target: 'job' },
    bodySchema: updateBody,
    bodyExample: { action: 'retry', queue: 'export', dry_run: true },
    dataSchema: updateSchema,
    errors: ['invalid_date_range'],
    handle: ({ body, ...call }) => updateJobs(call, body),
  }),
  defineRoute({
    operationId: 'listInstances',
    ...COMMON,
    method: 'get',
    path: '/api/admin/instances',
    summary: 'List the processes of the service, and the jobs that each worker runs',
    dataSchema: listSchema(instanceSchema),
    errors: [],
    handle: async ({ services: { pool } }) => onePage(await readInstances(pool)),
  }),
  defineRoute({
    operationId: 'getJob',
    ...COMMON,
    method: 'get',
    path: '/api/admin/jobs/{queue}/{id}',
    summary: 'Get a job with its input, attempts, and last stack',
    pathSchema: jobPath,
    dataSchema: jobDetailSchema,
    errors: ['not_found'],
    handle: async ({ path, services: { pool } }) => detailView(pool, found(await selectJob(pool, path.queue, path.id))),
  }),
  defineRoute({
    operationId: 'retryJob',
    ...CHANGE,
    path: '/api/admin/jobs/{queue}/{id}/retry',
    summary: 'Retry a failed job',
    description:
      'A load, an export, or a sweep is retried by a new job, which is the answer. While another sweep of the account runs, a sweep gets no new job, and the answer is the failed one.',
    audit: { action: 'job.retry', target: 'job', parameter: 'id' },
    pathSchema: jobPath,
    successStatus: 202,
    acceptedSchema: jobDetailSchema,
    dataSchema: jobDetailSchema,
    errors: ['not_found', 'wrong_state', 'already_running', 'job_is_over', 'export_expired'],
    errorDetails: { wrong_state: { needed: 'failed', status: 'active' } },
    handle: async ({ path, ...call }) => {
      const queue = queueOf(path.queue);
      const operator = operatorOf(call);
      const intent = auditIntent(call);
      const retried = await audited(call, intent, async (connection) => {
        const next = await retryJob(connection, call.services.boss, queue, path.id, operator);
        const job = found(await selectJob(connection, next.queue, next.jobId));
        return { result: job, entries: entriesWith(intent, { details: { queue: next.queue, job_id: next.jobId } }) };
      });
      return new Accepted(
        `/api/admin/jobs/${retried.queue}/${retried.id}`,
        await detailView(call.services.pool, retried),
      );
    },
  }),
  defineRoute({
    operationId: 'cancelJob',
    ...CHANGE,
    path: '/api/admin/jobs/{queue}/{id}/cancel',
    summary: 'Cancel a job that waits or runs',
    audit: { action: 'job.cancel', target: 'job', parameter: 'id' },
    pathSchema: jobPath,
    dataSchema: jobDetailSchema,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'waiting, retry, active', status: 'completed' } },
    handle: async ({ path, ...call }) => {
      const queue = queueOf(path.queue);
      const operator = operatorOf(call);
      const intent = auditIntent(call);
      const cancelled = await audited(call, intent, async (connection) => {
        await cancelJob(connection, call.services.boss, queue, path.id, operator);
        const job = found(await selectJob(connection, queue, path.id));
        return { result: job, entries: entriesWith(intent, { details: { queue } }) };
      });
      return detailView(call.services.pool, cancelled);
    },
  }),
];
