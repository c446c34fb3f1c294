/** Completes jobs that have ended well, and ends their runs; those of one moment share a statement. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { isMissingReference } from '../../db/errors.ts';
import { Gathered } from '../../db/gathered.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { endingOn, type RunEnd } from '../../db/queue/job-ends.ts';
import { settledJobs } from './boss.ts';
import type { QueueName } from './queues.ts';

interface Completion {
  readonly id: string;
  readonly attempt: number;
  /** Null: the job works for no run, or its run has ended. */
  readonly end: RunEnd | null;
}

export interface CompletionsOptions {
  readonly url: string;
  readonly pool: Pool;
  readonly boss: PgBoss;
  readonly log: Logger;
}

const MAX_TOGETHER = 16;
/** A statement that completes several jobs gives up so soon, as one that admits several runs does. */
const BATCH_LOCK_MS = 100;

export class Completions {
  private readonly queues = new Map<QueueName, Gathered<Completion, boolean>>();
  private readonly options: CompletionsOptions;
  private readonly batches: Pool;

  constructor(options: CompletionsOptions) {
    this.options = options;
    const { url, log } = options;
    const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
    this.batches = createPool({ url, max: 2, applicationName: 'worker-batches', onError, lockMs: BATCH_LOCK_MS });
  }

  /** False, without any effect, when the job was canceled or is at another attempt. */
  async add(queue: QueueName, completion: Completion): Promise<boolean> {
    let gathered = this.queues.get(queue);
    if (!gathered) {
      gathered = new Gathered({ max: MAX_TOGETHER, run: (jobs) => this.complete(queue, jobs) });
      this.queues.set(queue, gathered);
    }
    try {
      return await gathered.add(completion);
    } catch (error) {
      // The account was deleted meanwhile, and the run with it.
      if (completion.end === null || !isMissingReference(error)) throw error;
      return gathered.add({ ...completion, end: null });
    }
  }

  private async complete(queue: QueueName, jobs: readonly Completion[]): Promise<boolean[]> {
    const fences = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
    const ended = jobs.flatMap(({ id, end }) => (end ? [{ id, end }] : []));
    const { pool, boss } = this.options;
    const db = jobs.length > 1 ? this.batches : pool;
    const completed = settledJobs(await boss.complete(queue, fences, undefined, { db: endingOn(db, ended) }));
    return jobs.map(({ id }) => completed.has(id));
  }

  async close(): Promise<void> {
    await this.batches.end();
  }
}
