/** The answers of the Iceberg REST catalog: namespaces, tables, and views, read-only. */
import { selectTablePointer, selectTablePointers } from '../../db/lake/lake-tables.ts';
import type { Pool } from '../../db/pool.ts';
import { MARKET_NAMESPACE } from '../../jobs/contracts/lake.ts';
import { keptMetadata } from '../../jobs/tables/kept-table.ts';
import { metadataKey, readMetadata, type TableMetadata } from '../../jobs/tables/metadata.ts';
import { tablePrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { ADJUSTED_VIEW, adjustedView } from './adjusted-view.ts';
import { findResearch, listResearch, RESEARCH_NAMESPACE } from './research.ts';

/** The names of errors that clients of the catalog tell apart. */
export type CatalogErrorType =
  | 'BadRequestException'
  | 'NotAuthorizedException'
  | 'ForbiddenException'
  | 'NoSuchNamespaceException'
  | 'NoSuchTableException'
  | 'NoSuchViewException'
  | 'NoSuchSnapshotException'
  | 'NotFoundException'
  | 'TooManyRequestsException'
  | 'ServiceUnavailableException'
  | 'InternalServerError';

/** A refusal in the catalog's own words. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  readonly status: number;
  readonly type: CatalogErrorType;

  constructor(status: number, type: CatalogErrorType, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** The name of an error that has only a status. */
export function typeOfStatus(status: number): CatalogErrorType {
  if (status === 401) return 'NotAuthorizedException';
  if (status === 403) return 'ForbiddenException';
  if (status === 404) return 'NotFoundException';
  if (status === 429) return 'TooManyRequestsException';
  if (status < 500) return 'BadRequestException';
  return status === 503 ? 'ServiceUnavailableException' : 'InternalServerError';
}

export interface CatalogServices {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
  readonly now: () => number;
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

const NAMESPACES: readonly string[] = [MARKET_NAMESPACE, RESEARCH_NAMESPACE];

/** Top-level namespaces; none lies below another. */
export const listNamespaces = (parent: string | undefined) => {
  if (parent !== undefined && parent !== '') assertNamespace(parent);
  return { namespaces: parent ? [] : NAMESPACES.map((name) => [name]) };
};

export function getNamespace(namespace: string) {
  assertNamespace(namespace);
  return { namespace: [namespace], properties: {} };
}

function assertNamespace(namespace: string): void {
  if (NAMESPACES.includes(namespace)) return;
  throw new CatalogError(404, 'NoSuchNamespaceException', `Namespace does not exist: ${namespace}`);
}

const identifier = (namespace: string, name: string) => ({ namespace: [namespace], name });

/** `userId`: the account of the caller, which sees the tables of its own kept runs only. */
export async function listTables(services: CatalogServices, userId: number, namespace: string) {
  assertNamespace(namespace);
  const names =
    namespace === RESEARCH_NAMESPACE
      ? await listResearch(services, userId)
      : (await selectTablePointers(services.pool)).map(({ name }) => name.slice(MARKET_NAMESPACE.length + 1));
  return { identifiers: names.map((name) => identifier(namespace, name)) };
}

/** A table that the caller may read. */
export interface CatalogTable {
  /** Changes with every version of the table. */
  readonly tag: string;
  readonly metadataKey: string;
  /** Whether only this service gives its files to the caller, also where there is a bucket. */
  readonly isOwn: boolean;
  /** Null: its files are gone. */
  readonly read: () => Promise<TableMetadata | null>;
}

export async function findTable(
  services: CatalogServices,
  userId: number,
  namespace: string,
  table: string,
): Promise<CatalogTable> {
  assertNamespace(namespace);
  const found =
    namespace === RESEARCH_NAMESPACE ? await ownTable(services, userId, table) : await marketTable(services, table);
  if (!found) throw noSuchTable(namespace, table);
  return found;
}

const noSuchTable = (namespace: string, table: string) =>
  new CatalogError(404, 'NoSuchTableException', `Table does not exist: ${namespace}.${table}`);

async function ownTable(services: CatalogServices, userId: number, table: string): Promise<CatalogTable | null> {
  const kept = await findResearch(services, userId, table);
  if (!kept) return null;
  const { metadataKey: key, at } = kept;
  const read = async () => {
    const metadata = await keptMetadata(services.storage, kept);
    if (!metadata) throw noSuchTable(RESEARCH_NAMESPACE, table);
    return metadata;
  };
  return { tag: `${table}-${at.getTime()}`, metadataKey: key, isOwn: true, read };
}

async function marketTable({ pool, storage }: CatalogServices, table: string): Promise<CatalogTable | null> {
  const pointer = await selectTablePointer(pool, `${MARKET_NAMESPACE}.${table}`);
  if (!pointer) return null;
  const { name, tableUuid, version } = pointer;
  const read = () =>
    readMetadata(storage, pointer).catch((error) => {
      throw new Error(`the metadata of ${name} cannot be read`, { cause: error });
    });
  return { tag: `${tableUuid}-${version}`, metadataKey: metadataKey(name, version), isOwn: false, read };
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
  table: CatalogTable,
  { snapshots, snapshot }: LoadOptions,
  config: Readonly<Record<string, string>>,
) {
  const found = await table.read();
  if (!found) throw new Error(`the storage has lost ${table.metadataKey}`);
  const metadata = snapshot === null ? found : atSnapshot(found, snapshot);
  return {
    'metadata-location': storage.locationOf(table.metadataKey),
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
  return { identifiers: namespace === MARKET_NAMESPACE ? [identifier(namespace, ADJUSTED_VIEW)] : [] };
}

export async function loadView(services: CatalogServices, namespace: string, view: string) {
  assertNamespace(namespace);
  const pointer = await selectTablePointer(services.pool, `${MARKET_NAMESPACE}.daily_bars`);
  if (namespace !== MARKET_NAMESPACE || view !== ADJUSTED_VIEW || !pointer) {
    throw new CatalogError(404, 'NoSuchViewException', `View does not exist: ${namespace}.${view}`);
  }
  const location = services.storage.locationOf(tablePrefix(`${MARKET_NAMESPACE}.${ADJUSTED_VIEW}`));
  return adjustedView(location, pointer.committedAt.getTime());
}
