/** The job of an export, and the file that it makes; the API makes a small file while its caller waits. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Connection, type Pool, readTransaction } from '../../db/pool.ts';
import {
  type ExportAttempt,
  type ExportRecord,
  failExport,
  finishExport,
  startExport,
  updateExportProgress,
} from '../../db/queue/exports.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { toError } from '../../engine/util/errors.ts';
import { exportKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { exportSpecOf } from '../contracts/export.ts';
import { isPermanent, type JobContext } from '../contracts/job-context.ts';
import { progressThrottle, RunSuperseded } from '../runs/frame.ts';
import type { Report } from './csv-lines.ts';
import { type ExportFile, openAccountFile, openExportFile } from './open-file.ts';

/** The progress when everything has been read; the rest is for the end of the upload. */
const READING_PCT = 99;

type ExportContext = Pick<JobContext, 'pool' | 'storage' | 'now' | 'log' | 'isLastAttempt' | 'signal'>;

export async function runExport(context: ExportContext, { exportId }: { readonly exportId: number }): Promise<void> {
  const { pool, storage, now, log, isLastAttempt } = context;
  const exported = await startExport(pool, exportId, new Date(now()));
  if (!exported) return; // It has ended already.
  const made = await makeExport(
    {
      pool,
      storage,
      now,
      report: progressOf(context, exported),
      isInMemory: false,
      isFinal: (error) => isLastAttempt || isPermanent(error),
    },
    exported,
  );
  if (made) log.debug({ exportId, rows: made.rows, bytes: made.bytes }, 'export finished');
}

/** Records the progress a few times a second; the same update shows when the attempt is no longer wanted. */
function progressOf({ pool, signal }: ExportContext, attempt: ExportAttempt): Report {
  const isDue = progressThrottle();
  return async (share) => {
    signal.throwIfAborted();
    if (!isDue()) return;
    if (!(await updateExportProgress(pool, attempt, READING_PCT * share))) throw new RunSuperseded();
  };
}

export interface ExportOptions {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives the share that has been read; throws `RunSuperseded` to end the attempt. */
  readonly report: Report;
  /** Whether the file is built in memory and returned; for a small one. */
  readonly isInMemory: boolean;
  /** Whether an error fails the export, not only this attempt. */
  readonly isFinal: (error: unknown) => boolean;
}

export interface MadeExport {
  readonly rows: number;
  readonly bytes: number;
  /** Null when the file was not built in memory. */
  readonly content: Buffer | null;
}

/**
 * Makes and stores the file of a started attempt. One statement then makes it the file of the export. Null when the
 * attempt is no longer wanted.
 */
export async function makeExport(options: ExportOptions, exported: ExportRecord): Promise<MadeExport | null> {
  const { pool, storage, now, isFinal } = options;
  const objectKey = keyOf(exported);
  try {
    const { content, ...totals } = await storeFile(options, exported, objectKey);
    const isKept = await finishExport(pool, exported, { objectKey, ...totals }, new Date(now()));
    if (!isKept) throw new RunSuperseded();
    return { rows: totals.rows, bytes: totals.bytes, content };
  } catch (error) {
    // If this fails, the nightly removal of orphans repeats it.
    await storage.remove(objectKey).catch(() => {});
    if (error instanceof RunSuperseded) return null;
    if (isFinal(error)) await failExport(pool, exported, toError(error).message, new Date(now()));
    throw error;
  }
}

function keyOf(exported: ExportRecord): string {
  const { id: exportId, userId, attempts: attempt } = exported;
  const format = exported.through === null ? 'zip' : exportSpecOf(exported).format;
  return exportKey({ userId, exportId, attempt, format });
}

type Making = Pick<ExportOptions, 'storage' | 'report'>;

function openFile(connection: Connection, { storage, report }: Making, exported: ExportRecord): ExportFile {
  const { through, userId, createdAt: at } = exported;
  if (through === null) return openAccountFile({ connection, storage, userId, at, report });
  return openExportFile(connection, exportSpecOf(exported), requireDay(through), report);
}

async function storeFile(options: ExportOptions, exported: ExportRecord, key: string) {
  const { pool, storage, isInMemory } = options;
  const made = await readTransaction(pool, async (connection) => {
    const file = openFile(connection, options, exported);
    // A file in memory is stored after the transaction, so that the transaction does not wait for the storage.
    const content = isInMemory ? await buffer(file.content) : null;
    if (content === null) await storage.put(key, file.content);
    return { content, ...file.totals() };
  });
  if (made.content !== null) await storage.put(key, Readable.from([made.content]));
  return made;
}
