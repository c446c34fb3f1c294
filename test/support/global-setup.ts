/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { migrate } from '../../db/migrate.ts';
import { ensureDatabase } from '../../db/pool.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../ops/embedded/embedded-postgres.ts';

export const TEMPLATE = 'test_template';

declare global {
  var testServer: { server: EmbeddedPostgres; directory: string } | undefined;
}

export default async function setUp(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'market-test-'));
  const server = await startEmbeddedPostgres(directory, pino({ level: 'silent' }));
  globalThis.testServer = { server, directory };
  await ensureDatabase(server.url, TEMPLATE);
  const template = Object.assign(new URL(server.url), { pathname: `/${TEMPLATE}` }).href;
  await migrate(template);
  await declareQueues(template);
  process.env.TEST_SERVER_URL = server.url;
  process.env.TEST_OBJECTS = join(directory, 'objects');
}
