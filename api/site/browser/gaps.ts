/** Where a history has no bars, as marks of a chart. */
import type { Mark } from './charts/marks.ts';
import { t } from './text.ts';

/** The longest closure of the exchange since 1933 took six days; whatever is longer is a gap. */
const LONGEST_CLOSURE_DAYS = 7;
const MS_PER_DAY = 86_400_000;

/** Stretches between daily bars in which nothing traded or nothing is loaded. */
export function gapMarks(bars: readonly { readonly ts: string }[]): Mark[] {
  const marks: Mark[] = [];
  for (let i = 1; i < bars.length; i++) {
    const [start, end] = [bars[i - 1].ts, bars[i].ts];
    if (Date.parse(end) - Date.parse(start) <= LONGEST_CLOSURE_DAYS * MS_PER_DAY) continue;
    marks.push({ kind: 'gap', start, end, label: t('chart.gap') });
  }
  return marks;
}

/** First day of consolidated bars: histories are those of the primary session before it. */
const BASIS_CHANGE = '2024-07-01';

/** The day on which the venue basis changes, where a history crosses it. */
export function basisMark(bars: readonly { readonly ts: string }[]): Mark[] {
  const first = bars.findIndex(({ ts }) => ts >= BASIS_CHANGE);
  if (first < 1) return [];
  const { ts } = bars[first];
  return [{ kind: 'line', start: ts, end: ts, label: t('chart.basis_change') }];
}
