/** The axes of the charts of a tear sheet, with the names of lines at their ends instead of a legend. */
import type { Day } from '../charts/shared-days.ts';
import { nothing, svg } from '../dom.ts';
import { beginningsOf, type Plot } from '../plot.ts';

/** A phone shows a chart as wide as it is drawn, so that its texts keep their size. */
const isPhone = matchMedia('(max-width: 560px)').matches;
/** Room for the scale at the left, for the names at the right, and for the days below. */
export const BOX = isPhone
  ? { width: 340, height: 170, left: 48, right: 92, top: 12, bottom: 28 }
  : { width: 640, height: 190, left: 60, right: 112, top: 12, bottom: 28 };
const DAYS_Y = BOX.height - 16;

export interface Named {
  readonly values: readonly number[];
  readonly text: string;
}

export const scaleText = (y: number, text: string) =>
  svg`<text class="scale" x=${BOX.left - 6} y=${y + 4} text-anchor="end">${text}</text>`;

/** Lines of a grid, about so many. */
export const TICKS = 4;

/** Round values beside lines across. */
export const scale = (plot: Plot, write: (value: number) => string) =>
  plot.y.ticks(TICKS).map((value) => svg`${plot.level(value, 'tick')} ${scaleText(plot.y(value), write(value))}`);

/** The height of a name. */
const NAME_PX = 13;

/** A name at the end of a line. Names that would lie on each other, or below the drawing, are moved apart. */
export function names({ y, edges }: Plot, lines: readonly Named[]) {
  let last = Number.NEGATIVE_INFINITY;
  return lines
    .map(({ values, text }) => ({ text, at: y(values[values.length - 1]) }))
    .sort((a, b) => a.at - b.at)
    .map(({ text, at }, i) => {
      const lowest = DAYS_Y + 4 - (lines.length - 1 - i) * NAME_PX;
      last = Math.min(Math.max(at + 4, last + NAME_PX), lowest);
      return svg`<text x=${edges.right + 6} y=${last}>${text}</text>`;
    });
}

/** Room for the name of a year or a month. */
const DAY_PX = 56;

/** The years in which the days are, or the months of a short range, each at its first day. */
export function daysBelow({ x, edges }: Plot, days: readonly Day[]) {
  const isLong = days[days.length - 1].ts.slice(0, 4) > String(Number(days[0].ts.slice(0, 4)) + 1);
  const length = isLong ? 4 : 7;
  let last = Number.NEGATIVE_INFINITY;
  return beginningsOf(days, length).map((i) => {
    const at = x(i);
    if (at - last < DAY_PX || at > edges.right - DAY_PX / 2) return nothing;
    last = at;
    return svg`<line class="tick" x1=${at} x2=${at} y1=${edges.top} y2=${DAYS_Y}></line>
      <text class="scale" x=${at} y=${BOX.height - 3} text-anchor="middle">${days[i].ts.slice(0, length)}</text>`;
  });
}
