/** The newest snapshot in memory. A new one replaces it once it is completely read and checked. */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { type Listener, listen } from '../../db/listener.ts';
import { SNAPSHOT_CHANGED_CHANNEL, type SnapshotObject, type SnapshotRecord } from '../../db/market/snapshots.ts';
import type { Queryable } from '../../db/pool.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { FigureColumns } from '../../engine/screener/screen.ts';
import { type MarketSnapshot, newestView, viewBefore } from '../../engine/screener/snapshot.ts';
import { Refresher } from '../../jobs/refresher.ts';
import { decodeBars } from '../../jobs/snapshot/bars-file.ts';
import { selectReadableSnapshots } from '../../jobs/snapshot/contract.ts';
import { decodeMeans } from '../../jobs/snapshot/means-file.ts';
import type { ObjectStorage } from '../../storage/storage.ts';

export interface SnapshotViewOptions {
  readonly url: string;
  readonly db: Queryable;
  readonly storage: ObjectStorage;
  readonly log: Logger;
}

export interface LoadedSnapshot {
  readonly record: SnapshotRecord;
  readonly columns: FigureColumns;
  /** Columns at the previous session; null when the snapshot has no bar of it. */
  readonly columnsBefore: FigureColumns | null;
}

/** Columns of figures that are cached per session: 108 kB each for 12,000 instruments. */
const MAX_COLUMNS = 150;

export class SnapshotView {
  private readonly options: SnapshotViewOptions;
  private loaded: LoadedSnapshot | null = null;
  private listener: Listener | null = null;
  private readonly refresher: Refresher;

  private constructor(options: SnapshotViewOptions) {
    this.options = options;
    this.refresher = new Refresher(() => this.loadNewest(), options.log, 'the snapshots could not be read');
  }

  static async open(options: SnapshotViewOptions): Promise<SnapshotView> {
    const view = new SnapshotView(options);
    view.listener = await listen({
      url: options.url,
      applicationName: 'snapshot-view',
      channels: { [SNAPSHOT_CHANGED_CHANNEL]: () => view.refresher.refresh() },
      onConnected: () => view.refresher.refresh(),
    });
    await view.refresher.ended();
    return view;
  }

  /** Null until there is one. */
  get current(): LoadedSnapshot | null {
    return this.loaded;
  }

  /** Loads the newest readable snapshot. A broken one is logged and skipped; those of other versions are not read. */
  private async loadNewest(): Promise<void> {
    for (const record of await selectReadableSnapshots(this.options.db)) {
      if (record.id === this.loaded?.record.id) return;
      try {
        const newest = newestView(await this.readSnapshot(record), requireDay(record.asOf));
        const before = viewBefore(newest);
        this.loaded = {
          record,
          columns: new FigureColumns(newest, MAX_COLUMNS),
          columnsBefore: before && new FigureColumns(before, MAX_COLUMNS),
        };
        return;
      } catch (error) {
        this.options.log.error({ err: error, object: record.objectKey }, 'a snapshot cannot be used');
      }
    }
  }

  private async readSnapshot(record: SnapshotRecord): Promise<MarketSnapshot> {
    if (!record.means) throw new Error('the snapshot has no means');
    const bars = decodeBars(await this.read(record));
    const { instrumentIds, running, lastSplits } = decodeMeans(await this.read(record.means));
    if (bars.instrumentIds.join() !== instrumentIds.join()) throw new Error('bars and means are not of one snapshot');
    return { ...bars, running, lastSplits };
  }

  /** The bytes of an object. Throws unless length and checksum are those of the record. */
  private async read({ objectKey, bytes, checksum }: SnapshotObject): Promise<Uint8Array> {
    const stream = await this.options.storage.get(objectKey);
    if (!stream) throw new Error('the object is not there');
    // A buffer of its own is aligned, so that columns of 8-byte numbers can be read in place.
    const content = new Uint8Array(new ArrayBuffer(bytes));
    const hash = createHash('sha256');
    let at = 0;
    for await (const chunk of stream) {
      if (at + chunk.length > bytes) throw new Error('the object is longer than it was');
      content.set(chunk, at);
      hash.update(chunk);
      at += chunk.length;
    }
    if (at !== bytes || hash.digest('hex') !== checksum) throw new Error('the object is not what was written');
    return content;
  }

  async close(): Promise<void> {
    await this.listener?.close();
    await this.refresher.close();
  }
}
