/** The bars of another provider beside the loaded ones, for the length of a transaction. */
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Connection } from '../pool.ts';
import { BarCopy } from './bar-copy.ts';

export const DIFFERENCE_KINDS = ['differs', 'only_here', 'only_there'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

interface Figures {
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
}

/** A bar that is not the same on both sides. The figures of a side without the bar are null. */
export interface BarDifference extends Figures {
  /** As it is served, without its market. */
  readonly symbol: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly kind: DifferenceKind;
  readonly otherOpen: number | null;
  readonly otherHigh: number | null;
  readonly otherLow: number | null;
  readonly otherClose: number | null;
  readonly otherVolume: number | null;
  /** The largest difference of a price, in percent of ours. */
  readonly pricePct: number | null;
  /** In percent of the larger one. */
  readonly volumePct: number | null;
}

/** Begins to write bars of the other provider. A bar that it has twice counts once. */
export async function copyOtherBars(connection: Connection, venueBasis: VenueBasis): Promise<BarCopy> {
  await connection.query('create temp table other_bars (like daily_bars) on commit drop');
  return new BarCopy(connection, 'other_bars', VENUE_BASIS_CODE[venueBasis]);
}

/** The days (YYYY-MM-DD) of the bars that were written. */
export async function selectOtherDays(connection: Connection): Promise<string[]> {
  await connection.query('analyze other_bars');
  const { rows } = await connection.query<{ day: string }>('select distinct day from other_bars order by day');
  return rows.map(({ day }) => day);
}

export interface Compared {
  readonly venueBasis: VenueBasis;
  /** YYYY-MM-DD each. */
  readonly days: readonly string[];
  readonly tolerancePct: number;
  readonly volumeTolerancePct: number;
}

const HERE = 'select * from daily_bars where basis = $1 and day = any($2::date[])';
const THERE = `select distinct on (instrument_id, day) * from other_bars where day = any($2::date[]) order by instrument_id, day`;
const share = (column: string) => `abs(o.${column} / h.${column} - 1)`;
const PRICE_PCT = `100 * greatest(${['open', 'high', 'low', 'close'].map(share).join(', ')})`;
const VOLUME_PCT = `100.0 * abs(o.volume - h.volume) / greatest(o.volume, h.volume, 1)`;

/** Bars that both sides have. */
export async function countBothSides(connection: Connection, { venueBasis, days }: Compared): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::float8 as count from (${HERE}) h join (${THERE}) o using (instrument_id, day)`,
    [VENUE_BASIS_CODE[venueBasis], days],
  );
  return rows[0].count;
}

const FETCHED = 10_000;

/** The bars that differ beyond the tolerances or are on one side only, by symbol and day, some at a time. */
export async function* selectDifferences(connection: Connection, compared: Compared): AsyncGenerator<BarDifference[]> {
  const { venueBasis, days, tolerancePct, volumeTolerancePct } = compared;
  await connection.query(
    `declare differences no scroll cursor for
     select i.symbol, day::text as date,
       case when o.close is null then 'only_here' when h.close is null then 'only_there' else 'differs' end as kind,
       h.open, h.high, h.low, h.close, h.volume, o.open as "otherOpen", o.high as "otherHigh", o.low as "otherLow",
       o.close as "otherClose", o.volume as "otherVolume", ${PRICE_PCT} as "pricePct", (${VOLUME_PCT})::float8 as "volumePct"
     from (${HERE}) h full join (${THERE}) o using (instrument_id, day) join instruments i on i.id = instrument_id
     where h.close is null or o.close is null or ${PRICE_PCT} > $3 or ${VOLUME_PCT} > $4
     order by i.symbol collate "C", day`,
    [VENUE_BASIS_CODE[venueBasis], days, tolerancePct, volumeTolerancePct],
  );
  for (;;) {
    const { rows } = await connection.query<BarDifference>(`fetch ${FETCHED} from differences`);
    if (rows.length > 0) yield rows;
    if (rows.length < FETCHED) break;
  }
  await connection.query('close differences');
}
