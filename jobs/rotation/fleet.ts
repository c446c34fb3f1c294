/**
 * Shares the passes of a large rotation with other workers. Its job opens a pass as chunks and sends a job for each but the last; then
 * it takes one chunk after another, with the result of the worker that had claimed it or to compute it itself, and so waits for nobody.
 */
import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { executorOn, transaction } from '../../db/pool.ts';
import { selectJobTurn } from '../../db/queue/queue-jobs.ts';
import { deletePass, insertPass, takeChunk } from '../../db/runs/rotation-chunks.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { ROTATION_CHUNK_QUEUE, type RotationSpec } from '../contracts/rotation.ts';
import { type Chunks, COMPUTE } from './chunks.ts';

export type FleetContext = Pick<JobContext, 'pool' | 'signal' | 'boss' | 'cost' | 'run' | 'log'>;

/** A run has cost more than it may, with what other workers have computed for it. */
export class RunTooLong extends Error {
  override readonly name = 'RunTooLong';
  readonly secondsMax: number;

  constructor(secondsMax: number) {
    super(`the run has used more than ${secondsMax} s`);
    this.secondsMax = secondsMax;
  }
}

/** A pass that is open. */
interface Pass {
  readonly passId: string;
  readonly jobIds: readonly string[];
}

/** The job of a run, as the queue has it. */
export interface RunJob {
  readonly runId: string;
  readonly requestId: string | null;
}

export class Fleet {
  private readonly context: FleetContext;
  private readonly job: RunJob;
  private readonly spec: RotationSpec;
  /** About how many bars a chunk has. */
  readonly chunkBars: number;

  constructor(context: FleetContext, job: RunJob, spec: RotationSpec, chunkBars: number) {
    this.context = context;
    this.job = job;
    this.spec = spec;
    this.chunkBars = chunkBars;
  }

  /** `use` gets the result of each chunk once, in any order. Returns what it returned, in the order of the chunks. */
  async compute<K extends keyof Chunks, T>(
    kind: K,
    works: readonly Chunks[K]['work'][],
    use: (result: Chunks[K]['result'], seq: number) => T,
  ): Promise<T[]> {
    const { context, spec } = this;
    const used: T[] = [];
    const left = new Set(works.keys());
    const pass = await this.open(kind, works);
    try {
      for (
        let taken = await takeChunk(context.pool, pass.passId);
        taken;
        taken = await takeChunk(context.pool, pass.passId)
      ) {
        const { seq, result, workerSeconds } = taken;
        used[seq] = use(result ? deserialize(result) : await COMPUTE[kind](context, spec, works[seq]), seq);
        left.delete(seq);
        this.addCost(workerSeconds ?? 0);
      }
      // Another attempt of the run, which begins when this one is presumed dead, deletes its chunks.
      for (const seq of left) used[seq] = use(await COMPUTE[kind](context, spec, works[seq]), seq);
      return used;
    } finally {
      await this.close(pass).catch((err) =>
        this.context.log.warn({ err }, 'the chunks of a rotation were not removed'),
      );
    }
  }

  private async open<K extends keyof Chunks>(kind: K, works: readonly Chunks[K]['work'][]): Promise<Pass> {
    const { pool, boss } = this.context;
    const { runId, requestId } = this.job;
    const passId = randomUUID();
    const chunks = works.map((work) => ({ jobId: randomUUID(), work: serialize(work) }));
    const jobIds = chunks.slice(0, -1).map(({ jobId }) => jobId);
    const queue = await boss();
    await transaction(pool, async (connection) => {
      await insertPass(connection, { passId, runId, kind, chunks });
      const { priority, account } = await selectJobTurn(connection, runId);
      const jobs = jobIds.map((id, seq) => ({
        id,
        data: ROTATION_CHUNK_QUEUE.payload.parse({ passId, seq, engineVersion: ENGINE_VERSION, requestId }),
        priority,
        group: account === null ? undefined : { id: account },
      }));
      if (jobs.length > 0) await queue.insert(ROTATION_CHUNK_QUEUE.name, jobs, { db: executorOn(connection) });
    });
    return { passId, jobIds };
  }

  private async close({ passId, jobIds }: Pass): Promise<void> {
    const queue = await this.context.boss();
    await transaction(this.context.pool, async (connection) => {
      await deletePass(connection, passId);
      if (jobIds.length > 0) await queue.cancel(ROTATION_CHUNK_QUEUE.name, [...jobIds], { db: executorOn(connection) });
    });
  }

  private addCost(seconds: number): void {
    const { cost, run } = this.context;
    cost.add(seconds);
    const max = run?.secondsMax ?? null;
    if (max !== null && cost.seconds() > max) throw new RunTooLong(max);
  }
}
