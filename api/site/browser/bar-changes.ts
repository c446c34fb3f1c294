/** The differences between a bar as it was and as it is, figure by figure. */
import { number } from './text.ts';
import { t } from './tool-text.ts';
import type { Verification } from './types.ts';

type Bar = Verification['bars']['items'][number]['was'];

/** A value then and now. */
export interface Change {
  readonly was: string;
  readonly is: string;
}
export type BarChange = Change & { readonly date: string; readonly name: string };

const BAR_FIGURES = [
  ['open', t('word.open')],
  ['high', t('word.high')],
  ['low', t('word.low')],
  ['close', t('word.close_price')],
  ['volume', t('word.volume')],
] as const;

export const DIGITS = 6;

function figureOf(bar: Bar, name: (typeof BAR_FIGURES)[number][0]): string {
  if (bar === null) return t('word.none');
  return bar === 'unknown' ? t('verify.unknown') : number(bar[name], DIGITS);
}

/** The figures that differ; all figures of a bar whose past is unknown. */
export function barChanges(
  bars: readonly { readonly date: string; readonly was: Bar; readonly is: Bar }[],
): BarChange[] {
  return bars.flatMap(({ date, was, is }) =>
    BAR_FIGURES.map(([key, name]) => ({ date, name, was: figureOf(was, key), is: figureOf(is, key) })).filter(
      (change) => change.was !== change.is,
    ),
  );
}

/** The changes of one revision in a line; one that added or removed the bar says so. */
export function barRevision(was: Bar, is: Bar): string {
  if (was === null || is === null) return t(was === null ? 'revisions.added' : 'revisions.removed');
  return barChanges([{ date: '', was, is }])
    .map((change) => `${change.name} ${change.was} → ${change.is}`)
    .join('; ');
}
