/**
 * Limits the log lines of an outage to one when it begins and one when it ends, with the number of suppressed lines. A line that may
 * come from an outage is held until a probe has shown whether there is one; if not, it is written once with the number of equal lines.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isBrokenByDatabase, isDatabaseUnreachable, namesNetworkFailure } from '../db/errors.ts';
import { pingDatabase } from '../db/pool.ts';
import { codeOf, stringProperty, toError } from '../engine/util/errors.ts';
import { type ObjectStorage, StorageUnreachable, saysStorageUnreachable } from '../storage/storage.ts';

/** The fields of a logged error that show where it comes from. */
interface Trouble {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly port?: unknown;
}

interface Watched {
  /** The field `outage` of its lines. */
  readonly outage: string;
  readonly begins: string;
  readonly ends: string;
  /** Whether a line may come from the outage. */
  readonly concerns: (trouble: Trouble, fields: unknown) => boolean;
  /** Rejects during the outage. */
  readonly probe: () => Promise<void>;
}

/** Writes a line, with the count of the lines that were suppressed before it. */
type Write = (suppressed: number) => void;

const PROBE_EVERY_MS = 500;
const PROBE_TIMEOUT_MS = 2_000;
/** Longer, because the client of a bucket tries a call three times. */
const STORAGE_PROBE_TIMEOUT_MS = 5_000;
/** For so long after an outage of the database, processes still find broken connections. */
const SETTLE_MS = 5_000;
const FULL_DISK_QUIET_MS = 30_000;

/** Whether an error means that a disk is full, of this machine or of the database. */
export function isDiskFull({ code, message }: Trouble): boolean {
  return code === 'ENOSPC' || code === '53100' || /No space left on device|ENOSPC/.test(String(message));
}

export function mayConcernDatabase(trouble: Trouble, databasePort: number): boolean {
  const message = String(trouble.message);
  if (!isDatabaseUnreachable(trouble) && !namesNetworkFailure(message)) return false;
  const port = trouble.port ?? / E[A-Z]+ \S+:(\d+)/.exec(message)?.[1];
  return isBrokenByDatabase(trouble) || port === undefined || Number(port) === databasePort;
}

function troubleOf(fields: unknown): Trouble | null {
  if (typeof fields !== 'object' || fields === null || 'outage' in fields) return null;
  const err: unknown = Reflect.get(fields, 'err');
  const reason: unknown = Reflect.get(fields, 'reason');
  if (typeof err === 'object' && err !== null) return err;
  return typeof reason === 'string' ? { message: reason } : null;
}

const causeOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'cause' in thrown ? thrown.cause : null;

/** Whether a line, or a cause of its error, says that the storage does not answer. */
function isOfStorage(trouble: Trouble, fields: unknown): boolean {
  if (stringProperty(fields, 'check') === 'storage' && stringProperty(trouble, 'name') === 'CheckTimeout') return true;
  const causes = [trouble, causeOf(trouble), causeOf(causeOf(trouble))];
  return causes.some((error) => saysStorageUnreachable(stringProperty(error, 'message') ?? ''));
}

/** Rejects when the storage does not answer. Any answer, even a refusal, means that there is no outage. */
async function probeStorage(storage: ObjectStorage): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const late = () => timeout.reject(new Error(`no answer within ${STORAGE_PROBE_TIMEOUT_MS / 1000} s`));
  const timer = setTimeout(late, STORAGE_PROBE_TIMEOUT_MS).unref();
  const check = storage.check().catch((error) => {
    if (error instanceof StorageUnreachable) throw error.cause;
  });
  await Promise.race([check, timeout.promise]).finally(() => clearTimeout(timer));
}

/** A full disk. The outage ends when no write has failed because of it for a while. */
function fullDisk(): Watched {
  let newest = { message: '', at: 0 };
  return {
    outage: 'disk',
    begins: 'the disk is full',
    ends: `no write has failed for a full disk for ${FULL_DISK_QUIET_MS / 1000} s`,
    concerns: (trouble) => {
      if (!isDiskFull(trouble)) return false;
      newest = { message: String(trouble.message), at: performance.now() };
      return true;
    },
    probe: async () => {
      if (performance.now() - newest.at < FULL_DISK_QUIET_MS) throw new Error(newest.message);
    },
  };
}

/** Suppresses the log lines of one kind of outage. */
class Outage {
  private readonly watched: Watched;
  private readonly log: () => Logger | null;
  /** Lines that are held or suppressed, by their messages; null: there is no outage, and none is suspected. */
  private held: Map<unknown, { readonly write: Write; suppressed: number }> | null = null;
  private endedAt = -Infinity;

  constructor(watched: Watched, log: () => Logger | null) {
    this.watched = watched;
    this.log = log;
  }

  takes(trouble: Trouble, fields: unknown, message: unknown, write: Write): boolean {
    if (!this.watched.concerns(trouble, fields)) return false;
    if (!this.held) {
      if (isBrokenByDatabase(trouble) && performance.now() - this.endedAt < SETTLE_MS) return true;
      this.held = new Map();
      void this.follow(this.held);
    }
    const same = this.held.get(message);
    if (same) same.suppressed++;
    else this.held.set(message, { write, suppressed: 0 });
    return true;
  }

  private async follow(held: NonNullable<Outage['held']>): Promise<void> {
    const { outage, begins, ends } = this.watched;
    const since = performance.now();
    const reason = await this.reason();
    if (reason === null) {
      this.held = null;
      for (const { write, suppressed } of held.values()) write(suppressed);
      return;
    }
    this.log()?.error({ outage, reason }, begins);
    do await sleep(PROBE_EVERY_MS, undefined, { ref: false });
    while ((await this.reason()) !== null);
    this.held = null;
    this.endedAt = performance.now();
    const seconds = Math.round((this.endedAt - since) / 100) / 10;
    const lines = [...held.values()].reduce((sum, { suppressed }) => sum + 1 + suppressed, 0);
    this.log()?.warn({ outage, seconds, lines }, ends);
  }

  /** The reason of the outage; null: there is none. */
  private reason(): Promise<string | null> {
    return this.watched.probe().then(
      () => null,
      (error: unknown) => toError(error).message || String(codeOf(error)),
    );
  }
}

export class OutageLog {
  private log: Logger | null = null;
  private readonly outages: Outage[] = [];

  constructor() {
    this.watch(fullDisk());
  }

  private watch(watched: Watched): void {
    this.outages.push(new Outage(watched, () => this.log));
  }

  /** Sets the log for the lines of outages. */
  attach(log: Logger): void {
    this.log = log;
  }

  /** Suppresses the lines of outages of this database from now on. */
  watchDatabase(url: string): void {
    const port = Number(new URL(url).port || 5432);
    this.watch({
      outage: 'database',
      begins: 'the database is away',
      ends: 'the database is back',
      concerns: (trouble, fields) => !isOfStorage(trouble, fields) && mayConcernDatabase(trouble, port),
      probe: () => pingDatabase(url, PROBE_TIMEOUT_MS),
    });
  }

  /** Suppresses the lines of outages of this storage from now on. */
  watchStorage(storage: ObjectStorage): void {
    this.watch({
      outage: 'storage',
      begins: 'the object storage is away',
      ends: 'the object storage is back',
      concerns: isOfStorage,
      probe: () => probeStorage(storage),
    });
  }

  /** Whether a line is held or suppressed; `write` writes it later. */
  takes(fields: unknown, message: unknown, write: Write): boolean {
    const trouble = troubleOf(fields);
    return trouble !== null && this.outages.some((outage) => outage.takes(trouble, fields, message, write));
  }
}
