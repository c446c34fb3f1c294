/** The choice of an instrument's candles: their period, their adjustment, and how far back they reach. */
import { html } from 'lit';
import { choice } from './controls.ts';
import { rangeText, t } from './text.ts';

export const PERIODS = ['day', 'week', 'month'] as const;
export const ADJUSTMENTS = ['qfq', 'total', 'none'] as const;
/** Months that a range shows; null: all. */
export const RANGES = { max: null, '5y': 60, '3y': 36, '1y': 12, '6m': 6, '3m': 3 } as const;
type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = ['max', '5y', '3y', '1y', '6m', '3m'] as const satisfies readonly RangeName[];

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
    values: RANGE_NAMES.toReversed().map((name) => [name, rangeText(name.toUpperCase())] as const),
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
