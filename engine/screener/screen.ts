/** A screen over a snapshot of the market: which instruments meet all conditions, and in which order. */
import type { Day } from '../dates.ts';
import type { BarSeries } from '../series.ts';
import { CONSOLIDATED_FROM } from '../splice.ts';
import { type Field, findField, SNAPSHOT_BARS } from './fields.ts';
import { findOperator } from './operators.ts';

/** The newest bars of many instruments, one after the other in the same columns. */
export interface MarketSnapshot {
  readonly bars: BarSeries;
  /** Instrument i has the bars `offsets[i]` (included) to `offsets[i + 1]` (excluded). */
  readonly offsets: Int32Array;
  readonly instrumentIds: Int32Array;
}

export interface Condition {
  readonly field: string;
  readonly op: string;
  readonly period: number | null;
  readonly value: number;
  readonly value2: number;
}

export interface SortOrder {
  readonly field: string;
  readonly period: number | null;
  readonly order: 'asc' | 'desc';
}

/** `field` or `field:period`: under which a figure is reported and remembered. */
export function figureKey(field: string, period: number | null): string {
  return period === null ? field : `${field}:${period}`;
}

/** The figures of one field, computed for an instrument when they are first asked for. */
export class FigureColumn {
  private readonly snapshot: MarketSnapshot;
  private readonly field: Field;
  private readonly period: number;
  private readonly values: Float64Array;
  private readonly isKnown: Uint8Array;

  constructor(snapshot: MarketSnapshot, field: Field, period: number) {
    this.snapshot = snapshot;
    this.field = field;
    this.period = period;
    this.values = new Float64Array(snapshot.instrumentIds.length);
    this.isKnown = new Uint8Array(snapshot.instrumentIds.length);
  }

  /** Of instrument i; NaN where it is not defined. */
  at(i: number): number {
    if (this.isKnown[i] === 0) {
      const { bars, offsets } = this.snapshot;
      this.values[i] = this.field.compute({ bars, from: offsets[i], to: offsets[i + 1] }, this.period);
      this.isKnown[i] = 1;
    }
    return this.values[i];
  }
}

/** The columns that screens have asked for lately; the oldest go when there are too many. */
export class FigureColumns {
  readonly snapshot: MarketSnapshot;
  private readonly columns = new Map<string, FigureColumn>();
  private readonly maxColumns: number;

  constructor(snapshot: MarketSnapshot, maxColumns: number) {
    this.snapshot = snapshot;
    this.maxColumns = maxColumns;
  }

  get(code: string, period: number | null): FigureColumn {
    const key = figureKey(code, period);
    let column = this.columns.get(key);
    if (!column) {
      column = new FigureColumn(this.snapshot, findField(code) as Field, period ?? 0);
      if (this.columns.size >= this.maxColumns) this.columns.delete(this.columns.keys().next().value as string);
      this.columns.set(key, column);
    }
    return column;
  }
}

/** Bars that the conditions and the sort need. */
export function lookbackOf(parts: readonly Pick<Condition, 'field' | 'period'>[]): number {
  return Math.max(1, ...parts.map(({ field, period }) => (findField(field) as Field).lookback(period ?? 0)));
}

/** Instruments (indices) whose last bar is not more than `maxAgeDays` calendar days behind `newest`. */
export function freshInstruments(
  { bars, offsets, instrumentIds }: MarketSnapshot,
  newest: Day,
  maxAgeDays: number,
): number[] {
  const fresh: number[] = [];
  for (let i = 0; i < instrumentIds.length; i++) {
    if (offsets[i + 1] > offsets[i] && newest - bars.day[offsets[i + 1] - 1] <= maxAgeDays) fresh.push(i);
  }
  return fresh;
}

/** Those of `candidates` that have `lookback` bars. */
export function eligibleInstruments(
  { offsets }: MarketSnapshot,
  candidates: readonly number[],
  lookback: number,
): number[] {
  return candidates.filter((i) => offsets[i + 1] - offsets[i] >= lookback);
}

/** The same conditions, those that are computed fastest first: what they leave out costs the others nothing. */
export function cheapestFirst(conditions: readonly Condition[]): Condition[] {
  const cost = ({ field, period }: Condition) => {
    const { lookback, readsAll } = findField(field) as Field;
    return readsAll ? SNAPSHOT_BARS : lookback(period ?? 0);
  };
  return [...conditions].sort((a, b) => cost(a) - cost(b));
}

/** Those of `candidates` that meet a condition; an undefined figure meets none. */
export function narrow(columns: FigureColumns, condition: Condition, candidates: readonly number[]): number[] {
  const { field, op, period, value, value2 } = condition;
  const column = columns.get(field, period);
  const { holds } = findOperator(op) as NonNullable<ReturnType<typeof findOperator>>;
  return candidates.filter((i) => {
    const figure = column.at(i);
    return !Number.isNaN(figure) && holds(figure, value, value2);
  });
}

/** In place; undefined figures last, equal ones by instrument id. */
export function sortBy(columns: FigureColumns, { field, period, order }: SortOrder, indices: number[]): number[] {
  const column = columns.get(field, period);
  const { instrumentIds } = columns.snapshot;
  const sign = order === 'asc' ? 1 : -1;
  return indices.sort((a, b) => {
    const [x, y] = [column.at(a), column.at(b)];
    if (Number.isNaN(x) || Number.isNaN(y))
      return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || instrumentIds[a] - instrumentIds[b];
    return sign * (x - y) || instrumentIds[a] - instrumentIds[b];
  });
}

export interface VenueScope {
  /** Bars of both bases are in the windows. */
  readonly isMixed: boolean;
  readonly isConsolidatedOnly: boolean;
}

/** On which bases the last `lookback` bars of the instruments stand. */
export function venueScopeOf(
  { bars, offsets }: MarketSnapshot,
  instruments: readonly number[],
  lookback: number,
): VenueScope {
  let hasPrimary = false;
  let hasConsolidated = false;
  for (const i of instruments) {
    hasPrimary ||= bars.day[Math.max(offsets[i], offsets[i + 1] - lookback)] < CONSOLIDATED_FROM;
    hasConsolidated ||= bars.day[offsets[i + 1] - 1] >= CONSOLIDATED_FROM;
  }
  return { isMixed: hasPrimary && hasConsolidated, isConsolidatedOnly: !hasPrimary };
}
