/** Computes a kept backtest again on the present data. */
import { selectPresentId } from '../../db/market/instruments.ts';
import type { Queryable } from '../../db/pool.ts';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { partsIn, type StoredResult } from '../../db/runs/run-results.ts';
import { type Day, requireDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { type History, type ReadHistories, readHistories } from '../backtest/history.ts';
import { readOthers } from '../backtest/others.ts';
import { type BarDays, backtestForm, type Computation, dataDigest, dataRead, specDigest } from '../backtest/receipt.ts';
import { ledgers, resultOf } from '../backtest/run.ts';
import { type BacktestSummary, backtestSummary } from '../backtest/summary.ts';
import { type BacktestSpec, backtestSpecSchema, type NamedInstrument } from '../contracts/backtest.ts';
import type { PortfolioSummary } from '../portfolio/summary.ts';
import {
  changedCandles,
  type DataDifferences,
  PastData,
  type PastRun,
  restore,
  type Scope,
  scopeOf,
  withinScope,
} from './past-data.ts';

/** A kept backtest with the data that it reads now. */
interface KeptData {
  readonly spec: BacktestSpec;
  readonly scope: Scope;
  /** Within the scope. */
  readonly history: History;
}

/** The present id of an instrument: a replaced market has new ids. */
export async function presentId(
  db: Queryable,
  { instrumentId, symbol }: { readonly instrumentId: number; readonly symbol: string },
): Promise<number> {
  return (await selectPresentId(db, { id: instrumentId, symbol: symbol.replace(/\.US$/, '') })) ?? instrumentId;
}

/** Other instruments with their present ids. */
export async function presentOthers(db: Queryable, others: BacktestSpec['others']): Promise<BacktestSpec['others']> {
  if (others === undefined) return undefined;
  const present: NamedInstrument[] = [];
  for (const { ticker, instrumentId } of others) {
    present.push({ ticker, instrumentId: await presentId(db, { instrumentId, symbol: ticker }) });
  }
  return present;
}

/** Finds out how to read the histories of some instruments up to a day: those of now, or those of an earlier load. */
export type HistorySource = (instruments: readonly ServedInstrument[], asOf: Day) => Promise<ReadHistories>;

/** An instrument under the symbol that it had when a run was kept. */
export interface ServedInstrument {
  readonly instrumentId: number;
  /** `<TICKER>.US`. */
  readonly symbol: string;
}

const PRESENT: HistorySource = async () => readHistories;

/** Instruments that rules name. */
export function namedAsServed(named: BacktestSpec['others'] = []): ServedInstrument[] {
  return named.map(({ ticker, instrumentId }) => ({ instrumentId, symbol: qualifiedSymbol(ticker) }));
}

/** The days of the first and the last bar that a kept backtest read; without a receipt, or with one of an earlier version, only the last is known. */
function daysRead({ receipt, end_date }: BacktestSummary): BarDays {
  const { first_bar = null, last_bar = end_date } = receipt ?? {};
  return [first_bar === null ? Number.NEGATIVE_INFINITY : requireDay(first_bar), requireDay(last_bar)];
}

export async function keptBacktest(
  db: Queryable,
  saved: SavedBacktest,
  source: HistorySource = PRESENT,
): Promise<KeptData> {
  const kept = backtestSpecSchema.parse(saved.spec);
  const spec = { ...kept, instrumentId: await presentId(db, kept) };
  const scope = scopeOf(daysRead(backtestSummary(saved.summary)), spec);
  const present = await presentOthers(db, spec.others);
  const read = await source([spec, ...namedAsServed(present)], spec.asOf);
  const [whole] = await read(db, [spec.instrumentId], spec.asOf);
  const history = withinScope(whole, scope);
  const others = await readOthers(db, present, spec.asOf, read);
  return { spec, scope, history: { ...history, others } };
}

export async function recomputeBacktest(
  db: Queryable,
  saved: SavedBacktest,
  computation: Computation,
  source?: HistorySource,
): Promise<Recomputed> {
  const data = await keptBacktest(db, saved, source);
  const { spec, history } = data;
  const ledger = await ledgers.get(db, computation.dataVersion);
  const result = resultOf(spec, history, ledger, computation);
  return {
    result,
    specDigest: (engineVersion) => specDigest(backtestForm(spec, engineVersion)),
    dataDigest: dataDigest(dataRead(spec, history)),
    differences: (run) => dataDifferences(db, data, run, (result && partsIn(result).get('klines')?.toString()) ?? '[]'),
  };
}

/**
 * The changes of the data that a run read. If undoing revisions does not restore it, for example because the market was replaced, these
 * are the revisions since the run, and the other bars of the result that differ.
 */
async function dataDifferences(
  db: Queryable,
  { spec, scope, history }: KeptData,
  run: PastRun,
  candlesNow: string,
): Promise<DataDifferences> {
  const past = await PastData.read(db, spec.instrumentId, history, scope);
  // The data of other instruments is as it is now: their revisions are not undone.
  const digest = () => dataDigest(dataRead(spec, { ...past.history, others: history.others }));
  if (restore([past], () => digest() === run.digest)) return past.differences();
  return past.differencesSince(run.at, run.candles === null ? [] : changedCandles(run.candles, candlesNow));
}

export type KeptSummary = BacktestSummary | PortfolioSummary;

export interface Recomputed {
  /** Null when no bar lies in the range any more. */
  readonly result: StoredResult | null;
  /** Digest of the specification in the form of an engine's version. */
  readonly specDigest: (engineVersion: string) => string;
  /** Digest of the data that is read now. */
  readonly dataDigest: string;
  readonly differences: (run: PastRun) => Promise<DataDifferences>;
}

export type Figures = Readonly<Record<string, number | null>>;

/** The metrics of a summary, by name. */
export function figuresOf(summary: KeptSummary, names: readonly string[]): Figures {
  const all = new Map<string, unknown>(Object.entries(summary));
  return Object.fromEntries(
    names.map((name) => {
      const value = all.get(name);
      return [name, typeof value === 'number' ? value : null];
    }),
  );
}
