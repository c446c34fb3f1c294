/** Weekly candles over an axis of days: legible where a day is narrower than three pixels. */
import {
  type CustomData,
  type CustomSeriesPricePlotValues,
  customSeriesDefaultOptions,
  type ICustomSeriesPaneRenderer,
  type ICustomSeriesPaneView,
  type PaneRendererCustomData,
  type Time,
  type WhitespaceData,
} from 'lightweight-charts';
import type { Candle } from '../plot.ts';
import type { ChartColors } from './colors.ts';

type DayBar = Candle & { readonly ts: string };

/** A week at its last day. */
interface Week extends CustomData<Time> {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Days with a bar. */
  readonly days: number;
}

const MS_PER_DAY = 86_400_000;
/** Days since a Monday. */
const weekOf = (ts: string) => Math.floor((Date.parse(ts) / MS_PER_DAY + 3) / 7);

/** The weeks of daily bars; the other days are empty, so that the axis keeps them. */
export function weeksOf(bars: readonly DayBar[]): (Week | WhitespaceData<Time>)[] {
  let first = 0;
  return bars.map((bar, i) => {
    if (i + 1 < bars.length && weekOf(bars[i + 1].ts) === weekOf(bar.ts)) return { time: bar.ts };
    const week = bars.slice(first, i + 1);
    first = i + 1;
    return {
      time: bar.ts,
      open: week[0].open,
      high: Math.max(...week.map(({ high }) => high)),
      low: Math.min(...week.map(({ low }) => low)),
      close: bar.close,
      days: week.length,
    };
  });
}

/** Share of the week that the body takes. */
const BODY = 0.62;

export class WeekSeries implements ICustomSeriesPaneView<Time, Week> {
  private data: PaneRendererCustomData<Time, Week> | null = null;
  colors: ChartColors | null = null;
  private readonly drawing: ICustomSeriesPaneRenderer = {
    draw: (target, priceToY) =>
      target.useBitmapCoordinateSpace(({ context, horizontalPixelRatio: across, verticalPixelRatio: down }) => {
        const { data, colors } = this;
        if (!data?.visibleRange || !colors) return;
        const { from, to } = data.visibleRange;
        for (const { x, originalData } of data.bars.slice(from, to)) {
          const { open, high, low, close, days = 0 } = originalData;
          if (days === 0) continue;
          const isUp = close >= open;
          const y = (price: number) => Math.round((priceToY(price) ?? 0) * down);
          const line = Math.max(1, Math.floor(across));
          const center = Math.round((x - ((days - 1) / 2) * data.barSpacing) * across);
          const half = Math.max(line, Math.round((BODY * 5 * data.barSpacing * across) / 2));
          const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
          context.fillStyle = isUp ? colors.gain : colors.loss;
          context.fillRect(center, y(high), line, Math.max(1, y(low) - y(high)));
          context.fillRect(center - half, top, 2 * half + line, Math.max(line, bottom - top));
          if (!isUp || bottom - top <= 2 * line) continue;
          context.fillStyle = colors.ground;
          context.fillRect(center - half + line, top + line, 2 * half - line, bottom - top - 2 * line);
        }
      }),
  };

  renderer(): ICustomSeriesPaneRenderer {
    return this.drawing;
  }

  update(data: PaneRendererCustomData<Time, Week>): void {
    this.data = data;
  }

  priceValueBuilder({ low, high, close }: Week): CustomSeriesPricePlotValues {
    return [low, high, close];
  }

  isWhitespace(data: Week | WhitespaceData<Time>): data is WhitespaceData<Time> {
    return !('days' in data);
  }

  defaultOptions() {
    return customSeriesDefaultOptions;
  }
}
