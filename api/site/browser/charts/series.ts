/** Series that several charts share: each adds itself to a pane, takes data, and takes the colors of the page. */
import { BaselineSeries, CandlestickSeries, type IChartApi, LineSeries, LineStyle } from 'lightweight-charts';
import type { Candle } from '../plot.ts';
import { compact, fixed, number } from '../text.ts';
import { type ChartColors, faded } from './colors.ts';
import type { Day } from './shared-days.ts';

/** Without tags of the newest values, which would cover labels of the scale: readouts and the ends of lines have them. */
export const WITHOUT_LABELS = { lastValueVisible: false, priceLineVisible: false } as const;
const LINE = { ...WITHOUT_LABELS, crosshairMarkerVisible: false } as const;
/** Figures that are percent already. The chart library's own format of that name rounds them to halves. */
export const PERCENT = { type: 'custom', formatter: (value: number) => `${number(value)}%`, minMove: 0.01 } as const;
/** No price is 0 or less: the part of the axis beside the volume has no labels. */
export const PRICE = {
  type: 'custom',
  formatter: (value: number) => (value > 0 ? fixed(value) : ''),
  minMove: 0.01,
} as const;
const MONEY = { ...LINE, priceFormat: { type: 'custom', formatter: compact, minMove: 1 } } as const;

interface EquityPoint extends Day {
  readonly equity: number;
  readonly buy_hold: number;
  readonly survivors?: number;
}

/** Equity as a strong line over a thin one: holding, or a benchmark; and a dashed one: survivors only. */
export function equityLines(chart: IChartApi) {
  const compared = chart.addSeries(LineSeries, { ...MONEY, lineWidth: 1 });
  const survivors = chart.addSeries(LineSeries, { ...MONEY, lineWidth: 1, lineStyle: LineStyle.Dashed });
  const own = chart.addSeries(LineSeries, { ...MONEY, lineWidth: 2 });
  return {
    own,
    compared,
    show(points: readonly EquityPoint[]) {
      compared.setData(points.map(({ ts, buy_hold }) => ({ time: ts, value: buy_hold })));
      survivors.setData(
        points.flatMap(({ ts, survivors: value }) => (value === undefined ? [] : [{ time: ts, value }])),
      );
      own.setData(points.map(({ ts, equity }) => ({ time: ts, value: equity })));
    },
    paint({ ink, muted, accent }: ChartColors) {
      compared.applyOptions({ color: muted });
      survivors.applyOptions({ color: ink });
      own.applyOptions({ color: accent });
    },
  };
}

interface DrawdownPoint extends Day {
  /** Percent below the highest equity so far. */
  readonly drawdown_pct: number;
}

/** The drawdown of equity, as an area that hangs from zero. */
export function drawdownArea(chart: IChartApi, pane: number) {
  const area = chart.addSeries(BaselineSeries, { ...LINE, lineWidth: 1, priceFormat: PERCENT }, pane);
  return {
    area,
    show(points: readonly DrawdownPoint[]) {
      area.setData(points.map(({ ts, drawdown_pct }) => ({ time: ts, value: -Math.abs(drawdown_pct) })));
    },
    paint({ loss }: ChartColors) {
      const fill = faded(loss, 0.25);
      area.applyOptions({
        topLineColor: loss,
        bottomLineColor: loss,
        topFillColor1: fill,
        topFillColor2: fill,
        bottomFillColor1: fill,
        bottomFillColor2: fill,
      });
    },
  };
}

export type PricePoint = Day & Candle;

/** Hollow up, filled down: the direction can be seen without color too. */
function candleOptions(colors: ChartColors) {
  return {
    upColor: colors.ground,
    borderUpColor: colors.gain,
    wickUpColor: colors.gain,
    downColor: colors.loss,
    borderDownColor: colors.loss,
    wickDownColor: colors.loss,
    ...WITHOUT_LABELS,
  };
}

export function candles(chart: IChartApi, pane: number) {
  const series = chart.addSeries(CandlestickSeries, { ...WITHOUT_LABELS, priceFormat: PRICE }, pane);
  return {
    series,
    show(bars: readonly PricePoint[]) {
      series.setData(bars.map(({ ts, open, high, low, close }) => ({ time: ts, open, high, low, close })));
    },
    paint(colors: ChartColors) {
      series.applyOptions(candleOptions(colors));
    },
  };
}

/** Divides the height between the panes. */
export function sharePanes(chart: IChartApi, shares: readonly number[]): void {
  chart.panes().forEach((pane, i) => {
    pane.setStretchFactor(shares[i]);
  });
}
