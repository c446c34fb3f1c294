/** Venue bases of daily bars, their codes in the database, and the splice of two of them to one history. */
import { civilDate, type Day, dayOf } from './dates.ts';
import { allocateSeries, type BarSeries, copyBars, firstIndexFrom, sliceSeries } from './series.ts';

export const VENUE_BASES = ['consolidated', 'single_venue', 'primary_session'] as const;
export type VenueBasis = (typeof VENUE_BASES)[number];

/** The venue bases whose bars are served, and packed as histories. */
export const SERVED_VENUE_BASES: readonly VenueBasis[] = ['consolidated', 'primary_session'];

export const VENUE_BASIS_CODE = { consolidated: 1, single_venue: 2, primary_session: 3 } as const satisfies Record<
  VenueBasis,
  number
>;

export function venueBasisOfCode(code: number): VenueBasis {
  const venueBasis = VENUE_BASES.find((name) => VENUE_BASIS_CODE[name] === code);
  if (!venueBasis) throw new RangeError(`unknown venue basis code ${code}`);
  return venueBasis;
}

/** The day from which histories have consolidated bars, unless the market has another one. */
const DEFAULT_CONSOLIDATED_FROM: Day = dayOf(2024, 7, 1);

/** The first session with consolidated bars of the market that is served; earlier bars are of the primary venue's session. */
export let CONSOLIDATED_FROM: Day = DEFAULT_CONSOLIDATED_FROM;

/** The year in which primary-session bars end and consolidated ones begin. No later or earlier ones are read. */
export let SPLICE_YEAR = civilDate(CONSOLIDATED_FROM).year;

/** Sets the first session with consolidated bars; null: the default. A thread has one market, which tells it before each job. */
export function setConsolidatedFrom(day: Day | null): void {
  CONSOLIDATED_FROM = day ?? DEFAULT_CONSOLIDATED_FROM;
  SPLICE_YEAR = civilDate(CONSOLIDATED_FROM).year;
}

/** The venue basis of a spliced history on a day. */
export function splicedVenueBasisOn(day: Day): VenueBasis {
  return day < CONSOLIDATED_FROM ? 'primary_session' : 'consolidated';
}

/**
 * Joins `primary` before the first consolidated session and `consolidated` from then on, both up to `end`. `allocate`: makes the memory
 * of the result.
 */
export function spliceSeries(
  primary: BarSeries,
  consolidated: BarSeries,
  end: Day,
  allocate: (length: number) => BarSeries = allocateSeries,
): BarSeries {
  const before = sliceSeries(primary, 0, firstIndexFrom(primary, Math.min(CONSOLIDATED_FROM, end + 1)));
  const start = firstIndexFrom(consolidated, CONSOLIDATED_FROM);
  const after = sliceSeries(consolidated, start, Math.max(start, firstIndexFrom(consolidated, end + 1)));
  const out = allocate(before.length + after.length);
  copyBars(before, out, 0);
  copyBars(after, out, before.length);
  return out;
}
