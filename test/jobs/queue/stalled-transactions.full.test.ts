/**
 * Transactions that wait for a machine which has vanished are named to operators.
 *
 * @waits
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { presenceConnection, selectStalledTransactions } from '../../../db/connection-counts.ts';
import { type Listener, listen } from '../../../db/listener.ts';
import { createPool, transaction } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { HEALTH_CHECKS } from '../../../jobs/health/checks.ts';
import { readOnce } from '../../../jobs/health/installation.ts';
import { createLogger } from '../../../jobs/logger.ts';
import { stalledTransactionsReporter } from '../../../jobs/queue/dead-workers.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

const check = required(HEALTH_CHECKS.find(({ kind }) => kind === 'transaction_stalled'));
let database: TestDatabase;
/** Heartbeats of the machine of the server, which is reached by its socket. */
let heartbeat: Listener;

beforeAll(async () => {
  database = await createTestDatabase();
  heartbeat = await listen({ url: database.url, applicationName: presenceConnection('worker') });
});
afterAll(async () => {
  await heartbeat.close();
  await database.drop();
});

const problems = async () => {
  const { pool } = database;
  const storage = () => openStorage({ folder: required(process.env.TEST_OBJECTS) });
  return (await check.findProblems(readOnce({ pool, storage, now: Date.now }), 0)).map(({ text }) => text);
};

async function idleBehind(url: string, whileIdle: () => Promise<void>): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'worker-fetch' });
  await transaction(pool, async (connection) => {
    await connection.query('lock table notes in exclusive mode');
    await whileIdle();
  });
  await pool.end();
}

it('by doctor, desk, and once by the log, when their machine has no heartbeat or others wait for them', async () => {
  const { pool, url } = database;
  await pool.query('create table notes (text text)');
  const lines: string[] = [];
  const log = createLogger('worker', 'warn', { destination: { write: (line: string) => void lines.push(line) } });
  const report = stalledTransactionsReporter({ pool, log });
  // Another address than that of the heartbeats.
  await idleBehind(Object.assign(new URL(url), { search: '' }).href, async () => {
    await eventually(problems, ({ length }) => length === 1);
    const named = /^worker-fetch of 127\.0\.0\.1, which has no heartbeat, for [2-9] s; 0 wait for it \(pid \d+\)$/;
    expect(await problems()).toEqual([expect.stringMatching(named)]);
    await report();
    await report();
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringMatching(/^a transaction waits: worker-fetch of 127\.0\.0\.1, which has no heartbeat/),
    ]);
  });
  await idleBehind(url, async () => {
    const waiting = pool.query(`insert into notes values ('late')`);
    await eventually(problems, ({ length }) => length === 1);
    expect(await selectStalledTransactions(pool)).toMatchObject([{ host: null, waiting: 1, isHostAlive: true }]);
    waiting.catch(() => {});
  });
  expect(await problems()).toEqual([]);
});
