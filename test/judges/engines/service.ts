/** A service on a folder of its own, with the sample market and two loads of its tables. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { newApiKey } from '../../../api/access/tokens.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { insertApiKey } from '../../../db/accounts/api-keys.ts';
import { insertUser, updateUserAccess } from '../../../db/accounts/users.ts';
import { selectTablePointer } from '../../../db/lake/lake-tables.ts';
import { selectLatestAccess } from '../../../db/log/access-records.ts';
import { selectAdjustments } from '../../../db/market/adjustments.ts';
import { selectInstruments } from '../../../db/market/instruments.ts';
import { createPool, type Pool } from '../../../db/pool.ts';
import { DAYS_HELD_BACK } from '../../../engine/market/calendar.ts';
import { type Day, dayOf, newYorkDay } from '../../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../../engine/market/symbols.ts';
import { required } from '../../../engine/util/values.ts';
import { readConfig } from '../../../ops/config.ts';
import { runningInstance } from '../../../ops/embedded/database.ts';
import type { Variables } from '../../support/python-environment.ts';

/** The second load has one more session. */
const LOADS = ['2026-05-28T16:00:00Z', '2026-05-29T16:00:00Z'] as const;
const SYMBOLS = '50';
const BARS = 'market.daily_bars';
const POLL_MS = 500;
const MAX_WAIT_MS = 10 * 60_000;
/** The largest number of calls that is counted, more than any engine makes. */
const MAX_CALLS = 10_000;
const SPLIT_AFTER = dayOf(2020, 1, 1);
/** Longer than records of access are collected. */
const RECORDS_MS = 2_000;

/** Facts of the market that the queries name. */
interface Question {
  /** The snapshot of the first load. */
  readonly past: number;
  /** A symbol with a split. */
  readonly symbol: string;
  /** YYYY-MM-DD: one of the newest sessions. */
  readonly day: string;
}

/** All that an engine knows of the service. */
export interface Reader {
  readonly url: string;
  readonly key: string;
  readonly userId: number;
  readonly question: Question;
}

export interface TablesService {
  readonly pool: Pool;
  /** The newest day that may be distributed. */
  readonly asOf: Day;
  /** An account of the plan `pro` with a key. */
  addReader(name: string): Promise<Reader>;
  countCalls(reader: Reader): Promise<{ readonly catalog: number; readonly files: number }>;
}

/** Runs `work` while the service answers. `storage`: settings of its bucket; none: its objects are in a folder. */
export async function withTables<T>(work: (service: TablesService) => Promise<T>, storage: Variables = {}): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'market-engines-'));
  const port = await freePort();
  let service: ChildProcess | null = null;
  try {
    let loaded = 0;
    for (const now of LOADS) {
      if (service) await end(service);
      service = start({ ...storage, DATA_DIR: folder, PORT: String(port), FIXED_NOW: now });
      loaded = await nextVersion(service, folder, loaded);
    }
    return await withPool(folder, async (pool) => work(await describe(pool, `http://127.0.0.1:${port}`)));
  } finally {
    if (service) await end(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(settings: Variables): ChildProcess {
  const market = { PROVIDER: 'sample', SAMPLE_SYMBOLS: SYMBOLS, SCHEDULE: '*/2 * * * * *' };
  const others = { LOG_LEVEL: 'error', DATABASE_URL: '', HOST: '127.0.0.1', S3_BUCKET: '', TABLE_FILES: 'service' };
  return spawn(process.execPath, ['ops/processes/start.mjs'], {
    env: { ...process.env, ...market, ...others, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
}

async function end(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
}

async function withPool<T>(folder: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const { databaseUrl } = required(runningInstance(readConfig({ DATA_DIR: folder })), 'the running service');
  const pool = createPool({ url: databaseUrl, max: 2, applicationName: 'engines' });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Waits for a later version of the bars than `known`, and returns it. */
async function nextVersion(service: ChildProcess, folder: string, known: number): Promise<number> {
  const until = performance.now() + MAX_WAIT_MS;
  while (performance.now() < until && service.exitCode === null) {
    await setTimeout(POLL_MS);
    // The database starts after the service, and its schema is made after that.
    const table = await withPool(folder, (pool) => selectTablePointer(pool, BARS)).catch(() => null);
    if (table && table.version > known) return table.version;
  }
  throw new Error('the service has written no tables');
}

async function describe(pool: Pool, url: string): Promise<TablesService> {
  const question = await askable(pool, url);
  return {
    pool,
    asOf: newYorkDay(Date.parse(LOADS[1])) - DAYS_HELD_BACK.eod_only,
    addReader: async (name) => ({ url, question, ...(await addAccount(pool, name)) }),
    countCalls: async ({ userId }) => {
      await setTimeout(RECORDS_MS);
      const calls = await selectLatestAccess(pool, userId, MAX_CALLS);
      const countOf = (start: string) => calls.filter(({ path }) => path.startsWith(start)).length;
      return { catalog: countOf('/iceberg/v1/'), files: countOf('/iceberg/objects/') };
    },
  };
}

/** Takes the snapshot and the day from the catalog, as any reader would. */
async function askable(pool: Pool, url: string): Promise<Question> {
  const { key } = await addAccount(pool, 'question');
  const table = `${url}/iceberg/v1/namespaces/market/tables/daily_bars`;
  const answer = await fetch(table, { headers: { authorization: `Bearer ${key}` } });
  const { metadata } = loadedTable.parse(await answer.json());
  const [{ 'snapshot-id': past, summary }] = metadata.snapshots;
  const adjustments = await selectAdjustments(pool);
  const hasSplit = ({ id }: { readonly id: number }) =>
    adjustments.get(id)?.some(({ kind, exDay }) => kind === 'split' && exDay > SPLIT_AFTER);
  const { symbol } = required((await selectInstruments(pool)).find(hasSplit), 'an instrument with a split');
  return { past, symbol: qualifiedSymbol(symbol), day: summary['newest-session'] };
}

const loadedTable = z.object({
  metadata: z.object({
    snapshots: z.array(z.object({ 'snapshot-id': z.int(), summary: z.record(z.string(), z.string()) })).min(2),
  }),
});

/** Adds an account of the plan `pro`, with a key. */
async function addAccount(pool: Pool, name: string): Promise<{ readonly userId: number; readonly key: string }> {
  const at = new Date(LOADS[1]);
  const profile = { name, phone: null, nickname: null, language: 'en', ip: null, country: null } as const;
  const { id: userId } = required(await insertUser(pool, { ...profile, email: `${name}@example.com`, at }));
  await updateUserAccess(pool, userId, { plan: 'pro' });
  const { plaintext: key, hash, prefix } = newApiKey();
  await insertApiKey(pool, { userId, name, keyHash: hash, prefix, at });
  return { userId, key };
}
