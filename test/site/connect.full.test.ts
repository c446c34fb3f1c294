/** The page on which an owner decides about an assistant, and the list of those that were let in. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite, type View } from '../support/site.ts';
import { pictureName, VIEWS } from '../support/views.ts';

let site: TestSite;
/** The client's own server, to which the browser returns. */
let client: Server;
let host: string;

beforeAll(async () => {
  site = await openTestSite();
  client = createServer((_, response) => response.end('Connected')).listen(0, '127.0.0.1');
  await once(client, 'listening');
  const address = client.address();
  host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(async () => {
  client.closeAllConnections();
  client.close();
  await site.close();
});

/** Opens the page as the client opens it. */
async function open(view: Partial<View>, person?: Person) {
  const redirect_uri = `http://${host}/callback`;
  const about = { client_name: 'Desk assistant', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' };
  const body = JSON.stringify(about);
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${site.url}/oauth/register`, { method: 'POST', headers, body });
  const { client_id } = JSON.parse(await registered.text());
  const opened = await site.open(view, person);
  const query = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await opened.page.goto(`/oauth/authorize?${query}`);
  return opened;
}

it.each(VIEWS)('the request fits and is accessible in $locale, $theme, $width', async (view) => {
  const { page, context, faults } = await open(view, await addPerson(site.api));
  await page.locator('form.consent').waitFor();
  expect([await findings(page), await isTooWide(page)]).toEqual([[], false]);
  await keepPicture(page, pictureName('/connect', view));
  expect(faults).toEqual([]);
  await context.close();
});

it('lets an assistant in with what is checked, which the account lists and revokes', async () => {
  const { page, context } = await open({}, await addPerson(site.api));
  await page.getByText(`“Desk assistant” asks to use this service for you, and returns to ${host}.`).waitFor();
  await page.getByLabel('change what your account keeps').uncheck();
  await page.getByLabel('Trials that it may make').fill('50');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Connected').waitFor();
  expect(page.url()).toContain(`http://${host}/callback?code=`);
  await page.goto('/account');
  const grants = page.locator('account-grants');
  const row = grants.getByRole('row', { name: /Desk assistant read, run 0 \/ 50 .* never/ });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await grants.getByText('No assistant is connected.').waitFor();
  await context.close();
});

it('asks a guest to sign in, and tells the client of a refusal', async () => {
  const guest = await open({});
  await guest.page.getByRole('dialog').getByLabel('E-mail').waitFor();
  await guest.context.close();
  const { page, context } = await open({}, await addPerson(site.api));
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Connected').waitFor();
  expect(page.url()).toContain('error=access_denied');
  await context.close();
});
