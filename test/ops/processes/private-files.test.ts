/** Only the service can read the data folder, no matter who made it and what an earlier version left in it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { keepFilesPrivate } from '../../../ops/processes/process.ts';

let folder: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0);
  folder = mkdtempSync(join(tmpdir(), 'private-'));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true });
});

const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;

it('makes open files private, except those of other users', () => {
  mkdirSync(join(folder, 'objects/users/1'), { recursive: true });
  const files = ['secret', 'runtime.json', 'postgres.password', 'objects/users/1/klines.json', 'notes.txt'];
  for (const name of files) writeFileSync(join(folder, name), name);
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'outbox'));
  keepFilesPrivate(folder);
  expect(['objects', 'objects/users', 'objects/users/1'].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o600, 0o666]);
  expect([modeOf('elsewhere'), modeOf('.')]).toEqual([0o777, 0o755]);
});

it('creates new files for their user only', () => {
  keepFilesPrivate(folder);
  writeFileSync(join(folder, 'new'), '');
  mkdirSync(join(folder, 'folder'));
  expect([modeOf('new'), modeOf('folder')]).toEqual([0o600, 0o700]);
});
