/** A figure of the screener at any bar of one instrument's history. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import { basisOf, factorTo, NO_DIMENSION } from '../market/basis.ts';
import { dimensionOfUnit, type Field } from './field.ts';
import { requireField } from './fields.ts';
import { roundFigure } from './figures.ts';

/** Figures that depend on the whole history, and so are read from a column instead of a window. */
const COLUMNS: Readonly<Record<string, (indicators: IndicatorSet, period: number) => (index: number) => number>> = {
  ema: (indicators, period) => {
    const column = indicators.ema(period);
    return (index) => column[index];
  },
  rsi: (indicators, period) => {
    const column = indicators.rsi(period);
    return (index) => column[index];
  },
  atr_pct: (indicators, period) => {
    const range = indicators.atr(period);
    const { close } = indicators.series;
    return (index) => (100 * range[index]) / close[index];
  },
};

export class FigureHistory {
  private readonly known = new Map<number, number>();
  private readonly compute: (index: number) => number;

  /** `period` counts only for fields that have one. */
  constructor(indicators: IndicatorSet, code: string, period: number) {
    this.compute = figureOf(indicators, code, period);
  }

  /** NaN where it is not defined. */
  at(index: number): number {
    let figure = this.known.get(index);
    if (figure === undefined) {
      figure = this.compute(index);
      this.known.set(index, figure);
    }
    return figure;
  }

  /** As the screener compares it. */
  roundedAt(index: number): number {
    return roundFigure(this.at(index));
  }
}

/** A figure by the index of the bar, as it was known there. `period` counts only for fields that have one. */
export function figureOf(indicators: IndicatorSet, code: string, period: number): (index: number) => number {
  const field = requireField(code);
  const { series } = indicators;
  const figureAt = COLUMNS[code]?.(indicators, period) ?? windowed(indicators, field, period);
  const dimension = dimensionOfUnit(field.unit);
  if (dimension === NO_DIMENSION || series.adjustedFor.length === 0) return figureAt;
  return (index) => figureAt(index) * factorTo(basisOf(series, series.day[index]), dimension);
}

function windowed({ series }: IndicatorSet, field: Field, period: number): (index: number) => number {
  const whole = { bars: series, from: 0, barsBefore: 0, carried: null, instrument: 0, blocks: null };
  return (index) => field.compute({ ...whole, to: index + 1 }, period);
}
