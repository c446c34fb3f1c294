/** The choice of an instrument's candles: their period, their adjustment, and how far back they reach. */
import { html } from 'lit';
import { choice } from './controls.ts';
import { ADJUSTMENTS, PERIODS, RANGE_NAMES, type ShownSeries } from './series-choices.ts';
import { rangeText, t } from './text.ts';

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
