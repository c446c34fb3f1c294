/** A process without a supervisor logs one line with its version and where it works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SERVICE_VERSION } from '../../../engine/util/service-version.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcess } from '../../support/processes.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'market-started-'));
});
afterAll(async () => {
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

it.each([
  ['api', { publicAddress: 'https://market.example.com', host: '127.0.0.1' }],
  ['worker', { slots: { interactive: 1, compute: 1, background: 2 }, mail: 'mail.example.com:587' }],
  ['scheduler', { schedule: '0 0 1 1 *' }],
])('the %s logs its version and where it works, but no password', async (name, fields) => {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    PUBLIC_API_BASE: 'https://market.example.com',
    SMTP_URL: 'smtp://user:hush-hush@mail.example.com:587',
    SCHEDULE: '0 0 1 1 *',
    WORKER_SLOTS: '1',
  };
  const child = spawn(process.execPath, [`ops/processes/${name}.ts`], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  await endProcess(child, 'SIGTERM');
  expect(JSON.parse(line)).toMatchObject({
    level: 30,
    process: name,
    msg: 'ready',
    version: SERVICE_VERSION,
    ...fields,
  });
  expect(JSON.parse(line).database).toContain(new URL(database.url).pathname);
  expect(line).not.toContain(new URL(database.url).password);
  expect(line).not.toContain('hush-hush');
});
