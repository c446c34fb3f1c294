/** Refreshes what a process remembers: one read at a time, another one if asked meanwhile, and a retry after a failure. */
import type { Logger } from 'pino';

const RETRY_MS = 1000;

export class Refresher {
  private readonly look: () => Promise<void>;
  private readonly log: Logger;
  private readonly subject: string;
  private running: Promise<void> | null = null;
  private isOutdated = false;
  private retry?: NodeJS.Timeout;

  /** `subject` names what is read, for the log. */
  constructor(look: () => Promise<void>, log: Logger, subject: string) {
    this.look = look;
    this.log = log;
    this.subject = subject;
  }

  /** Never throws. A failure is logged and retried. */
  refresh(): void {
    this.isOutdated = true;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  /** Resolves when no read is under way. */
  async ended(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isOutdated) {
      this.isOutdated = false;
      try {
        await this.look();
      } catch (error) {
        this.log.warn({ err: error }, `${this.subject} could not be read, trying again`);
        clearTimeout(this.retry);
        this.retry = setTimeout(() => this.refresh(), RETRY_MS).unref();
      }
    }
  }

  /** No refresh may be requested afterwards. */
  async close(): Promise<void> {
    await this.ended();
    clearTimeout(this.retry);
  }
}
