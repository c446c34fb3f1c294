/** Many accounts with long runs on one worker: nobody else waits for them. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { UserPlan } from '../../../db/accounts/users.ts';
import { readNewestLoginCode } from '../../../jobs/mail/mailer.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, newAddress, newEmail, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { removeTree } from '../../support/folders.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const SYMBOLS = 50;
const SLOTS = 2;
/** The concurrent runs of the plan free. */
const RUNS_EACH = 2;

let folder: string;
let database: TestDatabase;
let api: TestApi;
let worker: ChildProcess;
let attackers: Person[];
let symbol: string;

const addAttackers = (count: number, plan: UserPlan) =>
  Promise.all(Array.from({ length: count }, () => addPerson(api, newEmail(), { plan })));

/** A rotation of the whole market that takes a free account's seconds; each request differs by its number. */
const rotation = (i: number) => ({
  universe: { all: true },
  rotation: {
    every: { sessions: 1 },
    score: 'rank(roc(60)) + rank(-atr(20) / close)',
    hold: { top_pct: 100 },
    weights: { method: 'risk_parity', lookback: 252 },
  },
  start: '2020-01-02',
  cost: { slippage_bps: i },
  save: false,
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'many-rotations-'));
  const provider = new SampleProvider({ symbols: SYMBOLS, now: () => NOW });
  database = await createSampleDatabase(provider);
  const storage = openStorage({ folder: join(folder, 'objects') });
  api = await openTestApi({
    database,
    provider,
    storage,
    now: () => NOW,
    realCallers: true,
    backtestWaitMs: deadline(60_000),
  });
  symbol = (await database.pool.query('select symbol from instruments where delisted_on is null limit 1')).rows[0]
    .symbol;
}, deadline(60_000));
afterAll(async () => {
  await api.close();
  await database.drop();
  removeTree(folder);
});

beforeEach(async () => {
  worker = await startSampleWorker(
    { database, folder, now: NOW, symbols: SYMBOLS },
    {
      JWT_SECRET: 'a-secret-of-the-tests-with-enough-characters',
      WORKER_SLOTS: `interactive=${SLOTS},mail=2,background=2,compute=1`,
    },
  );
});
afterEach(async () => {
  await endProcess(worker, 'SIGKILL');
  await database.pool.query('delete from pgboss.job; delete from runs');
});

/** How many accounts of the attackers have a run in one of these states. */
async function countAttackers(...statuses: string[]): Promise<number> {
  const { rows } = await database.pool.query(
    'select count(distinct user_id)::int as count from runs where user_id = any($1) and status = any($2)',
    [attackers.map(({ id }) => id), statuses],
  );
  return rows[0].count;
}

const haveBegun = (least: number) =>
  eventually(
    () => countAttackers('running'),
    (count) => count >= least,
  );

async function begin({ program }: Person, path: string, body: object): Promise<void> {
  expect((await api.post(path, body, { ...program, prefer: 'respond-async' })).status).toBe(202);
}

it(
  'answers three accounts and sends a mail while none of the rotations of twelve others has ended',
  async () => {
    attackers = await addAttackers(12, 'free');
    for (let i = 0; i < RUNS_EACH * attackers.length; i++) {
      await begin(attackers[i % attackers.length], '/v1/portfolio', rotation(i));
    }
    await haveBegun(3 * SLOTS);
    const email = newEmail();
    await api.post('/api/auth/request-code', { email }, { 'x-forwarded-for': newAddress() });
    const bystanders: readonly UserPlan[] = ['free', 'pro', 'enterprise'];
    const answers: unknown[] = [];
    for (const plan of bystanders) {
      const { program } = await addPerson(api, newEmail(), { plan });
      const { status } = await api.post('/v1/backtest', { symbol, time_range: '1Y', save: false }, program);
      answers.push({ plan, status, ended: await countAttackers('done', 'failed') });
    }
    await eventually(
      () => readNewestLoginCode(join(folder, 'outbox'), email),
      (sent) => sent !== null,
    );
    expect(answers).toEqual(bystanders.map((plan) => ({ plan, status: 200, ended: 0 })));
    // Each of them has a place of its own.
    await haveBegun(attackers.length);
    expect(await countAttackers('done', 'failed')).toBe(0);
  },
  deadline(60_000),
);

it(
  'answers an optimization while none of six others has ended',
  async () => {
    const bodyOf = (fast: number, rest: object) => ({
      symbol,
      strategy: 'sma_cross',
      time_range: 'MAX',
      grid: { fast_period: { from: 2, to: fast, step: 1 }, slow_period: { from: 60, to: 159, step: 1 } },
      ...rest,
    });
    attackers = await addAttackers(6, 'pro');
    const walkForward = { walk_forward: { train_bars: 500, test_bars: 10 } };
    for (const attacker of attackers) await begin(attacker, '/v1/optimize', bodyOf(51, walkForward));
    await haveBegun(1);
    const { program } = await addPerson(api, newEmail(), { plan: 'pro' });
    const { status, body } = await api.post('/v1/optimize', bodyOf(2, {}), program);
    expect(status).toBe(202);
    const statusOf = async () =>
      (await database.pool.query('select status from runs where id = $1', [body.data.job_id])).rows[0].status;
    expect(await eventually(statusOf, (now) => now !== 'queued' && now !== 'running')).toBe('done');
    expect(await countAttackers('done', 'failed')).toBe(0);
  },
  deadline(60_000),
);
