/** Reports, tear sheets, and kept runs of portfolios of a list of instruments, whatever trades them. */
import type { z } from 'zod';
import type { Queryable } from '../../db/pool.ts';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { tradedOf } from '../../engine/backtest/doubts.ts';
import { requireDay } from '../../engine/market/dates.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { isMixedSource, type PortfolioMember, type PreparedPortfolio } from '../../engine/portfolio/backtest.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { partOfPortfolio } from '../../engine/tear-sheet/inputs.ts';
import { required } from '../../engine/util/values.ts';
import { type Differences, MAX_DIFFERENCES } from '../contracts/evidence.ts';
import type { ListedSpec } from '../contracts/portfolio.ts';
import type { HistorySource } from '../runs/history.ts';
import type { KeptData, OpenRun, ReadContext, RunOutcome, RunReport, SheetSource } from '../runs/kind.ts';
import type { DetailsByCode } from '../runs/notes.ts';
import { columnsOf, readIds } from '../runs/own-columns.ts';
import {
  type DataDifferences,
  PastData,
  type PastRun,
  restore,
  type Scope,
  scopeOf,
  withinScope,
} from '../runs/past-data.ts';
import type { BarDays } from '../runs/receipt.ts';
import { namedAsServed, presentOthers, withPresentId, withPresentIds } from '../runs/recompute.ts';
import { doubtsOfRun, gapsOfPortfolio, survivorsOf, unpaidNotes } from './facts.ts';
import {
  memberDigest,
  type PortfolioData,
  portfolioDataDigest,
  portfolioDataRead,
  type ReadPortfolio,
  readData,
} from './prepare.ts';
import { marketOf, openRun, partsOf, positionSummaryView } from './report.ts';
import { type PortfolioSummary, portfolioSummary } from './summary.ts';

export interface ListedOutcome extends RunOutcome {
  readonly read: ReadPortfolio;
  readonly run: PortfolioRun;
}

/** A report without its metrics and the fields of its form. */
export function reportOfListed(
  spec: ListedSpec,
  data: PortfolioData,
  { read, run }: Pick<ListedOutcome, 'read' | 'run'>,
  ledger: SessionLedger,
): Omit<RunReport, 'metrics' | 'fields'> {
  const { prepared } = read;
  const withBars = new Set(prepared.instruments.map(({ symbol }) => symbol));
  const symbols = spec.instruments.map(({ symbol }) => symbol);
  const dataOfRun = portfolioDataRead(spec, data);
  return {
    days: prepared.clock,
    equity: run.curve ?? run.equity,
    market: marketOf(spec, prepared),
    head: {
      kind: 'portfolio',
      symbols,
      symbols_without_bars: symbols.filter((symbol) => !withBars.has(symbol)),
    },
    positions: positionSummaryView(run),
    gaps: gapsOfPortfolio(spec, prepared, ledger),
    isMixed: isMixedSource(prepared),
    notes: unpaidNotes(spec, read),
    doubts: { ...doubtsOf(spec, read, run), ...survivorsOf(spec, read) },
    parts: partsOf(spec, prepared, run),
    read: dataOfRun,
    instrumentIds: readIds(spec.instruments, spec.others),
    columns: columnsOf(data.members, data.others),
    hidden: { bars_read: dataOfRun.each },
  };
}

function doubtsOf(
  spec: ListedSpec,
  { prepared: { instruments, clock }, members }: ReadPortfolio,
  run: PortfolioRun,
): DetailsByCode {
  const memberOf = new Map(members.map((member) => [member.symbol, member]));
  return doubtsOfRun(spec, clock, run, (i) => {
    const member = memberOf.get(instruments[i].symbol);
    return member && tradedOf(member.symbol, member.series, member.events);
  });
}

/** `run`: with a session ahead. */
export function openListed({ instruments, clock, market }: PreparedPortfolio, run: PortfolioRun): OpenRun {
  const symbolOf = (instrument: number) => instruments[instrument].symbol;
  return openRun(symbolOf, { clock, market }, run);
}

export function sheetOfListed({ execution }: ListedSpec, { run, read: { prepared } }: ListedOutcome): SheetSource {
  const { market, rates } = prepared;
  return { part: partOfPortfolio(prepared, run, market, execution, rates), held: prepared.benchmark };
}

interface KeptPortfolio {
  readonly spec: ListedSpec;
  readonly data: PortfolioData;
  /** By symbol. */
  readonly scopes: ReadonlyMap<string, Scope>;
}

/** Results of earlier versions have only the last day of all instruments together. */
function scopesOf(spec: ListedSpec, { bars_read, end_date }: PortfolioSummary): Map<string, Scope> {
  const { instruments, benchmark } = spec;
  const untilEnd: BarDays = [Number.NEGATIVE_INFINITY, requireDay(end_date)];
  const each = benchmark ? [...instruments, benchmark] : instruments;
  return new Map(each.map(({ symbol }, i) => [symbol, scopeOf(bars_read ? (bars_read[i] ?? null) : untilEnd, spec)]));
}

export async function readKeptListed<Spec extends ListedSpec>(
  { pool }: ReadContext,
  saved: KeptRun,
  schema: z.ZodType<Spec>,
  source?: HistorySource,
): Promise<KeptData<Spec, PortfolioData>> {
  const spec = await presentSpec(pool, schema.parse(saved.spec));
  const scopes = scopesOf(spec, portfolioSummary(saved.summary));
  const { benchmark, instruments } = spec;
  const named = [...instruments, ...(benchmark ? [benchmark] : []), ...namedAsServed(spec.others)];
  const { members, single, ...surroundings } = await readData(pool, spec, await source?.(named, spec.asOf));
  const read = (member: PortfolioMember) => withinScope(member, required(scopes.get(member.symbol)));
  const data = { members: members.map(read), single: single && read(single), ...surroundings };
  return { spec, data, differences: (run) => differencesOf(pool, { spec, data, scopes }, run) };
}

async function presentSpec<Spec extends ListedSpec>(db: Queryable, spec: Spec): Promise<Spec> {
  return {
    ...spec,
    instruments: await withPresentIds(db, spec.instruments),
    others: await presentOthers(db, spec.others),
    benchmark: spec.benchmark && (await withPresentId(db, spec.benchmark)),
  };
}

/**
 * The changes of the data of each instrument. If undoing revisions does not restore the data of the run, for example
 * because the market was replaced, these are the revisions since the run.
 */
async function differencesOf(db: Queryable, kept: KeptPortfolio, run: PastRun): Promise<DataDifferences> {
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
  return mergedDifferences(each);
}

export function mergedDifferences(each: readonly (DataDifferences & { readonly symbol: string })[]): DataDifferences {
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
