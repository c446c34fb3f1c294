/** Curves of runs and of what they are compared with, in one of four views, and the series of a chart that draw them. */
import { type IChartApi, type ISeriesApi, LineSeries, type LineStyle, PriceScaleMode } from 'lightweight-charts';
import { compact, signedPercent } from '../text.ts';
import type { ChartColors } from './colors.ts';
import { PERCENT, WITHOUT_LABELS } from './series.ts';
import type { Day } from './shared-days.ts';

/** `against`: how much more a run has become than what it is compared with. */
const VIEWS = ['growth', 'drawdown', 'rolling', 'against'] as const;
export type View = (typeof VIEWS)[number];

export interface CurvePoint extends Day {
  readonly value: number;
  /** The value of one unit, without money that went in or out. Null: unknown; absent: as `value`. */
  readonly unit?: number | null;
  /** Percent below the highest so far, at most 0; absent: that of the units. */
  readonly fall?: number;
}

export interface Line {
  readonly name: string;
  /** Class of its key in legends. */
  readonly key: string;
  readonly color: keyof ChartColors;
  readonly lineStyle: LineStyle;
  readonly lineWidth: 1 | 2;
  /** Oldest first. */
  readonly points: readonly (Day & { readonly value: number })[];
}

export interface Curve extends Line {
  readonly points: readonly CurvePoint[];
}

export interface Curves {
  readonly runs: readonly Curve[];
  /** Drawn beside the runs, in every view but the last. */
  readonly beside: readonly Curve[];
  /** The benchmark of each run, unless the reader chooses another. */
  readonly holdings: readonly Curve[];
}

/** Sessions of a year. */
const YEAR = 252;

const knownUnits = (points: readonly CurvePoint[]) =>
  points.flatMap(({ ts, value, unit = value }) => (unit === null ? [] : [{ ts, value: unit }]));

/** Whether money went in or out of the first run, and its returns without that money are not known. */
export const isWithoutUnits = ({ runs: [{ points }] }: Curves): boolean =>
  points.length > 0 && points.every(({ unit }) => unit === null);

/** The views for which the first run has figures. */
export function viewsOf({ runs: [run] }: Curves): readonly View[] {
  const known = run.points.filter(({ unit }) => unit !== null).length;
  return VIEWS.filter((view) => known > { growth: -1, drawdown: -1, rolling: YEAR + 1, against: 1 }[view]);
}

/** The change to each point from the one `bars` before it, in percent. */
function rolling(points: Line['points'], bars: number): Line['points'] {
  return points.slice(bars).map(({ ts, value }, i) => ({ ts, value: 100 * (value / points[i].value - 1) }));
}

function drawdown(points: readonly CurvePoint[]): Line['points'] {
  let peak = 0;
  return points.map(({ ts, value, fall }) => {
    peak = Math.max(peak, value);
    return { ts, value: fall ?? 100 * (value / peak - 1) };
  });
}

/** On the days that both have; in percent since the first of them. */
function against(points: readonly CurvePoint[], others: readonly CurvePoint[]): Line['points'] {
  const byDay = new Map(knownUnits(others).map(({ ts, value }) => [ts, value]));
  const ratios = knownUnits(points).flatMap(({ ts, value }) => {
    const other = byDay.get(ts);
    return other === undefined ? [] : [{ ts, value: value / other }];
  });
  return ratios.map(({ ts, value }) => ({ ts, value: 100 * (value / ratios[0].value - 1) }));
}

/** Another curve as if what a run was worth on the first day of both had been put into it. */
function scaledTo({ points: run }: Curve, curve: Curve): Line {
  const start = run.find(({ ts }) => ts >= (curve.points[0]?.ts ?? ''));
  const scale = (start?.value ?? 0) / (curve.points[0]?.value ?? 1);
  return { ...curve, points: curve.points.map(({ ts, value }) => ({ ts, value: value * scale })) };
}

/** The lines of a view; the first is that of the first run. `benchmarks`: those that the reader has chosen. */
export function linesOf(view: View, { runs, beside, holdings }: Curves, benchmarks: readonly Curve[]): Line[] {
  if (view === 'growth') return [...runs, ...beside, ...benchmarks.map((curve) => scaledTo(runs[0], curve))];
  if (view === 'against') {
    const [run] = runs;
    if (runs.length === 1)
      return [...holdings, ...benchmarks].map((other) => ({ ...other, points: against(run.points, other.points) }));
    return runs.map((one, i) => ({ ...one, points: against(one.points, (benchmarks[0] ?? holdings[i]).points) }));
  }
  const seen = (points: readonly CurvePoint[]) =>
    view === 'drawdown' ? drawdown(points) : rolling(knownUnits(points), YEAR);
  return [...runs, ...beside, ...benchmarks].map((curve) => ({ ...curve, points: seen(curve.points) }));
}

const LINE = { ...WITHOUT_LABELS, crosshairMarkerVisible: false } as const;
/** Growth of 100, which is written as what was added. */
export const ADDED = {
  type: 'custom',
  formatter: (value: number) => signedPercent(value - 100, 0),
  minMove: 0.01,
} as const;
export const MONEY = { type: 'custom', formatter: compact, minMove: 1 } as const;

interface Shown {
  readonly lines: readonly Line[];
  readonly view: View;
  readonly growth: typeof ADDED | typeof MONEY;
  readonly isLog: boolean;
}

export class CurveSeries {
  /** The line of the first run, over the others: what is attached to it stays. */
  readonly main: ISeriesApi<'Line'>;
  private readonly chart: IChartApi;
  private others: readonly ISeriesApi<'Line'>[] = [];
  private lines: readonly Line[] = [];

  constructor(chart: IChartApi) {
    this.chart = chart;
    this.main = chart.addSeries(LineSeries, LINE);
  }

  show({ lines, view, growth, isLog }: Shown): void {
    const priceFormat = view === 'growth' ? growth : PERCENT;
    const mode = isLog && view === 'growth' ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    this.main.priceScale().applyOptions({ mode });
    if (lines === this.lines) return;
    this.lines = lines;
    for (const series of this.others) this.chart.removeSeries(series);
    this.others = lines.slice(1).map(() => this.chart.addSeries(LineSeries, LINE));
    this.main.setSeriesOrder(lines.length - 1);
    this.drawn().forEach((series, i) => {
      const { lineStyle, lineWidth, points } = lines[i];
      series.applyOptions({ lineStyle, lineWidth, priceFormat });
      series.setData(points.map(({ ts, value }) => ({ time: ts, value })));
    });
  }

  private drawn(): readonly ISeriesApi<'Line'>[] {
    return [this.main, ...this.others].slice(0, this.lines.length);
  }

  paint(colors: ChartColors): void {
    this.drawn().forEach((series, i) => {
      series.applyOptions({ color: colors[this.lines[i].color] });
    });
  }
}
