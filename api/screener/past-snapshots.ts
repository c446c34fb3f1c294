/** Snapshots of past days in memory: those that were used in the last minutes. */

import { LRUCache } from 'lru-cache';
import type { PastSnapshot } from '../../db/market/snapshots.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { type LoadedSnapshot, loadSnapshot } from './read-snapshot.ts';

/** Each takes some 15 MB a thousand instruments. */
const MAX_LOADED = 2;
const MAX_IDLE_MS = 10 * 60_000;
const MAX_COLUMNS = 30;

export class PastSnapshots {
  private readonly loaded: LRUCache<number, LoadedSnapshot, PastSnapshot>;

  constructor(storage: ObjectStorage) {
    this.loaded = new LRUCache<number, LoadedSnapshot, PastSnapshot>({
      max: MAX_LOADED,
      ttl: MAX_IDLE_MS,
      updateAgeOnGet: true,
      ttlAutopurge: true,
      fetchMethod: (_id, _stale, { context }) => loadSnapshot(storage, context, MAX_COLUMNS),
    });
  }

  /** Calls that ask at the same time share one reading. */
  load(record: PastSnapshot): Promise<LoadedSnapshot> {
    return this.loaded.forceFetch(record.id, { context: record });
  }

  close(): void {
    this.loaded.clear();
  }
}
