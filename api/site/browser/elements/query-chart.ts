/** A chart of two columns of a result: a line over dates, bars for names, points for figures. The table beside it has every figure. */
import '../tool.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, html, nothing, SiteElement, svg } from '../dom.ts';
import { Width } from '../measured.ts';
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
    const width = Math.max(1, this.width.px - LABEL_PX - SCALE_PX);
    const ys = points.map(({ y }) => y);
    const [low, high] = [Math.min(0, ...ys), Math.max(0, ...ys)];
    const x = (y: number) => LABEL_PX + (high === low ? 0 : (width * (y - low)) / (high - low));
    const height = points.length * BAR_PX;
    return html`<svg width="100%" height=${height} role="img" aria-label=${label}>
      ${points.map(({ label: name, y }, i) => {
        const [from, to] = [Math.min(x(0), x(y)), Math.max(x(0), x(y))];
        return svg`<text class="name" x=${LABEL_PX - 8} y=${i * BAR_PX + 14} text-anchor="end">${shortened(name)}</text>
          <rect x=${from} y=${i * BAR_PX + 3} width=${Math.max(1, to - from)} height=${BAR_PX - 6}><title>${`${name}: ${anyNumber(y)}`}</title></rect>
          <text x=${to + 6} y=${i * BAR_PX + 14}>${compact(y)}</text>`;
      })}
    </svg>`;
  }

  private plot(kind: Kind, points: readonly Point[], label: string) {
    const width = Math.max(1, this.width.px - SCALE_PX);
    const ys = points.map(({ y }) => y);
    const ticks = ticksOf(extreme(ys, Math.min), extreme(ys, Math.max));
    const [low, high] = [ticks[0], ticks[ticks.length - 1]];
    const at = (y: number) => 8 + (HEIGHT - 16) * (1 - (y - low) / (high - low || 1));
    const places = points.map(({ x, y }) => [4 + x * (width - 8), at(y)] as const);
    return html`<svg width="100%" height=${HEIGHT} role="img" aria-label=${label}>
        ${ticks.map((tick) => svg`<line x1="0" x2=${width} y1=${at(tick)} y2=${at(tick)} /><text x=${width + 8} y=${at(tick) + 4}>${compact(tick)}</text>`)}
        ${
          kind === 'line'
            ? svg`<polyline points=${places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}></polyline>`
            : places.map(([x, y]) => svg`<circle cx=${x.toFixed(1)} cy=${y.toFixed(1)} r="3"></circle>`)
        }
      </svg>
      <figcaption class="row spread muted small"><span>${points[0].label}</span><span>${points[points.length - 1].label}</span></figcaption>`;
  }
}

/** A line needs an order of time: names that are joined by a line say nothing. */
function kindOf(type: QueryResult['columns'][number]['type']): Kind {
  if (type === 'date') return 'line';
  return isFigure(type) ? 'scatter' : 'bar';
}

const shortened = (name: string) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);

/** Results may have more rows than a call takes arguments. */
const extreme = (values: readonly number[], of: (a: number, b: number) => number) => values.reduce((a, b) => of(a, b));

/** Round values around a range, evenly apart. */
function ticksOf(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / TICKS;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5, 10].find((one) => one * unit >= rough) ?? 10);
  const first = Math.floor(low / step);
  const count = Math.max(1, Math.ceil(high / step) - first);
  return Array.from({ length: count + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

interface Point {
  /** 0 to 1. */
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** By value where the column has numbers or dates, and for bars in the order of the rows. */
function pointsOf(
  { columns, rows }: Pick<QueryResult, 'columns' | 'rows'>,
  xColumn: number,
  yColumn: number,
  kind: Kind,
): Point[] {
  const { type } = columns[xColumn];
  const isMeasured = kind !== 'bar' && (type === 'date' || isFigure(type));
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
  return known.map(({ at, y, label }) => ({ x: last === first ? 0.5 : (at - first) / (last - first), y, label }));
}
