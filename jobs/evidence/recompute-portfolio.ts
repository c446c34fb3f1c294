/** A kept portfolio, computed again on the present data. */
import type { SavedBacktest } from '../../db/backtests/kept-backtests.ts';
import type { Queryable } from '../../db/pool.ts';
import type { PortfolioMember } from '../../engine/portfolio/backtest.ts';
import { type Computation, specDigest } from '../backtest/receipt.ts';
import { ledgers } from '../backtest/run.ts';
import { type PortfolioSpec, portfolioSpecSchema, type SpecInstrument } from '../portfolio/contract.ts';
import { memberDigest, portfolioDataDigest, portfolioForm } from '../portfolio/evidence.ts';
import { type PortfolioData, prepareData, readData } from '../portfolio/prepare.ts';
import { resultOf } from '../portfolio/run.ts';
import { type Differences, MAX_DIFFERENCES } from './contract.ts';
import { areOfOneLoad, type DataDifferences, PastData, type PastRun } from './past-data.ts';
import { presentId } from './recompute-backtest.ts';
import type { Recomputed } from './recomputed.ts';

export async function recomputePortfolio(
  db: Queryable,
  saved: SavedBacktest,
  computation: Computation,
): Promise<Recomputed> {
  const kept = portfolioSpecSchema.parse(saved.spec);
  const spec = await presentSpec(db, kept);
  const ledger = await ledgers.get(db, computation.dataVersion);
  const data = await readData(db, spec);
  const read = prepareData(spec, data);
  return {
    result: read && resultOf(spec, read, ledger, computation),
    specDigest: (engineVersion) => specDigest(portfolioForm(kept, engineVersion)),
    dataDigest: portfolioDataDigest(spec, data),
    differences: (run) => portfolioDifferences(db, spec, data, run),
  };
}

async function presentSpec(db: Queryable, spec: PortfolioSpec): Promise<PortfolioSpec> {
  const withId = async (one: SpecInstrument) => ({ ...one, instrumentId: await presentId(db, one) });
  const instruments: SpecInstrument[] = [];
  for (const one of spec.instruments) instruments.push(await withId(one));
  return { ...spec, instruments, benchmark: spec.benchmark && (await withId(spec.benchmark)) };
}

/**
 * The changes of the data of each instrument: revisions since the run are undone, newest first, until the data are those
 * of the run. Where they never are, as after a market was replaced, what there was is unknown.
 */
async function portfolioDifferences(
  db: Queryable,
  spec: PortfolioSpec,
  data: PortfolioData,
  run: PastRun,
): Promise<DataDifferences> {
  const past = await revisedSince(db, spec, data, run.at);
  const isKnown = isRestored(spec, data, past, run.digest);
  const each = [...past].map(([symbol, one]) => ({ symbol, ...one.differences(isKnown) }));
  return {
    bars: merged(each.map(({ symbol, bars }) => ({ symbol, differences: bars }))),
    events: merged(each.map(({ symbol, events }) => ({ symbol, differences: events }))),
  };
}

async function revisedSince(
  db: Queryable,
  spec: PortfolioSpec,
  { members, single }: PortfolioData,
  since: Date,
): Promise<Map<string, PastData>> {
  const { asOf, benchmark, instruments } = spec;
  const bySymbol = new Map([...members, ...(single ? [single] : [])].map((member) => [member.symbol, member]));
  const past = new Map<string, PastData>();
  for (const { instrumentId, symbol } of benchmark ? [...instruments, benchmark] : instruments) {
    const member = bySymbol.get(symbol);
    const one = member && (await PastData.read(db, { instrumentId, asOf }, member, since));
    if (one) past.set(symbol, one);
  }
  return past;
}

/** Undoes revisions until the digest is that of the run; false where it never is, and everything is undone. */
function isRestored(
  spec: PortfolioSpec,
  data: PortfolioData,
  past: ReadonlyMap<string, PastData>,
  digest: string,
): boolean {
  const digests = new Map<string, string>();
  const digestOf = (member: PortfolioMember): string => {
    const known = digests.get(member.symbol) ?? memberDigest(spec, member);
    digests.set(member.symbol, known);
    return known;
  };
  const revisions = [...past].flatMap(([symbol, one]) => one.revisions.map((revision) => ({ symbol, one, revision })));
  revisions.sort((a, b) => b.revision.id - a.revision.id);
  const touched = new Map<string, PastData>();
  for (const [i, { symbol, one, revision }] of revisions.entries()) {
    one.undo(revision);
    touched.set(symbol, one);
    if (areOfOneLoad(revision, revisions[i + 1]?.revision)) continue;
    for (const [changed, its] of touched) digests.set(changed, memberDigest(spec, its.history));
    touched.clear();
    if (portfolioDataDigest(spec, data, digestOf) === digest) return true;
  }
  return false;
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
