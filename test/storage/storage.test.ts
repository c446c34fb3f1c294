/** One contract for every kind of object storage. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ObjectStorage, openStorage } from '../../storage/storage.ts';

/** As much of S3 as the storage uses: one bucket, whole and multipart puts, pages of two keys. */
function startS3(): Promise<Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url as string, 'http://s3');
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const body = await buffer(request);
    const send = (status: number, content: string | Buffer = '', headers = {}) =>
      response.writeHead(status, headers).end(content);
    const xml = (content: string) =>
      send(200, `<?xml version="1.0"?>${content}`, { 'content-type': 'application/xml' });
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=id/')) return send(403);
    if (bucket !== 'bucket') return send(404);
    const upload = url.searchParams.get('uploadId');
    if (request.method === 'HEAD') return send(200);
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      uploads.set('u1', new Map());
      return xml('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>');
    }
    if (request.method === 'PUT' && upload) {
      uploads.get(upload)?.set(Number(url.searchParams.get('partNumber')), body);
      return send(200, '', { etag: '"part"' });
    }
    if (request.method === 'POST' && upload) {
      const parts = [...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
      objects.set(key, Buffer.concat(parts));
      uploads.delete(upload);
      return xml('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
    }
    if (request.method === 'DELETE') {
      if (upload) uploads.delete(upload);
      else objects.delete(key);
      return send(204);
    }
    if (request.method === 'PUT') {
      objects.set(key, body);
      return send(200, '', { etag: '"x"' });
    }
    if (key === '') {
      const prefix = url.searchParams.get('prefix') ?? '';
      const from = url.searchParams.get('continuation-token') ?? '';
      const keys = [...objects.keys()].filter((k) => k.startsWith(prefix) && k > from).sort();
      const page = keys
        .slice(0, 2)
        .map((k) => `<Contents><Key>${k}</Key><Size>${objects.get(k)?.length}</Size></Contents>`);
      const next =
        keys.length > 2
          ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${keys[1]}</NextContinuationToken>`
          : '';
      return xml(`<ListBucketResult>${page.join('')}${next}</ListBucketResult>`);
    }
    const found = objects.get(key);
    if (!found) return send(404, '<Error><Code>NoSuchKey</Code></Error>', { 'content-type': 'application/xml' });
    return send(200, found);
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  return once(server, 'listening').then(() => server);
}

let server: Server;
let folder: string;
const storages: Record<string, ObjectStorage> = {};

beforeAll(async () => {
  server = await startS3();
  folder = mkdtempSync(join(tmpdir(), 'objects-'));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const s3 = { bucket: 'bucket', endpoint, region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'secret' };
  storages.folder = openStorage({ folder });
  storages.s3 = openStorage({ s3 });
  storages.wrongBucket = openStorage({ s3: { ...s3, bucket: 'other' } });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const listed = async (storage: ObjectStorage, prefix: string) =>
  (await Array.fromAsync(storage.list(prefix))).map(({ key, bytes }) => `${key} ${bytes}`);

describe.each(['folder', 's3'])('object storage in %s', (kind) => {
  const storage = () => storages[kind];

  it('gives back what was put, replaces it, and removes it without complaint', async () => {
    expect(await storage().put('a/one.txt', Readable.from([Buffer.from('hello')]))).toBe(5);
    expect(await text((await storage().get('a/one.txt')) as Readable)).toBe('hello');
    await storage().put('a/one.txt', Readable.from([Buffer.from('again')]));
    expect(await text((await storage().get('a/one.txt')) as Readable)).toBe('again');
    await storage().remove('a/one.txt');
    await storage().remove('a/one.txt');
    expect(await storage().get('a/one.txt')).toBeNull();
  });

  it('stores large streams whole', async () => {
    const chunk = Buffer.alloc(1 << 20, 7);
    const size = await storage().put('big', Readable.from(Array.from({ length: 12 }, () => chunk)));
    expect(size).toBe(12 << 20);
    expect((await buffer((await storage().get('big')) as Readable)).equals(Buffer.alloc(12 << 20, 7))).toBe(true);
    await storage().remove('big');
  });

  it('keeps nothing of a stream that fails', async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.alloc(1000);
        throw new Error('source broke');
      })(),
    );
    await expect(storage().put('half', failing)).rejects.toThrow('source broke');
    expect(await storage().get('half')).toBeNull();
    expect(await listed(storage(), 'half')).toEqual([]);
  });

  it('lists what is left while objects are being removed', async () => {
    for (const name of ['a', 'b', 'c']) await storage().put(`going/${name}`, Readable.from(['x']));
    const seen: string[] = [];
    for await (const { key } of storage().list('going/')) {
      seen.push(key);
      for (const name of ['a', 'b', 'c']) await storage().remove(`going/${name}`);
    }
    expect(seen[0]).toBe('going/a');
    expect(await listed(storage(), 'going/')).toEqual([]);
  });

  it('lists by prefix, page after page, in order', async () => {
    for (const key of ['l/c', 'l/a', 'l/b/x', 'l/d', 'm/e'])
      await storage().put(key, Readable.from([Buffer.from(key)]));
    expect(await listed(storage(), 'l/')).toEqual(['l/a 3', 'l/b/x 5', 'l/c 3', 'l/d 3']);
    expect(await listed(storage(), 'none')).toEqual([]);
  });

  it.each(['../up', '/abs', 'a//b', 'a/../b', '.hidden', 'a/.b', '', 'ä', 'x'.repeat(600)])(
    'refuses the key "%s"',
    async (key) => {
      await expect(storage().put(key, Readable.from([]))).rejects.toThrow(RangeError);
    },
  );

  it('can be checked', async () => {
    await storage().check();
  });
});

it('leaves no temporary files behind', async () => {
  expect(await readdir(join(folder, '.tmp'))).toEqual([]);
});

it('says when a bucket cannot be used', async () => {
  await expect(storages.wrongBucket.check()).rejects.toThrow();
});
