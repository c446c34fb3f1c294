/** Completes successful jobs and ends their runs; concurrent ones share a transaction. */
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
/** Shorter than the hour for which results are stored at least. */
const STORED_KLINES_MS = 30 * 60_000;
const MAX_STORED_KLINES = 2_000;

export class Completions {
  private readonly queues = new Map<QueueName, Batcher<Completion, boolean>>();
  private readonly options: CompletionsOptions;
  /** Digest of bars → fingerprint of a stored result from which the database can copy them. */
  private readonly storedKlines = new LRUCache<string, Uint8Array>({ max: MAX_STORED_KLINES, ttl: STORED_KLINES_MS });

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
        this.storedKlines.delete(end.klines.sha256);
        return this.add(queue, { ...completion, end: withOwnKlines(end) });
      }
      // The account was deleted, and the run with it.
      if (end === null || !isMissingReference(error)) throw error;
      return batcher.add({ ...completion, end: null });
    }
  }

  /** Ends the runs whose jobs pg-boss completes: those whose attempt is still the current one. */
  private async complete(queue: QueueName, jobs: readonly Completion[]): Promise<boolean[]> {
    const { pool, boss } = this.options;
    const fences = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
    const complete = async (connection: Connection) => {
      const completed = settledJobs(await boss.complete(queue, fences, undefined, { db: executorOn(connection) }));
      const ended = jobs.flatMap(({ id, end }) => {
        const klinesOf = end?.klines && this.storedKlines.get(end.klines.sha256);
        return end && completed.has(id) ? [{ id, end, klinesOf: klinesOf ?? null }] : [];
      });
      if (ended.length > 0) await endRuns(connection, ended);
      return { completed, ended };
    };
    const { completed, ended } = await transaction(pool, complete, {
      lockMs: jobs.length > 1 ? BATCH_LOCK_MS : undefined,
    });
    for (const { end, klinesOf } of ended) {
      if (end.klines && !klinesOf) this.storedKlines.set(end.klines.sha256, end.fingerprint);
    }
    return jobs.map(({ id }) => completed.has(id));
  }
}

/** The end of a run with its bars, instead of a reference to those of another result. */
function withOwnKlines({ klines, ...end }: RunEnd): RunEnd {
  return klines ? { ...end, result: { ...end.result, klines: klinesText(klines) } } : end;
}
