/** The frame of the site: command palette, places, theme, sign-in, login sessions across tabs, and the content security policy. */

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import supertest from 'supertest';
import { portOf } from '../../api/server/port-of.ts';
import { addPerson, codeIn, deliverMail, newEmail } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { findings, keepPicture, openPalette, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

/** How often the site refreshes a token from now on. */
function countRefreshes(page: Page): { count: number } {
  const counted = { count: 0 };
  page.context().on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) counted.count++;
  });
  return counted;
}

describe('the command palette', () => {
  it('finds symbols by former ticker and name, and opens them by keyboard', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/docs');
    const search = await openPalette(page);
    await search.fill('ltns');
    await page
      .getByRole('option', { name: /LUMA\.US/ })
      .first()
      .waitFor();
    await search.fill('quill');
    const options = page.getByRole('group', { name: 'Instruments' }).getByRole('option');
    await expect(
      eventually(
        () => options.allInnerTexts(),
        (texts) => texts.length > 0 && texts.every((text) => /QU?IL/i.test(text)),
      ),
    ).resolves.toBeDefined();
    expect(await findings(page)).toEqual([]);
    await search.fill('acr');
    await page.getByRole('option', { name: /ACRX\.US Apex/ }).waitFor();
    expect(await page.getByRole('option', { selected: true }).innerText()).toMatch(/^ACRX\.US/);
    await search.press('ArrowDown');
    await search.press('ArrowUp');
    await search.press('Enter');
    await page.waitForURL('**/s/ACRX.US');
    await page.getByRole('heading', { level: 1, name: 'ACRX.US' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('opens what is found first when Enter comes before the answer', async () => {
    const { page, context } = await site.open();
    await page.goto('/docs');
    const search = await openPalette(page);
    await search.pressSequentially('acrx');
    await search.press('Enter');
    await page.waitForURL('**/s/ACRX.US');
    await context.close();
  });

  it('finds pages, actions, rule functions, and operations of the API', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/docs');
    await page.waitForSelector('main h1');
    await page.keyboard.press('/');
    const search = page.getByRole('combobox', { name: 'Search or jump to' });
    await search.fill('sma');
    const functions = page.getByRole('group', { name: 'Functions of rules' });
    await functions.getByRole('option', { name: /^sma\(/ }).waitFor();
    await search.fill('run a');
    const operations = page.getByRole('group', { name: 'Operations of the API' });
    await operations
      .getByRole('option', { name: /^Run a backtest POST/ })
      .first()
      .waitFor();
    await search.fill('dark');
    await page.getByRole('option', { name: 'Dark theme' }).waitFor();
    await search.press('Enter');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    await page.getByText('English · Dark').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await (await openPalette(page)).fill('screen');
    await page.getByRole('option', { name: 'Screener' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/screener');
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a search of the command palette that fails', () => {
  it('says so, leaves the places, and works again with the next letter', async () => {
    const { page, context } = await site.open();
    await page.goto('/docs');
    await page.route('**/v1/symbols?*', (route) => route.abort());
    const search = await openPalette(page);
    await search.fill('sweep');
    const failed = page.getByRole('dialog').getByText('Search is not responding');
    await failed.waitFor();
    expect((await failed.boundingBox())?.height).toBeGreaterThan(10);
    await page.getByRole('option', { name: 'Sweeps' }).waitFor();
    await page.unroute('**/v1/symbols?*');
    await search.fill('sweeps');
    await failed.waitFor({ state: 'detached' });
    await search.press('Enter');
    await page.waitForURL('**/sweeps');
    await context.close();
  });
});

describe('a Chinese reader', () => {
  it('is offered red for gains until one color is chosen, and sees a column of money in one unit', async () => {
    const { page, context, faults } = await site.open({ locale: 'zh-TW' });
    await page.goto('/screener');
    const offer = page.getByRole('complementary', { name: '漲跌顏色' });
    expect(await findings(page)).toEqual([]);
    await offer.getByRole('button', { name: '紅漲綠跌' }).click();
    expect(await page.getAttribute('html', 'data-gain')).toBe('red');
    const money = page.locator('tbody td', { hasText: /[\d.,]+[億萬]$/ });
    await money.nth(1).waitFor();
    const units = (await money.allInnerTexts()).map((text) => text.trim().slice(-1));
    expect([units.length > 1, new Set(units).size]).toEqual([true, 1]);
    await page.goto('/screener');
    expect(await page.getAttribute('html', 'data-gain')).toBe('red');
    expect(await offer.count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('the places', () => {
  it('are at the left, and on phones behind the last word of the bar at the bottom', async () => {
    const { page, context, faults } = await site.open({ width: 360 });
    await page.goto('/backtest');
    await page.waitForSelector('main h1');
    const bar = page.getByRole('navigation', { name: 'Main places' });
    expect(await bar.locator('a, button').allInnerTexts()).toEqual([
      'Overview',
      'Chart',
      'Backtest',
      'Screener',
      'More',
    ]);
    expect(await bar.locator('[aria-current]').innerText()).toBe('Backtest');
    await bar.getByRole('button', { name: 'More' }).click();
    const places = page.getByRole('navigation', { name: 'Site' });
    await places.getByRole('link', { name: 'Sweeps' }).waitFor();
    expect(await findings(page)).toEqual([]);
    const { y = 0, height = 0 } = (await page.locator('#places').boundingBox()) ?? {};
    expect([y >= 0, y + height <= 740]).toEqual([true, true]);
    await places.getByRole('link', { name: 'Articles' }).click();
    await page.waitForURL('**/articles');
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('display settings', () => {
  it('are remembered by later pages', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/s/ACRX.US?period=week');
    await page.getByText('English · System').click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByRole('radio', { name: 'Red up, green down' }).check();
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await ground()).toBe('rgb(15, 18, 22)');
    await page.getByRole('link', { name: '繁體中文' }).click();
    await page.getByRole('button', { name: 'CSV' }).waitFor();
    await page.getByRole('link', { name: '回測此證券' }).waitFor();
    expect(new URL(page.url()).search).toBe('?period=week');
    // The server renders it, so that nothing flashes.
    const html = await (await context.request.get('/', { headers: { accept: 'text/html' } })).text();
    expect(html).toMatch(/<html lang="zh-TW" data-theme="dark" data-gain="red"/);
    expect(await ground()).toBe('rgb(15, 18, 22)');
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('somebody who signs in', () => {
  it('gets an account with a code, sees its key once, and leaves no token where scripts could read it', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/account');
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    const email = newEmail();
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByRole('button', { name: 'Send me a code' }).click();
    await dialog.getByText(email).first().waitFor();
    expect(await dialog.innerText()).toContain(`npm run -s ops -- login-code ${email}`);
    const code = codeIn(await deliverMail(site.api, email));
    await dialog.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').getByText('Check it and try again; tries left: 4.').waitFor();
    await dialog.getByLabel('Code').fill(code);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByLabel('Name').fill('Grace Hopper');
    await dialog.getByLabel('Phone').fill('+1 212 555 0199');
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create the account' }).click();
    const made = page.getByRole('dialog', { name: 'Your API key' });
    expect(await made.locator('code').innerText()).toMatch(/^md_[0-9a-f]{64}$/);
    await made.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'Account' }).first().waitFor();

    const cookies = await context.cookies(`${site.url}/api/auth/refresh`);
    expect(cookies.find(({ name }) => name === 'refresh_token')).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
      path: '/api/auth',
    });
    const readable = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(readable).not.toMatch(/eyJ|md_[0-9a-f]|refresh_token/);
    await page.reload();
    await page.getByRole('link', { name: 'Account' }).first().waitFor();
    // The wrong code, and the e-mail that was new.
    const refused = 'Failed to load resource: the server responded with a status of 400 (Bad Request)';
    expect(faults).toEqual([refused, refused]);
    await context.close();
  });

  it('shares one refresh between tabs that need it at once', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    const refreshes = countRefreshes(page);
    const pages = [page, ...(await Promise.all(Array.from({ length: 4 }, () => context.newPage())))];
    await Promise.all(pages.map((tab) => tab.goto('/')));
    for (const tab of pages) await tab.waitForSelector('dl[aria-busy="false"]');
    expect(refreshes.count).toBeLessThanOrEqual(5);
    await page.reload();
    await page.waitForSelector('dl[aria-busy="false"]');
    expect(await page.getAttribute('html', 'data-signed-in')).toBe('member');
    // Without a worker there is no finished example of a screen.
    expect(faults.filter((fault) => !fault.includes('503'))).toEqual([]);
    await context.close();
  });

  it('stays signed in when a page is left while it refreshes', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    for (let i = 0; i < 3; i++) {
      const asked = page.waitForRequest('**/api/auth/refresh');
      await Promise.race([page.goto('/').catch(() => {}), asked]);
      await asked;
    }
    await page.goto('/');
    await page.waitForSelector('dl[aria-busy="false"]');
    expect(await page.getAttribute('html', 'data-signed-in')).toBe('member');
    const { rows } = await site.database.pool.query('select revoked_at from sessions where user_id = $1', [person.id]);
    expect(rows.map(({ revoked_at }) => revoked_at)).toEqual([null]);
    expect(faults.filter((fault) => !fault.includes('Failed to fetch'))).toEqual([]);
    await context.close();
  });

  it('is asked again, over the unchanged page, when the session has ended', async () => {
    const person = await addPerson(site.api);
    const { page, context } = await site.open({}, person);
    await page.goto('/');
    // The page has read what it shows: the next call is that of the palette.
    await page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
    const search = await openPalette(page);
    await search.waitFor();
    await site.database.pool.query('update sessions set revoked_at = now() where user_id = $1', [person.id]);
    await search.fill('acr');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await search.inputValue()).toBe('acr');
    await context.close();
  });
});

describe('a page of another origin', () => {
  it('cannot refresh, sign out or read with the cookie of somebody who is signed in', async () => {
    const elsewhere = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<p>hello'),
    );
    await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready));
    const person = await addPerson(site.api);
    const { page, context } = await site.open({}, person);
    await page.goto(`http://127.0.0.1:${portOf(elsewhere)}/`);
    const tried = await page.evaluate(async (url) => {
      const attempt = async (path: string, init: RequestInit) => {
        try {
          const response = await fetch(`${url}${path}`, { method: 'POST', credentials: 'include', ...init });
          return response.type === 'opaque' ? 'opaque' : await response.text();
        } catch {
          return 'refused';
        }
      };
      const plain = { mode: 'no-cors', body: '{}' } as const;
      return [
        await attempt('/api/auth/refresh', {
          headers: { 'X-Client-Kind': 'web', 'Content-Type': 'application/json' },
          body: '{}',
        }),
        await attempt('/api/auth/refresh', plain),
        await attempt('/api/auth/logout', plain),
      ];
    }, site.url);
    expect(tried).toEqual(['refused', 'opaque', 'opaque']);
    const { rows } = await site.database.pool.query(
      'select s.revoked_at, t.rotated_at from sessions s join refresh_tokens t on t.session_id = s.id where s.user_id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ revoked_at: null, rotated_at: null }]);
    await context.close();
    elsewhere.close();
    elsewhere.closeAllConnections();
  });
});

describe('the security headers of pages', () => {
  it('block inline scripts and styles', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/');
    await page.waitForSelector('dl[aria-busy="false"]');
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken over"';
      const holder = document.createElement('p');
      holder.innerHTML = '<img src="/assets/nothing.png" onerror="document.title=1"><i style="color: red">x</i>';
      document.body.append(script, holder);
    `);
    await eventually(
      async () => faults.filter((fault) => fault.includes('Content Security Policy')).length,
      (count) => count >= 3,
    );
    expect(await page.title()).toContain('Market Data');
    await context.close();
  });

  it('are on every page, and forbid frames on other sites', async () => {
    const response = await fetch(`${site.url}/s/ACRX`, { headers: { accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none';script-src 'self';style-src 'self';/);
    expect(policy).toMatch(/frame-ancestors 'none'$/);
    expect(response.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });

  it('keep browsers on https once they have used it', async () => {
    const come = (protocol: string) =>
      supertest(site.api.app).get('/s/ACRX').set('accept', 'text/html').set('x-forwarded-proto', protocol);
    expect((await come('https')).headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await come('http')).headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('addresses', () => {
  const ask = (path: string, accept: string) => fetch(`${site.url}${path}`, { headers: { accept } });

  it('answer programs with links at the root, and people with a page', async () => {
    const links = await ask('/', 'application/json');
    expect(await links.json()).toMatchObject({
      code: 0,
      data: { documentation: 'http://test/docs', description: 'http://test/openapi.json' },
    });
    expect((await ask('/', 'text/html')).headers.get('content-type')).toMatch('text/html');
  });

  it('that are unknown answer people with a page and programs with JSON', async () => {
    for (const path of ['/nowhere', '/s/NOPE', '/r/nothing-here']) {
      const page = await ask(path, 'text/html');
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
    expect(await (await ask('/nowhere', '*/*')).json()).toMatchObject({ key: 'error.not_found' });
    expect(await (await ask('/v1/nowhere', 'text/html')).json()).toMatchObject({ key: 'error.not_found' });
  });

  it('of assets have a hash of their content and are cached forever', async () => {
    const html = await (await ask('/', 'text/html')).text();
    const [, module] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
    const asset = await fetch(`${site.url}${module}`);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${site.url}${module.replace(/-\w+\.js$/, '-00000000.js')}`)).status).toBe(404);
    expect(html).toMatch(/<h1>[^<]+<\/h1>.*<noscript><p>/s);
    expect(html).toContain('<meta property="og:title"');
    expect(html).toContain('<meta property="og:image" content="http://test/preview.png">');
    expect((await fetch(`${site.url}/preview.png`)).headers.get('content-type')).toBe('image/png');
  });
});

describe('the files of a page', () => {
  const filesOf = async (path: string) => {
    const html = await (await fetch(`${site.url}${path}`, { headers: { accept: 'text/html' } })).text();
    return [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, file]) => file);
  };

  it('are few, because a browser fetches six at a time', async () => {
    const counts = async (paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await filesOf(path)).length));
    const [home, instrument, backtest] = await counts(['/', '/s/ACRX', '/backtest']);
    expect(home).toBeLessThanOrEqual(10);
    expect(instrument).toBeLessThanOrEqual(12);
    // Five rounds: each page more that shares modules cuts them into more files.
    expect(backtest).toBeLessThanOrEqual(30);
  });

  it('come compressed, those that it needs first before the chart library', async () => {
    const files = await filesOf('/s/ACRX');
    const sizes = await Promise.all(
      files.map(async (file) => {
        const response = await fetch(`${site.url}${file}`, { headers: { 'accept-encoding': 'br' } });
        expect([file, response.headers.get('content-encoding')]).toEqual([file, 'br']);
        return (await response.text()).length;
      }),
    );
    const library = sizes.indexOf(Math.max(...sizes));
    expect(files.slice(0, library).some((file) => file.startsWith('/assets/symbol-'))).toBe(true);
  });
});

describe('the first candles of an instrument', () => {
  it('are called for once, by guests and by members as themselves', async () => {
    for (const person of [undefined, await addPerson(site.api)]) {
      const { page, context, faults } = await site.open({}, person);
      const calls: boolean[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/v1/kline/')) calls.push('authorization' in request.headers());
      });
      await page.goto('/s/ACRX?period=week');
      await page.locator('price-chart canvas').first().waitFor();
      expect(calls).toEqual([person !== undefined]);
      expect(faults).toEqual([]);
      await context.close();
    }
  });
});

describe('the documentation', () => {
  /** Opens an operation by its name in the list, and the form that calls it. */
  async function openForm(page: Page, name: string): Promise<Locator> {
    await page.goto('/docs/reference');
    await page.locator('.guides').getByText('Market data', { exact: true }).click();
    await page.locator('.guides').getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Test Request' }).first().click();
    return page.getByRole('dialog');
  }

  it('has one list of its pages, on each of them', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/docs');
    const links = () => page.locator('.guides > a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const listed = await links();
    expect(listed).toEqual(expect.arrayContaining(['/docs', '/docs/errors', '/rules', '/clients', '/docs/reference']));
    for (const path of ['/docs/errors', '/rules', '/clients', '/docs/reference']) {
      await page.goto(path);
      expect([path, await links()]).toEqual([path, listed]);
      expect(await page.locator('.guides [aria-current]').getAttribute('href')).toBe(path);
    }
    await page.locator('.guides summary', { hasText: 'Sweeps' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is copied as Markdown, with space below the button', async () => {
    const { page, context, faults } = await site.open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const path of ['/docs/errors', '/clients']) {
      await page.goto(path);
      await page.getByRole('button', { name: 'Copy as Markdown' }).click();
      await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
      const { text } = await site.api.get(`${path}.md`);
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
    await page.goto('/docs/errors');
    const button = await page.getByRole('button', { name: 'Copy as Markdown' }).boundingBox();
    const below = await page.locator('.prose > h1 + p + *').boundingBox();
    expect((below?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0)).toBeGreaterThanOrEqual(8);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows an answer that is a list as a table and as a chart', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/docs/candles');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Table', { exact: true }).click();
    const rows = page.locator('.program tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(4);
    expect(await findings(page)).toEqual([]);
    await page.locator('.program').getByText('Chart', { exact: true }).click();
    await page.locator('.program query-chart path').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto('/docs/limits');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Headers', { exact: true }).waitFor();
    expect(await page.locator('.program').getByText('Table', { exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('sends the example of an operation at the first click, as the reader', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    const form = await openForm(page, 'Get the latest quote');
    const sent = page.waitForRequest((request) => request.url().includes('/v1/quote/'));
    await form.getByRole('button', { name: 'Send' }).first().click();
    expect((await sent).headers().authorization).toMatch(/^Bearer /);
    await form.getByText('"ACRX.US"').first().waitFor();
    await keepPicture(page, 'docs-form');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('stores no credential that the reader enters', async () => {
    const { page, context, faults } = await site.open();
    await page.clock.install();
    const form = await openForm(page, 'Get the latest quote');
    await form.getByRole('button', { name: 'Select Auth Type' }).click();
    await page.getByRole('option', { name: 'apiKey' }).click();
    await form.getByText('No authentication selected').waitFor({ state: 'hidden' });
    await form.locator('.scalar-password-input').fill('mk_secret_of_the_reader');
    const sent = page.waitForRequest((request) => request.url().includes('/v1/quote/'));
    await form.getByRole('button', { name: 'Send' }).first().click();
    expect((await sent).headers()['x-api-key']).toBe('mk_secret_of_the_reader');
    // A library may keep a key some seconds after it was typed.
    await page.clock.fastForward(60_000);
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).not.toContain('secret_of_the_reader');
    expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });
});

it('cuts no sample of the documentation, on laptops and on phones', async () => {
  const { page, context } = await site.open();
  const cut = '[...document.querySelectorAll("pre")].filter((one) => one.scrollWidth > one.clientWidth).length';
  for (const width of [1024, 360]) {
    await page.setViewportSize({ width, height: 740 });
    for (const path of ['/docs/lake', '/docs/rules', '/clients']) {
      await page.goto(path);
      await page.locator('pre').first().waitFor();
      expect([path, width, await page.evaluate(cut)]).toEqual([path, width, 0]);
    }
  }
  await context.close();
});
