/**
 * Every failure to use the database is an outage: reads from memory are still answered, and all other calls report it.
 *
 * @waits
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { DATABASE_TIMEOUTS } from '../../../api/server/services.ts';
import { isDatabaseUnreachable } from '../../../db/errors.ts';
import { createPool } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addAdmin, newAddress, newEmail, type Person, signUp } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline, LEAST_FACTOR } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { everyNth } from '../../support/extent.ts';
import { FAULTS, whileConnectionsFail } from '../../support/faults.ts';

const LONGEST_MS = deadline(5_000) / LEAST_FACTOR;
const NOW = Date.parse('2026-06-03T16:00:00Z');
let database: TestDatabase;
let api: TestApi;
let person: Person;
let admin: Person;

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  database = await createSampleDatabase(provider);
  api = await openTestApi({
    database,
    provider,
    now: () => NOW,
    realCallers: true,
    backtestWaitMs: 100,
    timeouts: DATABASE_TIMEOUTS,
  });
  person = await signUp(api);
  admin = await addAdmin(api);
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
afterEach(async () => {
  await eventually(
    async () => api.services.limiter.isLocal,
    (isLocal) => !isLocal,
  );
});

type Calls = Readonly<Record<string, () => Promise<Response>>>;

const fromElsewhere = () => ({ 'x-forwarded-for': newAddress() });

/** Calls that memory can answer. */
const inMemory: Calls = {
  quote: () => api.get('/v1/quote/ACRX', fromElsewhere()),
  static: () => api.get('/v1/static/ACRX', fromElsewhere()),
  symbols: () => api.get('/v1/symbols?q=ACRX', fromElsewhere()),
  strategies: () => api.get('/v1/strategies', fromElsewhere()),
  plans: () => api.get('/api/plans', fromElsewhere()),
  health: () => api.get('/healthz'),
};
/** Calls that read the database. */
const reading: Calls = {
  candles: () => api.get('/v1/kline/BRVA?adjust=none&days=700', fromElsewhere()),
  records: () => api.get('/v1/backtests', person.program),
  articles: () => api.get('/api/articles', fromElsewhere()),
  coverage: () => api.get('/api/admin/data/coverage', admin.console),
  job: () => api.get('/v1/backtests/jobs/00000000-0000-4000-8000-000000000000', fromElsewhere()),
};
/** Calls that change it. */
const writing: Calls = {
  backtest: () => api.post('/v1/backtest', { symbol: 'ACRX', strategy: 'sma_cross' }, fromElsewhere()),
  portfolio: () => api.post('/v1/portfolio', { symbols: ['ACRX', 'BRVA'], strategy: 'sma_cross' }, person.program),
  profile: () => api.patch('/api/auth/me', { nickname: 'New' }, person.console),
  'sign-in': () => api.post('/api/auth/request-code', { email: newEmail() }, fromElsewhere()),
};

const AWAY = '503 error.unavailable';

/** Name of each call → its status, with the key of an error. */
async function outcomesOf(calls: Calls): Promise<Record<string, string>> {
  const outcomes = Object.entries(calls).map(async ([name, call]) => {
    const { status, body } = await call();
    return [name, status < 400 ? 'answered' : `${status} ${body.key}`];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

const every = (calls: Calls, outcome: string) => Object.fromEntries(Object.keys(calls).map((name) => [name, outcome]));

describe('a database that cannot be used', () => {
  it.each(everyNth(3, [...FAULTS.keys()]))(
    'leaves reads from memory, and is reported by all other calls: %s',
    async (name) => {
      await outcomesOf(inMemory);
      const error = required(FAULTS.get(name));
      const start = performance.now();
      const outcomes = await whileConnectionsFail(error, () => outcomesOf({ ...inMemory, ...reading, ...writing }));
      expect(outcomes).toEqual({ ...every(inMemory, 'answered'), ...every({ ...reading, ...writing }, AWAY) });
      expect(performance.now() - start).toBeLessThan(LONGEST_MS);
    },
  );

  it('may still be readable: refused writes are reported, and reads are answered', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const cut = () =>
      database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'api%'`,
        [name],
      );
    await database.pool.query(`alter database ${name} set default_transaction_read_only = on`);
    await cut();
    try {
      expect((await eventually(reading.records, ({ status }) => status === 200)).status).toBe(200);
      expect(await outcomesOf({ ...inMemory, ...writing })).toEqual({
        ...every(inMemory, 'answered'),
        ...every(writing, AWAY),
      });
    } finally {
      await database.pool.query('set default_transaction_read_only = off');
      await database.pool.query(`alter database ${name} reset default_transaction_read_only`);
      await cut();
    }
    await eventually(writing.profile, ({ status }) => status === 200);
  });
});

describe('a real failure to connect', () => {
  it.each([
    ['a name that nobody has', { hostname: 'database.invalid' }],
    ['a port where nobody listens', { port: '1' }],
    ['a database that is not there', { pathname: '/nowhere' }],
    ['a socket that is not there', { search: '?host=/nowhere' }],
    ['an address without a route', { hostname: '255.255.255.255' }],
  ])('is an outage: %s', async (_, other) => {
    const url = Object.assign(new URL(database.url), { search: '' }, other).href;
    const pool = createPool({ url, max: 1, applicationName: 'test' });
    const failure = await pool.query('select 1').catch((error: unknown) => error);
    await pool.end();
    expect([String(failure), isDatabaseUnreachable(failure)]).toEqual([expect.stringMatching(/rror: /), true]);
  });
});

describe('connections that the server ends', () => {
  it('are replaced under load: every call is answered, possibly with 503', async () => {
    const cut = () =>
      database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name <> 'test' and backend_type = 'client backend'`,
      );
    const calls = Object.values({ ...inMemory, ...reading, ...writing });
    const seen: number[] = [];
    const lane = async () => {
      for (const call of [...calls, ...calls, ...calls]) {
        const [{ status }] = await Promise.all([call(), seen.length % 10 === 0 ? cut() : null]);
        seen.push(status);
      }
    };
    await Promise.all([1, 2, 3, 4].map(lane));
    expect(seen.filter((status) => status === 500)).toEqual([]);
  });
});
