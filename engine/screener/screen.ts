/** A screen over a market snapshot: finds the instruments that meet all conditions, and sorts them. */

import { factorTo } from '../market/basis.ts';
import { CONSOLIDATED_FROM } from '../market/venue-basis.ts';
import { requireComparison } from './comparisons.ts';
import { dimensionOfUnit, type Field } from './field.ts';
import { requireField } from './fields.ts';
import { roundFigure } from './figures.ts';
import { type SessionView, windowOf } from './snapshot.ts';

/** Symbols whose last bar is more than this many calendar days before a session are left out of it. */
export const MAX_AGE_DAYS = 7;

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

/** The instruments that a screen may find. */
export interface ScreenMembers {
  readonly assetTypes: readonly string[];
  /** Null: all of the asset types. */
  readonly ids: readonly number[] | null;
}

/** A test whether a screen may find an instrument. */
export function memberTest({ assetTypes, ids }: ScreenMembers): (item: { id: number; assetType: string }) => boolean {
  const listed = ids && new Set(ids);
  return ({ id, assetType }) => listed?.has(id) ?? assetTypes.includes(assetType);
}

/** `field` or `field:period`: the key of a figure in answers and caches. */
export function figureKey(field: string, period: number | null): string {
  return period === null ? field : `${field}:${period}`;
}

/** Figures of one field, rounded as they are served. Each is computed when it is first read. */
export class FigureColumn {
  private readonly view: SessionView;
  private readonly field: Field;
  private readonly period: number;
  private readonly values: Float64Array;
  private readonly isKnown: Uint8Array;

  constructor(view: SessionView, field: Field, period: number) {
    this.view = view;
    this.field = field;
    this.period = period;
    this.values = new Float64Array(view.ends.length);
    this.isKnown = new Uint8Array(view.ends.length);
  }

  /** The figure of instrument i; NaN where undefined. */
  at(i: number): number {
    if (this.isKnown[i] === 0) {
      this.values[i] = roundFigure(this.compute(i));
      this.isKnown[i] = 1;
    }
    return this.values[i];
  }

  private compute(i: number): number {
    const { view, field } = this;
    const figure = field.compute(windowOf(view, i), this.period);
    const split = view.splits?.[i] ?? 1;
    return split === 1 ? figure : figure * factorTo({ price: split, shares: split }, dimensionOfUnit(field.unit));
  }
}

/** Columns that recent screens used; the oldest are dropped when there are too many. */
export class FigureColumns {
  readonly view: SessionView;
  private readonly columns = new Map<string, FigureColumn>();
  private readonly maxColumns: number;

  constructor(view: SessionView, maxColumns: number) {
    this.view = view;
    this.maxColumns = maxColumns;
  }

  get(code: string, period: number | null): FigureColumn {
    const key = figureKey(code, period);
    let column = this.columns.get(key);
    if (!column) {
      column = new FigureColumn(this.view, requireField(code), period ?? 0);
      const [oldest] = this.columns.keys();
      if (this.columns.size >= this.maxColumns && oldest !== undefined) this.columns.delete(oldest);
      this.columns.set(key, column);
    }
    return column;
  }
}

/** Number of bars that the conditions need. */
export function lookbackOf(conditions: readonly Pick<Condition, 'field' | 'period'>[]): number {
  return Math.max(1, ...conditions.map(({ field, period }) => requireField(field).lookback(period ?? 0)));
}

/** Indices of the instruments whose last bar is recent at the session. */
export function freshInstruments({ snapshot, ends, session }: SessionView): number[] {
  const { bars, offsets } = snapshot;
  const fresh: number[] = [];
  for (let i = 0; i < ends.length; i++) {
    if (ends[i] > offsets[i] && session - bars.day[ends[i] - 1] <= MAX_AGE_DAYS) fresh.push(i);
  }
  return fresh;
}

/** The candidates that have at least `lookback` bars. */
export function eligibleInstruments(
  { snapshot: { offsets }, ends }: SessionView,
  candidates: readonly number[],
  lookback: number,
): number[] {
  return candidates.filter((i) => ends[i] - offsets[i] >= lookback);
}

/** A test whether an instrument meets a condition. Undefined figures meet no condition. */
export function testOf(columns: FigureColumns, condition: Condition): (instrument: number) => boolean {
  const { field, op, period, value, value2 } = condition;
  const column = columns.get(field, period);
  const { holds } = requireComparison(op);
  return (i) => {
    const figure = column.at(i);
    return !Number.isNaN(figure) && holds(figure, value, value2);
  };
}

/** Sorts `indices` in place: undefined figures last, equal ones by `ranks`. */
export function sortBy(
  columns: FigureColumns,
  { field, period, order }: SortOrder,
  ranks: Int32Array,
  indices: number[],
): number[] {
  return sortByFigure(columns.get(field, period), order, ranks, indices);
}

/** Sorts by any figures. */
export function sortByFigure(
  column: { at(instrument: number): number },
  order: SortOrder['order'],
  ranks: Int32Array,
  indices: number[],
): number[] {
  const sign = order === 'asc' ? 1 : -1;
  return indices.sort((a, b) => {
    const [x, y] = [column.at(a), column.at(b)];
    const isUndefined = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return isUndefined || (Number.isNaN(x) ? 0 : sign * (x - y)) || ranks[a] - ranks[b];
  });
}

export interface VenueScope {
  /** Whether the windows hold bars of both venue bases. */
  readonly isMixed: boolean;
  readonly isConsolidatedOnly: boolean;
}

/** The venue bases of the last `lookback` bars of the instruments. */
export function venueScopeOf(
  { snapshot: { bars, offsets }, ends }: SessionView,
  instruments: readonly number[],
  lookback: number,
): VenueScope {
  let hasPrimary = false;
  let hasConsolidated = false;
  for (const i of instruments) {
    hasPrimary ||= bars.day[Math.max(offsets[i], ends[i] - lookback)] < CONSOLIDATED_FROM;
    hasConsolidated ||= bars.day[ends[i] - 1] >= CONSOLIDATED_FROM;
  }
  return { isMixed: hasPrimary && hasConsolidated, isConsolidatedOnly: !hasPrimary };
}
