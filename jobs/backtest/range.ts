/** The bars that a specification covers: checked when it is requested, and again by its job. */
import type { Queryable } from '../../db/pool.ts';
import type { RunFailure } from '../../db/runs/runs.ts';
import { pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { type SessionLedger, tradableRange } from '../../engine/market/session-ledger.ts';
import type { ErrorDetails } from '../../engine/util/errors.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import { readHistory } from '../runs/history.ts';

/** The number of bars that the range of a specification has now. */
export async function countBars(db: Queryable, spec: BacktestSpec): Promise<number> {
  const { instrumentId, asOf, listedOn, delistedOn } = spec;
  const history = await readHistory(db, instrumentId, asOf);
  const ranged = pricedRangeOf(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  return ranged ? ranged.to - ranged.from : 0;
}

/** The failure of a run without bars, with the number of sessions in the range that are not loaded. */
export function noBarsFailure(spec: BacktestSpec, ledger: SessionLedger) {
  const { symbol, listedOn, delistedOn, start, end, asOf } = spec;
  const lifetime = { listedOn, delistedOn, firstBar: null, lastBar: null };
  const lived = tradableRange(start, Math.min(end ?? asOf, asOf), lifetime);
  const { count } = ledger.missingBetween(lived.start, lived.end);
  const details: ErrorDetails = count > 0 ? { symbol, missing: count } : { symbol };
  return { code: 'no_bars_in_range', details } as const satisfies RunFailure;
}
