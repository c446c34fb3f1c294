/** Loaded data and loads in the back office. */
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectSyncJob } from '../../../db/queue/sync-jobs.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../../engine/market/dates.ts';
import { syncDailyBars } from '../../../jobs/sync/daily-bars.ts';
import { runSync } from '../../../jobs/sync/run.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  runSyncJob,
} from '../../support/market-folder.ts';

let database: TestDatabase;
let folder: MarketFolder;
let api: TestApi;
let admin: Person;

const YEAR = sessionsBetween(dayOf(2025, 1, 1), dayOf(2025, 12, 31)).map(formatDay);
const line = (symbol: string, day: string) => `${symbol},${day},10,11,9,10,100\n`;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({
    'symbols.csv':
      'symbol,name,listed_on,delisted_on,previous_symbols\n' +
      'LONG,Long History,2020-01-01,,OLDLONG:2021-01-04\nGONE,Gone Inc,2020-01-01,2025-02-28,\n' +
      'FEW,Few Bars,2020-01-01,,\nNONE,100% Nothing,2020-01-01,,\n',
    'daily/consolidated/2025.csv':
      BARS_HEADER +
      YEAR.map((day) => line('LONG', day)).join('') +
      YEAR.slice(0, 30)
        .map((day) => line('GONE', day))
        .join('') +
      YEAR.slice(0, 249)
        .map((day) => line('FEW', day))
        .join(''),
    'daily/single_venue/2025.csv':
      BARS_HEADER +
      YEAR.slice(0, 3)
        .map((day) => line('LONG', day))
        .join(''),
  });
  const provider = folder.provider();
  await loadEverything(database.pool, provider);
  api = await openTestApi({ database, provider, realCallers: true });
  admin = await addAdmin(api);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  folder.remove();
});

const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key];
const get = (path: string, process = api) => process.get(`/api/admin/data/${path}`, admin.console);
const post = (path: string, body: object = {}) => api.post(`/api/admin/data/${path}`, body, admin.console);

describe('GET /api/admin/data/symbols', () => {
  it('shows the loaded bars of each instrument', async () => {
    const { body } = await get('symbols?q=long');
    expect(body.data).toMatchObject({ total: 1, page: 1, size: 20 });
    expect(body.data.items[0]).toMatchObject({
      symbol: 'LONG.US',
      market: 'US',
      name: 'Long History',
      status: 'active',
      listed_on: '2020-01-01',
      rows: YEAR.length + 3,
      first_date: YEAR[0],
      last_date: YEAR.at(-1),
      by_venue_mode: [
        { venue_mode: 'consolidated', rows: YEAR.length, first_date: YEAR[0], last_date: YEAR.at(-1) },
        { venue_mode: 'single_venue', rows: 3, first_date: YEAR[0], last_date: YEAR[2] },
      ],
    });
  });

  it('can be searched and filtered', async () => {
    const symbols = async (query: string) => {
      const { body } = await get(`symbols?${query}`);
      return body.data.items.map(({ symbol }: { symbol: string }) => symbol);
    };
    expect(await symbols('')).toEqual(['FEW.US', 'GONE.US', 'LONG.US', 'NONE.US']);
    expect(await symbols('q=oldlong')).toEqual(['LONG.US']);
    expect(await symbols('q=gone.us')).toEqual(['GONE.US']);
    expect(await symbols('q=0%25')).toEqual(['NONE.US']);
    expect(await symbols('q=_')).toEqual([]);
    expect(await symbols('has_bars=false')).toEqual(['NONE.US']);
    expect(await symbols('has_bars=true&status=delisted')).toEqual(['GONE.US']);
    expect(await symbols('market=US&size=2&page=2')).toEqual(['LONG.US', 'NONE.US']);
    expect(await symbols('market=HK')).toEqual([]);
    for (const bad of ['market=XX', 'has_bars=maybe', 'status=gone', `q=${'x'.repeat(65)}`]) {
      expect(outcome(await get(`symbols?${bad}`))).toEqual([422, 'error.validation_failed']);
    }
    const none = (await get('symbols?q=none')).body.data.items[0];
    expect(none).toMatchObject({ rows: 0, first_date: null, last_date: null, by_venue_mode: [] });
  });
});

describe('GET /api/admin/data/coverage', () => {
  it('counts every bar, packed or not, and caches the counts for a minute', async () => {
    const expected = [
      {
        market: 'US',
        venue_mode: 'consolidated',
        symbols: 3,
        rows: YEAR.length + 30 + 249,
        symbols_250: 1,
        first_date: YEAR[0],
        last_date: YEAR.at(-1),
      },
      {
        market: 'US',
        venue_mode: 'single_venue',
        symbols: 1,
        rows: 3,
        symbols_250: 0,
        first_date: YEAR[0],
        last_date: YEAR[2],
      },
    ];
    const first = (await get('coverage')).body.data;
    expect(first).toMatchObject({ cached: false, items: expected });
    // A correction of a packed year, and of one that is not packed.
    const { rows } = await database.pool.query('select count(*) from bar_blocks where data is not null');
    expect(rows[0].count).toBeGreaterThan(0);
    folder.write('daily/consolidated/2025-12-31.csv', BARS_HEADER + line('FEW', '2025-12-31'));
    folder.write(
      'daily/consolidated/2026-05-29.csv',
      BARS_HEADER + line('FEW', '2026-05-29') + line('NONE', '2026-05-29'),
    );
    await runSyncJob(database.pool, folder.provider(), 'daily_bars', {
      start: '2025-12-31',
      venue_mode: 'consolidated',
    });
    await database.pool.query('update bar_blocks set data = null where year = 2025 and instrument_id % 2 = 0');
    expect((await get('coverage')).body.data).toEqual({ ...first, cached: true });
    const other = await openTestApi({ database, provider: folder.provider(), realCallers: true });
    try {
      const { body } = await get('coverage', other);
      const { rows: counted } = await database.pool.query(
        `select count(*) as rows, count(distinct instrument_id) as symbols from daily_bars where basis = 1`,
      );
      expect(body.data.items[0]).toMatchObject({ ...counted[0], symbols_250: 2, last_date: '2026-05-29' });
      expect(body.data.cached).toBe(false);
    } finally {
      await other.close();
    }
  });
});

describe('/api/admin/data/sync-jobs', () => {
  const PATH = '/api/admin/data/sync-jobs';

  it('queues a load, shows it, and lists it', async () => {
    const request = { start: '2025-03-03', end: '2025-03-07', venue_mode: 'consolidated', symbols: ['oldlong'] };
    const { status, headers, body } = await post('sync-jobs', { job_type: 'daily_bars', ...request });
    const { id } = body.data;
    expect([status, headers.location]).toEqual([202, `${PATH}/${id}`]);
    expect(body.data).toMatchObject({
      job_type: 'daily_bars',
      status: 'running',
      requested_by: admin.email,
      progress_pct: 0,
      started_at: null,
      request: { ...request, symbols: ['LONG'] },
    });
    expect((await get(`sync-jobs/${id}`)).body.data).toEqual(body.data);
    const { rows } = await database.pool.query(`select name, data from pgboss.job order by created_on desc limit 1`);
    expect(rows[0]).toEqual({ name: 'sync.daily_bars', data: { syncJobId: id, requestId: headers['x-request-id'] } });
    await runSync(testJobContext({ pool: database.pool, provider: async () => folder.provider() }), id, syncDailyBars);
    expect((await get(`sync-jobs/${id}`)).body.data).toMatchObject({ status: 'ok', progress_pct: 100, attempts: 1 });
    const listed = await get('sync-jobs?job_type=daily_bars&status=ok&size=1');
    expect(listed.body.data).toMatchObject({ page: 1, size: 1, items: [{ id }] });
    const { body: audit } = await api.get(`/api/admin/audit?action=sync.create&target_id=${id}`, admin.console);
    expect(audit.data.items).toMatchObject([{ target_type: 'sync_job', result: 'ok' }]);
  });

  it.each([
    [{}, 422, 'error.validation_failed'],
    [{ job_type: 'quotes' }, 422, 'error.validation_failed'],
    [{ job_type: 'symbols', start: '2025-01-02' }, 422, 'error.validation_failed'],
    [{ job_type: 'daily_bars', venue_mode: 'x' }, 422, 'error.validation_failed'],
    [{ job_type: 'daily_bars', start: '2025-02-30' }, 400, 'error.invalid_date'],
    [{ job_type: 'daily_bars', start: '2025-03-02', end: '2025-03-01' }, 400, 'error.invalid_date_range'],
    [{ job_type: 'daily_bars', symbols: ['NOPE'] }, 404, 'error.symbol_not_found'],
  ])('refuses %j', async (body, status, key) => {
    expect(outcome(await post('sync-jobs', body))).toEqual([status, key]);
  });

  it('retries a failed load, once', async () => {
    folder.write('daily/consolidated/2026-05-28.csv', BARS_HEADER + 'nonsense\n'.repeat(10));
    const job = await runSyncJob(database.pool, folder.provider(), 'daily_bars', {
      start: '2026-05-28',
      venue_mode: 'consolidated',
    });
    expect(job.status).toBe('failed');
    folder.write('daily/consolidated/2026-05-28.csv', BARS_HEADER + line('FEW', '2026-05-28'));
    const retried = await post(`sync-jobs/${job.id}/retry`);
    expect([retried.status, retried.body.data]).toMatchObject([202, { status: 'running', error: null, attempts: 1 }]);
    expect(outcome(await post(`sync-jobs/${job.id}/retry`))).toEqual([409, 'error.wrong_state']);
    expect(outcome(await post('sync-jobs/999999/retry'))).toEqual([404, 'error.not_found']);
    await runSync(
      testJobContext({ pool: database.pool, provider: async () => folder.provider() }),
      job.id,
      syncDailyBars,
    );
    expect((await get(`sync-jobs/${job.id}`)).body.data.status).toBe('ok');
  });

  it('does not retry a load while a scheduled one of the same kind runs', async () => {
    const insert = `insert into sync_jobs (job_type, requested_by, request, queue_job_id, status, finished_at, error)
      values ('symbols', 'scheduler', '{}', gen_random_uuid(), $1, $2, $3) returning id`;
    const { rows } = await database.pool.query(insert, ['failed', new Date(), 'broken']);
    await database.pool.query(insert, ['running', null, null]);
    expect(outcome(await post(`sync-jobs/${rows[0].id}/retry`))).toEqual([409, 'error.already_running']);
    await database.pool.query(`delete from sync_jobs where requested_by = 'scheduler'`);
  });

  it('cancels a waiting or running load, and the worker stops', async () => {
    const { id } = (await post('sync-jobs', { job_type: 'daily_bars' })).body.data;
    const cancelled = await post(`sync-jobs/${id}/cancel`);
    expect([cancelled.status, cancelled.body.data]).toMatchObject([
      202,
      { status: 'failed', error: 'cancelled by an administrator' },
    ]);
    const { rows } = await database.pool.query(`select state from pgboss.job where (data ->> 'syncJobId')::int = $1`, [
      id,
    ]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
    await runSync(testJobContext({ pool: database.pool, provider: async () => folder.provider() }), id, syncDailyBars);
    expect((await selectSyncJob(database.pool, id))?.attempts).toBe(0);
    expect(outcome(await post(`sync-jobs/${id}/cancel`))).toEqual([409, 'error.wrong_state']);
    expect(outcome(await post('sync-jobs/999999/cancel'))).toEqual([404, 'error.not_found']);
  });
});

describe('the check of files', () => {
  const check = (body: object) => api.post('/api/admin/data/files/check', body, admin.console);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const YAHOO = 'Date,Open,High,Low,Close,Adj Close,Volume\n2026-05-28,1,2,1,2,2,10\n2026-05-29,oops\n';

  it('shows what would be loaded of files that are sent, and keeps nothing', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('files-check-'));
    const { data } = (await check({ files: [{ name: 'ROCK.csv', content: base64(YAHOO) }] })).body;
    expect(data).toMatchObject({
      ok: true,
      estimated: false,
      market: { prices: 'split_adjusted', first: '2026-05-28', last: '2026-05-28', symbols: 1 },
      layouts: [{ layout: 'yahoo', files: 1, symbols: 1, rejected: { unreadable: { count: 1 } } }],
      missing: ['no_symbol_list', 'no_events', 'no_delisted'],
      files: [
        { path: 'ROCK.csv', lines: 3, loaded: 1, rejected: 1, rejected_lines: [{ line: 3, text: '2026-05-29,oops' }] },
      ],
    });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('files-check-'))).toEqual(before);
  });

  it('judges events as a load does', async () => {
    const splits = ['4,AAA', '0.25,BBB', '0.25,BBB', '0.5,CCC', '0.2,CCC'].map((one) => one.split(','));
    const lines = splits.map(([factor, symbol]) => `${symbol},2026-05-29,split,${factor}\n`).join('');
    const events = { name: 'adjustments.csv', content: base64(`symbol,ex_date,kind,factor\n${lines}`) };
    const { data } = (await check({ files: [events, { name: 'ROCK.csv', content: base64(YAHOO) }] })).body;
    expect(data.files.find(({ path }: { path: string }) => path === events.name)).toMatchObject({
      lines: 6,
      loaded: 1,
      repeated: 1,
      by_reason: { factor_above_one: 1, conflict: 2 },
    });
    const [{ events: count, rejected }] = data.layouts.filter(({ layout }: { layout: string }) => layout === 'own');
    expect([count, rejected.factor_above_one.lines]).toEqual([
      1,
      [{ file: 'adjustments.csv', line: 2, text: 'AAA,2026-05-29,split,4' }],
    ]);
  });

  it('tells a ticker that probably followed another one, where no list says so', async () => {
    const bars = (days: readonly string[]) =>
      base64(`Date,Open,High,Low,Close,Volume\n${days.map((day) => `${day},5,5,5,5,10\n`).join('')}`);
    const files = [
      { name: 'OLD.csv', content: bars(['2026-05-20', '2026-05-21']) },
      { name: 'NEW.csv', content: bars(['2026-05-22', '2026-05-26']) },
    ];
    const { data } = (await check({ files })).body;
    expect(
      data.files.flatMap(({ path, told }: { path: string; told: string[] }) => told.map((one) => [path, one])),
    ).toEqual([['NEW.csv', expect.stringContaining('previous_symbols OLD:2026-05-21')]]);
  });

  it('shows it of a folder below that of the provider, to which no link leads', async () => {
    const { data } = (await check({ folder: '' })).body;
    expect(data).toMatchObject({ ok: true, layouts: [{ layout: 'own' }] });
    const below = (await check({ folder: 'daily/consolidated' })).body.data;
    expect(below).toMatchObject({ ok: true, layouts: [{ layout: 'generic' }] });
    expect(below.files_total).toBeLessThan(data.files_total);
    symlinkSync(tmpdir(), join(folder.path, 'link'));
    for (const name of ['link', 'nothing', 'symbols.csv/x']) expect((await check({ folder: name })).status).toBe(404);
    rmSync(join(folder.path, 'link'));
    for (const name of ['..', '../x', '/etc', 'daily/../..', '.cache']) {
      expect([name, (await check({ folder: name })).status]).toEqual([name, 422]);
    }
  });

  it('refuses files that cannot be written or read, without a path of this machine', async () => {
    const file = { name: 'a.csv', content: base64(YAHOO) };
    expect((await check({ files: [file, file] })).body).toMatchObject({ key: 'error.files_refused' });
    expect((await check({ files: [file, { ...file, name: 'a.csv/b.csv' }] })).status).toBe(400);
    const wrong = await check({ files: [file, { name: 'market.json', content: base64('{"price": "as_traded"}') }] });
    expect(wrong.body.message).toContain('market.json: "price" is not a setting; did you mean "prices"?');
    expect(wrong.body.message).not.toContain(tmpdir());
    expect((await check({ files: [{ name: '../a.csv', content: '' }] })).status).toBe(422);
    for (const content of ['YQ', 'Y=Q=', 'Y Q=', 'YQ==\n'])
      expect([content, (await check({ files: [{ ...file, content }] })).status]).toEqual([content, 422]);
  });
});
