/** Counts of the loads that changed the bars of each year. */
import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

/** Counts a change of bars in the years from `first` to `last`, in the transaction of the load. */
export async function countChangedYears(
  connection: Connection,
  venueBasis: VenueBasis,
  first: number,
  last: number,
): Promise<void> {
  await connection.query(
    `insert into bar_years as b (basis, year, version)
     select $1, year, 1 from generate_series($2::int, $3::int) year
     on conflict (basis, year) do update set version = b.version + 1`,
    [VENUE_BASIS_CODE[venueBasis], first, last],
  );
}

/** The loaded bars of a year on a venue basis. */
export interface BarYear {
  readonly venueBasis: VenueBasis;
  readonly year: number;
  /** Raised by every load that changes bars of the year. */
  readonly version: number;
  /** YYYY-MM-DD: the newest loaded session of the year. */
  readonly newest: string;
  /** Digest of the symbols of the instruments with packed bars in the year. */
  readonly members: string;
}

/** Years with bars up to `through` (YYYY-MM-DD), by venue basis and year. */
export async function selectBarYears(db: Queryable, through: string): Promise<BarYear[]> {
  const { rows } = await db.query<
    Pick<Rows['bar_years'], 'basis' | 'year' | 'version'> & Pick<BarYear, 'newest' | 'members'>
  >(
    `with years as (
       select basis, extract(year from day)::int as year, max(day) as newest from loaded_sessions
       where rows > 0 and day <= $1 group by 1, 2),
     members as (
       select b.basis, b.year, md5(string_agg(i.id || ' ' || i.symbol, ',' order by i.id)) as digest
       from bar_blocks b join instruments i on i.id = b.instrument_id group by 1, 2)
     select y.basis, y.year, y.newest, coalesce(v.version, 0) as version, coalesce(m.digest, '') as members
     from years y left join bar_years v using (basis, year) left join members m using (basis, year)
     order by 1, 2`,
    [through],
  );
  return rows.map(({ basis, ...year }) => ({ venueBasis: venueBasisOfCode(basis), ...year }));
}
