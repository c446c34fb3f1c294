/** Documents of clients, from a server of this machine that is allowed, and with bounds. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fetchDocument } from '../../../api/oauth/fetch-document.ts';
import { type HttpsServer, openHttpsServer } from '../../support/https-server.ts';

const OWN = { allowed: ['127.0.0.0/8'] };
const BODIES: Readonly<Record<string, string>> = {
  '/client.json': '{"client_name":"Desk"}',
  '/long.json': 'x'.repeat(6_000),
};
let server: HttpsServer;

beforeAll(async () => {
  server = await openHttpsServer('127.0.0.1', ({ url = '' }, response) => {
    if (url === '/moved.json') response.writeHead(302, { location: '/client.json' });
    response.end(BODIES[url] ?? '');
  });
});
afterAll(() => server.close());

const get = (path: string, reach: Parameters<typeof fetchDocument>[1] = OWN) =>
  fetchDocument(new URL(`${server.url}${path}`), reach);

it('reads a document, and follows no redirect', async () => {
  expect(await (await get('/client.json')).json()).toEqual({ client_name: 'Desk' });
  expect((await get('/moved.json')).status).toBe(302);
});

it('refuses a document of more than 5 KiB, a private address, and a name that leads to one', async () => {
  await expect(get('/long.json')).rejects.toThrow('too long');
  await expect(get('/client.json', { allowed: [] })).rejects.toThrow('private');
  await expect(fetchDocument(new URL('https://localhost./'), { allowed: [] })).rejects.toThrow('private');
  await expect(fetchDocument(new URL(server.url.replace('https', 'http')), OWN)).rejects.toThrow('private');
});
