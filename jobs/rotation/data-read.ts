/** The data that a run on a universe has read. */
import { createHash } from 'node:crypto';
import type { BacktestSpec } from '../contracts/backtest.ts';
import type { History } from '../runs/history.ts';
import { type DataRead, dataDigest, dataRead } from '../runs/receipt.ts';
import type { Universe } from './universe.ts';

interface ReadData {
  readonly universe: Universe;
  /** Other instruments that rules name, by ticker. */
  readonly others: ReadonlyMap<string, History> | undefined;
}

/**
 * Its digest is that of a text with a line `symbol digest` for each member, by ticker, then the line of the benchmark, then lines
 * of the other instruments.
 */
export function universeDataRead(
  spec: Pick<BacktestSpec, 'end' | 'adjust'>,
  { universe: { members, clock }, others }: ReadData,
  benchmark: string | null = null,
): DataRead {
  const hash = createHash('sha256');
  for (const { instrument, digest } of members) hash.update(`${instrument.symbol} ${digest}\n`);
  if (benchmark !== null) hash.update(benchmark);
  for (const [ticker, other] of others ?? []) hash.update(`${ticker} ${dataDigest(dataRead(spec, other))}\n`);
  const first = members.reduce((day, { days }) => Math.min(day, days[0]), clock[0]);
  return { sha256: hash.digest('hex'), days: [first, clock[clock.length - 1]] };
}
