/** The job of an export: the file is stored whole or not at all, and belongs to the export from one moment on. */
import {
  type ExportAttempt,
  type ExportRecord,
  failExport,
  finishExport,
  startExport,
  updateExportProgress,
} from '../../db/back-office/exports.ts';
import { readTransaction } from '../../db/pool.ts';
import { type Day, parseDay } from '../../engine/market/dates.ts';
import { isPermanent, type JobContext } from '../job-context.ts';
import { type ExportRequest, exportObjectKey, exportRequestSchema } from './contract.ts';
import { openExportFile } from './export-file.ts';
import type { Report } from './market-rows.ts';

const REPORT_EVERY_MS = 250;
/** The rest is the storing of what is still on its way. */
const READING_PCT = 99;

/** Nobody waits for this attempt any more: cancelled, deleted with its account, or begun anew elsewhere. */
class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

export async function runExport(context: JobContext, { exportId }: { readonly exportId: number }): Promise<void> {
  const { pool, storage, now, log, isLastAttempt } = context;
  const exported = await startExport(pool, exportId, new Date(now()));
  if (!exported) return; // Ended already.
  try {
    const file = await storeFile(context, exported);
    if (!(await finishExport(pool, exported, file, new Date(now())))) throw new Unwanted();
    log.debug({ exportId, rows: file.rows, bytes: file.bytes }, 'export finished');
  } catch (error) {
    // The sweep finds what could not be removed.
    await storage.remove(exportObjectKey(exported)).catch(() => {});
    if (error instanceof Unwanted) return;
    const isFinal = isLastAttempt || isPermanent(error);
    if (isFinal) await failExport(pool, exported, (error as Error).message, new Date(now()));
    throw error;
  }
}

async function storeFile({ pool, storage, signal }: JobContext, exported: ExportRecord) {
  const request: ExportRequest = exportRequestSchema.parse(exported.request);
  const objectKey = exportObjectKey(exported);
  return readTransaction(pool, async (connection) => {
    const report = progressOf(pool, exported, signal);
    const { content, totals } = openExportFile(connection, request, parseDay(exported.through) as Day, report);
    await storage.put(objectKey, content);
    return { objectKey, ...totals() };
  });
}

/** Writes progress to the record a few times a second, and hears there that nobody waits any more. */
function progressOf(pool: JobContext['pool'], attempt: ExportAttempt, signal: AbortSignal): Report {
  let reportedAt = -Infinity;
  return async (share) => {
    signal.throwIfAborted();
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    if (!(await updateExportProgress(pool, attempt, READING_PCT * share))) throw new Unwanted();
  };
}
