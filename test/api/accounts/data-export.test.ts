/** The download of what an account has kept: whole, of nobody else, without secrets, and gone when it expires or the account goes. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import { readTransaction } from '../../../db/pool.ts';
import { selectAccountExport } from '../../../db/queue/exports.ts';
import { recordEvaluation } from '../../../db/research/signals.ts';
import { required } from '../../../engine/util/values.ts';
import { accountArchive } from '../../../jobs/export/account-file.ts';
import { removeExportOrphans } from '../../../jobs/export/expire.ts';
import { runExport } from '../../../jobs/export/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { removeObjects } from '../../../jobs/storage/remove-objects.ts';
import { removeExpired } from '../../../jobs/worker/cleanup.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addAdmin, addPerson, newEmail, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runJobOf, runNow } from '../../support/run-jobs.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');
const HOUR = 3_600_000;
const PIECE = 65_536;
const PATH = '/api/account/data-export';
const RULES = { entry: 'close > highest($n)', exit: 'close < lowest(20)' };

let clock = NOW;
let folder: string;
let storage: ObjectStorage;
let database: TestDatabase;
let api: TestApi;
let ada: Person;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'account-data-'));
  storage = openStorage({ folder });
  const provider = new SampleProvider({ symbols: 20, now: () => NOW });
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, storage, now: () => clock, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  clock = NOW;
  ada = await addPerson(api, newEmail(), { plan: 'enterprise' });
});

const outcome = ({ status, body }: { status: number; body: { key?: string } }) => [status, body.key ?? 'ok'];
const request = (person = ada) => api.post(PATH, undefined, person.console);
const state = (person = ada) => api.get(PATH, person.console);
const download = (person = ada) => api.get(`${PATH}/file`, person.console);
const context = (more: object = {}) => testJobContext({ pool: database.pool, storage, now: () => clock, ...more });

/** Runs the queued job as the worker does. */
async function work(person = ada, more: object = {}): Promise<void> {
  const { id: exportId } = required(await selectAccountExport(database.pool, person.id));
  await runExport(context(more), { exportId });
}

const stored = async ({ id }: Person) =>
  (await Array.fromAsync(storage.list(`users/${id}/exports/`))).map(({ key }) => key);

/** The texts of an archive by the names of its files. */
async function textsIn(bytes: Buffer): Promise<Map<string, string>> {
  const archive = await yauzl.fromBufferPromise(bytes);
  const found = new Map<string, string>();
  for await (const entry of archive.eachEntry()) {
    found.set(entry.fileName, await text(await archive.openReadStreamPromise(entry)));
  }
  return found;
}

async function made(path: string, body: object, headers: Record<string, string>) {
  const answer = await api.post(path, body, headers);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  return answer.body.data;
}

const signal = {
  kind: 'entry',
  reason: 'signal',
  close: 41.25,
  figures: { close: 41.25, 'highest(55)': null },
} as const;

/** Keeps one of everything; returns the secrets that were shown. */
async function fill({ id: userId, program, console: headers }: Person): Promise<{ runId: number; secret: string }> {
  const body = { symbol: 'ACRX', time_range: '1Y' };
  const { body: run } = await runNow(api, { storage }, { path: '/v1/backtest', body, headers: program });
  const runId = run.data.result.id;
  await api.patch(`/v1/backtests/${runId}`, { name: 'First idea', tags: ['trend'] }, program);
  const strategy = { name: 'Breakout', rules: RULES, parameters: { n: { default: 55 } } };
  const { id } = await made('/v1/my/strategies', strategy, program);
  await api.put(`/v1/my/strategies/${id}`, { ...strategy, description: 'Second version' }, program);
  const watch = { name: 'Breakouts', strategy: 'rules', rules: { saved: id }, symbols: ['LUMA', 'ACRX'] };
  const { id: watchId } = await made('/v1/my/watches', watch, program);
  const { rows } = await database.pool.query(`select id from instruments where symbol = 'ACRX'`);
  await recordEvaluation(database.pool, {
    watch: { id: watchId, name: watch.name },
    userId,
    session: '2026-05-29',
    dataVersion: await selectDataVersion(database.pool),
    signals: [{ ...signal, instrumentId: rows[0].id, symbol: 'ACRX.US' }],
    sendsMail: false,
    at: new Date(NOW),
  });
  const shape = { kind: 'level', points: [{ date: '2026-05-29', price: 41 }], note: 'High' };
  await made('/v1/my/drawings/ACRX', { shape }, program);
  const ratings =
    'symbol,date,known_at,value\nACRX,2026-03-31,2026-05-04T08:00:00,"High, again"\nACRX,2026-04-30,2026-05-29,\n';
  const sent = { ...program, 'content-type': 'text/csv', prefer: 'respond-async' };
  const { body: queued } = await api.put('/v1/my/columns/rating', ratings, sent);
  await runJobOf({ pool: database.pool, storage, now: () => NOW, workFolder: tmpdir() }, queued.data.job_id);
  const hook = await made('/v1/my/webhooks', { url: 'https://93.184.215.14/hook', events: ['signals.ready'] }, program);
  const { key } = await made('/api/account/keys', { name: 'Second' }, headers);
  expect(key).toMatch(/^md_/);
  return { runId, secret: hook.secret };
}

/** Secrets of an account as the database and JSON encode them. */
async function secretsOf({ id, key, accessToken, refreshToken }: Person): Promise<string[]> {
  const { rows: hashes } = await database.pool.query<{ hash: Buffer }>(
    `select key_hash as hash from api_keys where user_id = $1 union all
     select t.token_hash from refresh_tokens t join sessions s on s.id = t.session_id where s.user_id = $1`,
    [id],
  );
  const { rows: hooks } = await database.pool.query<{ secret: string }>(
    'select secret from webhooks where user_id = $1',
    [id],
  );
  expect([hashes.length, hooks.length]).toEqual([3, 1]);
  const encoded = hashes.flatMap(({ hash }) => [hash.toString('hex'), hash.toString('base64'), [...hash].join()]);
  return [...encoded, hooks[0].secret, key, accessToken, refreshToken];
}

describe('the data of an account', () => {
  it('are one archive with what the API answers, without secrets, for nobody else', async () => {
    const { runId, secret } = await fill(ada);
    const eve = await addPerson(api, newEmail(), { plan: 'enterprise' });
    const admin = await addAdmin(api);
    await fill(eve);
    const { status, headers, body } = await request();
    expect([status, headers.location, body.data.status]).toEqual([202, PATH, 'pending']);
    expect(outcome(await download())).toEqual([409, 'error.export_not_finished']);
    await work();
    const { data } = (await state()).body;
    expect(data).toMatchObject({ status: 'done', progress_pct: 100, expires_at: '2026-06-08T16:00:00.000Z' });
    const file = await download();
    expect(file.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(data.bytes),
      'content-disposition': 'attachment; filename="account-data-2026-06-01.zip"',
    });
    const texts = await textsIn(file.body);
    expect(texts.size).toBe(data.files);
    const part = (name: string) => JSON.parse(required(texts.get(`${name}.json`), name));
    const answer = async (path: string, by = ada.program) => (await api.get(path, by)).body.data;
    const { effective_plan, register_country_name, last_login_country_name, ...user } = await answer(
      '/api/auth/me',
      ada.console,
    );
    expect(part('account')).toEqual({ ...user, login: null });
    const keys = await answer('/api/account/keys', ada.console);
    const unused = (items: object[]) => items.map((item) => ({ ...item, last_used_at: null }));
    expect(part('api-keys').map(({ name }: { name: string }) => name)).toEqual(['default', 'Second']);
    expect(unused(part('api-keys'))).toEqual(unused(keys.items));
    expect(part('login-sessions')).toEqual([
      { login_method: 'code', created_at: '2026-06-01T16:00:00.000Z', revoked_at: null },
    ]);
    expect(part('strategies')).toEqual((await answer('/v1/my/strategies')).items);
    expect(part('strategy-versions')).toMatchObject([
      { version: 1, description: '', rules: RULES },
      { version: 2, description: 'Second version', rules: RULES, parameters: { n: { default: 55 } } },
    ]);
    const [{ rules, evaluated: _, ...watch }] = (await answer('/v1/my/watches')).items;
    expect(part('watches')).toMatchObject([{ ...watch, strategy_id: rules.saved, strategy_version: null }]);
    expect(part('signals')).toEqual((await answer('/v1/my/signals')).items);
    const drawn = (await answer('/v1/my/drawings/ACRX')).items;
    expect(part('drawings')).toMatchObject([{ ...drawn[0], symbol: 'ACRX.US' }]);
    expect(part('columns')).toMatchObject([{ name: 'rating', version: 1, kind: 'label', rows: 2, symbols: 1 }]);
    expect(texts.get('columns/rating.csv')).toBe(
      'symbol,date,known_at,value\nACRX,2026-03-31,2026-05-04T08:00:00-04:00,"High, again"\nACRX,2026-04-30,2026-05-29,\n',
    );
    expect(part('webhooks')).toEqual((await answer('/v1/my/webhooks')).items);
    expect(part('sweeps')).toEqual([]);
    const kept = await answer(`/api/backtest/${runId}`, ada.console);
    expect(part('runs')).toMatchObject([
      { id: runId, kind: 'backtest', name: 'First idea', tags: ['trend'], summary: { symbol: 'ACRX.US' } },
    ]);
    expect(part(`runs/${runId}/trades`)).toEqual(kept.trades);
    expect(part(`runs/${runId}/klines`)).toEqual(kept.klines);
    expect(part(`runs/${runId}/equity`)).toEqual(kept.equity);
    const whole = [...texts.values()].join('\n');
    for (const one of [...(await secretsOf(ada)), secret, eve.email]) expect(whole.includes(one)).toBe(false);
    expect(outcome(await state(eve))).toEqual([404, 'error.not_found']);
    expect(outcome(await download(eve))).toEqual([404, 'error.not_found']);
    const { body: audit } = await api.get(`/api/admin/audit?actor=${ada.id}`, admin.console);
    expect(
      audit.data.items.map(({ action, result, details }: Record<string, string>) => [action, result, details]),
    ).toEqual([
      ['export.download', 'ok', { content: 'account' }],
      ['export.download', 'failed', { content: 'account', error: 'export_not_finished' }],
      ['export.create', 'ok', { content: 'account' }],
    ]);
    const exports = await api.get('/api/admin/data/exports?mine=false', admin.console);
    expect(exports.body.data.items).toEqual([]);
  });

  it('are exported one at a time, once an hour; a failure may be repeated at once', async () => {
    expect((await request()).status).toBe(202);
    expect(outcome(await request())).toEqual([409, 'error.already_running']);
    const away = { put: () => Promise.reject(new Error('away')), remove: async () => {} };
    await expect(work(ada, { storage: away })).rejects.toThrow('away');
    expect((await state()).body.data).toMatchObject({ status: 'failed', bytes: null });
    expect((await request()).status).toBe(202);
    await work();
    // Later than the access token of the console lasts, so the export becomes older instead.
    const age = (ms: number) =>
      database.pool.query(
        `update exports set finished_at = finished_at - $2 * interval '1 ms' where user_id = $1 and status = 'done'`,
        [ada.id, ms],
      );
    await age(HOUR - 1);
    const soon = await request();
    expect([...outcome(soon), soon.body.message]).toEqual([
      ...[409, 'error.export_too_soon'],
      'The data of an account can be exported once an hour. Please try again after 2026-06-01T16:00:00.001Z.',
    ]);
    await age(1);
    expect((await request()).status).toBe(202);
    await work();
    expect(await stored(ada)).toHaveLength(2);
    await removeExpired(context());
    expect(await stored(ada)).toHaveLength(1);
    expect((await download()).status).toBe(200);
  });

  it('are exported again by an operator after a failure', async () => {
    const admin = await addAdmin(api);
    const act = (path: string) => api.post(`/api/admin/${path}`, {}, admin.console);
    const jobId = async () => {
      const { rows } = await database.pool.query('select queue_job_id from exports where user_id = $1', [ada.id]);
      return rows[0].queue_job_id;
    };
    await request();
    const canceled = await jobId();
    expect((await act(`jobs/export.account/${canceled}/cancel`)).status).toBe(200);
    expect((await state()).body.data.status).toBe('failed');
    await database.pool.query(`update pgboss.job set state = 'failed' where id = $1`, [canceled]);
    expect((await act(`jobs/export.account/${canceled}/retry`)).status).toBe(202);
    const { rows } = await database.pool.query('select name, state from pgboss.job where id = $1', [await jobId()]);
    expect(rows).toEqual([{ name: 'export.account', state: 'created' }]);
    await work();
    expect((await download()).status).toBe(200);
  });

  it('are read as they are sent, and let go when nobody takes the rest', async () => {
    await fill(ada);
    let read = 0;
    const pieces = function* () {
      for (; read < 1_000 * PIECE; read += PIECE) yield randomBytes(PIECE);
    };
    const long = Readable.from(pieces());
    const list = async function* (prefix: string) {
      yield { key: `${prefix}trades.json`, bytes: 0 };
    };
    const given = { storage: { list, get: async () => long }, userId: ada.id };
    let taken = 0;
    await readTransaction(database.pool, async (connection) => {
      const source = { connection, at: new Date(NOW), report: async () => {}, ...given };
      for await (const { length } of accountArchive(source, () => {})) {
        taken += length;
        if (taken > 100 * PIECE) break;
      }
    });
    if (!long.closed) await once(long, 'close');
    expect(read - taken).toBeLessThan(20 * PIECE);
  });

  it('cannot be asked for with a key', async () => {
    expect((await api.post(PATH, undefined, ada.program)).status).toBe(403);
    expect((await api.get(`${PATH}/file`, ada.program)).status).toBe(403);
  });

  it('go after seven days', async () => {
    await request();
    await work();
    clock += 7 * 24 * HOUR - 1;
    await removeExpired(context());
    expect(await stored(ada)).toHaveLength(1);
    clock += 1;
    const later = await addPerson(api);
    await database.pool.query('update exports set user_id = $1 where user_id = $2', [later.id, ada.id]);
    expect(outcome(await download(later))).toEqual([410, 'error.export_expired']);
    await removeExpired(context());
    expect(await stored(ada)).toEqual([]);
    expect((await state(later)).body.data.status).toBe('done');
  });

  it('go with the account', async () => {
    await request();
    await work();
    expect((await api.delete('/api/auth/me', { email: ada.email }, ada.console)).status).toBe(200);
    const { rows } = await database.pool.query(
      `select data from pgboss.job where name = 'storage.remove' order by created_on desc limit 1`,
    );
    await removeObjects(context(), rows[0].data);
    expect(await stored(ada)).toEqual([]);
  });

  it('of an account that is deleted meanwhile leave nothing', async () => {
    await request();
    const deletes = { ...storage, list: storage.list.bind(storage), remove: storage.remove.bind(storage) };
    const put: ObjectStorage['put'] = async (key, content) => {
      const size = await storage.put(key, content);
      await database.pool.query('delete from users where id = $1', [ada.id]);
      return size;
    };
    await work(ada, { storage: { ...deletes, put } });
    expect(await stored(ada)).toEqual([]);
    await removeExportOrphans(context());
  });
});
