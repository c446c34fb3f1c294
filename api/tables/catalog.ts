/** The answers of the Iceberg REST catalog: namespaces, tables, and views of the market, read-only. */
import { selectTablePointer, selectTablePointers, type TablePointer } from '../../db/lake/lake-tables.ts';
import type { Pool } from '../../db/pool.ts';
import { MARKET_NAMESPACE } from '../../jobs/contracts/lake.ts';
import type { TableMetadata } from '../../jobs/tables/read-metadata.ts';
import { metadataKey, readMetadata } from '../../jobs/tables/read-metadata.ts';
import { tablePrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { ADJUSTED_VIEW, adjustedView } from './adjusted-view.ts';
import { CatalogError } from './catalog-error.ts';

export interface CatalogServices {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
}

/** The calls of the catalog, which its clients ask for first. */
const ENDPOINTS = [
  'GET /v1/{prefix}/namespaces',
  'GET /v1/{prefix}/namespaces/{namespace}',
  'HEAD /v1/{prefix}/namespaces/{namespace}',
  'GET /v1/{prefix}/namespaces/{namespace}/tables',
  'GET /v1/{prefix}/namespaces/{namespace}/tables/{table}',
  'HEAD /v1/{prefix}/namespaces/{namespace}/tables/{table}',
  'POST /v1/{prefix}/namespaces/{namespace}/tables/{table}/metrics',
  'GET /v1/{prefix}/namespaces/{namespace}/views',
  'GET /v1/{prefix}/namespaces/{namespace}/views/{view}',
  'HEAD /v1/{prefix}/namespaces/{namespace}/views/{view}',
];

export const catalogConfig = () => ({ defaults: {}, overrides: {}, endpoints: ENDPOINTS });

/** Top-level namespaces; none lies below another. */
export const listNamespaces = (parent: string | undefined) => {
  if (parent !== undefined && parent !== '') assertNamespace(parent);
  return { namespaces: parent ? [] : [[MARKET_NAMESPACE]] };
};

export function getNamespace(namespace: string) {
  assertNamespace(namespace);
  return { namespace: [MARKET_NAMESPACE], properties: {} };
}

function assertNamespace(namespace: string): void {
  if (namespace === MARKET_NAMESPACE) return;
  throw new CatalogError(404, 'NoSuchNamespaceException', `Namespace does not exist: ${namespace}`);
}

const identifier = (name: string) => ({ namespace: [MARKET_NAMESPACE], name });

export async function listTables({ pool }: CatalogServices, namespace: string) {
  assertNamespace(namespace);
  const names = (await selectTablePointers(pool)).map(({ name }) => name.slice(MARKET_NAMESPACE.length + 1));
  return { identifiers: names.map(identifier) };
}

export async function findTable({ pool }: CatalogServices, namespace: string, table: string): Promise<TablePointer> {
  assertNamespace(namespace);
  const pointer = await selectTablePointer(pool, `${MARKET_NAMESPACE}.${table}`);
  if (!pointer) throw new CatalogError(404, 'NoSuchTableException', `Table does not exist: ${namespace}.${table}`);
  return pointer;
}

export interface LoadOptions {
  /** `refs`: only snapshots that a branch or tag names. */
  readonly snapshots: 'all' | 'refs';
  /** The snapshot that the table shall show; null: the current one. */
  readonly snapshot: number | null;
}

/** A table as clients load it. `config`: how they reach its files. */
export async function loadTable(
  { storage }: CatalogServices,
  pointer: TablePointer,
  { snapshots, snapshot }: LoadOptions,
  config: Readonly<Record<string, string>>,
) {
  const found = await readMetadata(storage, pointer).catch((error) => {
    throw new Error(`the metadata of ${pointer.name} cannot be read`, { cause: error });
  });
  if (!found) throw new Error(`the storage has lost the metadata of ${pointer.name}`);
  const metadata = snapshot === null ? found : atSnapshot(found, snapshot);
  return {
    'metadata-location': storage.locationOf(metadataKey(pointer.name, pointer.version)),
    metadata: snapshots === 'refs' ? namedOnly(metadata) : metadata,
    config,
  };
}

/** The table as it was at a kept snapshot, for engines that cannot ask for one. */
function atSnapshot(metadata: TableMetadata, id: number): TableMetadata {
  const { snapshots } = metadata;
  const found = snapshots.find((one) => one['snapshot-id'] === id);
  if (!found) {
    const [first, last] = [snapshots[0], snapshots[snapshots.length - 1]].map((one) =>
      new Date(one['timestamp-ms']).toISOString(),
    );
    const kept = `${snapshots.length} snapshots from ${first} to ${last} are kept`;
    throw new CatalogError(404, 'NoSuchSnapshotException', `Snapshot ${id} is unknown or has expired: ${kept}`);
  }
  return {
    ...metadata,
    'current-snapshot-id': id,
    'current-schema-id': found['schema-id'],
    refs: { ...metadata.refs, main: { 'snapshot-id': id, type: 'branch' } },
  };
}

function namedOnly(metadata: TableMetadata): TableMetadata {
  const named = new Set(Object.values(metadata.refs).map((ref) => ref['snapshot-id']));
  return { ...metadata, snapshots: metadata.snapshots.filter((one) => named.has(one['snapshot-id'])) };
}

export function listViews(namespace: string) {
  assertNamespace(namespace);
  return { identifiers: [identifier(ADJUSTED_VIEW)] };
}

export async function loadView(services: CatalogServices, namespace: string, view: string) {
  assertNamespace(namespace);
  const pointer = await selectTablePointer(services.pool, `${MARKET_NAMESPACE}.daily_bars`);
  if (view !== ADJUSTED_VIEW || !pointer) {
    throw new CatalogError(404, 'NoSuchViewException', `View does not exist: ${namespace}.${view}`);
  }
  const location = services.storage.locationOf(tablePrefix(`${MARKET_NAMESPACE}.${ADJUSTED_VIEW}`));
  return adjustedView(location, pointer.committedAt.getTime());
}
