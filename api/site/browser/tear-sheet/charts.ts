/** The charts of a tear sheet: drawn for paper, with their names at their ends instead of a legend. */
import { html, nothing, svg } from '../dom.ts';
import { beginningsOf, extent, Plot } from '../plot.ts';
import { compact, fixed } from '../text.ts';
import type { TearSheet } from '../types.ts';

/** A phone shows a chart as wide as it is drawn, so that its texts keep their size. */
const isPhone = matchMedia('(max-width: 560px)').matches;
/** Room for the scale at the left, for the names at the right, and for the days below. */
const BOX = isPhone
  ? { width: 340, height: 170, left: 48, right: 92, top: 12, bottom: 28 }
  : { width: 640, height: 190, left: 60, right: 112, top: 12, bottom: 28 };
const DAYS_Y = BOX.height - 16;

interface Named {
  readonly values: readonly number[];
  readonly text: string;
}

const plotOf = (count: number, values: readonly number[]) =>
  new Plot(BOX, { x: [0, Math.max(1, count - 1)], y: values });

const drawing = (label: string, content: unknown) =>
  html`<figure class="sheet-chart"><figcaption>${label}</figcaption>
    <svg viewBox="0 0 ${BOX.width} ${BOX.height}" role="img" aria-label=${label}>${content}</svg></figure>`;

const scaleText = (y: number, text: string) =>
  svg`<text class="scale" x=${BOX.left - 6} y=${y + 4} text-anchor="end">${text}</text>`;

/** The ends of the scale. */
const ends = ({ y }: Plot, write: (value: number) => string) =>
  y.domain().map((value) => scaleText(y(value), write(value)));

/** The height of a name. */
const NAME_PX = 13;

/** A name at the end of a line. Names that would lie on each other, or below the drawing, are moved apart. */
function names({ y, edges }: Plot, lines: readonly Named[]) {
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
function daysBelow({ x, edges }: Plot, days: readonly string[]) {
  const isLong = days[days.length - 1].slice(0, 4) > String(Number(days[0].slice(0, 4)) + 1);
  const length = isLong ? 4 : 7;
  let last = Number.NEGATIVE_INFINITY;
  const dated = days.map((ts) => ({ ts }));
  return beginningsOf(dated, length).map((i) => {
    const at = x(i);
    if (at - last < DAY_PX || at > edges.right - DAY_PX / 2) return nothing;
    last = at;
    return svg`<line class="tick" x1=${at} x2=${at} y1=${edges.top} y2=${DAYS_Y}></line>
      <text class="scale" x=${at} y=${BOX.height - 3} text-anchor="middle">${days[i].slice(0, length)}</text>`;
  });
}

interface LineChart {
  readonly days: readonly string[];
  readonly run: Named;
  /** The benchmark. */
  readonly other?: Named;
  /** Decimals of the scale. */
  readonly digits: number;
  /** A figure to compare with, drawn across. */
  readonly level?: number;
}

/** The run in time, alone or against its benchmark. */
export function lineChart(label: string, { days, run, other, digits, level }: LineChart) {
  const lines = other ? [run, other] : [run];
  const plot = plotOf(run.values.length, [
    ...lines.flatMap(({ values }) => values),
    ...(level === undefined ? [] : [level]),
  ]);
  const write = (value: number) => fixed(value, digits);
  return drawing(
    label,
    svg`${daysBelow(plot, days)} ${ends(plot, write)}
      ${level === undefined ? nothing : svg`${plot.level(level, 'level')} ${levelText(plot, level, write)}`}
      ${other ? plot.line(other.values, 'other') : nothing} ${plot.line(run.values, 'own')}
      ${names(
        plot,
        lines.map(({ values, text }) => ({ values, text: `${text} ${write(values[values.length - 1])}` })),
      )}`,
  );
}

/** The figure of a level, where those of the ends leave room for it. */
function levelText({ y }: Plot, level: number, write: (value: number) => string) {
  const isClose = y.domain().some((end) => Math.abs(y(end) - y(level)) <= 12);
  return isClose ? nothing : scaleText(y(level), write(level));
}

/** Percentages below the peak, as an area below 0. */
export function underwaterChart(label: string, days: readonly string[], percents: readonly number[]) {
  const values = percents.map((percent) => -percent);
  const plot = plotOf(values.length, [0, ...values]);
  const zero = values.map(() => 0);
  return drawing(
    label,
    svg`${daysBelow(plot, days)} ${ends(plot, (value) => fixed(value, 1))} ${plot.band(zero, values, 'depth')}`,
  );
}

type Band = NonNullable<TearSheet['chance']['bootstrap']>['bands'][number];

/** Bands of resampled equity with the run in them. `run`: its equity at the sessions of the bands. */
export function fanChart(label: string, bands: readonly Band[], run: Named) {
  const named = (name: Exclude<keyof Band, 'ts'>) => ({
    values: bands.map((band) => band[name]),
    text: `${name.slice(1)}%`,
  });
  const edges = (['p5', 'p25', 'p75', 'p95'] as const).map(named);
  const [p5, p25, p75, p95] = edges.map(({ values }) => values);
  const median = named('p50');
  const plot = plotOf(bands.length, [...p5, ...p95, ...run.values]);
  const days = bands.map(({ ts }) => ts);
  return drawing(
    label,
    svg`${daysBelow(plot, days)} ${ends(plot, compact)} ${plot.band(p5, p95, 'wide')} ${plot.band(p25, p75, 'narrow')}
      ${plot.line(median.values, 'other')} ${plot.line(run.values, 'own')} ${names(plot, [run, median, ...edges])}`,
  );
}

interface Counts {
  readonly width_pct: number;
  readonly from_pct: number;
  readonly counts: readonly number[];
}

/** Counts by equal steps. */
export function countChart(label: string, { width_pct, from_pct, counts }: Counts) {
  const [, most = 1] = extent([1, ...counts]);
  const plot = new Plot({ ...BOX, bottom: 24 }, { x: [0, counts.length], y: [0, most] });
  const bars = plot.bars(counts, {
    gap: 2,
    nameOf: (_count, i) => (from_pct + (i + 1) * width_pct <= 0 ? 'loss' : 'gain'),
  });
  const last = from_pct + counts.length * width_pct;
  return drawing(
    label,
    svg`${bars}<text class="scale" x=${BOX.left} y=${BOX.height - 6}>${fixed(from_pct, 1)}</text>
      <text class="scale" x=${plot.edges.right} y=${BOX.height - 6} text-anchor="end">${fixed(last, 1)}</text>
      ${scaleText(20, String(most))}`,
  );
}
