/** Comparisons with a vendor's files, from the call to the table of differences, including faults of the vendor. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { runComparison } from '../../../jobs/compare/run.ts';
import type { JobContext } from '../../../jobs/contracts/job-context.ts';
import { MassiveProvider } from '../../../jobs/providers/massive/massive-provider.ts';
import { removeUnknownComparisons } from '../../../jobs/worker/remove-orphans.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { removeTree } from '../../support/folders.ts';
import { testJobContext } from '../../support/job-context.ts';
import { BARS_HEADER, createMarketFolder, loadEverything, type MarketFolder } from '../../support/market-folder.ts';
import { dayKey, MassiveServer, windowStart } from '../../support/massive-server.ts';
import type { S3Fault } from '../../support/s3-server.ts';

const NOW = Date.parse('2024-07-08T16:00:00Z');
const SESSIONS = ['2024-07-01', '2024-07-02', '2024-07-03', '2024-07-05'] as const;
const [FIRST, SECOND, THIRD, FOURTH] = SESSIONS;

type Bar = readonly [
  ticker: string,
  date: string,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];
const whole = (date: string): Bar[] => [
  ['AAA', date, 10, 12, 9, 11, 100_000],
  ['BBB', date, 200, 220, 190, 210, 5_000],
  ['CCC', date, 50, 51, 49, 50, 700],
];
/** CCC is split 4 to 1 on the last day. */
const OURS: readonly Bar[] = [FIRST, SECOND, THIRD]
  .flatMap(whole)
  .concat([['CCC', FOURTH, 12.5, 13, 12, 12.75, 2_800]]);

/** A price and a volume beyond the tolerance, others within it; a bar is missing on each side; CCC is divided by its split. */
function theirs(): Bar[] {
  const bars = OURS.filter(([ticker, date]) => !(ticker === 'BBB' && date === SECOND)).map((bar): Bar => {
    const [ticker, date, open, high, low, close, volume] = bar;
    if (ticker === 'CCC' && date < FOURTH) return [ticker, date, open / 4, high / 4, low / 4, close / 4, volume * 4];
    if (ticker === 'AAA' && date === FIRST) return [ticker, date, open, high, low, 11.0005, 100_900];
    if (ticker === 'AAA' && date === SECOND) return [ticker, date, open, 12.06, low, close, volume];
    if (ticker === 'AAA' && date === THIRD) return [ticker, date, open, high, low, close, 103_000];
    return bar;
  });
  return [...bars, ['AAA', FOURTH, 10, 12, 9, 11, 1], ['ZZZ', FIRST, 1, 1, 1, 1, 1]];
}

let directory: string;
let database: TestDatabase;
let folder: MarketFolder;
let massive: MassiveServer;
let api: TestApi;
let admin: Person;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'market-comparisons-'));
  folder = createMarketFolder({
    'symbols.csv': 'symbol,name,listed_on\nAAA,A,2010-01-04\nBBB,B,2010-01-04\nCCC,C,2010-01-04\n',
    'daily/consolidated/2024.csv': BARS_HEADER + OURS.map((bar) => `${bar.join(',')}\n`).join(''),
  });
  [massive, database] = await Promise.all([MassiveServer.start(), createTestDatabase()]);
  const provider = folder.provider(NOW);
  await loadEverything(database.pool, provider);
  const storage = openStorage({ folder: join(directory, 'objects') });
  const otherProviders = ['massive'] as const;
  api = await openTestApi({ database, provider, storage, otherProviders, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  massive.stop();
  await api.close();
  await database.drop();
  folder.remove();
  removeTree(directory);
});
beforeEach(async () => {
  admin = await addAdmin(api);
  massive.reset();
  for (const date of SESSIONS) putFile(date);
});

function putFile(date: string, bars = theirs()): void {
  const rows = bars.filter((bar) => bar[1] === date);
  massive.putFile(
    dayKey(date),
    rows.map(([ticker, , open, high, low, close, volume]) =>
      [ticker, volume, open, close, high, low, windowStart(date), 7].join(','),
    ),
  );
}

/** Answers the first calls for the second file with a fault. */
function failSecondFile(fault: S3Fault, times = Infinity, reached = () => {}): void {
  let failed = 0;
  massive.bucket.intercept = ({ operation, key }) => {
    if (operation !== 'GetObject' || key !== dayKey(SECOND) || failed++ >= times) return undefined;
    reached();
    return fault;
  };
}

const PATH = '/api/admin/data/comparisons';
const WHOLE = { against: 'massive', start: FIRST, end: FOURTH };
const get = (path: string) => api.get(`${PATH}${path}`, admin.console);
const post = (body: object, person = admin) => api.post(PATH, body, person.console);

function run(comparisonId: number, given: Partial<JobContext> = {}): Promise<void> {
  const { pool, storage } = api.services;
  const other = new MassiveProvider(massive.settings, () => NOW);
  const context = testJobContext({
    pool,
    storage,
    workFolder: join(directory, 'work'),
    now: () => NOW,
    provider: async () => folder.provider(NOW),
    otherProvider: async () => other,
    ...given,
  });
  return runComparison(context, { comparisonId });
}

async function compared(body: object = WHOLE) {
  const { status, body: answer } = await post(body);
  expect(status).toBe(202);
  await run(answer.data.id);
  const [newest] = (await get('')).body.data.items;
  expect(newest).toMatchObject({ id: answer.data.id, status: 'done', progress_pct: 100 });
  return newest;
}

interface Found {
  readonly symbol: string;
  readonly date: string;
  readonly kind: string;
  readonly price_pct: number | null;
}
const places = (items: readonly Found[]) => items.map(({ symbol, date, kind }) => `${symbol} ${date} ${kind}`);

describe('a comparison', () => {
  it('lists the differences from a vendor in pages with filters, and as a file', async () => {
    const { id, result } = await compared();
    expect(result).toMatchObject({
      compared: 9,
      sessions: 4,
      differences: { differs: 5, only_here: 1, only_there: 1 },
      unread: [],
      unknown_rows: 1,
      unknown_tickers: ['ZZZ'],
    });
    const { data } = (await get(`/${id}/differences?size=4`)).body;
    expect(data).toMatchObject({ total: 7, page: 1, size: 4 });
    expect(places(data.items)).toEqual([
      // A split that only the vendor applies.
      `CCC.US ${FIRST} differs`,
      `CCC.US ${SECOND} differs`,
      `CCC.US ${THIRD} differs`,
      `AAA.US ${SECOND} differs`,
    ]);
    expect(data.items.map(({ price_pct: pct }: Found) => pct)).toEqual([75, 75, 75, expect.closeTo(0.5, 9)]);
    const rest = (await get(`/${id}/differences?size=4&page=2`)).body.data.items;
    expect(places(rest)).toEqual([
      `AAA.US ${THIRD} differs`,
      `AAA.US ${FOURTH} only_there`,
      `BBB.US ${SECOND} only_here`,
    ]);
    expect(rest[2]).toMatchObject({ here: { close: 210, volume: 5_000 }, there: null, price_pct: null });
    const filtered = async (filters: string) => places((await get(`/${id}/differences?${filters}`)).body.data.items);
    expect(await filtered('kind=only_there')).toEqual([`AAA.US ${FOURTH} only_there`]);
    expect(await filtered(`symbol=aaa&start=${SECOND}&end=${THIRD}`)).toHaveLength(2);
    const file = await get(`/${id}/download`);
    expect(file.headers['content-disposition']).toContain(`comparison-${id}.parquet`);
    expect(file.body).toHaveLength(result.bytes);
    const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
    const rows = await parquetReadObjects({ file: new Uint8Array(file.body).buffer, compressors });
    expect(rows).toHaveLength(7);
  });

  it('takes wider tolerances; only the last twenty keep their differences', async () => {
    const { id, result } = await compared({ ...WHOLE, tolerance_pct: 1, volume_tolerance_pct: 80 });
    expect(result.differences).toEqual({ differs: 3, only_here: 1, only_there: 1 });
    const addOthers = async (count: number) => {
      for (let i = 0; i < count; i++) await post(WHOLE);
      await removeUnknownComparisons(testJobContext({ pool: api.services.pool, storage: api.services.storage }));
    };
    await addOthers(19);
    expect((await get(`/${id}/differences`)).body.data.total).toBe(5);
    await addOthers(1);
    expect((await get(`/${id}/differences`)).body.data.total).toBe(0);
    expect((await get(`/${id}/download`)).status).toBe(200);
  });

  it('is for administrators only, is audited, and reports invalid input', async () => {
    const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];
    expect(outcome(await post(WHOLE, await addPerson(api)))).toEqual([403, 'error.admin_required']);
    expect(outcome(await post({ ...WHOLE, end: '2024-06-01' }))).toEqual([400, 'error.invalid_date_range']);
    expect(outcome(await post({ ...WHOLE, tolerance_pct: -1 }))).toEqual([422, 'error.validation_failed']);
    expect(outcome(await post({ ...WHOLE, folder: '/etc' }))).toEqual([422, 'error.validation_failed']);
    const refused = await post({ ...WHOLE, against: 'databento' });
    expect(outcome(refused)).toEqual([400, 'error.provider_not_configured']);
    expect(refused.body.message).toContain('configured providers: massive');
    const { id } = (await post(WHOLE)).body.data;
    expect(outcome(await get(`/${id}/differences`))).toEqual([409, 'error.wrong_state']);
    expect(outcome(await get(`/${id}/download`))).toEqual([409, 'error.wrong_state']);
    expect(outcome(await get('/999/differences'))).toEqual([404, 'error.not_found']);
    expect(outcome(await get(`/${(await compared()).id}/differences?symbol=NONE`))).toEqual([
      404,
      'error.symbol_not_found',
    ]);
    const { rows } = await api.services.pool.query(
      `select result, details -> 'request' ->> 'against' as against from audit_log
       where action = 'market.compare' and actor_id = $1 order by id`,
      [admin.id],
    );
    expect(rows.filter(({ result }) => result === 'ok')).toEqual(Array(2).fill({ result: 'ok', against: 'massive' }));
    expect(rows.some(({ result }) => result !== 'ok')).toBe(true);
  });

  it('ends at once if it is canceled, and leaves nothing behind', async () => {
    const { id, job_id: jobId } = (await post(WHOLE)).body.data;
    const cancel = new AbortController();
    failSecondFile('hang', Infinity, () => cancel.abort(new Error('canceled')));
    await expect(run(id, { signal: cancel.signal })).rejects.toThrow('canceled');
    await api.post(`/api/admin/jobs/compare/${jobId}/cancel`, {}, admin.console);
    expect((await get('')).body.data.items[0]).toMatchObject({ id, status: 'canceled', result: null });
    expect((await get(`/${id}/differences`)).status).toBe(409);
    await run(id, { signal: AbortSignal.abort(new Error('canceled')) }).catch(() => {});
    const { storage } = api.services;
    expect(await storage.has(`comparisons/${id}.parquet`)).toBe(false);
  });
});

describe('a vendor in the middle of a comparison', () => {
  it('may ask the service to wait', async () => {
    failSecondFile({ status: 429, code: 'TooManyRequests', headers: { 'retry-after': '0' } }, 1);
    expect((await compared()).result).toMatchObject({ compared: 9, unread: [] });
  });

  it.each<[string, () => void, RegExp]>([
    [
      'does not sell',
      () => failSecondFile({ status: 403, code: 'AccessDenied' }),
      /07-02.csv.gz: 403 AccessDenied: the plan does not include this file/,
    ],
    [
      'has broken',
      () => massive.bucket.objects.set(dayKey(SECOND), Buffer.from('a,b')),
      /02.csv.gz:1: the file cannot be read/,
    ],
    [
      'has written with other columns',
      () => massive.putFile(dayKey(SECOND), ['AAA,1'], 'symbol,volume'),
      /the header lacks ticker/,
    ],
  ])('has a file that it %s: the others are compared, and it is named', async (_, breakIt, error) => {
    breakIt();
    const { id, result } = await compared();
    expect(result).toMatchObject({
      compared: 7,
      sessions: 3,
      sessions_only_here: 0,
      unread: [{ unit: SECOND, error: expect.stringMatching(error) }],
    });
    const { items } = (await get(`/${id}/differences`)).body.data;
    expect(places(items).filter((place) => place.includes(SECOND))).toEqual([]);
  });

  it('may send an incomplete file: nothing is stored, and the next attempt compares everything', async () => {
    const { id } = (await post(WHOLE)).body.data;
    failSecondFile('cut');
    await expect(run(id)).rejects.toThrow(/07-02.csv.gz: \d+ of \d+ bytes arrived/);
    expect((await get(`/${id}/differences`)).status).toBe(409);
    expect(await api.services.storage.has(`comparisons/${id}.parquet`)).toBe(false);
    massive.bucket.intercept = () => undefined;
    await run(id);
    expect((await get(`/${id}/differences`)).body.data.total).toBe(7);
  });
});
