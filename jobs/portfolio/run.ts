/** The job of a portfolio. */
import type { Queryable } from '../../db/pool.ts';
import { type StoredResult, storedResult } from '../../db/runs/run-results.ts';
import type { RunFailure } from '../../db/runs/runs.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { portfolioMetrics, runPrepared } from '../../engine/portfolio/backtest.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import type { Computation } from '../backtest/receipt.ts';
import { ledgers } from '../backtest/run.ts';
import { readComparison } from '../backtest/tear-sheet.ts';
import { type RunSelection, selectionOfRun } from '../backtest/trials.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { PortfolioSpec } from '../contracts/portfolio.ts';
import { evidenceOfPortfolio, portfolioForm, trialsOfPortfolio } from './evidence.ts';
import { noBarsInPortfolio, type ReadPortfolio, readPortfolio } from './prepare.ts';
import { partsOf } from './report.ts';
import { type PortfolioSummary, summaryOf } from './summary.ts';
import { portfolioSheet } from './tear-sheet.ts';

export async function computePortfolio(
  { pool, now }: Pick<JobContext, 'pool' | 'now'>,
  spec: PortfolioSpec,
  version: string,
): Promise<StoredResult | { readonly failure: RunFailure }> {
  const ledger = await ledgers.get(pool, version);
  const read = await readPortfolio(pool, spec);
  if (!read) return { failure: noBarsInPortfolio(spec) };
  const computation = { dataVersion: version, at: new Date(now()) };
  const run = runPrepared(read.prepared, spec, spec.params);
  const result = storedOf(spec, read, run, ledger, computation);
  if (spec.tearSheet === undefined) return result;
  const made = portfolioSheet(spec, read.prepared, run, await readComparison(pool, spec.tearSheet, spec));
  return 'failure' in made ? made : { ...result, tearSheet: JSON.stringify(made.sheet) };
}

export function selectPortfolio(
  db: Queryable,
  userId: number | null,
  spec: PortfolioSpec,
  { summary }: StoredResult,
): Promise<RunSelection> {
  const { selection_basis: basis }: PortfolioSummary = JSON.parse(summary);
  const selected = { basis, form: portfolioForm(spec), isWanted: spec.includeStatistics };
  return selectionOfRun(db, userId, { trials: trialsOfPortfolio(spec, [spec.params]), ...selected });
}

/** The result of a specification on the data that was read for it. */
export function resultOf(
  spec: PortfolioSpec,
  read: ReadPortfolio,
  ledger: SessionLedger,
  computation: Computation,
): StoredResult {
  return storedOf(spec, read, runPrepared(read.prepared, spec, spec.params), ledger, computation);
}

function storedOf(
  spec: PortfolioSpec,
  read: ReadPortfolio,
  run: PortfolioRun,
  ledger: SessionLedger,
  computation: Computation,
): StoredResult {
  const { prepared } = read;
  const metrics = portfolioMetrics(prepared, run, spec.execution.initialCapital);
  const parts = partsOf(spec, prepared, run);
  const evidence = evidenceOfPortfolio(spec, read, { run, metrics }, parts, computation);
  return storedResult(summaryOf(spec, { read, run, metrics, evidence }, ledger), parts);
}
