/** Makes the file of an export, for a caller who waits for it and in a job alike. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Pool, readTransaction } from '../../db/pool.ts';
import { type ExportRecord, failExport, finishExport } from '../../db/queue/exports.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { toError } from '../../engine/util/errors.ts';
import { exportKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { exportSpecOf } from '../contracts/export.ts';
import { Unwanted } from '../run-frame.ts';
import type { Report } from './market-rows.ts';
import { openExportFile } from './open-file.ts';

export interface ExportMaking {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives the share that is read; throws `Unwanted` to end the attempt. */
  readonly report: Report;
  /** Whether the file is built in memory, for a small one whose content is returned. */
  readonly isInMemory: boolean;
  /** Whether the export fails with this attempt. */
  readonly isFinal: (error: unknown) => boolean;
}

export interface MadeExport {
  readonly rows: number;
  readonly bytes: number;
  /** Null when the file was not built in memory. */
  readonly content: Buffer | null;
}

/**
 * Stores the file whole or not at all; it belongs to the export from one moment on. Null when the attempt is no longer
 * wanted. `exported` is the record of an attempt that has begun.
 */
export async function makeExport(making: ExportMaking, exported: ExportRecord): Promise<MadeExport | null> {
  const { pool, storage, now, isFinal } = making;
  const objectKey = keyOf(exported);
  try {
    const { content, ...totals } = await storeFile(making, exported, objectKey);
    const isKept = await finishExport(pool, exported, { objectKey, ...totals }, new Date(now()));
    if (!isKept) throw new Unwanted();
    return { rows: totals.rows, bytes: totals.bytes, content };
  } catch (error) {
    // The nightly removal of orphans finds what cannot be removed now.
    await storage.remove(objectKey).catch(() => {});
    if (error instanceof Unwanted) return null;
    if (isFinal(error)) await failExport(pool, exported, toError(error).message, new Date(now()));
    throw error;
  }
}

function keyOf(exported: ExportRecord): string {
  const { id: exportId, userId, attempts: attempt } = exported;
  return exportKey({ userId, exportId, attempt, format: exportSpecOf(exported).format });
}

async function storeFile({ pool, storage, report, isInMemory }: ExportMaking, exported: ExportRecord, key: string) {
  const made = await readTransaction(pool, async (connection) => {
    const through = requireDay(exported.through);
    const file = openExportFile(connection, exportSpecOf(exported), through, report);
    // A file in memory is stored after the transaction, which then does not wait for the storage.
    const content = isInMemory ? await buffer(file.content) : null;
    if (content === null) await storage.put(key, file.content);
    return { content, ...file.totals() };
  });
  if (made.content !== null) await storage.put(key, Readable.from([made.content]));
  return made;
}
