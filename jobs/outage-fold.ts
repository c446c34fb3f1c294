/** Holds the log lines that one outage causes, and tells of the outage itself. */
import type { Logger } from 'pino';
import { codeOf, toError } from '../engine/thrown.ts';

/** `certain`: only what is watched fails in this way. `possible`: other things may. `null`: the line is of something else. */
export type Suspicion = 'certain' | 'possible' | null;

export interface Watched {
  /** In the field `outage` of the lines. */
  readonly outage: string;
  /** In their messages. */
  readonly name: string;
  /** Logged instead of lines of which one is `certain` when the probe finds no outage; null: the lines themselves are. */
  readonly broken: string | null;
  /** Rejects while there is an outage. */
  readonly probe: () => Promise<void>;
  readonly log: () => Logger | null;
}

interface HeldLine {
  readonly write: () => void;
  readonly suspicion: Suspicion;
}

const PROBE_EVERY_MS = 500;
/** For this long after an outage, processes still find broken connections. */
const SETTLE_MS = 5_000;

export class OutageFold {
  private readonly watched: Watched;
  private state: 'up' | 'asking' | 'away' = 'up';
  private held: HeldLine[] = [];
  /** Lines of this outage. */
  private lines = 0;
  private settledAt = -Infinity;

  constructor(watched: Watched) {
    this.watched = watched;
  }

  /** Whether the line is held back; `write` writes it later. */
  takes(suspicion: Suspicion, write: () => void): boolean {
    if (suspicion === null) return false;
    if (this.state === 'away') this.lines++;
    else if (this.state === 'asking') this.held.push({ write, suspicion });
    else if (suspicion !== 'certain' || performance.now() - this.settledAt > SETTLE_MS) {
      this.held = [{ write, suspicion }];
      void this.ask();
    }
    return true;
  }

  private async ask(): Promise<void> {
    const { outage, name, broken, probe, log } = this.watched;
    this.state = 'asking';
    const since = performance.now();
    const reason = await probe().then(
      () => null,
      (error: unknown) => toError(error).message || String(codeOf(error)),
    );
    const held = this.held;
    this.held = [];
    if (reason !== null) {
      this.state = 'away';
      this.lines = held.length;
      log()?.error({ outage, reason }, `${name} is away`);
      return this.awaitReturn(since);
    }
    this.state = 'up';
    if (broken === null || held.every(({ suspicion }) => suspicion === 'possible')) {
      for (const { write } of held) write();
      return;
    }
    this.settledAt = performance.now();
    log()?.warn({ outage }, broken);
  }

  private awaitReturn(since: number): void {
    const look = async () => {
      const { outage, name, probe, log } = this.watched;
      try {
        await probe();
      } catch {
        return this.awaitReturn(since);
      }
      this.state = 'up';
      this.settledAt = performance.now();
      const seconds = Math.round((this.settledAt - since) / 100) / 10;
      log()?.warn({ outage, seconds, lines: this.lines }, `${name} is back`);
    };
    setTimeout(look, PROBE_EVERY_MS).unref();
  }
}
