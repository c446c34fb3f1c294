/** The job of a backtest. */
import { type StoredResult, storedResult } from '../../db/backtests/run-results.ts';
import { runBacktest } from '../../engine/backtest/backtest.ts';
import type { JobContext } from '../job-context.ts';
import { type BacktestSpec, backtestSpecSchema } from './contract.ts';
import { Histories, HistoryLedgers } from './history.ts';
import { noBarsFailure } from './range.ts';
import { equityJson, klinesJson, tradesView } from './report.ts';
import { runKept } from './run-kept.ts';
import { summaryOf } from './summary.ts';

export const histories = new Histories();
export const ledgers = new HistoryLedgers();

export function runBacktestJob(context: JobContext, { runId }: { readonly runId: string }): Promise<void> {
  return runKept(context, runId, {
    kind: 'backtest',
    readSpec: (spec) => backtestSpecSchema.parse(spec),
    compute: async ({ pool }, spec, version) => {
      const result = await compute(pool, spec, version);
      return result ? { result } : { failure: noBarsFailure(spec, await ledgers.get(pool, version)) };
    },
  });
}

async function compute(pool: JobContext['pool'], spec: BacktestSpec, version: string): Promise<StoredResult | null> {
  const { asOf, listedOn, delistedOn } = spec;
  const ledger = await ledgers.get(pool, version);
  const history = await histories.get(pool, spec.instrumentId, asOf, version);
  const outcome = runBacktest(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  if (!outcome) return null;
  return storedResult(summaryOf(spec, outcome, ledger), {
    trades: JSON.stringify(tradesView(outcome)),
    klines: klinesJson(outcome),
    equity: equityJson(outcome, spec.execution.initialCapital),
  });
}
