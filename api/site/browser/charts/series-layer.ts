/** Base of what charts draw on the pane of one of their series, over or under it. */
import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import type { ChartColors } from './colors.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Draw = (context: CanvasRenderingContext2D, size: Size, colors: ChartColors) => void;

/** Keeps to the series that it is attached to, on whose days and prices its subclasses place what they draw. */
export abstract class SeriesLayer<Item> implements ISeriesPrimitive<Time> {
  private readonly views: IPrimitivePaneView[] = [];
  protected items: readonly Item[] = [];
  private colors: ChartColors | null = null;
  protected attachedTo: SeriesAttachedParameter<Time> | null = null;

  /** Adds what draws the layer; the pixels are those of the page, not of the screen. */
  protected add(zOrder: PrimitivePaneViewZOrder, draw: Draw): void {
    const renderer: ReturnType<IPrimitivePaneView['renderer']> = {
      draw: (target) =>
        target.useMediaCoordinateSpace(({ context, mediaSize }) => {
          if (this.colors !== null) draw(context, mediaSize, this.colors);
        }),
    };
    this.views.push({ renderer: () => renderer, zOrder: () => zOrder });
  }

  attached(parameter: SeriesAttachedParameter<Time>): void {
    this.attachedTo = parameter;
  }

  detached(): void {
    this.attachedTo = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views;
  }

  show(items: readonly Item[], colors: ChartColors): void {
    this.items = items;
    this.colors = colors;
    this.attachedTo?.requestUpdate();
  }

  /** Pixels from the left edge; null for a day that is not among those of the chart. */
  protected xOf(day: string): number | null {
    return this.attachedTo?.chart.timeScale().timeToCoordinate(day) ?? null;
  }

  /** Pixels from the top edge. */
  protected yOf(price: number): number | null {
    return this.attachedTo?.series.priceToCoordinate(price) ?? null;
  }
}
