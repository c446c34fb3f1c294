/** Requests and responses of queues and jobs. */
import { PROCESS_KINDS } from '../../db/connection-counts.ts';
import { JOB_STATES } from '../../db/queue/queue-jobs.ts';
import { TABLES } from '../../db/schema/tables.ts';
import { QUEUE_NAMES } from '../../jobs/contracts/queues.ts';
import { JOB_ACTIONS } from '../../jobs/worker/operate.ts';
import { instant, instantField, listSchema, pageQuery, searchText, z } from '../http/input/fields.ts';

const EXAMPLE_JOB = '0199e9c2-6f1b-7c4e-9a53-2d8f5b7e1c41';
export const queueName = z.enum(QUEUE_NAMES);
const queueField = z.string().max(64).meta({ example: 'export' });
export const queuePath = z.object({ queue: queueField });
export const jobPath = z.object({ queue: queueField, id: z.uuid().meta({ example: EXAMPLE_JOB }) });
const runbook = z
  .string()
  .meta({ description: 'The section of the runbook for this failure', example: 'ops/docs/RUNBOOK.md#loads' });

/** Completed jobs of a queue whose times count. */
export const TIMED_JOBS = 1_000;
const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).meta({ id: 'Percentiles' });

export const queueSchema = z
  .object({
    queue: queueName,
    waiting: z.int(),
    active: z.int(),
    retry: z.int().meta({ description: 'Jobs that wait for their next attempt' }),
    failed: z.int(),
    completed: z.int().meta({ description: 'In the last hour' }),
    oldest_waiting_s: z.number().nullable(),
    paused: z.boolean(),
    paused_by: z.string().nullable(),
    paused_at: instant.nullable(),
    times: z
      .object({ jobs: z.int(), waiting_s: percentiles, running_s: percentiles })
      .nullable()
      .meta({ description: `Of the newest completed jobs, at most ${TIMED_JOBS.toLocaleString('en')}` }),
  })
  .meta({ id: 'Queue' });

const job = {
  id: z.uuid(),
  queue: z.string(),
  state: z.enum(JOB_STATES),
  attempts: z.int().meta({ description: 'Attempts so far' }),
  max_attempts: z.int(),
  error: z.string().nullable(),
  runbook: runbook.nullable(),
  request_id: z.string().nullable(),
  subject: z.string().nullable(),
  account: z.string().nullable(),
  worker: z.string().nullable(),
  created_at: instant,
  start_after: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
};
export const jobSchema = z.object(job).meta({ id: 'Job' });
export const jobListSchema = listSchema(jobSchema).extend({
  searched_from: instant.nullable().meta({
    description: 'Jobs queued before were not searched for the text, account, or worker; null: all were',
  }),
});
const attemptSchema = z.object({
  attempt: z.int(),
  worker: z.string().nullable(),
  taken_at: instant,
  ended_at: instant.nullable(),
  error: z.string().nullable(),
});
export const jobDetailSchema = z
  .object({
    ...job,
    input: z.record(z.string(), z.unknown()),
    stack: z.string().nullable(),
    history: z.array(attemptSchema),
    deliveries: z
      .array(
        z.object({
          event: z.string(),
          status: z.enum(TABLES.webhook_deliveries.status.values),
          attempts: z.int(),
          created_at: instant,
          last_at: instant.nullable(),
        }),
      )
      .meta({ description: 'Webhooks that tell of its work' }),
  })
  .meta({ id: 'JobDetail' });

export const instanceSchema = z
  .object({
    kind: z.enum(PROCESS_KINDS),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Of a worker, or the address; null: on the machine of the database' }),
    since: instant,
    jobs: z.array(z.object({ queue: z.string(), id: z.uuid(), since: instant })),
  })
  .meta({ id: 'Instance' });

/** Which jobs. */
const jobFilter = {
  queue: queueName.optional().meta({ description: 'Only jobs of this queue' }),
  state: z.enum(JOB_STATES).optional().meta({ description: 'Only jobs in this state' }),
  cause: searchText(300).meta({ description: 'Only failed jobs with this cause' }),
  account: searchText(254).meta({ description: 'Only jobs for the account with this e-mail' }),
  worker: searchText(200).meta({ description: 'Only jobs that this worker runs or ran' }),
  text: searchText(200).meta({ description: 'Only jobs with this in their id, input, or error' }),
  from: instantField('first').optional().meta({ description: 'Only jobs queued from then on' }),
  to: instantField('last').optional().meta({ description: 'Only jobs queued until then' }),
};
export const jobQuery = z.object({ ...jobFilter, ...pageQuery });

export const updateBody = z.strictObject({
  action: z.enum(JOB_ACTIONS).meta({ description: '`move_first`, `move_last`: within their queue' }),
  ...jobFilter,
  after: z.uuid().optional().meta({ description: '`next` of the answer before' }),
  limit: z.int().min(1).max(1_000).default(100),
  dry_run: z.boolean().default(false).meta({ description: 'Only list the jobs that would be changed' }),
});
export const updateSchema = z
  .object({
    action: z.enum(JOB_ACTIONS),
    to: instant.meta({ description: 'As sent, or now: the set for the next calls' }),
    total: z.int().meta({ description: 'Jobs that match, before this call' }),
    job_ids: z.array(z.uuid()),
    done: z.int(),
    skipped: z.int(),
    next: z.uuid().nullable().meta({ description: 'Null: these were the last' }),
  })
  .meta({ id: 'JobsUpdate' });

export const failureSchema = z.object({
  queue: z.string(),
  cause: z.string().meta({ description: 'The error message without numbers and ids' }),
  last_error: z.string().meta({ description: 'The error message of the latest of these jobs' }),
  count: z.int(),
  first_at: instant,
  last_at: instant,
  example_job_id: z.uuid(),
  runbook,
});

export const bulkBody = z.strictObject({
  dry_run: z.boolean().default(false).meta({ description: 'Only list the jobs that would be retried' }),
  failed_before: instantField('last').optional().meta({
    description: 'Only jobs that failed before this time; a date includes the whole day (UTC). Default: now',
  }),
  cause: z
    .string()
    .max(300)
    .optional()
    .meta({ description: 'Only jobs with this cause, as `/api/admin/jobs/failures` names it' }),
});
export const bulkSchema = z.object({
  queue: z.string(),
  failed_before: instant,
  job_ids: z.array(z.uuid()),
  retried: z.int(),
  skipped: z.int().meta({ description: 'Jobs whose request has ended, or that are already running' }),
});
