/**
 * Logs one line when an outage begins and one when it is over, however many statements fail meanwhile. Lines that may come from an
 * outage of the database are held until a test connection has shown whether there is one.
 */

import type { Logger } from 'pino';
import { pingDatabase } from '../db/databases.ts';
import { isDatabaseAway } from '../db/errors.ts';
import { codeOf, toError } from '../engine/thrown.ts';

/** The code and message of the error in a log line. */
interface Trouble {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly port?: unknown;
}

/** `certain`: only the database fails in this way. `possible`: any connection may. */
type Suspicion = 'certain' | 'possible' | null;

const PROBE_TIMEOUT_MS = 2_000;
const PROBE_EVERY_MS = 500;
/** For this long after the database is back, processes still find broken connections. */
const SETTLE_MS = 5_000;
const FULL_DISK_QUIET_MS = 30_000;

/** Whether an error means that a disk is full, of this machine or of the database. */
export function isDiskFull({ code, message }: Trouble): boolean {
  return code === 'ENOSPC' || code === '53100' || /No space left on device|ENOSPC/.test(String(message));
}

export function suspicionOf(trouble: Trouble, databasePort: number): Suspicion {
  if (!isDatabaseAway(trouble) && !/ECONNREFUSED|ECONNRESET/.test(String(trouble.message))) return null;
  const { code, message, syscall } = trouble;
  if (/^(57P0[123]|08|53300)/.test(String(code)) || /Connection terminated|is not queryable/.test(String(message))) {
    return 'certain';
  }
  if (code === 'ENOENT' && syscall !== 'connect') return null;
  const port = trouble.port ?? /ECONNREFUSED \S+:(\d+)/.exec(String(message))?.[1];
  return port === undefined || Number(port) === databasePort ? 'possible' : null;
}

function troubleOf(fields: unknown): Trouble | null {
  if (typeof fields !== 'object' || fields === null || 'outage' in fields) return null;
  const err: unknown = Reflect.get(fields, 'err');
  const reason: unknown = Reflect.get(fields, 'reason');
  if (typeof err === 'object' && err !== null) return err;
  return typeof reason === 'string' ? { message: reason } : null;
}

interface HeldLine {
  readonly write: () => void;
  readonly suspicion: Suspicion;
}

export class OutageGate {
  private log: Logger | null = null;
  private database: { readonly url: string; readonly port: number } | null = null;
  private state: 'up' | 'asking' | 'away' = 'up';
  private held: HeldLine[] = [];
  private settledAt = -Infinity;
  private fullDiskTimer: NodeJS.Timeout | null = null;

  /** Sets the log for the gate's own lines. */
  attach(log: Logger): void {
    this.log = log;
  }

  /** From now on, outages of this database are logged once. */
  watchDatabase(url: string): void {
    this.database = { url, port: Number(new URL(url).port || 5432) };
  }

  /** Whether the gate holds back this line; `write` writes it later. */
  takes(fields: unknown, write: () => void): boolean {
    const trouble = troubleOf(fields);
    if (!trouble) return false;
    if (isDiskFull(trouble)) return this.takeFullDisk(trouble);
    if (!this.database) return false;
    const suspicion = suspicionOf(trouble, this.database.port);
    if (suspicion === null) return false;
    if (this.state === 'away') return true;
    if (this.state === 'asking') this.held.push({ write, suspicion });
    else if (suspicion !== 'certain' || performance.now() - this.settledAt > SETTLE_MS) {
      this.held = [{ write, suspicion }];
      this.ask(this.database.url);
    }
    return true;
  }

  private async ask(url: string): Promise<void> {
    this.state = 'asking';
    const reason = await pingDatabase(url, PROBE_TIMEOUT_MS).then(
      () => null,
      (error: unknown) => toError(error).message || String(codeOf(error)),
    );
    if (reason !== null) {
      this.state = 'away';
      this.held = [];
      this.log?.error({ outage: 'database', reason }, 'the database is away');
      return this.awaitDatabase(url, performance.now());
    }
    const held = this.held;
    this.held = [];
    this.state = 'up';
    if (held.every(({ suspicion }) => suspicion === 'possible')) {
      for (const { write } of held) write();
      return;
    }
    this.settledAt = performance.now();
    this.log?.warn({ outage: 'database' }, 'connections to the database broke; it answers');
  }

  private awaitDatabase(url: string, since: number): void {
    const look = async () => {
      try {
        await pingDatabase(url, PROBE_TIMEOUT_MS);
      } catch {
        return this.awaitDatabase(url, since);
      }
      this.state = 'up';
      this.settledAt = performance.now();
      const seconds = Math.round((this.settledAt - since) / 100) / 10;
      this.log?.warn({ outage: 'database', seconds }, 'the database is back');
    };
    setTimeout(look, PROBE_EVERY_MS).unref();
  }

  /** Logs the first failure of a full disk, and then nothing until none has occurred for a while. */
  private takeFullDisk({ message }: Trouble): boolean {
    if (!this.fullDiskTimer) this.log?.error({ outage: 'disk', reason: message }, 'the disk is full');
    clearTimeout(this.fullDiskTimer ?? undefined);
    this.fullDiskTimer = setTimeout(() => {
      this.fullDiskTimer = null;
      this.log?.warn({ outage: 'disk' }, 'no write has failed for a full disk for 30 s');
    }, FULL_DISK_QUIET_MS).unref();
    return true;
  }
}
