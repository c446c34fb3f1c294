/**
 * Commits the files of the lake to its tables: stores the objects that describe the next version of each table, and moves the pointers
 * of all tables in one transaction with the list of files. Nothing that is stored before is visible to readers, so a writer may die at
 * any step; what it leaves is removed as orphans.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Lake, type LakeFile, lockHints } from '../../db/lake/lake-files.ts';
import {
  deleteSnapshots,
  insertSnapshot,
  moveTablePointer,
  selectTablePointers,
  type TablePointer,
} from '../../db/lake/lake-tables.ts';
import type { Connection } from '../../db/pool.ts';
import { required } from '../../engine/util/values.ts';
import { tableDataKey, tableMetadataKey, tablePrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { LAKE_TABLES, type LakeTable, MARKET_NAMESPACE } from '../contracts/lake.ts';
import { encodeManifest, encodeManifestList, type ManifestFile, STATUS } from './manifests.ts';
import { metadataKey, nextMetadata, nextSchema, readMetadata, type Snapshot, type TableMetadata } from './metadata.ts';
import type { FieldIds, Schema } from './schema.ts';

/** Another writer has committed since this one read the lake. It must start again from the new state. */
export class LakeMoved extends Error {
  override readonly name = 'LakeMoved';
}

export interface Commit {
  readonly lake: Lake;
  /** All files of the new lake. */
  readonly files: readonly LakeFile[];
  /** All files of the lake that it was made from. */
  readonly earlier: readonly LakeFile[];
  readonly fieldIds: ReadonlyMap<string, FieldIds>;
}

/** The next version of a table, stored but not visible yet. */
interface NextVersion {
  /** The version that it follows; null: it is the first. */
  readonly from: number | null;
  readonly pointer: TablePointer;
  /** Null: only names of snapshots have changed. */
  readonly snapshot: Snapshot | null;
  /** Whether no snapshot of earlier versions is kept. */
  readonly isNew: boolean;
}

/**
 * Stores the next versions of all tables and moves their pointers, in the caller's transaction. Returns the files with the snapshots
 * that have added them.
 *
 * @throws {LakeMoved} when another writer was first
 */
export async function commitTables(
  connection: Connection,
  storage: ObjectStorage,
  commit: Commit,
): Promise<LakeFile[]> {
  const pointers = new Map((await selectTablePointers(connection)).map((pointer) => [pointer.name, pointer]));
  // One moment for all tables, after all earlier ones: by it a table is found as it was after a write that did not change it.
  const earlier = [...pointers.values()].map(({ committedAt }) => committedAt.getTime() + 1);
  const at = Math.max(commit.lake.writtenAt.getTime(), ...earlier);
  const files: LakeFile[] = [];
  const versions: NextVersion[] = [];
  for (const table of LAKE_TABLES) {
    const name = fullName(table);
    const next = await storeVersion(storage, commit, at, table, pointers.get(name) ?? null);
    files.push(...next.files);
    if (next.version) versions.push(next.version);
  }
  for (const version of versions) await publishVersion(connection, commit.lake, version);
  return files;
}

const fullName = ({ name }: LakeTable) => `${MARKET_NAMESPACE}.${name}`;

async function publishVersion(connection: Connection, lake: Lake, version: NextVersion): Promise<void> {
  const { from, pointer, snapshot, isNew } = version;
  if (!(await moveTablePointer(connection, from, pointer))) throw new LakeMoved(`${pointer.name} has moved`);
  if (isNew) await deleteSnapshots(connection, pointer.name, null);
  if (snapshot === null) return;
  await insertSnapshot(connection, pointer.name, snapshot['snapshot-id'], lake.dataVersion, pointer.committedAt);
}

const ofTable = (table: LakeTable, files: readonly LakeFile[]) =>
  files.filter(({ path }) => path === `${table.name}.parquet` || path.startsWith(`${table.name}/`));

async function storeVersion(
  storage: ObjectStorage,
  { lake, files, earlier, fieldIds }: Commit,
  writtenAt: number,
  table: LakeTable,
  current: TablePointer | null,
): Promise<{ files: LakeFile[]; version: NextVersion | null }> {
  const name = fullName(table);
  const location = storage.locationOf(tablePrefix(name));
  // Addresses are part of the metadata, so a table that has moved to another storage is new.
  const previous = current?.location === location ? await readMetadata(storage, current) : null;
  const isNew = previous === null;
  const ids = required(fieldIds.get(table.name), `the field ids of ${name}`);
  const schema = nextSchema(previous, table, ids);
  const snapshotId = newSnapshotId();
  const sequenceNumber = (previous?.['last-sequence-number'] ?? 0) + 1;
  const known = new Map(isNew ? [] : ofTable(table, earlier).map((file) => [file.path, file]));
  const own = ofTable(table, files).map((file): LakeFile => {
    const kept = known.get(file.path);
    const isKept = kept?.sha256 === file.sha256 && kept.snapshotId !== null;
    return isKept ? { ...file, ...snapshotOf(kept) } : { ...file, snapshotId, sequenceNumber };
  });
  const isAdded = (file: LakeFile) => file.snapshotId === snapshotId;
  const present = new Set(own.map(({ sha256 }) => sha256));
  const gone = [...known.values()].filter((file) => file.snapshotId !== null && !present.has(file.sha256));
  const change = { added: own.filter(isAdded), gone, own };
  const isChanged = isNew || change.added.length > 0 || gone.length > 0;
  const tags = [`session-${lake.newestSession}`];
  if (!isChanged && tags.every((tag) => previous.refs[tag])) return { files: own, version: null };
  const at = Math.max(writtenAt, (previous?.['last-updated-ms'] ?? 0) + 1);
  const numbers = { snapshotId, parentId: previous?.['current-snapshot-id'] ?? null, sequenceNumber };
  const snapshot = isChanged ? await storeSnapshot(storage, { table, schema, lake, at, change, numbers }) : null;
  const metadata = nextMetadata(previous, location, {
    table,
    fieldIds: ids,
    snapshot,
    tags,
    at,
    replaces: previous && current ? storage.locationOf(metadataKey(name, current.version)) : null,
  });
  const version = await storeMetadata(storage, name, metadata, (current?.version ?? 0) + 1);
  const pointer: TablePointer = {
    name,
    tableUuid: metadata['table-uuid'],
    location,
    version,
    snapshotId: metadata['current-snapshot-id'],
    sequenceNumber: metadata['last-sequence-number'],
    fieldIds: ids,
    committedAt: new Date(at),
  };
  return { files: own, version: { from: current?.version ?? null, pointer, snapshot, isNew } };
}

const snapshotOf = ({ snapshotId, sequenceNumber }: LakeFile) => ({ snapshotId, sequenceNumber });

/** Below 2^52, so that JSON and JavaScript keep it whole. */
function newSnapshotId(): number {
  return Number(randomBytes(8).readBigUInt64BE() >> 12n);
}

interface Changes {
  /** All files of the snapshot. */
  readonly own: readonly LakeFile[];
  readonly added: readonly LakeFile[];
  readonly gone: readonly LakeFile[];
}

interface SnapshotParts {
  readonly table: LakeTable;
  readonly schema: Schema;
  readonly lake: Lake;
  readonly at: number;
  readonly change: Changes;
  readonly numbers: {
    readonly snapshotId: number;
    readonly parentId: number | null;
    readonly sequenceNumber: number;
  };
}

/** Stores the manifest and the manifest list of a snapshot. */
async function storeSnapshot(storage: ObjectStorage, parts: SnapshotParts): Promise<Snapshot> {
  const { table, schema, lake, at, change, numbers } = parts;
  const { snapshotId, parentId, sequenceNumber } = numbers;
  const name = fullName(table);
  const files = manifestFiles(storage, name, change, snapshotId);
  const manifest = await encodeManifest(table, schema, files);
  const manifestKey = tableMetadataKey(name, `${snapshotId}-m0.avro`);
  await storage.put(manifestKey, Readable.from([manifest]));
  const stored = { location: storage.locationOf(manifestKey), bytes: manifest.length, files };
  const listKey = tableMetadataKey(name, `snap-${snapshotId}-${randomUUID()}.avro`);
  await storage.put(listKey, Readable.from([await encodeManifestList(table, schema, stored, numbers)]));
  return {
    'snapshot-id': snapshotId,
    ...(parentId === null ? {} : { 'parent-snapshot-id': parentId }),
    'sequence-number': sequenceNumber,
    'timestamp-ms': at,
    'manifest-list': storage.locationOf(listKey),
    'schema-id': schema['schema-id'],
    summary: summaryOf(lake, change),
  };
}

/** Files without rows are left out: they add nothing, and some readers refuse them. */
function manifestFiles(
  storage: ObjectStorage,
  name: string,
  { own, gone }: Changes,
  snapshotId: number,
): ManifestFile[] {
  const fileOf = (file: LakeFile, status: ManifestFile['status'], of: number): ManifestFile => ({
    status,
    snapshotId: of,
    sequenceNumber: required(file.sequenceNumber, 'a sequence number'),
    path: file.path,
    location: storage.locationOf(tableDataKey(name, file.sha256)),
    rows: file.rows,
    bytes: file.bytes,
    statistics: required(file.statistics, `the statistics of ${file.path}`),
  });
  const live = own.map((file) => {
    const of = required(file.snapshotId, 'a snapshot');
    return fileOf(file, of === snapshotId ? STATUS.added : STATUS.existing, of);
  });
  return [...live, ...gone.map((file) => fileOf(file, STATUS.deleted, snapshotId))].filter(({ rows }) => rows > 0);
}

const sumOf = (files: readonly LakeFile[], figure: 'rows' | 'bytes') =>
  files.reduce((sum, file) => sum + file[figure], 0);

/** The changes of a snapshot, in the words of Iceberg, and the version of its data. */
function summaryOf(lake: Lake, { own, added, gone }: Changes): Record<string, string> {
  const rowsBefore = new Map(gone.map(({ path, rows }) => [path, rows]));
  const after = new Map(added.map(({ path, rows }) => [path, rows]));
  const grown = [...after].map(([path, rows]) => rows - (rowsBefore.get(path) ?? 0));
  const emptied = gone.filter(({ path }) => !after.has(path)).map(({ rows }) => -rows);
  const changes = [...grown, ...emptied];
  const operation = gone.length === 0 ? 'append' : added.length === 0 ? 'delete' : 'overwrite';
  const figures: Record<string, number> = {
    'added-data-files': added.length,
    'deleted-data-files': gone.length,
    'added-records': sumOf(added, 'rows'),
    'deleted-records': sumOf(gone, 'rows'),
    'added-files-size': sumOf(added, 'bytes'),
    'removed-files-size': sumOf(gone, 'bytes'),
    'total-data-files': own.length,
    'total-records': sumOf(own, 'rows'),
    'total-files-size': sumOf(own, 'bytes'),
    'total-delete-files': 0,
    'total-position-deletes': 0,
    'total-equality-deletes': 0,
    'rows-added': changes.reduce((sum, rows) => sum + Math.max(0, rows), 0),
    'rows-removed': changes.reduce((sum, rows) => sum + Math.max(0, -rows), 0),
  };
  return {
    operation,
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)])),
    job: 'lake.write',
    'data-version': lake.dataVersion,
    'newest-session': lake.newestSession,
  };
}

/** Stores a metadata file under the first free number from `version` on, and returns the number. */
export async function storeMetadata(
  storage: ObjectStorage,
  table: string,
  metadata: TableMetadata,
  version: number,
): Promise<number> {
  const content = Buffer.from(JSON.stringify(metadata));
  // A writer that died, or has yet to find out that it is late, may have left the next number.
  for (let at = version; ; at++) if (await storage.putNew(metadataKey(table, at), content)) return at;
}

/** For readers without the catalog: names the current metadata file. */
export const VERSION_HINT = 'version-hint.text';

/**
 * Writes the version hints of all tables, in the caller's transaction, one caller at a time: a late one would name an earlier version.
 * Readers of the bucket see a commit only then.
 */
export async function writeVersionHints(connection: Connection, storage: ObjectStorage): Promise<void> {
  await lockHints(connection);
  for (const { name, version } of await selectTablePointers(connection)) {
    const key = tableMetadataKey(name, VERSION_HINT);
    const known = await storage.get(key);
    if (known && (await buffer(known)).toString() === String(version)) continue;
    await storage.put(key, Readable.from([String(version)]));
  }
}
