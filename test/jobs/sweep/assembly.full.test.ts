/** The assembly of a sweep against an S3 server that was not written here: each object of a chunk is read once. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NOTHING_OWN } from '../../../api/rules/resolve.ts';
import { sweepBody, sweepOf } from '../../../api/sweeps/request.ts';
import { transaction } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { assembleWork, runChunk } from '../../../jobs/factors/chunked-work.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { enqueueSweep } from '../../../jobs/sweep/enqueue.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { type Bucket, withBucket } from '../../judges/engines/bucket.ts';
import { addPerson } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { testJobContext } from '../../support/job-context.ts';
import { PythonUnavailable } from '../../support/python-environment.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
const CHUNKS = 12;

let database: TestDatabase;
let api: TestApi;
let workFolder: string;

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  api = await openTestApi({ database, provider, now: () => NOW, realCallers: true });
  workFolder = mkdtempSync(join(tmpdir(), 'market-assembly-'));
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(workFolder, { recursive: true });
});

/** The storage, and how many requests for content it has sent. */
function counted(storage: ObjectStorage): { readonly storage: ObjectStorage; readonly reads: () => number } {
  let reads = 0;
  const get: ObjectStorage['get'] = (key, range) => {
    reads++;
    return storage.get(key, range);
  };
  return {
    storage: new Proxy(storage, {
      get: (target, name) => {
        if (name === 'get') return get;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    reads: () => reads,
  };
}

async function assembled({ settings }: Bucket) {
  const { pool, boss, market } = api.services;
  const person = await addPerson(api, undefined, { plan: 'enterprise' });
  const { storage, reads } = counted(
    openStorage({
      s3: {
        bucket: settings.S3_BUCKET,
        endpoint: settings.S3_ENDPOINT,
        region: 'us-east-1',
        accessKeyId: settings.S3_ACCESS_KEY_ID,
        secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
      },
    }),
  );
  const grid = { fast_period: Array.from({ length: 20 }, (_, i) => 2 + i), slow_period: [30, 40, 50] };
  const body = { universe: 'all', runs: [{ strategy: 'sma_cross', grid }], time_range: '2Y' };
  const all = sweepOf(sweepBody.parse(body), market, [NOTHING_OWN]);
  const requested = { ...all, instruments: all.instruments.slice(0, CHUNKS) };
  const id = randomUUID();
  // Chunks of one instrument each.
  const wanted = { ...requested, id, userId: person.id, bars: 1e9, requestId: 'test', at: new Date(NOW) };
  await transaction(pool, (connection) => enqueueSweep(connection, boss, wanted));
  const context = testJobContext({ pool, storage, workFolder, boss: async () => boss, now: () => NOW });
  for (let seq = 0; seq < CHUNKS; seq++) await runChunk(context, { sweepId: id, seq, requestId: null });
  const running = await api.get(`/v1/sweeps/${id}`, person.program);
  const before = reads();
  await assembleWork(context, { sweepId: id });
  const done = await api.get(`/v1/sweeps/${id}`, person.program);
  return { reads: reads() - before, running: running.body.data, done: done.body.data };
}

it(
  'reads each object once, says that it assembles, and leaves nothing behind',
  async () => {
    const progress = (line: string) => void process.stderr.write(`${line}\n`);
    const found = await withBucket(progress, assembled).catch((error) => {
      if (error instanceof PythonUnavailable) return null;
      throw error;
    });
    if (found === null) return void process.stderr.write('SKIPPED: the machine lacks Python or the S3 server\n');
    const { reads, running, done } = required(found);
    expect(running).toMatchObject({ status: 'running', assembling: true, seconds_left: null });
    expect(done).toMatchObject({ status: 'done', assembling: false });
    expect(reads).toBeLessThanOrEqual(2 * CHUNKS);
    expect(readdirSync(workFolder)).toEqual([]);
  },
  deadline(60_000),
);
