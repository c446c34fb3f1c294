/** Comparison of the loaded bars with those of another provider. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { type Comparison, type ComparisonSpec, selectComparison } from '../../../db/market/comparisons.ts';
import { transaction } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { describeComparison } from '../../../jobs/compare/describe.ts';
import { enqueueComparison } from '../../../jobs/compare/enqueue.ts';
import { runComparison } from '../../../jobs/compare/run.ts';
import type { JobContext } from '../../../jobs/contracts/job-context.ts';
import { examine } from '../../../jobs/health/check.ts';
import { HEALTH_CHECKS } from '../../../jobs/health/checks.ts';
import { readOnce } from '../../../jobs/health/installation.ts';
import { DatabentoProvider } from '../../../jobs/providers/databento/databento-provider.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { removeUnknownComparisons } from '../../../jobs/worker/remove-orphans.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DatabentoServer } from '../../support/databento-server.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  NOON_2026_06_01,
} from '../../support/market-folder.ts';

const OURS = `AAA,2024-07-01,10,12,9,11,100
AAA,2024-07-02,10,12,9,11,100
BBB,2024-07-01,20,22,19,21,1000
BBB,2024-07-02,20,22,19,21,1000
CCC,2024-07-01,5,6,4,5,10
AAA,2024-07-03,10,12,9,11,100
AAA,2024-07-08,10,12,9,11,100
`;
/** One price is 1 % off, one volume 5 %, a bar is missing on each side, and so is a session. */
const THEIRS = `AAA,2024-07-01,10,12,9,11,105
AAA,2024-07-02,10.1,12,9,11,100
BBB,2024-07-01,20.001,22,19,21,1000
CCC,2024-07-01,5,6,4,5,10
CCC,2024-07-02,5,6,4,5,10
CCC,2024-07-02,7,7,7,7,7
XYZ,2024-07-01,1,1,1,1,1
AAA,2024-07-05,10,9,9,11,100
BBB,2024-07-05,20,22,19,21,1000
`;

let database: TestDatabase;
let boss: PgBoss;
let directory: string;
let ours: MarketFolder;
let theirs: MarketFolder;

beforeAll(async () => {
  database = await createTestDatabase();
  boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
  directory = mkdtempSync(join(tmpdir(), 'market-compare-'));
  const symbols = 'symbol,name,listed_on\nAAA,A,2010-01-04\nBBB,B,2010-01-04\nCCC,C,2010-01-04\n';
  ours = createMarketFolder({ 'symbols.csv': symbols, 'daily/consolidated/2024.csv': BARS_HEADER + OURS });
  theirs = createMarketFolder({ 'symbols.csv': symbols, 'daily/consolidated/2024.csv': BARS_HEADER + THEIRS });
  await loadEverything(database.pool, ours.provider());
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await database.drop();
  for (const folder of [ours, theirs]) folder.remove();
  rmSync(directory, { recursive: true });
});

const storage = () => openStorage({ folder: join(directory, 'objects') });

function context(given: Partial<JobContext> = {}): JobContext {
  return testJobContext({
    pool: database.pool,
    storage: storage(),
    workFolder: join(directory, 'work'),
    now: () => NOON_2026_06_01,
    provider: async () => ours.provider(),
    otherProvider: async () => theirs.provider(),
    ...given,
  });
}

async function compare(given: Partial<ComparisonSpec> = {}, job: Partial<JobContext> = {}): Promise<Comparison> {
  const spec: ComparisonSpec = {
    venueBasis: 'consolidated',
    against: 'files',
    folder: theirs.path,
    start: '2024-01-01',
    end: '2024-12-31',
    tolerancePct: 0.01,
    volumeTolerancePct: 1,
    ...given,
  };
  const requested = { by: 'test', at: new Date(NOON_2026_06_01) };
  const comparisonId = await transaction(database.pool, (connection) =>
    enqueueComparison(connection, boss, spec, requested),
  );
  await runComparison(context(job), { comparisonId });
  return required(await selectComparison(database.pool, comparisonId));
}

describe('a comparison', () => {
  it('lists every difference beyond the tolerances, and bars and sessions that one side lacks, by symbol and day', async () => {
    const comparison = await compare();
    const result = required(comparison.result);
    expect(comparison).toMatchObject({ status: 'done', progressPct: 100, error: null });
    expect(result).toMatchObject({
      compared: 4,
      sessions: 2,
      sessionsOnlyHere: ['2024-07-03', '2024-07-08'],
      sessionsOnlyThere: ['2024-07-05'],
      differences: { differs: 2, only_here: 1, only_there: 1 },
      unknown: { rows: 1, tickers: ['XYZ'] },
      malformed: 1,
    });
    expect(result.largest.map(({ symbol, date }) => [symbol, date])).toEqual([
      ['AAA', '2024-07-02'],
      ['AAA', '2024-07-01'],
    ]);
    const bytes = readFileSync(join(directory, 'objects', result.file.key));
    expect(bytes).toHaveLength(result.file.bytes);
    const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors });
    expect(rows.map(({ symbol, date, kind, close, other_close: other }) => [symbol, date, kind, close, other])).toEqual(
      [
        ['AAA.US', new Date('2024-07-01'), 'differs', 11, 11],
        ['AAA.US', new Date('2024-07-02'), 'differs', 11, 11],
        ['BBB.US', new Date('2024-07-02'), 'only_here', 21, null],
        ['CCC.US', new Date('2024-07-02'), 'only_there', null, 5],
      ],
    );
    expect(rows[1]).toMatchObject({ open: 10, other_open: 10.1, price_pct: expect.closeTo(1, 6), volume_pct: 0 });
    expect(rows[0].volume_pct).toBeCloseTo(100 * (5 / 105), 6);
    const [first] = describeComparison(comparison, result);
    expect(first).toContain('2 of 4 bars differ by more than 0.01 % (volumes 1 %)');
  });

  it('reads Databento as a load does, up to the allowed cost', async () => {
    const vendor = await DatabentoServer.start();
    const stubBar = (symbol: string, date: string, open: number) => ({
      symbol,
      date,
      prices: [open, 12, 9, 11] as const,
      volume: 100,
    });
    vendor.bars = [
      stubBar('AAA', '2024-07-01', 10),
      stubBar('AAA', '2024-07-02', 10.1),
      stubBar('AAA', '2024-07-03', 10),
      stubBar('XYZ', '2024-07-03', 10),
    ];
    const asked = { against: 'databento', folder: null, end: '2024-07-03' };
    const databento = { otherProvider: async () => new DatabentoProvider(vendor.settings) };
    try {
      const { result } = await compare(asked, databento);
      expect(result).toMatchObject({
        compared: 3,
        sessions: 3,
        differences: { differs: 1, only_here: 3, only_there: 0 },
        unknown: { rows: 1, tickers: ['XYZ'] },
        unread: [],
      });
      expect(result?.largest).toMatchObject([{ symbol: 'AAA', date: '2024-07-02', open: 10, otherOpen: 10.1 }]);
      // An answer that breaks off is a failure, not a list of missing bars.
      vendor.intercept = ({ method }) => (method === 'timeseries.get_range' ? 'cut_frame' : undefined);
      await expect(compare(asked, databento)).rejects.toThrow('broke off');
      vendor.intercept = () => undefined;
      vendor.costPerRow = 20;
      expect((await compare(asked, databento)).error).toContain('the provider charges $80.00');
    } finally {
      vendor.stop();
    }
  });

  it('with differences is a problem in the doctor until a later one finds none', async () => {
    const problemsNow = async () => {
      const installation = readOnce({ pool: database.pool, storage, now: () => NOON_2026_06_01 });
      const checks = HEALTH_CHECKS.filter(({ kind }) => kind === 'vendors_differ');
      return (await examine(checks, installation)).flatMap(({ problems }) => problems);
    };
    await compare();
    expect(await problemsNow()).toMatchObject([{ count: 2, detail: 'files' }]);
    await compare({ tolerancePct: 2, volumeTolerancePct: 10 });
    expect(await problemsNow()).toEqual([]);
  });

  it('that cannot be made is refused with the reason, and leaves nothing behind', async () => {
    const refusal = async (...asked: Parameters<typeof compare>) => {
      const { status, result, finishedAt, error } = await compare(...asked);
      expect({ status, result, finishedAt }).toEqual({
        status: 'failed',
        result: null,
        finishedAt: new Date(NOON_2026_06_01),
      });
      return error;
    };
    expect(await refusal({}, { otherProvider: async () => ours.provider() })).toContain('name another provider');
    expect(await refusal({ start: '2010-01-01', end: '2010-02-01' })).toContain('bars from 2024-07-01 to 2024-07-05');
    expect(await refusal({ venueBasis: 'single_venue' })).toContain('has no bars on the venue basis single_venue');
    // Missing settings fail the job: after an operator has set them, a retry succeeds.
    const refused = async () => {
      throw new Error('the provider massive needs its settings');
    };
    await expect(compare({ against: 'massive' }, { otherProvider: refused })).rejects.toThrow('needs its settings');
    const abort = new AbortController();
    abort.abort(new Error('canceled'));
    await expect(compare({}, { signal: abort.signal })).rejects.toThrow('canceled');
    const before = await storedKeys();
    await storage().put('comparisons/999.parquet', Readable.from(['left']));
    await removeUnknownComparisons(context());
    expect(await storedKeys()).toEqual(before);
  });
});

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage().list('comparisons/')) keys.push(key);
  return keys;
}
