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

it('shares a connection between subscriptions, also the next one', async () => {
  const heard: string[] = [];
  const connections: string[] = [];
  const listener = await listen({ url: database.url, applicationName: 'shared-listener' });
  const subscribe = (name: string) =>
    listener.subscribe({
      channels: { [name]: (word) => void heard.push(`${name} ${word}`) },
      onConnected: () => void connections.push(name),
    });
  const hear = async (word: string) => {
    heard.length = 0;
    for (const name of ['one', 'two']) await database.pool.query('select pg_notify($1, $2)', [name, word]);
    const all = async () => heard;
    expect(await eventually(all, ({ length }) => length === 2)).toEqual([`one ${word}`, `two ${word}`]);
  };
  try {
    await subscribe('one');
    await subscribe('two');
    await hear('first');
    const { rowCount } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shared-listener'`,
    );
    expect(rowCount).toBe(1);
    await eventually(
      async () => connections,
      ({ length }) => length === 4,
    );
    expect(connections).toEqual(['one', 'two', 'one', 'two']);
    await hear('again');
  } finally {
    await listener.close();
  }
});
