/**
 * Whether the published claims that everybody sees are due: they are computed again after a month, and when the engine or a column that
 * they read is another.
 */
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import type { Pool } from '../../db/pool.ts';
import { selectClaimsState } from '../../db/research/newest-claims.ts';
import { monthEndAtOrBefore, newestDistributableDay } from '../../engine/market/calendar.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { UsedColumn } from '../contracts/backtest.ts';
import { readableClaimColumns } from './claim-columns.ts';

interface DueClaims {
  /** The last session of the month. */
  readonly end: Day;
  readonly columns: UsedColumn[];
  readonly state: string;
}

/** Null: they are there, or no whole month is loaded. */
export async function dueClaims(pool: Pool, now: number): Promise<DueClaims | null> {
  const newest = await selectNewestSession(pool, 'consolidated', newestDistributableDay(now));
  if (newest === null) return null;
  const end = monthEndAtOrBefore(newest);
  if ((await selectNewestSession(pool, 'consolidated', end)) === null) return null;
  const columns = await readableClaimColumns(pool, null);
  const versions = columns.map(({ name, base, version }) => `${name} ${base}-${version}`);
  const state = [formatDay(end), ENGINE_VERSION, ...versions].join(', ');
  return state === (await selectClaimsState(pool)) ? null : { end, columns, state };
}
