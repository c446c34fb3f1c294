/**
 * A connection that listens, and what it does when it is lost.
 *
 * @waits
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listen } from '../../db/listener.ts';
import { parseSyncJobChange, SYNC_JOBS_CHANNEL } from '../../db/queue/sync-jobs.ts';
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
  const received: string[] = [];
  const lost: string[] = [];
  let connected = 0;
  const listener = await listen({
    url: proxy.through(database.url),
    applicationName: 'listener-test',
    channels: { words: (word) => void received.push(word) },
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
      async () => received,
      (words) => words.includes('again'),
    );
  } finally {
    await listener.close();
    proxy.close();
  }
});

it('waits for a first connection that takes longer than the time between two probes', async () => {
  const proxy = await TcpProxy.start(Number(new URL(database.url).port));
  proxy.freeze();
  const rejected: unknown[] = [];
  const note = (error: unknown) => void rejected.push(error);
  process.on('unhandledRejection', note);
  const listening = listen({ url: proxy.through(database.url), applicationName: 'listener-test' });
  await sleep(3_000);
  proxy.thaw();
  const listener = await listening;
  await listener.close();
  process.off('unhandledRejection', note);
  proxy.close();
  expect(rejected).toEqual([]);
});

it('logs and ignores a notification that its handler cannot read', async () => {
  const lines: unknown[] = [];
  const received: unknown[] = [];
  const listener = await listen({
    url: database.url,
    applicationName: 'listener-test',
    log: { warn: (...line: unknown[]) => void lines.push(line) },
    channels: {
      numbers: (payload) => void received.push(JSON.parse(payload)),
      [SYNC_JOBS_CHANNEL]: parseSyncJobChange,
    },
  });
  try {
    for (const payload of ['{', '1', '']) await database.pool.query('select pg_notify($1, $2)', ['numbers', payload]);
    for (const payload of ['x ok', '7 gone']) {
      await database.pool.query('select pg_notify($1, $2)', [SYNC_JOBS_CHANNEL, payload]);
    }
    await database.pool.query("notify numbers, '2'");
    await eventually(
      async () => received,
      ({ length }) => length === 2,
    );
    expect(received).toEqual([1, 2]);
    const ignored = (channel: string) => [{ err: expect.anything(), channel }, 'a malformed notification was ignored'];
    expect(lines).toEqual(['numbers', 'numbers', SYNC_JOBS_CHANNEL, SYNC_JOBS_CHANNEL].map(ignored));
    expect(parseSyncJobChange('7 running')).toEqual({ id: 7, status: 'running' });
  } finally {
    await listener.close();
  }
});

it('shares a connection between subscriptions, also the next one', async () => {
  const received: string[] = [];
  const connections: string[] = [];
  const listener = await listen({ url: database.url, applicationName: 'shared-listener' });
  const subscribe = (name: string) =>
    listener.subscribe({
      channels: { [name]: (word) => void received.push(`${name} ${word}`) },
      onConnected: () => void connections.push(name),
    });
  const onMessage = async (word: string) => {
    received.length = 0;
    for (const name of ['one', 'two']) await database.pool.query('select pg_notify($1, $2)', [name, word]);
    const all = async () => received;
    expect(await eventually(all, ({ length }) => length === 2)).toEqual([`one ${word}`, `two ${word}`]);
  };
  try {
    await subscribe('one');
    await subscribe('two');
    await onMessage('first');
    const { rowCount } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shared-listener'`,
    );
    expect(rowCount).toBe(1);
    await eventually(
      async () => connections,
      ({ length }) => length === 4,
    );
    expect(connections).toEqual(['one', 'two', 'one', 'two']);
    await onMessage('again');
  } finally {
    await listener.close();
  }
});
