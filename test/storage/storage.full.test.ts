/**
 * One contract for every kind of object storage.
 *
 * @waits
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../engine/util/values.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { type ObjectStorage, StorageFull } from '../../storage/storage.ts';
import { deadline } from '../support/deadlines.ts';
import { eventually } from '../support/eventually.ts';
import { S3Server } from '../support/s3-server.ts';

let s3: S3Server;
let folder: string;
const storages: Record<string, ObjectStorage> = {};

beforeAll(async () => {
  s3 = await S3Server.start();
  folder = mkdtempSync(join(tmpdir(), 'objects-'));
  storages.folder = openStorage({ folder });
  storages.s3 = openStorage({ s3: s3.settings });
});
afterEach(() => {
  s3.intercept = () => undefined;
});
afterAll(() => {
  s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const MIB = 1 << 20;
function statfsUsed(path: string): number {
  const { blocks, bfree, bsize } = statfsSync(path);
  return (blocks - bfree) * bsize;
}
const listed = async (storage: ObjectStorage, prefix: string) =>
  (await Array.fromAsync(storage.list(prefix))).map(({ key, bytes }) => `${key} ${bytes}`);
const chunks = (count: number) => Readable.from(Array.from({ length: count }, (_, i) => Buffer.alloc(MIB, i)));

/** A source that breaks after some megabytes. */
const failing = (mib: number) =>
  Readable.from(
    (async function* () {
      for (let i = 0; i < mib; i++) yield Buffer.alloc(MIB);
      throw new Error('source broke');
    })(),
  );

describe.each(['folder', 's3'])('object storage in %s', (kind) => {
  const storage = () => storages[kind];

  it('stores, replaces, and removes an object, and ignores the removal of a missing one', async () => {
    expect(await storage().put('a/one.txt', Readable.from([Buffer.from('hello')]))).toBe(5);
    expect(await text(required(await storage().get('a/one.txt')))).toBe('hello');
    await storage().put('a/one.txt', Readable.from([Buffer.from('again')]));
    expect(await text(required(await storage().get('a/one.txt')))).toBe('again');
    expect([await storage().has('a/one.txt'), await storage().has('a/two.txt')]).toEqual([true, false]);
    await storage().remove('a/one.txt');
    await storage().remove('a/one.txt');
    expect(await storage().get('a/one.txt')).toBeNull();
    expect(await storage().has('a/one.txt')).toBe(false);
  });

  it('stores a new object unless there is one with its key', async () => {
    expect(await storage().putNew('new/one', Buffer.from('first'))).toBe(true);
    expect(await storage().putNew('new/one', Buffer.from('second'))).toBe(false);
    expect(await text(required(await storage().get('new/one')))).toBe('first');
    const both = ['a', 'b'].map((content) => storage().putNew('new/two', Buffer.from(content)));
    expect((await Promise.all(both)).filter(Boolean)).toEqual([true]);
    expect(storage().locationOf('new/one')).toBe(`s3://${kind === 'folder' ? 'market-data' : 'flatfiles'}/new/one`);
    for (const key of ['new/one', 'new/two']) await storage().remove(key);
  });

  it('reads a range of an object', async () => {
    await storage().put('part', Readable.from([Buffer.from('0123456789')]));
    const part = async (start: number, end: number) => text(required(await storage().get('part', { start, end })));
    expect([await part(0, 0), await part(3, 5), await part(9, 9), await part(0, 9)]).toEqual([
      ...['0', '345', '9', '0123456789'],
    ]);
    expect(await storage().get('none', { start: 0, end: 0 })).toBeNull();
    await storage().remove('part');
  });

  it('stores large streams completely', async () => {
    expect(await storage().put('big', chunks(12))).toBe(12 * MIB);
    const whole = await buffer(required(await storage().get('big')));
    expect(whole.equals(Buffer.concat(Array.from({ length: 12 }, (_, i) => Buffer.alloc(MIB, i))))).toBe(true);
    await storage().remove('big');
  });

  it.each([0, 3, 12])('stores nothing of a stream that fails after %i MiB', async (mib) => {
    await expect(storage().put('half', failing(mib))).rejects.toThrow('source broke');
    expect(await storage().get('half')).toBeNull();
    expect(await listed(storage(), 'half')).toEqual([]);
    expect(s3.uploads.size).toBe(0);
  });

  it('lists the remaining objects while others are removed', async () => {
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
      await expect(storage().get(key)).rejects.toThrow(RangeError);
      await expect(storage().has(key)).rejects.toThrow(RangeError);
      await expect(storage().remove(key)).rejects.toThrow(RangeError);
    },
  );

  it('can be checked', async () => {
    await storage().check();
  });

  it('removes old unfinished writes, and no newer ones', async () => {
    const begin = async () => {
      const endless = new Readable({ read: () => {} });
      for (let i = 0; i < 6; i++) endless.push(Buffer.alloc(MIB));
      const put = storage().put('unfinished', endless);
      put.catch(() => {});
      return { endless, put };
    };
    const writes = [await begin(), await begin(), await begin()];
    const unfinished = async () => (kind === 's3' ? s3.uploads.size : (await readdir(join(folder, '.tmp'))).length);
    await eventually(unfinished, (count) => count === 3);
    expect(await storage().removeUnfinished(new Date(Date.now() - 60_000))).toBe(0);
    if (kind === 'folder') {
      for (const name of await readdir(join(folder, '.tmp'))) utimesSync(join(folder, '.tmp', name), 1, 1);
    }
    expect(await storage().removeUnfinished(new Date(Date.now() + 60_000))).toBe(3);
    expect(await unfinished()).toBe(0);
    for (const { endless, put } of writes) {
      endless.destroy(new Error('given up'));
      await expect(put).rejects.toThrow();
    }
  });
});

describe('object storage in a folder', () => {
  it('is private to its user, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await storages.folder.put('private/one', Readable.from(['x']));
    } finally {
      process.umask(before);
    }
    const modes = ['private', 'private/one', '.tmp'].map((path) => statSync(join(folder, path)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o700]);
    await storages.folder.remove('private/one');
  });

  it('reads an object to its end although it is removed', async () => {
    await storages.folder.put('leaving', Readable.from(['whole']));
    const content = required(await storages.folder.get('leaving'));
    await storages.folder.remove('leaving');
    expect(await text(content)).toBe('whole');
  });

  it('makes a test write in one of many checks', async () => {
    const watched = mkdtempSync(join(tmpdir(), 'probed-'));
    const storage = openStorage({ folder: watched });
    await Promise.all(Array.from({ length: 20 }, () => storage.check()));
    const { mtimeNs } = statSync(join(watched, '.tmp'), { bigint: true });
    for (let i = 0; i < 20; i++) await storage.check();
    expect(statSync(join(watched, '.tmp'), { bigint: true }).mtimeNs).toBe(mtimeNs);
    rmSync(watched, { recursive: true });
  });

  it('leaves no temporary files behind', async () => {
    expect(await readdir(join(folder, '.tmp'))).toEqual([]);
  });
});

describe('object storage in a folder on a disk that is full', () => {
  const small = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small]).status === 0;
  afterAll(() => {
    if (isMounted) spawnSync('umount', [small]);
    rmSync(small, { recursive: true, force: true });
  });
  if (!isMounted) process.stderr.write('SKIPPED: a small disk cannot be mounted here\n');

  (isMounted ? it : it.skip)('stores nothing of an object that does not fit, and continues to work', async () => {
    const storage = openStorage({ folder: small });
    await storage.put('before', chunks(1));
    await expect(storage.put('large', chunks(4))).rejects.toThrow(StorageFull);
    expect(await storage.get('large')).toBeNull();
    expect(await readdir(join(small, '.tmp'))).toEqual([]);
    await storage.put('small', Readable.from(['x']));
    expect(await listed(storage, '')).toEqual([`before ${MIB}`, 'small 1']);
  });

  (isMounted ? it : it.skip)('fails its check, which leaves nothing behind', async () => {
    const room = 2 * MIB - 32 * 1024;
    writeFileSync(join(small, 'filler'), Buffer.alloc(room - statfsUsed(small)));
    // A new storage, because the result of a check is cached for a while.
    await expect(openStorage({ folder: small }).check()).rejects.toThrow(StorageFull);
    expect(await readdir(join(small, '.tmp'))).toEqual([]);
    rmSync(join(small, 'filler'));
    await openStorage({ folder: small }).check();
    expect(await readdir(join(small, '.tmp'))).toEqual([]);
  });
});

describe('object storage in S3', () => {
  const open = (settings: Partial<S3Server['settings']>) => openStorage({ s3: { ...s3.settings, ...settings } });
  /** Fails the first calls of an operation. */
  const failFirst = (times: number, operation: string, fault: Awaited<ReturnType<S3Server['intercept']>>) => {
    let calls = 0;
    s3.intercept = (call) => (call.operation === operation && calls++ < times ? fault : undefined);
  };
  const UNAVAILABLE = { status: 503, code: 'SlowDown' };
  const INTERNAL = { status: 500, code: 'InternalError' };

  it.each([
    [403, 'QuotaExceeded'],
    [400, 'XMinioAdminBucketQuotaExceeded'],
    [507, 'XMinioStorageFull'],
    [507, 'Whatever'],
  ])('reports a full storage: %i %s', async (status, code) => {
    s3.intercept = ({ operation }) => (/^(PutObject|UploadPart)$/.test(operation) ? { status, code } : undefined);
    s3.calls.length = 0;
    await expect(open({}).put('large', chunks(11))).rejects.toThrow(StorageFull);
    await expect(open({}).put('small', chunks(1))).rejects.toThrow(StorageFull);
    await expect(open({}).check()).rejects.toThrow(StorageFull);
    expect(s3.calls.filter(({ operation }) => operation === 'PutObject')).toHaveLength(2);
    expect([s3.uploads.size, await listed(storages.s3, 'large')]).toEqual([0, []]);
  });

  it('reports a wrong bucket, key, or signature', async () => {
    await expect(open({ bucket: 'other' }).check()).rejects.toThrow();
    await expect(open({ accessKeyId: 'somebody' }).check()).rejects.toThrow();
    await expect(open({ secretAccessKey: 'wrong' }).check()).rejects.toThrow();
    // The server's words name keys; only their codes are taken over.
    const refused = await open({ secretAccessKey: 'wrong' })
      .get('a')
      .catch((error) => error);
    expect([refused.message, refused.stack]).toEqual(['403 SignatureDoesNotMatch', undefined]);
  });

  it.each([
    ['500', INTERNAL],
    ['503', UNAVAILABLE],
    ['a broken connection', 'drop'],
  ] as const)('recovers from %s, on every kind of call', async (_, fault) => {
    const storage = storages.s3;
    const once = (operation: string) => failFirst(1, operation, fault);
    once('PutObject');
    await storage.put('retry/small', Readable.from([Buffer.from('small')]));
    for (const operation of ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload']) {
      once(operation);
      expect(await storage.put('retry/large', chunks(11))).toBe(11 * MIB);
      expect(s3.objects.get('retry/large')?.length).toBe(11 * MIB);
    }
    once('GetObject');
    expect(await text(required(await storage.get('retry/small')))).toBe('small');
    once('HeadObject');
    expect(await storage.has('retry/small')).toBe(true);
    once('ListObjectsV2');
    expect(await listed(storage, 'retry/')).toHaveLength(2);
    once('DeleteObject');
    await storage.remove('retry/large');
    await storage.remove('retry/small');
    expect(await listed(storage, 'retry/')).toEqual([]);
  });

  it('fails after three attempts, and leaves nothing of the object', async () => {
    failFirst(Infinity, 'UploadPart', INTERNAL);
    await expect(storages.s3.put('lost', chunks(11))).rejects.toThrow('InternalError');
    expect([s3.objects.has('lost'), s3.uploads.size]).toEqual([false, 0]);
    failFirst(Infinity, 'CompleteMultipartUpload', UNAVAILABLE);
    await expect(storages.s3.put('lost', chunks(11))).rejects.toThrow('SlowDown');
    expect([s3.objects.has('lost'), s3.uploads.size]).toEqual([false, 0]);
    failFirst(Infinity, 'GetObject', UNAVAILABLE);
    await expect(storages.s3.get('lost')).rejects.toThrow('SlowDown');
  });

  it('reads no more from a source than it can upload', async () => {
    const opened = Promise.withResolvers<void>();
    let parts = 0;
    s3.intercept = async ({ operation }) => {
      if (operation !== 'UploadPart') return undefined;
      parts++;
      await opened.promise;
      return undefined;
    };
    let made = 0;
    const source = Readable.from(
      (async function* () {
        for (; made < 64; made++) yield Buffer.alloc(MIB);
      })(),
    );
    const stored = storages.s3.put('slow', source);
    await eventually(
      async () => parts,
      (count) => count === 4,
    );
    for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next));
    // Four parts of 5 MiB are under way, and one waits.
    expect(made).toBeLessThan(30);
    opened.resolve();
    expect(await stored).toBe(64 * MIB);
    await storages.s3.remove('slow');
  });

  it('distinguishes a missing object from a refusal', async () => {
    expect(await storages.s3.has('none')).toBe(false);
    s3.intercept = () => ({ status: 403, code: 'AccessDenied' });
    await expect(storages.s3.has('none')).rejects.toThrow();
    await expect(storages.s3.get('none')).rejects.toThrow('AccessDenied');
  });

  it('fails when the content of an answer breaks off', async () => {
    await storages.s3.put('cut', chunks(2));
    s3.intercept = ({ operation }) => (operation === 'GetObject' ? 'cut' : undefined);
    await expect(buffer(required(await storages.s3.get('cut')))).rejects.toThrow();
  });

  it('fails when there is no answer', async () => {
    const impatient = openStorage({ s3: { ...s3.settings, timeoutMs: deadline(100) } });
    failFirst(1, 'GetObject', 'hang');
    await storages.s3.put('late', Readable.from([Buffer.from('late')]));
    expect(await text(required(await impatient.get('late')))).toBe('late');
    failFirst(Infinity, 'PutObject', 'hang');
    await expect(impatient.put('never', Readable.from([Buffer.from('x')]))).rejects.toThrow(/timed? ?out/i);
  });
});
