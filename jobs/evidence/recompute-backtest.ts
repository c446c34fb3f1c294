/** A kept backtest, computed again on the present data. */
import type { SavedBacktest } from '../../db/backtests/kept-backtests.ts';
import { selectPresentId } from '../../db/market/instruments.ts';
import type { Queryable } from '../../db/pool.ts';
import { backtestSpecSchema } from '../backtest/contract.ts';
import { readHistory } from '../backtest/history.ts';
import { backtestForm, type Computation, dataDigest, dataRead, specDigest } from '../backtest/receipt.ts';
import { ledgers, resultOf } from '../backtest/run.ts';
import { dataDifferences } from './past-data.ts';
import type { Recomputed } from './recomputed.ts';

/** The id that an instrument has now: a market that was replaced gives new ids. */
export async function presentId(
  db: Queryable,
  { instrumentId, symbol }: { readonly instrumentId: number; readonly symbol: string },
): Promise<number> {
  return (await selectPresentId(db, { id: instrumentId, symbol: symbol.replace(/\.US$/, '') })) ?? instrumentId;
}

export async function recomputeBacktest(
  db: Queryable,
  saved: SavedBacktest,
  computation: Computation,
): Promise<Recomputed> {
  const kept = backtestSpecSchema.parse(saved.spec);
  const spec = { ...kept, instrumentId: await presentId(db, kept) };
  const history = await readHistory(db, spec.instrumentId, spec.asOf);
  const ledger = await ledgers.get(db, computation.dataVersion);
  const result = resultOf(spec, history, ledger, computation);
  return {
    result,
    specDigest: (engineVersion) => specDigest(backtestForm(kept, engineVersion)),
    dataDigest: dataDigest(dataRead(spec, history)),
    differences: (run) => dataDifferences(db, spec, history, run, result?.klines ?? '[]'),
  };
}
