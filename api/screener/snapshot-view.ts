/** Snapshots in memory: the newest one, and those of past days that were used in the last minutes. */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Listener } from '../../db/listener.ts';
import { type PastSnapshot, SNAPSHOT_CHANGED_CHANNEL } from '../../db/market/snapshots.ts';
import type { Queryable } from '../../db/pool.ts';
import { selectReadableSnapshots } from '../../jobs/contracts/snapshot.ts';
import { Refresher } from '../../jobs/refresher.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { type LoadedSnapshot, loadSnapshot } from './read-snapshot.ts';

export interface SnapshotViewOptions {
  readonly listener: Listener;
  readonly db: Queryable;
  readonly storage: ObjectStorage;
  readonly log: Logger;
}

/** Columns of figures that are cached per session: 108 kB each for 12,000 instruments. */
const MAX_COLUMNS = 150;

/** The newest snapshot. A newer one replaces it once it is completely read and checked. */
export class SnapshotView {
  private readonly options: SnapshotViewOptions;
  private loaded: LoadedSnapshot | null = null;
  private readonly refresher: Refresher;

  private constructor(options: SnapshotViewOptions) {
    this.options = options;
    this.refresher = new Refresher(() => this.loadNewest(), options.log, 'the snapshots could not be read');
  }

  static async open(options: SnapshotViewOptions): Promise<SnapshotView> {
    const view = new SnapshotView(options);
    await options.listener.subscribe({
      channels: { [SNAPSHOT_CHANGED_CHANNEL]: () => view.refresher.refresh() },
      onConnected: () => view.refresher.refresh(),
    });
    await view.refresher.ended();
    return view;
  }

  /** Null until one is loaded. */
  get current(): LoadedSnapshot | null {
    return this.loaded;
  }

  /** Bytes of its bars and means. */
  get bytes(): number {
    const { bytes = 0, means } = this.loaded?.record ?? {};
    return bytes + (means?.bytes ?? 0);
  }

  /** Loads the newest readable snapshot. A broken one is logged and skipped; those of other versions are not read. */
  private async loadNewest(): Promise<void> {
    for (const record of await selectReadableSnapshots(this.options.db)) {
      if (record.id === this.loaded?.record.id) return;
      try {
        this.loaded = await loadSnapshot(this.options.storage, record, MAX_COLUMNS);
        return;
      } catch (error) {
        this.options.log.error({ err: error, object: record.objectKey }, 'a snapshot cannot be used');
      }
    }
  }

  async close(): Promise<void> {
    await this.refresher.close();
  }
}

/** Each takes about 15 MB per thousand instruments. */
const MAX_PAST = 2;
const MAX_IDLE_MS = 10 * 60_000;
const MAX_PAST_COLUMNS = 30;

export class PastSnapshots {
  private readonly loaded: LRUCache<number, LoadedSnapshot, PastSnapshot>;

  constructor(storage: ObjectStorage) {
    this.loaded = new LRUCache<number, LoadedSnapshot, PastSnapshot>({
      max: MAX_PAST,
      ttl: MAX_IDLE_MS,
      updateAgeOnGet: true,
      ttlAutopurge: true,
      fetchMethod: (_id, _stale, { context }) => loadSnapshot(storage, context, MAX_PAST_COLUMNS),
    });
  }

  /** Concurrent calls for a snapshot share one read. */
  load(record: PastSnapshot): Promise<LoadedSnapshot> {
    return this.loaded.forceFetch(record.id, { context: record });
  }

  close(): void {
    this.loaded.clear();
  }
}
