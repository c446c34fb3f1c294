/** The tables over the lake, read by pyiceberg, which judges whether they follow the specification of Iceberg. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectTablePointer, type TablePointer } from '../../../db/lake/lake-tables.ts';
import { venueBasisOfCode } from '../../../engine/market/venue-basis.ts';
import { required } from '../../../engine/util/values.ts';
import { BAR_COLUMNS, LAKE_TABLES } from '../../../jobs/contracts/lake.ts';
import { writeLake } from '../../../jobs/lake/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { metadataKey } from '../../../jobs/tables/metadata.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { testJobContext } from '../../support/job-context.ts';
import { openPythonEnvironment, type PythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { S3Server } from '../../support/s3-server.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const DAY_MS = 86_400_000;
const provider = new SampleProvider({ symbols: 12, now: () => NOW });

let database: TestDatabase;
let s3: S3Server;
let python: PythonEnvironment | null = null;

beforeAll(async () => {
  s3 = await S3Server.start();
  s3.pageSize = 1000;
  database = await createSampleDatabase(provider);
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  python = await openPythonEnvironment('test/judges/engines/pyiceberg.txt', { progress }).catch((error) => {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`SKIPPED: pyiceberg does not read the tables (${error.message})\n`);
    return null;
  });
}, deadline(600_000));
afterAll(async () => {
  await database.drop();
  s3.stop();
});

const storage = () => openStorage({ s3: s3.settings });
const write = (at = NOW) => writeLake(testJobContext({ pool: database.pool, storage: storage(), now: () => at }));

const pointerOf = async (name: string): Promise<TablePointer> =>
  required(await selectTablePointer(database.pool, `market.${name}`));

interface TableAnswer {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly ids: Readonly<Record<string, number>>;
  readonly partitions: readonly string[];
  readonly snapshots: readonly { id: number; rows: number; summary: Record<string, string> }[];
  readonly tags: Readonly<Record<string, number>>;
  readonly files: number;
  readonly history?: readonly unknown[];
}

/** Null: Python is not here. */
async function readTable(name: string, symbol: string | null = null): Promise<TableAnswer | null> {
  const { version } = await pointerOf(name);
  const { endpoint, region, accessKeyId, secretAccessKey } = s3.settings;
  const properties = {
    's3.endpoint': endpoint,
    's3.region': region,
    's3.access-key-id': accessKeyId,
    's3.secret-access-key': secretAccessKey,
    's3.force-virtual-addressing': 'false',
  };
  const metadata = storage().locationOf(metadataKey(`market.${name}`, version));
  return python?.run('test/jobs/tables/read_table.py', { metadata, properties, symbol }) ?? null;
}

describe('the tables of the market', () => {
  beforeAll(() => write(NOW - DAY_MS));

  it('have the rows, columns, and files of the lake', async () => {
    const { rows: known } = await database.pool.query(
      `select split_part(split_part(path, '/', 1), '.', 1) as name, sum(rows)::int as rows, count(*)::int as files
       from lake_files where rows > 0 group by 1`,
    );
    for (const { name, columns } of LAKE_TABLES) {
      s3.calls.length = 0;
      const table = await readTable(name);
      if (table === null) return;
      const { rows = 0, files = 0 } = known.find((one) => one.name === name) ?? {};
      expect([name, table.rows, table.files]).toEqual([name, rows, files]);
      expect(table.columns).toEqual(columns.map((column) => column.name));
      // A plan needs the metadata, the list of manifests, and one manifest.
      const read = s3.calls.filter(
        ({ operation, key }) => operation === 'GetObject' && key.includes(`/${name}/metadata/`),
      );
      expect(new Set(read.map(({ key }) => key)).size).toBe(3);
      expect(Object.values(table.ids)).toEqual(columns.map((_, i) => i + 1));
    }
  });

  it('give the history of one instrument, and one snapshot per load that changed rows', async () => {
    const { rows: symbols } = await database.pool.query('select id, symbol from instruments order by id limit 1');
    const [{ id, symbol }] = symbols;
    await write();
    const table = await readTable('daily_bars', `${symbol}.US`);
    if (table === null) return;
    const { rows } = await database.pool.query(
      `select basis, day, close, volume from daily_bars where instrument_id = $1 and day <= '2024-09-03'`,
      [id],
    );
    const history = rows.map(({ basis, day, close, volume }) => [venueBasisOfCode(basis), day, close, volume]);
    expect(table.history).toEqual(history.sort(([a, b], [c, d]) => (`${a}${b}` < `${c}${d}` ? -1 : 1)));
    expect(table.partitions).toEqual(['identity', 'year']);
    expect(table.snapshots.map((one) => one.rows)).toEqual([
      table.rows - Number(table.snapshots[1].summary['rows-added']),
      table.rows,
    ]);
    expect(table.tags).toMatchObject({
      'session-2024-08-30': table.snapshots[0].id,
      'session-2024-09-03': table.snapshots[1].id,
      main: table.snapshots[1].id,
    });
    expect(BAR_COLUMNS.length).toBe(table.columns.length);
  });
});
