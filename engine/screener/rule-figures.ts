/** Rules at the last bar of each instrument of a snapshot. */

import { IndicatorSet } from '../indicators/indicator-set.ts';
import { emaStep, rsiFrom } from '../indicators/indicators.ts';
import { allocateSeries, type BarSeries, PRICE_COLUMNS, sliceSeries } from '../market/series.ts';
import { HistoryColumns } from '../rules/columns.ts';
import { barsNeeded, barsNeededBy } from '../rules/lookback.ts';
import type { Condition as RuleCondition, Value } from '../rules/program.ts';
import { roundValue, type Window } from './figures.ts';
import { AVERAGES, type Averaged, meanIndex, PERIOD_RANGE, SNAPSHOT_BARS } from './running-means.ts';
import { type SessionView, windowOf } from './snapshot.ts';

/** Exponential means continue the carried ones; their periods are at most those that a snapshot keeps. */
class WindowIndicators extends IndicatorSet {
  private readonly window: Window;
  private readonly priceFactor: number;

  /** `priceFactor`: of the prices of `series` against those of the window. */
  constructor(window: Window, series: BarSeries, priceFactor = 1) {
    super(series);
    this.window = window;
    this.priceFactor = priceFactor;
  }

  override ema(period: number): Float64Array {
    return this.window.carried === null ? super.ema(period) : this.average('close', period);
  }

  override atr(period: number): Float64Array {
    return this.window.carried === null ? super.atr(period) : this.average('range', period);
  }

  override rsi(period: number): Float64Array {
    if (this.window.carried === null) return super.rsi(period);
    const [gain, loss] = [this.average('gain', period), this.average('loss', period)];
    return gain.map((mean, t) => rsiFrom(mean, loss[t]));
  }

  /** The mean of each bar of the window; undefined at its first bar, whose own values may need the bar before. */
  private average(averaged: Averaged, period: number): Float64Array {
    const { barsBefore, carried, instrument } = this.window;
    const { valueAt, weightOf, barsBefore: needed } = AVERAGES[averaged];
    const { series } = this;
    const out = new Float64Array(series.length).fill(Number.NaN);
    const weight = weightOf(period);
    const seeded = needed + period - barsBefore;
    const before = period === 1 || carried === null ? 0 : carried[averaged][meanIndex(instrument, period)];
    let mean = before * this.priceFactor;
    for (let t = 1; t < series.length; t++) {
      const value = valueAt(series, t);
      mean = t < seeded ? mean + value / period : emaStep(mean, value, weight);
      if (t >= seeded - 1) out[t] = mean;
    }
    return out;
  }
}

/** The indicators of instrument i at the session of a view, prices on the share count of that session. */
export function indicatorsAt(view: SessionView, i: number): WindowIndicators {
  const window = windowOf(view, i);
  const series = sliceSeries(window.bars, window.from, window.to);
  const split = view.splits?.[i] ?? 1;
  return split === 1
    ? new WindowIndicators(window, series)
    : new WindowIndicators(window, rescaled(series, split), 1 / split);
}

/** The bars on a share count that is `split` times as large. */
function rescaled(series: BarSeries, split: number): BarSeries {
  const scaled = allocateSeries(series.length);
  scaled.day.set(series.day);
  for (const name of PRICE_COLUMNS) scaled[name].set(series[name].map((price) => price / split));
  scaled.volume.set(series.volume.map((volume) => volume * split));
  return scaled;
}

/** The longest look-back of a rule that a snapshot covers, also at the session before, whose window is one bar shorter. */
export const RULE_BARS = SNAPSHOT_BARS - 1;

/** Bars that a value needs, the last included. */
export function valueBars(value: Value): number {
  return barsNeeded(value, PERIOD_RANGE);
}

/** Bars that a condition needs, the last included. */
export function conditionBars(condition: RuleCondition): number {
  return barsNeededBy(condition, PERIOD_RANGE);
}

/** A test whether a condition certainly holds at the last bar of an instrument. */
export function ruleTestOf(view: SessionView, condition: RuleCondition): (instrument: number) => boolean {
  return (i) => new HistoryColumns(indicatorsAt(view, i)).mask(condition).at(-1) === 1;
}

/** A value at the last bar of each instrument, rounded as it is served. Each is computed when it is first read. */
export class RuleFigureColumn {
  private readonly view: SessionView;
  private readonly value: Value;
  private readonly known = new Map<number, number>();

  constructor(view: SessionView, value: Value) {
    this.view = view;
    this.value = value;
  }

  /** The figure of instrument i; NaN where undefined. */
  at(i: number): number {
    const known = this.known.get(i);
    if (known !== undefined) return known;
    const figure = new HistoryColumns(indicatorsAt(this.view, i)).value(this.value).at(-1) ?? Number.NaN;
    const rounded = roundValue(figure);
    this.known.set(i, rounded);
    return rounded;
  }
}
