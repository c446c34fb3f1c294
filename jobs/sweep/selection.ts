/** Corrects the best cell for the number of cells: all that have a bar are its trials. */
import type { Queryable } from '../../db/pool.ts';
import { runBacktest } from '../../engine/backtest/backtest.ts';
import { TRADING_DAYS_PER_YEAR } from '../../engine/indicators/indicators.ts';
import { momentsOf, returnsOf } from '../../engine/statistics/moments.ts';
import type { RankedCell, SweepTotals } from '../../engine/sweep/summary.ts';
import { readHistory } from '../backtest/history.ts';
import { type ReportedSelection, reportSelection, sharpeMoments } from '../backtest/statistics.ts';
import { lastReadDay } from '../contracts/sweep.ts';
import type { StoredSweep } from './stored-sweep.ts';

/** Per bar, as trials are counted. */
const A_YEAR = Math.sqrt(TRADING_DAYS_PER_YEAR);

export async function selectionOfSweep(
  db: Queryable,
  sweep: StoredSweep,
  totals: SweepTotals,
): Promise<ReportedSelection> {
  const best = totals.first;
  const moments = best && (await momentsOfCell(db, sweep, best));
  const spread = totals.sharpeDeviation;
  return reportSelection(totals.cells, { moments: sharpeMoments(moments), spread: spread && spread / A_YEAR });
}

/** Figures from the returns of a cell, which is computed again: cells keep figures, not returns. */
async function momentsOfCell(db: Queryable, { spec, runs, chunks }: StoredSweep, cell: RankedCell) {
  const instrument = chunks.flatMap(({ members }) => members)[cell.instrument];
  const { instrumentId, listedOn, delistedOn } = instrument;
  const combined = runs.flatMap(({ combinations }, run) => combinations.map((params) => ({ params, run })));
  const { params, run } = combined[cell.combination];
  const { strategy, rules } = spec.runs[run];
  const history = await readHistory(db, instrumentId, lastReadDay(spec));
  const input = { ...history, asOf: spec.asOf, lifetime: { listedOn, delistedOn } };
  const outcome = runBacktest({ ...spec, strategy, rules, params }, input);
  return outcome && momentsOf(returnsOf(outcome.run.equity, spec.execution.initialCapital));
}
