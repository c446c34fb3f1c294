/** A screen over a snapshot of the market: which instruments meet all conditions, and in which order. */
import type { Day } from '../dates.ts';
import type { BarSeries } from '../series.ts';
import { CONSOLIDATED_FROM } from '../splice.ts';
import { type Field, findField } from './fields.ts';
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

/**
 * The figures of one field over all instruments of a snapshot, each column computed once. The oldest go when there are
 * too many.
 */
export class FigureColumns {
  readonly snapshot: MarketSnapshot;
  private readonly columns = new Map<string, Float64Array>();
  private readonly maxColumns: number;

  constructor(snapshot: MarketSnapshot, maxColumns: number) {
    this.snapshot = snapshot;
    this.maxColumns = maxColumns;
  }

  has(field: string, period: number | null): boolean {
    return this.columns.has(figureKey(field, period));
  }

  get(code: string, period: number | null): Float64Array {
    const key = figureKey(code, period);
    const known = this.columns.get(key);
    if (known) return known;
    const column = this.compute(findField(code) as Field, period ?? 0);
    if (this.columns.size >= this.maxColumns) this.columns.delete(this.columns.keys().next().value as string);
    this.columns.set(key, column);
    return column;
  }

  private compute(field: Field, period: number): Float64Array {
    const { bars, offsets, instrumentIds } = this.snapshot;
    const out = new Float64Array(instrumentIds.length);
    for (let i = 0; i < out.length; i++) out[i] = field.compute({ bars, from: offsets[i], to: offsets[i + 1] }, period);
    return out;
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

/** Those of `candidates` that meet every condition; an undefined figure meets none. */
export function matchAll(
  columns: FigureColumns,
  conditions: readonly Condition[],
  candidates: readonly number[],
): number[] {
  let left = candidates;
  for (const { field, op, period, value, value2 } of conditions) {
    const column = columns.get(field, period);
    const { holds } = findOperator(op) as NonNullable<ReturnType<typeof findOperator>>;
    left = left.filter((i) => !Number.isNaN(column[i]) && holds(column[i], value, value2));
  }
  return [...left];
}

/** In place; undefined figures last, equal ones by instrument id. */
export function sortBy(columns: FigureColumns, { field, period, order }: SortOrder, indices: number[]): number[] {
  const column = columns.get(field, period);
  const { instrumentIds } = columns.snapshot;
  const sign = order === 'asc' ? 1 : -1;
  return indices.sort((a, b) => {
    const [x, y] = [column[a], column[b]];
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
