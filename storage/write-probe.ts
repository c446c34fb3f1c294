/** Checks by test writes whether writes succeed, but not at every check, because readiness is checked every second. */
/** Interval after a failure; short, so that a recovery is noticed soon. */
const RETRY_MS = 5_000;

export class WriteProbe {
  private readonly write: () => Promise<void>;
  private readonly everyMs: number;
  private latest: Promise<void> | null = null;
  /** When the next test write is due, in monotonic milliseconds. */
  private dueAt = 0;

  constructor(write: () => Promise<void>, everyMs: number) {
    this.write = write;
    this.everyMs = everyMs;
  }

  /** Rejects when the latest write failed. Makes a new one if the latest is older than `everyMs`. */
  check(): Promise<void> {
    if (this.latest && performance.now() < this.dueAt) return this.latest;
    this.dueAt = Number.POSITIVE_INFINITY;
    this.latest = this.write();
    this.latest.then(
      () => this.wait(this.everyMs),
      () => this.wait(Math.min(this.everyMs, RETRY_MS)),
    );
    return this.latest;
  }

  private wait(ms: number): void {
    this.dueAt = performance.now() + ms;
  }
}
