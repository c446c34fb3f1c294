/** The site for tests: a real server over the sample market, and pages of a real browser. */
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { Locale } from '../../api/http/language/locale.ts';
import { type RunningServer, startServer } from '../../api/server/server.ts';
import { writeLake } from '../../jobs/lake/run.ts';
import type { ProviderId } from '../../jobs/providers/providers.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../jobs/snapshot/run.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { Person } from './accounts.ts';
import { openTestApi, type TestApi } from './api.ts';
import { createSampleDatabase, createTestDatabase, type TestDatabase } from './database.ts';
import { deadline } from './deadlines.ts';
import { DESCRIPTION } from './description.ts';
import { removeTree } from './folders.ts';
import { testJobContext } from './job-context.ts';
import { loadEverything, type MarketFolder } from './market-folder.ts';
import { endProcess } from './processes.ts';
import { startSampleWorker } from './sample-worker.ts';
import { createWrittenDatabase } from './written-market.ts';

const SITE_NOW = Date.parse('2026-06-01T16:00:00Z');
/** The files are written as after each of the newest sessions. */
const FILES_AT = ['2026-05-22', '2026-05-26', '2026-05-27', '2026-05-28', '2026-05-29', '2026-06-01'].map((day) =>
  Date.parse(`${day}T16:00:00Z`),
);
/** A wait in vain should fail before the deadline of the test. */
const LONGEST_WAIT_MS = 40_000;
const SCREENSHOTS = new URL('../../.data/screenshots/', import.meta.url).pathname;

export interface View {
  readonly locale: Locale;
  readonly theme: 'light' | 'dark';
  readonly width: 360 | 1440;
}

const PLAIN_VIEW: View = { locale: 'en', theme: 'light', width: 1440 };

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Forbidden acts of the pages of the context: errors in the console, and requests to other hosts. */
  readonly faults: string[];
}

export interface TestSite {
  readonly url: string;
  /** The version of the browser. */
  readonly browserVersion: string;
  readonly api: TestApi;
  readonly database: TestDatabase;
  readonly server: RunningServer;
  /** A separate browser, of a signed-in person or a guest. */
  open(view?: Partial<View>, person?: Person): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Instruments of the sample market. */
  readonly symbols?: number;
  /** Whether a worker runs jobs; without one, nothing that waits for a job ends. */
  readonly hasWorker?: boolean;
  /** Whether the files of the market are written. */
  readonly hasFiles?: boolean;
  /** Whether the market is there. */
  readonly isLoaded?: boolean;
  /** The folder of the market that is there instead of the sample market. */
  readonly market?: MarketFolder;
  /** A folder of another provider to compare the market with. */
  readonly otherFolder?: string;
  /** Networks besides the public internet that webhooks may reach. */
  readonly webhookNetworks?: readonly string[];
  /** The address of the browser. Default: that of the run. */
  readonly browserEndpoint?: string;
}

export async function openTestSite({
  symbols = 50,
  hasWorker = false,
  hasFiles = false,
  isLoaded = true,
  market,
  otherFolder,
  webhookNetworks = [],
  browserEndpoint = process.env.TEST_BROWSER,
}: SiteOptions = {}): Promise<TestSite> {
  const now = () => SITE_NOW;
  const sample = new SampleProvider({ symbols, now });
  const provider = market?.provider(SITE_NOW) ?? sample;
  const directory = mkdtempSync(join(tmpdir(), 'market-site-'));
  const objects = join(directory, 'objects');
  const storage = openStorage({ folder: objects });
  const isWritten = hasFiles && !market;
  const database = isWritten
    ? await createWrittenDatabase(sample, objects, FILES_AT)
    : await (isLoaded && !market ? createSampleDatabase(sample) : createTestDatabase());
  if (market) await loadEverything(database.pool, provider);
  if (isLoaded && !isWritten) await buildSnapshot(testJobContext({ storage, now, pool: database.pool }));
  if (hasFiles && !isWritten)
    for (const at of FILES_AT) await writeLake(testJobContext({ storage, now: () => at, pool: database.pool }));
  const otherProviders: readonly ProviderId[] = otherFolder === undefined ? [] : ['files'];
  const options = { database, provider, storage, now, webhookNetworks, otherProviders };
  const api = await openTestApi({ ...options, realCallers: true });
  const server = await startServer({
    services: api.services,
    description: JSON.parse(DESCRIPTION),
    host: '127.0.0.1',
    port: 0,
    defaultLocale: 'en',
    trustProxy: false,
    isMailLocal: true,
    checks: {},
  });
  const worker = hasWorker
    ? await startSampleWorker(
        { database, folder: directory, now: SITE_NOW, symbols },
        { WORKER_SLOTS: '2', ...(otherFolder === undefined ? {} : { PROVIDER_DIR: otherFolder }) },
      )
    : null;
  if (browserEndpoint === undefined) throw new Error('no browser was started for this run');
  const browser = await chromium.connect(browserEndpoint);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    browserVersion: browser.version(),
    api,
    database,
    server,
    open: (view, person) => openPage(browser, url, { ...PLAIN_VIEW, ...view }, person),
    close: async () => {
      await browser.close();
      if (worker) await endProcess(worker, 'SIGTERM');
      await server.stop(0, 1_000);
      await api.close();
      await database.drop();
      removeTree(directory);
    },
  };
}

async function openPage(browser: Browser, url: string, view: View, person?: Person): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    locale: view.locale,
    colorScheme: view.theme,
    viewport: { width: view.width, height: view.width === 360 ? 740 : 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(Math.min(LONGEST_WAIT_MS, deadline(12_000)));
  if (person) await giveSession(context, url, person);
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) faults.push(request.url());
  });
  return { context, faults, page: await context.newPage() };
}

/** The cookies that a sign-in leaves. */
async function giveSession(context: BrowserContext, url: string, { refreshToken }: Person): Promise<void> {
  const { hostname: domain } = new URL(url);
  await context.addCookies([
    { name: 'refresh_token', value: refreshToken, domain, path: '/api/auth', httpOnly: true, sameSite: 'Strict' },
    { name: 'signed_in', value: 'member', domain, path: '/', sameSite: 'Lax' },
  ]);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Faults of the API reference: it marks its text as the main part of a page, which ours has already, and shows its license on
 * phones as an icon without a name.
 */
const OF_REFERENCE = ['landmark-main-is-top-level', 'landmark-no-duplicate-main', 'link-name'];

/** Returns the violations that axe finds on the current page. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const isReference = (await page.locator('.references-rendered').count()) > 0;
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter(({ id }) => !isReference || !OF_REFERENCE.includes(id))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

/** Returns whether the page is wider than its window. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

/** Opens the command palette of a page whose scripts have run, and returns its field. */
export async function openPalette(page: Page): Promise<Locator> {
  await page.waitForSelector('main h1');
  await page.keyboard.press('Control+k');
  return page.getByRole('combobox', { name: 'Search or jump to' });
}

/** Saves a screenshot of a whole page for people to look at, if `SITE_VIEWS` asks for all. It is not compared. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.SITE_VIEWS !== 'all') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
