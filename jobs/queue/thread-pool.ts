/**
 * The threads of a worker process, separate for each lane. When a thread dies, its job fails and the thread is replaced. Not a library,
 * because piscina ends an aborted thread without time to clean up, and workerpool does not expose the thread whose processor time is
 * limited.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { SharedTime } from '../../db/clock.ts';
import type { RunEnd } from '../../db/runs/run-ends.ts';
import type { StartedRun } from '../../db/runs/runs.ts';
import type { StorageSettings } from '../../storage/open-storage.ts';
import type { BackupSettings } from '../contracts/backup.ts';
import type { MailSettings } from '../contracts/mail.ts';
import type { Lane } from '../contracts/queue-contract.ts';
import { QUEUES, type QueueName } from '../contracts/queues.ts';
import { type TraceHeaders, type TraceSettings, traceHeaders } from '../contracts/traces.ts';
import type { AllowedNetworks } from '../contracts/webhooks.ts';
import type { ProviderSettings } from '../providers/providers.ts';
import { type Gate, limitCpu, setGate } from './thread-control.ts';

export interface ThreadSettings {
  readonly databaseUrl: string;
  readonly provider: ProviderSettings;
  readonly storage: StorageSettings;
  readonly backups: BackupSettings | null;
  readonly mail: MailSettings;
  readonly loginCodeKey: string;
  readonly webhookNetworks: AllowedNetworks;
  /** A folder on the local disk. */
  readonly workFolder: string;
  /** Loads that cost more US dollars are refused. */
  readonly tableSnapshotDays: number;
  readonly rotationBars: number;
  readonly maxLoadCostUsd: number;
  readonly time: SharedTime;
  readonly logLevel: string;
  /** Absent: nothing is traced. */
  readonly traces?: TraceSettings;
}

/** The data that a thread starts with. */
export interface ThreadData extends ThreadSettings {
  readonly lane: Lane;
}

export interface JobRun {
  readonly queue: QueueName;
  readonly jobId: string;
  readonly data: unknown;
  readonly run: StartedRun | null;
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** Shut while the job is paused. */
  readonly gate: Gate;
}

export type ThreadRequest =
  | ({ readonly type: 'run' } & JobRun & TraceHeaders)
  | { readonly type: 'abort'; readonly reason: string }
  /** Sends the spans that are left, and ends. */
  | { readonly type: 'end' };

export type ThreadReply =
  | {
      readonly type: 'done';
      /** The end of the job's run; null: it has ended already, or there is none. */
      readonly end: RunEnd | null;
    }
  | { readonly type: 'failed'; readonly message: string; readonly stack: string; readonly isPermanent: boolean }
  | {
      /** The job used more processor time than its run may, and was ended. */
      readonly type: 'too_long';
      readonly secondsMax: number;
    };

/** A small young generation suits loads, which create gigabytes of short-lived garbage. */
export const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 24 };
const ABORT_GRACE_MS = 5_000;
/** Longer than a thread needs to send its last spans. */
const END_GRACE_MS = 3_000;

/** Runs jobs for a consumer. */
export type JobRunner = Pick<ThreadPool, 'run' | 'close'>;

export class ThreadPool {
  private readonly settings: ThreadSettings;
  /** Threads of each lane that are kept for the next jobs. */
  private readonly sizes: Readonly<Record<Lane, number>>;
  private readonly idle: Readonly<Record<Lane, Worker[]>> = {
    interactive: [],
    mail: [],
    background: [],
    compute: [],
    sweep: [],
    outbound: [],
  };
  private readonly all = new Set<Worker>();
  private isClosed = false;

  constructor(settings: ThreadSettings, sizes: Readonly<Record<Lane, number>>) {
    this.settings = settings;
    this.sizes = sizes;
  }

  /** Starts threads in advance. */
  prepare(lane: Lane, count: number): void {
    for (let i = 0; i < count; i++) this.idle[lane].push(this.spawn(lane));
  }

  private spawn(lane: Lane): Worker {
    const idle = this.idle[lane];
    const thread = new Worker(new URL('../worker/job-thread.ts', import.meta.url), {
      workerData: { ...this.settings, lane } satisfies ThreadData,
      resourceLimits: THREAD_LIMITS,
    });
    this.all.add(thread);
    thread.once('exit', () => {
      this.all.delete(thread);
      const at = idle.indexOf(thread);
      if (at !== -1) idle.splice(at, 1);
    });
    thread.on('error', () => {}); // The promise of its job reports it.
    return thread;
  }

  /** Runs a job and resolves with its outcome, even if its thread dies. An aborted job gets some time to stop. */
  async run(job: JobRun, signal: AbortSignal): Promise<ThreadReply> {
    const { lane } = QUEUES[job.queue];
    const thread = this.idle[lane].pop() ?? this.spawn(lane);
    const ended = Promise.withResolvers<ThreadReply>();
    const died = (error: unknown) => {
      const message = error instanceof Error ? `the job's thread died: ${error.message}` : `the job's thread ended`;
      ended.resolve({ type: 'failed', message, stack: '', isPermanent: false });
    };
    let grace: NodeJS.Timeout | undefined;
    const abort = () => {
      setGate(job.gate, true);
      thread.postMessage({
        type: 'abort',
        reason: String(signal.reason?.message ?? signal.reason),
      } satisfies ThreadRequest);
      grace = setTimeout(() => thread.terminate(), ABORT_GRACE_MS);
    };
    const secondsMax = job.run?.secondsMax ?? null;
    const endTooLong = () => {
      if (secondsMax !== null) ended.resolve({ type: 'too_long', secondsMax });
      this.end(thread);
    };
    const stopLimit = secondsMax === null ? () => {} : limitCpu(thread, secondsMax * 1_000, endTooLong);
    thread.once('message', ended.resolve);
    thread.once('error', died);
    thread.once('exit', died);
    signal.addEventListener('abort', abort, { once: true });
    thread.postMessage({ type: 'run', ...job, ...traceHeaders() } satisfies ThreadRequest);
    try {
      return await ended.promise;
    } finally {
      stopLimit();
      clearTimeout(grace);
      signal.removeEventListener('abort', abort);
      thread.off('message', ended.resolve).off('error', died).off('exit', died);
      this.release(thread, lane);
    }
  }

  /** Keeps a thread for the next job, or ends it if its lane has enough of them. */
  private release(thread: Worker, lane: Lane): void {
    if (!this.all.has(thread) || this.isClosed) return;
    if (this.idle[lane].length < this.sizes[lane]) this.idle[lane].push(thread);
    else {
      this.all.delete(thread);
      void this.dismiss(thread);
    }
  }

  /** Ends a thread without a job. If it traces, it sends its last spans first. */
  private async dismiss(thread: Worker): Promise<void> {
    if (this.settings.traces) {
      thread.postMessage({ type: 'end' } satisfies ThreadRequest);
      await Promise.race([once(thread, 'exit'), sleep(END_GRACE_MS, undefined, { ref: false })]);
    }
    await thread.terminate();
  }

  private end(thread: Worker): void {
    this.all.delete(thread);
    thread.terminate();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.all].map((thread) => this.dismiss(thread)));
  }
}
