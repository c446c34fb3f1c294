/** Bars of another provider, compared with the loaded ones within a transaction. */
import type { DailyBar } from '../../engine/market/minute-bars.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Connection } from '../pool.ts';
import { BarCopy } from './bar-copy.ts';

export const DIFFERENCE_KINDS = ['differs', 'only_here', 'only_there'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

type Figures = { readonly [Name in keyof DailyBar]: number | null };

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

/** Columns of a difference `d`, with its instrument as `i`. */
export const DIFFERENCE_COLUMNS = `i.symbol, d.day as date, d.kind, d.open, d.high, d.low, d.close, d.volume,
  d.other_open as "otherOpen", d.other_high as "otherHigh", d.other_low as "otherLow", d.other_close as "otherClose",
  d.other_volume as "otherVolume", d.price_pct as "pricePct", d.volume_pct as "volumePct"`;

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

/** Finds the bars that differ beyond the tolerances or are on one side only, for the rest of the transaction. */
export async function findDifferences(
  connection: Connection,
  { venueBasis, days, tolerancePct, volumeTolerancePct }: Compared,
): Promise<void> {
  await connection.query(
    `create temp table found_differences on commit drop as
     select instrument_id, day,
       case when o.close is null then 'only_here' when h.close is null then 'only_there' else 'differs' end as kind,
       h.open, h.high, h.low, h.close, h.volume, o.open as other_open, o.high as other_high, o.low as other_low,
       o.close as other_close, o.volume as other_volume, ${PRICE_PCT} as price_pct, (${VOLUME_PCT})::float8 as volume_pct
     from (${HERE}) h full join (${THERE}) o using (instrument_id, day)
     where h.close is null or o.close is null or ${PRICE_PCT} > $3 or ${VOLUME_PCT} > $4`,
    [VENUE_BASIS_CODE[venueBasis], days, tolerancePct, volumeTolerancePct],
  );
}

/** Lists the found differences under a comparison, at most `most` of each kind, the largest ones. */
export async function listFoundDifferences(connection: Connection, comparisonId: number, most: number): Promise<void> {
  const columns = `instrument_id, day, kind, open, high, low, close, volume,
    other_open, other_high, other_low, other_close, other_volume, price_pct, volume_pct`;
  await connection.query(
    `insert into comparison_differences (comparison_id, ${columns})
     select $1, ${columns} from (
       select *, row_number() over (partition by kind order by price_pct desc, volume_pct desc, instrument_id) as place
       from found_differences
     ) f where place <= $2`,
    [comparisonId, most],
  );
}

const FETCHED = 10_000;

/** The found differences by symbol and day, some at a time. */
export async function* readDifferences(connection: Connection): AsyncGenerator<BarDifference[]> {
  await connection.query(
    `declare differences no scroll cursor for
     select ${DIFFERENCE_COLUMNS} from found_differences d join instruments i on i.id = instrument_id
     order by i.symbol collate "C", day`,
  );
  for (;;) {
    const { rows } = await connection.query<BarDifference>(`fetch ${FETCHED} from differences`);
    if (rows.length > 0) yield rows;
    if (rows.length < FETCHED) break;
  }
  await connection.query('close differences');
}
