/** Streams of events: whose they are, their order, what resumes them, and who is dropped. */
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transaction } from '../../../db/pool.ts';
import { deleteOldEvents, insertEvent } from '../../../db/webhooks/account-events.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything } from '../../support/market-folder.ts';
import { runJobOf } from '../../support/run-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');

let now = NOW;
let database: TestDatabase;
let market: MadeUpMarket;
/** Two processes on one database. */
let apis: readonly TestApi[];
let servers: readonly { readonly server: Server; readonly url: string }[];
let ada: Person;
let bob: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  market = madeUpMarket(['AAA', 'BBB'], '2024-01-02', '2024-09-03');
  const provider = market.folder.provider(NOW);
  await loadEverything(database.pool, provider);
  const open = () => openTestApi({ database, provider, now: () => now, realCallers: true });
  apis = [await open(), await open()];
  servers = await Promise.all(
    apis.map(async ({ app }) => {
      const server = createServer(app).listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      const address = server.address();
      return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
    }),
  );
  ada = await addPerson(apis[0], undefined, { plan: 'pro' });
  bob = await addPerson(apis[0]);
});
afterAll(async () => {
  for (const { server } of servers) server.closeAllConnections();
  for (const { server } of servers) server.close();
  await Promise.all(apis.map((api) => api.close()));
  await database.drop();
  market.folder.remove();
});

interface Told {
  readonly id: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

interface OpenStream {
  readonly told: Told[];
  /** The number that the stream began with. */
  readonly begun: () => number;
  readonly ended: Promise<void>;
  readonly close: () => void;
}

async function stream(
  person: Person,
  { after, at = 0 }: { after?: number | string; at?: number } = {},
): Promise<OpenStream> {
  const abort = new AbortController();
  const headers = { ...person.program, ...(after !== undefined && { 'last-event-id': String(after) }) };
  const response = await fetch(`${servers[at].url}/v1/stream`, { headers, signal: abort.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const told: Told[] = [];
  let begun: number | undefined;
  const read = async () => {
    let text = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)));
        if (fields.event) told.push({ id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data) });
        else begun ??= Number(fields.id);
      }
    }
  };
  const ended = read().catch(() => {});
  await eventually(
    async () => begun,
    (number) => number !== undefined,
  );
  return { told, begun: () => begun ?? 0, ended, close: () => abort.abort() };
}

const opened = (count: number) =>
  eventually(
    async () => apis[0].services.streams.count,
    (open) => open === count,
  );

/** The connection of a stream that nobody reads, the only one of its process. */
async function lazyStream(person: Person): Promise<Socket> {
  await opened(0);
  const { port, hostname } = new URL(servers[0].url);
  const lazy = connect(Number(port), hostname);
  const headers = Object.entries(person.program).map(([name, value]) => `${name}: ${value}\r\n`);
  lazy.write(`GET /v1/stream HTTP/1.1\r\nhost: x\r\n${headers.join('')}\r\n`);
  await opened(1);
  lazy.pause().on('error', () => {});
  return lazy;
}

const tell = (userId: number | null, n: number) =>
  insertEvent(database.pool, { userId, event: 'signals.ready', data: { n }, createdAt: new Date(NOW) });
const numbers = ({ told }: OpenStream) => told.map(({ data }) => data.n);
const until = (one: OpenStream, count: number) =>
  eventually(
    async () => one.told.length,
    (length) => length >= count,
  );

describe('a stream', () => {
  it('has the events of its account and of everybody, and none of another account, at any process', async () => {
    const streams = await Promise.all([stream(ada), stream(ada, { at: 1 }), stream(bob), stream(bob, { at: 1 })]);
    await tell(ada.id, 1);
    await tell(bob.id, 2);
    await tell(null, 3);
    await tell(ada.id, 4);
    await tell(bob.id, 5);
    for (const one of streams) await until(one, 3);
    expect(streams.map(numbers)).toEqual([
      [1, 3, 4],
      [1, 3, 4],
      [2, 3, 5],
      [2, 3, 5],
    ]);
    for (const one of streams) one.close();
  });

  it('resumes after any event, also one of a transaction that began earlier and committed later', async () => {
    const first = await stream(ada);
    const slow = await database.pool.connect();
    await slow.query('begin');
    await insertEvent(slow, { userId: ada.id, event: 'signals.ready', data: { n: 10 }, createdAt: new Date(NOW) });
    await tell(ada.id, 11);
    await until(first, 1);
    const [{ id: seen }] = first.told;
    first.close();
    await slow.query('commit');
    slow.release();
    await tell(ada.id, 12);
    for (const at of [0, 1]) {
      const again = await stream(ada, { after: seen, at });
      await until(again, 2);
      expect(numbers(again)).toEqual([10, 12]);
      expect(again.told[0].id).toBeGreaterThan(seen);
      again.close();
    }
    // A long replay is no burst that drops its reader.
    const many = await stream(ada);
    await database.pool.query(
      `select tell_account($1, 'run.revised', now(), json_build_object('n', n, 'text', repeat('x', 5000))) from generate_series(100, 199) n`,
      [ada.id],
    );
    await until(many, 100);
    many.close();
    const replayed = await stream(ada, { after: many.begun() });
    await until(replayed, 100);
    expect(numbers(replayed)).toEqual(Array.from({ length: 100 }, (_, i) => 100 + i));
    replayed.close();
    // Who has seen no event resumes where the stream began.
    const before = await stream(ada, { after: first.begun() });
    await until(before, 103);
    expect(numbers(before).slice(0, 3)).toEqual([11, 10, 12]);
    before.close();
  });

  it('loses and repeats nothing when many commit at once while it is opened again and again', async () => {
    const begin = await stream(ada);
    const got: number[] = [];
    let after = begin.begun();
    begin.close();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 25; i++) {
        await transaction(database.pool, async (connection) => {
          const event = { userId: ada.id, event: 'signals.ready', createdAt: new Date(NOW) } as const;
          await insertEvent(connection, { ...event, data: { n: 1_000 * (writer + 1) + i } });
          await connection.query('select pg_sleep(random() * 0.02)');
        });
      }
    });
    const isOver = Promise.all(writers).then(() => true);
    let over = false;
    isOver.then(() => {
      over = true;
    });
    while (!over || got.length < 200) {
      const one = await stream(ada, { after, at: got.length % 2 });
      await eventually(
        async () => one.told.length,
        (length) => length > 0,
      );
      one.close();
      const read = [...one.told];
      got.push(...read.map(({ data }) => Number(data.n)));
      after = read[read.length - 1].id;
    }
    const expected = Array.from({ length: 8 }, (_, writer) =>
      Array.from({ length: 25 }, (_, i) => 1_000 * (writer + 1) + i),
    );
    expect([...got].sort((a, b) => a - b)).toEqual(expected.flat());
  });

  it('tells the end of a run that it keeps, and calls that are few', async () => {
    const one = await stream(ada);
    const body = { symbol: 'AAA', strategy: 'donchian', start: '2024-02-01', end: '2024-09-03' };
    const queued = await apis[0].post('/v1/backtest', body, { ...ada.program, prefer: 'respond-async' });
    const { job_id } = queued.body.data;
    await runJobOf({ pool: database.pool, storage: apis[0].services.storage, now: () => NOW }, job_id);
    await until(one, 2);
    expect(one.told).toMatchObject([
      { event: 'job.progress', data: { job_id, kind: 'backtest', status: 'running', progress_pct: 0 } },
      {
        event: 'run.ended',
        data: { job_id, kind: 'backtest', status: 'done', id: expect.any(Number), error: null },
      },
    ]);
    // The plan has 100 in a minute.
    for (let i = 0; i < 81; i++) await apis[0].post('/v1/batch', { symbols: ['AAA'] }, ada.program);
    await until(one, 3);
    expect(one.told.slice(2)).toMatchObject([
      { event: 'limit.near', data: { category: 'batch', limit: 100, remaining: 20 } },
    ]);
    one.close();
  });

  it('is refused without an account, for an event that it cannot resume, and beyond what an account may open', async () => {
    const answered = async (headers: Record<string, string>) => {
      const { status, body } = await apis[0].get('/v1/stream', headers);
      return [status, body.key];
    };
    expect(await answered({})).toEqual([403, 'error.login_required']);
    const { last } = (await database.pool.query('select max(seq) as last from account_events')).rows[0];
    for (const id of ['x', '-1', '1e3', String(last + 100), '9'.repeat(400)]) {
      expect([id, await answered({ ...ada.program, 'last-event-id': id })]).toEqual([id, [400, 'error.unknown_event']]);
    }
    await database.pool.query(
      `update account_events set created_at = now() - case when seq <= $1 then interval '25 hours' else '0' end`,
      [last - 2],
    );
    await deleteOldEvents(database.pool, new Date(Date.now() - 24 * 3_600_000));
    expect(await answered({ ...ada.program, 'last-event-id': String(last - 3) })).toEqual([400, 'error.unknown_event']);
    const kept = await stream(bob, { after: last - 2 });
    kept.close();
    const all = await Promise.all(Array.from({ length: 32 }, () => stream(bob)));
    expect(await answered(bob.program)).toEqual([429, 'error.too_many_streams']);
    for (const one of all) one.close();
  });

  it('has what was told while nobody listened, or is refused when that is gone', async () => {
    await opened(0);
    const first = await stream(ada);
    await tell(ada.id, 1);
    await until(first, 1);
    const [{ id: after }] = first.told;
    first.close();
    await opened(0);
    await tell(ada.id, 2);
    const second = await stream(ada, { after });
    await until(second, 1);
    expect(numbers(second)).toEqual([2]);
    second.close();
    await opened(0);
    await tell(ada.id, 3);
    await deleteOldEvents(database.pool, new Date(Date.now() + 1_000));
    const headers = { ...ada.program, 'last-event-id': String(second.told[0].id) };
    const abort = new AbortController();
    const { status } = await fetch(`${servers[0].url}/v1/stream`, { headers, signal: abort.signal });
    abort.abort();
    expect(status).toBe(400);
  });

  it('ends when the key is revoked', async () => {
    const eve = await addPerson(apis[0]);
    const one = await stream(eve, { at: 1 });
    await database.pool.query(`update users set status = 'disabled' where id = $1`, [eve.id]);
    await one.ended;
    expect((await apis[1].get('/v1/stream', eve.program)).status).toBe(401);
  });

  it('ends when the key expires', async () => {
    const eve = await addPerson(apis[0]);
    await database.pool.query('update api_keys set expires_at = $2 where user_id = $1', [eve.id, new Date(NOW + 1)]);
    const one = await stream(eve);
    now = NOW + 1;
    await one.ended;
    now = NOW;
  });

  it('is dropped when its reader leaves too much unread, and others go on', async () => {
    const lazy = await lazyStream(ada);
    const other = await stream(ada);
    const closed = new Promise((done) => lazy.once('close', done));
    const text = 'x'.repeat(100_000);
    for (let i = 0; i < 80 && apis[0].services.streams.count === 2; i++) {
      await insertEvent(database.pool, {
        userId: ada.id,
        event: 'run.revised',
        data: { n: i, text },
        createdAt: new Date(NOW),
      });
      await until(other, i + 1);
      if (i > 40) await new Promise((later) => setTimeout(later, 100));
    }
    await opened(1);
    lazy.resume();
    await closed;
    await tell(ada.id, 99);
    await eventually(
      async () => numbers(other).at(-1),
      (n) => n === 99,
    );
    other.close();
  });

  it('that has ended but is not read is told nothing more', async () => {
    const lazy = await lazyStream(ada);
    const other = await stream(bob);
    await database.pool.query(
      `select tell_account($1, 'run.revised', now(), json_build_object('text', repeat('x', 8000000)))`,
      [ada.id],
    );
    await tell(bob.id, 2);
    await until(other, 1);
    await database.pool.query(`update users set name = name || '.' where id = $1`, [ada.id]);
    await new Promise((later) => setTimeout(later, 300));
    await tell(ada.id, 3);
    await tell(bob.id, 4);
    await until(other, 2);
    lazy.destroy();
    other.close();
  });
});
