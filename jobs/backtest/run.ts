/** The job of a backtest. */
import { type StoredResult, storedResult } from '../../db/runs/run-results.ts';
import type { RunFailure } from '../../db/runs/runs.ts';
import { type BacktestOutcome, runBacktest } from '../../engine/backtest/backtest.ts';
import type { AdjustMode } from '../../engine/market/adjust.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { type BacktestSpec, backtestSpecSchema } from '../contracts/backtest.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { arraysOf, type Evidence, evidenceOf } from './evidence.ts';
import { Histories, type History, HistoryLedgers } from './history.ts';
import { readOthers } from './others.ts';
import { noBarsFailure } from './range.ts';
import { backtestForm, type Computation } from './receipt.ts';
import { type KeptContext, runKept } from './run-kept.ts';
import { adjustedSeries } from './served-bars.ts';
import { type BacktestSummary, summaryOf } from './summary.ts';
import { backtestSheet, readComparison } from './tear-sheet.ts';
import { selectionOfRun, trialsOf } from './trials.ts';

export const histories = new Histories();
export const ledgers = new HistoryLedgers();

export function runBacktestJob(context: KeptContext, { runId }: { readonly runId: string }): Promise<void> {
  return runKept(context, runId, {
    kind: 'backtest',
    readSpec: (spec) => backtestSpecSchema.parse(spec),
    compute,
    select: (db, userId, spec, { summary }) => {
      const { selection_basis: basis }: BacktestSummary = JSON.parse(summary);
      const selected = { basis, form: backtestForm(spec), isWanted: spec.includeStatistics };
      return selectionOfRun(db, userId, { trials: trialsOf(spec, [spec.params]), ...selected });
    },
  });
}

async function compute(
  { pool, now }: Pick<JobContext, 'pool' | 'now'>,
  spec: BacktestSpec,
  version: string,
): Promise<StoredResult | { readonly failure: RunFailure }> {
  const ledger = await ledgers.get(pool, version);
  const history = await histories.get(pool, spec.instrumentId, spec.asOf, version);
  const others = await readOthers(pool, spec.others, spec.asOf);
  const read = others === undefined ? history : { ...history, others };
  const outcome = outcomeOf(spec, read);
  if (!outcome) return { failure: noBarsFailure(spec, ledger) };
  const computation = { dataVersion: version, at: new Date(now()) };
  const { paths, ...result } = storedOf(spec, outcome, read, ledger, computation);
  if (spec.tearSheet === undefined) return result;
  const made = backtestSheet(spec, { ...outcome, paths }, await readComparison(pool, spec.tearSheet, spec));
  return 'failure' in made ? made : { ...result, tearSheet: JSON.stringify(made.sheet) };
}

/** Runs a specification on a history; null when no bar lies in its range. */
export function outcomeOf(spec: BacktestSpec, history: History): BacktestOutcome | null {
  const { asOf, listedOn, delistedOn } = spec;
  const adjusted = (mode: AdjustMode) => adjustedSeries(history, mode);
  return runBacktest(spec, { ...history, asOf, lifetime: { listedOn, delistedOn }, adjusted });
}

/** The result of a specification on a history; null when no bar lies in its range. */
export function resultOf(
  spec: BacktestSpec,
  history: History,
  ledger: SessionLedger,
  computation: Computation,
): StoredResult | null {
  const outcome = outcomeOf(spec, history);
  return outcome && storedOf(spec, outcome, history, ledger, computation);
}

function storedOf(
  spec: BacktestSpec,
  outcome: BacktestOutcome,
  history: History,
  ledger: SessionLedger,
  computation: Computation,
): StoredResult & Pick<Evidence, 'paths'> {
  const arrays = arraysOf(spec, outcome, history);
  const evidence = evidenceOf(spec, outcome, history, arrays, computation);
  const { trades, equity, klines } = arrays;
  const summary = summaryOf(outcome, { spec, ledger, history, evidence });
  return { ...storedResult(summary, { trades, klines: klines.bytes, equity }), paths: evidence.paths };
}
