/** Factor studies that operators queue for an account on the command line, and follow. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { insertUser } from '../../../db/accounts/users.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const CLI = fileURLToPath(new URL('../../../ops/commands/cli.ts', import.meta.url));
const NOW = Date.parse('2024-09-04T16:00:00Z');
const EMAIL = 'ada@example.com';
const STUDY = {
  universe: { all: true },
  factors: [
    { name: 'momentum', value: 'roc(63)' },
    { name: 'reversal', value: '-roc(21)' },
  ],
  horizons: [21],
  time_range: '1Y',
};

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createSampleDatabase(new SampleProvider({ symbols: 50, now: () => NOW }));
  folder = mkdtempSync(join(tmpdir(), 'market-factors-'));
  const profile = { name: 'Ada', phone: null, nickname: null, language: 'en', ip: null, country: null } as const;
  required(await insertUser(database.pool, { ...profile, email: EMAIL, at: new Date(NOW) }));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const settings = () => ({
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  FIXED_NOW: new Date(NOW).toISOString(),
});

async function ops(...words: string[]) {
  const ended = promisify(execFile)(process.execPath, [CLI, ...words], { env: { ...process.env, ...settings() } });
  const { stdout, stderr } = await ended.catch((failed: { stdout: string; stderr: string }) => failed);
  return { stdout, stderr };
}

function fileOf(more: object): string {
  const file = join(folder, 'study.json');
  writeFileSync(file, JSON.stringify({ ...STUDY, ...more }));
  return file;
}

const run = (more: object, ...words: string[]) =>
  ops('factors', 'run', '--account', EMAIL, '--file', fileOf(more), ...words);

it.each([
  [{ factors: [] }, /study\.json is not a factor study: .*factors/s],
  [{ horizons: [252] }, /^[^\n]*horizons\.0[^\n]*\n$/],
  [{ factors: [{ name: 'trend', value: 'close > sma(20)' }] }, /^[^\n]*factors\.0\.value[^\n]*\n$/],
  [{ neutral: "my('sector')" }, /^[^\n]*neutral[^\n]*sector[^\n]*\n$/],
  [{ universe: { symbols: ['NOPE'] } }, /^[^\n]*NOPE[^\n]*\n$/],
])('tells why it refuses %j, and queues nothing', async (more, told) => {
  expect(await run(more)).toEqual({ stdout: '', stderr: expect.stringMatching(told) });
  expect((await database.pool.query('select from sweeps')).rowCount).toBe(0);
});

it('queues a study, follows it to its end, and lists it as what it is', async () => {
  const { stdout: queued } = await run({}, '--no-wait');
  const [, id, cells] = required(/^factor study ([\w-]+): ([\d,]+) cells\n$/.exec(queued));
  const listed = new RegExp(`^${id} +factor study +2024-09-04 .* (running|done) .* ${cells}$`, 'm');
  expect((await ops('sweep', 'list')).stdout).toMatch(listed);
  const worker = await startSampleWorker({ database, folder, now: NOW }, { WORKER_SLOTS: '1' });
  try {
    const { stdout } = await ops('factors', 'watch', id);
    expect(stdout).toMatch(new RegExp(`^done: ${cells} cells in \\d+ s, users/`));
  } finally {
    await endProcess(worker, 'SIGTERM');
  }
  expect((await ops('sweep', 'list')).stdout).toMatch(listed);
  expect((await ops('sweep', 'cancel', id)).stdout).toBe(`factor study ${id} is removed\n`);
  const { rows } = await database.pool.query(`select action, target_id from audit_log order by id`);
  expect(rows).toEqual(['sweep.create', 'sweep.cancel'].map((action) => ({ action, target_id: id })));
});
