/** Reads the histories of a portfolio's instruments, digests them, and prepares them for the simulation. */
import { createHash } from 'node:crypto';
import { selectGroups } from '../../db/market/instruments.ts';
import type { Queryable } from '../../db/pool.ts';
import type { MarketColumns } from '../../engine/backtest/rates.ts';
import {
  type PortfolioMember,
  type PreparationSettings,
  type PreparedPortfolio,
  preparePortfolio,
} from '../../engine/portfolio/backtest.ts';
import type { ListedSpec } from '../contracts/portfolio.ts';
import {
  type OtherHistories,
  type ReadHistories,
  readHistories,
  readMembers,
  readOthers,
  referencedInstruments,
} from '../runs/history.ts';
import type { Failed } from '../runs/kind.ts';
import { readingColumns } from '../runs/own-columns.ts';
import { readRateColumns } from '../runs/rates.ts';
import { type BarDays, barDaysOf, type DataRead, dataDigest, dataRead } from '../runs/receipt.ts';

/** Symbols that a failure lists. */
const NAMED_SYMBOLS = 5;

/** Everything that is read for a portfolio. */
export interface PortfolioData {
  /** Including those without a bar in the range. */
  readonly members: readonly PortfolioMember[];
  /** The benchmark; null: equal weights. */
  readonly single: PortfolioMember | null;
  /** Other instruments that the rules name; undefined: none. */
  readonly others: OtherHistories | undefined;
  /** Columns that its rates name; undefined: none. */
  readonly columns?: MarketColumns | undefined;
}

export interface ReadPortfolio extends PortfolioData {
  readonly prepared: PreparedPortfolio;
}

export async function readData(
  db: Queryable,
  spec: ListedSpec,
  readBars: ReadHistories = readHistories,
): Promise<PortfolioData> {
  const { asOf, benchmark, columns } = spec;
  const read = readingColumns(readBars, columns);
  const found = await readMembers(db, spec.instruments, asOf, read);
  const members = spec.rules === undefined ? found : await withGroups(db, spec, found);
  const [single = null] = benchmark ? await readMembers(db, [benchmark], asOf, read) : [];
  const others = await readOthers(db, spec.others, asOf, read);
  return { members, single, others, columns: await readRateColumns(db, spec) };
}

/** With the groups in which rules may compare them, as they are today. */
async function withGroups(
  db: Queryable,
  { instruments }: ListedSpec,
  members: readonly PortfolioMember[],
): Promise<PortfolioMember[]> {
  const groups = await selectGroups(
    db,
    instruments.map(({ instrumentId }) => instrumentId),
  );
  const idOf = new Map(instruments.map(({ symbol, instrumentId }) => [symbol, instrumentId]));
  return members.map((member) => ({ ...member, groups: groups.get(idOf.get(member.symbol) ?? 0) }));
}

/** Null when no instrument has a bar in the range. */
export function prepareData(
  spec: ListedSpec & Pick<PreparationSettings, 'allocation' | 'sessionAhead'>,
  data: PortfolioData,
): ReadPortfolio | null {
  const { members, single, others, columns } = data;
  const prepared = preparePortfolio(spec, members, single, referencedInstruments(others, spec.adjust), columns);
  return prepared && { ...data, prepared };
}

/** The failure of a run none of whose instruments has a bar in the range. */
export function noBarsInPortfolio({ instruments }: ListedSpec): Failed {
  const symbols = instruments.slice(0, NAMED_SYMBOLS).map(({ symbol }) => symbol);
  if (instruments.length > NAMED_SYMBOLS) symbols.push('…');
  return { failure: { code: 'no_bars_in_range', details: { symbol: symbols.join(', ') } } };
}

/**
 * Digest of the data of all instruments: of a text with a line `symbol digest` for each of them, by symbol, and one for the
 * benchmark. `digestOf`: the digest of one instrument, if it is known.
 */
export function portfolioDataDigest(
  spec: ListedSpec,
  { members, single, others }: PortfolioData,
  digestOf = (member: PortfolioMember) => memberDigest(spec, member),
): string {
  const hash = createHash('sha256');
  for (const member of single ? [...members, single] : members) hash.update(`${member.symbol} ${digestOf(member)}\n`);
  for (const [ticker, other] of others ?? []) hash.update(`${ticker} ${dataDigest(dataRead(spec, other))}\n`);
  return hash.digest('hex');
}

/** The data that a portfolio has read, in all and of each history: days of the first and the last bar; null: no bars. */
export interface PortfolioDataRead extends DataRead {
  readonly each: readonly (BarDays | null)[];
}

export function portfolioDataRead(spec: ListedSpec, data: PortfolioData): PortfolioDataRead {
  const { members, single } = data;
  const each = (single ? [...members, single] : members).map((member) => barDaysOf(dataRead(spec, member).series));
  const known = each.filter((days) => days !== null);
  const first = Math.min(...known.map(([day]) => day));
  const last = Math.max(...known.map(([, day]) => day));
  return { sha256: portfolioDataDigest(spec, data), days: [first, last], each };
}

export function memberDigest(spec: ListedSpec, { series, events }: Pick<PortfolioMember, 'series' | 'events'>): string {
  return dataDigest(dataRead(spec, { series, events }));
}
