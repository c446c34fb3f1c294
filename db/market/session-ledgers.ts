/** The published and loaded sessions, from the database. */

import { SessionLedger, type VenueBasisSessions } from '../../engine/market/session-ledger.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import { selectLoadedSessions } from './loaded-sessions.ts';
import { selectProviderRanges } from './provider-ranges.ts';

export interface SessionLedgers {
  /** Sessions of market data. */
  readonly consolidated: SessionLedger;
  /** Sessions of backtests: primary-session bars before the first consolidated session. */
  readonly spliced: SessionLedger;
}

export async function selectSessionLedgers(db: Queryable): Promise<SessionLedgers> {
  const ranges = await selectProviderRanges(db);
  const sessionsOf = async (venueBasis: VenueBasis): Promise<VenueBasisSessions> => {
    const range = ranges.find((published) => published.venueBasis === venueBasis);
    const published = range ? { start: range.firstSession, end: range.newestSession } : null;
    return { published, complete: await selectLoadedSessions(db, venueBasis) };
  };
  const consolidated = await sessionsOf('consolidated');
  const primary = await sessionsOf('primary_session');
  return {
    consolidated: SessionLedger.ofVenueBasis(consolidated),
    spliced: SessionLedger.spliced(primary, consolidated),
  };
}
