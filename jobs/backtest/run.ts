/** The job of a backtest. */
import { type StoredResult, storedResult } from '../../db/runs/run-results.ts';
import { runBacktest } from '../../engine/backtest/backtest.ts';
import type { AdjustMode } from '../../engine/market/adjust.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { type BacktestSpec, backtestSpecSchema } from '../contracts/backtest.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { arraysOf, evidenceOf } from './evidence.ts';
import { Histories, type History, HistoryLedgers } from './history.ts';
import { readOthers } from './others.ts';
import { noBarsFailure } from './range.ts';
import type { Computation } from './receipt.ts';
import { type ComputedResult, type KeptContext, runKept } from './run-kept.ts';
import { adjustedSeries } from './served-bars.ts';
import { type BacktestSummary, summaryOf } from './summary.ts';
import { selectionOfRun, trialsOf } from './trials.ts';

export const histories = new Histories();
export const ledgers = new HistoryLedgers();

export function runBacktestJob(context: KeptContext, { runId }: { readonly runId: string }): Promise<void> {
  return runKept(context, runId, {
    kind: 'backtest',
    readSpec: (spec) => backtestSpecSchema.parse(spec),
    compute: async (job, spec, version) => {
      const computed = await compute(job, spec, version);
      return computed ?? { failure: noBarsFailure(spec, await ledgers.get(job.pool, version)) };
    },
    select: (db, userId, spec, { summary }) => {
      const trials = trialsOf(spec, [spec.params]);
      if (!spec.includeStatistics) return selectionOfRun(db, userId, { trials, basis: undefined });
      const { selection_basis: basis }: BacktestSummary = JSON.parse(summary);
      return selectionOfRun(db, userId, { trials, basis });
    },
  });
}

async function compute(
  { pool, now }: Pick<JobContext, 'pool' | 'now'>,
  spec: BacktestSpec,
  version: string,
): Promise<ComputedResult | null> {
  const ledger = await ledgers.get(pool, version);
  const history = await histories.get(pool, spec.instrumentId, spec.asOf, version);
  const others = await readOthers(pool, spec.others, spec.asOf);
  const read = others === undefined ? history : { ...history, others };
  return computedOf(spec, read, ledger, { dataVersion: version, at: new Date(now()) });
}

/** The result of a specification on a history; null when no bar lies in its range. */
export function resultOf(...given: Parameters<typeof computedOf>): StoredResult | null {
  return computedOf(...given)?.result ?? null;
}

function computedOf(
  spec: BacktestSpec,
  history: History,
  ledger: SessionLedger,
  computation: Computation,
): ComputedResult | null {
  const { asOf, listedOn, delistedOn } = spec;
  const adjusted = (mode: AdjustMode) => adjustedSeries(history, mode);
  const outcome = runBacktest(spec, { ...history, asOf, lifetime: { listedOn, delistedOn }, adjusted });
  if (!outcome) return null;
  const arrays = arraysOf(spec, outcome, history);
  const evidence = evidenceOf(spec, outcome, history, arrays, computation);
  const { trades, equity } = arrays;
  const { text: klines, sha256, bytes } = arrays.klines;
  const summary = summaryOf(outcome, { spec, ledger, events: history.events, evidence });
  return { result: storedResult(summary, { trades, klines, equity }), klines: { sha256, bytes } };
}
