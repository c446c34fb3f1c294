/** The equity of runs over one axis, as a percentage of their start. */
import { type IChartApi, type ISeriesApi, LineSeries, LineStyle } from 'lightweight-charts';
import { customElement, property } from 'lit/decorators.js';
import type { ChartColors } from '../charts/colors.ts';
import { type LineEnd, LineEnds } from '../charts/line-ends.ts';
import { PERCENT, WITHOUT_LABELS } from '../charts/series.ts';
import { type Day, type Drawing, NO_DAYS, TimeChart } from '../charts/time-chart.ts';
import { html } from '../dom.ts';
import { day, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';

export interface ComparedLine {
  readonly name: string;
  readonly points: readonly (Day & { readonly equity: number })[];
}

const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed] as const;
const COLORS = ['accent', 'amber', 'violet', 'teal'] as const satisfies readonly (keyof ChartColors)[];
/** Runs whose lines can be told apart. */
export const MAX_COMPARED = STYLES.length;

const LINE = {
  lineWidth: 2,
  ...WITHOUT_LABELS,
  crosshairMarkerVisible: false,
  priceFormat: PERCENT,
} as const;

/** Room for the changes at the ends of the lines. */
const END_PX = 60;

const sinceBeginning = (points: ComparedLine['points'], equity: number) => 100 * (equity / points[0].equity - 1);

@customElement('compare-chart')
export class CompareChart extends TimeChart {
  @property({ attribute: false }) lines: readonly ComparedLine[] = [];
  /** All days on which any of the lines has a point. */
  protected override days: readonly Day[] = NO_DAYS;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('lines')) this.days = unionOf(this.lines);
    super.willUpdate(changed);
  }

  protected override draw(chart: IChartApi): Drawing {
    let drawn: ISeriesApi<'Line'>[] = [];
    const ends = new LineEnds();
    return {
      endPx: END_PX,
      show: () => {
        for (const series of drawn) chart.removeSeries(series);
        drawn = this.lines.map(({ points }, i) => {
          const series = chart.addSeries(LineSeries, { ...LINE, lineStyle: STYLES[i] });
          series.setData(points.map(({ ts, equity }) => ({ time: ts, value: sinceBeginning(points, equity) })));
          return series;
        });
        drawn[0]?.attachPrimitive(ends);
      },
      paint: (colors) => {
        ends.show(endsOf(this.lines, colors), colors);
        drawn.forEach((series, i) => {
          series.applyOptions({ color: colors[COLORS[i]] });
        });
      },
    };
  }

  protected override figures(index: number) {
    const { ts: at } = this.days[index];
    const figures = this.lines.map(({ points }, i) => {
      const point = points.findLast(({ ts }) => ts <= at);
      const value = point ? sinceBeginning(points, point.equity) : null;
      return html`<span><span class=${`line line-${i + 1}`}></span><span class="visually-hidden">${t('compare.number', { number: i + 1 })}</span> <span class=${tone(value)}>${signedPercent(value)}</span></span>`;
    });
    return html`<b>${day(at)}</b>${figures}`;
  }
}

function endsOf(lines: readonly ComparedLine[], colors: ChartColors): LineEnd[] {
  return lines.flatMap(({ points }, i) => {
    const last = points.at(-1);
    if (last === undefined) return [];
    const value = sinceBeginning(points, last.equity);
    return [{ day: last.ts, value, text: signedPercent(value, 1), color: colors[COLORS[i]] }];
  });
}

function unionOf(lines: readonly ComparedLine[]): Day[] {
  const days = new Set(lines.flatMap(({ points }) => points.map(({ ts }) => ts)));
  return [...days].sort().map((ts) => ({ ts }));
}
