/** The sessions that histories should have and that are loaded, as the database knows them. */

import { type BasisSessions, SessionLedger } from '../../engine/market/session-ledger.ts';
import type { Basis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import { selectLoadedSessions } from './loaded-sessions.ts';
import { selectProviderRanges } from './provider-ranges.ts';

export interface SessionLedgers {
  /** Of market data. */
  readonly consolidated: SessionLedger;
  /** Of what backtests run over: primary-session bars before the first consolidated session. */
  readonly spliced: SessionLedger;
}

export async function selectSessionLedgers(db: Queryable): Promise<SessionLedgers> {
  const ranges = await selectProviderRanges(db);
  const sessionsOf = async (basis: Basis): Promise<BasisSessions> => {
    const range = ranges.find((published) => published.basis === basis);
    const published = range ? { start: range.firstSession, end: range.newestSession } : null;
    return { published, complete: await selectLoadedSessions(db, basis) };
  };
  const consolidated = await sessionsOf('consolidated');
  const primary = await sessionsOf('primary_session');
  return {
    consolidated: SessionLedger.ofBasis(consolidated),
    spliced: SessionLedger.spliced(primary, consolidated),
  };
}
