/** Market snapshots, and views of a snapshot at the end of its last session or the session before. */
import { sessionAtOrBefore } from '../market/calendar.ts';
import type { Day } from '../market/dates.ts';
import type { BarSeries } from '../market/series.ts';
import type { Blocks } from './blocks.ts';
import type { Window } from './figures.ts';
import type { RunningMeans } from './running-means.ts';

/** The newest bars of many instruments, one after the other in shared columns; prices are on the share count of the last bar. */
export interface MarketSnapshot {
  readonly bars: BarSeries;
  /** Instrument i has the bars `offsets[i]` (included) to `offsets[i + 1]` (excluded), at least one. */
  readonly offsets: Int32Array;
  readonly instrumentIds: Int32Array;
  readonly running: RunningMeans;
  /** Factor of the splits between the last two bars of each instrument: 0.25 for 4:1, 1 where there are none. */
  readonly lastSplits: Float64Array;
  /** Blocks of `bars`. */
  readonly blocks: Blocks;
}

/** A snapshot as it is stored. Its blocks are computed when it is read. */
export type StoredSnapshot = Omit<MarketSnapshot, 'blocks'>;

/** A snapshot cut off after one session. */
export interface SessionView {
  readonly snapshot: MarketSnapshot;
  readonly session: Day;
  /** Instrument i has the bars `offsets[i]` (included) to `ends[i]` (excluded), possibly none. */
  readonly ends: Int32Array;
  /** Prices of instrument i ÷ this factor are the prices as traded in that session; null: no factor applies. */
  readonly splits: Float64Array | null;
}

/** The view at the newest session of the snapshot. */
export function newestView(snapshot: MarketSnapshot, session: Day): SessionView {
  return { snapshot, session, ends: snapshot.offsets.subarray(1), splits: null };
}

/** The view at the session before; null when no instrument has a bar of that session. */
export function viewBefore({ snapshot, session }: SessionView): SessionView | null {
  const { bars, offsets, lastSplits } = snapshot;
  const before = sessionAtOrBefore(session - 1);
  const ends = offsets.slice(1);
  const splits = new Float64Array(lastSplits.length).fill(1);
  let isThere = false;
  for (let i = 0; i < ends.length; i++) {
    if (bars.day[ends[i] - 1] > before) {
      ends[i]--;
      splits[i] = lastSplits[i];
    }
    isThere ||= ends[i] > offsets[i] && bars.day[ends[i] - 1] === before;
  }
  return isThere ? { snapshot, session: before, ends, splits } : null;
}

/** The bars of instrument i. */
export function windowOf({ snapshot, ends }: SessionView, i: number): Window {
  const { bars, blocks, offsets, running } = snapshot;
  const barsBefore = running.barsBefore[i];
  return {
    bars,
    from: offsets[i],
    to: ends[i],
    barsBefore,
    carried: barsBefore > 0 ? running.means : null,
    instrument: i,
    blocks,
  };
}
