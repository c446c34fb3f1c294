/** Shows running sync jobs: a progress bar on a terminal, and otherwise lines. */
import { Presets, SingleBar } from 'cli-progress';
import { type Listener, listen } from '../../db/listener.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { countFiles } from '../../db/queue/file-readings.ts';
import {
  parseSyncJobChange,
  SYNC_JOBS_CHANNEL,
  type SyncJob,
  selectLatestSyncJobs,
  selectSyncJob,
} from '../../db/queue/sync-jobs.ts';

export interface WatchOptions {
  readonly url: string;
  readonly pool: Pool;
  /** Whether to stop watching; called after each change. */
  readonly isDone: () => Promise<boolean>;
  readonly output: NodeJS.WriteStream;
  /** Jobs up to this id are ignored. */
  readonly afterId: number;
}

/** Stops when the database is unavailable for so long. */
const LOST_MS = 15_000;

/** Watches until `isDone`; resolves with the jobs that have ended. */
export async function watchSyncs({ url, pool, isDone, output, afterId }: WatchOptions): Promise<SyncJob[]> {
  const display = new SyncDisplay(output);
  const ended = new Map<number, SyncJob>();
  const done = Promise.withResolvers<void>();
  let lost: NodeJS.Timeout | undefined;
  let queue = Promise.resolve();
  const refresh = (id: number) => {
    queue = queue.then(async () => {
      const job = await selectSyncJob(pool, id);
      if (!job || ended.has(id)) return;
      display.show(job);
      if (job.status !== 'running') ended.set(id, job);
      if (await isDone()) done.resolve();
    });
    queue.catch(done.reject);
  };
  const refreshAll = async () => {
    const latest = (await selectLatestSyncJobs(pool, 20)).filter((job) => job.id > afterId);
    for (const job of latest.toReversed()) refresh(job.id);
  };
  const listener: Listener = await listen({
    url,
    applicationName: 'progress',
    channels: { [SYNC_JOBS_CHANNEL]: (payload) => refresh(parseSyncJobChange(payload).id) },
    onLost: () => {
      lost = setTimeout(
        () => done.reject(new Error('the database is unavailable; the load continues in the background')),
        LOST_MS,
      );
    },
    onConnected: () => clearTimeout(lost),
  });
  try {
    await refreshAll();
    if (await isDone()) done.resolve();
    await done.promise;
    // The notification of a job that has just ended may not have arrived yet.
    await refreshAll();
    await queue;
    return [...ended.values()];
  } finally {
    clearTimeout(lost);
    display.close();
    await listener.close();
  }
}

/** Kind and venue basis of a load. */
export function titleOf(job: SyncJob): string {
  const venueBasis = job.request.venue_mode;
  return `${job.job_type}${venueBasis ? ` ${venueBasis}` : ''}`;
}

/** Rejected rows with their reasons, most frequent first: `7 rejected (unknown_instrument 5, bad_price 2)`. */
export function describeRejected({ rows_rejected, rows_rejected_by_reason }: SyncJob): string {
  const reasons = Object.entries(rows_rejected_by_reason).sort(([, a], [, b]) => b - a);
  const named = reasons.map(([reason, count]) => `${reason} ${count.toLocaleString('en')}`).join(', ');
  return `${rows_rejected.toLocaleString('en')} rejected${named ? ` (${named})` : ''}`;
}

/** `412 files: 409 loaded, 3 not (npm run ops -- files check)`; null: the market has no files. */
export async function describeFiles(db: Queryable): Promise<string | null> {
  const { files, loaded } = await countFiles(db);
  if (files === 0) return null;
  const not = files > loaded ? `, ${files - loaded} not (npm run ops -- files check)` : '';
  return `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}: ${loaded.toLocaleString('en')} loaded${not}`;
}

/** The rows of a finished job, the progress of a running one, or the error of a failed one. */
export function syncOutcome(job: SyncJob): string {
  const rejected = job.rows_rejected > 0 ? `, ${describeRejected(job)}` : '';
  const rows = `${job.rows_written.toLocaleString('en')} rows${rejected}`;
  if (job.status === 'failed') return `${job.error} [${rows}]`;
  if (job.status === 'running' && !job.started_at) return 'waiting';
  if (job.status === 'ok') return rows;
  const again = job.error === null ? '' : `; retried after a failure: ${job.error}`;
  return `${Math.floor(job.progress_pct)} %, ${rows}${again}`;
}

function describeJob(job: SyncJob): string {
  const failed = job.status === 'failed' ? 'failed: ' : '';
  return `  ${titleOf(job).padEnd(28)} ${failed}${syncOutcome(job)}\n`;
}

/** Interval of progress lines without a terminal. */
const LINE_EVERY_MS = 5_000;

class SyncDisplay {
  private readonly output: NodeJS.WriteStream;
  private bar: SingleBar | null = null;
  private shown: number | null = null;
  private lineAt = 0;
  /** The error of an attempt that was shown last. */
  private shownError: string | null = null;

  constructor(output: NodeJS.WriteStream) {
    this.output = output;
  }

  show(job: SyncJob): void {
    if (job.status !== 'running') {
      this.close();
      this.output.write(describeJob(job));
    } else if (job.error !== null && job.error !== this.shownError) {
      this.close();
      this.shownError = job.error;
      this.output.write(describeJob(job));
    } else if (job.started_at) {
      if (this.output.isTTY) this.update(job);
      else this.addLine(job);
    }
  }

  private addLine(job: SyncJob): void {
    const now = performance.now();
    if (this.shown !== job.id) {
      this.shown = job.id;
      this.lineAt = now;
    } else if (now - this.lineAt > LINE_EVERY_MS) {
      this.output.write(describeJob(job));
      this.lineAt = now;
    }
  }

  private update(job: SyncJob): void {
    const payload = { rows: job.rows_written.toLocaleString('en') };
    if (this.shown !== job.id) {
      this.close();
      const format = `  ${titleOf(job).padEnd(28)} {bar} {percentage}% | {rows} rows`;
      this.bar = new SingleBar({ format, stream: this.output, clearOnComplete: true }, Presets.shades_classic);
      this.bar.start(100, 0, payload);
      this.shown = job.id;
    }
    this.bar?.update(Math.floor(job.progress_pct), payload);
  }

  close(): void {
    this.bar?.update(100);
    this.bar?.stop();
    this.bar = null;
    this.shown = null;
  }
}
