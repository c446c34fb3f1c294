/** Histories of daily bars, and which instruments have bars when. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM, VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';
import { selectPacked, throughYear, unpack } from './bar-blocks.ts';

interface PackedRow extends Pick<Rows['bar_blocks'], 'instrument_id'> {
  readonly data: Buffer;
}

/** Reads unadjusted histories on a venue basis, without instruments that have no bar. */
function seriesReader<Years extends readonly number[]>(name: string, sinceYear: string, sinceDay: string) {
  const text = selectPacked(sinceYear, sinceDay);
  return async (
    db: Queryable,
    instrumentIds: readonly number[],
    venueBasis: VenueBasis,
    ...years: Years
  ): Promise<Map<number, BarSeries>> => {
    const values = [instrumentIds, VENUE_BASIS_CODE[venueBasis], ...years];
    return seriesOf((await db.query<PackedRow>({ name, text, values })).rows);
  };
}

/** Whole histories. */
export const selectSeries = seriesReader<[]>('select_series', '', '');

/** From the beginning of a year. */
export const selectSeriesSince = seriesReader<[year: number]>(
  'select_series_since',
  ' and b.year >= $3',
  ' and r.day >= make_date($3, 1, 1)',
);

/** Up to the end of a year. */
export const selectSeriesUntil = seriesReader<[year: number]>(
  'select_series_until',
  ' and b.year <= $3',
  throughYear('$3'),
);

/** The years from one to another. */
export const selectSeriesBetween = seriesReader<[first: number, last: number]>(
  'select_series_between',
  ' and b.year between $3 and $4',
  ` and r.day >= make_date($3, 1, 1)${throughYear('$4')}`,
);

/**
 * The day that anchors the split basis of each instrument: that of its newest consolidated bar up to `through`, or without one, of
 * its newest bar on any venue basis. Instruments without a bar up to then are left out.
 */
export async function selectSplitAnchors(
  db: Queryable,
  instrumentIds: readonly number[],
  through: Day,
): Promise<Map<number, Day>> {
  const { rows } = await db.query<{ id: number; day: string | null }>({
    name: 'select_split_anchors',
    text: `select id, coalesce(
             (select max(day) from daily_bars where instrument_id = id and basis = $2 and day <= $3),
             (select max(day) from daily_bars where instrument_id = id and day <= $3)) as day
           from unnest($1::int[]) t (id)`,
    values: [instrumentIds, VENUE_BASIS_CODE.consolidated, formatDay(through)],
  });
  return new Map(rows.flatMap(({ id, day }) => (day === null ? [] : [[id, requireDay(day)]])));
}

export type SessionBar = Pick<Rows['daily_bars'], 'instrument_id' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

/** Every bar of a session on a venue basis, as traded. */
export async function selectSessionBars(db: Queryable, venueBasis: VenueBasis, day: Day): Promise<SessionBar[]> {
  const { rows } = await db.query<SessionBar>({
    name: 'select_session_bars',
    text: 'select instrument_id, open, high, low, close, volume from daily_bars where basis = $1 and day = $2',
    values: [VENUE_BASIS_CODE[venueBasis], formatDay(day)],
  });
  return rows;
}

/** Which of the instruments have bars on a venue basis. */
export async function selectInstrumentsWithBars(
  db: Queryable,
  instrumentIds: readonly number[],
  venueBasis: VenueBasis,
): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>({
    name: 'select_instruments_with_bars',
    text: `select id from unnest($1::int[]) t (id)
           where exists (select from daily_bars where instrument_id = id and basis = $2)`,
    values: [instrumentIds, VENUE_BASIS_CODE[venueBasis]],
  });
  return new Set(rows.map(({ id }) => id));
}

/** The first day on which any of the instruments has a bar in the spliced history; null: none has one. */
export async function selectFirstBarDay(db: Queryable, instrumentIds: readonly number[]): Promise<Day | null> {
  const { rows } = await db.query<{ day: string | null }>({
    name: 'select_first_bar_day',
    text: `select min(least(
             (select min(day) from daily_bars where instrument_id = id and basis = $2 and day < $4),
             (select min(day) from daily_bars where instrument_id = id and basis = $3 and day >= $4))) as day
           from unnest($1::int[]) t (id)`,
    values: [
      instrumentIds,
      VENUE_BASIS_CODE.primary_session,
      VENUE_BASIS_CODE.consolidated,
      formatDay(CONSOLIDATED_FROM),
    ],
  });
  const [{ day }] = rows;
  return day === null ? null : requireDay(day);
}

/** Which of the instruments have a bar between two days (null: open) in the spliced history that backtests read. */
export async function selectInstrumentsTraded(
  db: Queryable,
  instrumentIds: readonly number[],
  start: Day | null,
  end: Day | null,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'select_instruments_traded',
    text: `with bases as (select * from (values ($4::int, '-infinity'::date, $6::date - 1), ($5, $6, 'infinity')) b (basis, first, last))
           select i.id from unnest($1::int[]) i (id)
           where exists (select from bases s cross join lateral (
             select from daily_bars b where b.instrument_id = i.id and b.basis = s.basis
               and b.day between greatest(s.first, coalesce($2::date, '-infinity')) and least(s.last, coalesce($3::date, 'infinity'))
             limit 1) bar)`,
    values: [
      instrumentIds,
      start === null ? null : formatDay(start),
      end === null ? null : formatDay(end),
      VENUE_BASIS_CODE.primary_session,
      VENUE_BASIS_CODE.consolidated,
      formatDay(CONSOLIDATED_FROM),
    ],
  });
  return rows.map(({ id }) => id);
}

function seriesOf(rows: readonly PackedRow[]): Map<number, BarSeries> {
  const series = new Map<number, BarSeries>();
  for (let from = 0; from < rows.length; ) {
    const id = rows[from].instrument_id;
    let to = from + 1;
    while (to < rows.length && rows[to].instrument_id === id) to++;
    const unpacked = unpack(rows.slice(from, to).map((row) => row.data));
    if (unpacked.length > 0) series.set(id, unpacked);
    from = to;
  }
  return series;
}
