/** Account pages: keys, plan, usage, profile, and deletion. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import yauzl from 'yauzl';
import { siteText } from '../../api/site/texts/catalogue.ts';
import { createPool } from '../../db/pool.ts';
import { selectAccountExport } from '../../db/queue/exports.ts';
import { required } from '../../engine/util/values.ts';
import { runExport } from '../../jobs/export/run.ts';
import { deliverWebhooks } from '../../jobs/webhooks/run.ts';
import { addPerson, codeIn, deliverMail, newEmail } from '../support/accounts.ts';
import { testJobContext } from '../support/job-context.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';
import { pictureName, VIEWS } from '../support/views.ts';

const LOOPBACK = ['127.0.0.0/8'];

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ isLoaded: false, webhookNetworks: LOOPBACK });
});
afterAll(() => site.close());

/** Whether a box is as high as one line. */
const isOneLine = (box: Locator) => box.evaluate(({ clientHeight }) => clientHeight < 40);
const fits = (box: Locator) => box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);

describe('an empty market', () => {
  it('is shown as loading, neither as an unknown symbol nor as a broken service', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/s/ACRX');
    await page.getByRole('heading', { name: 'The market is loading' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await page.getByRole('status').getByText('The market is loading').waitFor();
    await keepPicture(page, 'empty-market');
    // An instrument that is not there yet, and the overview of a market that is not.
    expect(faults.filter((fault) => !/status of (404|503)/.test(fault))).toEqual([]);
    await context.close();
  });
});

describe('a service that is unavailable', () => {
  it('is reported; pages keep what was typed, and recover when it is back', async () => {
    const person = await addPerson(site.api);
    const { page, context } = await site.open({}, person);
    await page.goto('/account');
    await page.getByLabel('Phone').fill('+1 212 555 0177');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('account-profile [role=alert]').getByText('The service is not responding').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+1 212 555 0177');
    await page.getByText('90 days').click();
    const away = page.getByRole('heading', { name: 'The service is not responding' });
    await away.waitFor();
    expect(await findings(page)).toEqual([]);
    await context.setOffline(false);
    await away.waitFor({ state: 'detached' });
    await page
      .getByText('There were no calls.')
      .or(page.getByText(/calls? in this window/))
      .first()
      .waitFor();
    await context.close();
  });

  it('is reported while its database is down; pages recover when that is back', async () => {
    const person = await addPerson(site.api);
    const { page, context } = await site.open({}, person);
    await page.goto('/articles');
    await page.getByRole('heading', { name: 'Articles' }).first().waitFor();
    const name = new URL(site.database.url).pathname.slice(1);
    const elsewhere = createPool({
      url: new URL('/postgres', site.database.url).href,
      max: 1,
      applicationName: 'test',
    });
    await elsewhere.query(`alter database "${name}" allow_connections false`);
    await elsewhere.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await page.getByText('Concept', { exact: false }).first().click();
    const away = page.getByRole('heading', { name: 'The service is temporarily unavailable' });
    await away.waitFor();
    expect(await findings(page)).toEqual([]);
    await elsewhere.query(`alter database "${name}" allow_connections true`);
    await away.waitFor({ state: 'detached' });
    await elsewhere.end();
    await context.close();
  });
});

describe('a table', () => {
  it('says that it is empty, and draws only the first of ten thousand rows', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/s/ACRX');
    const show = (rows: number) => `(async () => {
      const table = document.createElement('data-table');
      table.caption = 'Rows';
      table.columns = [
        { key: 'n', title: 'Number', isNumber: true, value: ({ n }) => n },
        { key: 'name', title: 'Name', value: ({ name }) => name },
      ];
      table.rows = Array.from({ length: ${rows} }, (_, n) => ({ n, name: 'A very long name that no column was made for '.repeat(8) + n }));
      document.querySelector('main').replaceChildren(table);
      await table.updateComplete;
    })()`;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(show(0));
    await page.getByText('No rows').waitFor();
    await page.evaluate(show(10_000));
    const table = page.getByRole('region', { name: 'Rows' });
    expect(await table.locator('tbody tr').count()).toBeLessThanOrEqual(200);
    expect(await table.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
    await table.getByRole('button', { name: /Number/ }).click();
    expect(await table.locator('tbody tr').first().innerText()).toMatch(/^9,?999\b/);
    await page.getByRole('button', { name: /^Show more \(\d+ of 10,000\)$/ }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await context.close();
  });
});

describe('a guest', () => {
  it('is asked to sign in, gets an account with a code, and signs out', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/account');
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    const email = newEmail();
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByRole('button', { name: 'Send me a code' }).click();
    await dialog.getByText(email).first().waitFor();
    await dialog.getByLabel('Code').fill(codeIn(await deliverMail(site.api, email)));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByLabel('Name').fill('Grace Hopper');
    await dialog.getByLabel('Phone').fill('+1 212 555 0199');
    await dialog.getByRole('button', { name: 'Create the account' }).click();
    const made = page.getByRole('dialog', { name: 'Your API key' });
    expect(await isOneLine(made.locator('code'))).toBe(true);
    expect(await fits(made.locator('code'))).toBe(true);
    await made.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText(email).first().waitFor();
    await page.getByText('There were no calls.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('An account has an API key for programs').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    // The e-mail that was new.
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await context.close();
  });
});

describe('API keys', () => {
  it('are created, shown once, renamed, disabled, and deleted', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({}, person);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/account');
    await page.getByLabel('Name of the new key').fill('Nightly job');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'The key Nightly job is ready.' });
    const key = await notice.locator('code').innerText();
    expect(await isOneLine(notice.locator('code'))).toBe(true);
    expect(key).toMatch(/^md_[0-9a-f]{64}$/);
    await notice.getByRole('button', { name: 'Copy' }).click();
    await notice.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    expect((await site.api.get('/api/auth/me', { 'x-api-key': key })).status).toBe(200);
    await notice.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(key);

    const name = page.getByLabel('Name of the key Nightly job');
    await name.fill('Research');
    await name.press('Enter');
    await page.getByLabel('Name of the key Research').waitFor();
    const off = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('switch', { name: 'Enable the key Research' }).click();
    await off;
    await site.api.services.knownCallers.caughtUp();
    expect((await site.api.get('/api/auth/me', { 'x-api-key': key })).status).toBe(401);
    await page.getByRole('button', { name: 'Delete the key Research' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the key?' });
    expect(await findings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Name of the key Research').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('are in sight with their ends and last uses on laptops', async () => {
    const { pool } = site.database;
    const person = await addPerson(site.api);
    await pool.query(
      `update api_keys set expires_at = '2031-01-01T00:00:00Z', last_used_at = '2026-05-29T16:05:00Z' where user_id = $1`,
      [person.id],
    );
    const { page, context } = await site.open({}, person);
    await page.goto('/account');
    const table = page.getByRole('region', { name: 'Keys of this account' });
    await table.getByText('2031-01-01', { exact: true }).waitFor();
    for (const width of [1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await fits(table)]).toEqual([width, true]);
    }
    await context.close();
  });

  it('at the limit of the plan cannot be added, but can all be replaced by a new one', async () => {
    const person = await addPerson(site.api);
    const { page, context } = await site.open({}, person);
    await page.goto('/account');
    await page.getByText('Your plan allows 1 key, disabled ones included.').waitFor();
    await page.getByRole('button', { name: 'Replace all keys with a new one' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByText('It is shown only now').waitFor();
    await site.api.services.knownCallers.caughtUp();
    expect((await site.api.get('/api/auth/me', person.program)).status).toBe(401);
    await context.close();
  });
});

describe('webhooks', () => {
  it('are added, tested, sent again after a failure, paused, and deleted', async () => {
    let answer = 503;
    const signatures: (string | string[] | undefined)[] = [];
    const receiver = createServer((request, response) => {
      signatures.push(request.headers['webhook-signature']);
      request.resume().on('end', () => response.writeHead(answer).end('not now'));
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const address = receiver.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
    const deliver = () =>
      deliverWebhooks(
        testJobContext({ pool: site.database.pool, now: site.api.services.now, webhookNetworks: LOOPBACK }),
      );
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({ width: 360 }, person);
    await page.goto('/account');
    await page.getByText('There is no webhook.').waitFor();
    expect(await page.getByText('export.done').count()).toBe(0);
    await page.getByLabel('Address (https)').fill('https://192.168.1.7/hook');
    await page.getByRole('button', { name: 'Add the webhook' }).click();
    const fieldError = page.locator('account-webhooks .field-error');
    expect(await fieldError.innerText()).toMatch(/public/);
    expect(await page.getByLabel('Address (https)').inputValue()).toBe('https://192.168.1.7/hook');
    await page.getByLabel('Address (https)').fill(url);
    await page.getByRole('button', { name: 'Add the webhook' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'The secret signs each delivery' });
    const secret = await notice.locator('code').innerText();
    expect(secret).toMatch(/^whsec_/);
    await notice.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: `Send a test to ${url}` }).click();
    const deliveries = page.getByRole('region', { name: `Deliveries to ${url}` });
    await deliveries.getByText('being sent').waitFor();
    await deliver();
    await deliveries.getByText(/^next attempt at/).waitFor();
    await deliveries.getByText(/^503 after/).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await keepPicture(page, 'webhooks');
    answer = 204;
    await site.database.pool.query('update webhook_deliveries set due_at = created_at where due_at is not null');
    await deliver();
    await page.reload();
    await page.getByText('Deliveries', { exact: true }).click();
    await deliveries.getByRole('button', { name: /^Send webhook\.test of .* again$/ }).click();
    await deliveries.getByText('being sent').waitFor();
    await deliver();
    await deliveries.getByText('delivered').waitFor();
    expect(signatures).toHaveLength(3);

    await page
      .getByRole('group', { name: `Events for ${url}` })
      .getByLabel(/New data is loaded/)
      .check();
    await page.getByRole('switch', { name: `Enable the webhook ${url}` }).click();
    await page.getByText('Disabled: nothing is sent to this address.').waitFor();
    const { items } = (await site.api.get('/v1/my/webhooks', person.program)).body.data;
    expect(items).toEqual([
      expect.objectContaining({ url, enabled: false, events: ['backtest.finished', 'signals.ready', 'data.loaded'] }),
    ]);
    await page.getByRole('button', { name: `Delete the webhook ${url}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no webhook.').waitFor();
    // The address that was refused.
    expect(faults.filter((one) => !one.includes('422'))).toEqual([]);
    await context.close();
    receiver.close();
  });
});

describe('usage and profile', () => {
  it('show calls by day and endpoint, and change with the address', async () => {
    const person = await addPerson(site.api);
    for (let i = 0; i < 3; i++) await site.api.get('/v1/symbols', person.program);
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/account?days=7');
    await page.getByText('3 calls in this window').waitFor();
    await page.getByRole('figure', { name: /^Calls by day from .*, at most 3\.$/ }).waitFor();
    await page.getByRole('cell', { name: '/v1/symbols' }).waitFor();
    await page.getByText('90 days').click();
    await page.waitForURL('**/account?days=90');
    await page.goBack();
    await page.waitForURL('**/account?days=7');
    await page.getByRole('radio', { name: '7 days', checked: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('show an error and keep what was typed, then appear in the chosen language', async () => {
    const person = await addPerson(site.api);
    const { page, context } = await site.open({}, person);
    await page.goto('/account');
    await page.getByLabel('Phone').fill('none');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('account-profile [role=alert]').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('none');
    await page.getByLabel('Phone').fill('+1 212 555 0123');
    await page.getByLabel('Language').last().selectOption('zh-TW');
    await page.getByLabel('Mail when corrected prices change my runs').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: siteText('nav.account', 'zh-TW') }).waitFor();
    const { rows } = await site.database.pool.query(
      'select language, phone, mails_revisions from users where id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ language: 'zh-TW', phone: '+1 212 555 0123', mails_revisions: true }]);
    await context.close();
  });

  it('are deleted with the account, once its e-mail address is typed', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the account' });
    const action = dialog.getByRole('button', { name: 'Delete my account' });
    expect(await action.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
    await action.click();
    await page.getByText('The account is deleted.').waitFor();
    const { rows } = await site.database.pool.query('select 1 from users where id = $1', [person.id]);
    expect(rows).toEqual([]);
    await page.reload();
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('everything that an account has kept', () => {
  it('is downloaded as one archive, once a job has made it', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Download all my data' }).click();
    await page.locator('account-data').getByText('Waiting').waitFor();
    const { pool, storage, now } = site.api.services;
    const { id: exportId } = required(await selectAccountExport(pool, person.id));
    await runExport(testJobContext({ pool, storage, now }), { exportId });
    const action = page.getByRole('button', { name: 'Download the zip' });
    await action.waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'account-data');
    const [saved] = await Promise.all([page.waitForEvent('download'), action.click()]);
    expect(saved.suggestedFilename()).toMatch(/^account-data-\d{4}-\d\d-\d\d\.zip$/);
    const archive = await yauzl.fromBufferPromise(await buffer(await saved.createReadStream()));
    const names = await Array.fromAsync(archive.eachEntry(), ({ fileName }) => fileName);
    expect(names).toEqual(expect.arrayContaining(['account.json', 'runs.json', 'strategies.json', 'watches.json']));
    await page.getByRole('button', { name: 'Make a new one' }).click();
    await page.locator('account-data [role=alert]').getByText('once an hour').waitFor();
    // There was none before, and there is one already.
    expect(faults.filter((fault) => !/status of (404|409)/.test(fault))).toEqual([]);
    await context.close();
  });
});

describe.each(VIEWS)('in $locale, $theme, $width px wide', (view) => {
  it('the account page fits and is accessible', async () => {
    const person = await addPerson(site.api);
    await site.api.get('/v1/symbols', person.program);
    const { page, context, faults } = await site.open(view, person);
    await page.goto('/account');
    await page.locator('day-bars svg').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await keepPicture(page, pictureName('/account', view));
    expect(faults).toEqual([]);
    await context.close();
  });
});
