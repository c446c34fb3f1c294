/** Places for test files that compute. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { servePlaces } from './places.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'places-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('are given in the order of the requests, again when one is left, and not for one who leaves without having one', async () => {
  const path = join(folder, 'places');
  const server = servePlaces(path, 2);
  const ends: Socket[] = [];
  server.on('connection', (socket) => ends.push(socket));
  const ask = async () => {
    const socket = connect(path);
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    return socket;
  };
  const sockets = [await ask(), await ask(), await ask(), await ask()];
  const admitted = () => ends.map(({ bytesWritten }) => bytesWritten);
  const leave = async (index: number) => {
    sockets[index].destroy();
    await once(ends[index], 'close');
  };
  expect(admitted()).toEqual([1, 1, 0, 0]);
  await leave(2);
  expect(admitted()).toEqual([1, 1, 0, 0]);
  await leave(0);
  expect(admitted()).toEqual([1, 1, 0, 1]);
  await leave(1);
  await leave(3);
  server.close();
});
