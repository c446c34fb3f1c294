/** Instruments with their histories, read together. */
import type { Queryable } from '../../db/pool.ts';
import type { PortfolioMember } from '../../engine/portfolio/backtest.ts';
import type { SpecInstrument } from '../contracts/backtest.ts';
import { type ReadHistories, readHistories } from './history.ts';

/** Instruments whose histories are read by one statement. */
const READ_AT_ONCE = 50;

export async function readMembers(
  db: Queryable,
  instruments: readonly SpecInstrument[],
  asOf: number,
  read: ReadHistories = readHistories,
): Promise<PortfolioMember[]> {
  const members: PortfolioMember[] = [];
  for (let at = 0; at < instruments.length; at += READ_AT_ONCE) {
    const some = instruments.slice(at, at + READ_AT_ONCE);
    const histories = await read(
      db,
      some.map(({ instrumentId }) => instrumentId),
      asOf,
    );
    for (const [i, { symbol, listedOn, delistedOn }] of some.entries()) {
      members.push({ symbol, asOf, ...histories[i], lifetime: { listedOn, delistedOn } });
    }
  }
  return members;
}
