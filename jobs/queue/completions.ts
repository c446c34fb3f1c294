/** Completes jobs that have ended well, and ends their runs; those of one moment share a transaction. */
import { LRUCache } from 'lru-cache';
import type { PgBoss } from 'pg-boss';
import { BATCH_LOCK_MS, Batcher } from '../../db/batcher.ts';
import { isMissingReference } from '../../db/errors.ts';
import { type Connection, executorOn, type Pool, transaction } from '../../db/pool.ts';
import { endRuns, lacksKlines, type RunEnd } from '../../db/runs/run-ends.ts';
import { klinesText } from '../../db/runs/run-results.ts';
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
/** Results are kept for an hour at least. */
const COPIED_FOR_MS = 30 * 60_000;
const MAX_COPIED = 2_000;

export class Completions {
  private readonly queues = new Map<QueueName, Batcher<Completion, boolean>>();
  private readonly options: CompletionsOptions;
  /** Digest of bars → fingerprint of a stored result that has them. */
  private readonly copied = new LRUCache<string, Uint8Array>({ max: MAX_COPIED, ttl: COPIED_FOR_MS });

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
      const { end } = completion;
      if (end?.klines && lacksKlines(error)) {
        this.copied.delete(end.klines.sha256);
        return this.add(queue, { ...completion, end: withOwnKlines(end) });
      }
      // The account was deleted meanwhile, and the run with it.
      if (end === null || !isMissingReference(error)) throw error;
      return batcher.add({ ...completion, end: null });
    }
  }

  /** Runs are ended whose jobs pg-boss completes, so only by the attempt that a job is at. */
  private async complete(queue: QueueName, jobs: readonly Completion[]): Promise<boolean[]> {
    const { pool, boss } = this.options;
    const fences = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
    const complete = async (connection: Connection) => {
      const completed = settledJobs(await boss.complete(queue, fences, undefined, { db: executorOn(connection) }));
      const ended = jobs.flatMap(({ id, end }) => {
        const klinesOf = end?.klines && this.copied.get(end.klines.sha256);
        return end && completed.has(id) ? [{ id, end, klinesOf: klinesOf ?? null }] : [];
      });
      if (ended.length > 0) await endRuns(connection, ended);
      return { completed, ended };
    };
    const { completed, ended } = await transaction(pool, complete, {
      lockMs: jobs.length > 1 ? BATCH_LOCK_MS : undefined,
    });
    for (const { end, klinesOf } of ended) {
      if (end.klines && !klinesOf) this.copied.set(end.klines.sha256, end.fingerprint);
    }
    return jobs.map(({ id }) => completed.has(id));
  }
}

/** The end of a run whose bars are sent with it. */
function withOwnKlines({ klines, ...end }: RunEnd): RunEnd {
  return klines ? { ...end, result: { ...end.result, klines: klinesText(klines) } } : end;
}
