/** Completes jobs that have ended well, and ends their runs; those of one moment share a statement. */
import { LRUCache } from 'lru-cache';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { klinesText } from '../../db/backtests/run-results.ts';
import { CONNECTIONS } from '../../db/connection-counts.ts';
import { isMissingReference } from '../../db/errors.ts';
import { Gathered } from '../../db/gathered.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { endingOn, lacksKlines, type RunEnd } from '../../db/queue/job-ends.ts';
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
  /** Whether other jobs of a queue are about to end. */
  readonly areOthersEnding: (queue: QueueName) => boolean;
}

const MAX_TOGETHER = 16;
/** Fewer wait for others that are about to end. With more, all callers of a process would wait for the same statement. */
const ENOUGH_TOGETHER = 8;
/** A statement that completes several jobs gives up so soon, as one that admits several runs does. */
const BATCH_LOCK_MS = 100;
/** Results are kept for an hour at least. */
const COPIED_FOR_MS = 30 * 60_000;
const MAX_COPIED = 2_000;

export class Completions {
  private readonly queues = new Map<QueueName, Gathered<Completion, boolean>>();
  private readonly options: CompletionsOptions;
  private readonly batches: Pool;
  /** Digest of bars → fingerprint of a stored result that has them. */
  private readonly copied = new LRUCache<string, Uint8Array>({ max: MAX_COPIED, ttl: COPIED_FOR_MS });

  constructor(options: CompletionsOptions) {
    this.options = options;
    const { url, log } = options;
    const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
    this.batches = createPool({
      url,
      max: CONNECTIONS.worker.batches,
      applicationName: 'worker-batches',
      onError,
      lockMs: BATCH_LOCK_MS,
    });
  }

  /** False, without any effect, when the job was canceled or is at another attempt. */
  async add(queue: QueueName, completion: Completion): Promise<boolean> {
    let gathered = this.queues.get(queue);
    if (!gathered) {
      gathered = new Gathered({
        max: MAX_TOGETHER,
        run: (jobs) => this.complete(queue, jobs),
        isWorthWaiting: (jobs) => jobs < ENOUGH_TOGETHER && this.options.areOthersEnding(queue),
      });
      this.queues.set(queue, gathered);
    }
    try {
      return await gathered.add(completion);
    } catch (error) {
      const { end } = completion;
      if (end?.klines && lacksKlines(error)) {
        this.copied.delete(end.klines.sha256);
        return this.add(queue, { ...completion, end: withOwnKlines(end) });
      }
      // The account was deleted meanwhile, and the run with it.
      if (end === null || !isMissingReference(error)) throw error;
      return gathered.add({ ...completion, end: null });
    }
  }

  private async complete(queue: QueueName, jobs: readonly Completion[]): Promise<boolean[]> {
    const fences = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
    const ended = jobs.flatMap(({ id, end }) => {
      const klinesOf = end?.klines && this.copied.get(end.klines.sha256);
      return end ? [{ id, end, klinesOf: klinesOf ?? null }] : [];
    });
    const { pool, boss } = this.options;
    const db = jobs.length > 1 ? this.batches : pool;
    const completed = settledJobs(await boss.complete(queue, fences, undefined, { db: endingOn(db, ended) }));
    for (const { id, end, klinesOf } of ended) {
      if (end.klines && !klinesOf && completed.has(id)) this.copied.set(end.klines.sha256, end.fingerprint);
    }
    return jobs.map(({ id }) => completed.has(id));
  }

  async close(): Promise<void> {
    await this.batches.end();
  }
}

/** The end of a run whose bars are sent with it. */
function withOwnKlines({ klines, ...end }: RunEnd): RunEnd {
  return klines ? { ...end, result: { ...end.result, klines: klinesText(klines) } } : end;
}
