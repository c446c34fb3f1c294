import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('is the schema that was agreed on: a migration shows here as a readable difference', async () => {
  const { rows: columns } = await database.pool.query(
    `select format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
              case when a.attnotnull then ' not null' else '' end,
              coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where n.nspname = 'public' and c.relkind in ('r', 'v', 'p') and a.attnum > 0 and not a.attisdropped
       and c.relname not like 'knex%' order by c.relname, a.attnum`,
  );
  const { rows: constraints } = await database.pool.query(
    `select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) as line from pg_constraint
     where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid::regclass::text not like 'knex%' order by 1`,
  );
  const { rows: indexes } = await database.pool.query(
    `select indexdef as line from pg_indexes where schemaname = 'public' and tablename not like 'knex%' order by 1`,
  );
  const { rows: triggers } = await database.pool.query(
    `select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where not tgisinternal and tgparentid = 0 and p.pronamespace = 'public'::regnamespace order by 1`,
  );
  expect([...columns, ...constraints, ...indexes, ...triggers].map((row) => row.line).join('\n')).toMatchSnapshot();
});

it('tells processes of every change of an API key but its last use', async () => {
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
