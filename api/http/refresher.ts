/** Keeps what a process remembers up to date: one look at a time, once more when asked meanwhile, again after a failure. */
import type { Logger } from 'pino';

const RETRY_MS = 1000;

export class Refresher {
  private readonly look: () => Promise<void>;
  private readonly log: Logger;
  private readonly subject: string;
  private running: Promise<void> | null = null;
  private isOutdated = false;
  private retry?: NodeJS.Timeout;

  /** `subject`: what is looked at, for the log. */
  constructor(look: () => Promise<void>, log: Logger, subject: string) {
    this.look = look;
    this.log = log;
    this.subject = subject;
  }

  /** Never throws: a failure is told and tried again. */
  refresh(): void {
    this.isOutdated = true;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  /** Resolves when no look is under way. */
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

  /** Nothing may ask any more. */
  async close(): Promise<void> {
    await this.ended();
    clearTimeout(this.retry);
  }
}
