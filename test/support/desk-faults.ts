/**
 * Faults in real processes, each of which the person on call finds on `/admin/ops`: its sentence stands there within a minute, at most two
 * clicks away, and goes when the fault is over. `FAULT_TABLE=1` prints the seconds and clicks.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import pino from 'pino';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { newApiKey } from '../../api/access/tokens.ts';
import { createAdmin } from '../../api/accounts/admins.ts';
import { insertApiKey } from '../../db/accounts/api-keys.ts';
import { insertUser } from '../../db/accounts/users.ts';
import { keysOf, required } from '../../engine/util/values.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { backtestNumber, Cluster } from './cluster.ts';
import { deadline } from './deadlines.ts';
import { freePort } from './free-port.ts';
import { clockAhead } from './processes.ts';

const ADMIN = { email: 'desk@example.com', login: 'desk', password: 'correct horse battery staple' };
const FOUND_MS = 60_000;
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const silent = pino({ level: 'silent' });

let cluster: Cluster;
let browser: Browser;
let page: Page;
const found: [string, string, number][] = [];

interface Fault {
  readonly sentence: RegExp;
  /** The elements that may have the sentence. Default: any. */
  readonly selector?: string;
  /** Breaks something; resolves with what makes it whole again. */
  readonly inject: () => Promise<() => Promise<unknown>>;
}

const endAll = (part: 'worker' | 'scheduler') => Promise.all([0, 1].map((i) => cluster.end(part, i, 'SIGKILL')));
const runAll = (part: 'worker' | 'scheduler') => Promise.all([0, 1].map((i) => cluster.run(part, i)));

/** A tree of another release: the same code, which says another version. */
function earlierRelease(): URL {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  for (const part of ['api', 'db', 'engine', 'jobs', 'ops', 'storage', 'migrations', 'package.json'])
    cpSync(join(CHECKOUT, part), join(folder, part), { recursive: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'engine/util/service-version.ts'), `export const SERVICE_VERSION = '0.2.9';\n`);
  return pathToFileURL(`${folder}/`);
}

/** Signals every process of the database. */
function signalPostgres(signal: 'STOP' | 'CONT'): void {
  const [pid] = readFileSync(join(cluster.directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const children = execFileSync('pgrep', ['-P', pid], { encoding: 'utf8' }).trim().split('\n');
  for (const one of [pid, ...children]) {
    try {
      process.kill(Number(one), `SIG${signal}`);
    } catch {
      // A connection has ended meanwhile.
    }
  }
}

const FAULTS = {
  'a dead worker': {
    sentence: /^No worker is connected/,
    inject: async () => {
      await endAll('worker');
      return () => runAll('worker');
    },
  },
  'no scheduler': {
    sentence: /^No scheduler is connected/,
    inject: async () => {
      await endAll('scheduler');
      return () => runAll('scheduler');
    },
  },
  'a stuck job': {
    sentence: /^A transaction waits for its machine/,
    inject: async () => {
      const holder = new pg.Client(cluster.postgres.url);
      holder.on('error', () => {});
      await holder.connect();
      await holder.query('begin; lock table daily_bars in access exclusive mode');
      const run = cluster.call(cluster.ports[0], 'POST', '/v1/backtest', backtestNumber(1));
      return async () => {
        await holder.query('rollback');
        await holder.end();
        await run;
      };
    },
  },
  'a poisoned queue': {
    sentence: /^3 jobs of storage\.remove failed, and none has completed since/,
    inject: async () => {
      const boss = await openBoss({ url: cluster.postgres.url, log: silent });
      for (let i = 0; i < 3; i++) await boss.send('storage.remove', { prefix: i }, { retryLimit: 0 });
      return async () => {
        await boss.send('storage.remove', { prefix: `users/${randomUUID()}/`, requestId: null });
        await boss.stop();
      };
    },
  },
  'a hung database': {
    sentence: /^The database is currently/,
    inject: async () => {
      signalPostgres('STOP');
      return async () => signalPostgres('CONT');
    },
  },
  'a failing bucket': {
    sentence: /^The object storage cannot be used/,
    inject: async () => {
      cluster.s3.intercept = () => ({ status: 503, code: 'SlowDown' });
      return async () => {
        cluster.s3.intercept = () => undefined;
      };
    },
  },
  'a full disk': {
    sentence: /^Only \d+ MB are free on the disk/,
    inject: async () => {
      const folder = join(cluster.directory, 'small');
      mkdirSync(folder);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
      copyFileSync(join(cluster.directory, 'secret'), join(folder, 'secret'));
      await cluster.end('api', 0, 'SIGTERM');
      await cluster.run('api', 0, undefined, { DATA_DIR: folder });
      return async () => {
        await cluster.end('api', 0, 'SIGTERM');
        await cluster.run('api', 0);
        execFileSync('umount', [folder]);
      };
    },
  },
  'a wrong clock': {
    sentence: /^The clock of a process differs/,
    inject: async () => {
      await cluster.end('api', 1, 'SIGTERM');
      await cluster.run('api', 1, undefined, { FIXED_NOW: '', ...clockAhead(3_600_000) });
      return async () => {
        await cluster.end('api', 1, 'SIGTERM');
        await cluster.run('api', 1);
      };
    },
  },
  'a receiver of webhooks that is down': {
    sentence: /^The receiver 127\.0\.0\.1:\d+ does not take webhooks: 3 deliveries wait/,
    inject: async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hook`;
      const { body } = await cluster.call(cluster.ports[0], 'POST', '/v1/my/webhooks', {
        url,
        events: ['data.loaded'],
      });
      const path = `/v1/my/webhooks/${required(body.data).id}`;
      for (let i = 0; i < 3; i++) await cluster.call(cluster.ports[0], 'POST', `${path}/deliveries`);
      return () => cluster.call(cluster.ports[0], 'DELETE', path);
    },
  },
  'a runaway account': {
    sentence: /^1,\d{3} calls of runaway@example\.com beyond its limits/,
    inject: async () => {
      const at = new Date();
      const profile = { name: 'Run', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
      const user = required(await insertUser(cluster.pool, { email: 'runaway@example.com', at, ...profile }));
      const { plaintext, hash, prefix } = newApiKey();
      await insertApiKey(cluster.pool, { userId: user.id, name: 'loop', keyHash: hash, prefix, at });
      const url = `http://127.0.0.1:${cluster.ports[0]}/v1/quote/ACRX`;
      const call = async () => (await fetch(url, { headers: { 'x-api-key': plaintext } })).arrayBuffer();
      for (let i = 0; i < 60; i++) await Promise.all(Array.from({ length: 20 }, call));
      // The clock of the service stands still, so that five minutes never pass.
      return () => cluster.pool.query('delete from access_records where user_id = $1', [user.id]);
    },
  },
  'a scheduler too many': {
    sentence: /^\s*Schedulers\s*3$/,
    selector: '.figures div',
    inject: async () => {
      await cluster.run('scheduler', 2, undefined, { PORT: '0' });
      return () => cluster.end('scheduler', 2, 'SIGTERM');
    },
  },
  'half a deploy': {
    sentence: /^Processes of 2 releases run together: 0\.2\.9 \(1\)/,
    inject: async () => {
      const release = earlierRelease();
      await cluster.end('worker', 1, 'SIGTERM');
      await cluster.run('worker', 1, undefined, {}, release);
      return async () => {
        await cluster.end('worker', 1, 'SIGTERM');
        await cluster.run('worker', 1);
        rmSync(release, { recursive: true });
      };
    },
  },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = keysOf(FAULTS);

/** Looks as a person would: first at what stands there, then behind what unfolds. Null: it is not there. */
async function clicksTo(places: Locator): Promise<number | null> {
  if ((await places.count()) === 0) return null;
  if (await places.first().isVisible()) return 0;
  await page.locator('ops-status-line summary').first().click();
  return (await places.first().isVisible()) ? 1 : null;
}

async function lookFor(places: Locator): Promise<{ readonly seconds: number; readonly clicks: number }> {
  const since = performance.now();
  while (performance.now() - since < deadline(FOUND_MS)) {
    const clicks = await clicksTo(places);
    if (clicks !== null) return { seconds: (performance.now() - since) / 1_000, clicks };
    await sleep(250);
  }
  throw new Error(`not found: ${places}; the page says: ${await page.locator('main').innerText()}`);
}

/** As the site does, which keeps the session in a cookie. */
async function signIn(): Promise<void> {
  const { login, password } = ADMIN;
  const headers = { 'content-type': 'application/json', 'x-client-kind': 'web' };
  const call = { method: 'POST', headers, body: JSON.stringify({ login, password }) };
  const status = await page.evaluate(async (init) => (await fetch('/api/auth/admin-login', init)).status, call);
  expect(status).toBe(200);
}

async function isWell(): Promise<void> {
  await page
    .locator('ops-status-line .well')
    .waitFor({ timeout: deadline(FOUND_MS) })
    .catch(async () => {
      throw new Error(`all is not well: ${await page.locator('main').innerText()}`);
    });
}

export function describeDeskFaults(names: readonly FaultName[]): void {
  beforeAll(async () => {
    cluster = await Cluster.start({ WEBHOOK_NETWORKS: '127.0.0.0/8' });
    await createAdmin(cluster.pool, Date.now(), ADMIN);
    browser = await chromium.connect(required(process.env.TEST_BROWSER));
    const baseURL = `http://127.0.0.1:${cluster.ports[0]}`;
    const context = await browser.newContext({ baseURL, viewport: { width: 1_440, height: 900 } });
    page = await context.newPage();
    await page.goto('/plans');
    await signIn();
    await page.goto('/admin/ops');
    await isWell();
  }, deadline(240_000));
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
    if (process.env.FAULT_TABLE)
      for (const [name, seconds, clicks] of found) process.stdout.write(`| ${name} | ${seconds} | ${clicks} |\n`);
  });

  describe('the person on call finds', () => {
    it.each(names)(
      '%s',
      async (name) => {
        const { sentence, selector, inject }: Fault = FAULTS[name];
        const places = selector ? page.locator(selector, { hasText: sentence }) : page.getByText(sentence);
        expect(await places.count()).toBe(0);
        const heal = await inject();
        const { seconds, clicks } = await lookFor(places);
        found.push([name, seconds.toFixed(1), clicks]);
        await heal();
        await places.first().waitFor({ state: 'detached', timeout: deadline(FOUND_MS) });
        await isWell();
        expect(clicks).toBeLessThanOrEqual(2);
      },
      deadline(300_000),
    );
  });
}
