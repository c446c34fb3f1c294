/** Digests of the data that a portfolio reads. */
import { createHash } from 'node:crypto';
import type { PortfolioMember } from '../../engine/portfolio/backtest.ts';
import type { PortfolioSpec } from '../contracts/portfolio.ts';
import { type BarDays, barDaysOf, type DataRead, dataDigest, dataRead } from '../runs/receipt.ts';
import type { PortfolioData } from './prepare.ts';

/**
 * Digest of the data of all instruments: of a text with a line `symbol digest` for each of them, by symbol, and one for the
 * benchmark. `digestOf`: the digest of one instrument, if it is known.
 */
export function portfolioDataDigest(
  spec: PortfolioSpec,
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

export function portfolioDataRead(spec: PortfolioSpec, data: PortfolioData): PortfolioDataRead {
  const { members, single } = data;
  const each = (single ? [...members, single] : members).map((member) => barDaysOf(dataRead(spec, member).series));
  const known = each.filter((days) => days !== null);
  const first = Math.min(...known.map(([day]) => day));
  const last = Math.max(...known.map(([, day]) => day));
  return { sha256: portfolioDataDigest(spec, data), days: [first, last], each };
}

export function memberDigest(
  spec: PortfolioSpec,
  { series, events }: Pick<PortfolioMember, 'series' | 'events'>,
): string {
  return dataDigest(dataRead(spec, { series, events }));
}
