/**
 * Sends every request example of the interface description to a service with the sample market. The answers match the
 * description and its example answers. `RECORD_EXAMPLES=1` records them again (then `npm run format`).
 */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import supertest, { type Response } from 'supertest';
import { createAdmin } from '../../../api/accounts/admins.ts';
import { exampleOf, RECORDED_ANSWERS } from '../../../api/docs/responses.ts';
import { ROUTES } from '../../../api/routes.ts';
import { saveFindings } from '../../../db/market/findings.ts';
import { saveSessionCheck } from '../../../db/market/session-checks.ts';
import { transaction } from '../../../db/pool.ts';
import { saveImpact } from '../../../db/runs/impacts.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { runComparison } from '../../../jobs/compare/run.ts';
import { computeNewestClaims } from '../../../jobs/factors/newest-claims.ts';
import { computeImpacts } from '../../../jobs/impact/run.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { send } from '../../../jobs/queue/send.ts';
import { evaluateSignals } from '../../../jobs/signals/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { bearer, codeIn, deliverMail, newAddress } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import type { TestDatabase } from '../../support/database.ts';
import { DESCRIPTION } from '../../support/description.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { sealEarlier } from '../../support/forward-records.ts';
import { testJobContext } from '../../support/job-context.ts';
import { BARS_HEADER, createMarketFolder } from '../../support/market-folder.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';
import { shown } from '../../support/shown-example.ts';
import { createWrittenDatabase } from '../../support/written-market.ts';

const NOW = Date.parse('2026-06-03T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
const EXAMPLE_ADMIN = { email: 'admin@example.com', login: 'admin', password: 'correct horse battery staple' };

type Json = Record<string, unknown>;
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
}
interface Media {
  readonly schema: Json;
  readonly example?: unknown;
  /** Those of answers are references, since answers of the same data share them. */
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Partial<Parameter>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
} = JSON.parse(DESCRIPTION);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const operationNamed = (operationId: string) => required(operations.find((one) => one.operationId === operationId));
const routeNamed = (operationId: string) => required(ROUTES.find((one) => one.operationId === operationId));

let database: TestDatabase;
let api: TestApi;
let delayed: TestApi;
let directory: string;
let worker: ChildProcess | undefined;
/** Credentials of the account that sends all calls, once it has signed up. */
let credential: Record<string, string> = {};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'market-examples-'));
  database = await createWrittenDatabase(provider, join(directory, 'objects'), [NOW]);
  const storage = openStorage({ folder: join(directory, 'objects') });
  const otherProviders = ['massive'] as const;
  const options = { database, provider, storage, otherProviders, now: () => NOW, realCallers: true };
  api = await openTestApi(options);
  delayed = await openTestApi({ ...options, mode: 'delayed' });
  await createAdmin(database.pool, NOW, EXAMPLE_ADMIN);
});
afterAll(async () => {
  if (worker) await endProcess(worker, 'SIGTERM');
  await Promise.all([api.close(), delayed.close()]);
  await database.drop();
  removeTree(directory);
});

/** Values that replace examples: ids and secrets that are not known in advance. */
interface Given {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Json;
  /** In place of a body of JSON. */
  readonly file?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly to?: TestApi;
}

function examplesOf(operation: Operation, place: string): [string, unknown][] {
  return operation.parameters
    .map(({ $ref, ...own }) =>
      $ref === undefined ? own : document.components.parameters[$ref.split('/').at(-1) ?? ''],
    )
    .flatMap(({ name, in: at, example }) =>
      name !== undefined && at === place && example !== undefined ? [[name, example]] : [],
    );
}

/** Sends the request example of an operation. */
async function sendExample(
  operationId: string,
  { path, query, body, file, headers, to = api }: Given,
): Promise<Response> {
  const route = routeNamed(operationId);
  const operation = operationNamed(operationId);
  const values = { ...Object.fromEntries(examplesOf(operation, 'path')), ...path };
  const target = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const pairs = Object.entries({ ...Object.fromEntries(examplesOf(operation, 'query')), ...query });
  const search = new URLSearchParams();
  for (const [name, value] of pairs) search.set(name, String(value));
  const url = search.size > 0 ? `${target}?${search}` : target;
  const sent = { 'x-forwarded-for': newAddress(), ...(route.limit === 'public' ? {} : credential), ...headers };
  const example = operation.requestBody?.content['application/json']?.example as Json | undefined;
  if (route.method === 'get') return to.get(url, sent);
  if (file !== undefined) return to[route.method](url, file, { 'content-type': 'text/csv', ...sent });
  return to[route.method](url, { ...example, ...body }, sent);
}

/** Keys whose values depend on the time or are random. */
const OF_THE_MOMENT =
  /^(id|slug|url|api_url|location|cached|.*(_at|_id|_ids|_ms|_ip)|worker_seconds|reset|remaining|access_token|refresh_token|api_key|key|prefix|secret)$/;
/** Returns the part of an answer that every run repeats: the names of all fields, and the figures that do not change. */
function lasting(value: unknown, hasSteadyFigures: boolean): unknown {
  if (Array.isArray(value)) return hasSteadyFigures ? value.map((one) => lasting(one, true)) : [];
  if (typeof value !== 'object' || value === null) return hasSteadyFigures ? value : null;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, OF_THE_MOMENT.test(key) ? null : lasting(one, hasSteadyFigures)]),
  );
}

const recorded: Record<string, Record<string, unknown>> = {};
const STEADY_TAGS = ['Market data', 'Backtests', 'Web backtests', 'Screener', 'Portfolios', 'Web portfolios'];

/** Sends the example of an operation and checks the answer; returns its data. */
async function call(operationId: string, given: Given = {}, status = routeNamed(operationId).successStatus ?? 200) {
  const response = await sendExample(operationId, given);
  expect([operationId, response.status, response.body.message]).toEqual([operationId, status, response.body.message]);
  const isJson = response.headers['content-type'].startsWith('application/json');
  const file = Buffer.isBuffer(response.body) ? response.body.toString() : response.text;
  // The bytes of a file that is no text say nothing to a reader.
  const isText = isJson || response.headers['content-type'].startsWith('text/');
  const answer = isText ? shown(isJson ? response.body.data : file) : null;
  recorded[operationId] = { ...recorded[operationId], [status]: answer };
  if (!process.env.RECORD_EXAMPLES) {
    // A job that was accepted may wait or run by the time of the answer.
    const isSteady = status !== 202 && STEADY_TAGS.includes(routeNamed(operationId).tag);
    const example = exampleOf(operationId, status);
    expect([operationId, lasting(answer, isSteady)]).toEqual([operationId, lasting(example, isSteady)]);
  }
  return response.body.data;
}

async function callAll(...operationIds: readonly string[]): Promise<void> {
  for (const operationId of operationIds) await call(operationId);
}

const REMOVAL = 'storage.remove';

async function queueRemoval(hasFailed: boolean): Promise<string> {
  const id = randomUUID();
  await send(api.services.boss, database.pool, REMOVAL, id, { prefix: 'users/7/', requestId: 'request-7' });
  if (!hasFailed) return id;
  await database.pool.query(
    `update pgboss.job set state = 'failed', retry_count = retry_limit, created_on = $3, start_after = $3,
       started_on = $3, completed_on = $3, output = $2 where id = $1`,
    [
      id,
      { message: 'the storage does not answer', stack: 'Error: the storage does not answer' },
      new Date(NOW - 60_000),
    ],
  );
  return id;
}

/** Records a correction that has changed the newest run. Returns the load. */
async function reviseRun(): Promise<number> {
  const { pool } = database;
  const { rows } = await pool.query<{ load: number }>(
    `insert into revisions (instrument_id, basis, day, was, became, sync_job_id, recorded_at)
     select b.instrument_id, b.basis, b.day, jsonb_build_object('open', open, 'high', high, 'low', low, 'close', low, 'volume', volume),
       jsonb_build_object('open', open, 'high', high, 'low', low, 'close', close, 'volume', volume), s.id, $1
     from daily_bars b, (select max(id) as id from sync_jobs where status <> 'running') s
     where (b.basis, b.day, b.instrument_id) = (1, '2026-06-02', (select (spec ->> 'instrumentId')::int from backtests
       order by id desc limit 1)) returning sync_job_id as load`,
    [new Date(NOW)],
  );
  await computeImpacts(testJobContext({ pool, now: () => NOW }));
  const { rows: hit } = await pool.query<{ id: number }>('select id from impacts order by backtest_id desc limit 1');
  const [before, after] = [41.7, 42.5].map((total_pnl_pct) => ({ total_pnl_pct, sharpe: 0.71, verdict: null }));
  await saveImpact(pool, hit[0].id, { state: 'changed', before, after, digest: null, change: 0.8 });
  return rows[0].load;
}

describe('the request examples work for', () => {
  it('market data and facts', async () => {
    await callAll(
      'getQuote',
      'getKline',
      'getStaticInfo',
      'listEvents',
      'getCalendar',
      'getSession',
      'listMarketEvents',
      'listSymbolChanges',
      'getBatch',
      'searchSymbols',
      'getMarketOverview',
    );
    await callAll('getMeta', 'listPlans', 'getStats', 'getScreenerPresets', 'listStrategies', 'listWebStrategies');
  });

  it('logins', async () => {
    await call('requestLoginCode');
    const code = codeIn(await deliverMail(api, 'ada@example.com'));
    const { user, access_token, refresh_token } = await call('verifyLoginCode', { body: { code } });
    // Straight into the row: a change by the service would end the session.
    await database.pool.query(`update users set is_admin = true, plan = 'enterprise' where id = $1`, [user.id]);
    await api.services.knownCallers.caughtUp();
    credential = bearer(access_token);
    await call('refreshTokens', { body: { refresh_token } });
    const admin = await call('loginAdmin');
    await call('logout', { body: { refresh_token: admin.refresh_token } });
    await call('getIntraday', { to: delayed });
  });

  it('the account console', async () => {
    await callAll('getProfile', 'updateProfile', 'createVisit', 'getAccountPlan');
    const { id } = await call('createApiKey');
    await call('listApiKeys');
    await call('updateApiKey', { path: { key_id: id } });
    await call('deleteApiKey', { path: { key_id: id } });
    await callAll('resetApiKeys', 'getUsage');
  });

  it('assistants', async () => {
    const web = supertest(api.app);
    const host = 'test';
    const redirect = 'http://127.0.0.1:4000/callback';
    const client = { client_name: 'Desk assistant', redirect_uris: [redirect], token_endpoint_auth_method: 'none' };
    const { body: registered } = await web.post('/oauth/register').set({ host }).send(client);
    const asked = await web.get('/oauth/authorize').set({ host }).query({
      client_id: registered.client_id,
      response_type: 'code',
      redirect_uri: redirect,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const path = { request_id: required(asked.headers.location.split('=')[1]) };
    await call('getGrantRequest', { path });
    const cookie = [asked.headers['set-cookie']].flat().map((one) => one.split(';')[0]);
    const browser = { host, origin: `http://${host}`, cookie: cookie.join('; '), 'x-client-kind': 'web' };
    await call('createGrant', { path, headers: browser });
    const { items } = await call('listGrants');
    await call('deleteGrant', { path: { grant_id: items[0].id } });
  });

  it('articles', async () => {
    await callAll('createArticle', 'listAdminArticles', 'getAdminArticle', 'updateArticle', 'publishArticle');
    await callAll('listArticles', 'getArticle', 'previewArticle', 'updateArticleCover', 'downloadArticleCover');
    await callAll('deleteArticleCover', 'unpublishArticle', 'deleteArticle');
  });

  it('loads and the calendar', async () => {
    const { id } = await call('createSyncJob');
    await call('cancelSyncJob', { path: { id } });
    await call('retrySyncJob', { path: { id } });
    await callAll(
      'listSyncJobs',
      'getSyncJob',
      'listSyncJobFiles',
      'listLoadedSymbols',
      'getCoverage',
      'getDataCalendar',
    );
    const figures = { rows: 30, zeroVolume: 0, rowsBefore: 45, zeroVolumeBefore: 0, jumps: 0 };
    const day = requireDay('2026-06-02');
    await saveSessionCheck(database.pool, 'consolidated', day, figures, ['30 rows, 15 fewer than the session before']);
    await call('releaseSession');
    await callAll('listSessionSteps', 'runSessionStep');
  });

  it('data in doubt, and files before they are loaded', async () => {
    const { rows } = await database.pool.query(`select id from instruments where symbol = 'ACRX'`);
    const details = { factor: 0.25, move_pct: -74.8 };
    const found = {
      instrumentId: rows[0].id,
      kind: 'split_suspected',
      day: requireDay('2026-05-28'),
      details,
    } as const;
    await transaction(database.pool, (connection) => saveFindings(connection, [found], new Date(NOW)));
    const { items } = await call('listDataFindings');
    await call('updateDataFinding', { path: { id: items[0].id } });
    await call('previewDataFiles');
  });

  it('exports', async () => {
    await callAll('createExport', 'listExports', 'getExport', 'downloadExport');
    const { id } = await call('createExport', { body: { start: '2015-01-02', symbols: ['ACRX'] } }, 202);
    await call('cancelExport', { path: { export_id: id } });
    await call('retryExport', { path: { export_id: id } });
  });

  it('comparisons with another provider', async () => {
    const { id } = await call('createComparison');
    const { rows } = await database.pool.query(
      `select concat_ws(',', i.symbol, d.day, open, high * 1.01, low, close, volume) as line
       from daily_bars d join instruments i on i.id = instrument_id where symbol = 'ACRX' and basis = 1 and day = '2026-05-29'`,
    );
    const other = createMarketFolder({ 'daily/consolidated/2026-05-29.csv': `${BARS_HEADER}${rows[0].line}\n` });
    const { pool, storage } = api.services;
    const context = testJobContext({
      pool,
      storage,
      now: () => NOW,
      workFolder: directory,
      provider: async () => provider,
      otherProvider: async () => other.provider(NOW),
    });
    await runComparison(context, { comparisonId: id });
    other.remove();
    await call('listComparisons');
    await call('listDifferences', { path: { id } });
    await call('downloadDifferences', { path: { id } });
  });

  it('the queue', async () => {
    const queue = REMOVAL;
    await callAll('listQueues', 'pauseQueue', 'resumeQueue');
    const [failed, waiting] = [await queueRemoval(true), await queueRemoval(false)];
    await callAll('listJobs', 'listJobFailures', 'getOnCallReport');
    await call('getJob', { path: { queue, id: failed } });
    await call('retryFailedJobs', { path: { queue } });
    await callAll('listInstances', 'updateJobs');
    await call('retryJob', { path: { queue, id: failed } });
    await call('cancelJob', { path: { queue, id: waiting } });
  });

  it('backtests, optimizations and screens', async () => {
    await database.pool.query(`delete from pgboss.job where state < 'active'`);
    worker = await startSampleWorker({ database, folder: directory, now: NOW });
    await callAll('runBacktest', 'runNestedBacktest', 'runWebBacktest', 'listBacktests', 'listWebBacktests');
    await callAll('getBacktest', 'getWebBacktest', 'exportBacktest', 'updateBacktest', 'shareBacktest');
    const { slug } = await call('shareWebBacktest');
    await call('getSharedBacktest', { path: { slug } });
    await callAll(
      'runNeighbors',
      'getBacktestExample',
      'getPortfolioExample',
      'getOptimizationExample',
      'getSweepExample',
    );
    const later = { headers: { prefer: 'respond-async' } };
    const load = await reviseRun();
    await callAll('getReceipt', 'verifyBacktest', 'runLookAhead', 'listRevisions', 'getBarOrigin');
    await call('getLoadImpact', { path: { load } });
    await callAll('listMyImpact', 'getSessionImpact');
    for (const [operation, state] of [
      ['verifyBacktest', 'getVerificationJob'],
      ['runLookAhead', 'getLookAheadJob'],
      ['getBacktestTearSheet', 'getTearSheetJob'],
    ]) {
      const { job_id } = await call(operation, later, 202);
      const job = { path: { job_id }, headers: credential };
      await eventually(
        () => sendExample(state, job),
        ({ body }) => body.data.status === 'done',
      );
      await call(state, job);
    }
    await callAll('getBacktestTearSheet', 'exportBacktestTearSheet');
    await call('exportBacktestTearSheet', { ...later, query: { benchmark: 'BRVA' } }, 202);
    await call('deleteBacktest');
    await call('runNestedBacktest', later, 202);
    await call('runWebBacktest', later, 202);
    await call('runNeighbors', later, 202);
    const queued = await call('runBacktest', later, 202);
    const ended = ({ body }: Response) => body.data.status === 'done';
    const job = { path: { job_id: queued.job_id }, headers: credential };
    await eventually(() => sendExample('getBacktestJob', job), ended);
    await call('getBacktestJob', job);
    const { job_id } = await call('runOptimization');
    const search = { path: { job_id }, headers: credential };
    await eventually(() => sendExample('getOptimizationJob', search), ended);
    await call('getOptimizationJob', search);
    await call('runScreener');
    const screened = await call('runScreener', { ...later, body: { as_of: '2026-05-29' } }, 202);
    const screenJob = { path: { job_id: screened.job_id }, headers: credential };
    await eventually(() => sendExample('getScreenerJob', screenJob), ended);
    await call('getScreenerJob', screenJob);
    const isWhole = ({ body }: Response) => body.data.history !== undefined;
    await eventually(() => sendExample('getScreenerExample', {}), isWhole);
    await call('getScreenerExample');
  });

  it('own strategies', async () => {
    await callAll('createOwnStrategy', 'listOwnStrategies', 'getOwnStrategy', 'updateOwnStrategy');
    const { slug } = await call('shareOwnStrategy');
    await call('getSharedStrategy', { path: { slug } });
    await call('deleteOwnStrategy');
  });

  it('the data of an account', async () => {
    await call('createDataExport');
    await eventually(
      () => sendExample('getDataExport', {}),
      ({ body }) => body.data.status === 'done',
    );
    await callAll('getDataExport', 'downloadDataExport');
  });

  it('portfolios', async () => {
    const later = { headers: { prefer: 'respond-async' } };
    const { job_id } = await call('runPortfolio', later, 202);
    const job = { path: { job_id }, headers: credential };
    await eventually(
      () => sendExample('getPortfolioJob', job),
      ({ body }) => body.data.status === 'done',
    );
    await call('getPortfolioJob', job);
    const { id } = await call('runPortfolio');
    const path = { portfolio_id: id };
    await call('runWebPortfolio');
    for (const operation of [
      'getPortfolio',
      'getWebPortfolio',
      'exportPortfolio',
      'updatePortfolio',
      'sharePortfolio',
    ]) {
      await call(operation, { path });
    }
    for (const operation of ['getPortfolioReceipt', 'verifyPortfolio', 'runPortfolioLookAhead']) {
      await call(operation, { path });
    }
    for (const [operation, benchmark] of [
      ['getPortfolioTearSheet', 'BRVA'],
      ['exportPortfolioTearSheet', 'LUMA'],
    ]) {
      await call(operation, { path, ...later, query: { benchmark } }, 202);
      await call(operation, { path });
    }
    for (const operation of ['verifyPortfolio', 'runPortfolioLookAhead']) {
      await call(operation, { path, ...later }, 202);
    }
    const universe = { symbols: ['ACRX', 'BRVA', 'LUMA', 'TMRK'] };
    const rotation = { every: 'month', score: 'roc(63)', hold: { top: 2 } };
    const ofStrategies = { symbols: undefined, strategy: undefined, allocation: undefined };
    const rotated = await sendExample('runPortfolio', { body: { ...ofStrategies, universe, rotation } });
    await call('listRebalances', { path: { portfolio_id: rotated.body.data.id } });
    const { slug } = await call('shareWebPortfolio', { path });
    await call('getSharedPortfolio', { path: { slug } });
    await call('deletePortfolio', { path });
    // It was not asked before: its result is not there already.
    await call('runWebPortfolio', { ...later, body: { time_range: '3Y' } }, 202);
  });

  it('factor studies and claims', async () => {
    const { job_id } = await call('runFactorStudy');
    const path = { study_id: job_id };
    const done = () =>
      eventually(
        () => sendExample('getFactorStudy', { path, query: { wait: 10 } }),
        ({ body }) => body.data.status === 'done',
      );
    await done();
    const written = await call('downloadFactorValues', { path, headers: { prefer: 'respond-async' } }, 202);
    const values = { path: { job_id: written.job_id }, headers: credential };
    await eventually(
      () => sendExample('getFactorValuesJob', values),
      ({ body }) => body.data.status === 'done',
    );
    await call('getFactorValuesJob', values);
    for (const operation of ['getFactorStudy', 'listFactorStudies', 'getFactorStudyResult', 'downloadFactorSeries'])
      await call(operation, { path });
    await call('downloadFactorValues', { path });
    await database.pool.query('update sweep_chunks set done_at = null where sweep_id = $1', [job_id]);
    await database.pool.query(
      `update sweeps set status = 'failed', error_code = 'internal', cells_done = 0, chunks_done = 0 where id = $1`,
      [job_id],
    );
    await call('retryFactorStudy', { path }, 202);
    await done();
    await call('deleteFactorStudy', { path });

    const run = await call('runClaims', { headers: { prefer: 'respond-async' } }, 202);
    const claims = { path: { job_id: run.job_id }, headers: credential };
    await eventually(
      () => sendExample('getClaimsJob', claims),
      ({ body }) => body.data.status === 'done',
    );
    await call('getClaimsJob', claims);
    await call('runClaims');
    await computeNewestClaims(testJobContext({ pool: database.pool, now: () => NOW }));
    await callAll('listClaims', 'getClaim');
  });

  it('outcomes', async () => {
    const run = await call('runOutcomes', { headers: { prefer: 'respond-async' } }, 202);
    const job = { path: { job_id: run.job_id }, headers: credential };
    await eventually(
      () => sendExample('getOutcomesJob', job),
      ({ body }) => body.data.status === 'done',
    );
    await call('getOutcomesJob', job);
    const { id } = await call('runOutcomes');
    const path = { outcomes_id: id };
    const kept = ['getOutcomes', 'getWebOutcomes', 'exportOutcomes', 'updateOutcomes', 'shareOutcomes'];
    for (const operation of [...kept, 'getOutcomesReceipt', 'verifyOutcomes']) await call(operation, { path });
    await call('verifyOutcomes', { path, headers: { prefer: 'respond-async' } }, 202);
    const { slug } = await call('shareWebOutcomes', { path });
    await call('getSharedOutcomes', { path: { slug } });
    await call('deleteOutcomes', { path });
  });

  it('judgements', async () => {
    const file = 'date,fund\n2026-03-30,0.004\n2026-03-31,-0.002\n2026-04-01,0.001\n';
    const run = await call('runJudgement', { file, headers: { prefer: 'respond-async' } }, 202);
    const job = { path: { job_id: run.job_id }, headers: credential };
    await eventually(
      () => sendExample('getJudgementJob', job),
      ({ body }) => body.data.status === 'done',
    );
    await call('getJudgementJob', job);
    await call('runJudgement', { file });
  });

  it('sweeps', async () => {
    const { job_id } = await call('runSweep');
    const path = { sweep_id: job_id };
    // Each question waits for a change, so that they are few.
    const whenDone = () =>
      eventually(
        () => sendExample('getSweep', { path, query: { wait: 10 } }),
        ({ body }) => body.data.status === 'done',
      );
    const fail = async () => {
      await database.pool.query('update sweep_chunks set done_at = null where sweep_id = $1', [job_id]);
      await database.pool.query(
        `update sweeps set status = 'failed', error_code = 'internal', cells_done = 0, chunks_done = 0 where id = $1`,
        [job_id],
      );
    };
    await whenDone();
    await fail();
    await call('listOpenSweeps');
    await call('retryAnySweep', { path });
    await whenDone();
    await fail();
    await call('retrySweep', { path }, 202);
    await whenDone();
    for (const operation of ['getSweep', 'listSweeps', 'getSweepResult', 'downloadSweepCells', 'deleteSweep']) {
      await call(operation, { path });
    }
    const { job_id: canceled } = await call('runSweep');
    await call('cancelAnySweep', { path: { sweep_id: canceled } });
  });

  it('own columns', async () => {
    const file = 'symbol,date,known_at,value\nACRX,2026-03-31,2026-05-04,1.31\nLUMA,2026-03-31,2026-05-06,0.82\n';
    const done = async (job_id: string) => {
      const job = { path: { job_id }, headers: credential };
      await eventually(
        () => sendExample('getColumnJob', job),
        ({ body }) => body.data.status === 'done',
      );
      return job;
    };
    await call('updateColumn', { file });
    const { job_id } = await call('updateColumn', { file, headers: { prefer: 'respond-async' } }, 202);
    await call('getColumnJob', await done(job_id));
    const common = await call('updateCommonColumn', { file, query: { source: 'a desk', license: 'CC0' } });
    await done(common.job_id);
    await call('deleteCommonColumn');
    await callAll('listColumns', 'getColumn');
    await call('listColumnRows', { query: { symbol: 'ACRX.US' } });
    await call('deleteColumn');
  });

  it('files of the market', async () => {
    await callAll('listTables', 'getTable', 'listFiles', 'downloadFile', 'runQuery');
    const { job_id } = await call('runQuery', { headers: { prefer: 'respond-async' } }, 202);
    const job = { path: { job_id }, headers: credential };
    await eventually(
      () => sendExample('getQueryJob', job),
      ({ body }) => body.data.status === 'done',
    );
    await call('getQueryJob', job);
  });

  it('watches and signals', async () => {
    const { id } = await call('createWatch');
    await callAll('listWatches', 'getWatch', 'updateWatch', 'verifyRule');
    await callAll('getRuleValues', 'listDrawings');
    const { id: drawing_id } = await call('createDrawing');
    await call('deleteDrawing', { path: { drawing_id } });
    const symbols = api.market.directory.items.map(({ qualified }) => qualified);
    const busy = { name: 'All', strategy: 'sma_cross', params: { fast_period: 2, slow_period: 3 }, symbols };
    await api.post('/v1/my/watches', busy, credential);
    const context = testJobContext({ pool: database.pool, storage: api.services.storage, now: () => NOW });
    await buildSnapshot(context);
    await evaluateSignals(context);
    await call('listSignals');
    await call('deleteWatch', { path: { watch_id: id } });
  });

  it('forward records', async () => {
    const { body } = await sendExample('runBacktest', { body: { tear_sheet: false } });
    const run = { run: { kind: 'backtest', id: body.data.id } };
    const { job_id } = await call('sealRun', { body: run, headers: { prefer: 'respond-async' } }, 202);
    const job = { path: { job_id }, headers: credential };
    await eventually(
      () => sendExample('getSealJob', job),
      ({ body: { data } }) => data.status === 'done',
    );
    await call('getSealJob', job);
    await call('sealRun', { body: run });
    const { pool } = database;
    const path = { forward_id: await sealEarlier({ pool, now: () => NOW }, body.data.id, '2026-05-28') };
    await call('getForwardRecord', { path });
    await call('listForwardEntries', { path });
    const { slug } = await call('shareForwardRecord', { path });
    await call('getSharedForwardRecord', { path: { slug } });
    await call('listSharedForwardEntries', { path: { slug } });
    await callAll('listForwardRecords', 'listForwardHeads');
    await call('stopForwardRecord', { path });
  });

  it('webhooks', async () => {
    const { id: webhook_id } = await call('createWebhook');
    await callAll('listWebhooks');
    const { id: delivery_id } = await call('createTestDelivery', { path: { webhook_id } });
    await call('listDeliveries', { path: { webhook_id } });
    await call('retryDelivery', { path: { webhook_id, delivery_id } });
    await call('retryDeliveries', { path: { webhook_id } });
    const stream = call('getStream');
    const { streams } = api.services;
    await eventually(
      async () => streams.count,
      (count) => count === 1,
    );
    streams.endAll();
    await stream;
    await call('updateWebhook', { path: { webhook_id } });
    await call('deleteWebhook', { path: { webhook_id } });
  });

  it('the back office, and the deletion of an account', async () => {
    await api.services.accessLog.flush();
    await callAll('getStatsOverview', 'getStatsTimeseries', 'getClientStats');
    await callAll('listUsers', 'listUserCountries', 'getUser', 'listLoginEvents', 'updateUser');
    const { rows: keys } = await database.pool.query('select user_id, id as key_id from api_keys');
    await call('deleteUserApiKey', { path: keys[0] });
    const { items } = await call('listAuditEntries');
    await call('getAuditEntry', { path: { entry_id: items[0].id } });
    await callAll('getAuditVocabulary', 'deleteAccount');
  });

  it('every operation', () => {
    expect(Object.keys(recorded).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    if (process.env.RECORD_EXAMPLES) writeFileSync(RECORDED_ANSWERS, `${JSON.stringify(recorded, null, 2)}\n`);
  });
});

function exampleIn(examples: Media['examples']): unknown {
  const name = examples?.answer?.$ref.split('/').at(-1);
  return name === undefined ? undefined : document.components.examples[name].value;
}

it('the examples match their schemas', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  const inDocument = (key: string, value: unknown) => (key === '$ref' ? `api${value}` : value);
  const check = (where: string, { schema, examples, example = exampleIn(examples) }: Media) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema, inDocument)));
    expect([where, validate(example), validate.errors]).toEqual([where, true, null]);
  };
  for (const { operationId, requestBody, responses } of operations) {
    const body = requestBody?.content['application/json'];
    if (body) check(operationId, body);
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const [[type, media] = ['', undefined]] = Object.entries(content);
      const isBinary = type !== '' && !/^(application\/json|text\/)/.test(type);
      if (!isBinary && media && Number(status) < 300 && Number(status) !== 206)
        check(`${operationId} ${status}`, media);
    }
  }
});
