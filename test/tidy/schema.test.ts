import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeSchema } from '../support/schema-description.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('is the schema that was agreed on: a migration shows here as a readable difference', async () => {
  const objects = Object.entries(await describeSchema(database.pool));
  expect(objects.map(([name, definition]) => `${name}: ${definition}`).join('\n')).toMatchSnapshot();
});

it('notifies processes of every change of an API key except its last use', async () => {
  const { rows } = await database.pool.query(
    `select attname from pg_attribute a join pg_trigger t on t.tgrelid = a.attrelid
     where t.tgname = 'api_keys_changed' and a.attnum > 0 and not a.attisdropped and a.attnum <> all (t.tgattr)`,
  );
  expect(rows).toEqual([{ attname: 'last_used_at' }]);
});

it('leaves the jobs of pg-boss to pg-boss: no trigger and no function changes them', async () => {
  const { rows: before } = await database.pool.query(
    `select tgname from pg_trigger where tgrelid = 'pgboss.job'::regclass and not tgisinternal and tgtype::int & 2 = 2`,
  );
  const { rows: writing } = await database.pool.query(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace
       and prosrc ~* '(insert\\s+into|update|delete\\s+from)\\s+(only\\s+)?pgboss\\.'`,
  );
  expect([before, writing]).toEqual([[], []]);
});
