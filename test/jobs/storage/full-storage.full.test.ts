/** A real full disk: each caller gets one error, nothing partial remains, and work continues when there is space. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { selectExport } from '../../../db/queue/exports.ts';
import { codeOf } from '../../../engine/util/errors.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const directory = mkdtempSync(join(tmpdir(), 'full-storage-'));
const objects = join(directory, 'objects');
mkdirSync(objects);
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', objects]).status === 0;
if (!isMounted) process.stderr.write('SKIPPED: a small disk cannot be mounted here\n');

let database: TestDatabase;
let api: TestApi;
let stopWorker: () => Promise<unknown>;

beforeAll(async () => {
  if (!isMounted) return;
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  database = await createSampleDatabase(provider);
  api = await openTestApi({
    database,
    provider,
    storage: openStorage({ folder: objects }),
    now: () => NOW,
    realCallers: true,
  });
  const worker = await startSampleWorker({ database, folder: directory, now: NOW });
  stopWorker = () => endProcess(worker, 'SIGTERM');
}, deadline(60_000));
afterAll(async () => {
  if (isMounted) {
    await stopWorker();
    await api.close();
    await database.drop();
    spawnSync('umount', [objects]);
  }
  rmSync(directory, { recursive: true, force: true });
});

/** Fills the disk except for the space of the smallest object of a backtest. */
function fill(): void {
  try {
    for (let i = 0; ; i++) writeFileSync(join(objects, `filler${i}`), Buffer.alloc(16 * 1024));
  } catch (error) {
    expect(codeOf(error)).toBe('ENOSPC');
  }
  rmSync(join(objects, 'filler0'));
}
function makeRoom(): void {
  for (const name of readdirSync(objects)) if (name.startsWith('filler')) rmSync(join(objects, name));
}

const outcome = ({ status, body }: Response) => [status, body.key];
const run = ({ program }: Person, more: object = {}) =>
  api.post('/v1/backtest', { symbol: 'ACRX', time_range: '5Y', ...more }, program);
const filesOf = () =>
  readdirSync(objects, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('filler'),
  );
const attemptsOf = async (queue: string) =>
  (await database.pool.query(`select state, retry_count as retries from pgboss.job where name = $1`, [queue])).rows;

(isMounted ? describe : describe.skip)('while the storage is full', () => {
  beforeAll(fill);
  afterAll(makeRoom);

  it('a backtest that is kept is refused with 507 after one attempt, and others are answered', async () => {
    const person = await addPerson(api);
    expect(outcome(await run(person))).toEqual([507, 'error.storage_full']);
    // Without isOutOfSpace in isPermanent there are four attempts, and the answer is 500.
    const jobs = await eventually(
      () => attemptsOf('backtest'),
      ([{ state }]) => state !== 'active',
    );
    expect(jobs).toEqual([{ state: 'failed', retries: 0 }]);
    expect((await run(person, { save: false })).status).toBe(200);
    expect((await api.get('/api/backtest/history', person.console)).body.data.total).toBe(0);
    expect(filesOf()).toEqual([]);
  });

  it('a small export is refused too, and its record has the reason', async () => {
    const admin = await addAdmin(api);
    const { rows } = await database.pool.query('select symbol from instruments order by symbol limit 50');
    const symbols = rows.map(({ symbol }) => symbol);
    const request = { symbols, start: '2024-07-01', end: '2024-08-30' };
    expect(outcome(await api.post('/api/admin/data/export', request, admin.console))).toEqual([
      507,
      'error.storage_full',
    ]);
    const { body } = await api.get('/api/admin/data/exports', admin.console);
    expect(body.data.items).toMatchObject([{ status: 'failed', error: 'the storage is full' }]);
    expect(filesOf()).toEqual([]);
  });

  it('a large export fails after one attempt', async () => {
    const admin = await addAdmin(api);
    const request = { start: '2015-01-01', end: '2024-08-30', venue_mode: 'single_venue' };
    const { body } = await api.post('/api/admin/data/export', request, admin.console);
    const ended = await eventually(
      () => selectExport(database.pool, body.data.id),
      (exported) => exported?.status === 'failed',
    );
    expect(ended).toMatchObject({ error: 'the storage is full', attempts: 1 });
    expect(filesOf()).toEqual([]);
  });
});

(isMounted ? it : it.skip)('everything works again when there is space', async () => {
  makeRoom();
  const person = await addPerson(api);
  const { status, body } = await run(person);
  expect([status, body.data.id]).toEqual([200, expect.any(Number)]);
  expect(filesOf()).toHaveLength(3);
});

(isMounted ? it : it.skip)('only the user of the service can read the files', () => {
  // A data folder that another user has created.
  const open = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => path !== objects && (statSync(path).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(readFileSync(join(directory, 'secret'), 'utf8')).toHaveLength(64);
});
