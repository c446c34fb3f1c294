/** Lines over the candles of a chart: values of rules, and other instruments rebased to the first candle that both have. */
import { type IChartApi, type ISeriesApi, LineSeries, LineStyle } from 'lightweight-charts';
import { number } from '../text.ts';
import { type ChartColors, type LineColor, overlayColor } from './colors.ts';
import { type LineEnd, LineEnds } from './line-ends.ts';
import { WITHOUT_LABELS } from './series.ts';

/** The figures of a line, one for each bar of the chart; null: none. */
export interface Overlay {
  readonly name: string;
  readonly color: LineColor;
  /** Whether it is drawn over the candles; others have a pane of their own. */
  readonly isPrice: boolean;
  /** Whether it is another instrument. */
  readonly isOther: boolean;
  /** Heights at which the scale of its own pane is labeled; empty: as the figures suggest. */
  readonly levels: readonly number[];
  readonly figures: readonly (number | null)[];
}

const LINE = { ...WITHOUT_LABELS, crosshairMarkerVisible: false } as const;
const FORMAT = { type: 'custom', formatter: (value: number) => number(value), minMove: 0.01 } as const;
/** Only levels are labeled. */
const LEVEL_FORMAT = { ...FORMAT, tickmarksFormatter: (values: readonly number[]) => values.map(() => '') } as const;

/** Shares of a pane of its own above and below a line. */
const OWN_MARGINS = { top: 0.16, bottom: 0.12 };

interface Drawn {
  readonly overlay: Overlay;
  readonly series: ISeriesApi<'Line'>;
  readonly levels: readonly ReturnType<ISeriesApi<'Line'>['createPriceLine']>[];
  /** Null: the line is over the candles, whose pane writes its end. */
  readonly ends: LineEnds | null;
}

/** Draws lines; others replace them. */
export class Overlays {
  private readonly chart: IChartApi;
  private drawn: readonly Drawn[] = [];
  private bars: readonly { readonly ts: string }[] = [];

  constructor(chart: IChartApi) {
    this.chart = chart;
  }

  /** The heights of panes stay as the reader has dragged them, unless there are more or fewer of them. */
  show(overlays: readonly Overlay[], bars: readonly { readonly ts: string }[]): void {
    this.bars = bars;
    const heights = this.chart.panes().map((pane) => pane.getStretchFactor());
    for (const { series } of this.drawn) this.chart.removeSeries(series);
    let pane = 0;
    this.drawn = overlays.map((overlay) => this.add(overlay, overlay.isPrice ? 0 : ++pane));
    const panes = this.chart.panes();
    panes.forEach((one, i) => {
      const usual = i === 0 ? 4 : 1;
      one.setStretchFactor(panes.length === heights.length ? heights[i] : usual);
    });
  }

  private add(overlay: Overlay, pane: number): Drawn {
    const { isPrice, figures, levels } = overlay;
    const priceFormat = levels.length === 0 ? FORMAT : LEVEL_FORMAT;
    const series = this.chart.addSeries(LineSeries, { ...LINE, lineWidth: isPrice ? 1 : 2, priceFormat }, pane);
    // Otherwise those of the candles, if they were set before.
    if (!isPrice) series.priceScale().applyOptions({ scaleMargins: OWN_MARGINS });
    const { bars } = this;
    series.setData(
      figures.flatMap((value, i) => (value === null || i >= bars.length ? [] : [{ time: bars[i].ts, value }])),
    );
    const ends = isPrice ? null : new LineEnds();
    if (ends !== null) series.attachPrimitive(ends);
    const lines = levels.map((price) =>
      series.createPriceLine({ price, lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: true }),
    );
    return { overlay, series, levels: lines, ends };
  }

  paint(colors: ChartColors): void {
    const { line, ground, muted } = colors;
    for (const { overlay, series, levels, ends } of this.drawn) {
      series.applyOptions({ color: overlayColor(overlay.color) });
      for (const level of levels)
        level.applyOptions({ color: line, axisLabelColor: ground, axisLabelTextColor: muted });
      const end = this.endOf(overlay);
      ends?.show(end === null ? [] : [end], colors);
    }
  }

  /** The ends of the lines over the candles. */
  priceEnds(): LineEnd[] {
    return this.drawn.flatMap(({ overlay }) => (overlay.isPrice ? (this.endOf(overlay) ?? []) : []));
  }

  /** Null: the line has no value. */
  private endOf({ name, color, isOther, figures }: Overlay): LineEnd | null {
    const last = figures.findLastIndex((figure, i) => figure !== null && i < this.bars.length);
    const value = figures[last];
    if (value === undefined || value === null) return null;
    return { day: this.bars[last].ts, value, text: isOther ? name : number(value), color: overlayColor(color) };
  }
}
