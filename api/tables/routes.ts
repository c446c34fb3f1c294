/** The sizes, columns, and snapshots of the market's tables: `/v1/tables`. Engines read the rows from the catalog. */
import { selectTablePointer, selectTableSizes, type TablePointer, type TableSize } from '../../db/lake/lake-tables.ts';
import type { Pool } from '../../db/pool.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import { LAKE_TABLES, MARKET_NAMESPACE } from '../../jobs/contracts/lake.ts';
import { readMetadata, type Snapshot, type TableMetadata } from '../../jobs/tables/metadata.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { type Route, routesWith } from '../call/route.ts';
import { instant, queryInteger, z } from '../http/input/fields.ts';
import type { MarketView } from '../market/market-view.ts';
import { ADJUSTED_VIEW } from './adjusted-view.ts';

interface Services {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
  readonly market: Pick<MarketView, 'whyNotReady'>;
  readonly publicApiBase: string;
}

const defineRoute = routesWith<Services>();

const sizeSchema = z.object({
  name: z.string(),
  snapshot_id: z.int().meta({ description: 'The current snapshot' }),
  committed_at: instant,
  rows: z.int(),
  bytes: z.int(),
  files: z.int(),
  snapshots: z.int().meta({ description: 'How many are kept' }),
});

const tablesSchema = z.object({
  catalog: z.string().meta({ description: 'The address of the Iceberg REST catalog' }),
  tables: z.array(sizeSchema),
  views: z.array(z.string()),
});

const snapshotSchema = z.object({
  snapshot_id: z.int(),
  committed_at: instant,
  data_version: z.string(),
  newest_session: z.iso.date(),
  rows_added: z.int(),
  rows_removed: z.int(),
  rows: z.int(),
  bytes: z.int(),
  tags: z.array(z.string()),
});

const tableSchema = sizeSchema.extend({
  partitions: z.array(z.string()),
  sort: z.array(z.string()),
  columns: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() })),
  newest_snapshots: z.array(snapshotSchema).meta({ description: 'Newest first' }),
});

const TAG = 'Files and SQL';

export const TABLE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listTables',
    method: 'get',
    path: '/v1/tables',
    tag: TAG,
    summary: 'List the Iceberg tables of the market',
    access: 'anyone',
    limit: 'public',
    caching: 'revalidated',
    dataSchema: tablesSchema,
    errors: ['files_unavailable'],
    handle: async ({ services: { pool, market, publicApiBase } }) => {
      const tables = await selectTableSizes(pool);
      if (tables.length === 0) throw new ServiceError('files_unavailable', market.whyNotReady);
      return {
        catalog: `${publicApiBase}/iceberg`,
        tables: tables.map(described),
        views: [`${MARKET_NAMESPACE}.${ADJUSTED_VIEW}`],
      };
    },
  }),
  defineRoute({
    operationId: 'getTable',
    method: 'get',
    path: '/v1/tables/{table}',
    tag: TAG,
    summary: 'Get the columns and snapshots of a table',
    access: 'anyone',
    limit: 'public',
    caching: 'revalidated',
    pathSchema: z.object({
      table: z
        .string()
        .max(100)
        .meta({ example: `${MARKET_NAMESPACE}.daily_bars` }),
    }),
    querySchema: z.object({
      limit: queryInteger(1, 1_000).prefault(100).meta({ description: 'Newest snapshots at most' }),
    }),
    dataSchema: tableSchema,
    errors: ['not_found', 'files_unavailable'],
    handle: ({ services, path: { table }, query: { limit } }) => describeTable(services, table, limit),
  }),
];

function described({ name, snapshotId, committedAt, rows, bytes, files, snapshots }: TableSize) {
  return { name, snapshot_id: snapshotId, committed_at: committedAt.toISOString(), rows, bytes, files, snapshots };
}

async function describeTable(
  { pool, storage }: Services,
  name: string,
  limit: number,
): Promise<z.input<typeof tableSchema>> {
  const pointer = found(await selectTablePointer(pool, name));
  const size = found((await selectTableSizes(pool)).find((one) => one.name === name));
  const metadata = await readMetadata(storage, pointer);
  if (!metadata) throw new ServiceError('files_unavailable');
  return { ...described(size), ...shapeOf(pointer, metadata), newest_snapshots: newestOf(metadata, limit) };
}

function shapeOf({ name }: TablePointer, metadata: TableMetadata) {
  const table = required(LAKE_TABLES.find((one) => name === `${MARKET_NAMESPACE}.${one.name}`));
  const current = (one: { readonly 'schema-id': number }) => one['schema-id'] === metadata['current-schema-id'];
  const { fields } = required(metadata.schemas.find(current), `the schema of ${name}`);
  return {
    partitions: table.partitions.map((partition) => (partition === 'year' ? 'year(date)' : partition)),
    sort: [...table.sort],
    columns: fields.map(({ name: column, type, required: isRequired }) => ({
      name: column,
      type,
      required: isRequired,
    })),
  };
}

function newestOf({ snapshots, refs }: TableMetadata, limit: number) {
  const tags = Map.groupBy(
    Object.entries(refs).filter(([, { type }]) => type === 'tag'),
    ([, ref]) => ref['snapshot-id'],
  );
  return snapshots
    .slice(-limit)
    .reverse()
    .map((snapshot) => describeSnapshot(snapshot, tags.get(snapshot['snapshot-id'])?.map(([tag]) => tag) ?? []));
}

function describeSnapshot({ 'snapshot-id': id, 'timestamp-ms': at, summary }: Snapshot, tags: readonly string[]) {
  const figure = (name: string) => Number(required(summary[name], name));
  return {
    snapshot_id: id,
    committed_at: new Date(at).toISOString(),
    data_version: summary['data-version'],
    newest_session: summary['newest-session'],
    rows_added: figure('rows-added'),
    rows_removed: figure('rows-removed'),
    rows: figure('total-records'),
    bytes: figure('total-files-size'),
    tags: [...tags].sort(),
  };
}
