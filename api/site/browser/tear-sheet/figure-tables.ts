/** Tables of a tear sheet: figures below each other, and rows of them. */
import { html } from 'lit';
import type { SiteText } from '../../texts/catalogue.ts';
import { placeId } from '../run/figures.ts';
import { fixed, number, percent } from '../text.ts';
import { t } from '../tool-text.ts';

type FigureName = Extract<SiteText, `sheet.${string}`> extends `sheet.${infer Name}` ? Name : never;
type Figure = readonly [name: FigureName, value: number | null];

/** A figure in percent where its name says so, a count, or a ratio. */
function written([name, value]: Figure): string {
  if (/_pct(_|$)/.test(name)) return percent(value);
  return name === 'longest_loss_streak' ? number(value) : fixed(value);
}

/** `section`: that of the figures in the sheet; the verdict leads to each by its place. */
export function figureTable(section: string, figures: readonly Figure[]) {
  return html`<table class="sheet-figures"><tbody>
    ${figures.map((figure) => html`<tr id=${placeId(`${section}.${figure[0]}`)}><th scope="row">${t(`sheet.${figure[0]}`)}</th><td class="number">${written(figure)}</td></tr>`)}
  </tbody></table>`;
}

export interface PlacedFigure {
  readonly place: string;
  readonly name: string;
  readonly value: string;
}

export function placedTable(figures: readonly PlacedFigure[]) {
  return html`<table class="sheet-figures"><tbody>
    ${figures.map(({ place, name, value }) => html`<tr id=${placeId(place)}><th scope="row">${name}</th><td class="number">${value}</td></tr>`)}
  </tbody></table>`;
}

export function rowTable(label: string, head: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td class="number">${cell}</td>`));
  return html`<div class="table-scroll" role="region" aria-label=${label} tabindex="0"><table class="sheet-rows">
    <thead><tr>${head.map((name, i) => html`<th scope="col" class=${i === 0 ? '' : 'number'}>${name}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
  </table></div>`;
}
