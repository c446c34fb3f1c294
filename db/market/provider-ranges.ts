/** The sessions that the provider had published at the last check. */

import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import { type Pool, type Queryable, transaction } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';
import { bumpDataVersion } from './data-versions.ts';

export interface ProviderRange {
  readonly venueBasis: VenueBasis;
  readonly firstSession: Day;
  readonly newestSession: Day;
}

/** Records the published range of each venue basis, and notifies other processes when a range has changed. */
export async function saveProviderRanges(
  pool: Pool,
  provider: string,
  ranges: readonly ProviderRange[],
  checkedAt: Date,
): Promise<void> {
  await transaction(pool, async (connection) => {
    const { rows } = await connection.query(
      `with old as (select * from provider_ranges),
       written as (
         insert into provider_ranges as p (basis, provider, first_session, newest_session, checked_at)
         select basis, $1, first, newest, $2 from unnest($3::int[], $4::date[], $5::date[]) t (basis, first, newest)
         on conflict (basis) do update set provider = excluded.provider, first_session = excluded.first_session,
           newest_session = excluded.newest_session, checked_at = excluded.checked_at
         returning p.basis, p.first_session, p.newest_session)
       select 1 from written w left join old o using (basis)
       where (o.first_session, o.newest_session) is distinct from (w.first_session, w.newest_session) limit 1`,
      [
        provider,
        checkedAt,
        ranges.map((r) => VENUE_BASIS_CODE[r.venueBasis]),
        ranges.map((r) => formatDay(r.firstSession)),
        ranges.map((r) => formatDay(r.newestSession)),
      ],
    );
    if (rows.length > 0) await bumpDataVersion(connection, 'provider');
  });
}

export async function selectProviderRanges(db: Queryable): Promise<ProviderRange[]> {
  const { rows } = await db.query<Rows['provider_ranges']>('select * from provider_ranges');
  return rows.map((row) => ({
    venueBasis: venueBasisOfCode(row.basis),
    firstSession: requireDay(row.first_session),
    newestSession: requireDay(row.newest_session),
  }));
}
