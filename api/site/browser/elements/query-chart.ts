/** A chart of two columns of a result: a line over dates, bars for names, points for figures. The table beside it has every figure. */
import '../tool.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, html, nothing, SiteElement, svg } from '../dom.ts';
import { extent, Plot, Width } from '../plot.ts';
import { anyNumber, compact } from '../text.ts';
import { t } from '../tool-text.ts';
import type { QueryResult } from '../types.ts';

const KINDS = ['line', 'bar', 'scatter'] as const;
type Kind = (typeof KINDS)[number];

const HEIGHT = 280;
const SCALE_PX = 64;
const LABEL_PX = 110;
const TICKS = 4;
/** Bars that are drawn at most: a name below each could not be read otherwise. */
const MOST_BARS = 40;
const BAR_PX = 20;

const isFigure = (type: QueryResult['columns'][number]['type']) => type === 'number' || type === 'integer';

@customElement('query-chart')
export class QueryChart extends SiteElement {
  @property({ attribute: false }) result!: Pick<QueryResult, 'columns' | 'rows'>;
  /** Indices of the columns; null: the first date, and the last column with figures. */
  @state() xColumn: number | null = null;
  @state() yColumn: number | null = null;
  /** Null: as the types of the columns suggest. */
  @state() kind: Kind | null = null;
  private readonly width = new Width(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('result')) return;
    this.xColumn = null;
    this.yColumn = null;
    this.kind = null;
  }

  override render() {
    const { columns, rows } = this.result;
    const figures = columns.flatMap(({ type }, i) => (isFigure(type) ? [i] : []));
    const yColumn =
      this.yColumn ?? figures.findLast((i) => rows.filter((row) => row[i] !== null).length > 1) ?? figures.at(-1);
    const dates = columns.findIndex(({ type }) => type === 'date');
    const xColumn = this.xColumn ?? (dates === -1 ? 0 : dates);
    if (yColumn === undefined || columns.length < 2 || rows.length < 2) return nothing;
    const kind = this.kind ?? kindOf(columns[xColumn].type);
    const all = columns.map((_, i) => i);
    return html`<div class="row chart-choices">
        ${this.picker(
          t('sql.chart'),
          KINDS.indexOf(kind),
          KINDS.map((one) => t(`sql.chart.${one}`)),
          [...KINDS.keys()],
          (index) => {
            this.kind = KINDS[index];
          },
        )}
        ${this.columnPicker(t('sql.x_axis'), xColumn, all, (index) => {
          this.xColumn = index;
          this.kind = null;
        })}
        ${this.columnPicker(t('sql.y_axis'), yColumn, figures, (index) => {
          this.yColumn = index;
        })}
      </div>
      ${this.chart(kind, xColumn, yColumn)}`;
  }

  private columnPicker(label: string, chosen: number, indices: readonly number[], choose: (index: number) => void) {
    const { columns } = this.result;
    return this.picker(
      label,
      chosen,
      columns.map(({ name }) => name),
      indices,
      choose,
    );
  }

  private picker(
    label: string,
    chosen: number,
    names: readonly string[],
    indices: readonly number[],
    choose: (index: number) => void,
  ) {
    return html`<label class="field"><span>${label}</span>
      <select @change=${(event: Event) => choose(Number(fieldValue(event)))}>
        ${indices.map((i) => html`<option value=${i} ?selected=${i === chosen}>${names[i]}</option>`)}
      </select></label>`;
  }

  private chart(kind: Kind, xColumn: number, yColumn: number) {
    const { columns } = this.result;
    const points = pointsOf(this.result, xColumn, yColumn, kind);
    if (points.length < 2) return html`<p class="muted">${t('sql.chart.none')}</p>`;
    const label = t('sql.chart.label', { y: columns[yColumn].name, x: columns[xColumn].name });
    const left = points.length - MOST_BARS;
    return html`<figure class="query-chart">
      ${kind === 'bar' ? this.bars(points.slice(0, MOST_BARS), label) : this.plot(kind, points, label)}
      ${kind === 'bar' && left > 0 ? html`<figcaption class="muted small">${t('sql.chart.first', { shown: MOST_BARS, total: points.length })}</figcaption>` : nothing}
    </figure>`;
  }

  /** One row for each name, in the order of the result. */
  private bars(points: readonly Point[], label: string) {
    const box = { width: this.width.px, height: points.length * BAR_PX, left: LABEL_PX, right: SCALE_PX };
    const [low = 0, high = 0] = extent([0, ...points.map(({ y }) => y)]);
    const { x } = new Plot(box, { x: [low, high === low ? low + 1 : high], y: [] });
    return html`<svg width="100%" height=${box.height} role="img" aria-label=${label}>
      ${points.map(({ label: name, y }, i) => {
        const [from, to] = [Math.min(x(0), x(y)), Math.max(x(0), x(y))];
        return svg`<text class="name" x=${LABEL_PX - 8} y=${i * BAR_PX + 14} text-anchor="end">${shortened(name)}</text>
          <rect x=${from} y=${i * BAR_PX + 3} width=${Math.max(1, to - from)} height=${BAR_PX - 6}><title>${`${name}: ${anyNumber(y)}`}</title></rect>
          <text x=${to + 6} y=${i * BAR_PX + 14}>${compact(y)}</text>`;
      })}
    </svg>`;
  }

  private plot(kind: Kind, points: readonly Point[], label: string) {
    const [first, last] = [points[0], points[points.length - 1]];
    const values = points.map(({ y }) => y);
    const box = { width: this.width.px, height: HEIGHT, left: 4, right: SCALE_PX + 4, top: 8, bottom: 8 };
    const plot = new Plot(box, { x: [first.at, last.at], y: values, ticks: TICKS, at: (i) => points[i].at });
    return html`<svg width="100%" height=${HEIGHT} role="img" aria-label=${label}>
        ${plot.y.ticks(TICKS).map((tick) => svg`${plot.level(tick, '')}<text x=${box.width - SCALE_PX + 8} y=${plot.y(tick) + 4}>${compact(tick)}</text>`)}
        ${kind === 'line' ? plot.line(values, '') : points.map(({ at, y }) => svg`<circle cx=${plot.x(at)} cy=${plot.y(y)} r="3"></circle>`)}
      </svg>
      <figcaption class="row spread muted small"><span>${first.label}</span><span>${last.label}</span></figcaption>`;
  }
}

/** A line needs an order of time: names that are joined by a line say nothing. */
function kindOf(type: QueryResult['columns'][number]['type']): Kind {
  if (type === 'date') return 'line';
  return isFigure(type) ? 'scatter' : 'bar';
}

const shortened = (name: string) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);

interface Point {
  /** By value where the column has numbers or dates, else by its order. */
  readonly at: number;
  readonly y: number;
  readonly label: string;
}

/** In the order of their places; for bars in the order of the rows. */
function pointsOf(
  { columns, rows }: Pick<QueryResult, 'columns' | 'rows'>,
  xColumn: number,
  yColumn: number,
  kind: Kind,
): Point[] {
  const { type } = columns[xColumn];
  const isMeasured = kind !== 'bar' && (type === 'date' || isFigure(type));
  const placeOf = (cell: QueryResult['rows'][number][number], i: number) => {
    if (!isMeasured) return i;
    return type === 'date' ? Date.parse(String(cell)) : Number(cell);
  };
  const points = rows
    .filter((row) => row[yColumn] !== null && row[xColumn] !== null)
    .map((row, i) => ({ at: placeOf(row[xColumn], i), y: Number(row[yColumn]), label: String(row[xColumn]) }))
    .filter(({ at, y }) => Number.isFinite(at) && Number.isFinite(y))
    .sort((a, b) => a.at - b.at);
  return points.length < 2 ? [] : points;
}
