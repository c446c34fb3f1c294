/** Traces of real processes: from a call through the queue, the thread, statements and objects to the webhook. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { newApiKey } from '../../../api/access/tokens.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { insertApiKey } from '../../../db/accounts/api-keys.ts';
import { insertUser, updateUserAccess } from '../../../db/accounts/users.ts';
import { insertWebhook } from '../../../db/webhooks/webhooks.ts';
import { required } from '../../../engine/util/values.ts';
import { newSecret } from '../../../jobs/contracts/webhooks.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { boundedProcessor, MAX_PENDING } from '../../../jobs/tracing.ts';
import { attributeOf, type CollectedSpan, type Collector, startCollector } from '../../support/collector.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

const FIXED_NOW = '2024-09-04T16:00:00Z';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const TRACED = { traceparent: `00-${TRACE}-${CALLER}-01` };
const FAILED = 2;

let folder: string;
let database: TestDatabase;
let collector: Collector;
let receiver: Server;
let key: string;
let port: number;
const received: IncomingHttpHeaders[] = [];
const lines: Record<string, unknown>[] = [];
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'traces-'));
  const provider = new SampleProvider({ symbols: 50, now: () => Date.parse(FIXED_NOW) });
  database = await createSampleDatabase(provider);
  collector = await startCollector();
  receiver = createServer((request, response) => {
    received.push(request.headers);
    response.end();
  }).listen(0, '127.0.0.1');
  key = await addAda();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => endProcess(child, 'SIGTERM')));
});
afterAll(async () => {
  collector.close();
  receiver.close();
  await database.drop();
  removeTree(folder);
});

async function addAda(): Promise<string> {
  const { pool } = database;
  const at = new Date();
  const profile = { name: 'Ada', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
  const { id: userId } = required(await insertUser(pool, { email: 'ada@example.com', at, ...profile }));
  await updateUserAccess(pool, userId, { plan: 'enterprise' });
  const url = `http://127.0.0.1:${portOf(receiver)}/hook?key=hush-hush`;
  await insertWebhook(pool, { userId, url, events: ['backtest.finished'], secret: newSecret(), createdAt: at });
  const { plaintext, hash, prefix } = newApiKey();
  await insertApiKey(pool, { userId, name: 'Ada', keyHash: hash, prefix, at });
  return plaintext;
}

async function start(names: readonly ('api' | 'worker' | 'scheduler')[], settings: Readonly<Record<string, string>>) {
  port = await freePort();
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: String(port),
    SAMPLE_SYMBOLS: '50',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    DRAIN_SECONDS: '0',
    FIXED_NOW,
    ...settings,
  };
  const children = await Promise.all(names.map((name) => startProcess(name, env)));
  for (const child of children) {
    createInterface({ input: required(child.stdout) }).on('line', (line) => lines.push(JSON.parse(line)));
  }
  running.push(...children);
  return children;
}

async function call(path: string, { body, headers }: { readonly body?: object; readonly headers?: object } = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
const named = (name: string) => ofTrace().filter((span) => span.name === name);
const nameOf = (id: string | undefined) => ofTrace().find(({ spanId }) => spanId === id)?.name;
const endAll = () => Promise.all(running.splice(0).map((child) => endProcess(child, 'SIGTERM')));
const backtest = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y' };

it('follows a backtest from its call to its webhook in one trace, and objects in that of a sweep', async () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER_ARG: '0',
    LOG_LEVEL: 'debug',
  };
  await start(['api', 'worker', 'scheduler'], settings);
  const answer = await call('/v1/backtest', { body: { ...backtest, save: true }, headers: TRACED });
  expect(answer.status).toBe(200);
  const run = { strategy: 'sma_cross', grid: { fast_period: { from: 2, to: 3, step: 1 } } };
  const sweep = await call('/v1/sweeps', { body: { universe: 'all', runs: [run], time_range: '1Y' }, headers: TRACED });
  expect(sweep.status).toBe(202);
  await eventually(
    () => database.pool.query<{ status: string }>('select status from sweeps'),
    ({ rows }) => rows[0].status === 'done',
  );
  await call('/healthz', { headers: TRACED });
  await call('/readyz?token=hush-hush', { headers: TRACED });
  await eventually(
    async () => received.length,
    (count) => count === 1,
  );
  // A process that ends sends its last spans first.
  await endAll();

  const [request] = named('POST /v1/backtest');
  expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2 });
  expect(attributeOf(request, 'http.response.status_code')).toBe(200);
  expect(answer.headers.get('traceparent')).toBe(`00-${TRACE}-${request.spanId}-01`);
  const [attempt] = named('process backtest');
  expect(attempt).toMatchObject({ parentSpanId: request.spanId, kind: 5 });
  const [thread] = named('run backtest');
  expect(thread.parentSpanId).toBe(attempt.spanId);
  expect(new Set([request.process, attempt.process, thread.process]).size).toBe(2);
  const statements = ofTrace().filter((span) => attributeOf(span, 'db.system.name') === 'postgresql');
  expect(statements.map(({ parentSpanId }) => nameOf(parentSpanId))).toEqual(
    expect.arrayContaining(['POST /v1/backtest', 'run backtest', 'run sweep.chunk']),
  );
  expect(named('insert backtest')[0].parentSpanId).toBe(request.spanId);
  const parents = (name: string) => named(name).map(({ parentSpanId }) => nameOf(parentSpanId));
  expect(parents('put object')).toEqual(expect.arrayContaining(['run backtest', 'run sweep.assemble']));
  expect(parents('get object')).toContain('run sweep.assemble');
  const [delivery] = named('POST');
  expect(delivery.parentSpanId).toBe(request.spanId);
  expect(received[0].traceparent).toBe(`00-${TRACE}-${delivery.spanId}-01`);
  expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toEqual([]);
  expect(ofTrace().filter(({ name }) => /healthz|readyz/.test(name))).toEqual([]);
  expect(collector.texts.join('')).not.toMatch(/hush-hush|ada@example\.com|ACRX|mk_/);
  expect(collector.texts.join('')).not.toContain(key);
  const ofRequest = lines.filter(({ trace_id }) => trace_id === TRACE);
  expect(ofRequest).toContainEqual(expect.objectContaining({ route: '/v1/backtest', span_id: request.spanId }));
});

it('marks the spans of a refused statement and of a failed call', async () => {
  await start(['api'], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  await database.pool.query('alter table backtests rename to hidden');
  try {
    expect((await call('/v1/backtests', { headers: TRACED })).status).toBe(500);
  } finally {
    await database.pool.query('alter table hidden rename to backtests');
  }
  await endAll();
  const failed = (span: CollectedSpan) => span.status.code === FAILED;
  const [statement, request] = ofTrace().filter(failed);
  expect([attributeOf(statement, 'error.type'), attributeOf(request, 'error.type')]).toEqual(['42P01', '500']);
  expect(statement.parentSpanId).toBe(request.spanId);
  expect(statement.status.message ?? '').toBe('');
});

it('answers while its collector is away, and counts the spans that it drops', async () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_TRACES_SAMPLER_ARG: '1',
  };
  await start(['api', 'worker'], settings);
  const since = performance.now();
  for (let i = 0; i < 20; i++) expect((await call('/v1/quote/ACRX')).status).toBe(200);
  expect((await call('/v1/backtest', { body: { ...backtest, time_range: '2Y' } })).status).toBe(200);
  expect(performance.now() - since).toBeLessThan(deadline(5_000));
  const dropped = async () => Number(/^trace_spans_dropped_total (\d+)/m.exec((await call('/metrics')).text)?.[1]);
  await eventually(dropped, (count) => count > 0);
  const stopped = performance.now();
  await endAll();
  expect(performance.now() - stopped).toBeLessThan(deadline(5_000));
});

it('keeps no more spans than it may while the collector does not answer, and sends those later', async () => {
  const answering = Promise.withResolvers<void>();
  const slow = createServer(async (request, response) => {
    await request.toArray();
    await answering.promise;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const dropped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const processor = boundedProcessor({ endpoint: `http://127.0.0.1:${portOf(slow)}`, dropped });
  const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer('test');
  for (let i = 0; i < 10_000; i++) tracer.startSpan('span').end();
  expect(dropped[0]).toBe(10_000 - MAX_PENDING);
  answering.resolve();
  await processor.shutdown();
  expect(dropped[0]).toBe(10_000 - MAX_PENDING);
  slow.close();
});

describe('the packages of OpenTelemetry', () => {
  const packagesOf = async (settings: Readonly<Record<string, string>>, headers: object) => {
    const file = join(folder, `modules-${Object.keys(settings).length}`);
    const preload = new URL('../../support/recorded-modules.ts', import.meta.url).href;
    const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`;
    await start(['api', 'worker'], { ...settings, NODE_OPTIONS, RECORD_MODULES: file });
    const answer = await call('/v1/backtest', { body: { ...backtest, time_range: '6M' }, headers });
    expect(answer.status).toBe(200);
    await endAll();
    const names = [...readFileSync(file, 'utf8').matchAll(/node_modules\/@opentelemetry\/([\w-]+)/g)].map(
      ([, name]) => name,
    );
    return { traceparent: answer.headers.get('traceparent'), packages: new Set(names) };
  };

  it('are not loaded where no endpoint is set, but for the interface that pg-boss imports', async () => {
    const off = await packagesOf({}, TRACED);
    expect(off).toEqual({ traceparent: null, packages: new Set(['api']) });
    const on = await packagesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, {});
    expect(on.packages).toContain('sdk-trace');
  });
});
