/** The library of an account: its kept runs and its sweeps as one list. */
import { inPercent, listed, rangeText, signedPercent, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type { History, Strategies, Sweep, Sweeps } from '../types.ts';
import { strategyName } from './kind.ts';

export type KeptItem = History['items'][number];
export type MeasuredItem = Exclude<KeptItem, { readonly kind: 'outcomes' }>;
type SweepItem = Sweep & { readonly kind: 'sweep' };
export type LibraryItem = KeptItem | SweepItem;

export interface Library {
  /** The count of all that have the words. */
  readonly total: number;
  readonly items: readonly LibraryItem[];
}

export const isKept = (item: LibraryItem): item is KeptItem => item.kind !== 'sweep';

export const isMeasured = (item: LibraryItem): item is MeasuredItem => isKept(item) && item.kind !== 'outcomes';

/** The newest `size` that have all words; with `best` among the words, those with a return come first. */
export async function readLibrary(
  words: string,
  size: number,
  read: <T>(address: string) => Promise<T>,
): Promise<Library> {
  const q = words !== '' && { q: words };
  const [kept, sweeps] = await Promise.all([
    read<History>(`/api/backtest/history?${new URLSearchParams({ kind: 'all', page_size: String(size), ...q })}`),
    read<Sweeps>(`/v1/sweeps?${new URLSearchParams({ size: String(size), ...q })}`),
  ]);
  const items = [...kept.items, ...sweeps.items.map((sweep): SweepItem => ({ ...sweep, kind: 'sweep' }))];
  const isBest = words.toLowerCase().split(/\s+/).includes('best');
  const sorted = isBest ? items : items.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  return { total: kept.total + sweeps.total, items: sorted.slice(0, size) };
}

/** Its page; that of an example has no id. */
export const pageOf = ({ kind, id }: Pick<LibraryItem, 'kind' | 'id'>) =>
  id === 0 ? `/${kind}` : `/${kind === 'sweep' ? 'sweeps' : kind}?id=${id}`;

/** The instruments or cells in a few words. */
export function subjectOf(item: LibraryItem): string {
  if (item.kind === 'sweep') return t('sweeps.cells_count', { cells: item.cells.total });
  if (item.kind === 'backtest') return ticker(item.symbol);
  return t('portfolio.count', { count: item.kind === 'portfolio' ? item.symbols_count : item.instruments });
}

/** The strategy of a kept run, or its condition. */
export const ruleOf = (item: KeptItem, known: Strategies): string =>
  item.kind === 'outcomes' ? (item.idea ?? '') : strategyName(known, item.strategy);

export const strategiesOf = (known: Strategies, codes: readonly string[]) =>
  listed(codes.map((code) => strategyName(known, code)));

/** The subject with the strategy, or with the idea of its owner. */
export function ideaOf(item: LibraryItem, known: Strategies): string {
  const idea = isKept(item) ? (item.idea ?? ruleOf(item, known)) : strategiesOf(known, item.strategies);
  return `${subjectOf(item)} · ${idea}`;
}

/** How far a sweep is: `5 years · done`. */
export const stateOf = ({ time_range, status }: SweepItem) =>
  `${rangeText(time_range)} · ${t(`sweeps.status.${status}`)}`;

/** The total return, or the difference of outcomes to the others, in percent. */
const gainOf = (item: KeptItem) =>
  item.kind === 'outcomes' ? inPercent(item.excess ?? item.mean) : item.total_pnl_pct;

/** Its kind and what came of it, in a few words. */
export function aboutOf(item: LibraryItem): string {
  const words = isKept(item)
    ? [
        item.kind === 'outcomes' ? item.idea : item.strategy,
        item.time_range ?? item.end_date,
        signedPercent(gainOf(item), 1),
      ]
    : [listed(item.strategies), stateOf(item)];
  return [t(`kind.${item.kind}`), ...words].join(' · ');
}
