/** Computes a kept portfolio again on the present data. */
import type { Queryable } from '../../db/pool.ts';
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import { requireDay } from '../../engine/market/dates.ts';
import type { PortfolioMember } from '../../engine/portfolio/backtest.ts';
import { required } from '../../engine/util/values.ts';
import { type BarDays, type Computation, specDigest } from '../backtest/receipt.ts';
import { ledgers } from '../backtest/run.ts';
import type { SpecInstrument } from '../contracts/backtest.ts';
import { type Differences, MAX_DIFFERENCES } from '../contracts/evidence.ts';
import { type PortfolioSpec, portfolioSpecSchema } from '../contracts/portfolio.ts';
import { memberDigest, portfolioDataDigest, portfolioForm } from '../portfolio/evidence.ts';
import { type PortfolioData, prepareData, readData } from '../portfolio/prepare.ts';
import { resultOf } from '../portfolio/run.ts';
import { type PortfolioSummary, portfolioSummary } from '../portfolio/summary.ts';
import {
  type DataDifferences,
  PastData,
  type PastRun,
  restore,
  type Scope,
  scopeOf,
  withinScope,
} from './past-data.ts';
import { type HistorySource, namedAsServed, presentId, presentOthers, type Recomputed } from './recompute-backtest.ts';

/** A kept portfolio with the data that it reads now. */
interface KeptPortfolio {
  readonly spec: PortfolioSpec;
  readonly data: PortfolioData;
  /** By symbol. */
  readonly scopes: ReadonlyMap<string, Scope>;
}

/** Results of earlier versions have only the last day of all instruments together. */
function scopesOf(spec: PortfolioSpec, { bars_read, end_date }: PortfolioSummary): Map<string, Scope> {
  const { instruments, benchmark } = spec;
  const untilEnd: BarDays = [Number.NEGATIVE_INFINITY, requireDay(end_date)];
  const each = benchmark ? [...instruments, benchmark] : instruments;
  return new Map(each.map(({ symbol }, i) => [symbol, scopeOf(bars_read ? (bars_read[i] ?? null) : untilEnd, spec)]));
}

export async function keptPortfolio(
  db: Queryable,
  saved: SavedBacktest,
  source?: HistorySource,
): Promise<KeptPortfolio> {
  const spec = await presentSpec(db, portfolioSpecSchema.parse(saved.spec));
  const scopes = scopesOf(spec, portfolioSummary(saved.summary));
  const { benchmark, instruments } = spec;
  const named = [...instruments, ...(benchmark ? [benchmark] : []), ...namedAsServed(spec.others)];
  const histories = await source?.(named, spec.asOf);
  const { members, single, others } = await readData(db, spec, histories);
  const read = (member: PortfolioMember) => withinScope(member, required(scopes.get(member.symbol)));
  return { spec, scopes, data: { members: members.map(read), single: single && read(single), others } };
}

export async function recomputePortfolio(
  db: Queryable,
  saved: SavedBacktest,
  computation: Computation,
  source?: HistorySource,
): Promise<Recomputed> {
  const kept = await keptPortfolio(db, saved, source);
  const { spec, data } = kept;
  const ledger = await ledgers.get(db, computation.dataVersion);
  const read = prepareData(spec, data);
  return {
    result: read && resultOf(spec, read, ledger, computation),
    specDigest: (engineVersion) => specDigest(portfolioForm(spec, engineVersion)),
    dataDigest: portfolioDataDigest(spec, data),
    differences: (run) => portfolioDifferences(db, kept, run),
  };
}

async function presentSpec(db: Queryable, spec: PortfolioSpec): Promise<PortfolioSpec> {
  const withId = async (one: SpecInstrument) => ({ ...one, instrumentId: await presentId(db, one) });
  const instruments: SpecInstrument[] = [];
  for (const one of spec.instruments) instruments.push(await withId(one));
  const others = await presentOthers(db, spec.others);
  return { ...spec, instruments, others, benchmark: spec.benchmark && (await withId(spec.benchmark)) };
}

/**
 * The changes of the data of each instrument. If undoing revisions does not restore the data of the run, for example
 * because the market was replaced, these are the revisions since the run.
 */
async function portfolioDifferences(db: Queryable, kept: KeptPortfolio, run: PastRun): Promise<DataDifferences> {
  const past = await pastData(db, kept);
  const { spec, data } = kept;
  const digests = new Map<string, string>();
  const digestOf = (member: PortfolioMember): string => {
    const known = digests.get(member.symbol) ?? memberDigest(spec, member);
    digests.set(member.symbol, known);
    return known;
  };
  const isRestored = restore([...past.values()], (changed) => {
    for (const [symbol, one] of past) if (changed.has(one)) digests.set(symbol, memberDigest(spec, one.history));
    return portfolioDataDigest(spec, data, digestOf) === run.digest;
  });
  const each = [...past].map(([symbol, one]) => ({
    symbol,
    ...(isRestored ? one.differences() : one.differencesSince(run.at)),
  }));
  return {
    bars: merged(each.map(({ symbol, bars }) => ({ symbol, differences: bars }))),
    events: merged(each.map(({ symbol, events }) => ({ symbol, differences: events }))),
  };
}

/** By symbol, for the instruments that have revisions. */
async function pastData(db: Queryable, { spec, data, scopes }: KeptPortfolio): Promise<Map<string, PastData>> {
  const { benchmark, instruments } = spec;
  const { members, single } = data;
  const bySymbol = new Map([...members, ...(single ? [single] : [])].map((member) => [member.symbol, member]));
  const past = new Map<string, PastData>();
  for (const { instrumentId, symbol } of benchmark ? [...instruments, benchmark] : instruments) {
    const member = bySymbol.get(symbol);
    const one = member && (await PastData.read(db, instrumentId, member, required(scopes.get(symbol))));
    if (one && one.revisions.length > 0) past.set(symbol, one);
  }
  return past;
}

function merged<D extends object>(
  each: readonly { readonly symbol: string; readonly differences: Differences<D> }[],
): Differences<D & { readonly symbol: string }> {
  const items = each.flatMap(({ symbol, differences }) => differences.items.map((item) => ({ symbol, ...item })));
  return {
    total: each.reduce((sum, { differences }) => sum + differences.total, 0),
    items: items.slice(0, MAX_DIFFERENCES),
  };
}
