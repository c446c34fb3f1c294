/** Queues and jobs: `/api/admin/queues`, `/api/admin/jobs`. */
import type { AuditedConnection } from '../../db/log/audit-log.ts';
import type { Queryable } from '../../db/pool.ts';
import {
  JOB_STATES,
  type QueueJob,
  selectAttempts,
  selectFailureGroups,
  selectJob,
  selectJobs,
} from '../../db/queue/queue-jobs.ts';
import { type QueueState, selectQueueStates } from '../../db/queue/queues.ts';
import { found } from '../../engine/util/errors.ts';
import { QUEUE_NAMES, type QueueName } from '../../jobs/contracts/queues.ts';
import {
  cancelJob,
  type Operator,
  pauseQueue,
  queueOf,
  resumeQueue,
  retryFailedJobs,
  retryJob,
  runbookOf,
} from '../../jobs/worker/operate.ts';
import { audited, auditIntent, entriesWith } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { Accepted } from '../http/answer/reply.ts';
import { listSchema, onePage, pageQuery, searchText, z } from '../http/input/fields.ts';
import {
  bulkBody,
  bulkSchema,
  failureSchema,
  jobDetailSchema,
  jobPath,
  jobSchema,
  queueName,
  queuePath,
  queueSchema,
} from './queue-schemas.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Back office: queue', access: 'admin', limit: 'back_office' } as const;
const CHANGE = { ...COMMON, method: 'post', takesIdempotencyKey: true } as const;

function queueView({
  oldestWaitingS,
  pausedBy,
  pausedAt,
  ...state
}: QueueState<QueueName>): z.input<typeof queueSchema> {
  return {
    ...state,
    oldest_waiting_s: oldestWaitingS === null ? null : Math.max(0, Math.round(oldestWaitingS * 10) / 10),
    paused: pausedAt !== null,
    paused_by: pausedBy,
    paused_at: pausedAt?.toISOString() ?? null,
  };
}

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
  return { ...jobView(one), input: { ...one.input }, stack: one.stack, history };
}

function operatorOf({ services, context, caller }: AdminCall): Operator {
  return { actor: caller.account.userId, requestId: context.requestId, at: new Date(services.now()) };
}

async function bulkRetry(call: AdminCall, queue: QueueName, body: z.output<typeof bulkBody>) {
  const operator = operatorOf(call);
  const failedBefore = body.failed_before ?? operator.at;
  const retry = { failedBefore, cause: body.cause ?? null, isDryRun: body.dry_run };
  const intent = auditIntent(call);
  const result = await audited(call, intent, async (connection) => {
    const done = await retryFailedJobs(connection, call.services.boss, queue, retry, operator);
    const details = { dry_run: body.dry_run, count: done.retried, job_ids: done.jobIds.slice(0, 100) };
    return { result: done, entries: entriesWith(intent, { details }) };
  });
  const { jobIds, retried, skipped } = result;
  return { queue, failed_before: failedBefore.toISOString(), job_ids: [...jobIds], retried, skipped };
}

async function changeQueue(
  call: AdminCall,
  queue: QueueName,
  change: (connection: AuditedConnection, queue: QueueName, operator: Operator) => Promise<void>,
): Promise<z.input<typeof queueSchema>> {
  const intent = auditIntent(call);
  await audited(call, intent, async (connection) => {
    await change(connection, queue, operatorOf(call));
    return { result: undefined, entries: intent.entries };
  });
  return queueView((await selectQueueStates(call.services.pool, [queue]))[0]);
}

export const QUEUE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listQueues',
    ...COMMON,
    method: 'get',
    path: '/api/admin/queues',
    summary: 'List queues with their waiting, running, and failed jobs',
    dataSchema: listSchema(queueSchema),
    errors: [],
    handle: async ({ services: { pool } }) => onePage((await selectQueueStates(pool, QUEUE_NAMES)).map(queueView)),
  }),
  defineRoute({
    operationId: 'retryFailedJobs',
    ...CHANGE,
    path: '/api/admin/queues/{queue}/retry-failed',
    summary: 'Retry failed jobs, at most 1,000 at a time',
    description:
      'First send `dry_run`, then the `failed_before` of its answer: exactly the jobs that were shown are retried.',
    audit: { action: 'job.retry', target: 'queue', parameter: 'queue' },
    pathSchema: queuePath,
    bodySchema: bulkBody,
    bodyExample: { dry_run: true },
    dataSchema: bulkSchema,
    errors: ['not_found'],
    handle: ({ path, body, ...call }) => bulkRetry(call, queueOf(path.queue), body),
  }),
  defineRoute({
    operationId: 'pauseQueue',
    ...CHANGE,
    path: '/api/admin/queues/{queue}/pause',
    summary: 'Pause a queue on all machines',
    description: 'Running jobs continue, and queued jobs wait.',
    audit: { action: 'queue.pause', target: 'queue', parameter: 'queue' },
    pathSchema: queuePath,
    dataSchema: queueSchema,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'running', status: 'paused' } },
    handle: ({ path, ...call }) => changeQueue(call, queueOf(path.queue), pauseQueue),
  }),
  defineRoute({
    operationId: 'resumeQueue',
    ...CHANGE,
    path: '/api/admin/queues/{queue}/resume',
    summary: 'Resume a queue',
    audit: { action: 'queue.resume', target: 'queue', parameter: 'queue' },
    pathSchema: queuePath,
    dataSchema: queueSchema,
    errors: ['not_found', 'wrong_state'],
    errorDetails: { wrong_state: { needed: 'paused', status: 'running' } },
    handle: ({ path, ...call }) => changeQueue(call, queueOf(path.queue), resumeQueue),
  }),
  defineRoute({
    operationId: 'listJobs',
    ...COMMON,
    method: 'get',
    path: '/api/admin/jobs',
    summary: 'List jobs, newest first',
    querySchema: z.object({
      queue: queueName.optional().meta({ description: 'Only jobs of this queue' }),
      state: z.enum(JOB_STATES).optional().meta({ description: 'Only jobs in this state' }),
      cause: searchText(300).meta({ description: 'Only failed jobs with this cause' }),
      ...pageQuery,
    }),
    dataSchema: listSchema(jobSchema),
    errors: [],
    handle: async ({ query: { queue, state, cause, page, size }, services: { pool } }) => {
      const { total, items } = await selectJobs(pool, { queue, state, cause }, { page, size });
      return { total, page, size, items: items.map(jobView) };
    },
  }),
  defineRoute({
    operationId: 'listJobFailures',
    ...COMMON,
    method: 'get',
    path: '/api/admin/jobs/failures',
    summary: 'Count failed jobs by queue and cause, latest first',
    querySchema: z.object({ queue: queueName.optional().meta({ description: 'Only failures of this queue' }) }),
    dataSchema: listSchema(failureSchema),
    errors: [],
    handle: async ({ query: { queue = null }, services: { pool } }) =>
      onePage(
        (await selectFailureGroups(pool, queue)).map((group) => ({
          queue: group.queue,
          cause: group.cause,
          last_error: group.lastError,
          count: group.count,
          first_at: group.firstAt.toISOString(),
          last_at: group.lastAt.toISOString(),
          example_job_id: group.exampleJobId,
          runbook: runbookOf(group.queue),
        })),
      ),
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
