/** Wakes calls that wait for a run to end or progress: by notification, with regular polls in case one is lost. */
import type { Logger } from 'pino';
import { Batcher } from '../../db/batcher.ts';
import type { Listener } from '../../db/listener.ts';
import type { Queryable } from '../../db/pool.ts';
import {
  BACKTEST_ENDED_CHANNEL,
  type Run,
  type RunState,
  selectEndedRuns,
  selectRunStates,
  selectRuns,
} from '../../db/runs/runs.ts';

export interface RunWaitingOptions {
  readonly listener: Listener;
  readonly db: Queryable;
  readonly log: Logger;
}

const POLL_MS = 1_000;
/** Progress is not notified. While calls wait for it, one statement polls it for all of them. */
const PROGRESS_POLL_MS = 250;
/** Concurrent calls of one caller that may wait for progress in this process. */
const MAX_OPEN_WAITS = 10;
/** Results are large, so no more than this are read in one statement. */
const READS_TOGETHER = 8;

interface Watcher {
  readonly known: RunState;
  readonly notify: () => void;
}

interface Waiter {
  readonly end: () => void;
  /** Whether it is recorded. Only then does its absence from the table mean that it was deleted. */
  isQueued: boolean;
}

export interface RunSubscription {
  /** Resolves when the run has ended or is deleted, or when this process shuts down. */
  readonly ended: Promise<void>;
  /** Must be called when the run is recorded. */
  readonly queued: () => void;
  readonly unsubscribe: () => void;
}

export class RunWaiting {
  private readonly options: RunWaitingOptions;
  private readonly waiting = new Map<string, Waiter>();
  private readonly watchers = new Set<Watcher>();
  private readonly openWaits = new Map<string, number>();
  private readonly reads: Batcher<string, Run | null>;
  private readonly readsOfFigures: Batcher<string, Run | null>;
  private timer: NodeJS.Timeout | undefined;
  private progressTimer: NodeJS.Timeout | undefined;
  private isEnding = false;

  private constructor(options: RunWaitingOptions) {
    this.options = options;
    this.reads = new Batcher({ max: READS_TOGETHER, run: (ids) => selectRuns(options.db, ids, true) });
    this.readsOfFigures = new Batcher({ max: READS_TOGETHER, run: (ids) => selectRuns(options.db, ids, false) });
  }

  static async open(options: RunWaitingOptions): Promise<RunWaiting> {
    const waiting = new RunWaiting(options);
    await options.listener.subscribe({
      channels: { [BACKTEST_ENDED_CHANNEL]: (id) => waiting.onEnded(id) },
      onConnected: () => waiting.poll(),
    });
    waiting.timer = setInterval(() => waiting.poll(), POLL_MS).unref();
    return waiting;
  }

  /** Must be called before the run is queued, so that its end is not missed. */
  subscribe(runId: string): RunSubscription {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { end: resolve, isQueued: false };
    this.waiting.set(runId, waiter);
    if (this.isEnding) resolve();
    return {
      ended: promise,
      queued: () => {
        waiter.isQueued = true;
      },
      unsubscribe: () => this.waiting.delete(runId),
    };
  }

  /**
   * A run with its result, with its long parts or without; runs that end together are read together. Null: its account was
   * deleted.
   */
  read(runId: string, hasParts: boolean): Promise<Run | null> {
    return (hasParts ? this.reads : this.readsOfFigures).add(runId);
  }

  /**
   * Resolves when the state or progress of a run differs from `known`, after `ms`, when `abort` aborts, or when the process
   * shuts down. Resolves at once for a caller with too many waiting calls.
   */
  async changed(owner: string, known: RunState, ms: number, abort: AbortSignal): Promise<void> {
    const open = this.openWaits.get(owner) ?? 0;
    if (this.isEnding || abort.aborted || open >= MAX_OPEN_WAITS) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const watcher: Watcher = { known, notify: resolve };
    const timer = setTimeout(resolve, ms);
    abort.addEventListener('abort', () => resolve());
    this.openWaits.set(owner, open + 1);
    this.watchers.add(watcher);
    this.progressTimer ??= setInterval(() => this.pollProgress(), PROGRESS_POLL_MS);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.watchers.delete(watcher);
      this.leave(owner);
    }
  }

  /** Ends every current and future wait, because the process shuts down. Callers get the state of their run. */
  endAll(): void {
    this.isEnding = true;
    for (const { end } of this.waiting.values()) end();
    for (const { notify } of this.watchers) notify();
  }

  private leave(owner: string): void {
    const open = (this.openWaits.get(owner) ?? 1) - 1;
    if (open === 0) this.openWaits.delete(owner);
    else this.openWaits.set(owner, open);
    if (this.watchers.size > 0) return;
    clearInterval(this.progressTimer);
    this.progressTimer = undefined;
  }

  private onEnded(runId: string): void {
    this.waiting.get(runId)?.end();
    for (const { known, notify } of this.watchers) if (known.id === runId) notify();
  }

  private poll(): void {
    const queued = [...this.waiting].filter(([, { isQueued }]) => isQueued).map(([id]) => id);
    if (queued.length === 0) return;
    selectEndedRuns(this.options.db, queued).then(
      (ids) => {
        for (const id of ids) this.waiting.get(id)?.end();
      },
      (error) => this.options.log.debug({ err: error }, 'ended runs could not be read'),
    );
  }

  private pollProgress(): void {
    const ids = new Set([...this.watchers].map(({ known }) => known.id));
    selectRunStates(this.options.db, [...ids]).then(
      (states) => {
        const byId = new Map(states.map((state) => [state.id, state]));
        for (const { known, notify } of this.watchers) {
          const state = byId.get(known.id);
          // Added after the statement was sent.
          if (!ids.has(known.id)) continue;
          if (state?.status !== known.status || state.progressPct !== known.progressPct) notify();
        }
      },
      (error) => this.options.log.debug({ err: error }, 'the progress of runs could not be read'),
    );
  }

  close(): void {
    this.endAll();
    clearInterval(this.timer);
    clearInterval(this.progressTimer);
  }
}
