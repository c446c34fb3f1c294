/** Two parameters of a search against each other: a table whose cells are colored by the objective. */
import { html, nothing, type TemplateResult } from 'lit';
import { scrollTable } from '../controls.ts';
import { objectiveFigure, objectiveOf, objectiveText } from '../optimize/search.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { SearchResult } from '../types.ts';

type HeatMap = NonNullable<SearchResult['heatmap']>;
type Value = HeatMap['x']['values'][number];

const SHADES = 6;

export interface HeatMapView {
  readonly map: HeatMap;
  readonly objective: string;
  readonly labels: ReadonlyMap<string, string>;
  /** The link that runs the combination of a cell; null: a cell has several. */
  readonly href: ((x: Value, y: Value) => string) | null;
}

const valueText = (value: Value) => textOr(`param.${value}`, String(value));

/** Class of a figure between the lowest and the highest. */
function shade(value: number, lowest: number, highest: number): string {
  if (highest === lowest) return 'shade-1';
  return `shade-${Math.max(1, Math.ceil((SHADES * (value - lowest)) / (highest - lowest)))}`;
}

export function heatMap({ map: { x, y, cells }, objective, labels, href }: HeatMapView): TemplateResult {
  const code = objectiveOf(objective);
  const figures = cells.flat().filter((value) => value !== null);
  const [lowest, highest] = [Math.min(...figures), Math.max(...figures)];
  const label = t('optimize.heat', {
    objective: objectiveText(code),
    x: labels.get(x.param) ?? x.param,
    y: labels.get(y.param) ?? y.param,
  });
  const cell = (value: number | null, i: number, j: number) => {
    if (value === null) return html`<td class="number muted">–</td>`;
    const figure = objectiveFigure(code, value);
    const classes = `number ${shade(value, lowest, highest)}${value === highest ? ' best' : ''}`;
    const content = href === null ? figure : html`<a href=${href(x.values[j], y.values[i])}>${figure}</a>`;
    return html`<td class=${classes}>${content}${value === highest ? html`<span class="visually-hidden"> ${t('optimize.heat.best')}</span>` : nothing}</td>`;
  };
  return html`<p class="legend">${label}</p>
    ${scrollTable(
      label,
      'heat',
      html`<thead>
          <tr><td></td><th scope="colgroup" colspan=${x.values.length}>${labels.get(x.param)} →</th></tr>
          <tr><th scope="col">${labels.get(y.param)} ↓</th>${x.values.map((value) => html`<th scope="col" class="number">${valueText(value)}</th>`)}</tr>
        </thead>
        <tbody>
          ${cells.map((row, i) => html`<tr><th scope="row">${valueText(y.values[i])}</th>${row.map((value, j) => cell(value, i, j))}</tr>`)}
        </tbody>`,
    )}
    <p class="muted small">${t('optimize.heat.legend')}</p>`;
}
