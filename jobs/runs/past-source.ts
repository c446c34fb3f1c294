/** Histories as an earlier state of the lake has them, for runs that are computed again. */
import { EMPTY_SERIES } from '../../engine/market/series.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { LakeState } from '../tables/lake-at.ts';
import { pastHistories } from '../tables/past-histories.ts';
import type { History, HistorySource, ReadHistories } from './history.ts';

const NONE: History = { series: EMPTY_SERIES, events: [] };

export function pastSource(storage: ObjectStorage, state: LakeState): HistorySource {
  return async (instruments, asOf) => {
    const idOf = new Map(instruments.map(({ symbol, instrumentId }) => [symbol, instrumentId]));
    const found = new Map<number | undefined, History>();
    for await (const { symbol, series, events } of pastHistories(storage, state, asOf, new Set(idOf.keys()))) {
      found.set(idOf.get(symbol), { series, events });
    }
    const read: ReadHistories = async (_db, ids) => ids.map((id) => found.get(id) ?? NONE);
    return read;
  };
}
