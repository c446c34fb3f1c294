/** Completes jobs that have ended well, and ends their runs; those of one moment share a statement. */
import type { PgBoss } from 'pg-boss';
import { isMissingReference } from '../../db/errors.ts';
import { Gathered } from '../../db/gathered.ts';
import type { Pool } from '../../db/pool.ts';
import { endingOn, type RunEnd } from '../../db/queue/job-ends.ts';
import type { QueueName } from './queues.ts';

interface Completion {
  readonly id: string;
  readonly attempt: number;
  /** Null: the job works for no run, or its run has ended. */
  readonly end: RunEnd | null;
}

const MAX_TOGETHER = 16;

export class Completions {
  private readonly queues = new Map<QueueName, Gathered<Completion, null>>();
  private readonly pool: Pool;
  private readonly boss: PgBoss;

  constructor(pool: Pool, boss: PgBoss) {
    this.pool = pool;
    this.boss = boss;
  }

  /** Does nothing when the job is at another attempt. */
  async add(queue: QueueName, completion: Completion): Promise<void> {
    let gathered = this.queues.get(queue);
    if (!gathered) {
      gathered = new Gathered({ max: MAX_TOGETHER, run: (jobs) => this.complete(queue, jobs) });
      this.queues.set(queue, gathered);
    }
    try {
      await gathered.add(completion);
    } catch (error) {
      // The account was deleted meanwhile, and the run with it.
      if (completion.end === null || !isMissingReference(error)) throw error;
      await gathered.add({ ...completion, end: null });
    }
  }

  private async complete(queue: QueueName, jobs: readonly Completion[]): Promise<null[]> {
    const fences = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
    const ended = jobs.flatMap(({ id, end }) => (end ? [{ id, end }] : []));
    await this.boss.complete(queue, fences, undefined, { db: endingOn(this.pool, ended) });
    return jobs.map(() => null);
  }
}
