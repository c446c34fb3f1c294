/** Paths of a market without skill: days of a market drawn again, with replacement, in blocks. */
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries } from '../../../engine/market/series.ts';
import { meanBlockLength, type UniformDraws } from '../../../engine/statistics/draws.ts';
import { drawResample } from '../../support/resample.ts';

/** `drift`: as it was; `none`: the mean of the population, never that of a path, is taken off. */
export const TRUTHS = ['none', 'drift'] as const;
export type Truth = (typeof TRUTHS)[number];

/** Bars before the range, which indicators read. */
export const WARM_UP = 260;
const FIRST_DAY = requireDay('2000-01-03');
const DAYS = Int32Array.from(sessionsBetween(FIRST_DAY, requireDay('2014-12-31')));

/** Prices of each day ÷ the close before. */
type Ratios = Readonly<Record<'open' | 'high' | 'low' | 'close', Float64Array>>;

export class Population {
  private readonly names: Readonly<Record<Truth, readonly Ratios[]>>;
  /**
   * As long as returns depend on one another. Longer blocks would keep how the sample market comes back to its next year's end, which
   * pays who buys its falls: that is skill, of which these paths must have none.
   */
  private readonly blockLength: number;

  /** `series`: of the same days. */
  constructor(series: readonly BarSeries[]) {
    if (new Set(series.map(({ length }) => length)).size > 1) throw new RangeError('the series have different days');
    const drift = series.map(ratiosOf);
    this.names = { drift, none: drift.map(withoutMean) };
    this.blockLength = drift.reduce((sum, { close }) => sum + meanBlockLength(close), 0) / series.length;
  }

  /** Series of the same days of all names, or of one; `bars` of them after the warm-up. */
  draw(truth: Truth, bars: number, draws: UniformDraws, names: readonly number[]): BarSeries[] {
    const ratios = this.names[truth];
    const [{ close }] = ratios;
    const indices = new Int32Array(WARM_UP + bars);
    // Blocks are of the population: a resample of it is drawn in pieces of its length.
    const piece = new Int32Array(close.length);
    for (let at = 0; at < indices.length; at += piece.length) {
      drawResample(draws, this.blockLength, piece);
      indices.set(piece.subarray(0, indices.length - at), at);
    }
    return names.map((name) => seriesOf(ratios[name], indices));
  }
}

function ratiosOf({ open, high, low, close }: BarSeries): Ratios {
  const over = (prices: Float64Array) => prices.slice(1).map((price, t) => price / close[t]);
  return { open: over(open), high: over(high), low: over(low), close: over(close) };
}

function withoutMean(ratios: Ratios): Ratios {
  const mean = ratios.close.reduce((sum, ratio) => sum + ratio, 0) / ratios.close.length;
  const scaled = (column: Float64Array) => column.map((ratio) => ratio / mean);
  return {
    open: scaled(ratios.open),
    high: scaled(ratios.high),
    low: scaled(ratios.low),
    close: scaled(ratios.close),
  };
}

function seriesOf({ open, high, low, close }: Ratios, indices: Int32Array): BarSeries {
  const series = allocateSeries(indices.length);
  series.day.set(DAYS.subarray(0, indices.length));
  series.volume.fill(1);
  let before = 100;
  for (const [t, index] of indices.entries()) {
    series.open[t] = before * open[index];
    series.high[t] = before * high[index];
    series.low[t] = before * low[index];
    before *= close[index];
    series.close[t] = before;
  }
  return series;
}
