/** Measures what a commit of tables adds to writing their files, and what a reader of one instrument reads. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import type { Lake, LakeFile } from '../../../db/lake/lake-files.ts';
import { selectTablePointer } from '../../../db/lake/lake-tables.ts';
import { type Pool, readTransaction, transaction } from '../../../db/pool.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { LAKE_SCHEMA } from '../../../jobs/contracts/lake.ts';
import { barFile } from '../../../jobs/lake/bar-files.ts';
import { LocalFile } from '../../../jobs/lake/local-file.ts';
import { type LakeSource, readLakeSource } from '../../../jobs/lake/source.ts';
import { commitTables } from '../../../jobs/tables/commit.ts';
import { readMetadata } from '../../../jobs/tables/metadata.ts';
import { readManifests } from '../../../jobs/tables/read-snapshot.ts';
import { lakeDataKey } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { BENCH_NOW, BENCH_VENUE_BASIS, BENCH_YEARS, type Bench, ensureLoaded } from './market.ts';
import { figure, ratioFigure, timed } from './measure.ts';

/** The share of the bytes of a file that a reader of one instrument reads: its row group and the footer. */
function shareOfOne(file: Buffer): number {
  const { row_groups: groups, metadata_length: footer } = parquetMetadata(new Uint8Array(file).buffer);
  const sizes = groups.map(({ columns }) =>
    columns.reduce((sum, { meta_data: meta }) => sum + Number(meta?.total_compressed_size ?? 0), 0),
  );
  return (Math.max(...sizes) + footer) / file.length;
}

/** Writes and stores the bars of a year, as the job does. */
async function writeYear(source: LakeSource, year: number, folder: string, storage: ObjectStorage): Promise<LakeFile> {
  const bars = required(source.years.find((one) => one.year === year && one.venueBasis === BENCH_VENUE_BASIS));
  const path = `daily_bars/venue_mode=${BENCH_VENUE_BASIS}/year=${year}/part-0.parquet`;
  const local = await LocalFile.create(folder, path, '');
  for await (const piece of barFile(source, bars)) await local.add(piece);
  const { open, ...file } = await local.end();
  await storage.put(lakeDataKey(file), open());
  return { ...file, snapshotId: null, sequenceNumber: null };
}

/** Reads what a reader of one instrument reads before the file. */
async function plan(pool: Pool, storage: ObjectStorage): Promise<void> {
  const pointer = required(await selectTablePointer(pool, 'market.daily_bars'));
  const metadata = required(await readMetadata(storage, pointer));
  const snapshot = required(metadata.snapshots.find((one) => one['snapshot-id'] === metadata['current-snapshot-id']));
  await Array.fromAsync(readManifests(storage, pointer, snapshot));
}

const benchTables: Bench = async (market) => {
  await ensureLoaded(market);
  const folder = join(market.directory, 'tables');
  rmSync(folder, { recursive: true, force: true });
  const work = join(folder, 'work');
  mkdirSync(work, { recursive: true });
  const storage = openStorage({ folder });
  const last = BENCH_YEARS[BENCH_YEARS.length - 1];
  return readTransaction(market.pool, async (connection) => {
    const source = await readLakeSource(connection, dayOf(last, 12, 31));
    const [whole, written]: [number[], number[]] = [[], []];
    let files: LakeFile[] = [];
    // A round is a year, which a commit adds to those before.
    for (const year of BENCH_YEARS) {
      const earlier = files;
      const ms = await timed(async () => {
        files = [...earlier, await writeYear(source, year, work, storage)];
      });
      const day = `${year}-12-31`;
      const lake: Lake = {
        schemaVersion: LAKE_SCHEMA,
        dataVersion: day,
        through: day,
        newestSession: day,
        writtenAt: new Date(BENCH_NOW),
      };
      const commit = { lake, files, earlier, fieldIds: source.fieldIds };
      const commitMs = await timed(async () => {
        files = await transaction(market.pool, (own) => commitTables(own, storage, commit));
      });
      written.push(ms);
      whole.push(ms + commitMs);
    }
    const plans: number[] = [];
    for (const _ of BENCH_YEARS) plans.push(await timed(() => plan(market.pool, storage)));
    const newest = readFileSync(join(folder, lakeDataKey(required(files.at(-1)))));
    return new Map([
      [
        'tables.commit_time_vs_write',
        ratioFigure(whole, written, 'ms', 'writing the bars of a year, with and without its commit'),
      ],
      [
        'tables.symbol_bytes',
        figure(shareOfOne(newest), `of the bars of ${last}, for one instrument, with the footer`),
      ],
      ['tables.plan_ms', figure(plans, 'the metadata, the list of manifests, and the manifest of all bars')],
    ]);
  });
};

export const TABLES = { tables: benchTables };
