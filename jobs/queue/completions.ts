/** Completes successful jobs and ends their runs; concurrent ones share a transaction. */
import type { PgBoss } from 'pg-boss';
import { BATCH_LOCK_MS, Batcher } from '../../db/batcher.ts';
import { isMissingReference } from '../../db/errors.ts';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { endRuns, type RunEnd } from '../../db/runs/run-ends.ts';
import type { QueueName } from '../contracts/queues.ts';
import { settledJobs } from './boss.ts';

interface Completion {
  readonly id: string;
  readonly attempt: number;
  /** Null: the job works for no run, or its run has ended. */
  readonly end: RunEnd | null;
}

export interface CompletionsOptions {
  readonly pool: Pool;
  readonly boss: Pick<PgBoss, 'complete'>;
}

const MAX_TOGETHER = 16;

export class Completions {
  private readonly queues = new Map<QueueName, Batcher<Completion, boolean>>();
  private readonly options: CompletionsOptions;

  constructor(options: CompletionsOptions) {
    this.options = options;
  }

  /** False, without any effect, when the job was canceled or is at another attempt. */
  async add(queue: QueueName, completion: Completion): Promise<boolean> {
    let batcher = this.queues.get(queue);
    if (!batcher) {
      batcher = new Batcher({ max: MAX_TOGETHER, run: (jobs) => this.complete(queue, jobs) });
      this.queues.set(queue, batcher);
    }
    try {
      return await batcher.add(completion);
    } catch (error) {
      // The account was deleted, and the run with it.
      if (completion.end === null || !isMissingReference(error)) throw error;
      return batcher.add({ ...completion, end: null });
    }
  }

  /** Ends the runs whose jobs pg-boss completes: those whose attempt is still the current one. */
  private async complete(queue: QueueName, jobs: readonly Completion[]): Promise<boolean[]> {
    const { pool, boss } = this.options;
    const fences = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
    const complete = async (connection: Connection) => {
      const completed = settledJobs(await boss.complete(queue, fences, undefined, { db: executorOn(connection) }));
      const ended = jobs.flatMap(({ id, end }) => (end && completed.has(id) ? [{ id, end }] : []));
      if (ended.length > 0) await endRuns(connection, ended);
      return completed;
    };
    const completed = await transaction(pool, complete, { lockMs: jobs.length > 1 ? BATCH_LOCK_MS : undefined });
    return jobs.map(({ id }) => completed.has(id));
  }
}
