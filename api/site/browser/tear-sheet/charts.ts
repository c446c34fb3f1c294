/** The charts of a tear sheet: drawn for paper, with their names at their ends instead of a legend. */
import { html, svg } from '../dom.ts';
import { extent, Plot } from '../plot.ts';
import { compact, fixed } from '../text.ts';
import type { TearSheet } from '../types.ts';
import { BOX, daysBelow, type Named, names, scale, scaleText, TICKS } from './axes.ts';

const drawing = (label: string, content: unknown) =>
  html`<figure class="sheet-chart"><figcaption>${label}</figcaption>
    <svg viewBox="0 0 ${BOX.width} ${BOX.height}" role="img" aria-label=${label}>${content}</svg></figure>`;

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
  const y = [...p5, ...p95, ...run.values];
  const plot = new Plot(BOX, { y, x: [0, Math.max(1, bands.length - 1)], ticks: TICKS });
  return drawing(
    label,
    svg`${daysBelow(plot, bands)} ${scale(plot, compact)} ${plot.band(p5, p95, 'wide')} ${plot.band(p25, p75, 'narrow')}
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
