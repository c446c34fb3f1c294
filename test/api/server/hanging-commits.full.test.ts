/**
 * A database whose commits hang, because its synchronous standby is away: every route answers within five seconds, normally or that the
 * service is unavailable.
 *
 * @waits
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { Response } from 'supertest';
import { ROUTES } from '../../../api/routes.ts';
import { DATABASE_TIMEOUTS } from '../../../api/server/services.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../db/embedded-postgres.ts';
import { migrate } from '../../../db/migrate.ts';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, newAddress, newEmail, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { deadline, LEAST_FACTOR } from '../../support/deadlines.ts';
import { DESCRIPTION } from '../../support/description.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { loadEverything } from '../../support/market-folder.ts';

/** Five seconds, longer on a machine that is slow. */
const LONGEST_MS = deadline(5_000) / LEAST_FACTOR;
const NOW = Date.parse('2026-06-03T16:00:00Z');
const directory = mkdtempSync(join(tmpdir(), 'market-hanging-'));
let server: EmbeddedPostgres;
let pool: Pool;
let api: TestApi;
let person: Person;

beforeAll(async () => {
  server = await startEmbeddedPostgres(directory, pino({ level: 'silent' }));
  await migrate(server.url);
  await declareQueues(server.url);
  pool = createPool({ url: server.url, max: 4, applicationName: 'test' });
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  await loadEverything(pool, provider);
  api = await openTestApi({
    database: server,
    provider,
    storage: openStorage({ folder: join(directory, 'objects') }),
    now: () => NOW,
    realCallers: true,
    backtestWaitMs: 100,
    rateLimitFactor: 1_000,
    timeouts: DATABASE_TIMEOUTS,
  });
  person = await addPerson(api, newEmail(), { isAdmin: true, plan: 'enterprise' });
}, deadline(60_000));
afterEach(letCommit);
afterAll(async () => {
  await api.close();
  await pool.end();
  await server.stop();
  removeTree(directory);
});

/** From now on no commit that waits for the disk ends. */
async function hangCommits(): Promise<void> {
  await pool.query(`alter system set synchronous_standby_names = 'absent'`);
  await pool.query('select pg_reload_conf()');
  await eventually(
    () => pool.query('show synchronous_standby_names'),
    ({ rows }) => rows[0].synchronous_standby_names === 'absent',
  );
}

/** Lets all commits end. */
async function letCommit(): Promise<void> {
  await pool.query('alter system reset synchronous_standby_names');
  await pool.query('select pg_reload_conf()');
  await eventually(
    () => pool.query(`select from pg_stat_activity where wait_event = 'SyncRep'`),
    ({ rowCount }) => rowCount === 0,
  );
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
} = JSON.parse(DESCRIPTION);
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((one) => [one.operationId, one]),
);

type Given = Readonly<Record<string, string | number>>;

/** Sends the request example of a route as the administrator. `known`: values of its path. */
async function sendExample({ operationId, method, path }: (typeof ROUTES)[number], known: Given): Promise<Response> {
  const { parameters = [], requestBody } = operations.get(operationId) ?? {};
  const examples = (place: string) =>
    parameters.flatMap(({ $ref, ...own }): [string, string][] => {
      const shared = $ref && document.components.parameters[$ref.replace('#/components/parameters/', '')];
      const { name = '', in: at, example } = shared || own;
      return at === place && example ? [[name, String(example)]] : [];
    });
  const values: Given = { ...Object.fromEntries(examples('path')), ...known };
  const query = new URLSearchParams(examples('query').filter(([name]) => name !== 'wait'));
  const target = `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]))}?${query}`;
  const headers = { 'x-forwarded-for': newAddress(), ...person.console };
  const body = requestBody?.content['application/json']?.example;
  return method === 'get' ? api.get(target, headers) : api[method](target, body ?? {}, headers);
}

const data = async (response: Promise<Response>) => (await response).body.data;

/** Records for the routes that take one, by the names of their parameters. */
async function makeRecords(): Promise<Given> {
  const { program, console } = person;
  const later = { prefer: 'respond-async' };
  const run = { symbol: 'ACRX', strategy: 'sma_cross' };
  const routeOf = (id: string) => ROUTES.filter(({ operationId }) => operationId === id)[0];
  const [key, strategy, watch, drawing, webhook, article, load, exported, sweep, job] = await Promise.all([
    data(api.post('/api/account/keys', { name: 'another' }, console)),
    data(sendExample(routeOf('createOwnStrategy'), {})),
    data(sendExample(routeOf('createWatch'), {})),
    data(sendExample(routeOf('createDrawing'), {})),
    data(sendExample(routeOf('createWebhook'), {})),
    data(sendExample(routeOf('createArticle'), {})),
    data(sendExample(routeOf('createSyncJob'), {})),
    data(api.post('/api/admin/data/export', { start: '2015-01-02', end: '2026-05-29' }, console)),
    data(sendExample(routeOf('runSweep'), {})),
    data(api.post('/v1/backtest', run, { ...program, ...later })),
  ]);
  return {
    key_id: key.id,
    strategy_id: strategy.id,
    watch_id: watch.id,
    drawing_id: drawing.id,
    webhook_id: webhook.id,
    slug: article.slug,
    id: load.id,
    export_id: exported.id,
    sweep_id: sweep.job_id,
    job_id: job.job_id,
    user_id: person.id,
  };
}

/** Routes that are called at once. */
const LANES = 4;
/** Commits go on between two chunks of routes, because each that hangs keeps its connection to the server. */
const CHUNK = 24;
/** Routes that end the session of the caller. */
const LAST = ['logout', 'updateUser', 'deleteUserApiKey', 'resetApiKeys', 'deleteAccount'];
// A stream of events has no end to wait for.
const walked = ROUTES.filter(({ isStream }) => !isStream).sort(
  (a, b) => LAST.indexOf(a.operationId) - LAST.indexOf(b.operationId),
);

describe('while commits hang', () => {
  it(
    'every route answers within five seconds',
    async () => {
      const known = await makeRecords();
      const late: unknown[] = [];
      const seen = new Map<string, number>();
      const call = async (route: (typeof ROUTES)[number]) => {
        const start = performance.now();
        const { status, body } = await sendExample(route, known);
        const ms = Math.round(performance.now() - start);
        seen.set(route.operationId, status);
        if (ms > LONGEST_MS || status === 500) late.push([route.operationId, status, body.key, ms]);
      };
      for (let from = 0; from < walked.length; from += CHUNK) {
        const waiting = walked.slice(from, from + CHUNK);
        await hangCommits();
        const lane = async () => {
          for (let route = waiting.shift(); route; route = waiting.shift()) await call(route);
        };
        await Promise.all(Array.from({ length: LANES }, lane));
        await letCommit();
      }
      expect(late).toEqual([]);
      // The walk is one: calls that change something did hang, and reads are answered.
      for (const id of ['createApiKey', 'createExport', 'runBacktest', 'runSweep', 'createSyncJob'])
        expect([id, seen.get(id)]).toEqual([id, 503]);
      for (const id of ['listApiKeys', 'getUsage', 'getQuote', 'listBacktests', 'getStatsOverview'])
        expect([id, seen.get(id)]).toEqual([id, 200]);
    },
    deadline(240_000),
  );
});

it('readers of the access records do not wait for them again and again', async () => {
  const caller = await addPerson(api, newEmail(), { plan: 'enterprise' });
  await api.get('/v1/quote/ACRX', caller.program);
  await transaction(pool, async (holder) => {
    await holder.query('lock table access_records in exclusive mode');
    const start = performance.now();
    const read = () => api.get('/api/account/keys', caller.console);
    const answers = await Promise.all(Array.from({ length: 20 }, read));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(LONGEST_MS);
  });
});
