/** `npm run ops -- jobs …` and `queues …`: jobs and queues. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  JOB_STATES,
  type JobAttempt,
  type JobState,
  type QueueJob,
  selectAttempts,
  selectFailureGroups,
  selectJob,
  selectJobs,
} from '../../db/queue/queue-jobs.ts';
import { selectQueueStates } from '../../db/queue/queues.ts';
import { isQueueName, QUEUE_NAMES, type QueueName } from '../../jobs/contracts/queues.ts';
import { cancelJob, pauseQueue, resumeQueue, retryFailedJobs, retryJob, runbookOf } from '../../jobs/worker/operate.ts';
import { act } from './audited-command.ts';
import { countOption, fail, say, tableOf, timeText, withTools } from './tools.ts';

function queueArgument(name: string): QueueName {
  if (isQueueName(name)) return name;
  throw new InvalidArgumentError(`expected one of ${QUEUE_NAMES.join(', ')}`);
}

function idArgument(id: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  throw new InvalidArgumentError('expected the id of a job, as "jobs list" shows it');
}

function showJob(job: QueueJob, attempts: readonly JobAttempt[]): void {
  const lines: [string, string][] = [
    ['job', `${job.queue} ${job.id}`],
    ['state', `${job.state}, attempt ${job.attempts} of ${job.maxAttempts}`],
    ['input', JSON.stringify(job.input)],
    ['request id', job.requestId ?? ''],
    ['created', timeText(job.createdAt)],
    ['started', timeText(job.startedAt)],
    ['finished', timeText(job.finishedAt)],
  ];
  if (job.error !== null) lines.push(['error', job.error], ['runbook', runbookOf(job.queue)]);
  for (const [name, text] of lines) say(`${name.padEnd(11)} ${text}`);
  const rows = attempts.map((one) => [
    one.attempt,
    timeText(one.takenAt),
    one.endedAt === null ? 'running' : timeText(one.endedAt),
    one.worker,
    one.error,
  ]);
  if (rows.length > 0) say(`\n${tableOf(['attempt', 'taken', 'failed', 'worker', 'error'], rows)}`);
  if (job.stack) say(`\n${job.stack}`);
}

interface ListOptions {
  readonly queue?: QueueName;
  readonly state?: JobState;
  readonly limit: number;
}

function addQueues(program: Command): void {
  const queues = program.command('queues').description('Queues of jobs');
  queues
    .command('list')
    .description('Show waiting, running, and failed jobs by queue')
    .action(() =>
      withTools(async ({ pool }) => {
        const states = await selectQueueStates(pool, QUEUE_NAMES);
        const head = ['queue', 'waiting', 'active', 'retry', 'failed', 'completed', 'oldest', 'paused'];
        const rows = states.map((q) => [
          ...[q.queue, q.waiting, q.active, q.retry, q.failed, q.completed],
          q.oldestWaitingS === null ? '' : `${Math.round(q.oldestWaitingS)} s`,
          q.pausedAt === null ? '' : `by ${q.pausedBy} at ${timeText(q.pausedAt)}`,
        ]);
        say(tableOf(head, rows));
      }),
    );
  queues
    .command('pause')
    .description('Pause a queue on all machines; running jobs continue')
    .argument('<queue>', 'its name', queueArgument)
    .action((queue: QueueName) =>
      withTools(async (tools) => {
        const done = await act(
          tools,
          { action: 'queue.pause', target: 'queue', targetId: queue },
          async (connection, _boss, operator) => {
            await pauseQueue(connection, queue, operator);
            return true;
          },
        );
        if (done) say(`${queue} is paused`);
      }),
    );
  queues
    .command('resume')
    .description('Resume a paused queue')
    .argument('<queue>', 'its name', queueArgument)
    .action((queue: QueueName) =>
      withTools(async (tools) => {
        const done = await act(
          tools,
          { action: 'queue.resume', target: 'queue', targetId: queue },
          async (connection) => {
            await resumeQueue(connection, queue);
            return true;
          },
        );
        if (done) say(`${queue} is resumed`);
      }),
    );
}

interface FailureOptions {
  readonly queue?: QueueName;
  readonly all: boolean;
}

async function showFailures({ queue, all }: FailureOptions): Promise<void> {
  await withTools(async ({ pool }) => {
    const groups = await selectFailureGroups(pool, queue ?? null);
    const shown = groups.filter(({ recoveredAt }) => all || recoveredAt === null);
    const rows = shown.map((group) => [
      group.queue,
      group.count,
      timeText(group.lastAt),
      group.lastError.slice(0, 90),
      group.recoveredAt === null
        ? runbookOf(group.queue)
        : `nothing: a job succeeded at ${timeText(group.recoveredAt)}`,
    ]);
    if (rows.length > 0) say(tableOf(['queue', 'jobs', 'latest', 'error of the latest', 'what to do'], rows));
    const recovered = groups.length - shown.length;
    if (recovered > 0)
      say(`${recovered} more causes are resolved, because a later job of the queue succeeded; --all shows them`);
    else if (rows.length === 0) say('no job has failed');
  });
}

function addReading(jobs: Command): void {
  jobs
    .command('list')
    .description('List the latest jobs')
    .option('--queue <queue>', 'only jobs of this queue', queueArgument)
    .addOption(new Option('--state <state>', 'only jobs in this state').choices([...JOB_STATES]))
    .option('--limit <n>', 'how many', countOption, 20)
    .action(({ queue, state, limit }: ListOptions) =>
      withTools(async ({ pool }) => {
        const { total, items } = await selectJobs(pool, { queue, state }, { page: 1, size: limit });
        const rows = items.map((job) => [
          ...[job.queue, job.id, job.state, `${job.attempts}/${job.maxAttempts}`, timeText(job.createdAt)],
          job.error?.slice(0, 80) ?? '',
        ]);
        say(tableOf(['queue', 'id', 'state', 'attempts', 'created', 'error'], rows));
        say(`${items.length} of ${total}`);
      }),
    );
  jobs
    .command('failures')
    .description('Show failures by queue and cause, latest first')
    .option('--queue <queue>', 'only jobs of this queue', queueArgument)
    .option('--all', 'include failures after which a job of the queue has succeeded', false)
    .action(showFailures);
  jobs
    .command('show')
    .description('Show a job with its input and the stack of its last failure')
    .argument('<queue>', 'its queue', queueArgument)
    .argument('<id>', 'its id', idArgument)
    .action((queue: QueueName, id: string) =>
      withTools(async ({ pool }) => {
        const job = await selectJob(pool, queue, id);
        if (job) showJob(job, await selectAttempts(pool, queue, id));
        else fail(`there is no job ${id} in ${queue}`);
      }),
    );
}

interface BulkOptions {
  readonly dryRun: boolean;
  readonly before?: Date;
  readonly cause?: string;
}

function timeOption(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('expected an ISO time');
  return time;
}

function addChanging(jobs: Command): void {
  jobs
    .command('retry')
    .description('Retry a failed job')
    .argument('<queue>', 'its queue', queueArgument)
    .argument('<id>', 'its id', idArgument)
    .action((queue: QueueName, id: string) =>
      withTools(async (tools) => {
        const target = { action: 'job.retry', target: 'job', targetId: id } as const;
        const retried = await act(tools, target, (connection, boss, operator) =>
          retryJob(connection, boss, queue, id, operator),
        );
        if (retried) say(`queued again as ${retried.queue} ${retried.jobId}`);
      }),
    );
  jobs
    .command('cancel')
    .description('Cancel a waiting or running job')
    .argument('<queue>', 'its queue', queueArgument)
    .argument('<id>', 'its id', idArgument)
    .action((queue: QueueName, id: string) =>
      withTools(async (tools) => {
        const target = { action: 'job.cancel', target: 'job', targetId: id } as const;
        const done = await act(tools, target, async (connection, boss, operator) => {
          await cancelJob(connection, boss, queue, id, operator);
          return true;
        });
        if (done) say('canceled');
      }),
    );
  jobs
    .command('retry-failed')
    .description('Retry the failed jobs of a queue, at most 1,000 at a time')
    .argument('<queue>', 'its name', queueArgument)
    .option('--dry-run', 'only show what would be retried', false)
    .option('--before <time>', 'only jobs that failed before this time (ISO 8601)', timeOption)
    .option('--cause <cause>', 'only failures with this error, as "jobs failures" shows it')
    .action((queue: QueueName, { dryRun, before, cause }: BulkOptions) =>
      withTools(async (tools) => {
        const target = { action: 'job.retry', target: 'queue', targetId: queue } as const;
        const result = await act(tools, target, (connection, boss, operator) => {
          const retry = { failedBefore: before ?? operator.at, cause: cause ?? null, isDryRun: dryRun };
          return retryFailedJobs(connection, boss, queue, retry, operator);
        });
        if (!result) return;
        if (dryRun) say(result.jobIds.join('\n'));
        say(
          dryRun
            ? `${result.jobIds.length} jobs; to retry exactly these: --before ${result.failedBefore.toISOString()}`
            : `${result.retried} queued again, ${result.skipped} could not be`,
        );
      }),
    );
}

export function addJobCommands(program: Command): void {
  addQueues(program);
  const jobs = program.command('jobs').description('Jobs of the queues');
  addReading(jobs);
  addChanging(jobs);
}
