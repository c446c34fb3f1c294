/** One PostgreSQL for the whole run, with a migrated database that each test file clones, and one browser for the site. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { siteAssets } from '../../api/site/assets.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { createPool, ensureDatabase } from '../../db/pool.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import { type StartedBrowser, startBrowser } from './browser.ts';
import { DESCRIPTION } from './description.ts';
import { servePlaces } from './places.ts';

export const TEMPLATE = 'test_template';
/** Files that compute at the same time. */
const PLACES = 2;

declare global {
  var testServer:
    | { server: EmbeddedPostgres; directory: string; browser: StartedBrowser | null; places: Server }
    | undefined;
}

/** Paths and patterns that Jest was called with. */
interface RunConfig {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

/** Whether the run includes site tests, which need the browser. */
function needsBrowser({ testPathPatterns: { patterns } }: RunConfig): boolean {
  return patterns.length === 0 || patterns.some((pattern) => pattern.includes('site'));
}

/** A test database need not outlive its machine, and waiting for the disk makes a commit fifty times as long. */
async function forgoDurability(url: string): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'test' });
  for (const setting of ['fsync', 'full_page_writes']) await pool.query(`alter system set ${setting} = off`);
  await pool.query('select pg_reload_conf()');
  await pool.end();
}

export default async function setUp(config: RunConfig): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'market-test-'));
  const browser = needsBrowser(config) ? startBrowser(join(directory, 'browser')) : null;
  // Once, before test files that run side by side ask for them.
  await siteAssets();
  const description = join(directory, 'openapi.json');
  writeFileSync(description, DESCRIPTION);
  process.env.TEST_DESCRIPTION = description;
  const server = await startEmbeddedPostgres(directory, pino({ level: 'silent' }));
  const started = await browser;
  if (started) process.env.TEST_BROWSER = started.endpoint;
  const places = join(directory, 'places');
  globalThis.testServer = { server, directory, browser: started, places: servePlaces(places, PLACES) };
  process.env.TEST_PLACES = places;
  await forgoDurability(server.url);
  await ensureDatabase(server.url, TEMPLATE);
  const template = Object.assign(new URL(server.url), { pathname: `/${TEMPLATE}` }).href;
  await migrate(template);
  await declareQueues(template);
  // Processes and threads of the tests share compiled code, which halves the cost of their starts.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
  // Tests write files and load them at once.
  process.env.FILES_SETTLE_S = '0';
  process.env.TEST_SERVER_URL = server.url;
  process.env.TEST_OBJECTS = join(directory, 'objects');
}
