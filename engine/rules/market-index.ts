/** Indices of a universe. Members count whether they meet the rules of the universe or not, on their last bars too. */
import { basisOf, factorTo, MONEY, PRICE } from '../market/basis.ts';
import { type OwnColumn, valuesOn } from '../market/own-columns.ts';
import { allocateSeries, type BarSeries, PRICE_COLUMNS } from '../market/series.ts';
import { lowerBound } from '../util/values.ts';
import { isIndex, weightsOfIndex } from './index-ticker.ts';
import { partsOf } from './nodes.ts';
import type { OtherInstrument } from './other-instruments.ts';
import type { Condition, Value } from './program.ts';

/** The level at the first session. */
const START = 100;

/** The indices that programs name. */
export function indicesIn(programs: readonly (Value | Condition)[]): Set<string> {
  const found = new Set<string>();
  const add = (node: Value | Condition): void => {
    if (!node.readsUniverse) return;
    const { program } = node;
    if ('ticker' in program && isIndex(program.ticker)) found.add(program.ticker);
    for (const part of partsOf(node)) add(part);
  };
  for (const program of programs) add(program);
  return found;
}

/** An index under construction: add the bars of each member, adjusted to the last of them, in one order. */
export class MarketIndex {
  private readonly sessions: Int32Array;
  private readonly column: string | null;
  /** Sums over the members by session: of weighted returns, and of weights. */
  private readonly sums: Float64Array;
  private readonly weights: Float64Array;
  private first: number;

  /** `sessions`: every session of the clock. */
  constructor(ticker: string, sessions: Int32Array) {
    this.sessions = sessions;
    this.column = weightsOfIndex(ticker);
    this.sums = new Float64Array(sessions.length);
    this.weights = new Float64Array(sessions.length);
    this.first = sessions.length;
  }

  add(series: BarSeries): void {
    const { sessions, sums, weights } = this;
    const { day, close, length } = series;
    if (length === 0) return;
    const rows = day.map((one) => lowerBound(sessions, one));
    this.first = Math.min(this.first, rows[0]);
    const weightOf = this.column === null ? null : weightsOf(series, series.own?.get(this.column), rows, sessions);
    for (let t = 1; t < length; t++) {
      const row = rows[t];
      const weight = weightOf === null ? 1 : weightOf[t];
      if (sessions[row] !== day[t] || !(weight > 0)) continue;
      sums[row] += weight * (close[t] / close[t - 1] - 1);
      weights[row] += weight;
    }
  }

  /** One level for all prices of a session, and no volume: it is undefined. */
  end(): OtherInstrument {
    const { sessions, sums, weights, first } = this;
    const series = allocateSeries(sessions.length - first);
    series.day.set(sessions.subarray(first));
    let level = START;
    for (let t = 0; t < series.length; t++) {
      if (weights[first + t] > 0) level *= 1 + sums[first + t] / weights[first + t];
      series.close[t] = level;
    }
    for (const name of PRICE_COLUMNS) series[name].set(series.close);
    series.volume.fill(Number.NaN);
    return { series, events: [] };
  }
}

/**
 * The weight of each bar: its column at the session before, as it was known then; shares × the close before. NaN where there is none.
 * `rows`: the session of each bar.
 */
function weightsOf(
  series: BarSeries,
  column: OwnColumn | undefined,
  rows: Int32Array,
  sessions: Int32Array,
): Float64Array {
  const weights = new Float64Array(series.length).fill(Number.NaN);
  if (column === undefined) return weights;
  const before = rows.map((row) => sessions[Math.max(0, row - 1)]);
  const values = valuesOn(column, { day: before, adjustedFor: series.adjustedFor });
  const { dimension } = column;
  for (let t = 1; t < series.length; t++) {
    const basis = basisOf(series, before[t]);
    if (dimension === 'shares') weights[t] = values[t] * series.close[t - 1] * factorTo(basis, MONEY);
    else weights[t] = dimension === 'price' ? values[t] * factorTo(basis, PRICE) : values[t];
  }
  return weights;
}
