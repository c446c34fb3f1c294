/** Histograms of figures, and a map of the figures of two parameters. */

import type { TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { scrollTable } from '../controls.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { objectiveFigure, objectiveOf, objectiveText } from '../optimize/search.ts';
import { Plot } from '../plot.ts';
import { fixed, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { SearchResult } from '../types.ts';
import { type Column, numberColumn } from './data-table.ts';

interface Histogram {
  readonly from: number;
  readonly to: number;
  readonly counts: readonly number[];
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Units of the SVG, which is stretched to the width of its container. */
const BAR_WIDTH = 10;
const HEIGHT = 100;

interface Words {
  readonly label: string;
  /** Below the bars, from left to right. */
  readonly captions: readonly string[];
  readonly columns: readonly Column<Bin>[];
}

/** Bins centered below zero have another color. */
function histogram(className: string, { from, to, counts }: Histogram, { label, captions, columns }: Words) {
  const step = (to - from) / counts.length;
  const bins = counts.map((count, i) => ({ count, from: from + i * step, to: from + (i + 1) * step }));
  const box = { width: counts.length * BAR_WIDTH, height: HEIGHT };
  const plot = new Plot(box, { x: [0, counts.length], y: [0, 1, ...counts] });
  const nameOf = (_count: number, i: number) => (bins[i].from + bins[i].to < 0 ? 'below' : 'above');
  return html`<figure class=${className} role="figure" aria-label=${label}>
      <svg viewBox="0 0 ${box.width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${plot.bars(counts, { nameOf })}</svg>
      <figcaption class="row spread small muted">${captions.map((caption) => html`<span>${caption}</span>`)}</figcaption>
    </figure>
    <details>
      <summary>${t('chart.table')}</summary>
      <data-table class="short" .columns=${columns} .rows=${bins} caption=${label}></data-table>
    </details>`;
}

@customElement('histogram-bars')
export class HistogramBars extends SiteElement {
  @property({ attribute: false }) histogram!: Histogram;
  @property() label!: string;

  override render() {
    const { from, to } = this.histogram;
    const captions = [number(from), '0', number(to)];
    return histogram('histogram', this.histogram, { label: this.label, captions, columns: HISTOGRAM_COLUMNS });
  }
}

const HISTOGRAM_COLUMNS: readonly Column<Bin>[] = [
  {
    key: 'from',
    title: t('sweeps.bin'),
    value: ({ from }) => from,
    cell: ({ from, to }) => `${number(from)} … ${number(to)}`,
  },
  numberColumn('count', t('sweeps.cells'), ({ count }) => count),
];

/** How the best combinations of one half of the range ranked in the other half. */
@customElement('step-bars')
export class StepBars extends SiteElement {
  @property({ attribute: false }) histogram!: Histogram;

  override render() {
    const { counts } = this.histogram;
    const sum = (some: readonly number[]) => some.reduce((total, count) => total + count, 0);
    const label = t('optimize.pbo.chart', { below: sum(counts.slice(0, counts.length / 2)), all: sum(counts) });
    const captions = [t('optimize.pbo.worse'), t('optimize.pbo.better')];
    return histogram('step-bars', this.histogram, { label, captions, columns: LOGIT_COLUMNS });
  }
}

const LOGIT_COLUMNS: readonly Column<Bin>[] = [
  { key: 'from', title: t('optimize.logit'), cell: ({ from, to }) => `${fixed(from, 2)} … ${fixed(to, 2)}` },
  numberColumn('count', t('optimize.splits'), ({ count }) => count),
];

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
