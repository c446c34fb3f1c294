/** The choice of an instrument's candles: their period, their adjustment, and how far back they reach. */
import { html } from 'lit';
import { choice } from './controls.ts';
import { rangeText, t } from './text.ts';

export const PERIODS = ['day', 'week', 'month'] as const;
export const ADJUSTMENTS = ['qfq', 'total', 'none'] as const;
/** Months that a range shows; null: all. */
export const RANGES = { max: null, '5y': 60, '3y': 36, '1y': 12, '6m': 6, '3m': 3 } as const;
type RangeName = keyof typeof RANGES;
const RANGE_NAMES = ['3m', '6m', '1y', '3y', '5y', 'max'] as const satisfies readonly RangeName[];
/** The range to begin with: candles are wide enough to tell apart. */
const FIRST_RANGES = { day: '6m', week: '3y', month: 'max' } as const;

/** The ranges of a period, the one to begin with first. */
export const rangesOf = (period: (typeof PERIODS)[number]): readonly RangeName[] => [
  FIRST_RANGES[period],
  ...RANGE_NAMES,
];

export interface ShownSeries {
  readonly period: (typeof PERIODS)[number];
  readonly adjust: (typeof ADJUSTMENTS)[number];
  readonly range: RangeName;
}

export function seriesControls(
  { period, adjust, range }: ShownSeries,
  onChoose: (name: keyof ShownSeries, value: string) => void,
) {
  return html`${choice({
    label: t('symbol.range'),
    name: 'range',
    values: RANGE_NAMES.map((name) => [name, rangeText(name.toUpperCase())] as const),
    chosen: range,
    onChoose: (value) => onChoose('range', value),
  })}
  ${choice({
    label: t('symbol.period'),
    name: 'period',
    values: PERIODS.map((name) => [name, t(`symbol.period.${name}`)] as const),
    chosen: period,
    onChoose: (value) => onChoose('period', value),
  })}
  ${choice({
    label: t('symbol.prices'),
    name: 'adjust',
    values: ADJUSTMENTS.map((name) => [name, t(`symbol.prices.${name}`)] as const),
    chosen: adjust,
    onChoose: (value) => onChoose('adjust', value),
  })}`;
}
