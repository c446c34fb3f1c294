/** The metadata of a table as Iceberg v2 defines it: its schemas, its snapshots, and their names. */
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { TablePointer } from '../../db/lake/lake-tables.ts';
import { tableMetadataKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';

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
