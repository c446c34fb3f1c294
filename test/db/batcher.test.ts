/** Requests that share statements, without a database: the statements are promises that the test settles. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Batcher } from '../../db/batcher.ts';
import { required } from '../../engine/util/values.ts';

/** Time after which other items are sent while a statement still runs. */
const SLOW_MS = 20;

beforeEach(() => {
  // A slow machine would else make statements slow.
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

interface Statement extends PromiseWithResolvers<readonly string[]> {
  readonly items: readonly number[];
}

/** Statements that answer each item with its text as soon as the test says so. */
function openStatements(max = 4) {
  const sent: Statement[] = [];
  const batcher = new Batcher<number, string>({
    max,
    run: (items) => {
      const statement = { items, ...Promise.withResolvers<readonly string[]>() };
      sent.push(statement);
      return statement.promise;
    },
  });
  const answer = (index: number) => {
    const { items, resolve } = required(sent[index]);
    resolve(items.map(String));
  };
  return { batcher, sent, answer, batches: () => sent.map(({ items }) => items) };
}

const lockTimeout = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const brokenConnection = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

it('sends items of one turn of the event loop together, and later ones when that batch has ended', async () => {
  const { batcher, answer, batches } = openStatements();
  const first = [batcher.add(1), batcher.add(2)];
  await nextTurn();
  const later = [3, 4, 5, 6, 7].map((item) => batcher.add(item));
  await nextTurn();
  expect(batches()).toEqual([[1, 2]]);
  answer(0);
  expect(await Promise.all(first)).toEqual(['1', '2']);
  await nextTurn();
  expect(batches()).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ]);
  answer(1);
  await nextTurn();
  await nextTurn();
  answer(2);
  expect(await Promise.all(later)).toEqual(['3', '4', '5', '6', '7']);
  expect(batches()[2]).toEqual([7]);
});

it('does not wait for a statement that takes long, up to four of them', async () => {
  const { batcher, answer, batches } = openStatements(1);
  const all = [1, 2, 3, 4, 5, 6].map((item) => batcher.add(item));
  await nextTurn();
  for (const sent of [1, 2, 3, 4, 4]) {
    expect(batches()).toHaveLength(sent);
    await jest.advanceTimersByTimeAsync(SLOW_MS);
  }
  for (let i = 0; i < 6; i++) {
    answer(i);
    await jest.advanceTimersByTimeAsync(SLOW_MS);
  }
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(batches()).toEqual([[1], [2], [3], [4], [5], [6]]);
});

it('tries each item of a failed statement alone, so that one that fails does not fail the others', async () => {
  for (const failure of [new Error('a row that cannot be written'), lockTimeout()]) {
    const { batcher, sent, answer, batches } = openStatements();
    const outcomes = Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    await nextTurn();
    required(sent[0]).reject(failure);
    await nextTurn();
    expect(batches()).toEqual([[1, 2, 3], [1], [2], [3]]);
    answer(1);
    required(sent[2]).reject(failure);
    answer(3);
    expect(await outcomes).toEqual([
      { status: 'fulfilled', value: '1' },
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: '3' },
    ]);
  }
});

it('tries nothing again when the database is away, because the statement may have been committed', async () => {
  const { batcher, sent, batches } = openStatements();
  const failure = brokenConnection();
  const outcomes = Promise.allSettled([batcher.add(1), batcher.add(2)]);
  await nextTurn();
  required(sent[0]).reject(failure);
  expect(await outcomes).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
  ]);
  expect(batches()).toEqual([[1, 2]]);
});

it('continues after a failure', async () => {
  const { batcher, sent, answer } = openStatements();
  const failed = batcher.add(1).catch((error: Error) => error.message);
  await nextTurn();
  const waiting = batcher.add(2);
  required(sent[0]).reject(new Error('no'));
  expect(await failed).toBe('no');
  await nextTurn();
  await nextTurn();
  answer(1);
  expect(await waiting).toBe('2');
});
