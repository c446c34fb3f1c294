/** Figures of a result as lists: the few that count, and the others below them. */
import { html, nothing } from 'lit';

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
