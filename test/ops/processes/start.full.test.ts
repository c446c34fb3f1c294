/** `npm start` from an empty folder to the first answers, killed in several ways, and started again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portOf } from '../../../api/server/port-of.ts';
import { createPool } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { eventually } from '../../support/eventually.ts';

const START = fileURLToPath(new URL('../../../ops/processes/start.mjs', import.meta.url));
const SCHEDULER = fileURLToPath(new URL('../../../ops/processes/scheduler.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../../ops/commands/cli.ts', import.meta.url));

let directory: string;
let port: number;
let running: ChildProcess | null = null;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'market-start-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = portOf(probe);
  probe.close();
});
afterAll(async () => {
  if (running) await end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const environment = () => ({
  ...process.env,
  DATABASE_URL: '',
  DATA_DIR: directory,
  PORT: String(port),
  SAMPLE_SYMBOLS: '60',
  FIXED_NOW: '2024-09-04T16:00:00Z',
});

/** Starts the service and resolves with what it printed until it was ready. */
async function start(): Promise<string> {
  const child = spawn(process.execPath, [START], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  let printed = '';
  const ready = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    if (printed.includes('/docs\n')) ready.resolve(printed);
  });
  child.once('exit', (code) => ready.reject(new Error(`ended with ${code}: ${printed}`)));
  return ready.promise;
}

async function end(signal: NodeJS.Signals): Promise<number | null> {
  const child = required(running);
  running = null;
  if (child.exitCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

/** Runs a command to its end. */
async function runOnce(
  command: readonly string[],
  more: Readonly<Record<string, string>> = {},
  input = '',
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, command, { env: { ...environment(), ...more } });
  child.stdin.end(input);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  return { code, output };
}

const runOps = (...args: string[]) => runOnce([CLI, ...args]);
/** With a password at standard input. */
const runOpsWith = (password: string, ...args: string[]) => runOnce([CLI, ...args, '--password-stdin'], {}, password);

/** Waits until `/readyz` has a status; 0: there is no answer. */
async function untilReady(isWanted: (status: number) => boolean): Promise<void> {
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  await eventually(ask, isWanted, 60_000);
}

const readiness = async () =>
  (await fetch(`http://127.0.0.1:${port}/readyz`)).json() as Promise<{ readonly status: string }>;

/** Process id of the database server; 0: none runs. */
function databasePid(): number {
  const file = join(directory, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
}

const quote = async () =>
  (await fetch(`http://127.0.0.1:${port}/v1/quote/ACRX`)).json() as Promise<{ data: { as_of: string } }>;

describe('npm start', () => {
  it('loads the market on first start and prints calls that work', async () => {
    const printed = await start();
    expect(printed).toMatch(/daily_bars consolidated +[\d,]+ rows/);
    const urls = [...printed.matchAll(/curl '?(http:[^\s']+)'?\n/g)].map((match) => match[1]);
    expect(urls).toHaveLength(2);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    const batch = required(/curl -X POST (\S+) .* -d '(.*)'/.exec(printed));
    const response = await fetch(batch[1], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: batch[2],
    });
    expect(((await response.json()) as { data: object }).data).toMatchObject({ succeeded: 2, failed: 0 });
  });

  it('gives the worker two heaps, and single-threaded processes one', () => {
    const { pid } = required(running);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const heaps = children.flatMap((child) => {
      const [, name] = /processes\/(\w+)\.ts/.exec(readFileSync(`/proc/${child}/cmdline`, 'utf8')) ?? [];
      const [, count] = /\0MALLOC_ARENA_MAX=(\d+)/.exec(`\0${readFileSync(`/proc/${child}/environ`, 'utf8')}`) ?? [];
      return name === undefined ? [] : [[name, count]];
    });
    expect(Object.fromEntries(heaps)).toEqual({ api: '1', worker: '2', scheduler: '1' });
  });

  it('lets the operator use commands while it runs', async () => {
    // The screener's snapshot is built shortly after the load.
    const findings = await eventually(
      () => runOps('doctor'),
      ({ code }) => code === 0,
    );
    expect(findings.output).not.toContain('PROBLEM');
    expect((await runOps('snapshot', 'status')).output).toMatch(/as of .*\n\d+ +2024-09-03/);
    expect((await runOps('sync', 'list')).output).toMatch(/^id .*outcome\n.*daily_bars consolidated/s);
    const again = await runOps(
      'sync',
      'run',
      '--basis',
      'consolidated',
      '--start',
      '2024-09-03',
      '--end',
      '2024-09-03',
    );
    expect(again).toEqual({ code: 0, output: expect.stringMatching(/sync job \d+ queued\n.*\d+ rows/s) });
    expect(await runOps('sync', 'run', '--start', 'soon')).toEqual({
      code: 1,
      output: expect.stringContaining("'soon' is invalid. expected a day"),
    });
    expect((await runOps('db', 'status')).output).toMatch(/applied {2}001_schema/);
  });

  it('answers commands about things that do not exist', async () => {
    const said = async (...args: string[]) => {
      const { code, output } = await runOps(...args);
      return [code, output.trim()];
    };
    expect(await said('sync', 'rejected', '99')).toEqual([1, 'there is no sync job 99']);
    const closed = 'no trading session from 2024-08-31 to 2024-09-02: the exchange was closed';
    const weekend = ['--start', '2024-08-31', '--end', '2024-09-02'];
    expect(await said('calendar', 'show', ...weekend)).toEqual([0, closed]);
    expect(await said('sync', 'run', ...weekend)).toEqual([1, closed]);
    expect(await said('calendar', 'release', '2024-08-31')).toEqual([
      1,
      '2024-08-31 is not a trading session: the exchange was closed',
    ]);
    const elsewhere = spawnSync(process.execPath, [CLI, 'doctor'], {
      env: { ...environment(), DATA_DIR: join(directory, 'none') },
      encoding: 'utf8',
    });
    expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('There is no service here')]);
    expect(existsSync(join(directory, 'none'))).toBe(false);
  });

  it('ends without an error when the reader closes its output', () => {
    const piped = spawnSync('sh', ['-c', `"${process.execPath}" "${CLI}" calendar show --start 2015-01-02 | head -1`], {
      env: environment(),
      encoding: 'utf8',
    });
    expect([piped.stdout.split(' ')[0], piped.stderr]).toEqual(['session', '']);
  });

  it('reports why no snapshot is built while a session is held', async () => {
    const { databaseUrl } = JSON.parse(readFileSync(join(directory, 'runtime.json'), 'utf8'));
    const pool = createPool({ url: databaseUrl, max: 1, applicationName: 'test' });
    const hold = (problems: string[]) =>
      pool.query(`update session_checks set problems = $1, checked_at = now() where day = '2024-09-03'`, [problems]);
    await hold(['half of the rows']);
    expect(await runOps('snapshot', 'rebuild')).toEqual({
      code: 1,
      output: expect.stringContaining('held back: 2024-09-03: half of the rows'),
    });
    await hold([]);
    await pool.end();
    expect(await runOps('snapshot', 'rebuild')).toEqual({ code: 0, output: expect.stringMatching(/2024-09-03/) });
  });

  it('creates an account with the code from the outbox, and administrators', async () => {
    const post = async (path: string, body: object) => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, sent);
      return { status: response.status, data: ((await response.json()) as { data: Record<string, string> }).data };
    };
    const email = 'ada@example.com';
    expect((await runOps('login-code', email)).code).toBe(1);
    expect((await post('/api/auth/request-code', { email })).status).toBe(200);
    const mailed = await eventually(
      () => runOps('login-code', email.toUpperCase()),
      ({ code }) => code === 0,
    );
    const code = /^\d{6}/.exec(mailed.output)?.[0];
    const { data } = await post('/api/auth/verify', { email, code, name: 'Ada', phone: '+1 212 555 0100' });
    const me = await fetch(`http://127.0.0.1:${port}/api/auth/me`, { headers: { 'x-api-key': data.api_key } });
    expect(await me.json()).toMatchObject({ data: { email, is_admin: false } });

    const create = (...args: string[]) => runOpsWith('long enough\n', 'admin', 'create', ...args);
    expect(await create('--email', email, '--login', 'ada')).toEqual({
      code: 0,
      output: expect.stringContaining('is now an administrator'),
    });
    expect((await create('--email', 'b@example.com', '--login', 'ada')).output).toContain('another account');
    expect((await create('--email', 'nobody', '--login', 'x')).code).toBe(1);
    const login = async (name: string, password: string) =>
      (await post('/api/auth/admin-login', { login: name, password })).status;
    expect(await login('ada', 'long enough')).toBe(200);

    const refused = await runOps('admin', 'create', '--email', email, '--login', 'ada', '--password', 'in the open');
    expect(refused).toEqual({ code: 2, output: expect.stringMatching(/^error: .*at the prompt.*--password-stdin\n$/) });
    expect(await runOps('admin', 'create', '--email', email, '--login', 'ada')).toEqual({
      code: 1,
      output: expect.stringContaining('--password-stdin'),
    });
    const setPassword = (address: string, password: string) =>
      runOpsWith(password, 'admin', 'set-password', '--email', address);
    expect((await setPassword(email, 'short')).output).toContain('8 to 1000 characters');
    expect((await setPassword('b@example.com', 'another one')).output).toContain('no account');
    expect((await setPassword(email, 'another one')).code).toBe(0);
    expect([await login('ada', 'long enough'), await login(email, 'another one')]).toEqual([401, 200]);
  });

  it('refuses to run twice on one folder', async () => {
    expect(await runOnce([START])).toEqual({
      code: 1,
      output: expect.stringMatching(/^Starting on .*\nAlready running on .* \(pid \d+\)/),
    });
  });

  it('stops before it changes anything when the database has another market', async () => {
    const other = await runOnce([SCHEDULER], { SAMPLE_SYMBOLS: '70' });
    expect(other).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^\S+ has the sample market of 60 .* is the sample market of 70 [^\n]*market replace[^\n]*DATA_DIR\.\n$/,
      ),
    });
    expect(await runOps('market', 'show')).toEqual({
      code: 0,
      output: expect.stringMatching(/^loaded {6}the sample market of 60/),
    });
  });

  it('recovers when the database is killed', async () => {
    const pid = databasePid();
    process.kill(pid, 'SIGKILL');
    await eventually(
      async () => databasePid(),
      (next) => next > 0 && next !== pid,
      60_000,
    );
    // Reads continue without the database, so only the status shows whether it is back.
    await eventually(readiness, ({ status }) => status === 'ok', 60_000);
    expect((await quote()).data.as_of).toBe('2024-09-03');
  });

  it('shuts down on SIGTERM, and starts again without loading', async () => {
    expect(await end('SIGTERM')).toBe(0);
    const printed = await start();
    expect(printed).not.toContain('daily_bars');
    expect((await quote()).data.as_of).toBe('2024-09-03');
  });

  it('ends all processes when it is killed, and recovers at the next start', async () => {
    await end('SIGKILL');
    await untilReady((status) => status === 0);
    await start();
    expect((await quote()).data.as_of).toBe('2024-09-03');
    expect(await end('SIGTERM')).toBe(0);
  });

  it('lets several commands use its database after it has stopped', async () => {
    const results = await Promise.all([runOps('db', 'status'), runOps('sync', 'list')]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
  });
});
