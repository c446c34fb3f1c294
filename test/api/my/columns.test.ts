/** Own columns over HTTP: written, listed, read, and deleted. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteFormerVersions, selectColumnUse } from '../../../db/research/column-writes.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { runJobOf } from '../../support/run-jobs.ts';

const now = () => NOON_2026_06_01;
const directory = mkdtempSync(join(tmpdir(), 'columns-'));
const objects = join(directory, 'objects');
let database: TestDatabase;
let api: TestApi;
let ada: Person;
beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now });
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, storage: openStorage({ folder: objects }), now, realCallers: true });
  ada = await addPerson(api, undefined, { plan: 'pro' });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});
beforeEach(() => database.pool.query('truncate own_columns cascade'));

const uploads = () => readdirSync(objects, { recursive: true }).filter((name) => String(name).includes('uploads/'));

/** Sends a file, runs its job, and returns its state. */
async function write(name: string, body: string | Buffer, query = '', person = ada, path = '/v1/my/columns') {
  const headers = { ...(path.startsWith('/api/admin') ? person.console : person.program), prefer: 'respond-async' };
  const sent = await api.put(`${path}/${name}${query}`, body, { ...headers, 'content-type': 'text/csv' });
  if (sent.status !== 202) return sent.body;
  const { job_id: runId, location } = sent.body.data;
  await runJobOf({ pool: api.services.pool, now, storage: api.services.storage, workFolder: directory }, runId);
  return (await api.get(location, path.startsWith('/api/admin') ? person.console : person.program)).body.data;
}

const SECTORS = `symbol,date,known_at,value
ACRX,2024-01-02,,Tech
LUMA,2024-01-02,2024-03-01T09:00:00,Energy
ACRX,2025-01-02,2025-02-03,Money
NOSUCH,2024-01-02,,Tech
`;

describe('a column of an account', () => {
  it('is written, listed, shown with its rows, and deleted', async () => {
    const { status, result, progress_pct } = await write('sector', SECTORS, '?lag=0');
    expect([status, progress_pct]).toEqual(['done', 100]);
    expect(result).toMatchObject({
      column: {
        name: 'sector',
        owner: 'account',
        kind: 'label',
        rows: 3,
        symbols: 2,
        version: 1,
        lag: 0,
        stale_after: null,
      },
      account: { layout: 'csv', lines: 5, header: 1, loaded: 3, left_out: 1, by_reason: { unknown_symbol: 1 } },
      backfilled: 3,
      unknown_symbols: { count: 1, symbols: ['NOSUCH'] },
    });
    expect(uploads()).toEqual([]);
    const { body: list } = await api.get('/v1/my/columns', ada.program);
    expect(list.data.items).toEqual([result.column]);
    const { body: one } = await api.get('/v1/my/columns/sector', ada.program);
    expect(one.data).toMatchObject({
      ...result.column,
      labels: ['Tech', 'Energy', 'Money'],
      versions: [{ version: 1, rows: 3 }],
      coverage: [
        { year: 2024, rows: 2, symbols: 2 },
        { year: 2025, rows: 1, symbols: 1 },
      ],
    });
    const { body: rows } = await api.get('/v1/my/columns/sector/rows?symbol=ACRX', ada.program);
    expect(rows.data.items).toEqual([
      {
        symbol: 'ACRX.US',
        date: '2024-01-02',
        known_at: '2024-01-02T16:00:00-05:00',
        seen: '2024-01-02',
        value: 'Tech',
      },
      { symbol: 'ACRX.US', date: '2025-01-02', known_at: '2025-02-03', seen: '2025-02-04', value: 'Money' },
    ]);
    const { body: before } = await api.get('/v1/my/columns/sector/rows?symbol=ACRX&as_of=2025-02-03', ada.program);
    expect(before.data.total).toBe(1);
    expect((await api.delete('/v1/my/columns/sector', undefined, ada.program)).body.data).toEqual({ deleted: true });
    expect((await api.get('/v1/my/columns/sector', ada.program)).status).toBe(404);
    expect((await api.delete('/v1/my/columns/sector', undefined, ada.program)).status).toBe(404);
  });

  it('has a version for each write, to which rows can be appended', async () => {
    const first = await write('sector', SECTORS);
    const { result } = await write(
      'sector',
      'symbol,date,value\nACRX,2026-01-02,Health\nLUMA,2026-01-02,Tech\n',
      '?mode=append',
    );
    expect(result.column).toMatchObject({ version: 2, rows: 5, last_day: '2026-01-02' });
    expect(result.column.sha256).not.toBe(first.result.column.sha256);
    const { body } = await api.get('/v1/my/columns/sector/rows?symbol=ACRX', ada.program);
    expect(body.data.items.map(({ value }: { value: string }) => value)).toEqual(['Tech', 'Money', 'Health']);
    const changed = await write('sector', 'symbol,date,value\nACRX,2026-01-02,1\n', '?mode=append&kind=number');
    expect(changed).toMatchObject({
      status: 'failed',
      error: { key: 'error.column_refused', message: expect.stringContaining('kind') },
    });
    const whole = await write('sector', `${SECTORS}ACRX,2026-01-02,,Health\nLUMA,2026-01-02,,Tech\n`);
    expect(whole.result.column).toMatchObject({ version: 3, rows: 5, sha256: result.column.sha256 });
  });

  it('is written by several at the same time, one after the other', async () => {
    const written = await Promise.all(
      [1, 2, 3].map((i) => write('score', `symbol,date,value\nACRX,2024-01-02,${i}\n`)),
    );
    expect(written.map(({ result }) => result?.column.version).sort()).toEqual([1, 2, 3]);
  });

  it('keeps nothing of a file that is refused, and says why', async () => {
    const { result } = await write('score', 'symbol,date,value\nACRX,2024-01-02,1\n');
    const bad = Array.from({ length: 10 }, (_, i) => `ACRX,2024-02-3${i},1\n`).join('');
    const refused = [
      [
        'score',
        `symbol,date,value\n${bad}`,
        '',
        /10 of 10 lines cannot be read: line 2 \(bad_date\): ACRX,2024-02-30,1;/,
      ],
      ['score', 'symbol,when,value\nACRX,2024-01-02,1\n', '', /date is missing/],
      ['score', '', '', /empty/],
      ['score', 'symbol,date,value\nNOSUCH,2024-01-02,1\n', '', /known instrument/],
      ['score', Buffer.from([0x50, 0x41, 0x52, 0x31, 1, 2, 3]).toString('latin1'), '', /cannot be read/],
    ] as const;
    for (const [name, body, query, message] of refused) {
      const { error, status } = await write(name, body, query);
      expect([status, error]).toMatchObject([
        'failed',
        { key: 'error.column_refused', message: expect.stringMatching(message) },
      ]);
    }
    const { body } = await api.get('/v1/my/columns/score', ada.program);
    expect(body.data).toMatchObject(result.column);
    expect(uploads()).toEqual([]);
  });

  it('stays as it was when its worker dies in the middle, whose job begins again', async () => {
    const { result } = await write('score', 'symbol,date,value\nACRX,2024-01-02,1\n');
    const sent = { ...ada.program, 'content-type': 'text/csv', prefer: 'respond-async' };
    const { body } = await api.put('/v1/my/columns/score', 'symbol,date,value\nACRX,2024-01-03,2\n', sent);
    const { job_id: runId, location } = body.data;
    const { pool, storage } = api.services;
    const dying = { pool, now, storage, workFolder: directory, isLastAttempt: false };
    const abort = new AbortController();
    abort.abort(new Error('the worker dies'));
    await expect(runJobOf({ ...dying, signal: abort.signal }, runId)).rejects.toThrow('aborted');
    expect((await api.get('/v1/my/columns/score', ada.program)).body.data).toMatchObject(result.column);
    expect(uploads()).toHaveLength(1);
    await pool.query(`update runs set status = 'queued' where id = $1`, [runId]);
    await runJobOf(dying, runId);
    expect((await api.get(location, ada.program)).body.data).toMatchObject({
      status: 'done',
      result: { column: { version: 2 } },
    });
    expect(uploads()).toEqual([]);
  });

  it('keeps versions that kept runs have used, and the newest', async () => {
    for (let i = 1; i <= 3; i++) await write('score', `symbol,date,value\nACRX,2024-01-0${i + 1},${i}\n`);
    const { pool } = database;
    const { rows } = await pool.query('select id from own_columns');
    const spec = JSON.stringify({ columns: [{ columnId: rows[0].id, version: 2 }] });
    await pool.query(
      `insert into backtests (user_id, created_at, is_cached, summary, kind, spec) values ($1, now(), false, '{}', 'backtest', $2)`,
      [ada.id, spec],
    );
    await deleteFormerVersions(pool, new Date(now() + 1));
    const { body } = await api.get('/v1/my/columns/score', ada.program);
    expect(body.data.versions.map(({ version }: { version: number }) => version)).toEqual([3, 2]);
    expect(await selectColumnUse(pool, ada.id)).toEqual({ columns: 1, rows: 2 });
    // Versions of one chain share their rows.
    for (const day of [5, 6]) await write('score', `symbol,date,value\nACRX,2024-01-0${day},1\n`, '?mode=append');
    await pool.query(`update backtests set spec = $1`, [
      JSON.stringify({ columns: [2, 4].map((version) => ({ columnId: rows[0].id, version })) }),
    ]);
    expect(await selectColumnUse(pool, ada.id)).toEqual({ columns: 1, rows: 4 });
    await pool.query('delete from backtests');
    await deleteFormerVersions(pool, new Date(now() + 1));
    expect(await selectColumnUse(pool, ada.id)).toEqual({ columns: 1, rows: 3 });
  });

  it('has no name of a word of the language, nor another form of one', async () => {
    for (const word of ['close', 'and', 'venue'])
      expect(await write(word, SECTORS)).toMatchObject({ key: 'error.column_refused' });
    expect(await write('Sector', SECTORS)).toMatchObject({ key: 'error.validation_failed' });
    expect(await write('sector', SECTORS, '?kinds=label')).toMatchObject({ key: 'error.validation_failed' });
  });

  it('has no more rows, and an account no more columns, than the plan includes', async () => {
    const free = await addPerson(api);
    const many = `symbol,date,value\n${'ACRX,2024-01-02,1\n'.repeat(111_001)}`;
    expect(await write('score', many, '', free)).toMatchObject({ code: 400, key: 'error.quota_exceeded' });
    expect(uploads()).toEqual([]);
    // The packed file is short: it is read no further than the plan goes.
    const rows = `${many}${'ACRX,2024-01-02,1\n'.repeat(400_000)}`;
    const packed = await write('score', gzipSync(rows), '', free);
    expect(packed).toMatchObject({ status: 'failed', error: { key: 'error.quota_exceeded' } });
    expect(Number(/\d{6,}/.exec(packed.error.message.replaceAll(',', ''))?.[0])).toBeLessThan(200_000);
    const wide = await write(
      'score',
      gzipSync(`symbol,date,value\n${`${'x'.repeat(50_000)}\n`.repeat(1_000)}`),
      '',
      free,
    );
    expect(wide).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('unpacks to more than') },
    });
    for (let i = 0; i < 5; i++) expect(await write(`c${i}`, SECTORS, '', free)).toMatchObject({ status: 'done' });
    const over = await write('c5', SECTORS, '', free);
    expect(over).toMatchObject({ status: 'failed', error: { key: 'error.quota_exceeded' } });
    const { body } = await api.get('/v1/my/columns', free.program);
    expect(body.data.total).toBe(5);
  });

  it('is of its account alone', async () => {
    await write('sector', SECTORS);
    const eve = await addPerson(api, undefined, { plan: 'pro' });
    expect((await api.get('/v1/my/columns/sector', eve.program)).status).toBe(404);
    expect((await api.get('/v1/my/columns', {})).status).toBe(403);
  });
});

describe("everyone's column", () => {
  const SERIES = `date,value\n${Array.from({ length: 20 }, (_, i) => `2024-01-${String(i + 2).padStart(2, '0')},${i}\n`).join('')}`;

  it('is written by an administrator, with its source, and told to all', async () => {
    const root = await addAdmin(api);
    const sent = await write('vix', SERIES, '?market=true&source=CBOE&license=free', root, '/api/admin/columns');
    expect(sent).toMatchObject({
      status: 'done',
      result: { column: { owner: 'everyone', source: 'CBOE', stale_after: 3 } },
    });
    const { body } = await api.get('/v1/my/columns/vix/rows?size=3', ada.program);
    expect(body.data).toMatchObject({ total: 20, items: [{ symbol: null, date: '2024-01-02', value: 0 }, {}, {}] });
    await write('vix', SERIES, '?market=1', ada);
    const { body: own } = await api.get('/v1/my/columns', ada.program);
    expect(own.data.items).toMatchObject([{ name: 'vix', owner: 'account' }]);
    const { body: audit } = await api.get('/api/admin/audit?action=column.update', root.console);
    expect(audit.data.items[0]).toMatchObject({ target_id: 'vix', result: 'ok', details: { source: 'CBOE' } });
    expect((await api.put('/api/admin/columns/vix?source=x&license=y', SERIES, ada.console)).status).toBe(403);
    expect((await api.delete('/api/admin/columns/vix', undefined, root.console)).status).toBe(200);
  });
});
