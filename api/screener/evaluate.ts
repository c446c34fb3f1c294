/** Evaluates a screen at one session, condition by condition. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Day } from '../../engine/market/dates.ts';
import { conditionBars } from '../../engine/screener/rule-figures.ts';
import {
  eligibleInstruments,
  type FigureColumns,
  freshInstruments,
  lookbackOf,
  memberTest,
  testOf,
} from '../../engine/screener/screen.ts';
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';
import type { DirectoryItem } from '../market/directory.ts';
import { itemAsOf, type PastItem } from '../market/directory-as-of.ts';
import type { MarketView } from '../market/market-view.ts';
import type { ScreenRequest } from './request.ts';
import type { RuleSource } from './rule-source.ts';

const SLICE_MS = 10;
/** Items between two checks of the clock. */
const STRIDE = 256;
/** Instruments between two looks at the clock when rules are evaluated, which take longer. */
export const RULE_STRIDE = 16;

/** Divides long work on the event loop into slices, so that other requests are served in between. */
export class TimeSlices {
  private start = performance.now();

  /** Visits all items in order, and checks the clock every `stride` items. */
  async each<T>(items: readonly T[], visit: (item: T) => void, stride = STRIDE): Promise<void> {
    for (let from = 0; from < items.length; from += stride) {
      await this.rest();
      const to = Math.min(from + stride, items.length);
      for (let i = from; i < to; i++) visit(items[i]);
    }
  }

  /** The items that pass, in order. */
  async filter<T>(items: readonly T[], passes: (item: T) => boolean, stride = STRIDE): Promise<T[]> {
    const passed: T[] = [];
    for (let from = 0; from < items.length; from += stride) {
      await this.rest();
      addPassing(items, from, Math.min(from + stride, items.length), passes, passed);
    }
    return passed;
  }

  private async rest(): Promise<void> {
    if (performance.now() - this.start < SLICE_MS) return;
    await nextTurn();
    this.start = performance.now();
  }
}

function addPassing<T>(items: readonly T[], from: number, to: number, passes: (item: T) => boolean, passed: T[]): void {
  for (let i = from; i < to; i++) if (passes(items[i])) passed.push(items[i]);
}

/** Instruments as indices in the snapshot. */
export interface Evaluation {
  readonly scanned: readonly number[];
  readonly eligible: readonly number[];
  /** The number of instruments left after each condition. */
  readonly remaining: readonly number[];
  readonly hits: readonly number[];
  /** The look-back of the conditions, in bars. */
  readonly lookback: number;
}

export async function evaluate(
  columns: FigureColumns,
  { conditions, where, members }: Pick<ScreenRequest, 'conditions' | 'where' | 'members'>,
  { items }: Listing,
  slices: TimeSlices,
  rules: RuleSource,
): Promise<Evaluation> {
  const { view } = columns;
  const isMember = memberTest(members);
  const scanned = freshInstruments(view).filter((i) => {
    const instrument = items[i]?.instrument;
    return instrument !== undefined && isMember(instrument);
  });
  // Rules need no minimum history: over too short a history their values are undefined.
  const eligible = eligibleInstruments(view, scanned, lookbackOf(conditions));
  const lookback = Math.max(lookbackOf(conditions), ...where.map(({ condition }) => conditionBars(condition)));
  const remaining: number[] = [];
  let hits = eligible;
  for (const condition of conditions) {
    hits = await slices.filter(hits, testOf(columns, condition));
    remaining.push(hits.length);
  }
  for (const rule of where) {
    hits = await slices.filter(hits, rules.testOf(view, rule), RULE_STRIDE);
    remaining.push(hits.length);
  }
  return { scanned, eligible, remaining, hits, lookback };
}

/** The instruments of a snapshot as the directory lists them. */
export interface Listing {
  /** Undefined for an instrument that no longer exists. */
  readonly items: readonly (DirectoryItem | PastItem | undefined)[];
  /** The rank of each in the order of symbols. */
  readonly ranks: Int32Array;
}

/** The instrument at an index of the snapshot that a screen has scanned. */
export function itemAt({ items }: Listing, i: number): DirectoryItem | PastItem {
  const item = items[i];
  if (!item) throw new RangeError(`index ${i} of the snapshot has no instrument`);
  return item;
}

const listings = new WeakMap<MarketSnapshot, { directory: object; listing: Listing }>();

/** `asOf`: the past day whose symbols are used; null: today's. Cached until the snapshot or the directory changes. */
export function listingOf(
  snapshot: MarketSnapshot,
  { directory }: Pick<MarketView, 'directory'>,
  asOf: Day | null,
): Listing {
  const known = listings.get(snapshot);
  if (known?.directory === directory) return known.listing;
  const byId = new Map<number, DirectoryItem | PastItem>(
    directory.items.map((item) => [item.id, (asOf !== null && itemAsOf(item, asOf)) || item]),
  );
  const items = Array.from(snapshot.instrumentIds, (id) => byId.get(id));
  const symbols = items.map((item) => item?.qualified ?? '');
  const order = symbols.map((_, i) => i).sort((a, b) => (symbols[a] < symbols[b] ? -1 : 1));
  const ranks = new Int32Array(items.length);
  for (const [rank, i] of order.entries()) ranks[i] = rank;
  const listing = { items, ranks };
  listings.set(snapshot, { directory, listing });
  return listing;
}
