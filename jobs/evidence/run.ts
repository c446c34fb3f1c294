/** The jobs that verify kept runs, search them for look-ahead, and make their tear sheets. */
import { Readable } from 'node:stream';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { transaction } from '../../db/pool.ts';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import type { StartedRun } from '../../db/runs/runs.ts';
import { saveLookAhead, selectKeptById } from '../../db/runs/verdicts.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { TearSheet } from '../../engine/tear-sheet/tear-sheet.ts';
import { required } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { Comparison } from '../contracts/backtest.ts';
import { evidenceSpecSchema, type LookAheadReport } from '../contracts/evidence.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { keptTearSheet, TEAR_SHEET, tearSheetSpecSchema } from '../contracts/tear-sheet.ts';
import type { KeptContext } from '../runs/finish.ts';
import { finishUncached, type RunContext, runFrame } from '../runs/frame.ts';
import { ledgers } from '../runs/history.ts';
import type { Proof, ReadContext } from '../runs/kind.ts';
import { deletedColumn } from '../runs/own-columns.ts';
import { keptSummary } from '../runs/summary.ts';
import type { MadeSheet } from '../runs/tear-sheet.ts';
import { withKind } from './kinds.ts';
import { type SampleContext, type VerifyContext, verifyKept, verifySample } from './verify.ts';

export type LookAheadContext = ReadContext & Pick<JobContext, 'now'>;

function reportOf({ proof, warmUp }: Proof, now: number): LookAheadReport {
  const { prefixes, differences, verdict, first } = proof;
  const { needed, available, compared } = warmUp;
  return {
    prefixes,
    differences,
    verdict,
    first: first ? { cut_after: formatDay(first.cutAfter), date: formatDay(first.day), kind: first.kind } : undefined,
    warm_up: { needed_bars: needed, available_bars: available, compared },
    engine_version: ENGINE_VERSION,
    proved_at: new Date(now).toISOString(),
  };
}

/**
 * Stores the report with the run and, if there was no look-ahead, as the newest proof of the strategy. Null when no bar lies in the range
 * any more, or the run is from a version that kept no specification.
 */
export async function proveKept(context: LookAheadContext, saved: KeptRun): Promise<LookAheadReport | null> {
  if (saved.spec === null) return null;
  const found = await withKind(saved, async (kind) => {
    const { spec, data } = await kind.readKept(context, saved);
    return 'failure' in data ? null : required(kind.prove, 'a search for look-ahead')(context, spec, data);
  });
  if (found === null) return null;
  const report = reportOf(found, context.now());
  const { verdict, prefixes, proved_at, engine_version: engineVersion } = report;
  const isProof = found.proved !== null && verdict === 'none';
  const proof = isProof ? { ...found.proved, engineVersion, prefixes, at: new Date(proved_at) } : null;
  await transaction(context.pool, (connection) => saveLookAhead(connection, saved.id, report, proof));
  return report;
}

type Work = (saved: KeptRun, run: StartedRun) => Promise<object | null>;

/**
 * Runs `work` on the kept backtest that the run names; a deleted or unreadable one counts as not found. `needsColumns`: it fails where a
 * column was deleted.
 */
function runOnKept(context: RunContext, runId: string, work: Work, needsColumns = false): Promise<void> {
  return runFrame(context, runId, async (run) => {
    const { backtestId } = evidenceSpecSchema.parse(JSON.parse(run.spec));
    const saved = await selectKeptById(context.pool, backtestId);
    const deleted = needsColumns ? await deletedColumn(context.pool, saved?.spec ?? {}) : null;
    if (deleted !== null) return { code: 'column_deleted', details: { name: deleted } };
    const verdict = saved && (await work(saved, run));
    if (!verdict) return { code: 'not_found', details: {} };
    await finishUncached(context, verdict);
    return null;
  });
}

interface RunPayload {
  readonly runId: string;
}

export function runVerifyJob(context: RunContext & VerifyContext, { runId }: RunPayload): Promise<void> {
  return runOnKept(context, runId, (saved, { dataVersion }) => verifyKept(context, saved, dataVersion));
}

export function runLookAheadJob(context: RunContext & LookAheadContext, { runId }: RunPayload): Promise<void> {
  return runOnKept(context, runId, (saved) => proveKept(context, saved), true);
}

export async function runVerifySampleJob(context: SampleContext): Promise<void> {
  await verifySample(context, await selectDataVersion(context.pool));
}

/** The tear sheet on the data of today; null when no bar lies in the range any more. */
function sheetOfKept(
  context: KeptContext,
  saved: KeptRun,
  comparison: Comparison,
  dataVersion: string,
): Promise<MadeSheet | null> {
  return withKind(saved, async (kind) => {
    const { spec, data } = await kind.readKept(context, saved);
    const ledger = await ledgers.get(context.pool, dataVersion);
    return required(kind.tearSheet, 'a tear sheet')(context.pool, spec, data, ledger, comparison);
  });
}

/** Says first that the run ends otherwise on the data of today, if it does. */
function withDifference({ summary }: KeptRun, sheet: TearSheet): TearSheet {
  const { total_pnl_pct: kept } = keptSummary(summary);
  const now = sheet.returns.total_pct;
  if (kept === now) return sheet;
  const differs = { key: 'kept_differs', figures: { total_pnl_pct: kept, 'returns.total_pct': now } } as const;
  return { ...sheet, verdict: { sentences: [differs, ...sheet.verdict.sentences] } };
}

export function runTearSheetJob(context: KeptContext, { runId }: { readonly runId: string }): Promise<void> {
  const { pool, storage } = context;
  return runFrame(context, runId, async (run) => {
    const { backtestId, comparison } = tearSheetSpecSchema.parse(JSON.parse(run.spec));
    const saved = await selectKeptById(pool, backtestId);
    const deleted = await deletedColumn(pool, saved?.spec ?? {});
    if (deleted !== null) return { code: 'column_deleted', details: { name: deleted } };
    // Runs of early versions kept no specification.
    const made = saved?.spec ? await sheetOfKept(context, saved, comparison, run.dataVersion) : null;
    if (saved === null || made === null) return { code: 'not_found', details: {} };
    if ('failure' in made) return made.failure;
    const sheet = withDifference(saved, made.sheet);
    const object = keptTearSheet(comparison, JSON.stringify(sheet));
    await storage.put(backtestKey(saved.userId, saved.id, TEAR_SHEET), Readable.from([Buffer.from(object)]));
    await finishUncached(context, sheet);
    return null;
  });
}
