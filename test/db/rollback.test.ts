/** Undoes all migrations one by one, as `ops db rollback` does, and applies them again. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { MIGRATIONS } from '../../migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Knex;
beforeAll(async () => {
  database = await createTestDatabase();
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/**
 * All that migrations create, with one blank for every run of them. The kinds of runs are left out: migrations add theirs in any
 * order, and undoing one leaves its kind allowed.
 */
async function schema(): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(`
    select regexp_replace(line, '\\s+', ' ', 'g') as line from (
      select format('%s.%s %s%s %s', c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod),
               case when a.attnotnull then ' not null' end, pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p') and a.attnum > 0 and not a.attisdropped
      union all
      select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n' and conname <> 'backtest_runs_kind_check'
      union all
      select indexdef from pg_indexes where schemaname in ('public', 'pgboss')
      union all
      select format('%s: %s', oid::regclass, reloptions) from pg_class
      where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind = 'r'
      union all
      select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal and tgparentid = 0
      union all
      select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
    ) as parts where line not like 'knex%' and line not like '%ON public.knex%' order by 1`);
  return rows.map(({ line }) => line);
}

it('undoes every migration to what was before it, and all of them to nothing', async () => {
  const steps: { readonly name: string; readonly schema: string[] }[] = [];
  for (const { name, migration } of MIGRATIONS.toReversed()) {
    steps.push({ name, schema: await schema() });
    await migration.down?.(db);
  }
  const ofQueue = /^pgboss\.|^CREATE (UNIQUE )?INDEX \w+ ON (ONLY )?pgboss\./;
  expect((await schema()).filter((line) => !ofQueue.test(line))).toEqual([]);
  for (const { migration } of MIGRATIONS) {
    await migration.up(db);
    const undone = steps.pop();
    expect({ name: undone?.name, schema: await schema() }).toEqual(undone);
  }
});
