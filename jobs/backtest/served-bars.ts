/**
 * Caches adjusted bars and their text: most backtests of one instrument differ only in parameters, and would adjust and write the
 * same bars each time.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { BacktestOutcome } from '../../engine/backtest/backtest.ts';
import { type AdjustMode, adjustToLastBar } from '../../engine/market/adjust.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import type { History } from '../runs/history.ts';
import { type EquityFrame, equityFrame, klinesJson } from '../runs/report.ts';

/** The bars of a result as they are served. */
export interface ServedBars {
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array;
  /** Digest of it, in hex. */
  readonly sha256: string;
}

const CACHE_BYTES = 4 * 1024 * 1024;

const adjusted = new WeakMap<History, Map<AdjustMode, BarSeries>>();
const served = new LRUCache<string, ServedBars>({
  maxSize: CACHE_BYTES,
  maxEntrySize: CACHE_BYTES / 4,
  sizeCalculation: ({ bytes }) => bytes.length,
});
const historyIds = new WeakMap<History, number>();
let nextHistoryId = 0;

/** The whole history, with prices on the basis of its last bar. */
export function adjustedSeries(history: History, mode: AdjustMode): BarSeries {
  let known = adjusted.get(history);
  if (known === undefined) {
    known = new Map();
    adjusted.set(history, known);
  }
  let series = known.get(mode);
  if (series === undefined) {
    series = adjustToLastBar(history.series, history.events, mode);
    known.set(mode, series);
  }
  return series;
}

/** The bars of an outcome on `history`, with prices on the basis of the last of them. */
export function servedBars(
  { adjust }: Pick<BacktestSpec, 'adjust'>,
  { bars }: Pick<BacktestOutcome, 'bars'>,
  history: History,
): ServedBars {
  const key = `${historyId(history)} ${adjust} ${bars.day[0]} ${bars.length}`;
  let known = served.get(key);
  if (known === undefined) {
    const bytes = Buffer.from(klinesJson({ bars }));
    known = { bytes, sha256: hash('sha256', bytes) };
    served.set(key, known);
  }
  return known;
}

interface CachedFrame {
  readonly initialCapital: number;
  readonly frame: EquityFrame;
}

const frames = new WeakMap<ServedBars, CachedFrame>();

/** The frame of equity curves on the bars of an outcome, cached for the capital that was used last. */
export function servedFrame(
  served: ServedBars,
  { bars }: Pick<BacktestOutcome, 'bars'>,
  initialCapital: number,
): EquityFrame {
  let known = frames.get(served);
  if (known?.initialCapital !== initialCapital) {
    known = { initialCapital, frame: equityFrame(bars, initialCapital) };
    frames.set(served, known);
  }
  return known.frame;
}

function historyId(history: History): number {
  let id = historyIds.get(history);
  if (id === undefined) {
    id = nextHistoryId++;
    historyIds.set(history, id);
  }
  return id;
}
