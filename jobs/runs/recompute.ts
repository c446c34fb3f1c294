/** Kept runs on the data of today, or on that of an earlier load. */
import { selectPresentId } from '../../db/market/instruments.ts';
import type { Queryable } from '../../db/pool.ts';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import type { StoredResult } from '../../db/runs/run-results.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { BacktestSpec, NamedInstrument } from '../contracts/backtest.ts';
import { type HistorySource, ledgers, type ServedInstrument } from './history.ts';
import type { KeptData, KeptSpec, ReadContext, RunKind } from './kind.ts';
import { type Computation, specDigest } from './receipt.ts';

/** The present id of an instrument: a replaced market has new ids. */
export async function withPresentId<One extends { readonly instrumentId: number; readonly symbol: string }>(
  db: Queryable,
  one: One,
): Promise<One> {
  const symbol = one.symbol.replace(/\.US$/, '');
  const instrumentId = (await selectPresentId(db, { id: one.instrumentId, symbol })) ?? one.instrumentId;
  return { ...one, instrumentId };
}

/** Instruments with their present ids. */
export async function withPresentIds<One extends { readonly instrumentId: number; readonly symbol: string }>(
  db: Queryable,
  all: readonly One[],
): Promise<One[]> {
  const present: One[] = [];
  for (const one of all) present.push(await withPresentId(db, one));
  return present;
}

/** Other instruments with their present ids. */
export async function presentOthers(db: Queryable, others: BacktestSpec['others']): Promise<BacktestSpec['others']> {
  const named = others?.map(({ ticker, instrumentId }) => ({ symbol: ticker, instrumentId }));
  const present = named && (await withPresentIds(db, named));
  return present?.map(({ symbol, instrumentId }): NamedInstrument => ({ ticker: symbol, instrumentId }));
}

/** Instruments that rules name. */
export function namedAsServed(named: BacktestSpec['others'] = []): ServedInstrument[] {
  return named.map(({ ticker, instrumentId }) => ({ instrumentId, symbol: qualifiedSymbol(ticker) }));
}

export interface Recomputed {
  /** Null when no bar lies in the range any more. */
  readonly result: StoredResult | null;
  /** Digest of the specification in the form of an engine's version. */
  readonly specDigest: (engineVersion: string) => string;
  /** Digest of the data that is read now; empty where there is none. */
  readonly dataDigest: string;
  readonly differences: KeptData<unknown, unknown>['differences'];
}

export async function recompute<Spec extends KeptSpec, Data extends object>(
  { pool, ...context }: ReadContext,
  kind: RunKind<Spec, Data>,
  saved: KeptRun,
  computation: Computation,
  source?: HistorySource,
): Promise<Recomputed> {
  const { spec, data, differences } = await kind.readKept({ pool, ...context }, saved, source);
  const hasData = !('failure' in data);
  const ledger = await ledgers.get(pool, computation.dataVersion);
  const result = hasData ? await kind.result(pool, spec, data, ledger, computation) : data;
  return {
    result: 'failure' in result ? null : result,
    specDigest: (engineVersion) => specDigest(kind.canonical(spec, engineVersion)),
    dataDigest: hasData ? kind.digest(spec, data) : '',
    differences,
  };
}
