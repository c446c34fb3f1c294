/** Tells calls that wait for a backtest when it has ended: by notification, and by a look now and then behind that. */
import type { Logger } from 'pino';
import { BACKTEST_ENDED_CHANNEL, selectEndedRuns } from '../../db/backtest-runs.ts';
import { type Listener, listen } from '../../db/listener.ts';
import type { Queryable } from '../../db/pool.ts';

export interface BacktestWaitingOptions {
  readonly url: string;
  readonly db: Queryable;
  readonly log: Logger;
}

const LOOK_MS = 1_000;

export class BacktestWaiting {
  private readonly options: BacktestWaitingOptions;
  private readonly waiting = new Map<string, () => void>();
  private listener: Listener | null = null;
  private timer: NodeJS.Timeout | undefined;

  private constructor(options: BacktestWaitingOptions) {
    this.options = options;
  }

  static async open(options: BacktestWaitingOptions): Promise<BacktestWaiting> {
    const waiting = new BacktestWaiting(options);
    waiting.listener = await listen({
      url: options.url,
      applicationName: 'backtest-waiting',
      channels: { [BACKTEST_ENDED_CHANNEL]: (id) => waiting.waiting.get(id)?.() },
      onConnected: () => waiting.look(),
    });
    waiting.timer = setInterval(() => waiting.look(), LOOK_MS).unref();
    return waiting;
  }

  /** Begins to wait; to be called before the run is queued, so that its end is not missed. */
  expect(runId: string): { readonly ended: Promise<void>; readonly forget: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.set(runId, resolve);
    return { ended: promise, forget: () => this.waiting.delete(runId) };
  }

  private look(): void {
    if (this.waiting.size === 0) return;
    selectEndedRuns(this.options.db, [...this.waiting.keys()]).then(
      (ids) => {
        for (const id of ids) this.waiting.get(id)?.();
      },
      (error) => this.options.log.debug({ err: error }, 'looking for ended backtests failed'),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.listener?.close();
  }
}
