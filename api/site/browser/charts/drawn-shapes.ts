/** Lines, levels, and ranges that a reader has drawn on a chart, each by its days and prices. */
import type { Schema } from '../../../clients/typescript/types.ts';
import { type ChartColors, chartFont, faded } from './colors.ts';
import { SeriesLayer } from './series-layer.ts';

export type DrawnShape = Schema<'Drawing'>['shape'];
export const DRAWN_KINDS = ['line', 'level', 'range'] as const satisfies readonly DrawnShape['kind'][];

interface Point {
  readonly x: number;
  readonly y: number;
}

export class DrawnShapes extends SeriesLayer<DrawnShape> {
  private readonly scaled: (price: number) => number;

  /** `scaled`: a price as the chart draws it. */
  constructor(scaled: (price: number) => number) {
    super();
    this.scaled = scaled;
    this.add('top', (context, { width }, colors) => {
      context.font = `12px ${chartFont()}`;
      context.lineWidth = 1.5;
      for (const shape of this.items) this.draw(context, shape, width, colors);
    });
  }

  /** Null: the day is not among those of the chart. A level has no day. */
  private place({ date, price }: DrawnShape['points'][number], isLevel: boolean): Point | null {
    const [x, y] = [isLevel ? 0 : this.xOf(date), this.yOf(this.scaled(price))];
    return x === null || y === null ? null : { x, y };
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
