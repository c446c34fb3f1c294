/** A screen at every bar of one instrument's history, as it was known there. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import type { BarSeries } from '../market/series.ts';
import { HistoryColumns } from '../rules/columns.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import type { Condition as RuleCondition, Value } from '../rules/program.ts';
import { requireComparison } from './comparisons.ts';
import { figureOf } from './figure-history.ts';
import { roundFigure, roundValue } from './figures.ts';
import { type Condition, lookbackOf } from './screen.ts';

/** All of them must hold. */
export interface ScreenConditions {
  readonly conditions: readonly Condition[];
  readonly where: readonly RuleCondition[];
  /** The instruments that the rules name. */
  readonly others?: OtherInstruments;
}

/** Whether a condition holds at a bar. */
type Test = (index: number) => boolean;

export class ScreenedHistory {
  private readonly columns: HistoryColumns;
  private readonly tests: readonly Test[];
  private readonly lookback: number;

  constructor(series: BarSeries, { conditions, where, others }: ScreenConditions) {
    const columns = new HistoryColumns(new IndicatorSet(series), { others });
    this.columns = columns;
    this.lookback = lookbackOf(conditions);
    this.tests = [
      ...conditions.map((condition) => testOf(columns.indicators, condition)),
      ...where.map((condition) => maskTest(columns.mask(condition))),
    ];
  }

  /** Whether the bars through `index` are enough for the conditions. */
  isEligible(index: number): boolean {
    return index + 1 >= this.lookback;
  }

  /** How many conditions hold, from the first on up to one that does not. */
  met(index: number): number {
    const failed = this.tests.findIndex((holds) => !holds(index));
    return failed === -1 ? this.tests.length : failed;
  }

  passes(index: number): boolean {
    return this.isEligible(index) && this.met(index) === this.tests.length;
  }

  /** The conditions that do not hold, by their place. */
  failed(index: number): number[] {
    return this.tests.flatMap((holds, place) => (holds(index) ? [] : [place]));
  }

  /** A value at the last bar, rounded as it is served; NaN where undefined. */
  last(value: Value): number {
    return roundValue(this.columns.known(value).at(-1) ?? Number.NaN);
  }

  /** The newest value of a field without a period. */
  lastOf(field: string): number {
    const { indicators } = this.columns;
    return roundFigure(figureOf(indicators, field, 0)(indicators.series.length - 1));
  }
}

function testOf(indicators: IndicatorSet, { field, op, period, value, value2 }: Condition): Test {
  const figureAt = figureOf(indicators, field, period ?? 0);
  const { holds } = requireComparison(op);
  return (index) => {
    const figure = roundFigure(figureAt(index));
    return !Number.isNaN(figure) && holds(figure, value, value2);
  };
}

const maskTest =
  (mask: Uint8Array): Test =>
  (index) =>
    mask[index] === 1;
