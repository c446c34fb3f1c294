/** The service for tests of the clients: real processes over the sample market, and a relay that can lose answers. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newApiKey } from '../../api/access/tokens.ts';
import { createAdmin } from '../../api/accounts/admins.ts';
import { type BodyOf, openClient } from '../../api/clients/typescript/index.ts';
import { insertApiKey } from '../../db/accounts/api-keys.ts';
import { insertUser, type UserAccess, updateUserAccess } from '../../db/accounts/users.ts';
import { deletePause, insertPause } from '../../db/queue/queues.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';
import { computeImpacts } from '../../jobs/impact/run.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { correct, loadBar } from './corrections.ts';
import { CuttingRelay } from './cutting-relay.ts';
import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { removeTree } from './folders.ts';
import { sealEarlier } from './forward-records.ts';
import { freePort } from './free-port.ts';
import { testJobContext } from './job-context.ts';
import { endProcess, startProcess } from './processes.ts';
import { createWrittenDatabase } from './written-market.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');
const SYMBOLS = 50;

type AccountPlan = NonNullable<UserAccess['plan']>;

export interface ClientService {
  readonly relay: CuttingRelay;
  readonly database: TestDatabase;
  readonly url: string;
  /** Removed at the end. */
  readonly directory: string;
  /** A key of a new account. */
  addKey(plan: AccountPlan): Promise<string>;
  /** An access token of a new administrator. */
  addAdmin(): Promise<string>;
  /** Ends the API without a chance to end its work. */
  killApi(): Promise<void>;
  startApi(): Promise<void>;
  pause(queue: string): Promise<void>;
  resume(queue: string): Promise<void>;
  close(): Promise<void>;
}

interface ServiceOptions {
  /** Further variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Another checkout, whose code runs. */
  readonly checkout?: URL;
  /** Done before the processes start. */
  readonly prepare?: (database: TestDatabase) => Promise<void>;
}

export async function openClientService({
  settings = {},
  checkout,
  prepare,
}: ServiceOptions = {}): Promise<ClientService> {
  const directory = mkdtempSync(join(tmpdir(), 'market-clients-'));
  const provider = new SampleProvider({ symbols: SYMBOLS, now: () => NOW });
  const database = await createWrittenDatabase(provider, join(directory, 'objects'), [NOW]);
  const { pool } = database;
  await prepare?.(database);
  const port = await freePort();
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    HOST: '127.0.0.1',
    PORT: String(port),
    SAMPLE_SYMBOLS: String(SYMBOLS),
    WORKER_SLOTS: '2',
    FIXED_NOW: new Date(NOW).toISOString(),
    ...settings,
  };
  let api: ChildProcess = await startProcess('api', environment, checkout);
  const worker = await startProcess('worker', environment, checkout);
  const relay = await CuttingRelay.start(port);
  const url = `http://127.0.0.1:${port}`;
  let accounts = 0;
  return {
    relay,
    database,
    directory,
    url,
    addKey: async (plan) => {
      const at = new Date(NOW);
      const profile = { name: 'Client', phone: null, nickname: null, language: 'en', ip: null, country: null } as const;
      const email = `client${++accounts}@example.com`;
      const { id: userId } = required(await insertUser(pool, { ...profile, email, at }));
      await updateUserAccess(pool, userId, { plan });
      const { plaintext, hash, prefix } = newApiKey();
      await insertApiKey(pool, { userId, name: 'client', keyHash: hash, prefix, at });
      return plaintext;
    },
    addAdmin: async () => {
      const admin = { email: `admin${++accounts}@example.com`, login: `admin${accounts}`, password: 'long enough' };
      required(await createAdmin(pool, NOW, admin));
      const { login, password } = admin;
      const answer = await fetch(`${url}/api/auth/admin-login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login, password }),
      });
      return JSON.parse(await answer.text()).data.access_token;
    },
    killApi: async () => void (await endProcess(api, 'SIGKILL')),
    startApi: async () => {
      api = await startProcess('api', environment, checkout);
    },
    pause: async (queue) => void (await insertPause(pool, queue, 'test', new Date(NOW))),
    resume: async (queue) => void (await deletePause(pool, queue)),
    close: async () => {
      relay.close();
      await Promise.all([api, worker].map((child) => endProcess(child, 'SIGKILL')));
      await database.drop();
      // The files that SQL reads are in folders that cannot be written.
      removeTree(directory);
    },
  };
}

/** Seals a run of the account of a key some sessions ago, and brings it up to today. Returns the id of the record. */
export async function sealEarlierOf(
  { url, database: { pool } }: ClientService,
  key: string,
  run: Pick<BodyOf<'runBacktest'>, 'strategy' | 'rules'> = { strategy: 'sma_cross' },
): Promise<number> {
  const { id } = await openClient({ url, key }).backtest({ ...run, symbol: 'ACRX', time_range: '5Y' });
  return sealEarlier({ pool, now: () => NOW }, required(id), '2026-05-12');
}

/** Keeps a run of the account of a key, and corrects the last price that it has read. Returns the id of the run. */
export async function reviseKeptOf({ url, database: { pool } }: ClientService, key: string): Promise<number> {
  const { id: run } = await openClient({ url, key }).backtest({
    symbol: 'LUMA',
    strategy: 'buy_hold',
    time_range: '1Y',
  });
  const { rows } = await pool.query<{ id: number }>(`select id from instruments where symbol = 'LUMA'`);
  const bar = { id: rows[0].id, day: requireDay('2026-05-29'), close: 1_000, basis: 'consolidated' } as const;
  const at = new Date(NOW);
  await correct(pool, (connection, syncJobId) => loadBar(connection, { syncJobId, at }, bar));
  // The claim of the run may outlast its end.
  await eventually(
    async () => {
      await computeImpacts(testJobContext({ pool, now: () => NOW }));
      return (await pool.query('select from load_impacts where published_at is not null')).rowCount;
    },
    (published) => published === 1,
  );
  return required(run);
}
