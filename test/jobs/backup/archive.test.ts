/** A backup with changed bytes is refused even if its gzip and tar are valid. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  ARCHIVE_FORMAT,
  ArchiveWriter,
  fileSource,
  newArchiveFile,
  verifyArchive,
} from '../../../jobs/backup/archive.ts';

let folder: string;
let tar: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const path = join(folder, 'sound.backup');
  const writer = new ArchiveWriter(newArchiveFile(path));
  await writer.addManifest({
    format: ARCHIVE_FORMAT,
    created_at: '2026-11-20T12:00:00.000Z',
    migrations: [],
    tables: [{ name: 'users', columns: ['id', 'email'] }],
    objects: 1,
  });
  await writer.addObject('users/1/exports/1/1.csv', 8, Readable.from([Buffer.from('an-export'.slice(1))]));
  await writer.addTable('users', Readable.from([Buffer.from('1\tada@example.com\n')]), () => {});
  await writer.finish([]);
  tar = gunzipSync(readFileSync(path));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Verifies the archive with a text replaced by another of the same length. */
async function verify(text: string, other: string) {
  expect(other).toHaveLength(text.length);
  const at = tar.indexOf(text);
  expect([at > 0, tar.indexOf(text, at + 1)]).toEqual([true, -1]);
  const changed = Buffer.from(tar);
  changed.write(other, at);
  const path = join(folder, 'changed.backup');
  writeFileSync(path, gzipSync(changed));
  return verifyArchive(fileSource(path));
}

it('an archive is accepted when nothing has changed', async () => {
  const { end } = await verify('n-export', 'n-export');
  expect([end.tables.users.rows, end.objects.count, end.objects.bytes]).toEqual([1, 1, 8]);
});

it.each([
  ['the content of an object', 'n-export', 'n-exp0rt', 'objects are missing or damaged'],
  ['a row', 'ada@example.com', 'eve@example.com', 'rows of users are missing or damaged'],
])('an archive is refused by its SHA-256 when %s has changed', async (_name, text, other, message) => {
  await expect(verify(text, other)).rejects.toThrow(message);
});
