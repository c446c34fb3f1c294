/** The curves of runs over one axis, as a percentage of their start. */
import { type IChartApi, LineStyle } from 'lightweight-charts';
import { customElement, property } from 'lit/decorators.js';
import type { ChartColors } from '../charts/colors.ts';
import type { CurvePoint } from '../charts/curves.ts';
import { type LineEnd, LineEnds } from '../charts/line-ends.ts';
import type { Day } from '../charts/shared-days.ts';
import { type Drawing, NO_DAYS } from '../charts/time-chart.ts';
import { html } from '../dom.ts';
import type { AnyResult } from '../run/kind.ts';
import { day, signedPercent } from '../text.ts';
import { t } from '../tool-text.ts';
import type { TearSheet } from '../types.ts';
import { CurveChart, HOLDING, ownPoints } from './curve-chart.ts';

export interface ComparedLine {
  readonly name: string;
  readonly result: AnyResult;
  /** Absent: that of the result; null: it could not be made. */
  readonly sheet?: TearSheet | null;
}

const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed] as const;
const COLORS = ['accent', 'amber', 'violet', 'teal'] as const satisfies readonly (keyof ChartColors)[];
/** Runs whose lines can be told apart. */
export const MAX_COMPARED = STYLES.length;

/** Room for the changes at the ends of the lines. */
const END_PX = 60;

const fromHundred = (points: readonly CurvePoint[]) =>
  points.map((point) => ({ ...point, value: 100 * (point.value / points[0].value) }));

@customElement('compare-chart')
export class CompareChart extends CurveChart {
  @property({ attribute: false }) runs: readonly ComparedLine[] = [];
  protected override readonly sources = ['runs'];
  protected override readonly isMoney = false;
  /** All days on which any of the runs has a point. */
  protected override days: readonly Day[] = NO_DAYS;

  protected override get about() {
    const totals = this.runs.filter(({ result }) => result.adjust === 'total').length;
    const isTotal = totals === this.runs.length;
    return { isTotal, isMixed: totals > 0 && !isTotal, name: t('compare.column') };
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('runs')) this.days = unionOf(this.runs);
    super.willUpdate(changed);
  }

  protected override curves() {
    const runs = this.runs.map(({ name, result, sheet }, i) => ({
      name,
      key: `line line-${i + 1}`,
      color: COLORS[i],
      lineStyle: STYLES[i],
      lineWidth: 2 as const,
      points: fromHundred(ownPoints(result, sheet)),
    }));
    const holdings = this.runs.map(({ result: { equity = [] } }) => ({
      ...HOLDING,
      name: t('run.holding'),
      points: equity.map(({ ts, buy_hold: value }) => ({ ts, value })),
    }));
    const kinds = new Set(holdings.map(({ points }) => JSON.stringify([points.length, points[0], points.at(-1)])));
    // Runs that would have held one and the same are seen beside it.
    const beside = kinds.size === 1 ? holdings.slice(0, 1) : [];
    return { runs, holdings, beside: beside.map((curve) => ({ ...curve, points: fromHundred(curve.points) })) };
  }

  protected override draw(chart: IChartApi): Drawing {
    const curves = this.addCurves(chart);
    const ends = new LineEnds();
    curves.main.attachPrimitive(ends);
    return {
      main: curves.main,
      endPx: END_PX,
      show: () => {},
      paint: (colors) => {
        this.paintCurves(colors);
        ends.show(this.lineEnds(colors), colors);
      },
    };
  }

  private lineEnds(colors: ChartColors): LineEnd[] {
    return this.lines.flatMap(({ points, color }) => {
      const last = points.at(-1);
      if (last === undefined) return [];
      const text = signedPercent(this.mode === 'growth' ? last.value - 100 : last.value, 1);
      return [{ day: last.ts, value: last.value, text, color: colors[color] }];
    });
  }

  override render() {
    return html`${this.tools()} ${super.render()}`;
  }

  protected override figures(index: number) {
    return html`<b>${day(this.days[index].ts)}</b> ${this.legend(index)}`;
  }
}

function unionOf(runs: readonly ComparedLine[]): Day[] {
  const days = new Set(runs.flatMap(({ result: { equity = [] } }) => equity.map(({ ts }) => ts)));
  return [...days].sort().map((ts) => ({ ts }));
}
