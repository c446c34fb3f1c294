/** Work that notifications trigger: one run at a time, another one if it was requested during a run, and a retry after a failure. */
import type { Logger } from 'pino';

const RETRY_MS = 1000;

export class Refresher {
  private readonly work: () => Promise<void>;
  private readonly log: Logger;
  private readonly failure: string;
  private running: Promise<void> | null = null;
  private isRequested = false;
  private isClosed = false;
  private retry?: NodeJS.Timeout;

  /** `failure` is logged when `work` throws, such as "the market data could not be read". */
  constructor(work: () => Promise<void>, log: Logger, failure: string) {
    this.work = work;
    this.log = log;
    this.failure = failure;
  }

  /** Never throws. A failure is logged and retried. */
  refresh(): void {
    if (this.isClosed) return;
    this.isRequested = true;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  /** Resolves when no run is in progress. */
  async ended(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isRequested && !this.isClosed) {
      this.isRequested = false;
      try {
        await this.work();
      } catch (error) {
        this.log.warn({ err: error }, `${this.failure}, trying again`);
        clearTimeout(this.retry);
        this.retry = setTimeout(() => this.refresh(), RETRY_MS).unref();
      }
    }
  }

  /** Waits for the run in progress. Later requests are ignored. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.ended();
    clearTimeout(this.retry);
  }
}
