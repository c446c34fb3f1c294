/** The newest bars of every instrument. */
import { type BarSeries, EMPTY_SERIES } from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import { packed, unpack, unpackIntegers } from './bars.ts';

/** Bars of many instruments, one after the other by ascending id, those of each oldest first. */
export interface BarsOfMany {
  /** The instrument of each bar. */
  readonly ids: Int32Array;
  readonly bars: BarSeries;
}

const ORDER = 'r.instrument_id, r.day';

/** The newest `count` bars of each instrument, or all that it has. */
export async function selectNewestBars(db: Queryable, venueBasis: VenueBasis, count: number): Promise<BarsOfMany> {
  const { rows } = await db.query<{ ids: Buffer | null; data: Buffer | null }>({
    name: 'select_newest_bars',
    text: `select string_agg(int4send(r.instrument_id), '' order by ${ORDER}) as ids, ${packed(ORDER)} as data
           from instruments i cross join lateral (
             select * from daily_bars where instrument_id = i.id and basis = $1 order by day desc limit $2) r`,
    values: [VENUE_BASIS_CODE[venueBasis], count],
  });
  const [{ ids, data }] = rows;
  if (!ids || !data) return { ids: new Int32Array(0), bars: EMPTY_SERIES };
  return { ids: unpackIntegers(ids), bars: unpack([data]) };
}
