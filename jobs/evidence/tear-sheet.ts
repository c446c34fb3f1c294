/** The job that makes the tear sheet of a kept run, and keeps it with the run. */
import { Readable } from 'node:stream';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { selectKeptById } from '../../db/runs/verdicts.ts';
import type { TearSheet } from '../../engine/tear-sheet/tear-sheet.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { Comparison } from '../contracts/backtest.ts';
import { keptTearSheet, TEAR_SHEET, tearSheetSpecSchema } from '../contracts/tear-sheet.ts';
import type { KeptContext } from '../runs/finish.ts';
import { finishUncached, runFrame } from '../runs/frame.ts';
import { ledgers } from '../runs/history.ts';
import { tearSheetOfRun } from '../runs/result.ts';
import { keptSummary } from '../runs/summary.ts';
import type { MadeSheet } from '../runs/tear-sheet.ts';
import { withKind } from './kinds.ts';

/** The tear sheet on the data of today; null when no bar lies in the range any more. */
function sheetOfKept(
  context: KeptContext,
  saved: SavedBacktest,
  comparison: Comparison,
  dataVersion: string,
): Promise<MadeSheet | null> {
  return withKind(saved, async (kind) => {
    const { spec, data } = await kind.readKept(context, saved);
    const ledger = await ledgers.get(context.pool, dataVersion);
    const outcome = 'failure' in data ? data : await kind.compute(spec, data, ledger);
    if (!('failure' in outcome)) return tearSheetOfRun(context.pool, kind, spec, outcome, comparison);
    return outcome.failure.code === 'no_bars_in_range' ? null : outcome;
  });
}

/** Says first that the run ends otherwise on the data of today, if it does. */
function withDifference({ summary }: SavedBacktest, sheet: TearSheet): TearSheet {
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
