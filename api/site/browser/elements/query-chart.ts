/** Two columns of a result as a picture: the table beside it has every figure. */
import { html, nothing, svg } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { chosenIn } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { anyNumber, t } from '../text.ts';
import type { QueryResult } from '../types.ts';

const WIDTH = 800;
const HEIGHT = 240;

@customElement('query-chart')
export class QueryChart extends SiteElement {
  @property({ attribute: false }) result!: QueryResult;
  /** Indices of the columns; null: the first date, and the last column with figures. */
  @state() across: number | null = null;
  @state() up: number | null = null;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('result')) return;
    this.across = null;
    this.up = null;
  }

  override render() {
    const { columns, rows } = this.result;
    const figures = columns.flatMap(({ type }, i) => (type === 'number' || type === 'integer' ? [i] : []));
    const up = this.up ?? figures.findLast((i) => rows.filter((row) => row[i] !== null).length > 1) ?? figures.at(-1);
    const dates = columns.findIndex(({ type }) => type === 'date');
    const across = this.across ?? (dates === -1 ? 0 : dates);
    if (up === undefined || columns.length < 2 || rows.length < 2) return nothing;
    return html`<h3>${t('sql.chart')}</h3>
      <div class="fields">
        ${this.picker(
          t('sql.across'),
          across,
          columns.map((_, i) => i),
          (index) => {
            this.across = index;
          },
        )}
        ${this.picker(t('sql.up'), up, figures, (index) => {
          this.up = index;
        })}
      </div>
      ${this.chart(across, up)}`;
  }

  private picker(label: string, chosen: number, indices: readonly number[], choose: (index: number) => void) {
    const { columns } = this.result;
    return html`<label class="field"><span>${label}</span>
      <select @change=${(event: Event) => choose(Number(chosenIn(event)))}>
        ${indices.map((i) => html`<option value=${i} ?selected=${i === chosen}>${columns[i].name}</option>`)}
      </select></label>`;
  }

  private chart(across: number, up: number) {
    const { columns } = this.result;
    const points = pointsOf(this.result, across, up);
    if (points.length < 2) return html`<p class="muted">${t('sql.chart.none')}</p>`;
    const ys = points.map(({ y }) => y);
    const [low, high] = [Math.min(...ys), Math.max(...ys)];
    const ends = [points[0].label, points[points.length - 1].label];
    const label = t('sql.chart.label', { up: columns[up].name, across: columns[across].name });
    const placed = points.map(({ x, y }) => `${(x * WIDTH).toFixed(1)},${place(y, low, high)}`).join(' ');
    return html`<figure class="query-chart">
      <p class="muted small">${anyNumber(high)}</p>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
        ${svg`<polyline points=${placed} vector-effect="non-scaling-stroke"></polyline>`}
      </svg>
      <p class="muted small">${anyNumber(low)}</p>
      <figcaption class="row spread muted small"><span>${ends[0]}</span><span>${ends[1]}</span></figcaption>
    </figure>`;
  }
}

const place = (y: number, low: number, high: number) =>
  (high === low ? HEIGHT / 2 : HEIGHT * (1 - (y - low) / (high - low))).toFixed(1);

interface Point {
  /** 0 to 1. */
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** From left to right: by value where the column has numbers or dates, else in the order of the rows. */
function pointsOf({ columns, rows }: QueryResult, across: number, up: number): Point[] {
  const { type } = columns[across];
  const isMeasured = type === 'date' || type === 'number' || type === 'integer';
  const measured = (cell: QueryResult['rows'][number][number], i: number) => {
    if (!isMeasured) return i;
    return type === 'date' ? Date.parse(String(cell)) : Number(cell);
  };
  const known = rows
    .map((row, i) => ({
      at: measured(row[across], i),
      y: Number(row[up]),
      label: String(row[across]),
      is: row[up] !== null && row[across] !== null,
    }))
    .filter(({ at, y, is }) => is && Number.isFinite(at) && Number.isFinite(y))
    .sort((a, b) => a.at - b.at);
  if (known.length < 2) return [];
  const [first, last] = [known[0].at, known[known.length - 1].at];
  return known.map(({ at, y, label }) => ({ x: last === first ? 0 : (at - first) / (last - first), y, label }));
}
