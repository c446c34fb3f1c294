/** Reads the manifests of snapshots: the files that a table had. */
import { buffer } from 'node:stream/consumers';
import avro from 'avsc';
import type { TablePointer } from '../../db/lake/lake-tables.ts';
import { required } from '../../engine/util/values.ts';
import { tablePrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { STATUS } from './manifests.ts';
import type { Snapshot } from './metadata.ts';

/** A data file as a manifest names it. */
export interface DataFile {
  readonly file_path: string;
  readonly partition: Readonly<Record<string, string | number>>;
  readonly record_count: number;
  readonly file_size_in_bytes: number;
  readonly null_value_counts: Figures<number>;
  readonly lower_bounds: Figures<Buffer>;
  readonly upper_bounds: Figures<Buffer>;
}

/** By field id; null: they are not known. */
type Figures<Value> = readonly { readonly key: number; readonly value: Value }[] | null;

/** A stored manifest and the files of its snapshot. */
export interface ReadManifest {
  readonly key: string;
  readonly files: readonly DataFile[];
}

type Table = Pick<TablePointer, 'name' | 'location'>;

/** The key of an object of a table, by its address. */
export function tableObjectKey({ name, location }: Table, address: string): string {
  return `${tablePrefix(name)}${address.slice(location.length)}`;
}

interface ManifestEntry {
  readonly status: number;
  readonly data_file: DataFile;
}

/** The manifests of a snapshot, without the files that it deleted. */
export async function* readManifests(
  storage: ObjectStorage,
  table: Table,
  { 'manifest-list': list }: Snapshot,
): AsyncGenerator<ReadManifest> {
  const manifests = await decode<{ manifest_path: string }>(storage, tableObjectKey(table, list));
  for (const { manifest_path: path } of manifests) {
    const key = tableObjectKey(table, path);
    const entries = await decode<ManifestEntry>(storage, key);
    const live = entries.filter(({ status }) => status !== STATUS.deleted);
    yield { key, files: live.map((entry) => entry.data_file) };
  }
}

async function decode<Row>(storage: ObjectStorage, key: string): Promise<Row[]> {
  const content = await buffer(required(await storage.get(key), key));
  const decoder = new avro.streams.BlockDecoder();
  decoder.end(content);
  return Array.fromAsync<Row>(decoder);
}
