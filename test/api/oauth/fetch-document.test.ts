/** Documents of clients, from a server of this machine that is allowed, and with bounds. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fetchDocument } from '../../../api/oauth/fetch-document.ts';

const OWN = { allowed: ['127.0.0.0/8'] };
const BODIES: Readonly<Record<string, string>> = {
  '/client.json': '{"client_name":"Desk"}',
  '/long.json': 'x'.repeat(6_000),
};
let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  execFileSync('openssl', ['req', '-x509', '-nodes', ...curve, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const certificate = readFileSync(cert, 'utf8');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate]);
  server = createServer({ key: readFileSync(key), cert: certificate }, ({ url = '' }, response) => {
    if (url === '/moved.json') response.writeHead(302, { location: '/client.json' });
    response.end(BODIES[url] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, reach: Parameters<typeof fetchDocument>[1] = OWN) =>
  fetchDocument(new URL(`${base}${path}`), reach);

it('reads a document, and follows no redirect', async () => {
  expect(await (await get('/client.json')).json()).toEqual({ client_name: 'Desk' });
  expect((await get('/moved.json')).status).toBe(302);
});

it('refuses a document of more than 5 KiB, a private address, and a name that leads to one', async () => {
  await expect(get('/long.json')).rejects.toThrow('too long');
  await expect(get('/client.json', { allowed: [] })).rejects.toThrow('private');
  await expect(fetchDocument(new URL('https://localhost./'), { allowed: [] })).rejects.toThrow('private');
  await expect(fetchDocument(new URL(base.replace('https', 'http')), OWN)).rejects.toThrow('private');
});
