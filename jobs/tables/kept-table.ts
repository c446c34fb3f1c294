/**
 * A table over the one Parquet file of a kept run. Its only snapshot follows from the file, so that every call which finds none stored
 * stores the same one. All of its objects have the prefix of the run, and are removed with it.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FileStatistics } from '../../db/schema/lake.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { LakeTable } from '../contracts/lake.ts';
import type { ParquetColumn } from '../parquet/parquet-file.ts';
import { encodeManifest, encodeManifestList, STATUS } from './manifests.ts';
import { nextMetadata, readMetadataAt, type Snapshot, type TableMetadata } from './metadata.ts';
import { assignFieldIds, type Schema, schemaOf } from './schema.ts';

/** A stored Parquet file. */
export interface KeptFile {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly statistics: FileStatistics;
}

export interface KeptTable {
  /** Without its namespace. */
  readonly name: string;
  readonly uuid: string;
  readonly columns: readonly ParquetColumn[];
  /** Columns that its rows are sorted by. */
  readonly sort: readonly string[];
  /** The key of its metadata file. */
  readonly metadataKey: string;
  /** The prefix of its objects, which ends with a slash. */
  readonly prefix: string;
  /** When its run ended. */
  readonly at: Date;
  /** Stores the file unless it is stored; null: it is gone. */
  readonly file: () => Promise<KeptFile | null>;
}

/** The metadata of the table, which is stored at the first call; null: its file is gone. */
export async function keptMetadata(storage: ObjectStorage, kept: KeptTable): Promise<TableMetadata | null> {
  const { metadataKey, prefix } = kept;
  const location = storage.locationOf(prefix).replace(/\/$/, '');
  const known = await readMetadataAt(storage, metadataKey);
  // Addresses are part of the metadata, so a table that has moved to another storage is stored again.
  if (known?.location === location) return known;
  const file = await kept.file();
  return file && storeTable(storage, kept, location, file);
}

const SEQUENCE_NUMBER = 1;

async function storeTable(
  storage: ObjectStorage,
  { name, uuid, columns, sort, metadataKey, prefix, at }: KeptTable,
  location: string,
  file: KeptFile,
): Promise<TableMetadata> {
  const table: LakeTable = { name, columns, partitions: [], sort };
  const fieldIds = assignFieldIds(columns, {});
  const schema = schemaOf(columns, fieldIds, 0);
  const digest = createHash('sha256').update(`${location} ${file.sha256}`).digest();
  // Below 2^52, so that JSON and JavaScript keep it whole.
  const snapshotId = Number(digest.readBigUInt64BE() >> 12n);
  const { rows, bytes, statistics } = file;
  const entry = { path: `${name}.parquet`, location: storage.locationOf(file.key), rows, bytes, statistics };
  const files = [{ ...entry, status: STATUS.added, snapshotId, sequenceNumber: SEQUENCE_NUMBER }];
  const manifest = await encodeManifest(table, schema, files);
  const manifestKey = `${prefix}metadata/${snapshotId}-m0.avro`;
  await storage.put(manifestKey, Readable.from([manifest]));
  const stored = { location: storage.locationOf(manifestKey), bytes: manifest.length, files };
  const numbers = { snapshotId, parentId: null, sequenceNumber: SEQUENCE_NUMBER };
  const listKey = `${prefix}metadata/snap-${snapshotId}.avro`;
  await storage.put(listKey, Readable.from([await encodeManifestList(table, schema, stored, numbers)]));
  const snapshot: Snapshot = {
    'snapshot-id': snapshotId,
    'sequence-number': SEQUENCE_NUMBER,
    'timestamp-ms': at.getTime(),
    'manifest-list': storage.locationOf(listKey),
    'schema-id': schema['schema-id'],
    summary: {
      operation: 'append',
      'added-data-files': '1',
      'added-records': String(rows),
      'total-records': String(rows),
    },
  };
  const change = { table, fieldIds, snapshot, tags: [], at: at.getTime(), replaces: null };
  const metadata: TableMetadata = {
    ...nextMetadata(null, location, change),
    'table-uuid': uuid,
    properties: { 'schema.name-mapping.default': JSON.stringify(nameMapping(schema)) },
  };
  await storage.put(metadataKey, Readable.from([JSON.stringify(metadata)]));
  return metadata;
}

/** For files that a version before wrote, which have no field ids. */
const nameMapping = ({ fields }: Schema) => fields.map(({ id, name }) => ({ 'field-id': id, names: [name] }));
