/** Faults of processes, machines, and callers, on the sample market. */
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
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import pino from 'pino';
import { newApiKey } from '../../api/access/tokens.ts';
import { insertApiKey } from '../../db/accounts/api-keys.ts';
import { insertUser } from '../../db/accounts/users.ts';
import { required } from '../../engine/util/values.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { backtestNumber, type Cluster } from './cluster.ts';
import type { Fault } from './desk.ts';
import { freePort } from './free-port.ts';
import { clockAhead } from './processes.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const silent = pino({ level: 'silent' });

const endAll = (cluster: Cluster, part: 'worker' | 'scheduler') =>
  Promise.all([0, 1].map((i) => cluster.end(part, i, 'SIGKILL')));
const runAll = (cluster: Cluster, part: 'worker' | 'scheduler') => Promise.all([0, 1].map((i) => cluster.run(part, i)));

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
function signalPostgres(cluster: Cluster, signal: 'STOP' | 'CONT'): void {
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

const mountSmall = (folder: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'pipe' });

/** Only root may, and not in every container. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    mountSmall(folder);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const FAULTS = {
  'a dead worker': {
    sentence: /^No worker is connected/,
    inject: async (cluster) => {
      await endAll(cluster, 'worker');
      return () => runAll(cluster, 'worker');
    },
  },
  'no scheduler': {
    sentence: /^No scheduler is connected/,
    inject: async (cluster) => {
      await endAll(cluster, 'scheduler');
      return () => runAll(cluster, 'scheduler');
    },
  },
  'a stuck job': {
    sentence: /^A transaction waits for its machine/,
    inject: async (cluster) => {
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
    inject: async (cluster) => {
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
    inject: async (cluster) => {
      signalPostgres(cluster, 'STOP');
      return async () => signalPostgres(cluster, 'CONT');
    },
  },
  'a failing bucket': {
    sentence: /^The object storage cannot be used/,
    inject: async (cluster) => {
      cluster.s3.intercept = () => ({ status: 503, code: 'SlowDown' });
      return async () => {
        cluster.s3.intercept = () => undefined;
      };
    },
  },
  'a full disk': {
    sentence: /^Only \d+ MB are free on the disk/,
    impossible: canMount() ? undefined : 'this user may not mount a small disk',
    inject: async (cluster) => {
      const folder = join(cluster.directory, 'small');
      mkdirSync(folder);
      mountSmall(folder);
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
    inject: async (cluster) => {
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
    inject: async (cluster) => {
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
    inject: async (cluster) => {
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
    inject: async (cluster) => {
      await cluster.run('scheduler', 2, undefined, { PORT: '0' });
      return () => cluster.end('scheduler', 2, 'SIGTERM');
    },
  },
  'half a deploy': {
    sentence: /^Processes of 2 releases run together: 0\.2\.9 \(1\)/,
    inject: async (cluster) => {
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
