/** The job of an export. */
import { type ExportAttempt, startExport, updateExportProgress } from '../../db/queue/exports.ts';
import { isPermanent, type JobContext } from '../contracts/job-context.ts';
import { reportPace, Unwanted } from '../run-frame.ts';
import { makeExport } from './make-export.ts';
import type { Report } from './market-rows.ts';

/** The rest is for storing what is still in transit. */
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

/** Writes progress to the record a few times a second; the same update shows when the attempt is no longer wanted. */
function progressOf({ pool, signal }: ExportContext, attempt: ExportAttempt): Report {
  const isDue = reportPace();
  return async (share) => {
    signal.throwIfAborted();
    if (!isDue()) return;
    if (!(await updateExportProgress(pool, attempt, READING_PCT * share))) throw new Unwanted();
  };
}
