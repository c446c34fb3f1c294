/** The newest values of lines, written at their ends inside the pane, where they cover no label of the scale. */
import { chartFont } from './colors.ts';
import { SeriesLayer } from './series-layer.ts';

export interface LineEnd {
  /** The newest day with a value. */
  readonly day: string;
  readonly value: number;
  readonly text: string;
  readonly color: string;
  readonly isStrong?: boolean;
}

/** Room at the right of a chart for these texts. */
export const LINE_END_PX = 58;
const GAP_PX = 8;
const APART_PX = 15;

/** Attached to one series of a pane, whose scale all lines of the pane use. */
export class LineEnds extends SeriesLayer<LineEnd> {
  constructor() {
    super();
    this.add('top', (context, { width, height }) => {
      context.textBaseline = 'middle';
      for (const { end, x, y } of this.placed(height)) {
        context.font = `${end.isStrong ? 600 : 400} 12px ${chartFont()}`;
        context.fillStyle = end.color;
        const lastX = width - context.measureText(end.text).width;
        context.fillText(end.text, Math.min(x, lastX), y);
      }
    });
  }

  /** From top to bottom, moved apart, and kept inside the pane. */
  private placed(height: number) {
    const placed = this.items
      .flatMap((end) => {
        const [x, y] = [this.xOf(end.day), this.yOf(end.value)];
        return x === null || y === null ? [] : [{ end, x: x + GAP_PX, y }];
      })
      .sort((a, b) => a.y - b.y);
    for (let i = 1; i < placed.length; i++) placed[i].y = Math.max(placed[i].y, placed[i - 1].y + APART_PX);
    let floor = height - APART_PX / 2;
    for (const one of placed.toReversed()) {
      one.y = Math.min(one.y, floor);
      floor = one.y - APART_PX;
    }
    return placed;
  }
}
