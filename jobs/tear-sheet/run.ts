/** The job that makes the tear sheet of a kept run, and keeps it with the run. */
import { Readable } from 'node:stream';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { selectKeptById } from '../../db/runs/verdicts.ts';
import { runPrepared } from '../../engine/portfolio/backtest.ts';
import type { TearSheet } from '../../engine/tear-sheet/tear-sheet.ts';
import { backtestKey } from '../../storage/keys.ts';
import { outcomeOf } from '../backtest/run.ts';
import type { KeptContext } from '../backtest/run-kept.ts';
import { backtestSummary } from '../backtest/summary.ts';
import { backtestSheet, type MadeSheet, readComparison } from '../backtest/tear-sheet.ts';
import type { Comparison } from '../contracts/backtest.ts';
import { isRotationOf } from '../contracts/rotation.ts';
import { keptTearSheet, TEAR_SHEET, tearSheetSpecSchema } from '../contracts/tear-sheet.ts';
import { keptBacktest } from '../evidence/recompute-backtest.ts';
import { keptPortfolio } from '../evidence/recompute-portfolio.ts';
import { keptRotation } from '../evidence/recompute-rotation.ts';
import { prepareData } from '../portfolio/prepare.ts';
import { portfolioSummary } from '../portfolio/summary.ts';
import { portfolioSheet } from '../portfolio/tear-sheet.ts';
import type { UniverseContext } from '../rotation/histories.ts';
import { computeRotation, readRotation } from '../rotation/run.ts';
import { rotationSheet } from '../rotation/tear-sheet.ts';
import { finishUncached, runFrame } from '../run-frame.ts';

/** Null when no bar lies in the range any more. */
async function madeOfKept(
  context: UniverseContext,
  saved: SavedBacktest,
  comparison: Comparison,
): Promise<MadeSheet | null> {
  if (isRotationOf(saved)) {
    const spec = await keptRotation(context.pool, saved);
    const data = await readRotation(context, spec);
    const outcome = data && (await computeRotation(spec, data));
    if (outcome === null || 'failure' in outcome) return outcome;
    return rotationSheet(spec, outcome, await readComparison(context.pool, comparison, spec));
  }
  const db = context.pool;
  if (saved.kind === 'portfolio') {
    const { spec, data } = await keptPortfolio(db, saved);
    const read = prepareData(spec, data);
    if (!read) return null;
    const run = runPrepared(read.prepared, spec, spec.params);
    return portfolioSheet(spec, read.prepared, run, await readComparison(db, comparison, spec));
  }
  const { spec, history } = await keptBacktest(db, saved);
  const outcome = outcomeOf(spec, history);
  return outcome && backtestSheet(spec, outcome, await readComparison(db, comparison, spec));
}

/** Says first that the run ends otherwise on the data of today, if it does. */
function withDifference({ kind, summary }: SavedBacktest, sheet: TearSheet): TearSheet {
  const { total_pnl_pct: kept } = kind === 'portfolio' ? portfolioSummary(summary) : backtestSummary(summary);
  const now = sheet.returns.total_pct;
  if (kept === now) return sheet;
  const differs = { key: 'kept_differs', figures: { total_pnl_pct: kept, 'returns.total_pct': now } } as const;
  return { ...sheet, verdict: { sentences: [differs, ...sheet.verdict.sentences] } };
}

export function runTearSheetJob(
  context: KeptContext & UniverseContext,
  { runId }: { readonly runId: string },
): Promise<void> {
  const { pool, storage } = context;
  return runFrame(context, runId, async (run) => {
    const { backtestId, comparison } = tearSheetSpecSchema.parse(JSON.parse(run.spec));
    const saved = await selectKeptById(pool, backtestId);
    // Runs of early versions kept no specification.
    const made = saved?.spec ? await madeOfKept(context, saved, comparison) : null;
    if (saved === null || made === null) return { code: 'not_found', details: {} };
    if ('failure' in made) return made.failure;
    const sheet = withDifference(saved, made.sheet);
    const object = keptTearSheet(comparison, JSON.stringify(sheet));
    await storage.put(backtestKey(saved.userId, saved.id, TEAR_SHEET), Readable.from([Buffer.from(object)]));
    await finishUncached(context, sheet);
    return null;
  });
}
