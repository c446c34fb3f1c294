/** `Idempotency-Key`: a repeated call is executed once, across processes and restarts, for a day. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { Response } from 'supertest';
import { IdempotencyKeys } from '../../../api/call/idempotency.ts';
import { ROUTES } from '../../../api/routes.ts';
import { deleteOldAnswers } from '../../../db/accounts/idempotency.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import { deleteExpired } from '../../../jobs/worker/cleanup.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  type MarketFolder,
  NOON_2026_06_01,
  runSyncJob,
} from '../../support/market-folder.ts';

const HOUR = 3_600_000;
let now = NOON_2026_06_01;
let database: TestDatabase;
let folder: MarketFolder;
let apis: [TestApi, TestApi];
let api: TestApi;
let person: Person;
let admin: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  await declareQueues(database.url);
  const bars = ['2026-05-27', '2026-05-28', '2026-05-29'].map((day) => `ABCD,${day},10,11,9,10.5,1000\n`).join('');
  folder = createMarketFolder({ 'symbols.csv': 'symbol\nABCD\n', 'daily/consolidated/all.csv': BARS_HEADER + bars });
  const provider = folder.provider();
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars');
  const open = () => openTestApi({ database, provider, realCallers: true, now: () => now });
  apis = [await open(), await open()];
  [api] = apis;
  person = await addPerson(api, undefined, { plan: 'enterprise' });
  admin = await addAdmin(api);
});
afterAll(async () => {
  for (const one of apis) await one.close();
  await database.drop();
  folder.remove();
});

const REQUEST = { symbol: 'ABCD', strategy: 'buy_hold', start: '2026-05-27', save: false };
let keys = 0;
const newKey = () => `request ${++keys} ~!`;

/** Queues a backtest; no worker runs it. */
function request(
  key: string | null,
  body: object = REQUEST,
  from: TestApi = api,
  who: Person = person,
): Promise<Response> {
  const headers = { ...who.program, prefer: 'respond-async', ...(key === null ? {} : { 'idempotency-key': key }) };
  return from.post('/v1/backtest', body, headers);
}

async function runs(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as n from runs');
  // Each test starts with unused limits.
  await database.pool.query("update runs set status = 'cancelled', finished_at = now() where finished_at is null");
  return rows[0].n;
}

const isReplay = ({ headers }: Response) => headers['idempotent-replayed'];

describe('a repeated call', () => {
  it('gets the answer of the first one byte for byte from any process, without further effect', async () => {
    const before = await runs();
    const key = newKey();
    const first = await request(key);
    const again = await request(
      key,
      { save: false, start: '2026-05-27', strategy: 'buy_hold', symbol: 'ABCD' },
      apis[1],
    );
    expect([first.status, isReplay(first)]).toEqual([202, undefined]);
    expect([again.status, isReplay(again), again.text]).toEqual([202, 'true', first.text]);
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(Number(again.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1);
    expect((await runs()) - before).toBe(1);
  });

  it('gets the language of the first one, in an encoding that it accepts itself', async () => {
    const key = newKey();
    const body = {
      slug: 'once',
      category: 'data',
      contents: { en: { title: 'Once', body_md: 'x'.repeat(2_000) } },
    };
    const path = '/api/admin/articles?lang=zh-TW';
    const call = { ...admin.console, 'idempotency-key': key };
    const first = await api.post(path, body, { ...call, 'accept-encoding': 'identity' });
    const again = await api.post('/api/admin/articles?lang=en', body, { ...call, 'accept-encoding': 'gzip' });
    expect([first.status, again.status, again.text === first.text]).toEqual([201, 201, true]);
    expect([again.headers['content-encoding'], again.headers['content-language']]).toEqual(['gzip', 'zh-TW']);
    const { rows } = await database.pool.query(
      "select count(*)::int as n from audit_log where action = 'article.create'",
    );
    expect(rows[0].n).toBe(1);
  });

  it('gets the same file again', async () => {
    const body = { symbols: ['ABCD'], start: '2026-05-27', end: '2026-05-29' };
    const headers = { ...admin.console, 'idempotency-key': newKey() };
    const first = await api.post('/api/admin/data/export', body, headers);
    const again = await api.post('/api/admin/data/export', body, headers);
    expect([first.status, again.status, isReplay(again)]).toEqual([200, 200, 'true']);
    expect(again.body.equals(first.body as Buffer)).toBe(true);
    for (const name of ['x-export-id', 'content-disposition', 'content-type']) {
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    }
  });

  it('is refused if it has another body', async () => {
    const key = newKey();
    await request(key);
    const other = await request(key, { ...REQUEST, start: '2026-05-28' }, apis[1]);
    expect([other.status, other.body.key]).toEqual([409, 'error.idempotency_mismatch']);
  });

  it('is executed if the first one failed: only answers of 2xx are stored', async () => {
    const key = newKey();
    for (let time = 0; time < 2; time++) {
      const refused = await request(key, { ...REQUEST, symbol: 'NOPE' });
      expect([refused.status, isReplay(refused)]).toEqual([404, undefined]);
    }
    const other = await request(key);
    expect([other.status, isReplay(other)]).toEqual([202, undefined]);
  });

  it('is recognized by account, method, and path; keys of guests are ignored', async () => {
    const key = newKey();
    const before = await runs();
    const stranger = await addPerson(api);
    await request(key);
    expect(isReplay(await request(key, REQUEST, api, stranger))).toBeUndefined();
    const elsewhere = await api.post('/api/backtest', REQUEST, {
      ...person.console,
      prefer: 'respond-async',
      'idempotency-key': key,
    });
    expect([elsewhere.status, isReplay(elsewhere)]).toEqual([202, undefined]);
    const guests = await Promise.all(
      ['10.77.0.1', '10.77.0.2'].map((ip) =>
        api.post('/v1/backtest', REQUEST, {
          prefer: 'respond-async',
          'idempotency-key': key,
          'x-forwarded-for': ip,
        }),
      ),
    );
    expect(guests.map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual([
      [202, undefined],
      [202, undefined],
    ]);
    expect((await runs()) - before).toBe(5);
  });
});

describe('concurrent calls with one key', () => {
  it('are executed once, over all processes', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await runs();
      const key = newKey();
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => request(key, REQUEST, apis[i % 2])));
      const done = answers.filter(({ status }) => status === 202);
      const refused = answers.filter(({ status }) => status !== 202);
      expect(new Set(done.map(({ text }) => text)).size).toBe(1);
      expect(done.filter((one) => !isReplay(one))).toHaveLength(1);
      for (const { status, body } of refused) {
        expect([status, body.key]).toEqual([409, 'error.idempotency_in_progress']);
      }
      expect((await runs()) - before).toBe(1);
    }
  });

  it('do not wait: they get 409 while the first one is in progress, and its answer after that', async () => {
    const [first, second] = apis.map(
      ({ services }) =>
        new IdempotencyKeys({ pool: services.pool, now: () => now, log: pino({ level: 'silent' }), renewMs: 20 }),
    );
    const call = (key: string) =>
      ({
        method: 'POST',
        path: '/x',
        headers: { 'idempotency-key': key },
        body: {},
        context: { headers: {} },
      }) as never;
    const key = newKey();
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = first.answerOnce(call(key), person.id, async () => {
      await promise;
      return { status: 201, body: '{"done":true}' };
    });
    const other = () => second.answerOnce(call(key), person.id, async () => ({ status: 201, body: 'twice' }));
    const held = () =>
      database.pool.query('select held_until > now() as held from idempotency_answers where status is null');
    try {
      await eventually(held, ({ rowCount }) => rowCount === 1);
      await expect(other()).rejects.toMatchObject({ code: 'idempotency_in_progress' });
      // A running process renews its claim, however long the call takes.
      await database.pool.query('update idempotency_answers set held_until = now() where status is null');
      await eventually(held, ({ rows }) => rows[0].held);
      await expect(other()).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    } finally {
      resolve();
      await running;
    }
    expect(String((await other()).body)).toBe('{"done":true}');
    first.close();
    second.close();
  });

  it('are not blocked by a process that died', async () => {
    const key = newKey();
    await database.pool.query('delete from idempotency_answers');
    await request(key);
    const under = "status = null, headers = null, body = null, held_until = now() + interval '30 s'";
    await database.pool.query(`update idempotency_answers set ${under}`);
    const { body } = await request(key);
    expect(body.key).toBe('error.idempotency_in_progress');
    await database.pool.query(
      "update idempotency_answers set held_until = now() - interval '1 s' where status is null",
    );
    const done = await request(key, { ...REQUEST, start: '2026-05-28' });
    expect([done.status, isReplay(done)]).toEqual([202, undefined]);
    expect(isReplay(await request(key, { ...REQUEST, start: '2026-05-28' }))).toBe('true');
  });

  it('find the run that a process queued before it died, without queuing a second one', async () => {
    const key = newKey();
    const before = await runs();
    const first = await request(key);
    const die = 'update idempotency_answers set status = null, headers = null, body = null, held_until = now()';
    await database.pool.query(`${die} where created_at = (select max(created_at) from idempotency_answers)`);
    const second = await request(key);
    expect([second.status, isReplay(second), second.body.data]).toEqual([202, undefined, first.body.data]);
    expect(await runs()).toBe(before + 1);
    // A canceled run gives no result: it is queued again, once.
    await database.pool.query(`${die} where created_at = (select max(created_at) from idempotency_answers)`);
    const third = await request(key);
    expect(third.body.data.job_id).not.toBe(first.body.data.job_id);
    expect(await runs()).toBe(before + 2);
  });

  it('find the export that a process queued before it died', async () => {
    const headers = { ...admin.console, 'idempotency-key': newKey() };
    const queue = () => api.post('/api/admin/data/export', { start: '2026-05-27', end: '2026-05-29' }, headers);
    const { rows: before } = await database.pool.query('select id from exports');
    const first = await queue();
    const die = 'update idempotency_answers set status = null, headers = null, body = null, held_until = now()';
    await database.pool.query(`${die} where created_at = (select max(created_at) from idempotency_answers)`);
    const second = await queue();
    expect([second.status, isReplay(second), second.body.data]).toEqual([202, undefined, first.body.data]);
    expect(second.headers['x-export-id']).toBe(first.headers['x-export-id']);
    const { rows } = await database.pool.query('select id from exports');
    expect(rows).toHaveLength(before.length + 1);
  });
});

describe('a stored answer', () => {
  it('is replayed for 24 hours', async () => {
    const key = newKey();
    const { text } = await request(key);
    now += 24 * HOUR - 1;
    expect((await request(key)).text).toBe(text);
    now += 1;
    const later = await request(key);
    expect([later.status, isReplay(later), later.text === text]).toEqual([202, undefined, false]);
    now = NOON_2026_06_01;
  });

  it('is deleted after its time, with its account, and as the oldest if there are too many', async () => {
    const count = async (id: number) => {
      const { rows } = await database.pool.query(
        'select count(*)::int as n from idempotency_answers where user_id = $1',
        [id],
      );
      return rows[0].n;
    };
    const other = await addPerson(api, undefined, { plan: 'enterprise' });
    for (let i = 0; i < 3; i++) await request(newKey(), REQUEST, api, other);
    await runs();
    expect(await count(other.id)).toBe(3);
    const { rows } = await database.pool.query(
      'select max(octet_length(body)) as bytes from idempotency_answers where user_id = $1',
      [other.id],
    );
    await deleteOldAnswers(database.pool, { keptSince: new Date(now - HOUR), maxBytes: rows[0].bytes });
    expect(await count(other.id)).toBe(1);
    await api.delete('/api/auth/me', { email: other.email }, other.console);
    expect(await count(other.id)).toBe(0);
    await request(newKey());
    expect(await count(person.id)).toBeGreaterThan(0);
    await deleteExpired(database.pool, now + 48 * HOUR);
    expect(await count(person.id)).toBe(0);
  });

  it('never contains a secret', async () => {
    const headers = { ...person.console, 'idempotency-key': newKey() };
    const [first, second] = [
      await api.post('/api/account/keys', { name: 'one' }, headers),
      await api.post('/api/account/keys', { name: 'one' }, headers),
    ];
    expect([first.status, second.status, first.body.data.key === second.body.data.key]).toEqual([201, 201, false]);
    const without = ROUTES.filter(({ method, takesIdempotencyKey }) => method === 'post' && !takesIdempotencyKey);
    expect(without.map(({ path }) => path).sort()).toEqual([
      '/api/account/keys',
      '/api/account/keys/reset',
      // It changes nothing.
      '/api/admin/data/files/check',
      '/api/articles/preview',
      '/api/auth/admin-login',
      '/api/auth/logout',
      '/api/auth/refresh',
      '/api/auth/request-code',
      '/api/auth/verify',
      // These only read.
      '/v1/batch',
      '/v1/factors/{study_id}/retry',
      '/v1/my/webhooks',
      // This one only reads.
      '/v1/rules/check',
      '/v1/sweeps/{sweep_id}/retry',
    ]);
  });
});

describe('a key', () => {
  it('has 1 to 128 printable characters', async () => {
    for (const bad of ['x'.repeat(129), 'caf\u00e9', 'a\tb']) {
      const { status, body } = await request(bad);
      expect([status, body.detail]).toEqual([
        422,
        [
          {
            loc: ['header', 'Idempotency-Key'],
            type: 'invalid_format',
            msg: 'expected 1 to 128 printable characters',
          },
        ],
      ]);
    }
    expect((await request('x'.repeat(128))).status).toBe(202);
    expect((await request(null)).status).toBe(202);
  });
});
