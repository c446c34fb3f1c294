/**
 * Logs one line when an outage begins and one when it is over, however many calls fail meanwhile. Lines that may come from an outage
 * of the database or of the object storage are held until a test call has shown whether there is one.
 */

import type { Logger } from 'pino';
import { pingDatabase } from '../db/databases.ts';
import { isBrokenByDatabase, isDatabaseAway, namesNetworkFailure } from '../db/errors.ts';
import { textIn } from '../engine/thrown.ts';
import { type ObjectStorage, StorageAway, saysStorageAway } from '../storage/storage.ts';
import { OutageFold, type Suspicion } from './outage-fold.ts';

/** The code and message of the error in a log line. */
interface Trouble {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly port?: unknown;
}

const PROBE_TIMEOUT_MS = 2_000;
/** The client of a bucket tries a call three times. */
const STORAGE_PROBE_TIMEOUT_MS = 5_000;
const FULL_DISK_QUIET_MS = 30_000;

/** Whether an error means that a disk is full, of this machine or of the database. */
export function isDiskFull({ code, message }: Trouble): boolean {
  return code === 'ENOSPC' || code === '53100' || /No space left on device|ENOSPC/.test(String(message));
}

export function suspicionOf(trouble: Trouble, databasePort: number): Suspicion {
  const message = String(trouble.message);
  if (!isDatabaseAway(trouble) && !namesNetworkFailure(message)) return null;
  if (isBrokenByDatabase(trouble)) return 'certain';
  const port = trouble.port ?? / E[A-Z]+ \S+:(\d+)/.exec(message)?.[1];
  return port === undefined || Number(port) === databasePort ? 'possible' : null;
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
function isOfStorage(fields: unknown, trouble: Trouble): boolean {
  if (textIn(fields, 'check') === 'storage' && textIn(trouble, 'name') === 'CheckTimeout') return true;
  const causes = [trouble, causeOf(trouble), causeOf(causeOf(trouble))];
  return causes.some((error) => saysStorageAway(textIn(error, 'message') ?? ''));
}

/** Rejects when the storage does not answer. Any answer, a refusal too, shows that it is there. */
async function probeStorage(storage: ObjectStorage): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const late = () => timeout.reject(new Error(`no answer within ${STORAGE_PROBE_TIMEOUT_MS / 1000} s`));
  const timer = setTimeout(late, STORAGE_PROBE_TIMEOUT_MS).unref();
  const check = storage.check().catch((error) => {
    if (error instanceof StorageAway) throw error.cause;
  });
  await Promise.race([check, timeout.promise]).finally(() => clearTimeout(timer));
}

export class OutageGate {
  private log: Logger | null = null;
  private database: { readonly fold: OutageFold; readonly port: number } | null = null;
  private storage: OutageFold | null = null;
  private fullDiskTimer: NodeJS.Timeout | null = null;

  /** Sets the log for the gate's own lines. */
  attach(log: Logger): void {
    this.log = log;
  }

  /** From now on, outages of this database are logged once. */
  watchDatabase(url: string): void {
    const fold = new OutageFold({
      outage: 'database',
      name: 'the database',
      broken: 'connections to the database broke; it answers',
      probe: () => pingDatabase(url, PROBE_TIMEOUT_MS),
      log: () => this.log,
    });
    this.database = { fold, port: Number(new URL(url).port || 5432) };
  }

  /** The same for the object storage. */
  watchStorage(storage: ObjectStorage): void {
    this.storage = new OutageFold({
      outage: 'storage',
      name: 'the object storage',
      broken: null,
      probe: () => probeStorage(storage),
      log: () => this.log,
    });
  }

  /** Whether the gate holds back this line; `write` writes it later. */
  takes(fields: unknown, write: () => void): boolean {
    const trouble = troubleOf(fields);
    if (!trouble) return false;
    if (isDiskFull(trouble)) return this.takeFullDisk(trouble);
    if (this.storage && isOfStorage(fields, trouble)) return this.storage.takes('possible', write);
    return this.database?.fold.takes(suspicionOf(trouble, this.database.port), write) ?? false;
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
