/** The origin of a bar: the row of each venue basis, the load that wrote or confirmed it, and its revisions. */
import { type Day, formatDay, parseDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { SourceFile } from '../queue/sync-units.ts';
import type { RevisedBar } from './revisions.ts';

export interface BarOrigin {
  readonly venueBasis: VenueBasis;
  /** As traded. */
  readonly bar: RevisedBar;
  /** The newest load that covered the bar; null: it was loaded by a version that did not record that. */
  readonly load: {
    readonly syncJobId: number;
    readonly at: Date;
    /** Empty: the provider has no files. */
    readonly sources: readonly SourceFile[];
  } | null;
}

interface Row extends RevisedBar {
  readonly basis: number;
  readonly syncJobId: number | null;
  readonly at: Date | null;
  readonly sources: readonly SourceFile[] | null;
}

/** The rows of an instrument and a day, one for each venue basis that has one. */
export async function selectBarOrigins(db: Queryable, instrumentId: number, day: Day): Promise<BarOrigin[]> {
  const { rows } = await db.query<Row>(
    `select d.basis, d.open, d.high, d.low, d.close, d.volume, u.sync_job_id as "syncJobId", u.finished_at as at, u.sources
     from daily_bars d left join lateral (
       select sync_job_id, finished_at, sources from sync_units u
       where u.basis = d.basis and u.first_day <= d.day and u.last_day >= d.day and not d.day = any(u.left_out)
         and (u.instrument_ids is null or d.instrument_id = any(u.instrument_ids))
       order by finished_at desc, sync_job_id desc limit 1) u on true
     where d.instrument_id = $1 and d.day = $2 order by d.basis`,
    [instrumentId, formatDay(day)],
  );
  return rows.map(({ basis, syncJobId, at, sources, ...bar }) => ({
    venueBasis: venueBasisOfCode(basis),
    bar,
    load: syncJobId === null || at === null ? null : { syncJobId, at, sources: sources ?? [] },
  }));
}

/** The newest day up to `through` with a bar on a venue basis; null: there is none. */
export async function selectNewestBarDay(
  db: Queryable,
  instrumentId: number,
  venueBasis: VenueBasis,
  through: Day,
): Promise<Day | null> {
  const { rows } = await db.query<{ day: string | null }>(
    'select max(day) as day from daily_bars where instrument_id = $1 and basis = $2 and day <= $3',
    [instrumentId, VENUE_BASIS_CODE[venueBasis], formatDay(through)],
  );
  return rows[0].day === null ? null : parseDay(rows[0].day);
}
