import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listen } from '../../db/listener.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

it('replaces a listening connection that falls silent, and retries a connection that nobody answers', async () => {
  const proxy = await TcpProxy.start(Number(new URL(database.url).port));
  const heard: string[] = [];
  const lost: string[] = [];
  let connected = 0;
  const listener = await listen({
    url: proxy.through(database.url),
    applicationName: 'listener-test',
    channels: { words: (word) => void heard.push(word) },
    onConnected: () => void connected++,
    onLost: ({ message }) => void lost.push(message),
  });
  try {
    proxy.freeze();
    await eventually(
      async () => proxy.beginnings.length,
      (attempts) => attempts >= 2,
    );
    // Connections that hang so far hang forever.
    proxy.thawForNewOnes();
    await eventually(
      async () => connected,
      (count) => count >= 2,
    );
    expect(lost).toEqual(['Query read timeout']);
    await database.pool.query("notify words, 'again'");
    await eventually(
      async () => heard,
      (words) => words.includes('again'),
    );
  } finally {
    await listener.close();
    proxy.close();
  }
});
