/** Lines, levels, and ranges that a reader has drawn on a chart, each by its days and prices. */
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import type { Schema } from '../../../clients/typescript/types.ts';
import { type ChartColors, chartFont, faded } from './colors.ts';

export type DrawnShape = Schema<'Drawing'>['shape'];
export const DRAWN_KINDS = ['line', 'level', 'range'] as const satisfies readonly DrawnShape['kind'][];

interface Point {
  readonly x: number;
  readonly y: number;
}

export class DrawnShapes implements ISeriesPrimitive<Time> {
  private shapes: readonly DrawnShape[] = [];
  private colors: ChartColors | null = null;
  private attachedTo: SeriesAttachedParameter<Time> | null = null;
  private readonly views: readonly IPrimitivePaneView[];

  constructor() {
    const renderer: IPrimitivePaneRenderer = {
      draw: (target) =>
        target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
          const { colors } = this;
          if (colors === null) return;
          context.font = `12px ${chartFont()}`;
          context.lineWidth = 1.5;
          for (const shape of this.shapes) this.draw(context, shape, width, colors);
        }),
    };
    this.views = [{ renderer: () => renderer, zOrder: () => 'top' }];
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

  show(shapes: readonly DrawnShape[], colors: ChartColors): void {
    this.shapes = shapes;
    this.colors = colors;
    this.attachedTo?.requestUpdate();
  }

  /** Null: the day is not among those of the chart. A level has no day. */
  private place({ date, price }: DrawnShape['points'][number], isLevel: boolean): Point | null {
    const x = isLevel ? 0 : this.attachedTo?.chart.timeScale().timeToCoordinate(date);
    const y = this.attachedTo?.series.priceToCoordinate(price);
    return x === null || x === undefined || y === null || y === undefined ? null : { x, y };
  }

  private draw(
    context: CanvasRenderingContext2D,
    shape: DrawnShape,
    width: number,
    { accent, ink }: ChartColors,
  ): void {
    const [first, second] = shape.points.map((point) => this.place(point, shape.kind === 'level'));
    if (first === null) return;
    context.strokeStyle = accent;
    context.fillStyle = faded(accent, 0.12);
    context.beginPath();
    if (shape.kind === 'level') {
      context.moveTo(0, first.y);
      context.lineTo(width, first.y);
    } else if (second) {
      if (shape.kind === 'line') {
        context.moveTo(first.x, first.y);
        context.lineTo(second.x, second.y);
      } else {
        context.rect(first.x, first.y, second.x - first.x, second.y - first.y);
        context.fill();
      }
    }
    context.stroke();
    context.fillStyle = ink;
    context.fillText(shape.note ?? '', first.x + 4, first.y - 4);
  }
}
