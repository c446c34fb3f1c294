/** Numbers of advisory locks: what takes one waits for all that take the same. */
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const NAMED = /const (\w+_LOCK) = ([\d_]+)/g;
const TAKEN = /advisory_(?:xact_)?lock(?:_shared)?\((\d+)/g;

it('are those of one purpose each', async () => {
  const root = new URL('../../', import.meta.url);
  const files = globSync('{db,jobs,api,ops,storage}/**/*.ts', { cwd: root });
  const named = files.flatMap((file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    return [...text.matchAll(NAMED)].map(([, name, number]) => [`${file} ${name}`, Number(number.replaceAll('_', ''))]);
  });
  const { rows } = await database.pool.query<{ name: string; body: string }>(
    `select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  const inFunctions = rows.flatMap(({ name, body }) =>
    [...body.matchAll(TAKEN)].map(([, lock]) => [name, Number(lock)]),
  );
  expect([named.length, inFunctions.length]).toEqual([8, 2]);
  const numbers = [...named, ...inFunctions].map(([, number]) => number);
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
});
