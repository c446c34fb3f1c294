/**
 * Writes the lake in a process of its own, which kills itself at a step: `commit` and `committed` are the ends of the transaction that
 * publishes; other steps are the key of an object, before it is stored. Arguments: database, folder of the storage, time, step.
 */
import type pg from 'pg';
import { createPool } from '../../../db/pool.ts';
import { writeLake } from '../../../jobs/lake/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { testJobContext } from '../../support/job-context.ts';

const [, , url, folder, at, step] = process.argv;

function dieAt(now: string): void {
  if (new RegExp(step).test(now)) process.kill(process.pid, 'SIGKILL');
}

const pool = createPool({ url, max: 4, applicationName: 'writer' });
let isPublishing = false;
pool.on('connect', (client: pg.PoolClient) => {
  const query: (...args: unknown[]) => Promise<unknown> = Reflect.get(client, 'query').bind(client);
  const watched = async (...args: unknown[]) => {
    const text = String(args[0]);
    if (text.includes('insert into lake (')) isPublishing = true;
    const isCommit = isPublishing && text === 'commit';
    if (isCommit) dieAt('commit');
    const result = await query(...args);
    if (isCommit) dieAt('committed');
    if (isCommit) isPublishing = false;
    return result;
  };
  Object.assign(client, { query: watched });
});

const stored = openStorage({ folder });
const storage: ObjectStorage = Object.assign(Object.create(stored), {
  put: async (key: string, content: never) => {
    dieAt(key);
    return stored.put(key, content);
  },
  putNew: async (key: string, content: Buffer) => {
    dieAt(key);
    return stored.putNew(key, content);
  },
});

await writeLake(testJobContext({ pool, storage, now: () => Number(at) }));
await pool.end();
