/** Results of runs on data at hand. */
import type { StoredResult } from '../../db/runs/run-results.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { BACKTEST, outcomeOf } from '../../jobs/backtest/kind.ts';
import type { BacktestSpec } from '../../jobs/contracts/backtest.ts';
import type { History } from '../../jobs/runs/history.ts';
import type { Computation } from '../../jobs/runs/receipt.ts';
import { resultOf } from '../../jobs/runs/result.ts';

/** Null when no bar lies in the range. */
export function backtestResult(
  spec: BacktestSpec,
  history: History,
  ledger: SessionLedger,
  computation: Computation,
): StoredResult | null {
  const outcome = outcomeOf(spec, history);
  return outcome && resultOf(BACKTEST, spec, outcome, BACKTEST.report(spec, history, outcome, ledger), computation);
}
