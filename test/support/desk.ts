/**
 * Faults in real processes, each of which the person on call finds on `/admin/ops`: its sentence stands there within a minute, at most two
 * clicks away, and goes when the fault is over. `FAULT_TABLE=1` prints the seconds and clicks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { createAdmin } from '../../api/accounts/admins.ts';
import { required } from '../../engine/util/values.ts';
import { Cluster } from './cluster.ts';
import { deadline } from './deadlines.ts';

const ADMIN = { email: 'desk@example.com', login: 'desk', password: 'correct horse battery staple' };
const FOUND_MS = 60_000;

let cluster: Cluster;
let browser: Browser;
let page: Page;
const found: [string, string, number][] = [];

export interface Fault {
  readonly sentence: RegExp;
  /** The elements that may have the sentence. Default: any. */
  readonly selector?: string;
  /** Why it cannot be made here. */
  readonly impossible?: string;
  /** Breaks something; resolves with what makes it whole again. */
  readonly inject: (cluster: Cluster) => Promise<() => Promise<unknown>>;
}

/** Looks as a person would: first at what stands there, then behind what unfolds. Null: it is not there. */
async function clicksTo(places: Locator): Promise<number | null> {
  if ((await places.count()) === 0) return null;
  if (await places.first().isVisible()) return 0;
  await page.locator('ops-status-line summary').first().click();
  return (await places.first().isVisible()) ? 1 : null;
}

async function lookFor(places: Locator): Promise<{ readonly seconds: number; readonly clicks: number }> {
  const since = performance.now();
  while (performance.now() - since < deadline(FOUND_MS)) {
    const clicks = await clicksTo(places);
    if (clicks !== null) return { seconds: (performance.now() - since) / 1_000, clicks };
    await sleep(250);
  }
  throw new Error(`not found: ${places}; the page says: ${await page.locator('main').innerText()}`);
}

/** As the site does, which keeps the session in a cookie. */
async function signIn(): Promise<void> {
  const { login, password } = ADMIN;
  const headers = { 'content-type': 'application/json', 'x-client-kind': 'web' };
  const call = { method: 'POST', headers, body: JSON.stringify({ login, password }) };
  const status = await page.evaluate(async (init) => (await fetch('/api/auth/admin-login', init)).status, call);
  expect(status).toBe(200);
}

async function isWell(): Promise<void> {
  await page
    .locator('ops-status-line .well')
    .waitFor({ timeout: deadline(FOUND_MS) })
    .catch(async () => {
      throw new Error(`all is not well: ${await page.locator('main').innerText()}`);
    });
}

/** `settings`: those of the processes that differ from a sample market's. */
export function describeFaults<Name extends string>(
  faults: Readonly<Record<Name, Fault>>,
  names: readonly Name[],
  settings: () => Promise<NodeJS.ProcessEnv>,
): void {
  const isPossible = (name: Name) => faults[name].impossible === undefined;
  beforeAll(async () => {
    cluster = await Cluster.start(await settings());
    await createAdmin(cluster.pool, Date.now(), ADMIN);
    browser = await chromium.connect(required(process.env.TEST_BROWSER));
    const baseURL = `http://127.0.0.1:${cluster.ports[0]}`;
    const context = await browser.newContext({ baseURL, viewport: { width: 1_440, height: 900 } });
    page = await context.newPage();
    await page.goto('/plans');
    await signIn();
    await page.goto('/admin/ops');
    await isWell();
  }, deadline(240_000));
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
    if (process.env.FAULT_TABLE)
      for (const [name, seconds, clicks] of found) process.stdout.write(`| ${name} | ${seconds} | ${clicks} |\n`);
  });

  describe('the person on call finds', () => {
    for (const name of names.filter((one) => !isPossible(one)))
      it.skip(`${name}: NOT TRIED, ${faults[name].impossible}`, () => {});

    it.each(names.filter(isPossible))(
      '%s',
      async (name) => {
        const { sentence, selector, inject } = faults[name];
        const places = selector ? page.locator(selector, { hasText: sentence }) : page.getByText(sentence);
        expect(await places.count()).toBe(0);
        const heal = await inject(cluster);
        const { seconds, clicks } = await lookFor(places);
        found.push([name, seconds.toFixed(1), clicks]);
        await heal();
        await places.first().waitFor({ state: 'detached', timeout: deadline(FOUND_MS) });
        await isWell();
        expect(clicks).toBeLessThanOrEqual(2);
      },
      deadline(300_000),
    );
  });
}
