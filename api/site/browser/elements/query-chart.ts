/** A line chart of two columns of a result; the table beside it has every figure. */
import { html, nothing, svg } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, SiteElement } from '../dom.ts';
import { anyNumber, t } from '../text.ts';
import type { QueryResult } from '../types.ts';

const WIDTH = 800;
const HEIGHT = 240;

@customElement('query-chart')
export class QueryChart extends SiteElement {
  @property({ attribute: false }) result!: QueryResult;
  /** Indices of the columns; null: the first date, and the last column with figures. */
  @state() xColumn: number | null = null;
  @state() yColumn: number | null = null;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('result')) return;
    this.xColumn = null;
    this.yColumn = null;
  }

  override render() {
    const { columns, rows } = this.result;
    const figures = columns.flatMap(({ type }, i) => (type === 'number' || type === 'integer' ? [i] : []));
    const yColumn =
      this.yColumn ?? figures.findLast((i) => rows.filter((row) => row[i] !== null).length > 1) ?? figures.at(-1);
    const dates = columns.findIndex(({ type }) => type === 'date');
    const xColumn = this.xColumn ?? (dates === -1 ? 0 : dates);
    if (yColumn === undefined || columns.length < 2 || rows.length < 2) return nothing;
    return html`<h3>${t('sql.chart')}</h3>
      <div class="fields">
        ${this.picker(
          t('sql.x_axis'),
          xColumn,
          columns.map((_, i) => i),
          (index) => {
            this.xColumn = index;
          },
        )}
        ${this.picker(t('sql.y_axis'), yColumn, figures, (index) => {
          this.yColumn = index;
        })}
      </div>
      ${this.chart(xColumn, yColumn)}`;
  }

  private picker(label: string, chosen: number, indices: readonly number[], choose: (index: number) => void) {
    const { columns } = this.result;
    return html`<label class="field"><span>${label}</span>
      <select @change=${(event: Event) => choose(Number(fieldValue(event)))}>
        ${indices.map((i) => html`<option value=${i} ?selected=${i === chosen}>${columns[i].name}</option>`)}
      </select></label>`;
  }

  private chart(xColumn: number, yColumn: number) {
    const { columns } = this.result;
    const points = pointsOf(this.result, xColumn, yColumn);
    if (points.length < 2) return html`<p class="muted">${t('sql.chart.none')}</p>`;
    const ys = points.map(({ y }) => y);
    const [low, high] = [Math.min(...ys), Math.max(...ys)];
    const ends = [points[0].label, points[points.length - 1].label];
    const label = t('sql.chart.label', { y: columns[yColumn].name, x: columns[xColumn].name });
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
function pointsOf({ columns, rows }: QueryResult, xColumn: number, yColumn: number): Point[] {
  const { type } = columns[xColumn];
  const isMeasured = type === 'date' || type === 'number' || type === 'integer';
  const measured = (cell: QueryResult['rows'][number][number], i: number) => {
    if (!isMeasured) return i;
    return type === 'date' ? Date.parse(String(cell)) : Number(cell);
  };
  const known = rows
    .map((row, i) => ({
      at: measured(row[xColumn], i),
      y: Number(row[yColumn]),
      label: String(row[xColumn]),
      isKnown: row[yColumn] !== null && row[xColumn] !== null,
    }))
    .filter(({ at, y, isKnown }) => isKnown && Number.isFinite(at) && Number.isFinite(y))
    .sort((a, b) => a.at - b.at);
  if (known.length < 2) return [];
  const [first, last] = [known[0].at, known[known.length - 1].at];
  return known.map(({ at, y, label }) => ({ x: last === first ? 0 : (at - first) / (last - first), y, label }));
}
