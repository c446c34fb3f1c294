/** The charts of a tear sheet: drawn for paper, with their names at their ends instead of a legend. */
import { html, nothing, svg } from 'lit';
import { compact, fixed } from '../text.ts';

/** A phone shows a chart as wide as it is drawn, so that its texts keep their size. */
const isPhone = matchMedia('(max-width: 560px)').matches;
const [WIDTH, HEIGHT] = isPhone ? [340, 170] : [640, 190];
/** Room for the scale at the left, for the names at the right, and for the days below. */
const [LEFT, RIGHT, EDGE, DAYS] = isPhone ? [48, 92, 12, 16] : [60, 112, 12, 16];

interface Scale {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

/** `count`: points of the longest line. */
function scaleOf(count: number, values: readonly number[]): Scale {
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const height = Math.max(most - least, 1e-9);
  return {
    x: (at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / Math.max(1, count - 1),
    y: (value) => HEIGHT - DAYS - EDGE - ((HEIGHT - DAYS - 2 * EDGE) * (value - least)) / height,
  };
}

const round = (value: number) => Math.round(10 * value) / 10;

const points = ({ x, y }: Scale, values: readonly number[]) =>
  values.map((value, at) => `${round(x(at))},${round(y(value))}`);

const line = (scale: Scale, values: readonly number[], name: string) =>
  svg`<polyline class=${name} points=${points(scale, values).join(' ')}></polyline>`;

const area = (scale: Scale, low: readonly number[], high: readonly number[], name: string) =>
  svg`<polygon class=${name} points=${[...points(scale, low), ...points(scale, high).reverse()].join(' ')}></polygon>`;

function ends({ y }: Scale, low: number, high: number, write: (value: number) => string) {
  return [low, high].map(
    (value) => svg`<text class="scale" x=${LEFT - 6} y=${round(y(value)) + 4} text-anchor="end">${write(value)}</text>`,
  );
}

/** The height of a name. */
const NAME_PX = 13;

/** A name at the end of a line. Names that would lie on each other, or below the drawing, are moved apart. */
function names(scale: Scale, lines: readonly { readonly values: readonly number[]; readonly text: string }[]) {
  let last = Number.NEGATIVE_INFINITY;
  return lines
    .map(({ values, text }) => ({ text, at: scale.y(values[values.length - 1]) }))
    .sort((a, b) => a.at - b.at)
    .map(({ text, at }, i) => {
      const lowest = HEIGHT - DAYS + 4 - (lines.length - 1 - i) * NAME_PX;
      last = Math.min(Math.max(at + 4, last + NAME_PX), lowest);
      return svg`<text x=${WIDTH - RIGHT + 6} y=${round(last)}>${text}</text>`;
    });
}

const drawing = (label: string, content: unknown) =>
  html`<figure class="sheet-chart"><figcaption>${label}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>${content}</svg></figure>`;

interface Named {
  readonly values: readonly number[];
  readonly text: string;
}

/** Room for the name of a year or a month. */
const DAY_PX = 56;

/** The years in which the days are, or the months of a short range, each at its first day. */
function daysBelow({ x }: Scale, days: readonly string[]) {
  const isLong = days[days.length - 1].slice(0, 4) > String(Number(days[0].slice(0, 4)) + 1);
  const length = isLong ? 4 : 7;
  let last = Number.NEGATIVE_INFINITY;
  return days.map((ts, i) => {
    const isFirst = i > 0 && ts.slice(0, length) !== days[i - 1].slice(0, length);
    if (!isFirst || x(i) - last < DAY_PX || x(i) > WIDTH - RIGHT - DAY_PX / 2) return nothing;
    last = x(i);
    return svg`<line class="tick" x1=${round(last)} x2=${round(last)} y1=${EDGE} y2=${HEIGHT - DAYS}></line>
      <text class="scale" x=${round(last)} y=${HEIGHT - 3} text-anchor="middle">${ts.slice(0, length)}</text>`;
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
  const all = [...lines.flatMap(({ values }) => values), ...(level === undefined ? [] : [level])];
  const scale = scaleOf(run.values.length, all);
  const [low, high] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
  const isLevelNamed = level !== undefined && level !== low && level !== high;
  return drawing(
    label,
    svg`${daysBelow(scale, days)} ${ends(scale, low, high, (value) => fixed(value, digits))}
      ${level === undefined ? nothing : svg`<line class="level" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${round(scale.y(level))} y2=${round(scale.y(level))}></line>`}
      ${isLevelNamed && Math.min(Math.abs(scale.y(level) - scale.y(low)), Math.abs(scale.y(level) - scale.y(high))) > 12 ? svg`<text class="scale" x=${LEFT - 6} y=${round(scale.y(level)) + 4} text-anchor="end">${fixed(level, digits)}</text>` : nothing}
      ${other ? line(scale, other.values, 'other') : nothing} ${line(scale, run.values, 'own')}
      ${names(
        scale,
        lines.map(({ values, text }) => ({ values, text: `${text} ${fixed(values[values.length - 1], digits)}` })),
      )}`,
  );
}

/** Percentages below the peak, as an area below 0. */
export function underwaterChart(label: string, days: readonly string[], percents: readonly number[]) {
  const values = percents.map((percent) => -percent);
  const scale = scaleOf(values.length, [0, ...values]);
  const zero = values.map(() => 0);
  const deepest = values.reduce((a, b) => Math.min(a, b), 0);
  return drawing(
    label,
    svg`${daysBelow(scale, days)} ${ends(scale, deepest, 0, (value) => fixed(value, 1))} ${area(scale, zero, values, 'depth')}`,
  );
}

interface Band {
  readonly ts: string;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

/** Bands of resampled equity with the run in them. `run`: its equity at the sessions of the bands. */
export function fanChart(label: string, bands: readonly Band[], run: Named) {
  const pick = (name: Exclude<keyof Band, 'ts'>) => bands.map((band) => band[name]);
  const all = [...pick('p5'), ...pick('p95'), ...run.values];
  const scale = scaleOf(bands.length, all);
  const [low, high] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
  const medians = { values: pick('p50'), text: '50%' };
  const edges = (['p5', 'p25', 'p75', 'p95'] as const).map((name) => ({
    values: pick(name),
    text: `${name.slice(1)}%`,
  }));
  const days = bands.map(({ ts }) => ts);
  return drawing(
    label,
    svg`${daysBelow(scale, days)} ${ends(scale, low, high, compact)} ${area(scale, pick('p5'), pick('p95'), 'wide')}
      ${area(scale, pick('p25'), pick('p75'), 'narrow')} ${line(scale, medians.values, 'other')}
      ${line(scale, run.values, 'own')} ${names(scale, [run, medians, ...edges])}`,
  );
}

/** Counts by equal steps. */
export function countChart(label: string, { width_pct, from_pct, counts }: Counts) {
  const most = Math.max(1, ...counts);
  const step = (WIDTH - LEFT - RIGHT) / counts.length;
  const bars = counts.map((count, i) => {
    const height = ((HEIGHT - 3 * EDGE) * count) / most;
    const isLoss = from_pct + (i + 1) * width_pct <= 0;
    return svg`<rect class=${isLoss ? 'loss' : 'gain'} x=${round(LEFT + i * step)} y=${round(HEIGHT - 2 * EDGE - height)} width=${round(step - 2)} height=${round(height)}></rect>`;
  });
  const last = from_pct + counts.length * width_pct;
  return drawing(
    label,
    svg`${bars}<text class="scale" x=${LEFT} y=${HEIGHT - 6}>${fixed(from_pct, 1)}</text>
      <text class="scale" x=${WIDTH - RIGHT} y=${HEIGHT - 6} text-anchor="end">${fixed(last, 1)}</text>
      <text class="scale" x=${LEFT - 6} y=${2 * EDGE} text-anchor="end">${most}</text>`,
  );
}

interface Counts {
  readonly width_pct: number;
  readonly from_pct: number;
  readonly counts: readonly number[];
}
