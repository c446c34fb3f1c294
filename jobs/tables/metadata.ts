/** The metadata of a table after a commit, and after the expiry of snapshots. */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { TablePointer } from '../../db/lake/lake-tables.ts';
import { tableMetadataKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { LakeTable } from '../contracts/lake.ts';
import { type FieldIds, lastPartitionId, partitionSpec, type Schema, schemaOf, sortOrder } from './schema.ts';

/** Earlier metadata files that are kept. */
const MAX_LOGGED = 10;

/** The changes of a commit. */
export interface TableChange {
  readonly table: LakeTable;
  readonly fieldIds: FieldIds;
  /** Null: the rows are unchanged. */
  readonly snapshot: Snapshot | null;
  /** Tags that name the current snapshot from now on, unless they are taken. */
  readonly tags: readonly string[];
  /** Unix ms. */
  readonly at: number;
  /** The metadata file that this one replaces. */
  readonly replaces: string | null;
}

/** The schema of a table with these columns: a known one if none of them changed. */
export function nextSchema(previous: TableMetadata | null, table: LakeTable, fieldIds: FieldIds): Schema {
  const ids = previous?.schemas.map((schema) => schema['schema-id']) ?? [];
  const fresh = schemaOf(table.columns, fieldIds, Math.max(-1, ...ids) + 1);
  const known = previous?.schemas.find(({ fields }) => isDeepStrictEqual(fields, fresh.fields));
  return known ? { ...fresh, 'schema-id': known['schema-id'] } : fresh;
}

/** The metadata after a commit. `previous`: null for the first one. */
export function nextMetadata(previous: TableMetadata | null, location: string, change: TableChange): TableMetadata {
  const { table, fieldIds, snapshot, tags, at, replaces } = change;
  const schema = nextSchema(previous, table, fieldIds);
  const schemas = previous?.schemas.filter((one) => one['schema-id'] !== schema['schema-id']) ?? [];
  const current = snapshot?.['snapshot-id'] ?? previous?.['current-snapshot-id'];
  if (current === undefined) throw new Error(`the first commit of ${table.name} has no snapshot`);
  const named = tags.filter((tag) => previous?.refs[tag] === undefined);
  const logged = snapshot ? [{ 'snapshot-id': current, 'timestamp-ms': snapshot['timestamp-ms'] }] : [];
  const replaced = replaces === null ? [] : [{ 'metadata-file': replaces, 'timestamp-ms': at }];
  return {
    'format-version': 2,
    'table-uuid': previous?.['table-uuid'] ?? randomUUID(),
    location,
    'last-sequence-number': snapshot?.['sequence-number'] ?? previous?.['last-sequence-number'] ?? 0,
    'last-updated-ms': at,
    'last-column-id': Math.max(...Object.values(fieldIds)),
    'current-schema-id': schema['schema-id'],
    schemas: [...schemas, { ...schema, fields: [...schema.fields] }],
    'default-spec-id': 0,
    'partition-specs': [partitionSpec(table, schema)],
    'last-partition-id': lastPartitionId(table),
    'default-sort-order-id': 1,
    'sort-orders': [sortOrder(table, schema)],
    properties: { 'write.format.default': 'parquet', 'write.parquet.compression-codec': 'zstd' },
    'current-snapshot-id': current,
    refs: {
      ...previous?.refs,
      main: { 'snapshot-id': current, type: 'branch' },
      ...Object.fromEntries(named.map((tag) => [tag, { 'snapshot-id': current, type: 'tag' as const }])),
    },
    snapshots: [...(previous?.snapshots ?? []), ...(snapshot ? [snapshot] : [])],
    'snapshot-log': [...(previous?.['snapshot-log'] ?? []), ...logged],
    'metadata-log': [...(previous?.['metadata-log'] ?? []), ...replaced].slice(-MAX_LOGGED),
  };
}

/** Snapshots that were made before an instant (Unix ms), except the current one. */
export function expiredSnapshots(metadata: TableMetadata, before: number): Snapshot[] {
  return metadata.snapshots.filter(
    (one) => one['timestamp-ms'] < before && one['snapshot-id'] !== metadata['current-snapshot-id'],
  );
}

/** The metadata without some snapshots and their tags. */
export function withoutSnapshots(metadata: TableMetadata, gone: readonly Snapshot[], at: number): TableMetadata {
  const ids = new Set(gone.map((one) => one['snapshot-id']));
  const isKept = (one: { readonly 'snapshot-id': number }) => !ids.has(one['snapshot-id']);
  const log = metadata['snapshot-log'];
  // An entry is valid only if every later one names a kept snapshot.
  const from = log.findLastIndex((one) => !isKept(one)) + 1;
  return {
    ...metadata,
    'last-updated-ms': at,
    snapshots: metadata.snapshots.filter(isKept),
    refs: Object.fromEntries(Object.entries(metadata.refs).filter(([, ref]) => isKept(ref))),
    'snapshot-log': log.slice(from),
  };
}

const schemaSchema = z.looseObject({
  type: z.literal('struct'),
  'schema-id': z.int(),
  fields: z.array(z.looseObject({ id: z.int(), name: z.string(), required: z.boolean(), type: z.string() })),
});

const snapshotSchema = z.looseObject({
  'snapshot-id': z.int(),
  'parent-snapshot-id': z.int().optional(),
  'sequence-number': z.int(),
  'timestamp-ms': z.int(),
  'manifest-list': z.string(),
  'schema-id': z.int(),
  summary: z.record(z.string(), z.string()),
});

/** A snapshot of a table. */
export type Snapshot = z.output<typeof snapshotSchema>;

/** The part of the format that tables of the lake use. */
const metadataSchema = z.looseObject({
  'format-version': z.literal(2),
  'table-uuid': z.uuid(),
  location: z.string(),
  'last-sequence-number': z.int(),
  'last-updated-ms': z.int(),
  'last-column-id': z.int(),
  'current-schema-id': z.int(),
  schemas: z.array(schemaSchema),
  'current-snapshot-id': z.int(),
  refs: z.record(z.string(), z.object({ 'snapshot-id': z.int(), type: z.enum(['branch', 'tag']) })),
  snapshots: z.array(snapshotSchema),
  'snapshot-log': z.array(z.object({ 'snapshot-id': z.int(), 'timestamp-ms': z.int() })),
  'metadata-log': z.array(z.object({ 'metadata-file': z.string(), 'timestamp-ms': z.int() })),
});

export type TableMetadata = z.output<typeof metadataSchema>;

/** The metadata in the bytes of a metadata file. Throws when it is damaged. */
function parseMetadata(content: Buffer): TableMetadata {
  return metadataSchema.parse(JSON.parse(content.toString()));
}

const metadataName = (version: number) => `v${version}.metadata.json`;

export function metadataKey(table: string, version: number): string {
  return tableMetadataKey(table, metadataName(version));
}

/** The current metadata of a table; null: the storage has lost it. Throws when it is damaged. */
export async function readMetadata(
  storage: ObjectStorage,
  { name, version }: Pick<TablePointer, 'name' | 'version'>,
): Promise<TableMetadata | null> {
  return readMetadataAt(storage, metadataKey(name, version));
}

/** The metadata in an object; null: there is none. Throws when it is damaged. */
export async function readMetadataAt(storage: ObjectStorage, key: string): Promise<TableMetadata | null> {
  const content = await storage.get(key);
  return content && parseMetadata(await buffer(content));
}
