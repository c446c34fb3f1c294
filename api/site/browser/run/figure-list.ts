/** Figures of a result as lists: the few that count, and the others below them. */
import { html, nothing } from 'lit';
import { day, signedPercent, t } from '../text.ts';
import { deepestDrawdowns, type EquityPoint } from './figures.ts';

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Class of the color that says whether it is good: `gain`, `loss`. */
  readonly tone?: string;
  /** Said in small letters behind it: a unit, or an interval. */
  readonly unit?: string;
}

export function figureList(figures: readonly Figure[]) {
  return html`<dl class="figures">
    ${figures.map(
      ({ name, value, tone = '', unit }) =>
        html`<div><dt>${name}</dt><dd class=${tone}>${value}${unit ? html`<small>${unit}</small>` : nothing}</dd></div>`,
    )}
  </dl>`;
}

export function quietFigureList(figures: readonly (readonly [name: string, value: string])[]) {
  return html`<dl class="quiet-figures">
    ${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** The number of falls that are listed, and shaded in the chart. */
export const LISTED_DRAWDOWNS = 5;

export function drawdownList(equity: readonly EquityPoint[]) {
  const deepest = deepestDrawdowns(equity, LISTED_DRAWDOWNS);
  if (deepest.length === 0) return nothing;
  return html`<h3>${t('run.deepest')}</h3>
    <ol class="drawdowns">
      ${deepest.map(({ depth, peak, trough, recovered, bars }) => {
        const span = recovered
          ? t('run.recovered', { peak: day(peak), trough: day(trough), recovered: day(recovered), bars })
          : t('run.not_recovered', { peak: day(peak), trough: day(trough) });
        return html`<li><b class="loss">${signedPercent(depth, 1)}</b> ${span}</li>`;
      })}
    </ol>`;
}
