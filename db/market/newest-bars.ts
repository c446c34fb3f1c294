/** The newest bars of instruments. So few are read as rows, because packing them would take longer than reading them. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Rows } from '../tables.ts';

type BarRow = Omit<Rows['daily_bars'], 'basis'>;

/** The newest bars up to `through` of each instrument, `count` at most, without instruments that have none. */
export async function selectNewestBars(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
  { through, count }: { readonly through: Day; readonly count: number },
): Promise<Map<number, BarSeries>> {
  const { rows } = await db.query<BarRow>({
    name: 'select_newest_bars',
    text: `select t.id as instrument_id, r.day, r.open, r.high, r.low, r.close, r.volume
           from unnest($1::int[]) t (id) cross join lateral (
             select day, open, high, low, close, volume from daily_bars
             where instrument_id = t.id and basis = $2 and day <= $3
             order by day desc limit $4) r`,
    values: [instrumentIds, VENUE_BASIS_CODE[venueBasis], formatDay(through), count],
  });
  const series = new Map<number, BarSeries>();
  for (const [id, bars] of Map.groupBy(rows, (row) => row.instrument_id)) series.set(id, seriesOf(bars));
  return series;
}

function seriesOf(rows: readonly BarRow[]): BarSeries {
  const series = allocateSeries(rows.length);
  const oldestFirst = rows.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  for (const [i, row] of oldestFirst.entries()) {
    series.day[i] = requireDay(row.day);
    for (const column of VALUE_COLUMNS) series[column][i] = row[column];
  }
  return series;
}
