/** The bars that a specification covers, for the check of a request and for its job alike. */

import type { Queryable } from '../../db/pool.ts';
import type { RunFailure } from '../../db/runs/runs.ts';
import { pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { livedRange, type SessionLedger } from '../../engine/market/session-ledger.ts';
import type { ErrorDetails } from '../../engine/util/errors.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import { readHistory } from './history.ts';

/** The number of bars that the range of a specification holds now. */
export async function countBars(db: Queryable, spec: BacktestSpec): Promise<number> {
  const { instrumentId, asOf, listedOn, delistedOn } = spec;
  const history = await readHistory(db, instrumentId, asOf);
  const ranged = pricedRangeOf(spec, { ...history, asOf, lifetime: { listedOn, delistedOn } });
  return ranged ? ranged.to - ranged.from : 0;
}

/** The failure of a run without bars; it says so where sessions of the range are not loaded. */
export function noBarsFailure(spec: BacktestSpec, ledger: SessionLedger) {
  const { symbol, listedOn, delistedOn, start, end, asOf } = spec;
  const life = { listedOn, delistedOn, firstBar: null, lastBar: null };
  const lived = livedRange(start, Math.min(end ?? asOf, asOf), life);
  const { count } = ledger.missingBetween(lived.start, lived.end);
  const details: ErrorDetails = count > 0 ? { symbol, missing: count } : { symbol };
  return { code: 'no_bars_in_range', details } as const satisfies RunFailure;
}
