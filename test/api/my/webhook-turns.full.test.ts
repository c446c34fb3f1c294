/** Webhooks of accounts whose names are not resolved, and whose receivers hang: nobody else waits for them. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { portOf } from '../../../api/server/port-of.ts';
import { claimDeliveries } from '../../../db/webhooks/webhooks.ts';
import { resolveName } from '../../../jobs/contracts/resolve-name.ts';
import { addressProblem } from '../../../jobs/contracts/webhooks.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { deliverWebhooks } from '../../../jobs/webhooks/run.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { NameServer } from '../../support/name-server.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const LOOPBACK = ['127.0.0.0/8'];
let database: TestDatabase;
let nameServer: NameServer;
let api: TestApi;
let receiver: Server;
/** Paths of calls to the receiver, which answers none to `/hang`. */
const received: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  nameServer = await NameServer.start();
  api = await openTestApi({
    database,
    provider: new SampleProvider({ symbols: 50, now: () => NOW }),
    now: () => NOW,
    realCallers: true,
    webhookNetworks: LOOPBACK,
    nameServers: [nameServer.address],
    rateLimitFactor: 10,
  });
  receiver = createServer((request, response) => {
    const path = request.url ?? '';
    received.push(path);
    if (!path.startsWith('/hang')) response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await api.close();
  nameServer.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query('delete from webhooks');
  received.length = 0;
  nameServer.asked.clear();
  nameServer.known.clear();
});

const ask = (person: Person, url: string) =>
  api.post('/v1/my/webhooks', { url, events: ['data.loaded'] }, person.program);
const people = (count: number) => Promise.all(Array.from({ length: count }, () => addPerson(api)));

/** Adds a webhook with deliveries that are due. Returns its id. */
async function addDue(person: Person, url: string, deliveries: number): Promise<number> {
  const { pool } = database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into webhooks (user_id, url, events, secret, created_at) values ($1, $2, '{data.loaded}', 'c2VjcmV0', now()) returning id`,
    [person.id, url],
  );
  await pool.query(
    `insert into webhook_deliveries (webhook_id, event, data, created_at)
     select $1, 'data.loaded', '{}', now() from generate_series(1, $2)`,
    [rows[0].id, deliveries],
  );
  return rows[0].id;
}
const answersOf = async (id: number) =>
  (await database.pool.query('select answers from webhook_deliveries where webhook_id = $1', [id])).rows.flatMap(
    ({ answers }) => answers,
  );

describe('names on a silent server', () => {
  it('are looked up a few at a time at registration, after the quota, and hold no thread of the process', async () => {
    const accounts = await people(8);
    const calls = accounts.flatMap((person, i) =>
      [1, 2, 3, 4, 5].map((n) => ask(person, `https://hook-${n}.account-${i}.example.com/`)),
    );
    let ended = 0;
    for (const call of calls) call.then(() => ended++);
    await eventually(
      async () => nameServer.asked.size,
      (size) => size === 8,
    );
    // All threads would be waiting: the address of a database, for example, is looked up by them.
    await Promise.all(Array.from({ length: 8 }, () => lookup('localhost')));
    expect([nameServer.asked.size, ended]).toEqual([8, 0]);
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).toEqual(Array(40).fill(201));
    nameServer.asked.clear();
    const { status, body } = await ask(accounts[0], 'https://hook-6.example.com/');
    expect([status, body.key, nameServer.asked.size]).toEqual([400, 'error.quota_exceeded', 0]);
  });

  it('are given up in deliveries, while others are delivered', async () => {
    const [slow, quick] = await people(2);
    const silent = await addDue(slow, 'https://silent.example.com/', 2);
    await addDue(quick, `http://127.0.0.1:${portOf(receiver)}/quick`, 1);
    const job = deliver();
    await eventually(
      async () => received,
      (paths) => paths.includes('/quick'),
    );
    expect(await answersOf(silent)).toEqual([]);
    await job;
    expect((await answersOf(silent)).map(({ error }) => error)).toEqual(['ETIMEOUT', 'ETIMEOUT']);
  });
});

const context = (signal?: AbortSignal) =>
  testJobContext({
    pool: database.pool,
    now: () => NOW,
    webhookNetworks: LOOPBACK,
    nameServers: [nameServer.address],
    ...(signal && { signal }),
  });
const deliver = (signal?: AbortSignal) => deliverWebhooks(context(signal));

describe('a name', () => {
  it('of a private address is refused at registration, and never reached when it becomes one later', async () => {
    const [person] = await people(1);
    nameServer.known.set('inside.example.com', '10.1.2.3').set('moved.example.com', '10.1.2.3');
    const refused = await ask(person, 'https://inside.example.com/');
    expect([refused.status, refused.body.detail[0].msg]).toEqual([422, expect.stringContaining('WEBHOOK_NETWORKS')]);
    const moved = await addDue(person, 'https://moved.example.com/', 1);
    await deliver();
    expect(await answersOf(moved)).toMatchObject([{ status: null, error: 'EPRIVATE' }]);
  });

  it('of an allowed network is reached: localhost without any name server, others as the server says', async () => {
    const [person] = await people(1);
    const port = portOf(receiver);
    nameServer.known.set('hooks.example.com', '127.0.0.1');
    expect((await ask(person, `http://localhost:${port}/local`)).status).toBe(201);
    await database.pool.query(
      `insert into webhook_deliveries (webhook_id, event, data, created_at) select id, 'data.loaded', '{}', now() from webhooks`,
    );
    await addDue(person, `http://hooks.example.com:${port}/named`, 1);
    await deliver();
    expect(received.sort()).toEqual(['/local', '/named']);
    expect([...nameServer.asked]).toEqual(['hooks.example.com']);
  });

  it('of this machine is refused where no network is allowed', () => {
    for (const host of ['localhost', 'localhost.', 'api.localhost', 'printer.local', 'intranet']) {
      expect([host, addressProblem(`https://${host}/`, [])]).toEqual([host, 'webhook_private']);
      expect([host, addressProblem(`http://${host}/`, [])]).toEqual([host, 'webhook_not_https']);
    }
    expect(addressProblem('https://intranet/', LOOPBACK)).toBe('webhook_private');
  });

  it('of the hosts file has the addresses of its lines', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'hosts-')), 'hosts');
    const lines = [
      '127.0.0.1 localhost',
      '10.0.0.7\tHooks.corp.example hooks # of the office',
      '#10.0.0.8 hooks',
      'x hooks',
    ];
    writeFileSync(file, [...lines, 'fd00::7 hooks'].join('\n'));
    const addresses = async (name: string) =>
      (await resolveName(name, [nameServer.address], file)).map(({ address, family }) => `${address} ${family}`);
    expect(await addresses('hooks')).toEqual(['10.0.0.7 4', 'fd00::7 6']);
    expect(await addresses('HOOKS.corp.example.')).toEqual(['10.0.0.7 4']);
    await expect(addresses('other')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    rmSync(dirname(file), { recursive: true });
  });
});

describe('receivers that hang', () => {
  it('of many accounts hold only their own places: what becomes due meanwhile is delivered', async () => {
    const [bystander, ...hanging] = await people(6);
    const url = `http://127.0.0.1:${portOf(receiver)}`;
    const slow: number[] = [];
    for (const person of hanging) {
      for (const n of [1, 2, 3, 4, 5]) slow.push(await addDue(person, `${url}/hang/${n}`, 20));
    }
    const stop = new AbortController();
    const job = deliver(stop.signal);
    await eventually(
      async () => received.length,
      (count) => count > 0,
    );
    await addDue(bystander, `${url}/quick`, 3);
    await eventually(
      async () => received.filter((path) => path === '/quick').length,
      (count) => count === 3,
    );
    // No receiver that hangs has timed out yet.
    expect((await Promise.all(slow.map(answersOf))).flat()).toEqual([]);
    expect(received.filter((path) => path.startsWith('/hang'))).toHaveLength(5 * 4);
    stop.abort();
    await job;
  });

  it('take turns: the account with the fewest deliveries under way is next', async () => {
    const [busy, other] = await people(2);
    const [first, second] = [
      await addDue(busy, 'https://a.example.com/', 9),
      await addDue(busy, 'https://b.example.com/', 9),
    ];
    const third = await addDue(other, 'https://c.example.com/', 2);
    const claim = async (limit: number, underWay: readonly { webhookId: number; userId: number }[]) => {
      const times = { at: new Date(NOW), until: new Date(NOW + 60_000) };
      const places = { limit, perAccount: 3, perWebhook: 2, underWay };
      const claimed = await claimDeliveries(database.pool, { ...times, ...places });
      return claimed.map(({ webhookId }) => webhookId).sort((a, b) => a - b);
    };
    const place = (person: Person, webhookId: number) => ({ webhookId, userId: person.id });
    expect(await claim(2, [place(busy, first)])).toEqual([third]);
    expect(await claim(9, [place(busy, first), place(other, third)])).toEqual([first, second, third]);
  });
});
